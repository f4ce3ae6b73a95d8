"""What a process expects before anything is seen: known functions, or functions whose weights have a Gaussian prior."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape
from credo.kernels import BasisKernel, Constant, Kernel, Linear

__all__ = ["BasisMean", "ConstantMean", "LinearMean", "Mean", "ZeroMean"]


class Mean(ABC):
    """A mean function m(x) = φ(x)ᵀ w. A frozen value.

    The weights w are known, or they have a Gaussian prior; then ``doubt`` is the kernel φ(x)ᵀ Σ φ(z) that their
    uncertainty adds to that of the process, and they are integrated out exactly.

    >>> ConstantMean(3.0).doubt is None, ConstantMean(3.0, sd=2.0).doubt
    (True, Constant(variance=4.0).fixed('variance'))
    """

    __slots__ = ()

    @abstractmethod
    def at(self, X: Floats) -> Floats:
        """What is expected at each row of X."""

    @property
    def doubt(self) -> Kernel | None:
        """The covariance of what is expected, or None where it is known."""
        return None

    def _hold(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class ZeroMean(Mean):
    """m(x) = 0.

    >>> ZeroMean().at(np.array([[1.0], [2.0]]))
    array([0., 0.])
    """

    def at(self, X: Floats) -> Floats:
        """Zeros."""
        return np.zeros(len(X))


@dataclass(frozen=True, slots=True, init=False)
class ConstantMean(Mean):
    """The same number everywhere: ``value``, or, with ``sd``, an unknown number believed to be N(value, sd²).

    >>> ConstantMean(3.0).at(np.array([[1.0], [2.0]]))
    array([3., 3.])
    """

    value: float
    sd: float

    def __init__(self, value: float = 0.0, *, sd: float = 0.0) -> None:
        self._hold(value=float(checks.floats("value", value, ndim=0)), sd=_sd(sd))

    def at(self, X: Floats) -> Floats:
        """The value, for each row."""
        return np.full(len(X), self.value)

    @property
    def doubt(self) -> Kernel | None:
        """sd², everywhere."""
        return Constant(self.sd**2).fixed() if self.sd else None


@dataclass(frozen=True, slots=True, init=False)
class LinearMean(Mean):
    """m(x) = intercept + slopes · x, with one slope for each column.

    With ``sd``, the intercept and each slope are unknown, and believed to be normal with that standard deviation.

    >>> LinearMean([0.5], intercept=1.0).at(np.array([[1.0], [2.0]]))
    array([1.5, 2. ])
    """

    slopes: tuple[float, ...]
    intercept: float
    sd: float

    def __init__(self, slopes: ArrayLike, *, intercept: float = 0.0, sd: float = 0.0) -> None:
        held = np.atleast_1d(checks.floats("slopes", slopes))
        if held.ndim != 1:
            raise BadShape(f"slopes must be a list with a number for each column; got shape {held.shape}")
        level = float(checks.floats("intercept", intercept, ndim=0))
        self._hold(slopes=tuple(held.tolist()), intercept=level, sd=_sd(sd))

    def at(self, X: Floats) -> Floats:
        """The height of the plane at each row."""
        if X.shape[1] != len(self.slopes):
            raise BadShape(f"X must have {len(self.slopes)} columns, one for each slope; got {X.shape[1]}")
        return np.asarray(X @ np.array(self.slopes) + self.intercept)

    @property
    def doubt(self) -> Kernel | None:
        """sd² (1 + x·z)."""
        return (Linear(self.sd**2) + Constant(self.sd**2)).fixed() if self.sd else None


@dataclass(frozen=True, slots=True, init=False, eq=False)
class BasisMean(Mean):
    """m(x) = φ(x)ᵀ w for any basis functions: ``function`` makes a table of features of a table of rows.

    ``weights`` are w. With ``covariance`` (a variance for all, one for each, or a matrix) they are unknown, and
    believed to be normal about these. A mean that holds a function cannot be saved.

    >>> def parabola(X):
    ...     return np.hstack([np.ones_like(X), X, X**2])
    >>> BasisMean(parabola, [1.0, 0.0, 2.0]).at(np.array([[1.0], [2.0]]))
    array([3., 9.])
    """

    function: Callable[[Floats], ArrayLike]
    weights: tuple[float, ...]
    kernel: Kernel | None

    def __init__(
        self,
        function: Callable[[Floats], ArrayLike],
        weights: ArrayLike,
        *,
        covariance: ArrayLike | None = None,
    ) -> None:
        if not callable(function):
            raise BadParameter(f"function must be a function of a table of rows; got {checks.shown(function)}")
        held = checks.floats("weights", weights, ndim=1)
        kernel = None if covariance is None else BasisKernel(function, covariance).fixed()
        self._hold(function=function, weights=tuple(held.tolist()), kernel=kernel)

    def at(self, X: Floats) -> Floats:
        """φ(x)ᵀ w for each row."""
        made = checks.floats("function(X)", self.function(X), ndim=2)
        if made.shape != (len(X), len(self.weights)):
            raise BadShape(
                f"function(X) must have a row for each row of X and a column for each weight, "
                f"{(len(X), len(self.weights))}; got {made.shape}"
            )
        return np.asarray(made @ np.array(self.weights))

    @property
    def doubt(self) -> Kernel | None:
        """φ(x)ᵀ Σ φ(z)."""
        return self.kernel


def _sd(value: float) -> float:
    return float(checks.positive("sd", value, zero=True, ndim=0))
