"""Columns that came from Python: what is in them, and the same values typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import FormatError, InvalidInput
from credo.tables.cells import Cells, number, time
from credo.tables.evidence import MANY_LABELS, TIME, TRUTHS, Evidence, as_numbers, in_order
from credo.tables.schema import Column, Kind, State, label

__all__ = ["evidence", "lost", "misfit", "states", "typed", "unknown"]


def evidence(held: Cells) -> Evidence:
    """What is seen in the column, for the guess of its kind."""
    present = held.present
    rows, count = len(present), int(present.sum())
    if held.form == "number":
        return _numbers(held, held.values[present].astype(np.float64))
    if held.form != "label":
        truths, times = count * (held.form == "truth"), count * (held.form == "time")
        return Evidence(rows, count, tokens=held.tokens, truths=truths, times=times)
    few = in_order(held.texts) if len(held.texts) <= 2 * MANY_LABELS else None
    numeric = bool(held.texts) and all(number(text, held.decimal) is not None for text in held.texts)
    return Evidence(
        rows,
        count,
        tokens=held.tokens,
        numbers=held.numbers,
        distinct=len(held.texts),
        states=few,
        oddity=held.oddity,
        remark=held.remark or (as_numbers(held.name) if numeric else ""),
    )


def _numbers(held: Cells, values: NDArray[np.float64]) -> Evidence:
    rows, whole = len(held.values), held.whole
    if not len(values):
        return Evidence(rows, 0, tokens=held.tokens)
    distinct = np.unique(values) if whole else values[:0]
    few = tuple(map(int, distinct)) if len(distinct) <= 2 * MANY_LABELS else None
    low, high = float(values.min()) + 0.0, float(values.max()) + 0.0  # -0.0 is written 0
    return Evidence(
        rows,
        len(values),
        tokens=held.tokens,
        numbers=len(values),
        whole=whole,
        low=low,
        high=high,
        distinct=len(distinct),
        states=few,
    )


def states(held: Cells) -> tuple[State, ...]:
    """All distinct values, in order, as the states of a category."""
    if held.form == "label":
        return in_order(held.texts)
    distinct = np.unique(held.values[held.present])
    if held.form == "number":
        return tuple(int(value) if held.whole else float(value) for value in distinct)
    return tuple(bool(value) if held.form == "truth" else str(value) for value in distinct)


def typed(held: Cells, column: Column, *, unseen: str) -> NDArray[Any]:
    """The values as a table stores them: floats with NaN, int32 codes with -1, texts with None or moments with NaT.

    A value that is none of the column's states becomes missing, or is refused when ``unseen`` says so.
    """
    if (column.kind.is_number and held.form == "truth") or (column.kind is Kind.CONTINUOUS and held.form == "number"):
        return held.values.astype(np.float64)
    if column.kind is Kind.TIME and held.form == "time":
        return held.values.copy()
    read, gone, kind = _reader(column, held.decimal, refuse=unseen == "refuse")
    texts, place = _distinct(held)
    known = np.full(len(texts) + 1, gone, dtype=kind)  # the last entry is what place -1, a missing value, points at
    wrong = []
    for i, text in enumerate(texts):
        try:
            known[i] = read(text)
        except (KeyError, ValueError):
            wrong.append(i)
    if wrong:
        row = int(np.isin(place, wrong).argmax())
        misfit(column, row, texts[place[row]])
    return np.take(known, place)


def _distinct(held: Cells) -> tuple[Sequence[str], NDArray[np.integer]]:
    """The distinct values as texts, and for each cell which of them it is; -1 where it is missing."""
    if held.form == "label":
        return held.texts, held.values
    present = held.present
    distinct, inverse = np.unique(held.values[present], return_inverse=True)
    place = np.full(len(held.values), -1, dtype=np.intp)
    place[present] = inverse
    return [label(bool(value) if held.form == "truth" else value) for value in distinct], place


def _reader(column: Column, decimal: str, *, refuse: bool) -> tuple[Callable[[str], Any], Any, Any]:
    """How a text becomes a stored value of the column, what a missing one is, and the type of the array."""
    if column.kind in (Kind.CATEGORY, Kind.ORDERED):
        codes = {label(state): code for code, state in enumerate(column.states)}
        return (codes.__getitem__ if refuse else lambda text: codes.get(text, -1)), -1, np.int32
    if column.kind is Kind.BOOLEAN:
        return lambda text: _truth(text, decimal), np.nan, np.float64
    if column.kind is Kind.TEXT:
        return str, None, object
    if column.kind is Kind.TIME:
        return _moment, np.datetime64("NaT"), "datetime64[us]"
    return lambda text: _number(text, decimal, whole=column.kind is Kind.COUNT), np.nan, np.float64


def _number(text: str, decimal: str, *, whole: bool) -> float:
    value = number(text, decimal)
    if value is None or (whole and (value < 0 or not value.is_integer())):
        raise ValueError
    return value


def _truth(text: str, decimal: str) -> float:
    value = number(text, decimal)
    if value not in (None, 0, 1):
        raise ValueError
    return TRUTHS[text.lower()] if value is None else abs(value)


def _moment(text: str) -> np.datetime64:
    if not TIME.fullmatch(text):
        raise ValueError
    return time(text)


def lost(held: Cells, column: Column, stored: NDArray[Any]) -> list[str]:
    """A note of the values that became missing because they are none of the column's states, if there are any."""
    if column.kind not in (Kind.CATEGORY, Kind.ORDERED):
        return []
    gone = held.present & (stored < 0)
    if not gone.any():
        return []
    texts, place = _distinct(held)
    return [unknown(column.name, int(gone.sum()), texts[place[int(gone.argmax())]])]


def unknown(name: str, count: int, first: str) -> str:
    """What is said of values that became missing because they are none of the states.

    >>> unknown("g", 2, "zz")
    "column 'g': 2 values are none of its states and count as missing (first 'zz')"
    """
    are, s = ("value is", "s") if count == 1 else ("values are", "")
    return f"column {name!r}: {count:,} {are} none of its states and count{s} as missing (first {first!r})"


def misfit(column: Column, row: int, value: Any, file: str | None = None) -> NoReturn:
    """Refuse a value that is not of its column's kind; ``row`` counts from 0."""
    if column.kind in (Kind.CATEGORY, Kind.ORDERED):
        few = checks.shown(column.states)
        rule = f"is not one of its states {few}. Add it to them; Schema.apply can also make it missing"
    else:
        rule = f"is not {WANTED[column.kind]}, as the column is {column.kind}; list it in missing= if it means that"
    message = f"column {column.name!r}, row {row + 1}: {value!r} {rule}"
    raise InvalidInput(message) if file is None else FormatError(message, file=file)


WANTED = {
    Kind.CONTINUOUS: "a number",
    Kind.COUNT: "a whole number from 0 up",
    Kind.BOOLEAN: "true or false",
    Kind.TIME: "a date or a date and time such as 2020-01-31 or 2020-01-31T18:30:00",
    Kind.TEXT: "a text",
}
