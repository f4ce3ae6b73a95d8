"""Kernels: how alike two rows are, as values in an algebra; what Gaussian processes and support vector machines share.

A kernel is a function of two rows that is a covariance: whatever the rows are, its matrix has no negative eigenvalue.
Called with a table it gives the Gram matrix, called with two the matrix of every row of the one beside the other's.

>>> from credo.kernels import SE, Noise, Periodic
>>> k = 2.0**2 * SE(1.5) * Periodic(length=1, period=1) + Noise(0.1)
>>> k([[0.0], [1.0]]).round(3)
array([[4.01 , 3.203],
       [3.203, 4.01 ]])
>>> k.diagonal([[0.0], [1.0]])
array([4.01, 4.01])

**Which there are.** Of the distance between rows, from rough to smooth: ``Exponential`` (which is ``Matern12``),
``Matern32``, ``Matern52``, ``SE``; ``GammaExponential`` between them, and ``RationalQuadratic`` for many lengths at
once. What comes back: ``Periodic``, ``Cosine``, ``SpectralMixture``. What is a weighted sum of features: ``Linear``,
``Polynomial``, ``NeuralNetwork``, and ``BasisKernel`` for features of your own. And ``Constant``, ``Noise``,
``Wiener`` (Brownian motion), ``Index`` (categories). A length may be one number, or one for each column:

>>> SE([1.0, 100.0])([[0.0, 0.0]], [[0.0, 50.0], [1.0, 0.0]]).round(3)
array([[0.882, 0.607]])

**The algebra.** Kernels add and multiply with ``+`` and ``*``, a number stands for ``Constant``, ``k**2`` is ``k * k``.
``k.on(columns)`` looks at some columns only, ``k.warped(f)`` at f(X).

>>> from credo.kernels import Linear, Matern52
>>> (Linear() + 1.0)**2 + 3.0 * Matern52(2.0).on(0) * SE(1.0).on([1, 2])
(Linear(variance=1.0) + 1.0)**2 + 3.0 * Matern52(length=2.0).on(0) * SE(length=1.0).on([1, 2])

**Text.** A kernel prints as text, and that text, or what a person would write instead, is read by ``kernel``. Nothing
in it is executed, and what is not understood is refused with its place.

>>> kernel(str(k)) == k
True
>>> kernel("SE(1.5) + Priodic(1, 1)")
Traceback (most recent call last):
credo.errors.FormatError: line 1, column 11: there is no kernel 'Priodic'. Did you mean 'Periodic'?

**Hyperparameters** have names, values, bounds, priors, and may be fixed. ``theta`` is what an optimiser moves: those
that are free, each as a logarithm if it is positive by nature.

>>> k = k.fixed("period").bounded({"SE.length": (0.1, 10)})
>>> dict(k.parameters)
{'Constant.variance': 4.0, 'SE.length': 1.5, 'Periodic.length': 1.0, 'Periodic.period': 1.0, 'Noise.sd': 0.1}
>>> k.free
('Constant.variance', 'SE.length', 'Periodic.length', 'Noise.sd')
>>> k.theta.round(3)
array([ 1.386,  0.405,  0.   , -2.303])
>>> k.with_theta([0.0, 0.0, 0.0, 0.0]).parameters["Constant.variance"]
1.0
>>> from credo.beliefs import LogNormal
>>> k.with_priors({"SE.length": LogNormal(0, 1)}).log_prior()
-1.406...

**Gradients.** ``pullback(X, W)`` gives ΣW∘∂K/∂θ for every entry of ``theta``, which is the gradient of any function of
the Gram matrix whose derivative is W. No matrix is made for each hyperparameter: it takes about the time of another
Gram matrix or two, and the memory of a few, however many there are.

>>> k.pullback([[0.0], [1.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3)  # of the trace
array([8.  , 0.  , 0.  , 0.04])

**To write a kernel** of your own, see ``Kernel``; ``credo.testing.check_kernel`` holds it to the contract.
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
