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
MOST = 50_000_000  # entries of all tables with one row left out; beyond it, a few rows stand for all
FEW = 200


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
        used = np.flatnonzero(counts)
        shares = counts.ravel()[used] / n
        step = max(1, ENTRIES // counts.size)
        parts = []
        for start in range(0, DRAWS, step):
            drawn = np.zeros((min(step, DRAWS - start), counts.size))
            drawn[:, used] = rng.multinomial(n, shares, size=len(drawn))
            parts.append(statistic(drawn.reshape(-1, *counts.shape)))
        found = np.concatenate(parts)
        found = found[np.isfinite(found)]
        if len(found) < DRAWS / 2:
            why = f"it exists in only {len(found)} of {DRAWS} resamples"
            return Interval(value, -math.inf, math.inf, level, "none", why)
        ends = corrected_ends(value, found, _acceleration(statistic, counts, used, rng), level)
    if isinstance(ends, tuple):
        return Interval(value, *ends, level, f"bootstrap (BCa), {DRAWS} resamples")
    low, high = np.quantile(found, [0.5 - level / 2, 0.5 + level / 2])
    method = f"bootstrap (percentile), {DRAWS} resamples"
    return Interval(value, float(low), float(high), level, method, f"percentiles stand in for BCa: {ends}")


def _acceleration(
    statistic: Callable[[Floats], Floats], counts: NDArray[np.int64], used: NDArray[np.intp], rng: np.random.Generator
) -> float:
    """The skewness of what a row does to the number, over 6 √n; rows in the same cell do the same."""
    n = int(counts.sum())
    cells, weights = used, counts.ravel()[used] / n
    few = max(FEW, MOST // counts.size)
    if len(cells) > few:
        cells, weights = rng.choice(used, size=few, p=weights), np.full(few, 1 / few)
    left = np.empty(len(cells))
    step = max(1, ENTRIES // counts.size)
    for start in range(0, len(cells), step):
        some = cells[start : start + step]
        tables = np.tile(counts.ravel().astype(np.float64), (len(some), 1))
        tables[np.arange(len(some)), some] -= 1
        left[start : start + step] = statistic(tables.reshape(-1, *counts.shape))
    change = weights @ left - left
    spread = math.sqrt(weights @ change**2)
    # Differences that rounding alone explains say nothing.
    if not spread > 1e-14 * float(np.abs(left).max()):
        return math.nan
    return float(weights @ change**3) / spread**3 / (6 * math.sqrt(n))
