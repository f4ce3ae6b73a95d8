"""How far a measured number can be trusted: a value with two ends, a level, and the method that made them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

from credo import checks

__all__ = ["Interval", "bootstrap", "mean", "proportion", "wilson"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with the two ends between which the truth lies at the given level.

    >>> print(Interval(0.9, 0.85, 0.94, level=0.95, method="Wilson"))
    0.900 (0.850 to 0.940)
    """

    value: float
    low: float
    high: float
    level: float
    method: str

    @property
    def bounded(self) -> bool:
        """Whether there are two ends at all; a single row has a value and no interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})" if self.bounded else f"{self.value:.3f}"


def wilson(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval for a proportion: right for few rows and near 0 and 1, where the normal one is not.

    The ends are the proportions p for which ``|hits/n − p| = z √(p(1−p)/n)``.

    >>> print(wilson(0, 10))
    0.000 (0.000 to 0.278)
    """
    share, n, z = _counted(hits, n, level)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # With no hits (or no misses) an end is 0 (or 1) exactly; rounding must not put the value outside its interval.
    low = 0.0 if hits == 0 else centre - half
    high = 1.0 if hits == n else centre + half
    return Interval(share, low, high, level, "Wilson")


def proportion(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """The textbook interval for a proportion, ``p ± z √(p(1−p)/n)``, cut at 0 and 1; for many rows and middling p.

    >>> round(proportion(18, 100).half_width, 3)
    0.075
    """
    share, n, z = _counted(hits, n, level)
    half = z * math.sqrt(share * (1 - share) / n)
    return Interval(share, max(share - half, 0.0), min(share + half, 1.0), level, "normal")


def mean(values: ArrayLike, *, level: float = 0.95, within: tuple[float, float] = (-math.inf, math.inf)) -> Interval:
    """The mean of one value a row, ``m ± t s/√n`` with Student's t on n − 1 degrees of freedom.

    ``within`` are the least and the greatest value there can be; the interval is cut there.

    >>> print(mean([1.0, 2.0, 3.0]))
    2.000 (-0.484 to 4.484)
    >>> print(mean([1.0, 2.0, 3.0], within=(0.0, 9.0)))
    2.000 (0.000 to 4.484)
    """
    rows = np.asarray(values, dtype=np.float64)
    level = checks.level("level", level)
    n = checks.count("the number of values", rows.size, least=1)
    centre = float(rows.mean())
    if n == 1 or not math.isfinite(centre):
        return Interval(centre, -math.inf, math.inf, level, "none")
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * float(rows.std(ddof=1)) / math.sqrt(n)
    low, high = max(centre - half, within[0]), min(centre + half, within[1])
    return Interval(centre, low, high, level, "t on the mean over rows")


def bootstrap(
    statistic: Callable[[NDArray[np.intp]], float], n: int, *, rng: Any, draws: int = 1000, level: float = 0.95
) -> Interval:
    """The percentile bootstrap: ``statistic`` of row numbers, over ``draws`` resamples of ``n`` rows.

    Resamples in which the statistic does not exist (NaN: a class that was not drawn, say) are left out.

    >>> values = np.array([1.0, 2.0, 3.0, 4.0])
    >>> print(bootstrap(lambda rows: values[rows].max(), 4, rng=0))
    4.000 (2.000 to 4.000)
    """
    level = checks.level("level", level)
    n = checks.count("n", n, least=1)
    generator = checks.generator(rng)
    value = float(statistic(np.arange(n)))
    found = np.array([statistic(generator.integers(n, size=n)) for _ in range(checks.count("draws", draws, least=1))])
    found = found[np.isfinite(found)]
    if n == 1 or len(found) < draws / 2:
        return Interval(value, -math.inf, math.inf, level, "none")
    low, high = np.quantile(found, [0.5 - level / 2, 0.5 + level / 2])
    return Interval(value, float(low), float(high), level, f"bootstrap, {draws} resamples")


def _counted(hits: int, n: int, level: float) -> tuple[float, int, float]:
    n = checks.count("n", n, least=1)
    hits = checks.count("hits", hits, least=0, most=n)
    return hits / n, n, float(ndtri(0.5 + checks.level("level", level) / 2))
