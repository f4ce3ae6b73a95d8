"""The values of one column as they arrive from Python, sorted out by content: numbers, truths, times or labels."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import BadShape, InvalidInput
from credo.tables.evidence import INFINITE, NUMBER, TIME, as_labels
from credo.tables.schema import BLANKS, Column, label

__all__ = ["Cells", "absent", "cells", "coded", "number", "object_array", "time"]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The values of one column, missing ones marked in the way of their form.

    ``number`` is integers or floats with NaN, ``truth`` floats 0 and 1 with NaN, ``time`` datetime64[us] with NaT,
    ``label`` the codes of stripped texts, which are ``texts``, with -1.
    """

    name: str
    form: Literal["number", "truth", "time", "label"]
    values: NDArray[Any]
    texts: tuple[str, ...] = ()
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
        return self.values >= 0 if self.form == "label" else ~absent(self.values)


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
    """Texts by their codes; each distinct text is looked at once."""
    place = {value: i for i, value in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(place.__getitem__, listed), dtype=np.intp, count=len(listed))
    return coded(name, list(place), codes, missing, remark)


def coded(
    name: str, values: Sequence[str | None], codes: NDArray[Any], missing: Collection[str], remark: str = ""
) -> Cells:
    """Texts that are given by their codes among ``values``, -1 for none; they are stripped, and some mean missing.

    >>> held = coded("g", ["b ", "?", "a"], np.array([2, 1, -1, 0]), ("?",))
    >>> held.texts, held.values
    (('b', 'a'), array([ 1, -1, -1,  0], dtype=int32))
    """
    texts: dict[str, int] = {}
    known = np.full(len(values) + 1, -1, dtype=np.int32)  # the last entry is what -1 points at
    occurs = np.bincount(codes[codes >= 0], minlength=len(values)) > 0
    written = set()
    for i, value in enumerate(values):
        if not occurs[i]:
            continue
        text = None if value is None else str(value).strip(BLANKS)
        if text and text not in missing:
            known[i] = texts.setdefault(text, len(texts))
        elif text is not None:
            written.add(text)
    return Cells(name, "label", known[codes], tuple(texts), tokens=written, remark=remark)


def _parsed(held: Cells) -> Cells:
    """Labels from a text file, as the numbers, truths or times they all are; or as labels, their numbers counted."""
    numbers = {text: value for text in held.texts if (value := number(text, held.decimal)) is not None}
    infinite = [text for text in held.texts if INFINITE.fullmatch(text)]
    if not held.texts or (numbers and len(numbers) + len(infinite) == len(held.texts)):
        known = numbers | {text: float(text) for text in infinite}
        values = _finite(held.name, _read(held, [known[text] for text in held.texts], np.nan))
        whole = bool(numbers) and all(value.is_integer() for value in numbers.values())
        padded = min((text for text in numbers if text[0] == "0" and text[1:2].isdigit()), default="")
        if whole and padded:
            return replace(held, remark=as_labels(held.name, padded))
        return replace(held, form="number", values=values, texts=(), whole=whole)
    if all(text.lower() in ("true", "false") for text in held.texts):
        truths = _read(held, [text.lower() == "true" for text in held.texts], np.nan)
        return replace(held, form="truth", values=truths, texts=())
    if all(map(TIME.fullmatch, held.texts)):
        try:
            moments = _read(held, list(map(time, held.texts)), np.datetime64("NaT", "us"))
        except ValueError:  # written like a time, but no day of the calendar
            return held
        return replace(held, form="time", values=moments, texts=())
    oddity = next((text for text in held.texts if text not in numbers), "")
    times = np.bincount(held.values[held.present], minlength=len(held.texts))
    numeric = sum(int(count) for text, count in zip(held.texts, times, strict=True) if text in numbers)
    return replace(held, numbers=numeric, oddity=oddity)


def _read(held: Cells, values: Sequence[Any], gone: Any) -> NDArray[Any]:
    """What the texts mean, cell by cell."""
    known = np.array([*values, gone], dtype=np.asarray(gone).dtype)
    return np.take(known, held.values)


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
