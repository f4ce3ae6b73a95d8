"""Gradient descent on the squared error, in the axes of the problem."""

from __future__ import annotations

import numpy as np

from credo.checks import Floats
from credo.errors import BadParameter, Outcome
from credo.linear.axes import Axes

__all__ = ["descend"]


def descend(axes: Axes, *, step: float | None, steps: int, tolerance: float) -> tuple[Floats, Floats, Outcome]:
    """The weights along the axes after w ← w − step ∂E/∂w from zero, E = ½ |y − Xw|² at each step, and how it ended.

    Gradient descent does not care how the axes are turned, so these are the steps that would be taken along the columns
    of X. By default the step is one over the steepest curvature of E.
    """
    singular, target = axes.singular, axes.target
    steepest = float(singular.max(initial=0.0)) ** 2
    if step is not None and step * steepest >= 2:
        raise BadParameter(
            f"step must be below {2 / steepest:.3g}, two over the steepest curvature of the error, or each step lands "
            f"farther from the minimum than the last; got {step:g}"
        )
    rate = (1 / steepest if steepest else 0.0) if step is None else step
    along, trace = np.zeros_like(singular), np.empty(steps + 1)
    for i in range(steps + 1):
        left = target - singular * along
        trace[i] = 0.5 * (axes.rest + left @ left)
        if (np.abs(left) <= tolerance * np.abs(target)).all():
            return along, trace[: i + 1], Outcome.CONVERGED
        if i < steps:
            along = along + rate * singular * left  # minus the gradient
    return along, trace, Outcome.OUT_OF_STEPS
