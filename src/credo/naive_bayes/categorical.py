"""Columns of categories: the frequency of each state in each class, by the m-estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.naive_bayes.law import ColumnsLaw

__all__ = ["CategoryColumns"]


@dataclass(frozen=True, slots=True, eq=False)
class CategoryColumns(ColumnsLaw):
    """log P(state | class), an array of shape (states + 1, classes) for each column; the last row is for missing cells.

    Cells are codes: one array for each column, counting its states from 0, and −1 where a cell is missing.
    """

    log_probs: tuple[Floats, ...]
    classes: int

    @classmethod
    def fit(cls, counts: Sequence[NDArray[np.number]], *, classes: int, m: float) -> CategoryColumns:
        """The laws, from how often each state occurs with each class: an array of shape (states, classes) a column.

        The m-estimate is (n_c + m p)/(n + m) with p = 1/k for the k states of the column: m rows are imagined that are
        spread evenly over the states. A class without any cell in a column has p itself.

        >>> np.exp(CategoryColumns.fit([np.array([[2], [0]])], classes=1, m=1.0).log_probs[0][:2]).round(3)
        array([[0.833],
               [0.167]])
        """
        return cls(tuple(_with_missing(_m_estimate(np.asarray(table, np.float64), m)) for table in counts), classes)

    def log_likelihood(self, cells: Sequence[NDArray[np.int32]]) -> Floats:
        """Σ log P(state | class) over the cells of a row that are not missing."""
        total = np.zeros((len(cells[0]), self.classes))
        for codes, table in zip(cells, self.log_probs, strict=True):
            total += table[codes]  # the code of a missing cell, −1, finds the last row
        return total

    def by_column(self, cells: Sequence[NDArray[np.int32]]) -> Floats:
        """log P(state | class) of each cell."""
        each = [table[codes] for codes, table in zip(cells, self.log_probs, strict=True)]
        return np.stack(each) if each else np.zeros((0, 1, self.classes))


def _m_estimate(counts: Floats, m: float) -> Floats:
    k, seen = len(counts), counts.sum(axis=0)
    even = np.full_like(counts, 1 / max(k, 1))
    share: Floats = np.divide(counts + m * even, seen + m, out=even, where=seen + m > 0)
    return share


def _with_missing(probs: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # a state never seen with a class is impossible in it when m is 0
        return np.vstack([np.log(probs), np.zeros((1, probs.shape[1]))])
