"""What the single kernels of an expression share: their fields as hyperparameters, and as text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape
from credo.kernels.hyperparameters import Domain, Hyperparameter

__all__ = ["Numbers", "amounts", "check_columns", "entries", "number_beside", "raised", "text", "with_values"]

Numbers = float | tuple[Any, ...]  # one number, or numbers in tuples within tuples: kernels are compared and hashed
T = TypeVar("T")


def amounts(name: str, value: ArrayLike, *, most: int = 1, zero: bool = False, any_sign: bool = False) -> Numbers:
    """A setting: a number, or up to ``most`` axes of them; positive, unless ``zero`` or ``any_sign`` is allowed too."""
    array = checks.floats(name, value) if any_sign else checks.positive(name, value, zero=zero)
    if array.ndim > most or not array.size:
        wanted = ["a number", "a number or a list of them", "a number, a list or a table of them"][most]
        raise BadShape(f"{name} must be {wanted}; got shape {array.shape}")
    return _tuples(array)


def _tuples(array: Floats) -> Numbers:
    return float(array) if array.ndim == 0 else tuple(_tuples(part) for part in array)


def entries(kernel: object, domains: Mapping[str, Domain], leaf: int) -> list[Hyperparameter]:
    """The fields of a kernel that are hyperparameters, number by number."""
    return [
        Hyperparameter(type(kernel).__name__, leaf, f"{field}{place}", value, domain.low, domain.high, domain.log)
        for field, domain in domains.items()
        for place, value in _places(getattr(kernel, field))
    ]


def _places(value: Numbers) -> list[tuple[str, float]]:
    """Each number of a field with its place: ``""`` for a single one, ``[1]``, ``[1,0]``."""
    if not isinstance(value, tuple):
        return [("", value)]
    array = np.asarray(value)
    return [(f"[{','.join(map(str, index))}]", float(array[index])) for index in np.ndindex(array.shape)]


def with_values(kernel: T, domains: Mapping[str, Domain], values: Iterator[float]) -> T:
    """The kernel made again with the next values for its hyperparameters."""
    fields = {f.name: getattr(kernel, f.name) for f in dataclasses.fields(kernel)}  # type: ignore[arg-type]
    for field in domains:
        fields[field] = _filled(fields[field], values)
    return type(kernel)(**fields)


def _filled(value: Numbers, values: Iterator[float]) -> Numbers:
    return tuple(_filled(part, values) for part in value) if isinstance(value, tuple) else next(values)


def check_columns(kernel: object, fields: Sequence[str], name: str, X: Floats) -> None:
    """Refuse rows that have another number of columns than a field has numbers."""
    for field in fields:
        value = getattr(kernel, field)
        if isinstance(value, tuple) and len(value) != X.shape[1]:
            raise BadShape(
                f"{name} must have {len(value)} columns, one for each {field} of {kernel}; got {X.shape[1]}. "
                "Choose columns by .on(...)"
            )


def text(kernel: object) -> str:
    """``SE(length=1.5)``: the class, and every field by name."""
    fields = ((f.name, getattr(kernel, f.name)) for f in dataclasses.fields(kernel))  # type: ignore[arg-type]
    return f"{type(kernel).__name__}({', '.join(f'{name}={word(value)}' for name, value in fields)})"


def word(value: Any) -> str:
    """A setting as text; a function by its name."""
    return value.__name__ if callable(value) and "__name__" in dir(value) else repr(value)


def refuse_other_than_one_column(kernel: object, name: str, X: Floats) -> None:
    """For kernels of one column."""
    if X.shape[1] != 1:
        raise BadShape(f"{name} must have one column for {kernel}; got {X.shape[1]}. Choose it by .on(...)")


def number_beside(value: object) -> float | None:
    """A plain number that stands beside a kernel, or None if it is none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        return None
    if not np.isfinite(value):
        raise BadParameter(f"a number beside a kernel must be finite; got {value}")
    return float(value)


def raised(matrix: Floats, power: int) -> Floats:
    """A matrix whose entries are raised to a whole power, in place where that can be; by multiplying, which is fast."""
    if power == 0:
        matrix.fill(1.0)
    elif power > 1:
        once = matrix.copy()
        for digit in bin(power)[3:]:
            np.square(matrix, out=matrix)
            if digit == "1":
                matrix *= once
    return matrix
