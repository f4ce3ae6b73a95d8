"""What refusing to decide buys: the risk that is left when only the rows decided with most confidence are decided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from credo import checks
from credo.checks import Floats
from credo.evaluation.intervals import Interval

__all__ = ["RiskCoverage", "risk_coverage"]


@dataclass(frozen=True, slots=True, eq=False)
class RiskCoverage:
    """The mean loss of the rows that are decided (``risk``), against the share of rows that are (``coverage``).

    Rows are decided from the most confident down, those of equal confidence together; ``confidence`` is that of the
    last row decided. ``area`` is the mean risk over all coverages, ``best`` what it would be if confidence put the
    losses in order, and ``random`` what it would be if confidence said nothing, which is the risk of deciding all.

    >>> curve = risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1])
    >>> curve.coverage.tolist(), curve.risk.round(3).tolist()
    ([0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.333, 0.5])
    >>> curve
    RiskCoverage(4 points, area 0.208 (0.000 to 0.538), best 0.208, random 0.5)
    """

    coverage: Floats
    risk: Floats
    confidence: Floats
    area: Interval
    best: float
    random: float

    @property
    def excess(self) -> float:
        """How far the area is above that of the best order of the same losses."""
        return self.area.value - self.best

    def at(self, coverage: float) -> float:
        """The risk when (at least) this share of the rows is decided.

        >>> risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1]).at(0.5)
        0.0
        """
        wanted = checks.floats("coverage", coverage, ndim=0)
        if not 0 < wanted <= 1:
            return math.nan
        # A share of n rows is only as exact as a float.
        return float(self.risk[np.searchsorted(self.coverage, wanted - 1e-12)])

    def within(self, risk: float) -> tuple[float, float]:
        """The largest share of rows that can be decided at this risk, and the confidence they need; 0 and ∞ if none.

        >>> risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1]).within(0.1)
        (0.5, 0.8)
        """
        good = np.flatnonzero(self.risk <= float(checks.floats("risk", risk, ndim=0)))
        return (float(self.coverage[good[-1]]), float(self.confidence[good[-1]])) if len(good) else (0.0, math.inf)

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain lists."""
        held: dict[str, Any] = checks.plain_json(self)
        return held

    def __repr__(self) -> str:
        points = f"{len(self.coverage)} points, area {self.area}"
        return f"RiskCoverage({points}, best {self.best:.3g}, random {self.random:.3g})"


def risk_coverage(confidence: ArrayLike, losses: ArrayLike, *, level: float = 0.95) -> RiskCoverage:
    """The curve for the reject option: how confident each decision was, and what it cost (0 if right, 1 if wrong).

    Where rows are equally confident, the area is the mean over their orders. Its interval is normal, from what each row
    does to the area.

    >>> risk_coverage([0.9, 0.9, 0.5], [0, 1, 1]).area.value
    0.5555...
    """
    level = checks.level("level", level)
    said, cost = checks.floats("confidence", confidence, ndim=1), checks.floats("losses", losses, ndim=1)
    checks.rows_match("confidence", len(said), "losses", len(cost))
    n = checks.count("the number of rows", len(said), least=1)
    order = np.argsort(-said)
    said, cost = said[order], cost[order]
    last = np.flatnonzero(np.append(said[1:] != said[:-1], True))
    sizes = np.diff(last, prepend=-1)
    totals = np.cumsum(cost)[last]
    random = float(cost.mean())
    # In random order within its group, each row costs what the group costs on average.
    spread = np.repeat(np.diff(totals, prepend=0.0) / sizes, sizes)
    decided = np.arange(1, n + 1)
    area = float((np.cumsum(spread) / decided).mean())
    best = float((np.cumsum(np.sort(cost)) / decided).mean())
    return RiskCoverage(
        (last + 1) / n, totals / (last + 1), said[last], _interval(area, cost, sizes, level), best, random
    )


def _interval(area: float, cost: Floats, sizes: NDArray[np.intp], level: float) -> Interval:
    """The area is the mean of ``loss × w(rank)``, w(r) = Σ 1/k, k from r to n; a row also moves the ranks below."""
    n = len(cost)
    if n == 1:
        return Interval(area, -math.inf, math.inf, level, "none", "one row does not show how much rows differ")
    decided = np.arange(1, n + 1)
    ends = np.cumsum(sizes)
    weight = np.cumsum((1 / decided)[::-1])[::-1]
    mean_weight = np.repeat(np.add.reduceat(weight, ends - sizes) / sizes, sizes)
    # What a row adds by its own loss, and takes away by putting the less confident rows one rank further down.
    pushed = np.cumsum((cost * np.repeat(1 / ends, sizes))[::-1])[::-1]
    below = np.repeat(pushed[ends - sizes], sizes)
    influence = cost * mean_weight - area - below + cost.mean()
    half = float(ndtri(0.5 + level / 2)) * float(influence.std(ddof=1)) / math.sqrt(n)
    low = max(area - half, float(cost.min()))
    return Interval(area, low, min(area + half, float(cost.max())), level, "normal, by what each row does")
