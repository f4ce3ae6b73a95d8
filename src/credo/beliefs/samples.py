"""The law of a set of draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.base import Belief, text
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput

__all__ = ["Samples"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Samples(Belief):
    """The law that gives each of a set of draws its weight: what a sampler returns.

    ``values`` has shape (draws,), or (draws, n) for a batch of n; ``weights`` (draws,), equal if not given. One draw of
    ``sample`` takes a whole draw of ``values``, so rows that were drawn together stay together. A quantile is one of
    the values. There is no density: ``log_prob``, ``mode``, ``entropy`` and ``kl`` are refused.

    >>> belief = Samples([3, 1, 2, 4])
    >>> float(belief.mean), float(belief.quantile(0.5))
    (2.5, 2.0)
    """

    values: Floats
    weights: Floats | None

    discrete = True

    def __init__(self, values: ArrayLike, weights: ArrayLike | None = None) -> None:
        values = checks.floats("values", values)
        if values.ndim not in {1, 2} or not len(values):
            raise BadShape(f"values must hold draws, as (draws,) or (draws, rows); got shape {values.shape}")
        self._keep(values=values.copy(), weights=None)
        if weights is None:
            return
        weights = checks.positive("weights", weights, zero=True)
        if weights.shape != values.shape[:1]:
            raise BadShape(f"weights must hold one number for each of {len(values)} draws; got shape {weights.shape}")
        if not weights.any():
            raise BadParameter("weights must not all be zero")
        self._keep(weights=weights / weights.sum())

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """``()`` for one law, ``(n,)`` for a batch of n."""
        return self.values.shape[1:]

    @property
    def mean(self) -> Floats:
        """The weighted mean of the values."""
        return self._average(self.values)

    @property
    def var(self) -> Floats:
        """The weighted mean of the squared distance from the mean."""
        return self._average(np.square(self.values - self.mean))

    @property
    def mode(self) -> Floats:
        """Refused: draws do not say where their density is highest."""
        raise self._refusal()

    def entropy(self) -> Floats:
        """Refused: draws have no density."""
        raise self._refusal()

    def _log_prob(self, x: Floats) -> Floats:  # noqa: ARG002
        raise self._refusal()

    def _components(self) -> list[tuple[Any, Belief]]:
        raise self._refusal()

    def _refusal(self) -> InvalidInput:
        return InvalidInput(
            "draws have no density; fit a law to them, such as Normal(draws.mean, draws.sd), and ask that"
        )

    def _average(self, values: Floats) -> Floats:
        average: Floats = values.mean(axis=0) if self.weights is None else self.weights @ values
        return average

    def _cdf(self, x: Floats) -> Floats:
        return self._looked_up(x, lambda x, values, cumulative: cumulative[np.searchsorted(values, x, side="right")])

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        return self._looked_up(
            below, lambda q, values, cumulative: values[np.maximum(np.searchsorted(cumulative, q), 1) - 1]
        )

    def _looked_up(self, x: Floats, find: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
        """What is found for x, row by row, among the values in rising order and the probability before each."""
        ordered, cumulative = self._ordered()
        points = x if self.batch_shape and x.ndim else x[..., None]
        columns = np.broadcast_to(points, (*points.shape[:-1], ordered.shape[1]))
        found = np.empty_like(columns)
        for j in range(ordered.shape[1]):
            found[..., j] = find(columns[..., j], ordered[:, j], cumulative[:, j])
        return found if self.batch_shape else found[..., 0]

    def _ordered(self) -> tuple[Floats, Floats]:
        """The values that have weight in rising order, (draws, rows), and the probability up to each of them."""
        values = self.values.reshape(len(self.values), -1)
        weights = np.full(len(values), 1 / len(values)) if self.weights is None else self.weights
        values, weights = values[weights > 0], weights[weights > 0]
        order = np.argsort(values, axis=0, kind="stable")
        cumulative = np.cumsum(weights[order], axis=0)
        cumulative[-1] = 1.0  # rounding must not leave the last draw short of it
        return np.take_along_axis(values, order, axis=0), np.concatenate([np.zeros_like(cumulative[:1]), cumulative])

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.values[rng.choice(len(self.values), size=n, p=self.weights)]

    def _take(self, rows: Any) -> Self:
        values: NDArray[Any] = self.values[:, rows]
        return self._copy({"values": values})

    def __repr__(self) -> str:
        weighted = "" if self.weights is None else ", weighted"
        rows = f" × {len(self)} rows" if self.batch_shape else ""
        return f"Samples({len(self.values)} draws{weighted}, mean={text(self.mean)}, sd={text(self.sd)}){rows}"
