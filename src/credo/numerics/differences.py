"""Slopes and curvatures of functions of a few variables, by central differences where nothing better is given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape

__all__ = ["Differentiable", "Smooth"]

# What a person writes: a function of a point that returns its value, or its value and its gradient there.
Smooth = Callable[[Floats], float | tuple[float, ArrayLike]]

# The widths at which truncation and rounding balance, of first differences and of differences of these.
FIRST, SECOND = (float(np.finfo(np.float64).eps) ** (1 / root) for root in (3, 4))


class Differentiable:
    """A function with its value, gradient and Hessian, from one that returns its value or also its gradient.

    >>> f = Differentiable("f", lambda x: x[0] ** 2 * x[1])
    >>> f.value(np.array([1.0, 3.0])), f.gradient(np.array([1.0, 3.0])).round(6)
    (3.0, array([6., 1.]))
    """

    def __init__(self, name: str, function: Smooth) -> None:
        self.name, self.function = name, function

    def value(self, x: Floats) -> float:
        """The value at ``x``, which must be a finite number."""
        answer = self.function(x.copy())
        number = answer[0] if isinstance(answer, tuple) else answer
        return float(checks.floats(f"the value of {self.name}", number, ndim=0))

    def gradient(self, x: Floats) -> Floats:
        """The gradient at ``x``: as the function tells it, or else by differences of the value."""
        answer = self.function(x.copy())
        if not isinstance(answer, tuple):
            return self._slopes(x, FIRST)
        slopes = checks.floats(f"the gradient of {self.name}", answer[1])
        if slopes.shape != x.shape:
            raise BadShape(f"the gradient of {self.name} must have the shape {x.shape} of x; got {slopes.shape}")
        return slopes

    def hessian(self, x: Floats) -> Floats:
        """The second derivatives at ``x``, by differences of the gradient."""
        if isinstance(self.function(x.copy()), tuple):
            square = _differences(self.gradient, x, FIRST)
        else:
            square = _differences(lambda at: self._slopes(at, SECOND), x, SECOND)
        return (square + square.T) / 2

    def _slopes(self, x: Floats, width: float) -> Floats:
        return np.asarray(_differences(lambda at: np.array([self.value(at)]), x, width)[0])


def _differences(function: Callable[[Floats], Floats], x: Floats, width: float) -> Floats:
    """A column for each coordinate of ``x``: how fast each entry of the answer changes along it."""
    columns = []
    for i in range(len(x)):
        step = np.zeros_like(x)
        step[i] = width * max(1.0, abs(float(x[i])))
        columns.append((function(x + step) - function(x - step)) / (2 * step[i]))
    return np.stack(columns, axis=1)
