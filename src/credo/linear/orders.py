"""The evidence of models of growing order: Occam's hill and Occam's asymptote."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import Categorical
from credo.beliefs.layout import aligned
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput
from credo.linear.axes import factor_rows
from credo.linear.bases import PolynomialBasis, begin, expand
from credo.linear.evidence import Precisions
from credo.linear.precisions import find_precisions
from credo.numerics import log_normalise

__all__ = ["EvidenceByOrder", "evidence_by_order"]

FLAT = 1e-6  # nats; orders that differ by less are equally good


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EvidenceByOrder:
    """The log evidence of each order, and how the model of that order was: prints as a table.

    ``effective`` is how many weights the data determine, ``noise`` the standard deviation of the noise.

    >>> x = np.linspace(-1, 1, 30)
    >>> orders = evidence_by_order(x, 1 + x + np.random.default_rng(0).normal(0, 0.1, 30), range(3))
    >>> orders
    order  log evidence  probability  weights    noise
    0            -28.51    3.477e-24        0   0.6098
    1             25.42       0.9159   0.9993  0.08371
    2             23.03      0.08405    1.994  0.08385
    >>> orders.best
    1
    """

    orders: tuple[int, ...]
    log_evidence: Floats
    effective: Floats
    noise: Floats
    prior: str

    @property
    def best(self) -> int:
        """The order of largest evidence; of several, as on a plateau, the lowest."""
        least = self.log_evidence.max() - FLAT
        return min(order for order, value in zip(self.orders, self.log_evidence, strict=True) if value >= least)

    @property
    def posterior(self) -> Categorical:
        """The belief about the order, when all were equally probable before."""
        return Categorical(np.exp(log_normalise(self.log_evidence)[0]), states=list(self.orders))

    def __repr__(self) -> str:
        columns = (self.log_evidence, self.posterior.probs, self.effective, self.noise)
        rows = [[f"{cell:.4g}" for cell in row] for row in zip(*columns, strict=True)]
        lines = [[str(order), *row] for order, row in zip(self.orders, rows, strict=True)]
        head = ["order", "log evidence", "probability", "weights", "noise"]
        return aligned([head, *lines], right=[False, True, True, True, True])


def evidence_by_order(
    x: ArrayLike,
    y: ArrayLike,
    orders: Iterable[int] = range(11),
    *,
    prior: Literal["shared", "each"] = "shared",
    alpha: float | None = None,
    beta: float | None = None,
    basis: Callable[[int], Any] = PolynomialBasis,
    fit_intercept: bool = True,
) -> EvidenceByOrder:
    """The log evidence of models of several orders for the same data: by default of polynomials of each degree.

    With one prior for all weights the evidence rises until the order can explain the data and then falls, because a
    larger model spreads its bets over more data sets (Occam's hill). With a learnt prior for ``each`` weight, those
    that are not needed are switched off, so a larger model loses nothing and the evidence levels off (Occam's
    asymptote).

    ``alpha``, ``beta`` and ``fit_intercept`` are those of ``BayesianRegression``; order 0 is its intercept alone.
    ``basis(order)`` is a basis, as that estimator takes it; x should be of a size near one for powers. For a constant
    that has a prior like the other weights, take ``basis=lambda k: PolynomialBasis(k, constant=True)`` and
    ``fit_intercept=False``.

    >>> x = np.linspace(-1, 1, 60)
    >>> y = x - 2 * x**3 + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> hill, asymptote = evidence_by_order(x, y), evidence_by_order(x, y, prior="each")
    >>> hill.log_evidence.round(1)[[1, 3, 10]], asymptote.log_evidence.round(1)[[1, 3, 10]]
    (array([-27.2,  48.5,  43.7]), array([-27.2,  52.4,  52.4]))
    """
    rows, targets = _rows(x), checks.floats("y", y, ndim=1)
    checks.rows_match("x", len(rows), "y", len(targets))
    checks.choice("prior", prior, ("shared", "each"))
    checks.choice("fit_intercept", fit_intercept, (True, False))
    asked = checks.unique("orders", (checks.count("orders", order) for order in orders))
    if not asked or len(rows) < 2:
        raise InvalidInput(f"evidence is weighed for at least one order and two rows; got {asked} and {len(rows)} rows")
    strength = None if alpha is None else checks.positive("alpha", alpha, ndim=0)
    noise = None if beta is None else float(checks.positive("beta", beta, ndim=0))
    found: list[Precisions] = []
    before, ratios = np.empty((len(rows), 0)), np.empty(0)
    for order in asked:
        columns = before[:, :0] if order == 0 and fit_intercept else _columns(basis(order), rows)
        some = columns if columns.shape[1] else np.zeros((len(rows), 1))
        axes = factor_rows(some, targets, None, centred=bool(fit_intercept))
        # A model that holds the one before may start where that one ended, so that it never ends below it.
        wider = columns.shape[1] - before.shape[1]
        nested = wider >= 0 and np.array_equal(columns[:, : before.shape[1]], before)
        starts = [np.append(ratios, np.full(wider, np.inf))] if nested and wider else []
        learnt = find_precisions(
            axes, strength, noise, intercept=bool(fit_intercept), each=prior == "each", starts=starts
        )
        found.append(learnt)
        before, ratios = columns, np.broadcast_to(learnt.alpha, some.shape[1])[: columns.shape[1]] / learnt.beta
    return EvidenceByOrder(
        asked,
        np.array([one.log_evidence for one in found]),
        np.array([one.effective for one in found]),
        np.array([one.beta**-0.5 for one in found]),
        prior,
    )


def _rows(x: ArrayLike) -> Floats:
    rows = checks.floats("x", x)
    if rows.ndim not in {1, 2}:
        raise BadShape(f"x must be a list of numbers or a table of rows and columns; got shape {rows.shape}")
    return rows[:, None] if rows.ndim == 1 else rows


def _columns(basis: Any, rows: Floats) -> Floats:
    return expand(begin(basis, rows), rows)
