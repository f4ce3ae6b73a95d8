"""Laws on the whole numbers: their limits and their quantiles."""

from __future__ import annotations

import numpy as np

from credo.beliefs.base import Belief
from credo.checks import Floats
from credo.errors import BadParameter

__all__ = ["countable", "whole_quantile"]

MOST = 2.0**53  # above this a float64 no longer tells neighbouring whole numbers apart


def countable(name: str, value: Floats) -> Floats:
    """``value``, if counts of that size can be held."""
    if (value > MOST).any():
        raise BadParameter(f"{name} must be at most 2^53 ≈ 9e15, beyond which counts cannot be told apart")
    return value


def whole_quantile(law: Belief, q: Floats, first: Floats, last: Floats) -> Floats:
    """The smallest whole x with P(X ≤ x) ≥ q, by bisection; ``first`` and ``last`` are the ends of the support."""
    q, first, last = np.broadcast_arrays(q, first, last)
    reach = np.floor(law.sd) + 1
    centre = np.floor(law.mean)
    low, high = np.maximum(centre - reach, first - 1), np.minimum(centre + reach, last)
    # Widen until the answer lies in (low, high], then halve. The cdf rounds to one before it gets there, so q = 1 is
    # answered by the end of the support.
    while (short := (law._cdf(high) < q) & (high < last) & (q < 1)).any():
        low = np.where(short, high, low)
        reach = 2 * reach
        high = np.where(short, np.minimum(high + reach, last), high)
    reach = np.floor(law.sd) + 1
    while (over := (law._cdf(low) >= q) & (low >= first)).any():
        high = np.where(over, low, high)
        reach = 2 * reach
        low = np.where(over, np.maximum(low - reach, first - 1), low)
    while (between := ((middle := np.floor((low + high) / 2)) > low) & (middle < high)).any():
        reached = law._cdf(middle) >= q
        low, high = np.where(between & ~reached, middle, low), np.where(between & reached, middle, high)
    return np.where(q <= 0, first, np.where(q >= 1, last, high))
