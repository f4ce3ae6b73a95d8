"""Kernels of weight space: rows become features, and what is believed of their weights is a covariance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats, positive
from credo.errors import BadParameter, BadShape
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import POSITIVE, Domain
from credo.kernels.inputs import features
from credo.kernels.leaves import Numbers, amounts, raised, word

__all__ = ["BasisKernel", "Linear", "NeuralNetwork", "Polynomial"]

HIGHEST_DEGREE = 100


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Linear(Kernel):
    """Lines through the origin, k = Σⱼ varianceⱼ xⱼ zⱼ: ``variance`` is that of the slope, one or one for each column.

    >>> Linear(variance=2.0)([[1.0], [3.0]])
    array([[ 2.,  6.],
           [ 6., 18.]])
    """

    variance: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"variance": POSITIVE})
    _by_column: ClassVar[tuple[str, ...]] = ("variance",)

    def __init__(self, variance: ArrayLike = 1.0) -> None:
        self._hold(variance=amounts("variance", variance, zero=True))

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return weighted_products(X, Z, np.asarray(self.variance))

    def _diagonal(self, X: Floats) -> Floats:
        return weighted_squares(X, np.asarray(self.variance))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return pull_weighted(X, W, self.variance)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Polynomial(Kernel):
    """Polynomials up to a degree, k = (offset + x·z)^degree; with an offset of zero, of that degree alone.

    >>> Polynomial(degree=2, offset=1.0)([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    """

    degree: int
    offset: float

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"offset": POSITIVE})

    def __init__(self, degree: int, offset: float = 1.0) -> None:
        held = float(positive("offset", offset, zero=True, ndim=0))
        self._hold(degree=checks.count("degree", degree, least=1, most=HIGHEST_DEGREE), offset=held)

    def _base(self, X: Floats, Z: Floats | None) -> Floats:
        base = X @ (X if Z is None else Z).T
        base += self.offset
        return base

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return raised(self._base(X, Z), self.degree)

    def _diagonal(self, X: Floats) -> Floats:
        return (weighted_squares(X, np.ones(())) + self.offset) ** self.degree

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        base = self._base(X, None)
        slopes = raised(base.copy(), self.degree - 1)
        slopes *= W
        slope = self.degree * self.offset * float(slopes.sum())
        return float(np.vdot(base, slopes)), np.array([slope])


@dataclass(frozen=True, slots=True, init=False, repr=False)
class NeuralNetwork(Kernel):
    """A network with one wide hidden layer, k = (2/π) arcsin(2x̃ᵀΣz̃ / √((1 + 2x̃ᵀΣx̃)(1 + 2z̃ᵀΣz̃))) with x̃ = (1, x).

    ``covariance`` is Σ, that of the hidden layer's bias and weights: a number (the same variance for each), a list of
    their variances, the bias first, or a whole matrix, which is not learnt.

    >>> NeuralNetwork(covariance=[1.0, 10.0])([[0.0], [1.0]]).round(3)
    array([[0.465, 0.155],
           [0.155, 0.812]])
    """

    covariance: Numbers

    def __init__(self, covariance: ArrayLike = 1.0) -> None:
        self._hold(covariance=covariances(covariance))

    @property
    def _domains(self) -> Mapping[str, Domain]:  # type: ignore[override]
        return covariance_domains(self.covariance)

    def _check(self, name: str, X: Floats) -> None:
        check_features(self, self.covariance, X.shape[1] + 1, f"one for the bias and each column of {name}")

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        sigma = np.asarray(self.covariance)
        ratio = weighted_products(_squeezed(X, sigma), None if Z is None else _squeezed(Z, sigma), sigma)
        np.clip(ratio, -1.0, 1.0, out=ratio)  # rounding may go beyond
        np.arcsin(ratio, out=ratio)
        ratio *= 2 / pi
        return ratio

    def _diagonal(self, X: Floats) -> Floats:
        twice = 2 * weighted_squares(_with_bias(X), np.asarray(self.covariance))
        return 2 / pi * np.arcsin(twice / (1 + twice))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        sigma, rows = np.asarray(self.covariance), _with_bias(X)
        whole = weighted_products(_squeezed(X, sigma), None, sigma)
        np.clip(whole, -1.0, 1.0, out=whole)
        value = 2 / pi * float(np.vdot(np.arcsin(whole), W))
        if not self._domains:
            return value, np.empty(0)
        # With s = 2x̃ᵀΣz̃, a = 1 + 2x̃ᵀΣx̃, b of z alike and u = s/√(ab), dk is
        # (2/π)/√(1 − u²) (ds/√(ab) − ½u(da/a + db/b)).
        slopes = np.square(whole)
        np.subtract(1.0, slopes, out=slopes)
        np.maximum(slopes, np.finfo(float).eps, out=slopes)
        np.sqrt(slopes, out=slopes)
        np.divide(W, slopes, out=slopes)
        slopes *= 2 / pi
        whole *= slopes
        lengths = 1 + 2 * weighted_squares(rows, sigma)
        by_row = -(whole.sum(axis=0) + whole.sum(axis=1)) / lengths
        rooted = rows / np.sqrt(lengths)[:, None]
        by_feature = 2 * (rooted * (slopes @ rooted)).sum(axis=0) + by_row @ np.square(rows)
        gradient = np.asarray(self.covariance) * by_feature
        return value, gradient if isinstance(self.covariance, tuple) else gradient.sum(keepdims=True)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class BasisKernel(Kernel):
    """A function of rows with uncertain weights, k = φ(x)ᵀ Σ φ(z): Bayesian linear regression on φ as a kernel.

    ``function`` makes a table of features of a table of rows. ``covariance`` is Σ, that of the weights: a number (the
    same variance for each), a list of variances, or a whole matrix, which is not learnt. A kernel that holds a function
    cannot be saved, and its text is read back with ``kernel(text, functions={name: function})``.

    >>> def parabola(X):
    ...     return np.hstack([np.ones_like(X), X, X**2])
    >>> BasisKernel(parabola, covariance=1.0)([[1.0], [2.0]])
    array([[ 3.,  7.],
           [ 7., 21.]])
    """

    function: Callable[[Floats], ArrayLike]
    covariance: Numbers

    def __init__(self, function: Callable[[Floats], ArrayLike], covariance: ArrayLike = 1.0) -> None:
        if not callable(function):
            raise BadParameter(f"function must be a function of a table of rows; got {checks.shown(function)}")
        self._hold(function=function, covariance=covariances(covariance))

    @property
    def _domains(self) -> Mapping[str, Domain]:  # type: ignore[override]
        return covariance_domains(self.covariance)

    def _check(self, name: str, X: Floats) -> None:
        made = features(self.function, X)
        check_features(self, self.covariance, made.shape[1], f"one for each column of {word(self.function)}({name})")

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        others = None if Z is None else features(self.function, Z)
        return weighted_products(features(self.function, X), others, np.asarray(self.covariance))

    def _diagonal(self, X: Floats) -> Floats:
        return weighted_squares(features(self.function, X), np.asarray(self.covariance))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return pull_weighted(features(self.function, X), W, self.covariance)


def covariances(value: ArrayLike) -> Numbers:
    """A covariance: one variance, a list of them, or a matrix."""
    from credo.numerics import cholesky

    array = checks.floats("covariance", value)
    if array.ndim != 2:
        return amounts("covariance", value, most=1, zero=True)
    if array.shape[0] != array.shape[1] or not (array == array.T).all():
        raise BadShape(f"covariance must be a symmetric matrix; got shape {array.shape}")
    cholesky(array)  # refuses what is no covariance
    return amounts("covariance", array, most=2, any_sign=True)


def covariance_domains(covariance: Numbers) -> Mapping[str, Domain]:
    """Variances are learnt; a whole matrix is given."""
    return {} if np.ndim(covariance) == 2 else {"covariance": POSITIVE}


def check_features(kernel: Kernel, covariance: Numbers, width: int, what: str) -> None:
    """Refuse rows with another number of features than the covariance has."""
    if isinstance(covariance, tuple) and len(covariance) != width:
        raise BadShape(f"covariance of {kernel} must have {width} rows, {what}; it has {len(covariance)}")


def weighted_products(X: Floats, Z: Floats | None, weights: Floats) -> Floats:
    """XᵀΣZ of every two rows; symmetric to the last bit, and half the work, without Z."""
    if weights.ndim < 2:
        left = X * np.sqrt(weights)
        return left @ (left if Z is None else Z * np.sqrt(weights)).T
    if Z is not None:
        return X @ weights @ Z.T
    whole = X @ weights @ X.T
    whole += whole.T.copy()
    whole *= 0.5
    return whole


def weighted_squares(X: Floats, weights: Floats) -> Floats:
    """XᵀΣX of every row."""
    if weights.ndim < 2:
        squares: Floats = (np.square(X) * weights).sum(axis=1)
    else:
        squares = ((X @ weights) * X).sum(axis=1)
    return squares


def pull_weighted(X: Floats, W: Floats, weights: Numbers) -> tuple[float, Floats]:
    """ΣW∘(XΣXᵀ), and its slopes along the logarithms of the variances in Σ."""
    held = np.asarray(weights)
    if held.ndim == 2:
        return float(np.vdot(X @ held, W @ X)), np.empty(0)
    by_column = held * (X * (W @ X)).sum(axis=0)
    value = float(by_column.sum())
    return value, by_column if isinstance(weights, tuple) else np.array([value])


def _with_bias(X: Floats) -> Floats:
    return np.hstack([np.ones((len(X), 1)), X])


def _squeezed(X: Floats, weights: Floats) -> Floats:
    """Rows x̃ √2/√(1 + 2x̃ᵀΣx̃), whose products are less than one."""
    rows = _with_bias(X)
    return rows * np.sqrt(2 / (1 + 2 * weighted_squares(rows, weights)))[:, None]
