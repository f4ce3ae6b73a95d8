"""The table: named, typed columns with missing values, in memory or on disk behind one interface."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.counts import CountTable
from credo.errors import BadShape, InvalidInput
from credo.tables.build import Parts, array_looks, build, looks
from credo.tables.cells import absent
from credo.tables.dialect import AUTOMATIC, Dialect
from credo.tables.evidence import Types
from credo.tables.memory import Backing, Memory, Stored, as_codes
from credo.tables.moments import Moments, moments
from credo.tables.schema import MISSING, Column, Kind, Schema, State
from credo.tables.show import as_html, as_text

__all__ = ["Table", "as_table"]

#: How many cells ``batches`` reads at a time when it is not told how many rows.
BATCH_CELLS = 2**21


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Table:
    """Rows of named, typed columns, any of which may be missing here and there. It never changes.

    ``types`` overrides the guessed kind of a column, ``missing`` lists how missing values are written.

    >>> t = Table({"age": [31, 47, None], "size": ["S", "L", "?"]}, types={"size": ["S", "M", "L"]})
    >>> t.kind("age"), int(t.missing("size").sum())
    (<Kind.CONTINUOUS: 'continuous'>, 1)
    >>> t["age"], t["size"]
    (array([31., 47., nan]), array(['S', 'L', None], dtype=object))
    >>> print(t.schema["age"].reason)
    2 distinct whole numbers from 31 to 47: read as a measurement; say types={'age': 'category'} if they are labels; ...
    """

    schema: Schema
    notes: tuple[str, ...]
    _backing: Backing

    def __init__(self, data: Any, *, types: Types | None = None, missing: Sequence[str] = MISSING) -> None:
        self._set(build(looks(data), types, missing))

    def _set(self, parts: Parts) -> None:
        object.__setattr__(self, "schema", parts.schema)
        object.__setattr__(self, "_backing", parts.backing)
        object.__setattr__(self, "notes", parts.notes)

    @classmethod
    def of(cls, parts: Parts) -> Table:
        """A table of ready-made parts."""
        table = cls.__new__(cls)
        table._set(parts)
        return table

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        types: Types | None = None,
        missing: Sequence[str] = MISSING,
        header: bool | str = "auto",
        dialect: Dialect = AUTOMATIC,
        in_memory: bool | None = None,
        memory_limit: int | str | None = None,
    ) -> Table:
        """The table in a CSV, TSV, JSON-lines (each also gzipped), Parquet or Arrow/Feather file.

        ``header`` says whether the first line of a text file names the columns; ``dialect`` how the file is written.
        A table too large for ``memory_limit`` ("2GB") stays on disk unless ``in_memory`` says otherwise: as a typed
        copy in a temporary database that goes away with the table.
        """
        from credo.tables.reading import read

        return cls.of(
            read(
                path,
                types=types,
                missing=missing,
                dialect=dialect if header == "auto" else replace(dialect, header=header),
                in_memory=in_memory,
                memory_limit=memory_limit,
            )
        )

    @classmethod
    def from_frame(cls, frame: Any, *, types: Types | None = None, missing: Sequence[str] = MISSING) -> Table:
        """The table in a data frame of any kind: pandas, polars, pyarrow and others that narwhals knows."""
        return cls(frame, types=types, missing=missing)

    @classmethod
    def from_array(cls, X: Any, names: Sequence[str] | None = None, *, types: Types | None = None) -> Table:
        """The table in a two-dimensional array or a list of rows; without ``names`` the columns are x0, x1, ...

        >>> Table.from_array(np.eye(2), ["a", "b"])["b"]
        array([0., 1.])
        """
        return cls.of(build(array_looks(X, names), types))

    # -- what there is

    def __len__(self) -> int:
        return self._backing.rows

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns."""
        return len(self), len(self.schema)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.schema.names

    @property
    def in_memory(self) -> bool:
        """Whether the values are in memory, rather than in a temporary database on disk."""
        return isinstance(self._backing, Memory)

    def kind(self, name: str) -> Kind:
        """The kind of a column."""
        return self.schema[name].kind

    def states(self, name: str) -> tuple[State, ...]:
        """The states of a category, an ordered category or a boolean, in order."""
        column = self.schema[name]
        if not column.kind.has_states:
            raise InvalidInput(
                f"column {name!r} is {column.kind} and has no states; say types={{{name!r}: 'category'}} if it should"
            )
        return column.states

    # -- values

    def _stored(self, name: str) -> NDArray[Any]:
        values = self._backing.read([self.schema[name].name], 0, len(self))[name]
        values.setflags(write=False)
        return values

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The values of a column.

        Floats with NaN for numbers and booleans, datetime64 with NaT for times, objects with None for texts and states.
        """
        values = self._stored(name)
        if not self.schema[name].kind.has_states or self.kind(name) is Kind.BOOLEAN:
            return values
        states = np.empty(len(self.states(name)) + 1, dtype=object)
        states[:-1] = self.states(name)
        held: NDArray[Any] = states[values]
        return held

    def codes(self, name: str) -> NDArray[np.int32]:
        """For each row the position of its state in ``states(name)``; -1 where it is missing."""
        self.states(name)
        return as_codes(self._stored(name))

    def missing(self, name: str) -> NDArray[np.bool_]:
        """For each row whether the column is missing there."""
        return _gone(self._stored(name))

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of plain Python values, None where missing: what ``Table(...)`` takes.

        >>> Table({"n": [2, None], "ok": [True, False]}).to_dict()
        {'n': [2.0, None], 'ok': [True, False]}
        """
        listed = {}
        for name in self.columns:
            values, kind = self[name], self.kind(name)
            plain = [bool(value) for value in values] if kind is Kind.BOOLEAN else values.tolist()
            listed[name] = [None if absent else value for value, absent in zip(plain, absent(values), strict=True)]
        return listed

    def to_frame(self, backend: str = "pandas") -> Any:
        """The table as a data frame of "pandas", "polars" or "pyarrow"."""
        from credo.tables.frames import native_frame

        return native_frame(self.to_dict(), backend)

    # -- parts

    def _with(self, stored: Stored, rows: int) -> Table:
        return Table.of(Parts(self.schema, Memory(rows, stored), self.notes))

    def select(self, names: Sequence[str]) -> Table:
        """The table of these columns only, in this order."""
        return Table.of(Parts(self.schema.select(names), self._backing, self.notes))

    def drop(self, names: str | Sequence[str]) -> Table:
        """The table without these columns."""
        gone = {names} if isinstance(names, str) else set(checks.unique("names", names))
        for name in gone:
            checks.known("column", name, self.columns)
        return self.select([name for name in self.columns if name not in gone])

    def take(self, rows: ArrayLike) -> Table:
        """The table of these rows, in memory: their numbers (from 0, in any order), or True and False for every row.

        >>> Table({"x": [1.5, 2.5, 3.5]}).take([2, 0])["x"]
        array([3.5, 1.5])
        """
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            checks.rows_match("rows", chosen.size, "the table", len(self))
            chosen = np.flatnonzero(chosen)
        if chosen.ndim != 1 or (chosen.dtype.kind not in "iu" and chosen.size):
            raise BadShape(f"rows must be a list of row numbers or of True and False; got {checks.shown(rows)}")
        chosen = chosen.astype(np.intp)
        wrong = (chosen < 0) | (chosen >= len(self))
        if wrong.any():
            raise InvalidInput(f"rows must lie between 0 and {len(self) - 1}; got {chosen[wrong][0]}")
        return self._with(self._backing.take(self.columns, chosen), len(chosen))

    def head(self, rows: int = 5) -> Table:
        """The table of the first rows."""
        stop = min(checks.count("rows", rows), len(self))
        return self._with(self._backing.read(self.columns, 0, stop), stop)

    def batches(self, rows: int | None = None) -> Iterator[Table]:
        """The table piece by piece, each piece in memory, ``rows`` rows at a time."""
        size = max(1, BATCH_CELLS // max(1, len(self.schema))) if rows is None else checks.count("rows", rows, least=1)
        for start in range(0, len(self), size):
            stop = min(start + size, len(self))
            yield self._with(self._backing.read(self.columns, start, stop), stop - start)

    # -- sufficient statistics

    def counts(self, names: str | Sequence[str]) -> CountTable:
        """How often each combination of the states of these columns occurs, in rows where none of them is missing.

        >>> Table({"a": ["x", "y", "x"], "b": [True, False, None]}).counts(["a", "b"]).counts
        array([[0, 1],
               [1, 0]])
        """
        held = checks.unique("names", [names] if isinstance(names, str) else names)
        columns: list[Column] = []
        for name in held:
            if not self.states(name):
                raise InvalidInput(f"column {name!r} has no states to count: every value is missing")
            columns.append(self.schema[name])
        if not columns:
            raise InvalidInput("names must name at least one column to count")
        return CountTable(held, [column.states for column in columns], self._backing.counts(columns))

    def moments(self, names: Sequence[str] | None = None, *, by: str | None = None) -> Moments:
        """Counts, means and covariances of number columns (all, if not told which), by group if ``by`` is given.

        >>> Table({"x": [1.0, 3.0, 9.0], "g": ["a", "a", "b"]}).moments(["x"], by="g").mean
        array([[2.],
               [9.]])
        """
        numbers = [column.name for column in self.schema if column.kind.is_number and column.name != by]
        held = checks.unique("names", numbers if names is None else names)
        for name in held:
            if not self.schema[name].kind.is_number:
                raise InvalidInput(f"column {name!r} is {self.kind(name)} and has no mean. Leave it out, or count it")
        states = None if by is None else self.states(by)
        wanted = self.select([*held, *([] if by is None or by in held else [by])])
        return moments(
            held,
            states,
            (
                (
                    np.column_stack([np.empty((len(part), 0)), *(part[name] for name in held)]),
                    None if by is None else part.codes(by),
                )
                for part in wanted.batches()
            ),
        )

    # -- display

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def _gone(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which stored values are missing."""
    return np.less(values, 0) if values.dtype == np.int32 else absent(values)


def as_table(data: Any) -> Table:
    """``data`` as a table: a Table, a mapping of columns, a data frame, a 2-D array, a list of rows, or a file's path.

    >>> as_table([[1.5, 2.0], [2.5, 4.0]]).columns
    ('x0', 'x1')
    """
    if isinstance(data, Table):
        return data
    if isinstance(data, (str, os.PathLike)):
        return Table.read(data)
    return Table(data)


def conform(data: Any, schema: Schema, unseen: str) -> Table:
    """``data`` with exactly the columns of ``schema``; see ``Schema.apply``."""
    from credo.tables import build as building

    if isinstance(data, (str, os.PathLike)):
        from credo.tables.reading import read

        return Table.of(read(data, schema=schema, unseen=unseen))
    if not isinstance(data, Table):
        return Table.of(building.conform(looks(data), schema, unseen))
    notes = building.require(data.columns, schema)
    if all(_alike(data.schema[column.name], column) for column in schema):
        return Table.of(Parts(schema, data._backing, notes))
    if not data.in_memory:
        raise InvalidInput("a table on disk keeps its kinds and states; apply the schema to its file instead")
    return Table.of(building.conform(looks({name: data[name] for name in schema.names}), schema, unseen))


def _alike(one: Column, other: Column) -> bool:
    return one.kind is other.kind and one.states == other.states
