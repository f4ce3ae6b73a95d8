"""One of two formulas for each element, and quantiles counted from the nearer end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special

from credo.checks import Floats

__all__ = ["either", "from_nearer_tail", "normal_quantile"]


def either(first: NDArray[np.bool], one: Callable[[], Floats], other: Callable[[], Floats]) -> Floats:
    """``one()`` where ``first`` is true and ``other()`` elsewhere; a formula that no element needs is not computed."""
    chosen = np.asarray(first)
    if chosen.all():
        return one()
    if not chosen.any():
        return other()
    return np.where(chosen, one(), other())


def from_nearer_tail(
    below: Floats, above: Floats, low: Callable[[Floats], Floats], high: Callable[[Floats], Floats]
) -> Floats:
    """``low(below)`` in the lower half and ``high(above)`` in the upper one."""
    return either(below < 0.5, lambda: low(below), lambda: high(above))


def normal_quantile(below: Floats, above: Floats) -> Floats:
    """The quantile of the normal law with mean zero and standard deviation one."""
    return from_nearer_tail(below, above, special.ndtri, lambda q: -special.ndtri(q))
