"""Kernels that look at little: a constant, noise, the order of a line, and which of some categories a row is in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from credo.checks import Floats, positive
from credo.errors import BadShape, InvalidInput
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import ANY, POSITIVE, Domain
from credo.kernels.leaves import Numbers, amounts, refuse_other_than_one_column

__all__ = ["Constant", "Index", "Noise", "Wiener"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Constant(Kernel):
    """The same number everywhere, k(x, z) = variance: an unknown offset, or the scale of what it multiplies.

    A number beside a kernel stands for it.

    >>> from credo.kernels import SE
    >>> 4.0 * SE(1.0) == Constant(4.0) * SE(1.0)
    True
    """

    variance: float

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"variance": POSITIVE})

    def __init__(self, variance: float = 1.0) -> None:
        self._hold(variance=float(positive("variance", variance, zero=True, ndim=0)))

    @property
    def _scale(self) -> float:
        return self.variance

    @property
    def _highest(self) -> float:
        return self.variance

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return np.full((len(X), len(X if Z is None else Z)), self.variance)

    def _add_to(self, whole: Floats, X: Floats, Z: Floats | None) -> None:  # noqa: ARG002
        whole += self.variance

    def _diagonal(self, X: Floats) -> Floats:
        return np.full(len(X), self.variance)

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:  # noqa: ARG002
        value = self.variance * float(W.sum())
        return value, np.array([value])


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Noise(Kernel):
    """Independent noise on every row, k(xᵢ, xⱼ) = sd² if i = j and 0 otherwise.

    It belongs to the rows of a matrix and not to their values: it is on the diagonal of ``k(X)``, and there is none in
    ``k(X, Z)``, whose rows are others than those of X even where they hold the same numbers.

    >>> Noise(0.5)([[1.0], [1.0]])
    array([[0.25, 0.  ],
           [0.  , 0.25]])
    >>> Noise(0.5)([[1.0]], [[1.0]])
    array([[0.]])
    """

    sd: float

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"sd": POSITIVE})

    def __init__(self, sd: float = 1.0) -> None:
        self._hold(sd=float(positive("sd", sd, zero=True, ndim=0)))

    @property
    def _highest(self) -> float:
        return self.sd * self.sd

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        matrix = np.zeros((len(X), len(X if Z is None else Z)))
        self._add_to(matrix, X, Z)
        return matrix

    def _add_to(self, whole: Floats, X: Floats, Z: Floats | None) -> None:
        if Z is None:
            whole.flat[:: len(X) + 1] += np.square(self.sd)

    def _diagonal(self, X: Floats) -> Floats:
        return np.full(len(X), np.square(self.sd))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:  # noqa: ARG002
        value = float(np.square(self.sd) * np.trace(W))
        return value, np.array([2 * value])


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Wiener(Kernel):
    """Brownian motion that starts from 0 at 0, k(x, z) = min(x, z) for one column of x, z ≥ 0.

    >>> Wiener()([[1.0], [3.0]])
    array([[1., 1.],
           [1., 3.]])
    """

    def __init__(self) -> None:
        self._hold()

    def _check(self, name: str, X: Floats) -> None:
        refuse_other_than_one_column(self, name, X)
        if (X < 0).any():
            raise InvalidInput(f"{name} must be zero or positive for {self}, which starts at 0; got {X.min():g}")

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return cast(Floats, np.minimum(X, (X if Z is None else Z).T))

    def _diagonal(self, X: Floats) -> Floats:
        return X[:, 0].copy()

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return float(np.vdot(self._matrix(X, None), W)), np.empty(0)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Index(Kernel):
    """Which of some categories a row is in: k(i, j) = Bᵢⱼ with B = diag(own) + L Lᵀ, for one column of codes 0, 1, ….

    ``own`` is what each category varies by on its own, ``shared`` the table L of what it shares with others: a row for
    each category, a column for each thing that is shared. Without it, different categories have nothing in common.

    >>> Index([1.0, 1.0, 2.0])([[0], [2], [2]])
    array([[1., 0., 0.],
           [0., 2., 2.],
           [0., 2., 2.]])
    >>> Index([1.0, 1.0], shared=[[1.0], [2.0]])([[0], [1]])
    array([[2., 2.],
           [2., 5.]])
    """

    own: tuple[float, ...]
    shared: tuple[tuple[float, ...], ...] | None

    def __init__(self, own: ArrayLike, shared: ArrayLike | None = None) -> None:
        held = amounts("own", own, zero=True)
        if not isinstance(held, tuple):
            raise BadShape(f"own must be a list with a number for each category; got {held}")
        loadings: Numbers | None = None
        if shared is not None:
            loadings = amounts("shared", shared, most=2, any_sign=True)
            if np.ndim(loadings) != 2 or len(cast(tuple[float, ...], loadings)) != len(held):
                shape = np.shape(loadings)
                raise BadShape(f"shared must be a table with a row for each of {len(held)} categories; got {shape}")
        self._hold(own=held, shared=loadings)

    @property
    def _domains(self) -> Mapping[str, Domain]:  # type: ignore[override]
        return {"own": POSITIVE} if self.shared is None else {"own": POSITIVE, "shared": ANY}

    @property
    def _table(self) -> Floats:
        loadings = np.zeros((len(self.own), 0)) if self.shared is None else np.array(self.shared)
        return np.diag(self.own) + loadings @ loadings.T

    def _check(self, name: str, X: Floats) -> None:
        refuse_other_than_one_column(self, name, X)
        codes = X[:, 0]
        wrong = (codes < 0) | (codes >= len(self.own)) | (codes != np.floor(codes))
        if wrong.any():
            raise InvalidInput(
                f"{name} must hold codes from 0 to {len(self.own) - 1} for {self}; got {codes[wrong][0]:g}"
            )

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        codes = X[:, 0].astype(np.intp)
        others = codes if Z is None else Z[:, 0].astype(np.intp)
        return self._table[np.ix_(codes, others)]

    def _diagonal(self, X: Floats) -> Floats:
        return np.diag(self._table)[X[:, 0].astype(np.intp)]

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        member = (np.arange(len(self.own)) == X).astype(np.float64)
        by_category = member.T @ (W @ member)  # what multiplies each entry of the table
        gradient = np.diag(by_category) * self.own
        if self.shared is not None:
            slopes = (by_category + by_category.T) @ np.array(self.shared)
            gradient = np.concatenate([gradient, slopes.ravel()])
        return float(np.vdot(by_category, self._table)), gradient
