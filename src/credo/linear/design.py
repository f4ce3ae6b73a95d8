"""Rows of numbers, dense or sparse, and the three products that fitting and predicting are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import blas

from credo.checks import Floats

__all__ = ["Design"]

BLOCK_CELLS = 400_000  # three megabytes: large enough for the matrix product to be quick, small enough for the cache


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
        held = np.zeros((d, d), order="F")
        for rows, block in self._blocks():
            block *= root[rows, None]
            held = blas.dsyrk(1.0, block.T, beta=1.0, c=held, overwrite_c=1)
        whole = np.empty((self.width, self.width))
        whole[:d, :d] = np.triu(held) + np.triu(held, 1).T
        if self.intercept:
            whole[d] = whole[:, d] = self.pull(weight[None])[0]
        return whole

    def spreads(self, covariance: Floats) -> Floats:
        """xᵀ C x for each row and each of the (m, m) blocks of a covariance (m, m, width, width): (rows, m, m)."""
        m, d = len(covariance), self.width - self.intercept
        spread = np.empty((self.rows, m, m))
        for rows, block in self._blocks():
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

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        """The columns in dense pieces that may be written to, without the intercept."""
        n, d = self.values.shape
        size = max(1, min(n, BLOCK_CELLS // max(d, 1)))
        held = np.empty((size, d))
        for start in range(0, n, size):
            rows = slice(start, min(n, start + size))
            block = held[: rows.stop - start]
            if isinstance(self.values, np.ndarray):
                block[:] = self.values[rows]
            else:
                self.values[rows].toarray(out=block)
            yield rows, block
