"""From what Python holds (a mapping, a data frame, an array, rows) to the parts of a table in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from credo import checks
from credo.errors import BadShape, InvalidInput
from credo.tables import arrays
from credo.tables.cells import Cells, cells
from credo.tables.evidence import Types, guess, settle, tokens
from credo.tables.frames import as_frame, frame_columns, series_cells
from credo.tables.memory import Backing, Memory
from credo.tables.schema import MISSING, Column, Kind, Schema, missing_tokens

__all__ = ["Look", "Parts", "array_looks", "build", "looks", "require"]

#: A way to look at one column, given how missing may be written in it.
Look = Callable[[frozenset[str]], Cells]


class Parts(NamedTuple):
    """What a table is made of; ``notes`` say what a person should know about how it came to be."""

    schema: Schema
    backing: Backing
    notes: tuple[str, ...] = ()


def looks(data: Any) -> dict[str, Look]:
    """For each column of ``data`` a way to look at it."""
    if isinstance(data, Mapping):
        for name in data:
            if not isinstance(name, str):
                raise InvalidInput(f"column names must be texts; got {checks.shown(name)}")
        return {name: _looker(name, values) for name, values in data.items()}
    frame = as_frame(data)
    if frame is not None:
        return {name: _series_looker(name, series) for name, series in frame_columns(frame).items()}
    return array_looks(data, None)


def array_looks(data: Any, names: Sequence[str] | None) -> dict[str, Look]:
    """For each column of a two-dimensional array or a list of rows a way to look at it."""
    columns = _columns(data)
    held = checks.unique("names", names if names is not None else [f"x{i}" for i in range(len(columns))])
    if len(held) != len(columns):
        raise BadShape(f"names must name each column; got {len(held)} names for {len(columns)} columns")
    return {name: _looker(name, values) for name, values in zip(held, columns, strict=True)}


def _columns(data: Any) -> list[Any]:
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, (list, tuple)) for row in data):
        for i, row in enumerate(data):
            if len(row) != len(data[0]):
                raise BadShape(f"row {i + 1} has {len(row)} values where row 1 has {len(data[0])}")
        return [list(column) for column in zip(*data, strict=True)]
    array = data if isinstance(data, np.ndarray) else np.empty(0)
    if array.ndim != 2:
        raise InvalidInput(
            "data must be a table, a mapping of columns, a data frame, a 2-D array, a list of rows or a path; "
            f"got {checks.shown(data)}"
        )
    return list(array.T)


def _looker(name: str, values: Any) -> Look:
    return lambda missing: cells(name, values, missing)


def _series_looker(name: str, series: Any) -> Look:
    return lambda missing: series_cells(name, series, missing)


def build(
    found: Mapping[str, Look], types: Types | None = None, missing: Sequence[str] = MISSING, *, unseen: str = "refuse"
) -> Parts:
    """The columns in ``found``, of the kinds that are given or, where none is given, that their values speak for."""
    absent = missing_tokens(missing)
    said = settle(types, list(found))
    columns, stored, notes = [], {}, []
    for name, look in found.items():
        held = look(tokens(absent, said.get(name)))
        column = _column(held, said.get(name))
        stored[name] = arrays.typed(held, column, unseen=unseen)
        columns.append(column)
        notes += arrays.lost(held, column, stored[name])
        first = columns[0].name
        checks.rows_match(f"column {first!r}", len(stored[first]), f"column {name!r}", len(stored[name]))
    rows = len(stored[columns[0].name]) if columns else 0
    return Parts(Schema(tuple(columns), absent), Memory(rows, stored), tuple(notes))


def _column(held: Cells, said: Column | Kind | None) -> Column:
    if isinstance(said, Column):
        return said
    if said is not None:
        return Column(held.name, said, arrays.states(held) if said is Kind.CATEGORY else (), f"said to be {said}")
    return held.declared or guess(held.name, arrays.evidence(held))


def conform(found: Mapping[str, Look], schema: Schema, unseen: str) -> Parts:
    """The columns in ``found`` that ``schema`` knows, typed by it."""
    notes = require(list(found), schema)
    kept = {name: found[name] for name in schema.names}
    parts = build(kept, {column.name: column for column in schema}, schema.missing, unseen=unseen)
    return Parts(schema, parts.backing, notes + parts.notes)


def require(names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """Refuse names that lack a column of the schema; note those that the schema does not know."""
    there = set(names)
    absent = [name for name in schema.names if name not in there]
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise InvalidInput(f"there is no column {absent[0]!r}{more}.{checks.nearest(absent[0], names)}")
    extra = [name for name in names if name not in schema]
    return (f"left out, as the schema does not know them: {checks.shown(extra)}",) if extra else ()
