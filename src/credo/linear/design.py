"""Rows of numbers, dense or sparse, and the three products that fitting and predicting are made of."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import native
from credo.checks import Floats

__all__ = ["NARROW", "Design"]

NARROW = 512  # columns; a wider product is large enough for the threads of BLAS to share it well

BLOCK_CELLS = 200_000  # three megabytes: large enough for the matrix product to be quick, small enough for the cache


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The rows x, an array or sparse rows (CSR), with a 1 at the end of each where there is an ``intercept``.

    Weights are held as (m, width): one row for each number that is linear in x.

    >>> design = Design(np.array([[1.0, 2.0], [3.0, 4.0]]), intercept=True)
    >>> design.times(np.array([[1.0, 0.0, 10.0]]))
    array([[11., 13.]])
    """

    values: Any
    intercept: bool

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.values.shape[0])

    @property
    def width(self) -> int:
        """How many weights belong to a row: its columns, and the intercept."""
        return int(self.values.shape[1]) + self.intercept

    def times(self, weights: Floats) -> Floats:
        """What is linear in each row: (m, rows)."""
        if not self.intercept:
            return np.asarray((self.values @ weights.T).T)
        return np.asarray((self.values @ weights[:, :-1].T).T + weights[:, -1:])

    def pull(self, at_rows: Floats) -> Floats:
        """The transpose of ``times``: numbers (m, rows) are summed along the rows into (m, width)."""
        pulled = (self.values.T @ at_rows.T).T
        return np.asarray(np.column_stack([pulled, at_rows.sum(axis=1)]) if self.intercept else pulled)

    def gram(self, weight: Floats) -> Floats:
        """Σ w x xᵀ over the rows."""
        root = np.sqrt(weight)
        d = self.width - self.intercept
        whole = np.zeros((self.width, self.width))

        def squares(rows: slice) -> Floats:
            block = self._block(rows) * root[rows, None]
            with np.errstate(over="ignore", invalid="ignore"):  # whoever asked looks at what comes out
                return np.asarray(block.T @ block)

        pieces = self._pieces()
        crew = min(native.threads(), len(pieces)) if d <= NARROW else 1
        with ThreadPoolExecutor(crew, thread_name_prefix="credo-gram") as pool:
            for part in pool.map(squares, pieces) if crew > 1 else map(squares, pieces):
                whole[:d, :d] += part  # in the order of the pieces, whoever is done first
        if self.intercept:
            whole[d] = whole[:, d] = self.pull(weight[None])[0]
        return whole

    def spreads(self, covariance: Floats) -> Floats:
        """xᵀ C x for each row and each of the (m, m) blocks of a covariance (m, m, width, width): (rows, m, m)."""
        m, d = len(covariance), self.width - self.intercept
        spread = np.empty((self.rows, m, m))
        for rows in self._pieces():
            block = self._block(rows)
            for a in range(m):
                for b in range(a + 1):
                    C = covariance[a, b]
                    part = np.einsum("ij,ij->i", block @ C[:d, :d], block)
                    if self.intercept:
                        part += block @ (C[:d, d] + C[d, :d]) + C[d, d]
                    spread[rows, a, b] = spread[rows, b, a] = part
        return spread

    def dense(self) -> Floats:
        """The rows as they are multiplied, the intercept's ones at their end; for few rows."""
        values = self.values if isinstance(self.values, np.ndarray) else self.values.toarray()
        return np.column_stack([values, np.ones(self.rows)]) if self.intercept else np.asarray(values)

    def _pieces(self) -> list[slice]:
        """The rows, some at a time."""
        n, d = self.values.shape
        size = max(1, min(n, BLOCK_CELLS // max(d, 1)))
        return [slice(start, min(n, start + size)) for start in range(0, n, size)]

    def _block(self, rows: slice) -> Floats:
        """The columns of some rows, dense, without the intercept."""
        block = self.values[rows]
        return block if isinstance(block, np.ndarray) else np.asarray(block.toarray())
