"""Kernels of the distance between two rows, r² = Σⱼ (xⱼ − zⱼ)²/lengthⱼ², with one length or one for each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from credo import native
from credo.checks import Floats, positive
from credo.errors import BadParameter, NumericalFailure
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import POSITIVE, Domain
from credo.kernels.leaves import Numbers, amounts

__all__ = ["SE", "Exponential", "GammaExponential", "Matern12", "Matern32", "Matern52", "RationalQuadratic"]

LENGTH: Mapping[str, Domain] = MappingProxyType({"length": POSITIVE})
FARTHEST = 1e150  # in lengths: squares of it can still be summed


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SE(Kernel):
    """The squared exponential, k = exp(−r²/2): functions that are smooth everywhere.

    ``length`` is the distance over which a function changes; one number, or one for each column.

    >>> SE(length=2.0)([[0.0], [2.0]])
    array([[1.        , 0.60653066],
           [0.60653066, 1.        ]])
    """

    length: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = LENGTH
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0) -> None:
        self._hold(length=amounts("length", length))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("se", X, Z, self.length)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, _ = radial_pull("se", X, W, self.length)
        return value, by_length


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Exponential(Kernel):
    """The exponential kernel, k = exp(−r), which is Matérn's of order 1/2: functions that are continuous and rough.

    >>> Exponential(length=2.0)([[0.0]], [[2.0]])
    array([[0.36787944]])
    """

    length: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = LENGTH
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0) -> None:
        self._hold(length=amounts("length", length))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("exponential", X, Z, self.length)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, _ = radial_pull("exponential", X, W, self.length)
        return value, by_length


Matern12 = Exponential


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Matern32(Kernel):
    """Matérn's kernel of order 3/2, k = (1 + √3 r) exp(−√3 r): functions with one derivative.

    >>> Matern32(length=2.0)([[0.0]], [[2.0]])
    array([[0.48335772]])
    """

    length: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = LENGTH
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0) -> None:
        self._hold(length=amounts("length", length))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("matern32", X, Z, self.length)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, _ = radial_pull("matern32", X, W, self.length)
        return value, by_length


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Matern52(Kernel):
    """Matérn's kernel of order 5/2, k = (1 + √5 r + 5r²/3) exp(−√5 r): functions with two derivatives.

    >>> Matern52(length=2.0)([[0.0]], [[2.0]])
    array([[0.52399411]])
    """

    length: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = LENGTH
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0) -> None:
        self._hold(length=amounts("length", length))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("matern52", X, Z, self.length)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, _ = radial_pull("matern52", X, W, self.length)
        return value, by_length


@dataclass(frozen=True, slots=True, init=False, repr=False)
class GammaExponential(Kernel):
    """The gamma-exponential, k = exp(−r^gamma) for 0 < gamma ≤ 2: from rough (1 is ``Exponential``) to smooth.

    >>> GammaExponential(length=2.0, gamma=1.5)([[0.0]], [[2.0]])
    array([[0.36787944]])
    """

    length: Numbers
    gamma: float

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"length": POSITIVE, "gamma": Domain(0, 2, log=True)})
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0, gamma: float = 1.0) -> None:
        power = float(positive("gamma", gamma, ndim=0))
        if power > 2:
            raise BadParameter(f"gamma must be at most 2, or the kernel is no covariance; got {power:g}")
        self._hold(length=amounts("length", length), gamma=power)

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("gamma_exponential", X, Z, self.length, self.gamma)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, by_gamma = radial_pull("gamma_exponential", X, W, self.length, self.gamma)
        return value, np.append(by_length, by_gamma)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class RationalQuadratic(Kernel):
    """The rational quadratic, k = (1 + r²/(2 alpha))^−alpha: squared exponentials of many lengths, added up.

    The larger alpha, the less the lengths differ; without end it is ``SE``.

    >>> RationalQuadratic(length=1.0, alpha=0.5)([[0.0]], [[1.0]])
    array([[0.70710678]])
    """

    length: Numbers
    alpha: float

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"length": POSITIVE, "alpha": POSITIVE})
    _by_column: ClassVar[tuple[str, ...]] = ("length",)

    def __init__(self, length: ArrayLike = 1.0, alpha: float = 1.0) -> None:
        self._hold(length=amounts("length", length), alpha=float(positive("alpha", alpha, ndim=0)))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("rational_quadratic", X, Z, self.length, self.alpha)

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, by_alpha = radial_pull("rational_quadratic", X, W, self.length, self.alpha)
        return value, np.append(by_length, by_alpha)


def radial(shape: str, X: Floats, Z: Floats | None, length: Numbers, power: float = 1.0) -> Floats:
    """The matrix of a kernel of the distance in lengths."""
    return native.radial(shape, _in_lengths("X", X, length), None if Z is None else _in_lengths("Z", Z, length), power)


def radial_pull(shape: str, X: Floats, W: Floats, length: Numbers, power: float = 1.0) -> tuple[float, Floats, float]:
    """ΣW∘K, and its slopes along the logarithms of the length or lengths and of the power."""
    value, by_column, by_power = native.radial_pull(shape, _in_lengths("X", X, length), W, power)
    return value, by_column if isinstance(length, tuple) else by_column.sum(keepdims=True), by_power


def _in_lengths(name: str, X: Floats, length: Numbers) -> Floats:
    scaled: Floats = X / np.asarray(length)
    if not (np.abs(scaled) < FARTHEST).all():
        raise NumericalFailure(f"{name} holds numbers too large for a length of {length}. Rescale its columns")
    return scaled
