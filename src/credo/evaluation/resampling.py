"""The bootstrap: how much a number would vary if the rows were drawn again, for numbers that have no formula for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from credo import checks
from credo.checks import Floats
from credo.evaluation.intervals import Interval

__all__ = ["bootstrap", "corrected_ends"]

Rows = NDArray[np.intp]

ROUNDING = 1e-12
CELLS = 2**20  # row numbers that are drawn at a time


def bootstrap(
    statistic: Callable[[Rows], Any],
    n: int,
    *,
    rng: Any,
    draws: int = 1000,
    level: float = 0.95,
    method: str = "bca",
    strata: ArrayLike | None = None,
    batched: bool = False,
) -> Interval:
    """An interval for any number made from rows: ``statistic`` of row numbers, over ``draws`` resamples of ``n`` rows.

    ``method="bca"`` corrects the quantiles of the resamples for bias and for a spread that changes with the number
    (Efron 1987); its acceleration comes from leaving rows out, one at a time, or for more than ``draws`` rows a random
    group at a time. Where it cannot be had, ``"percentile"`` stands in, and ``why`` says so. With ``strata``, a label
    for each row, as many rows of every label are drawn as there are.

    A ``batched`` statistic is asked of many resamples at once, one in each line of row numbers, and returns a number
    for each, which saves most of the time where rows are few.

    Resamples in which the statistic does not exist (NaN: a class that was not drawn, say) are left out.

    >>> values = np.array([1.0, 2.0, 3.0, 4.0])
    >>> print(bootstrap(lambda rows: values[rows].mean(), 4, rng=0))
    2.500 (1.500 to 3.500)
    >>> print(bootstrap(lambda rows: values[rows].mean(axis=-1), 4, rng=0, batched=True))
    2.500 (1.500 to 3.500)
    """
    level = checks.level("level", level)
    method = checks.choice("method", method, ("bca", "percentile"))
    n = checks.count("n", n, least=1)
    draws = checks.count("draws", draws, least=1)
    generator = checks.generator(rng)
    groups = _strata(strata, n)
    one = (lambda rows: float(statistic(rows[None])[0])) if batched else statistic
    value = float(one(np.arange(n)))
    if math.isnan(value):
        return Interval(value, math.nan, math.nan, level, "none", "the statistic does not exist for these rows")
    if n == 1:
        return Interval(value, -math.inf, math.inf, level, "none", "one row does not show how much rows differ")
    if batched:
        step = max(1, CELLS // n)
        sizes = [min(step, draws - done) for done in range(0, draws, step)]
        found = np.concatenate([statistic(_resamples(groups, generator, size)) for size in sizes])
    else:
        found = np.array([statistic(_resamples(groups, generator, 1)[0]) for _ in range(draws)])
    found = found[np.isfinite(found)]
    if len(found) < draws / 2:
        why = f"the statistic exists in only {len(found)} of {draws} resamples"
        return Interval(value, -math.inf, math.inf, level, "none", why)
    why = ""
    if method == "bca":
        ends = corrected_ends(value, found, _acceleration(one, groups, draws, generator), level)
        if isinstance(ends, tuple):
            return Interval(value, *ends, level, f"bootstrap (BCa), {draws} resamples")
        why = f"percentiles stand in for BCa: {ends}"
    low, high = np.quantile(found, [0.5 - level / 2, 0.5 + level / 2])
    return Interval(value, float(low), float(high), level, f"bootstrap (percentile), {draws} resamples", why)


def corrected_ends(value: float, found: Floats, acceleration: float, level: float) -> tuple[float, float] | str:
    """The BCa ends from the resampled values and the acceleration, or why there are none.

    They are the quantiles Φ(z₀ + (z₀ ± z)/(1 − a(z₀ ± z))) of ``found``, of which a share Φ(z₀) lies below ``value``.

    >>> [round(end, 3) for end in corrected_ends(0.5, np.linspace(0, 1, 101), 0.1, 0.9)]
    [0.079, 0.976]
    """
    if np.ptp(found) == 0:
        return "every resample gives the same number"
    share = ((found < value).mean() + (found <= value).mean()) / 2
    if not 0 < share < 1:
        return "every resample lies on one side of the number"
    if not math.isfinite(acceleration):
        return "leaving rows out does not change the number, or leaves it undefined"
    centre = float(ndtri(share))
    edges = centre + ndtri(np.array([0.5 - level / 2, 0.5 + level / 2]))
    if (acceleration * edges >= 1).any():
        return "the skewness of single rows is too large"
    low, high = np.quantile(found, ndtr(centre + edges / (1 - acceleration * edges)))
    return float(low), float(high)


def _strata(strata: ArrayLike | None, n: int) -> list[Rows]:
    """The row numbers of each stratum; without strata all rows are one."""
    if strata is None:
        return [np.arange(n)]
    labels = np.asarray(strata)
    checks.rows_match("strata", len(labels), "the rows", n)
    codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(sizes)[:-1])


def _resamples(groups: list[Rows], rng: np.random.Generator, count: int) -> Rows:
    return np.concatenate([group[rng.integers(len(group), size=(count, len(group)))] for group in groups], axis=-1)


def _acceleration(statistic: Callable[[Rows], float], groups: list[Rows], most: int, rng: np.random.Generator) -> float:
    """⅙ Σ U³ / (Σ U²)^(3/2), where U is what a row, or a random group of rows, does to the statistic."""
    total = sum(map(len, groups))
    cubes = squares = size = 0.0
    for stratum, rows in enumerate(groups):
        if len(rows) < 2:
            continue
        others = [group for i, group in enumerate(groups) if i != stratum]
        pieces = min(len(rows), max(2, most * len(rows) // total))
        # Rows in order must not leave groups that differ for that reason alone.
        mixed = rows if pieces == len(rows) else rng.permutation(rows)
        ends = np.linspace(0, len(rows), pieces + 1).astype(np.intp)
        left = np.array(
            [statistic(np.concatenate([mixed[:start], mixed[end:], *others])) for start, end in pairwise(ends)]
        )
        change = (left.mean() - left) * (pieces - 1) / pieces
        cubes, squares = cubes + float((change**3).sum()), squares + float((change**2).sum())
        size = max(size, float(np.abs(left).max()))
    # Differences that rounding alone explains say nothing.
    return cubes / (6 * squares**1.5) if math.sqrt(squares) > ROUNDING * size else math.nan
