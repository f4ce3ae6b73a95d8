"""The bootstrap of a table of counts: rows in the same cell are alike, so the table is drawn and not the rows."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.evaluation.intervals import Interval
from credo.evaluation.resampling import corrected_ends

__all__ = ["resampled_counts"]

DRAWS = 2000
ENTRIES = 2_000_000  # of tables made at a time
MOST = 100_000_000  # entries of all tables with one row left out, beyond which they are not made


def resampled_counts(
    statistic: Callable[[Floats], Floats], counts: NDArray[np.int64], *, level: float = 0.95
) -> Interval:
    """A number made from a table of counts, with its BCa interval; ``statistic`` takes any number of tables in front.

    As many rows are drawn as there are, each into a cell with the cell's share of the rows. The generator is always the
    same one, so that the same table has the same interval. Tables for which the number does not exist are left out.

    >>> print(resampled_counts(lambda t: t[..., 0, 0] / t.sum(axis=(-1, -2)), np.array([[90, 0], [0, 10]])))
    0.900 (0.830 to 0.950)
    """
    n = int(counts.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(counts.astype(np.float64)))
        rng = np.random.default_rng(0)
        shares = (counts / n).ravel()
        step = max(1, ENTRIES // counts.size)
        parts = []
        for start in range(0, DRAWS, step):
            drawn = rng.multinomial(n, shares, size=min(step, DRAWS - start))
            parts.append(statistic(drawn.reshape(-1, *counts.shape).astype(np.float64)))
        found = np.concatenate(parts)
        found = found[np.isfinite(found)]
        if len(found) < DRAWS / 2:
            why = f"it exists in only {len(found)} of {DRAWS} resamples"
            return Interval(value, -math.inf, math.inf, level, "none", why)
        ends = corrected_ends(value, found, _acceleration(statistic, counts), level)
    if isinstance(ends, tuple):
        return Interval(value, *ends, level, f"bootstrap (BCa), {DRAWS} resamples")
    low, high = np.quantile(found, [0.5 - level / 2, 0.5 + level / 2])
    method = f"bootstrap (percentile), {DRAWS} resamples"
    return Interval(value, float(low), float(high), level, method, f"percentiles stand in for BCa: {ends}")


def _acceleration(statistic: Callable[[Floats], Floats], counts: NDArray[np.int64]) -> float:
    """⅙ Σ U³ / (Σ U²)^(3/2) over the rows, whose U is that of their cell."""
    used = np.flatnonzero(counts)
    if len(used) * counts.size > MOST:
        return math.nan
    left = np.empty(len(used))
    step = max(1, ENTRIES // counts.size)
    for start in range(0, len(used), step):
        cells = used[start : start + step]
        tables = np.tile(counts.ravel().astype(np.float64), (len(cells), 1))
        tables[np.arange(len(cells)), cells] -= 1
        left[start : start + step] = statistic(tables.reshape(-1, *counts.shape))
    weight = counts.ravel()[used]
    change = weight @ left / weight.sum() - left
    spread = float(weight @ change**2)
    if not spread > 1e-24 * float(np.abs(left).max()) ** 2:
        return math.nan
    skewness: float = float(weight @ change**3) / (6 * spread**1.5)
    return skewness
