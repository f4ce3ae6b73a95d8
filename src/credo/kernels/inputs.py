"""Kernels of a part of the columns, or of what a function makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import Hyperparameter
from credo.kernels.leaves import word

__all__ = ["On", "Warped"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class On(Kernel):
    """A kernel of some columns only, counted from 0; what ``k.on(columns)`` makes.

    >>> from credo.kernels import SE
    >>> SE(1.0).on([0, 2])
    SE(length=1.0).on([0, 2])
    """

    kernel: Kernel
    columns: tuple[int, ...]

    def __init__(self, kernel: Kernel, columns: int | Sequence[int]) -> None:
        if not isinstance(kernel, Kernel):
            raise BadParameter(f"kernel must be a kernel; got {checks.shown(kernel)}")
        several: Iterable[int] = columns if isinstance(columns, Iterable) else [columns]
        chosen = checks.unique("columns", [checks.count("columns", column) for column in several])
        if not chosen:
            raise BadParameter("columns must name at least one column; got none")
        self._hold(kernel=kernel, columns=chosen)

    def _chosen(self, X: Floats) -> Floats:
        return np.ascontiguousarray(X[:, self.columns])

    def _check(self, name: str, X: Floats) -> None:
        if max(self.columns) >= X.shape[1]:
            raise BadShape(
                f"{name} must have a column {max(self.columns)} for {self}; got {X.shape[1]}, counted from 0"
            )
        self.kernel._check(f"{name}[:, {list(self.columns)}]", self._chosen(X))

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return self.kernel._matrix(self._chosen(X), None if Z is None else self._chosen(Z))

    def _diagonal(self, X: Floats) -> Floats:
        return self.kernel._diagonal(self._chosen(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return self.kernel._pull(self._chosen(X), W)

    @property
    def _scale(self) -> float | None:
        return self.kernel._scale

    @property
    def _highest(self) -> float:
        return self.kernel._highest

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        return self.kernel._entries(leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return On(self.kernel._with_values(values), self.columns)

    def _text(self, binding: int) -> str:  # noqa: ARG002
        columns = self.columns[0] if len(self.columns) == 1 else list(self.columns)
        return f"{self.kernel._text(4)}.on({columns})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Warped(Kernel):
    """A kernel of what a function makes of the rows; what ``k.warped(function)`` makes.

    >>> import numpy as np
    >>> from credo.kernels import SE
    >>> SE(1.0).warped(np.log)
    SE(length=1.0).warped(log)
    """

    kernel: Kernel
    function: Callable[[Floats], ArrayLike]

    def __init__(self, kernel: Kernel, function: Callable[[Floats], ArrayLike]) -> None:
        if not isinstance(kernel, Kernel):
            raise BadParameter(f"kernel must be a kernel; got {checks.shown(kernel)}")
        if not callable(function):
            raise BadParameter(f"function must be a function of a table of rows; got {checks.shown(function)}")
        self._hold(kernel=kernel, function=function)

    def _made(self, X: Floats) -> Floats:
        return features(self.function, X)

    def _check(self, name: str, X: Floats) -> None:
        self.kernel._check(f"{word(self.function)}({name})", self._made(X))

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return self.kernel._matrix(self._made(X), None if Z is None else self._made(Z))

    def _diagonal(self, X: Floats) -> Floats:
        return self.kernel._diagonal(self._made(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return self.kernel._pull(self._made(X), W)

    @property
    def _scale(self) -> float | None:
        return self.kernel._scale

    @property
    def _highest(self) -> float:
        return self.kernel._highest

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        return self.kernel._entries(leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return Warped(self.kernel._with_values(values), self.function)

    def _text(self, binding: int) -> str:  # noqa: ARG002
        return f"{self.kernel._text(4)}.warped({word(self.function)})"


def features(function: Callable[[Floats], ArrayLike], X: Floats) -> Floats:
    """What a function makes of rows, as a table of finite numbers with as many rows."""
    made = checks.floats(f"{word(function)}(X)", function(X), ndim=2)
    checks.rows_match("X", len(X), f"{word(function)}(X)", len(made))
    return np.ascontiguousarray(made)
