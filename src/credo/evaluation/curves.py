"""Curves over all thresholds: what a score is worth before anyone has decided where to cut it.

Every curve is a frozen record of arrays, one entry a point, with the area that sums it up; ``to_dict`` gives plain
lists. Rows that share a score are cut off together, so ties cost nothing and gain nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from credo import checks
from credo.checks import Floats
from credo.evaluation.delong import auc_interval, one_class
from credo.evaluation.intervals import Interval, clopper_pearson, undefined
from credo.evaluation.reading import scored

__all__ = ["CostCurve", "PrecisionRecallCurve", "RocCurve", "cost_curve", "precision_recall_curve", "roc_curve"]


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """Recall against the false positive rate, from (0, 0) where nothing is taken for positive to (1, 1).

    ``thresholds`` are the scores from which a row is taken for positive, falling from infinity. ``area`` is the chance
    that a positive row scores above a negative one, with DeLong's interval.

    >>> curve = roc_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.false_positive_rate.tolist(), curve.true_positive_rate.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> curve
    RocCurve(5 points, area 0.750 (0.057 to 1.000))
    """

    false_positive_rate: Floats
    true_positive_rate: Floats
    thresholds: Floats
    area: Interval

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain lists."""
        return _plain(self)

    def __repr__(self) -> str:
        return f"RocCurve({len(self.thresholds)} points, area {self.area})"


def roc_curve(scores: ArrayLike, positive: ArrayLike, *, level: float = 0.95) -> RocCurve:
    """The ROC curve; points on a straight line between others are left out. Empty, with the reason, for one class.

    >>> roc_curve([0.2, 0.7], [1, 1])
    RocCurve(0 points, area undefined: no row is negative)
    """
    from sklearn import metrics

    held, hit = scored("scores", scores, positive)
    area = auc_interval(held, hit, level=level)
    if one_class(hit):
        return RocCurve(np.empty(0), np.empty(0), np.empty(0), area)
    finite, back = _ranked(held)
    wrongly, rightly, cuts = metrics.roc_curve(hit, finite)
    return RocCurve(wrongly, rightly, np.append(np.inf, back(cuts[1:])), area)


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve:
    """Precision against recall; ``thresholds`` fall, so recall rises from the first entry to the last.

    ``area`` is the average precision Σ (Rᵢ − Rᵢ₋₁) Pᵢ, which does not interpolate between points, with an interval
    that is normal on the log odds for as many rows as are positive (Boyd, Eng and Page 2013). A score that knows
    nothing has an area of ``prevalence``.

    >>> curve = precision_recall_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.recall.tolist(), curve.precision.round(3).tolist()
    ([0.5, 0.5, 1.0, 1.0], [1.0, 0.5, 0.667, 0.5])
    >>> curve
    PrecisionRecallCurve(4 points, area 0.833 (0.108 to 0.995), prevalence 0.5)
    """

    recall: Floats
    precision: Floats
    thresholds: Floats
    area: Interval
    prevalence: float

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain lists."""
        return _plain(self)

    def __repr__(self) -> str:
        points = len(self.thresholds)
        return f"PrecisionRecallCurve({points} points, area {self.area}, prevalence {self.prevalence:.3g})"


def precision_recall_curve(scores: ArrayLike, positive: ArrayLike, *, level: float = 0.95) -> PrecisionRecallCurve:
    """The precision–recall curve, a point for each different score. Empty, with the reason, without positive rows.

    >>> precision_recall_curve([0.2, 0.7], [0, 0])
    PrecisionRecallCurve(0 points, area undefined: no row is positive, prevalence 0)
    """
    from sklearn import metrics

    level = checks.level("level", level)
    held, hit = scored("scores", scores, positive)
    positives = int(hit.sum())
    if not positives:
        why = "no row is positive" if len(hit) else "there are no rows"
        return PrecisionRecallCurve(
            np.empty(0), np.empty(0), np.empty(0), undefined(why, level=level), 0.0 if len(hit) else math.nan
        )
    finite, back = _ranked(held)
    precision, recall, cuts = metrics.precision_recall_curve(hit, finite)
    # scikit-learn ends the curve with a point of no rows, whose precision would be 0/0.
    precision, recall = precision[-2::-1], recall[-2::-1]
    average = min(float(np.diff(recall, prepend=0.0) @ precision), 1.0)
    return PrecisionRecallCurve(
        recall, precision, back(cuts[::-1]), _average_interval(average, positives, level), positives / len(hit)
    )


@dataclass(frozen=True, slots=True, eq=False)
class CostCurve:
    """The least cost of any threshold, for every balance of classes and costs (Drummond and Holte 2006).

    ``probability_cost`` is P(+) C(miss) / (P(+) C(miss) + P(−) C(false alarm)): how much a miss weighs against a false
    alarm. ``cost`` is that of the best threshold there as a share of the worst there can be: straight lines between the
    points, each with its own of the ``thresholds``. ``area`` is the mean cost over all balances; deciding without
    looking costs min(p, 1 − p), a quarter on average. Thresholds are chosen on the same rows, so the curve is the best
    that could be had, not what will be.

    >>> curve = cost_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.probability_cost.round(3).tolist(), curve.cost.round(3).tolist(), curve.thresholds.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.0], [0.8, 0.35])
    >>> curve
    CostCurve(3 points, area 0.125 (0.000 to 0.250))
    """

    probability_cost: Floats
    cost: Floats
    thresholds: Floats
    area: Interval

    @property
    def trivial(self) -> Floats:
        """What it costs at the same points to take all rows for one class."""
        return np.minimum(self.probability_cost, 1 - self.probability_cost)

    def at(self, probability_cost: ArrayLike) -> Floats:
        """The least cost at any balance.

        >>> cost_curve([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]).at([0.2, 0.9]).round(3)
        array([0.1 , 0.05])
        """
        asked = checks.probabilities("probability_cost", probability_cost, axis=None)
        if not len(self.cost):
            return np.full(asked.shape, np.nan)
        return np.asarray(np.interp(asked, self.probability_cost, self.cost))

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain lists."""
        return _plain(self)

    def __repr__(self) -> str:
        return f"CostCurve({len(self.cost)} points, area {self.area})"


def cost_curve(scores: ArrayLike, positive: ArrayLike, *, level: float = 0.95) -> CostCurve:
    """The cost curve, the lower envelope of one line for each threshold. Empty, with the reason, for one class.

    >>> cost_curve([0.2, 0.7], [0, 0])
    CostCurve(0 points, area undefined: no row is positive)
    """
    from scipy.optimize import isotonic_regression

    level = checks.level("level", level)
    held, hit = scored("scores", scores, positive)
    why = one_class(hit)
    if why:
        return CostCurve(np.empty(0), np.empty(0), np.empty(0), undefined(why, level=level))
    cuts, place, sizes = np.unique(-held, return_inverse=True, return_counts=True)
    hits = np.bincount(place, weights=hit)
    # The thresholds that are best somewhere are the corners of the ROC curve's hull, which isotonic regression finds.
    blocks = isotonic_regression(hits / sizes, weights=sizes, increasing=False).blocks
    rightly = np.add.reduceat(hits, blocks[:-1]) / hit.sum()
    wrongly = np.add.reduceat(sizes - hits, blocks[:-1]) / (~hit).sum()
    turns = wrongly / (wrongly + rightly)
    recall, alarms = (np.concatenate([[0.0], np.cumsum(part)]) for part in (rightly, wrongly))
    points = np.concatenate([[0.0], turns, [1.0]])
    used = np.diff(points) > 0
    cost = (1 - recall) * points[:-1] + alarms * (1 - points[:-1])
    thresholds = np.concatenate([[np.inf], -cuts[blocks[1:] - 1]])
    # A row is taken for positive from the turn of its block on: until then it costs p if positive, from there 1 − p.
    turn = turns[np.searchsorted(blocks, place, side="right") - 1]
    paid = np.where(hit, turn, 1 - turn) ** 2 / 2
    area = _two_means(paid[hit], paid[~hit], level)
    return CostCurve(np.append(points[:-1][used], 1.0), np.append(cost[used], 0.0), thresholds[used], area)


def _two_means(one: Floats, other: Floats, level: float) -> Interval:
    """The sum of two means of different rows."""
    total = float(one.mean() + other.mean())
    if len(one) < 2 or len(other) < 2:
        return Interval(total, -math.inf, math.inf, level, "none", "a class has a single row")
    sd = math.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other))
    if not sd:
        return Interval(total, -math.inf, math.inf, level, "none", "all rows of a class cost the same")
    half = float(ndtri(0.5 + level / 2)) * sd
    return Interval(total, max(total - half, 0.0), min(total + half, 0.25), level, "normal on the mean over rows")


def _average_interval(average: float, positives: int, level: float) -> Interval:
    if average == 1:
        exact = clopper_pearson(positives, positives, level=level)
        why = "the log odds of 1 are infinite, so the exact interval of as many hits as positives stands in"
        return Interval(average, exact.low, exact.high, level, exact.method, why)
    spread = float(ndtri(0.5 + level / 2)) / math.sqrt(positives * average * (1 - average))
    low, high = expit(logit(average) + np.array([-spread, spread]))
    return Interval(average, float(low), float(high), level, "normal on the log odds (Boyd)")


def _ranked(scores: Floats) -> tuple[Floats, Any]:
    """Scores that scikit-learn takes, and the way back: itself, or ranks where some score is infinite."""
    if np.isfinite(scores).all():
        return scores, np.asarray
    values, codes = np.unique(scores, return_inverse=True)
    return codes.astype(np.float64), lambda cuts: values[cuts.astype(np.intp)]


def _plain(curve: Any) -> dict[str, Any]:
    held: dict[str, Any] = checks.plain_json(curve)
    return held
