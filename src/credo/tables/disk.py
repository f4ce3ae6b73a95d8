"""The backing that leaves its columns on disk, as a typed table in a temporary DuckDB database."""

# ruff: noqa: S608 (what goes into SQL is made here, but for texts, which are parameters or quoted by `literal`)

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo import native
from credo.errors import TooLarge
from credo.tables.engine import Engine
from credo.tables.memory import Stored
from credo.tables.schema import Column, Kind

__all__ = ["Disk"]

#: How many rows ``take`` goes through at a time.
BLOCK = 2**18


@dataclass(frozen=True, slots=True, eq=False)
class Disk:
    """Columns of the table ``data`` in an engine; ``idents`` says under which name each is kept there."""

    engine: Engine
    rows: int
    idents: Mapping[str, str]

    def read(self, names: Sequence[str], start: int, stop: int) -> Stored:
        """These columns of the rows from ``start`` up to ``stop``."""
        if not names:
            return {}
        wanted = ", ".join(self.idents[name] for name in names)
        where = f"rowid >= {int(start)} AND rowid < {int(stop)}"
        arrays = self.engine.arrays(f"SELECT {wanted} FROM data WHERE {where} ORDER BY rowid")
        return dict(zip(names, arrays, strict=True))

    def take(self, names: Sequence[str], rows: NDArray[np.intp]) -> Stored:
        """These columns of the given rows, in the given order; they must fit in the memory limit."""
        size = 8 * len(rows) * len(names)
        if size > self.engine.memory_limit:
            raise TooLarge(
                f"{len(rows):,} rows of {len(names)} columns take {size:,} bytes, more than the memory limit of "
                f"{self.engine.memory_limit:,}. Take fewer, or go through the table with batches()"
            )
        order = np.argsort(rows, kind="stable")
        edges = np.searchsorted(rows[order], np.arange(0, self.rows + BLOCK, BLOCK))
        parts: list[Stored] = []
        for block, (low, high) in enumerate(itertools.pairwise(edges)):
            if high > low:
                start = block * BLOCK
                held = self.read(names, start, min(start + BLOCK, self.rows))
                parts.append({name: values[rows[order[low:high]] - start] for name, values in held.items()})
        if not parts:
            return self.read(names, 0, 0)
        taken: Stored = {}
        for name in names:
            joined = np.concatenate([part[name] for part in parts])
            taken[name] = np.empty_like(joined)
            taken[name][order] = joined
        return taken

    def counts(self, columns: Sequence[Column]) -> NDArray[np.int64]:
        """How often each combination of states stands in the rows where none of the columns is missing."""
        names = [self.idents[column.name] for column in columns]
        codes = [
            f"CAST({name} AS INTEGER) AS c{i}" if column.kind is Kind.BOOLEAN else f"{name} AS c{i}"
            for i, (name, column) in enumerate(zip(names, columns, strict=True))
        ]
        # NaN is above every number in DuckDB, and a missing code is -1.
        present = " AND ".join(f"{name} >= 0 AND NOT isnan(CAST({name} AS DOUBLE))" for name in names)
        places = ", ".join(f"c{i}" for i in range(len(columns)))
        nothing = np.empty(0, dtype=np.int32)
        table: NDArray[np.int64] = native.contingency([nothing] * len(columns), [len(c.states) for c in columns])
        *found, times = self.engine.arrays(
            f"SELECT {places}, count(*) FROM (SELECT {', '.join(codes)} FROM data WHERE {present}) GROUP BY ALL"
        )
        table[tuple(found)] = times
        return table
