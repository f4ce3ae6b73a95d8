"""Sums, products and powers of kernels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import Hyperparameter
from credo.kernels.leaves import number_beside, raised
from credo.kernels.simple import Constant

__all__ = ["Power", "Product", "Sum", "product", "total"]

HIGHEST_POWER = 100


def total(first: Kernel | float, second: Kernel | float) -> Kernel:
    """``first + second``, where a number stands for ``Constant``; what is not to be added is left to Python."""
    parts = [_constant(part) for part in (first, second)]
    if None in parts:
        return cast(Kernel, NotImplemented)
    return Sum(cast(Sequence[Kernel], parts))


def product(first: Kernel | float, second: Kernel | float) -> Kernel:
    """``first * second``; a number comes first, and multiplies a number that is there already."""
    parts = [_constant(part) for part in (first, second)]
    if None in parts:
        return cast(Kernel, NotImplemented)
    for number, kernel in ((first, second), (second, first)):
        if isinstance(number, Kernel):
            continue
        parts = list(_spread(cast(Sequence[Kernel], [_constant(number), kernel]), Product))
        if isinstance(parts[1], Constant):
            parts[:2] = [Constant(number * parts[1].variance)]
    return Product(cast(Sequence[Kernel], parts)) if len(parts) > 1 else cast(Kernel, parts[0])


def _constant(part: object) -> Kernel | None:
    if isinstance(part, Kernel):
        return part
    number = number_beside(part)
    return None if number is None else Constant(number)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Sum(Kernel):
    """The sum of kernels: what is the sum of independent parts has it as its covariance.

    >>> from credo.kernels import SE, Noise
    >>> SE(1.0) + Noise(0.1) + 2.0
    SE(length=1.0) + Noise(sd=0.1) + 2.0
    """

    parts: tuple[Kernel, ...]

    def __init__(self, parts: Sequence[Kernel]) -> None:
        self._hold(parts=_checked(parts, Sum))

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        whole = self.parts[0]._matrix(X, Z)
        for part in self.parts[1:]:
            part._add_to(whole, X, Z)
        return whole

    def _diagonal(self, X: Floats) -> Floats:
        return cast(Floats, sum(part._diagonal(X) for part in self.parts))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        pulls = [part._pull(X, W) for part in self.parts]
        return sum(value for value, _ in pulls), np.concatenate([gradient for _, gradient in pulls])

    @property
    def _highest(self) -> float:
        return sum(part._highest for part in self.parts)

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        return _joined(self.parts, leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return Sum([part._with_values(values) for part in self.parts])

    def _check(self, name: str, X: Floats) -> None:
        for part in self.parts:
            part._check(name, X)

    def _text(self, binding: int) -> str:
        return _bracketed(" + ".join(_texts(self.parts, 2)), binding > 1)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Product(Kernel):
    """The product of kernels: rows are alike where they are alike by each of them.

    >>> from credo.kernels import SE, Periodic
    >>> 2.0**2 * SE(1.5) * Periodic(length=1, period=1)
    4.0 * SE(length=1.5) * Periodic(length=1.0, period=1.0)
    """

    parts: tuple[Kernel, ...]

    def __init__(self, parts: Sequence[Kernel]) -> None:
        self._hold(parts=_checked(parts, Product))

    @property
    def _factor(self) -> float:
        return math.prod(part._scale for part in self.parts if part._scale is not None)

    @property
    def _varying(self) -> list[Kernel]:
        return [part for part in self.parts if part._scale is None]

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        if not self._varying:
            return np.full((len(X), len(X if Z is None else Z)), self._factor)
        whole = _multiplied(self._varying, X, Z)
        if self._factor != 1:
            whole *= self._factor
        return whole

    def _diagonal(self, X: Floats) -> Floats:
        return cast(Floats, math.prod(part._diagonal(X) for part in self.parts))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        varying, factor = self._varying, self._factor
        value = factor * float(W.sum())
        gradients: list[Floats] = []
        for i, part in enumerate(varying):
            weights = W
            if len(varying) > 1:
                weights = _multiplied(varying[:i] + varying[i + 1 :], X, None)
                weights *= W
            value, gradient = part._pull(X, weights)
            value *= factor
            gradients.append(factor * gradient)
        found = iter(gradients)
        # A number, one hyperparameter, moves the whole product in proportion to itself.
        parts = [next(found) if part._scale is None else np.array([value]) for part in self.parts]
        return value, np.concatenate(parts)

    @property
    def _highest(self) -> float:
        return math.prod(part._highest for part in self.parts)  # (zero times infinity is none that can be relied on)

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        return _joined(self.parts, leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return Product([part._with_values(values) for part in self.parts])

    def _check(self, name: str, X: Floats) -> None:
        for part in self.parts:
            part._check(name, X)

    def _text(self, binding: int) -> str:
        return _bracketed(" * ".join(_texts(self.parts, 3, later=False)), binding > 2)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Power(Kernel):
    """A kernel multiplied by itself, ``exponent`` times in all.

    >>> from credo.kernels import Linear
    >>> (Linear() + 1.0)**2
    (Linear(variance=1.0) + 1.0)**2
    """

    kernel: Kernel
    exponent: int

    def __init__(self, kernel: Kernel, exponent: int) -> None:
        checked = checks.count("the power of a kernel", exponent, least=1, most=HIGHEST_POWER)
        self._hold(kernel=_a_kernel(kernel), exponent=checked)

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return raised(self.kernel._matrix(X, Z), self.exponent)

    def _diagonal(self, X: Floats) -> Floats:
        return self.kernel._diagonal(X) ** self.exponent

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        weights = raised(self.kernel._matrix(X, None), self.exponent - 1)
        weights *= self.exponent
        weights *= W
        value, gradient = self.kernel._pull(X, weights)
        return value / self.exponent, gradient

    @property
    def _highest(self) -> float:
        return math.prod([self.kernel._highest] * self.exponent)

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        return self.kernel._entries(leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return Power(self.kernel._with_values(values), self.exponent)

    def _check(self, name: str, X: Floats) -> None:
        self.kernel._check(name, X)

    def _text(self, binding: int) -> str:
        return _bracketed(f"{self.kernel._text(4)}**{self.exponent}", binding > 3)


def _a_kernel(value: object) -> Kernel:
    if not isinstance(value, Kernel):
        raise BadParameter(f"a kernel was expected; got {checks.shown(value)}")
    return value


def _checked(parts: Sequence[Kernel], kind: type[Kernel]) -> tuple[Kernel, ...]:
    """The parts of a sum or product, those of a sum within a sum among them."""
    spread = tuple(_spread([_a_kernel(part) for part in parts], kind))
    if len(spread) < 2:
        raise BadParameter(f"parts must be two kernels or more; got {len(spread)}")
    return spread


def _spread(parts: Sequence[Kernel], kind: type[Kernel]) -> chain[Kernel]:
    return chain.from_iterable(
        part.parts if isinstance(part, kind) and isinstance(part, (Sum, Product)) else (part,) for part in parts
    )


def _multiplied(parts: Sequence[Kernel], X: Floats, Z: Floats | None) -> Floats:
    """The product of the matrices of kernels, in a new array."""
    whole = parts[0]._matrix(X, Z)
    for part in parts[1:]:
        whole *= part._matrix(X, Z)
    return whole


def _joined(parts: Sequence[Kernel], leaf: int) -> list[Hyperparameter]:
    found: list[Hyperparameter] = []
    for part in parts:
        found += part._entries(found[-1].leaf + 1 if found else leaf)
    return found


def _texts(parts: Sequence[Kernel], binding: int, *, later: bool = True) -> list[str]:
    """Each part as text; a constant is shown as its number where that is read as a constant again."""
    texts = []
    for i, part in enumerate(parts):
        plain = later if i else not isinstance(parts[1], Constant)
        texts.append(repr(part.variance) if plain and isinstance(part, Constant) else part._text(binding))
    return texts


def _bracketed(text: str, needed: bool) -> str:  # noqa: FBT001
    return f"({text})" if needed else text
