"""The one place that coerces and validates arrays, names and probabilities.

Each function takes the name of the argument first, so that what it raises names the argument, the value, the rule and
the remedy; what it returns is clean: float64, C-contiguous where it matters, read-only never assumed.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import operator
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput, UnknownName

__all__ = [
    "Floats",
    "choice",
    "count",
    "floats",
    "generator",
    "known",
    "level",
    "nearest",
    "nearest_file",
    "path",
    "plain_json",
    "positive",
    "probabilities",
    "rows_match",
    "shown",
    "unique",
    "weights",
    "whole",
]

Floats = NDArray[np.float64]
Name = TypeVar("Name")

SUM_TOLERANCE = 1e-8
CLOSE = 0.6  # names less alike than this are not suggested for each other


def shown(value: object, width: int = 60) -> str:
    """A value as an error message shows it: one line, never long.

    >>> shown(list(range(100)), width=12)
    '[0, 1, 2, 3…'
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def floats(
    name: str, value: ArrayLike, *, ndim: int | None = None, missing: bool = False, infinite: bool = False
) -> Floats:
    """``value`` as a float64 array, finite throughout; ``missing=True`` allows NaN, ``infinite=True`` infinity.

    >>> floats("x", [1, 2])
    array([1., 2.])
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind in "cmM":  # NumPy would drop the imaginary parts, and count times in units of their own
            raise TypeError(f"they are {array.dtype}")
        array = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as cause:
        raise InvalidInput(f"{name} must be numbers; got {shown(value)} ({cause})") from None
    if ndim is not None and array.ndim != ndim:
        wanted = {0: "a single number", 1: "a list of numbers", 2: "a table of rows and columns"}.get(ndim)
        raise BadShape(f"{name} must be {wanted or f'{ndim}-dimensional'}; got shape {array.shape}")
    if np.isfinite(array).all():
        return array
    bad = (np.isinf(array) & (not infinite)) | (np.isnan(array) & (not missing))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        place = f" at {list(where)}" if where else ""
        rule = "a number" if infinite else "finite"
        raise InvalidInput(f"{name} must be {rule}; got {array[where]}{place}. Remove or impute such values first")
    return array


def positive(name: str, value: ArrayLike, *, zero: bool = False, ndim: int | None = None) -> Floats:
    """``value`` as floats that are all above zero (or, with ``zero=True``, not below it).

    >>> float(positive("sd", 2))
    2.0
    """
    array = floats(name, value, ndim=ndim)
    if (array < 0).any() or (not zero and (array == 0).any()):
        raise BadParameter(f"{name} must be {'zero or ' if zero else ''}positive; got {shown(value)}")
    return array


def whole(name: str, value: ArrayLike) -> Floats:
    """``value`` as floats that are all whole and not below zero.

    >>> whole("n", [3, 4.0])
    array([3., 4.])
    """
    array = positive(name, value, zero=True)
    if (array != np.floor(array)).any():
        raise BadParameter(f"{name} must be whole; got {shown(value)}")
    return array


def count(name: str, value: Any, *, least: int = 0, most: int | None = None) -> int:
    """``value`` as an int within bounds; ``2.0`` and ``True`` are refused because they are usually mistakes.

    >>> count("folds", 10, least=2)
    10
    """
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise BadParameter(f"{name} must be a whole number; got {shown(value)}") from None
    if number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"between {least} and {most}"
        raise BadParameter(f"{name} must be {limits}; got {number}")
    return number


def level(name: str, value: Any) -> float:
    """``value`` as a number strictly between 0 and 1, such as the level of an interval.

    >>> level("level", 0.95)
    0.95
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < 1:
        raise BadParameter(f"{name} must lie strictly between 0 and 1; got {shown(value)}")
    return number


def probabilities(name: str, value: ArrayLike, *, axis: int | None = -1) -> Floats:
    """``value`` as probabilities; along ``axis`` they sum to one (to 1e-8, then exactly), unless ``axis`` is None.

    >>> probabilities("prior", [0.5, 0.5])
    array([0.5, 0.5])
    """
    array = floats(name, value)
    if (array < 0).any() or (array > 1 + SUM_TOLERANCE).any():
        worst = float(array.min() if (array < 0).any() else array.max())
        raise BadProbability(f"{name} must lie between 0 and 1; got {worst:g}")
    if axis is None:
        return np.minimum(array, 1.0)
    if array.ndim == 0 or array.shape[axis] == 0:
        raise BadShape(f"{name} must hold at least one probability; got shape {array.shape}")
    total = array.sum(axis=axis, keepdims=True)
    off = np.abs(total - 1)
    if (off > SUM_TOLERANCE).any():
        worst = float(total.ravel()[off.argmax()])
        raise BadProbability(f"{name} must sum to 1; got a sum of {worst:.10g}. Divide by the sum if that is meant")
    normalised: Floats = array / total
    return normalised


def nearest(name: Any, names: Iterable[Any]) -> str:
    """A hint at the name that was meant: `` Did you mean 'age'?``, or what there is to choose from.

    >>> nearest("aeg", ["age", "sex"])
    " Did you mean 'age'?"
    """
    options = list(names)
    close = difflib.get_close_matches(str(name), [str(option) for option in options], n=1, cutoff=CLOSE)
    if close:
        return f" Did you mean {close[0]!r}?"
    few = ", ".join(repr(option) for option in options[:8])
    return f" There are: {few}{', …' if len(options) > 8 else ''}" if options else " There are none"


def nearest_file(place: Path) -> str:
    """The hint of ``nearest`` for a file that is not there: its neighbours, or that there is no such directory.

    >>> nearest_file(Path("/nowhere/at/all.csv"))
    " Nor is there a directory '/nowhere/at'"
    """
    try:
        return nearest(place.name, sorted(entry.name for entry in place.parent.iterdir()))
    except OSError:
        return f" Nor is there a directory {str(place.parent)!r}"


def path(name: str, value: Any) -> Path:
    """``value`` as a path, whether or not anything is there; ``~`` stands for the home directory.

    >>> path("path", "a.csv").name
    'a.csv'
    """
    if not isinstance(value, (str, os.PathLike)) or not str(value) or "\0" in str(value):
        raise InvalidInput(f"{name} must be a path; got {shown(value)}")
    return Path(value).expanduser()


def known(what: str, name: Name, names: Collection[Name]) -> Name:
    """``name``, if it is among ``names``; ``what`` says what kind of thing is named.

    >>> known("column", "age", ["age", "sex"])
    'age'
    """
    try:
        if name in names:
            return name
    except (TypeError, ValueError):  # an unhashable name, an array
        pass
    raise UnknownName(f"there is no {what} {shown(name)}.{nearest(name, names)}")


def choice(name: str, value: Name, options: Collection[Name]) -> Name:
    """``value``, if it is one of the ``options`` of the setting called ``name``.

    >>> choice("method", "newton", ("newton", "gradient"))
    'newton'
    """
    try:
        if value in options:
            return value
    except (TypeError, ValueError):
        pass
    close = difflib.get_close_matches(str(value), [str(option) for option in options], n=1, cutoff=CLOSE)
    meant = f". Did you mean {close[0]!r}?" if close else ""
    raise BadParameter(f"{name} must be one of {', '.join(repr(o) for o in options)}; got {shown(value)}{meant}")


def unique(what: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """``names`` as a tuple in which nothing stands twice.

    >>> unique("states", ["yes", "no"])
    ('yes', 'no')
    """
    if isinstance(names, (str, bytes)):
        raise InvalidInput(f"{what} must be a list of names; got the single text {names!r}. Put it in a list")
    try:
        held = tuple(names)
        different = len(set(held))
    except TypeError:
        raise InvalidInput(
            f"{what} must be a list of names, each usable as a dictionary key; got {shown(names)}"
        ) from None
    if different != len(held):
        twice = next(name for i, name in enumerate(held) if name in held[:i])
        raise InvalidInput(f"{what} must all differ; {twice!r} stands twice")
    return held


def rows_match(first: str, n: int, second: str, m: int) -> None:
    """Refuse two arguments that should have a row for each other and do not.

    >>> rows_match("X", 3, "y", 3)
    """
    if n != m:
        raise BadShape(f"{first} and {second} must have the same number of rows; got {n} and {m}")


def weights(name: str, value: ArrayLike, rows: int) -> Floats:
    """``value`` as a weight for each of ``rows`` rows: none below zero, at least one above it.

    >>> weights("sample_weight", [1, 0, 2], rows=3)
    array([1., 0., 2.])
    """
    array = positive(name, value, zero=True, ndim=1)
    rows_match("X", rows, name, len(array))
    if not array.any():
        raise BadParameter(f"{name} must be above zero for some row; every weight is zero")
    return array


def generator(rng: Any) -> np.random.Generator:
    """The random generator meant by ``rng``: a seed or a ``numpy.random.Generator``; never an unseeded one.

    >>> int(generator(0).integers(10))
    8
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    raise BadParameter(f"rng must be a seed (0, 1, …) or a numpy.random.Generator; got {shown(rng)}")


def plain_json(value: Any) -> Any:
    """``value`` made of what strict JSON holds: records and arrays taken apart, NaN and infinity as None, else a text.

    A field of a dataclass whose metadata says ``left_out`` is left out.

    >>> plain_json({"p": np.array([0.5, np.nan]), ("a", 1): np.int64(3)})
    {'p': [0.5, None], "('a', 1)": 3}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kept = (field for field in dataclasses.fields(value) if not field.metadata.get("left_out"))
        return {field.name: plain_json(getattr(value, field.name)) for field in kept}
    if isinstance(value, Mapping):
        return {str(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (np.ndarray, np.generic)):
        return plain_json(value.tolist())
    return str(value)
