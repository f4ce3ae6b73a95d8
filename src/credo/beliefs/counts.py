"""How often each combination of states was seen, and whether it looks as if variables depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.axes import Axes, Names
from credo.beliefs.information import product_of_margins
from credo.beliefs.joint import JointTable
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import InvalidInput

__all__ = ["CountTable", "IndependenceTest"]


@dataclass(frozen=True, slots=True)
class IndependenceTest:
    """What a test of independence found: a small ``p_value`` speaks against independence.

    ``dof`` is zero when the counts leave nothing to test; the p value is then one.

    >>> CountTable(["a", "b"], [["x", "y"], ["u", "v"]], [[10, 20], [20, 10]]).chi2_test("a", "b").dof
    1
    """

    statistic: float
    dof: int
    p_value: float


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class CountTable:
    """Counts (or weights) with one axis for each name: the sufficient statistics of a table of categories.

    >>> counts = CountTable(["coat", "accident"], [["on", "off"], ["yes", "no"]], [[30, 70], [10, 90]])
    >>> round(counts.g_test("coat", "accident").p_value, 5)
    0.00032
    >>> counts.joint().given({"coat": "on"}).belief("accident")
    Categorical({'yes': 0.3, 'no': 0.7})
    """

    names: tuple[str, ...]
    states: tuple[States, ...]
    counts: NDArray[np.number[Any]]

    def __init__(self, names: Iterable[str], states: Iterable[Iterable[Hashable]], counts: ArrayLike) -> None:
        axes = Axes.of(names, states)
        whole = _whole(counts)
        table = whole if whole is not None else checks.positive("counts", counts, zero=True).copy()
        axes.check("counts", table)
        table.flags.writeable = False
        object.__setattr__(self, "names", axes.names)
        object.__setattr__(self, "states", axes.states)
        object.__setattr__(self, "counts", table)

    @property
    def axes(self) -> Axes:
        """The names and their states together."""
        return Axes(self.names, self.states)

    @property
    def total(self) -> float:
        """How many rows (or how much weight) were counted."""
        total: float = self.counts.sum().item()
        return total

    def marginal(self, names: Names) -> CountTable:
        """The counts of ``names`` alone."""
        axes = self.axes.only(names)
        return CountTable(axes.names, axes.states, self.axes.margin(self.counts, axes.names))

    def joint(self, *, pseudocount: float = 0.0) -> JointTable:
        """The joint distribution (count + pseudocount) / (sum of these): relative frequencies, or smoothed ones.

        >>> CountTable(["coin"], [["H", "T"]], [0, 2]).joint(pseudocount=0.5).belief("coin")
        Categorical({'H': 0.1667, 'T': 0.8333})
        """
        weights = self.counts + float(checks.positive("pseudocount", pseudocount, zero=True, ndim=0))
        if weights.sum() == 0:
            raise InvalidInput("nothing was counted, so that there are no frequencies; give a pseudocount above zero")
        return JointTable(self.names, self.states, weights / weights.sum())

    def g_test(self, a: Names, b: Names, *, given: Names = ()) -> IndependenceTest:
        """Test that ``a`` and ``b`` are independent given ``given``: G = 2 Σ observed · log(observed / expected).

        G is 2n times their empirical mutual information in nats. The statistic is summed over the states of ``given``.
        """
        observed, expected = self._observed_and_expected(a, b, given)
        return verdict(2 * float(scipy.special.rel_entr(observed, expected).sum()), observed)

    def chi2_test(self, a: Names, b: Names, *, given: Names = ()) -> IndependenceTest:
        """Test that ``a`` and ``b`` are independent given ``given``: X² = Σ (observed − expected)² / expected."""
        observed, expected = self._observed_and_expected(a, b, given)
        terms = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
        return verdict(float(terms.sum()), observed)

    def __repr__(self) -> str:
        return self.axes.text(self.counts, self._form)

    def _repr_html_(self) -> str:
        return self.axes.html(self.counts, self._form)

    @property
    def _form(self) -> Callable[[Any], str]:
        return "{:,}".format if self.counts.dtype.kind == "i" else "{:,.6g}".format

    def _observed_and_expected(self, a: Names, b: Names, given: Names) -> tuple[Floats, Floats]:
        observed = self.axes.groups(self.counts, a, b, given).astype(np.float64)
        return observed, product_of_margins(observed)


def verdict(statistic: float, observed: Floats) -> IndependenceTest:
    """The test of a statistic; rows and columns that are empty in a stratum are no degrees of freedom."""
    rows = (observed.sum(axis=2) > 0).sum(axis=1)
    columns = (observed.sum(axis=1) > 0).sum(axis=1)
    dof = int((np.maximum(rows - 1, 0) * np.maximum(columns - 1, 0)).sum())
    statistic = max(statistic, 0.0)  # rounding can leave it a hair below zero
    return IndependenceTest(statistic, dof, float(scipy.special.chdtrc(dof, statistic)) if dof else 1.0)


def _whole(counts: ArrayLike) -> NDArray[np.int64] | None:
    """``counts`` as whole numbers, if they are and none is negative: a table may be large, so without more passes."""
    try:
        whole = np.asarray(counts)
    except ValueError:  # ragged: what is said of numbers fits
        return None
    if not np.can_cast(whole.dtype, np.int64) or not whole.size or whole.min() < 0:
        return None
    return whole.astype(np.int64)
