"""Two classifiers that have been learnt: right or wrong on the same test rows, or on rows of their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betainccinv, betaincinv, chdtrc, ndtr, ndtri

from credo import checks
from credo.checks import Floats
from credo.evaluation.comparing.verdict import NAMES, Significance, Verdict, pair_of_names, tolerance
from credo.evaluation.intervals import Interval, wilson
from credo.evaluation.reading import classes

__all__ = ["IndependentOutcomes", "PairedOutcomes"]

Bounds = Literal["score", "normal"]
EQUAL = "the two err equally often"
ROWS = "the rows are drawn independently from those that count"


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """How many rows of one test set both classifiers had right, only the first, only the second, or neither.

    >>> c = PairedOutcomes(both=101, only_first=121, only_second=59, neither=33)
    >>> print(c.mcnemar())
    McNemar, exact = 59, p = 4.4e-06 (the two err equally often,
    if the rows are drawn independently from those that count)
    >>> print(c.verdict(names=("A", "B"), rope=0.01))
    A is better than B with probability > 0.999, practically equivalent (within ±0.01) with < 0.001, worse with < 0.001;
    A − B is -0.197 (-0.276 to -0.115) in error rate
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    def __post_init__(self) -> None:
        for name in self.__slots__:
            checks.count(name, getattr(self, name))
        checks.count("the number of rows", self.rows, least=1)

    @classmethod
    def of(cls, truth: ArrayLike, first: ArrayLike, second: ArrayLike) -> Self:
        """Counted from what was true and what each classifier answered, a row each.

        >>> PairedOutcomes.of(["a", "a", "b"], ["a", "b", "b"], ["a", "a", "a"])
        PairedOutcomes(both=1, only_first=1, only_second=1, neither=0)
        """
        held, one, other = (
            np.array(classes(name, value), dtype=object)
            for name, value in (("truth", truth), ("first", first), ("second", second))
        )
        for name, answers in (("first", one), ("second", other)):
            checks.rows_match("truth", len(held), name, len(answers))
        right, also = one == held, other == held
        return cls(*(int(part.sum()) for part in (right & also, right & ~also, ~right & also, ~right & ~also)))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float:
        """The error rate of the first minus that of the second."""
        return (self.only_second - self.only_first) / self.rows

    def interval(self, *, level: float = 0.95, method: Bounds = "score") -> Interval:
        """The difference of the error rates with its interval.

        "normal" is the textbook's, d ± z √((b + c − (b − c)²/n))/n with b and c the rows on which only one is right;
        "score" joins the Wilson intervals of the two rates (Newcombe 1998, method 10), and is right for few rows too.

        >>> print(PairedOutcomes(20, 12, 2, 16).interval(), PairedOutcomes(20, 12, 2, 16).interval(method="normal"))
        -0.200 (-0.329 to -0.056) -0.200 (-0.336 to -0.064)
        """
        checks.choice("method", method, ("score", "normal"))
        if method == "normal":
            half = float(ndtri(0.5 + checks.level("level", level) / 2)) * self._deviation
            d = self.difference
            return Interval(d, max(d - half, -1.0), min(d + half, 1.0), level, "normal, paired rows")
        one = wilson(self.only_second + self.neither, self.rows, level=level)
        other = wilson(self.only_first + self.neither, self.rows, level=level)
        return _joined(one, other, self._correlation, "score, paired rows (Newcombe)")

    def one_sided(self) -> Significance:
        """How probable so large a difference would be in the direction seen, by a normal law, if there were none.

        ``P(D > |d|) = 1 − Φ(|d|/σ)``, with σ the standard deviation of the difference over paired rows.

        >>> round(PairedOutcomes(101, 121, 59, 33).one_sided().statistic, 2)
        4.79
        """
        return _one_sided(self.difference, self._deviation, "paired rows")

    def mcnemar(self, method: Literal["exact", "chi2", "corrected"] = "exact") -> Significance:
        """McNemar's test: do rows on which only one is right go either way equally often?

        With b and c such rows "exact" counts tails of a fair coin thrown b + c times, "chi2" is (b − c)²/(b + c) on one
        degree of freedom, "corrected" (|b − c| − 1)²/(b + c).

        >>> test = PairedOutcomes(101, 121, 59, 33).mcnemar("corrected")
        >>> round(test.statistic, 4), test.p
        (20.6722, 5.45...e-06)
        """
        checks.choice("method", method, ("exact", "chi2", "corrected"))
        b, c = self.only_first, self.only_second
        if method == "exact":
            fewer = min(b, c)
            tail = float(betainc(max(b, c), fewer + 1, 0.5)) if b + c else 1.0
            return Significance("McNemar, exact", fewer, min(1.0, 2 * tail), EQUAL, ROWS)
        name = "McNemar χ²" if method == "chi2" else "McNemar χ², continuity corrected"
        assumes = f"{ROWS}, and there are some 25 or more on which only one is right"
        if b + c == 0:
            return Significance(
                name, math.nan, math.nan, EQUAL, assumes, missing="there is no row with one of them right"
            )
        gap = abs(b - c) if method == "chi2" else max(abs(b - c) - 1, 0)
        return Significance(name, gap**2 / (b + c), float(chdtrc(1, gap**2 / (b + c))), EQUAL, assumes)

    def verdict(
        self, *, rope: float = 0.0, names: Sequence[str] = NAMES, prior: float = 0.5, level: float = 0.95
    ) -> Verdict:
        """The belief about the difference of the error rates, cut at ``±rope``.

        The probabilities of the four outcomes have a Dirichlet law with the counts plus ``prior`` each. The share s of
        rows on which only one is right and the share u of those that the first has right are then independent beta
        laws, and the difference is s (1 − 2u); it is averaged over u without sampling.

        >>> round(PairedOutcomes(50, 6, 2, 42).verdict(rope=0.02).equivalent, 3)
        0.232
        """
        extra = float(checks.positive("prior", prior, ndim=0))
        b, c = self.only_first + extra, self.only_second + extra
        one_right, alike = b + c, self.both + self.neither + 2 * extra
        points, weights = _quantiles(b, c)
        lean = 1 - 2 * points

        def below(d: float) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                limit = np.clip(d / lean, 0.0, 1.0)
            if d >= 0:  # s·lean ≤ d: for certain where lean ≤ 0, else where s ≤ d/lean
                parts = np.where(lean > 0, betainc(one_right, alike, limit), 1.0)
            else:
                parts = np.where(lean < 0, betaincc(one_right, alike, limit), 0.0)
            return float(weights @ parts)

        # Where only the sign is asked for, one beta law has the answer.
        at_zero = float(betaincc(b, c, 0.5))
        return _of_cdf(
            below,
            at_zero,
            self.difference,
            rope=tolerance(rope),
            names=pair_of_names(names),
            level=level,
            words=("Dirichlet posterior of the paired outcomes", ROWS),
            tests=(self.mcnemar(), self.mcnemar("corrected"), self.one_sided()),
        )

    @property
    def _deviation(self) -> float:
        b, c = self.only_first, self.only_second
        return math.sqrt(b + c - (b - c) ** 2 / self.rows) / self.rows

    @property
    def _correlation(self) -> float:
        """Of the two's errors, with Newcombe's correction for continuity where it is positive."""
        a, b, c, d = self.both, self.only_first, self.only_second, self.neither
        scale = math.sqrt(float((a + b) * (c + d)) * float((a + c) * (b + d)))
        product = a * d - b * c
        return (max(product - self.rows / 2, 0.0) if product > 0 else product) / scale if scale else 0.0


@dataclass(frozen=True, slots=True)
class IndependentOutcomes:
    """How many errors two classifiers made, each on a test set of its own.

    >>> c = IndependentOutcomes(errors_first=18, rows_first=100, errors_second=30, rows_second=120)
    >>> print(c.interval(method="normal"))
    -0.070 (-0.178 to 0.038)
    >>> print(c.verdict(names=("A", "B")))
    A is better than B with probability 0.895, worse with 0.105; A − B is -0.070 (-0.176 to 0.040) in error rate
    """

    errors_first: int
    rows_first: int
    errors_second: int
    rows_second: int

    def __post_init__(self) -> None:
        for which in ("first", "second"):
            rows = checks.count(f"rows_{which}", getattr(self, f"rows_{which}"), least=1)
            checks.count(f"errors_{which}", getattr(self, f"errors_{which}"), most=rows)

    @property
    def difference(self) -> float:
        """The error rate of the first minus that of the second."""
        return self.errors_first / self.rows_first - self.errors_second / self.rows_second

    def interval(self, *, level: float = 0.95, method: Bounds = "score") -> Interval:
        """The difference of the error rates with its interval.

        "normal" is the textbook's, d ± z √(e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂); "score" joins the Wilson intervals of the
        two rates (Newcombe 1998), and is right for few rows too.

        >>> print(IndependentOutcomes(0, 10, 5, 10).interval())
        -0.500 (-0.763 to -0.117)
        """
        if checks.choice("method", method, ("score", "normal")) == "normal":
            half = float(ndtri(0.5 + checks.level("level", level) / 2)) * self._deviation
            d = self.difference
            return Interval(d, max(d - half, -1.0), min(d + half, 1.0), level, "normal, independent test sets")
        one = wilson(self.errors_first, self.rows_first, level=level)
        other = wilson(self.errors_second, self.rows_second, level=level)
        return _joined(one, other, 0.0, "score, independent test sets (Newcombe)")

    def one_sided(self) -> Significance:
        """How probable so large a difference would be in the direction seen, by a normal law, if there were none.

        ``P(D > |d|) = 1 − Φ(|d|/σ)`` with σ² = e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂.

        >>> round(IndependentOutcomes(18, 100, 30, 120).one_sided().p, 3)
        0.102
        """
        return _one_sided(self.difference, self._deviation, "independent test sets")

    def verdict(
        self, *, rope: float = 0.0, names: Sequence[str] = NAMES, prior: float = 0.5, level: float = 0.95
    ) -> Verdict:
        """The belief about the difference of the error rates, cut at ``±rope``: two beta laws, ``prior`` each way.

        >>> IndependentOutcomes(5, 10, 5, 10).verdict().first_better
        0.5
        """
        extra = float(checks.positive("prior", prior, ndim=0))
        a, b = self.errors_first + extra, self.rows_first - self.errors_first + extra
        c, d = self.errors_second + extra, self.rows_second - self.errors_second + extra
        points, weights = _quantiles(c, d)

        def below(gap: float) -> float:
            return float(weights @ betainc(a, b, np.clip(points + gap, 0.0, 1.0)))

        return _of_cdf(
            below,
            below(0.0),
            self.difference,
            rope=tolerance(rope),
            names=pair_of_names(names),
            level=level,
            words=("beta posteriors of two error rates", f"{ROWS}, and no row is in both test sets"),
            tests=(self.one_sided(),),
        )

    @property
    def _deviation(self) -> float:
        parts = ((self.errors_first, self.rows_first), (self.errors_second, self.rows_second))
        return math.sqrt(sum(errors / rows * (1 - errors / rows) / rows for errors, rows in parts))


def _of_cdf(
    below: Callable[[float], float],
    at_zero: float,
    difference: float,
    *,
    rope: float,
    names: tuple[str, str],
    level: float,
    words: tuple[str, str],
    tests: tuple[Significance, ...],
) -> Verdict:
    """The verdict of a belief about the difference of two error rates, given as P(difference ≤ d)."""
    first, second = (below(-rope), 1 - below(rope)) if rope else (at_zero, 1 - at_zero)
    half = checks.level("level", level) / 2
    bounds = Interval(difference, _root(below, 0.5 - half), _root(below, 0.5 + half), level, words[0])
    return Verdict(
        *names, first, max(0.0, 1 - first - second), second, bounds, rope, *words, tests=tests, measure="error rate"
    )


def _root(below: Callable[[float], float], q: float) -> float:
    from scipy.optimize import brentq

    return float(brentq(lambda d: below(d) - q, -1.0, 1.0, xtol=1e-9))


def _one_sided(difference: float, deviation: float, rows: str) -> Significance:
    name, assumes = f"one-sided normal, {rows}", f"{ROWS}, and there are more than 30"
    if deviation == 0:
        return Significance(name, math.nan, math.nan, EQUAL, assumes, missing="the difference has no spread")
    z = abs(difference) / deviation
    return Significance(name, z, float(ndtr(-z)), EQUAL, assumes)


def _joined(one: Interval, other: Interval, correlation: float, method: str) -> Interval:
    """The interval of a difference from those of its parts: their arms are added as correlated errors are."""
    d = one.value - other.value

    def arm(mine: float, its: float) -> float:
        return math.sqrt(max(mine**2 - 2 * correlation * mine * its + its**2, 0.0))

    low = d - arm(one.value - one.low, other.high - other.value)
    high = d + arm(one.high - one.value, other.value - other.low)
    return Interval(d, low, high, one.level, method)


def _quantiles(a: float, b: float) -> tuple[Floats, Floats]:
    """Points of a beta law with weights, such that weighted sums are averages over it, far into both tails.

    They are its quantiles at Φ(z) for z evenly spaced, where the trapezium rule is as good as exact.
    """
    z = np.linspace(-8.5, 8.5, 851)
    weights = np.exp(-np.square(z) / 2)
    points = np.where(z < 0, betaincinv(a, b, ndtr(z)), betainccinv(a, b, ndtr(-z)))
    return points, weights / weights.sum()
