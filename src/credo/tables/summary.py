"""What is in each column of a table, in a line a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from credo.tables.schema import Column, Kind
from credo.tables.table import Table

__all__ = ["ColumnSummary", "summary"]


@dataclass(frozen=True, slots=True)
class ColumnSummary:
    """A column, how many of its values are missing, and the least and greatest of the others."""

    column: Column
    missing: int
    low: Any = None
    high: Any = None

    @property
    def values(self) -> str:
        """The states, or the range."""
        if self.column.kind.has_states:
            return ", ".join(str(state) for state in self.column.states)
        if self.low is None:
            return ""
        shown = [f"{end:.6g}" if isinstance(end, float) else str(end) for end in (self.low, self.high)]
        return " to ".join(shown)


def summary(table: Table) -> list[ColumnSummary]:
    """What is in each column, gone through piece by piece.

    >>> [one.values for one in summary(Table({"x": [1.5, None, 0.5], "g": ["a", "b", "a"]}))]
    ['0.5 to 1.5', 'a, b']
    """
    missing = dict.fromkeys(table.columns, 0)
    ends: dict[str, list[Any]] = {name: [] for name in table.columns}
    for part in table.batches():
        for name in table.columns:
            gone = part.missing(name)
            missing[name] += int(gone.sum())
            if part.kind(name) in (Kind.CONTINUOUS, Kind.COUNT, Kind.TIME) and not gone.all():
                values = part[name][~gone]
                ends[name] += [values.min(), values.max()]
    return [
        ColumnSummary(column, missing[column.name], _plain(min(found, default=None)), _plain(max(found, default=None)))
        for column in table.schema
        for found in (ends[column.name],)
    ]


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, np.floating) else value
