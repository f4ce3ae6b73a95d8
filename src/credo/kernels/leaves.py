"""What the single kernels of an expression share: their fields as hyperparameters, and as text."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
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


def entries(kernel: object, domains: Mapping[str, Domain]) -> list[Hyperparameter]:
    """The fields of a kernel that are hyperparameters, number by number."""
    found = []
    for field, domain in domains.items():
        values = np.asarray(getattr(kernel, field))
        for index in np.ndindex(values.shape):
            place = f"[{','.join(map(str, index))}]" if index else ""
            name, value = f"{field}{place}", float(values[index])
            found.append(Hyperparameter(type(kernel).__name__, 0, name, value, domain.low, domain.high, domain.log))
    return found


def with_values(kernel: T, domains: Mapping[str, Domain], values: Sequence[float]) -> T:
    """The kernel made again with other values of its hyperparameters."""
    fields = {f.name: getattr(kernel, f.name) for f in dataclasses.fields(kernel)}  # type: ignore[arg-type]
    start = 0
    for field in domains:
        shape = np.shape(fields[field])
        size = int(np.prod(shape, dtype=int))
        fields[field] = np.reshape(np.asarray(values[start : start + size]), shape)
        start += size
    return type(kernel)(**fields)


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
