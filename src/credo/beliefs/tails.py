"""Quantiles counted from the nearer end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from credo.checks import Floats

__all__ = ["from_nearer_tail", "normal_quantile"]


def from_nearer_tail(
    below: Floats, above: Floats, low: Callable[[Floats], Floats], high: Callable[[Floats], Floats]
) -> Floats:
    """``low(below)`` in the lower half and ``high(above)`` in the upper one; an empty half costs nothing."""
    lower = np.asarray(below < 0.5)
    if lower.all():
        return low(below)
    if not lower.any():
        return high(above)
    return np.where(lower, low(below), high(above))


def normal_quantile(below: Floats, above: Floats) -> Floats:
    """The quantile of the normal law with mean zero and standard deviation one."""
    return from_nearer_tail(below, above, scipy.special.ndtri, lambda q: -scipy.special.ndtri(q))
