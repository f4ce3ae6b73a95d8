"""The contract of an objective: the gradient it returns is the slope of the value it returns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.numerics import Objective

__all__ = ["check_gradient"]


def check_gradient(objective: Objective, x: ArrayLike, *, tolerance: float = 1e-6) -> None:
    """Compare the gradient at ``x`` with central differences ``(f(x + h) − f(x − h)) / 2h``, entry by entry.

    An entry may differ by ``tolerance`` times the largest of 1, itself and the rounding that |f| brings.

    >>> check_gradient(lambda x: (float(x @ x), 2 * x), [1.0, -3.0])
    >>> check_gradient(lambda x: (float(x @ x), 3 * x), [1.0, -3.0])
    Traceback (most recent call last):
    AssertionError: the gradient's entry 0 is 3; differences of the value say 2...
    """
    point = checks.floats("x", x, ndim=1)
    value, gradient = objective(point.copy())
    slopes = np.asarray(gradient)
    assert slopes.shape == point.shape, f"the gradient has shape {slopes.shape}, the position {point.shape}"
    for i, slope in enumerate(slopes):
        step = np.zeros_like(point)
        step[i] = np.cbrt(np.finfo(float).eps) * max(1.0, abs(point[i]))  # where truncation and rounding balance
        expected = (objective(point + step)[0] - objective(point - step)[0]) / (2 * step[i])
        scale = max(1.0, abs(expected), abs(value) * 1e-4)
        assert abs(slope - expected) <= tolerance * scale, (
            f"the gradient's entry {i} is {slope:.9g}; differences of the value say {expected:.9g}"
        )
