"""The area under the ROC curve and how sure it is, by DeLong's method.

The area is the mean of ψ(x, y) over all pairs of a positive and a negative row: 1 if the positive one scores higher, ½
for a tie. Its variance is that of the row means of ψ, over the positives and over the negatives (DeLong, DeLong and
Clarke-Pearson 1988). The row means follow from one sort, so nothing grows with the number of pairs (Sun and Xu 2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from credo import checks
from credo.checks import Floats
from credo.evaluation.intervals import Interval, undefined
from credo.evaluation.reading import rows_of_classes, scored

__all__ = ["AucDifference", "auc", "auc_difference", "auc_interval", "hand_till"]

ROUNDING = 1e-12  # half a width below this is none


@dataclass(frozen=True, slots=True)
class AucDifference:
    """Two areas on the same rows, their difference, and the probability that it is above zero.

    >>> found = auc_difference([1, 2, 3, 4, 5], [2, 1, 5, 3, 4], [0, 0, 1, 0, 1])
    >>> print(found.first, "|", found.second)
    0.833 (0.371 to 1.000) | 1.000 (0.439 to 1.000)
    >>> round(found.above_zero, 3)
    0.24
    """

    first: Interval
    second: Interval
    difference: Interval
    above_zero: float

    @property
    def p_value(self) -> float:
        """How often a difference as large as this is seen where there is none, two-sided."""
        return 2 * min(self.above_zero, 1 - self.above_zero)


def auc(scores: ArrayLike, positive: ArrayLike) -> float:
    """How often a random positive row scores above a random negative one; a tie counts half. NaN without both.

    >>> auc([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    0.75
    """
    held, hit = scored("scores", scores, positive)
    if one_class(hit):
        return math.nan
    return float(_shares(held, hit)[0].mean())


def auc_interval(scores: ArrayLike, positive: ArrayLike, *, level: float = 0.95) -> Interval:
    """The area under the ROC curve with DeLong's interval, cut at 0 and 1.

    Where no pair is out of order, or all are, DeLong's variance is zero; Newcombe's score interval (2006) stands in.

    >>> print(auc_interval([0.1, 0.4, 0.35, 0.8, 0.7], [0, 0, 1, 1, 1]))
    0.833 (0.371 to 1.000)
    """
    level = checks.level("level", level)
    held, hit = scored("scores", scores, positive)
    why = one_class(hit)
    if why:
        return undefined(why, level=level)
    over, under = _shares(held, hit)
    return _interval(float(over.mean()), _variance(over, over, under, under), len(over), len(under), level)


def auc_difference(first: ArrayLike, second: ArrayLike, positive: ArrayLike, *, level: float = 0.95) -> AucDifference:
    """The area of ``first`` less that of ``second``, two scores of the same rows, which vary together.

    >>> print(auc_difference([1, 2, 3, 4, 5], [2, 1, 5, 3, 4], [0, 0, 1, 0, 1]).difference)
    -0.167 (-0.629 to 0.295)
    """
    level = checks.level("level", level)
    one, hit = scored("first", first, positive)
    other, _ = scored("second", second, positive)
    why = one_class(hit)
    if why:
        nothing = undefined(why, level=level)
        return AucDifference(nothing, nothing, nothing, math.nan)
    over, under = _shares(one, hit)
    other_over, other_under = _shares(other, hit)
    n, m = len(over), len(under)
    mine, theirs = _variance(over, over, under, under), _variance(other_over, other_over, other_under, other_under)
    areas = float(over.mean()), float(other_over.mean())
    gap = areas[0] - areas[1]
    # Of the differences row by row, so that what both share cancels before it is squared.
    sd = math.sqrt(_variance(over - other_over, over - other_over, under - other_under, under - other_under))
    half = float(ndtri(0.5 + level / 2)) * sd
    if sd > 0:
        difference = Interval(gap, max(gap - half, -1.0), min(gap + half, 1.0), level, "DeLong")
        above = float(ndtr(gap / sd))
    else:
        why = "both order the rows alike, or perfectly, so that the variance of the difference is zero"
        difference = Interval(gap, -math.inf, math.inf, level, "none", why)
        above = 0.5 + 0.5 * float(np.sign(gap))
    return AucDifference(
        _interval(areas[0], mine, n, m, level), _interval(areas[1], theirs, n, m, level), difference, above
    )


def hand_till(probabilities: ArrayLike, truth: ArrayLike, *, level: float = 0.95) -> Interval:
    """The area for many classes: how well every class is told from every other, by its own probability, on average.

    M = mean over pairs i ≠ j of P(pᵢ is higher for a row of class i than for one of class j), which does not depend on
    how frequent the classes are (Hand and Till 2001). ``truth`` holds the column that came true. The interval is
    DeLong's: what a row does to all its pairs is added up before it is squared.

    >>> p = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]
    >>> print(hand_till(p, [0, 0, 1, 1, 2, 2]))
    0.917 (0.708 to 1.000)
    """
    level = checks.level("level", level)
    given, codes = rows_of_classes(probabilities, truth)
    k = given.shape[1]
    rows = [np.flatnonzero(codes == i) for i in range(k)]
    small = [i for i in range(k) if len(rows[i]) < 2]
    if small or k < 2:
        return undefined(f"column {small[0]} came true in fewer than two rows" if small else "one class", level=level)
    # Rows of other classes count by the size of theirs, so that one sort of all rows serves every pair of a class.
    weights = 1 / np.bincount(codes, minlength=k)[codes]
    moved, areas = np.zeros(len(codes)), []
    for i in range(k):
        mine = codes == i
        over, under = _shares(given[:, i], mine, weights)
        moved[mine] += over
        moved[~mine] += under / (k - 1)
        areas.append(float(over.mean()))
    variance = sum(float(moved[held].var(ddof=1)) / len(held) for held in rows) / k**2
    area, half = math.fsum(areas) / k, float(ndtri(0.5 + level / 2)) * math.sqrt(variance)
    if half < ROUNDING:
        return Interval(area, -math.inf, math.inf, level, "none", "DeLong's variance is zero")
    return Interval(area, max(area - half, 0.0), min(area + half, 1.0), level, "DeLong")


def one_class(hit: NDArray[np.bool_]) -> str:
    """Why there is no curve, if all rows are alike; otherwise nothing.

    >>> one_class(np.array([True, True]))
    'no row is negative'
    """
    if not len(hit):
        return "there are no rows"
    return "no row is positive" if not hit.any() else "no row is negative" if hit.all() else ""


def _shares(scores: Floats, hit: NDArray[np.bool_], weights: Floats | None = None) -> tuple[Floats, Floats]:
    """For every positive row the share of negatives below it, for every negative the share of positives above it.

    With ``weights`` a negative row counts by its own.
    """
    order = np.argsort(scores)
    ordered = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sizes = np.diff(starts, append=len(ordered))
    hits = np.add.reduceat(hit[order], starts, dtype=np.float64)
    misses = sizes - hits if weights is None else np.add.reduceat(np.where(hit, 0.0, weights)[order], starts)
    # Of the rows with the same score half count as below, half as above.
    below = (np.cumsum(misses) - misses / 2) / misses.sum()
    above = 1 - (np.cumsum(hits) - hits / 2) / hits.sum()
    group = np.empty(len(scores), dtype=np.intp)
    group[order] = np.repeat(np.arange(len(starts)), sizes)
    return below[group[hit]], above[group[~hit]]


def _variance(over: Floats, other_over: Floats, under: Floats, other_under: Floats) -> float:
    """The covariance of two areas from the row means of their pairs; a single row of a class adds nothing."""
    return sum(
        float((a - a.mean()) @ (b - b.mean())) / (len(a) - 1) / len(a)
        for a, b in ((over, other_over), (under, other_under))
        if len(a) > 1
    )


def _interval(area: float, variance: float, n: int, m: int, level: float) -> Interval:
    z = float(ndtri(0.5 + level / 2))
    if n > 1 and m > 1 and variance > 0:
        half = z * math.sqrt(variance)
        return Interval(area, max(area - half, 0.0), min(area + half, 1.0), level, "DeLong")
    why = "DeLong's variance is zero" if n > 1 and m > 1 else "a class has a single row"
    low = 0.0 if area == 0 else _score_end(area, n, m, z, 0.0)
    high = 1.0 if area == 1 else _score_end(area, n, m, z, 1.0)
    return Interval(area, low, high, level, "Newcombe", f"{why}, so Newcombe's interval stands in")


def _score_end(area: float, n: int, m: int, z: float, far: float) -> float:
    """The A between ``area`` and ``far`` at which |area − A| = z √V(A), with Hanley and McNeil's variance V."""

    def excess(a: float) -> float:
        pairs = (n + m) / 2 - 1
        variance = a * (1 - a) * (1 + pairs * ((1 - a) / (2 - a) + a / (1 + a))) / (n * m)
        return (area - a) ** 2 - z * z * variance

    # At ``area`` itself the excess is below zero (or zero where area is 0 or 1), at the far end above it.
    near = area + (far - area) * 1e-12
    return float(brentq(excess, near, far, xtol=1e-12))
