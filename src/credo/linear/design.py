"""Rows of numbers, dense or sparse, and the products that fitting and predicting are made of.

Many weighted sums Σ c x xᵀ of the same rows are one matrix product of the weights with the products of every two
columns; so are many forms xᵀ C x. That is how they are made where there are many of them and not many more columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import native
from credo.checks import Floats

__all__ = ["NARROW", "Design"]

NARROW = 512  # columns; a wider product is large enough for the threads of BLAS to share it well

BLOCK_CELLS = 200_000  # three megabytes: large enough for the matrix product to be quick, small enough for the cache
LEAST_ROWS = 64  # at a time, or adding the parts up costs more than making them
FOLDED = 2  # columns a sum; with more, making the products of columns costs more than they save


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

    def folds(self, count: int) -> bool:
        """Whether so many sums or forms are worth the products of every two columns, which serve all of them."""
        return count > 1 and self.width <= FOLDED * count

    def grams(self, weights: Callable[[slice], Floats], count: int) -> Floats:
        """Σ c x xᵀ for each of ``count`` numbers c that a row has: (count, width, width).

        ``weights`` gives them for some of the rows, (count, rows).
        """
        if not self.folds(count):
            return np.stack([self.gram(each) for each in weights(slice(0, self.rows))])
        first, second = np.triu_indices(self.width)
        flat = np.zeros((count, len(first)))
        for rows in self._pieces(count + len(first)):
            flat += weights(rows) @ self._products(rows).T
        whole = np.empty((count, self.width, self.width))
        whole[:, first, second] = whole[:, second, first] = flat
        return whole

    def forms(self, matrices: Sequence[Floats] | Floats) -> Iterator[tuple[slice, Floats]]:
        """xᵀ C x for each of the matrices C (width, width): some rows after others, (matrices, rows)."""
        d = self.width - self.intercept
        if self.folds(len(matrices)):
            first, second = np.triu_indices(self.width)
            stacked = np.asarray(matrices)
            flat = stacked[:, first, second] + np.where(first < second, stacked[:, second, first], 0.0)
            for rows in self._pieces(len(matrices) + len(first)):
                yield rows, flat @ self._products(rows)
            return
        for rows in self._pieces():
            block = self._block(rows)
            found = np.empty((len(matrices), len(block)))
            for C, part in zip(matrices, found, strict=True):
                np.einsum("ij,ij->i", block @ C[:d, :d], block, out=part)
                if self.intercept:
                    part += block @ (C[:d, d] + C[d, :d]) + C[d, d]
            yield rows, found

    def spreads(self, covariance: Floats) -> Floats:
        """xᵀ C x for each row and each of the (m, m) blocks of a covariance (m, m, width, width): (rows, m, m)."""
        m = len(covariance)
        first, second = np.tril_indices(m)
        spread = np.empty((self.rows, m, m))
        for rows, found in self.forms([covariance[a, b] for a, b in zip(first, second, strict=True)]):
            spread[rows, first, second] = spread[rows, second, first] = found.T
        return spread

    def dense(self) -> Floats:
        """The rows as they are multiplied, the intercept's ones at their end; for few rows."""
        values = self.values if isinstance(self.values, np.ndarray) else self.values.toarray()
        return np.column_stack([values, np.ones(self.rows)]) if self.intercept else np.asarray(values)

    def _products(self, rows: slice) -> Floats:
        """The products of every two columns, of each with itself too: (width (width + 1) / 2, rows)."""
        block = self._block(rows).T
        x = np.ascontiguousarray(np.vstack([block, np.ones(block.shape[1])]) if self.intercept else block)
        products, end = np.empty((self.width * (self.width + 1) // 2, x.shape[1])), 0
        for i in range(self.width):
            start, end = end, end + self.width - i
            np.multiply(x[i], x[i:], out=products[start:end])
        return products

    def _pieces(self, cells: int = 0) -> list[slice]:
        """The rows, some at a time; a row takes so many cells, or its columns."""
        n, d = self.values.shape
        size = max(1, min(n, max(BLOCK_CELLS // max(cells or d, 1), LEAST_ROWS if cells else 1)))
        return [slice(start, min(n, start + size)) for start in range(0, n, size)]

    def _block(self, rows: slice) -> Floats:
        """The columns of some rows, dense, without the intercept."""
        block = self.values[rows]
        return block if isinstance(block, np.ndarray) else np.asarray(block.toarray())
