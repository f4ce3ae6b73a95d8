"""The values of one column as they arrive from Python, sorted out by content: numbers, truths, times or labels."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import BadShape, InvalidInput
from credo.tables.evidence import INFINITE, NUMBER, TIME
from credo.tables.schema import BLANKS, Column, label

__all__ = ["Cells", "absent", "cells", "number", "object_array", "time"]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The values of one column, missing ones marked in the way of their form.

    ``number`` is integers or floats with NaN, ``truth`` floats 0 and 1 with NaN, ``time`` datetime64[us] with NaT,
    ``label`` an object array of stripped texts with None.
    """

    name: str
    form: Literal["number", "truth", "time", "label"]
    values: NDArray[Any]
    whole: bool = False  # came as whole numbers, whatever they are held as
    decimal: str = "."  # the decimal sign in labels that are numbers
    numbers: int = 0  # how many labels of a text file are numbers, where not all are
    oddity: str = ""  # and the first that is not
    declared: Column | None = None  # the data frame said what it is
    tokens: Collection[str] = ()  # how missing was written
    remark: str = ""

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which cells hold a value."""
        return ~absent(self.values)


def absent(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which values are None, NaN or NaT."""
    if values.dtype.kind == "O":
        return np.fromiter((value is None for value in values), dtype=bool, count=len(values))
    none: NDArray[np.bool_] = np.isnat(values) if values.dtype.kind == "M" else np.isnan(values)
    return none


def object_array(values: Collection[Any]) -> NDArray[Any]:
    """A one-dimensional object array, whatever the values are."""
    array = np.empty(len(values), dtype=object)
    array[:] = list(values)
    return array


def cells(name: str, values: Any, missing: Collection[str], *, decimal: str = ".", parse: bool = False) -> Cells:
    """``values`` (an array or a list) sorted out by content; with ``parse``, texts that are all numbers become numbers.

    >>> cells("x", [1, None, 2], ()).values
    array([ 1., nan,  2.])
    """
    array = _array(name, values)
    kind = array.dtype.kind
    if kind == "f":
        return Cells(name, "number", _finite(name, array.astype(np.float64)))
    if kind in "iu":
        return Cells(name, "number", array.copy(), whole=True)
    if kind == "b":
        return Cells(name, "truth", array.astype(np.float64))
    if kind == "M":
        return Cells(name, "time", array.astype("datetime64[us]"))
    if kind in "OUT":
        held = _by_content(name, array.tolist(), missing)
        held = replace(held, decimal=decimal)
        return _parsed(held) if parse and held.form == "label" else held
    raise InvalidInput(f"column {name!r} holds {array.dtype} values; a column holds numbers, texts, truths or times")


def _array(name: str, values: Any) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidInput(f"column {name!r} is a masked array; give its missing values as NaN or None")
    if isinstance(values, (str, bytes, Mapping)):
        raise InvalidInput(f"column {name!r} must be a list of values; got {checks.shown(values)}")
    if isinstance(values, (list, tuple, range)):
        return object_array(values)  # asarray would turn [1, "a"] into texts
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as cause:
        raise InvalidInput(f"column {name!r} must be a list of values; got {checks.shown(values)} ({cause})") from None
    if array.ndim != 1:
        raise BadShape(f"column {name!r} must be a list of values; got {checks.shown(values)} of shape {array.shape}")
    return array


def _finite(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise InvalidInput(
            f"column {name!r}, row {row + 1}: {values[row]} is not finite. Remove the row, or mark it as missing"
        )
    return values


def _by_content(name: str, listed: list[Any], missing: Collection[str]) -> Cells:
    """Objects, by their types."""
    if all(issubclass(kind, (str, type(None))) for kind in set(map(type, listed))):
        return _labels(name, listed, missing)
    listed = [None if _gone(value) else value for value in listed]
    kinds = set(map(type, listed)) - {type(None)}

    def only(*types: type) -> bool:
        return bool(kinds) and all(issubclass(kind, types) for kind in kinds)

    if not kinds or only(bool, np.bool_):
        return Cells(name, "truth" if kinds else "number", _numbers(name, listed))
    if only(int, float, np.integer, np.floating) and not kinds & {bool, np.bool_}:
        return Cells(name, "number", _numbers(name, listed), whole=only(int, np.integer))
    if only(dt.date, np.datetime64):
        return Cells(name, "time", _times(name, listed))
    for row, value in enumerate(listed):
        if value is not None and not isinstance(value, (str, bool, int, float, np.generic)):
            raise InvalidInput(
                f"column {name!r}, row {row + 1}: {checks.shown(value)} is a {type(value).__name__}; "
                "a column holds numbers, texts, truths or times"
            )
    texts = [None if value is None else label(value) for value in listed]
    remark = "" if only(str) else "values of several types were read as texts"
    return _labels(name, texts, missing, remark)


def _gone(value: Any) -> bool:
    """None, NaN, NaT and the NA of pandas (which is told by its type's name, as pandas may not be there)."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _numbers(name: str, listed: list[Any]) -> NDArray[Any]:
    try:
        if listed and all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in listed):
            return np.array(listed, dtype=np.int64)
    except OverflowError:
        pass
    try:
        return _finite(name, np.array([np.nan if value is None else value for value in listed], dtype=np.float64))
    except OverflowError:
        raise InvalidInput(f"column {name!r} holds a whole number too large for a float64") from None


def _times(name: str, listed: list[Any]) -> NDArray[Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, dt.datetime) and value.tzinfo is not None:
            return value.astimezone(dt.UTC).replace(tzinfo=None)
        return np.datetime64("NaT") if value is None else value

    try:
        return np.array([np.datetime64(plain(value), "us") for value in listed], dtype="datetime64[us]")
    except (ValueError, TypeError, OverflowError) as cause:
        raise InvalidInput(f"column {name!r} holds a time that cannot be read ({cause})") from None


def _labels(name: str, listed: list[str | None], missing: Collection[str], remark: str = "") -> Cells:
    """Texts stripped, with those that mean missing as None; each distinct text is looked at once."""
    clean: dict[str | None, str | None] = {None: None}
    written = set()
    for value in set(listed) - {None}:
        text = str(value).strip(BLANKS)
        clean[value] = None if text in missing or not text else text
        if clean[value] is None:
            written.add(text)
    values = object_array([clean[value] for value in listed])
    return Cells(name, "label", values, tokens=written, remark=remark)


def _parsed(held: Cells) -> Cells:
    """Labels from a text file, as the numbers, truths or times they all are; or as labels, their numbers counted."""
    counted = Counter(held.values.tolist())
    gone = counted.pop(None, 0)
    numbers = {text: value for text in counted if (value := number(text, held.decimal)) is not None}
    infinite = [text for text in counted if INFINITE.fullmatch(text)]
    if gone == len(held.values) or (numbers and len(numbers) + len(infinite) == len(counted)):
        values = _finite(held.name, _read(held, numbers | {text: float(text) for text in infinite}, np.nan))
        whole = bool(numbers) and all(value.is_integer() for value in numbers.values())
        return replace(held, form="number", values=values, whole=whole)
    if all(text.lower() in ("true", "false") for text in counted):
        return replace(
            held, form="truth", values=_read(held, {text: text.lower() == "true" for text in counted}, np.nan)
        )
    if all(map(TIME.fullmatch, counted)):
        try:
            moments = _read(held, {text: time(text) for text in counted}, np.datetime64("NaT", "us"))
        except ValueError:  # written like a time, but no day of the calendar
            return held
        return replace(held, form="time", values=moments)
    oddity = next((text for text in counted if text not in numbers), "")
    return replace(held, numbers=sum(counted[text] for text in numbers), oddity=oddity)


def _read(held: Cells, known: Mapping[str, Any], gone: Any) -> NDArray[Any]:
    values = [gone if text is None else known[text] for text in held.values.tolist()]
    return np.array(values, dtype=np.asarray(gone).dtype)


def number(text: str, decimal: str = ".") -> float | None:
    """A text as the finite number it is written as, or None.

    >>> number("1,5", decimal=","), number("1_000"), number("1e999")
    (1.5, None, None)
    """
    if decimal == ",":
        text = "" if "." in text else text.replace(",", ".")
    value = float(text) if NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def time(text: str) -> np.datetime64:
    """An ISO date, or date and time of day (with Z for UTC), as a moment."""
    return np.datetime64(text.removesuffix("Z"), "us")
