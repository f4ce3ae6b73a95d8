"""Kernels: how alike two rows are, as values in an algebra.

>>> from credo.kernels import SE, Noise, Periodic
>>> k = 2.0**2 * SE(1.5) * Periodic(length=1, period=1) + Noise(0.1)
>>> k([[0.0], [1.0]]).round(3)
array([[4.01 , 3.203],
       [3.203, 4.01 ]])
"""

from __future__ import annotations

from credo.kernels.algebra import Power, Product, Sum
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import Hyperparameter
from credo.kernels.inputs import On, Warped
from credo.kernels.radial import (
    SE,
    Exponential,
    GammaExponential,
    Matern12,
    Matern32,
    Matern52,
    RationalQuadratic,
)
from credo.kernels.restricted import Restricted
from credo.kernels.simple import Constant, Index, Noise, Wiener
from credo.kernels.text import kernel
from credo.kernels.waves import Cosine, Periodic, SpectralMixture
from credo.kernels.weights import BasisKernel, Linear, NeuralNetwork, Polynomial

__all__ = [
    "SE",
    "BasisKernel",
    "Constant",
    "Cosine",
    "Exponential",
    "GammaExponential",
    "Hyperparameter",
    "Index",
    "Kernel",
    "Linear",
    "Matern12",
    "Matern32",
    "Matern52",
    "NeuralNetwork",
    "Noise",
    "On",
    "Periodic",
    "Polynomial",
    "Power",
    "Product",
    "RationalQuadratic",
    "Restricted",
    "SpectralMixture",
    "Sum",
    "Warped",
    "Wiener",
    "kernel",
]
