"""Rows as naive Bayes works on them: numbers in one matrix, categories as codes, column by column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.tables import Schema, Table

__all__ = ["Cells", "Examples", "split"]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of some rows, by kind of column.

    ``numbers`` has shape (rows, columns), with NaN where missing. ``codes`` has an array for each column of categories,
    −1 where missing, and ``sizes`` says how many states each of them has.
    """

    numbers: Floats
    codes: tuple[NDArray[np.int32], ...] = ()
    sizes: tuple[int, ...] = ()

    @classmethod
    def of_table(cls, table: Table) -> Cells:
        """The cells of a table whose columns are all numbers or categories."""
        numbers, categories = split(table.schema)
        matrix = np.empty((len(table), len(numbers)))
        for j, name in enumerate(numbers):
            matrix[:, j] = table[name]
        codes = tuple(table.codes(name) for name in categories)
        return cls(matrix, codes, tuple(len(table.states(name)) for name in categories))

    def take(self, rows: NDArray[np.intp]) -> Cells:
        """The cells of some of the rows."""
        return Cells(self.numbers[rows], tuple(column[rows] for column in self.codes), self.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows to learn from: their cells, which of the ``classes`` each is in, and what each counts (None: 1)."""

    cells: Cells
    y: NDArray[np.int32]
    classes: int
    weights: Floats | None

    def take(self, rows: NDArray[np.intp]) -> Examples:
        """Some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return Examples(self.cells.take(rows), self.y[rows], self.classes, weights)


def split(schema: Schema) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns that are numbers, and of those that have states."""
    numbers = tuple(column.name for column in schema if not column.kind.has_states)
    return numbers, tuple(column.name for column in schema if column.kind.has_states)
