"""What the solvers for grids must know: whether a kernel is stationary, and whether rows stand at equal steps."""

from __future__ import annotations

import numpy as np

from credo import kernels
from credo.checks import Floats
from credo.kernels import Kernel

__all__ = ["is_regular", "is_stationary", "one_number", "unrestricted"]

STATIONARY = (
    kernels.SE,
    kernels.Constant,
    kernels.Cosine,
    kernels.Exponential,
    kernels.GammaExponential,
    kernels.Matern32,
    kernels.Matern52,
    kernels.Noise,
    kernels.Periodic,
    kernels.RationalQuadratic,
    kernels.SpectralMixture,
)
UNEQUAL = 1e-9  # how far a row may be from its place, in steps


def unrestricted(kernel: Kernel) -> Kernel:
    """A kernel without what was said about learning it."""
    return kernel.kernel if isinstance(kernel, kernels.Restricted) else kernel


def is_stationary(kernel: Kernel) -> bool:
    """Whether k(x, z) is a function of x − z, as far as can be told from how it is made.

    >>> from credo.kernels import SE, Linear, Periodic
    >>> is_stationary(SE(1.0) * Periodic(1.0, 1.0) + 2.0), is_stationary(SE(1.0) + Linear())
    (True, False)
    """
    if isinstance(kernel, (kernels.Sum, kernels.Product)):
        return all(is_stationary(part) for part in kernel.parts)
    if isinstance(kernel, (kernels.Power, kernels.On, kernels.Restricted)):
        return is_stationary(kernel.kernel)
    return isinstance(kernel, STATIONARY)


def is_regular(x: Floats) -> bool:
    """Whether numbers stand in order and at equal steps, but for the rounding of the numbers themselves.

    >>> is_regular(np.arange(5) / 12), is_regular(np.array([0.0, 1.0, 3.0]))
    (True, False)
    """
    if len(x) < 2:
        return True
    step = (x[-1] - x[0]) / (len(x) - 1)
    off = np.abs(x - (x[0] + step * np.arange(len(x)))).max()
    rounding = 4 * np.finfo(np.float64).eps * np.abs(x).max()
    return bool(step != 0 and off <= UNEQUAL * abs(step) + rounding and rounding < 1e-6 * abs(step))


def one_number(noise: Floats) -> bool:
    """Whether all rows have the same noise."""
    return bool((noise == noise[0]).all())
