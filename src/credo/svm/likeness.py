"""How alike the rows of one problem are: a block of the kernel's matrix at a time, and no more than is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from credo.checks import Floats

__all__ = ["Compare", "Places", "of_matrix", "of_rows", "rows_of", "times"]

Places = NDArray[np.intp]
Compare = Callable[[Places, Places], Floats]

BLOCK = 2**21  # entries of the matrix that are made at a time: 16 MB
TALL = 2048


def of_rows(kernel: Callable[[Floats, Floats], Floats], X: Any) -> Compare:
    """The kernel of the rows of ``X`` (dense, or sparse rows) whose numbers are given.

    >>> of_rows(lambda a, b: a @ b.T, np.array([[1.0], [2.0]]))(np.array([1]), np.array([0, 1]))
    array([[2., 4.]])
    """
    return lambda one, other: kernel(rows_of(X, one), rows_of(X, other))


def of_matrix(K: Floats) -> Compare:
    """Entries of a matrix that is there already.

    >>> of_matrix(np.array([[1.0, 2.0], [3.0, 4.0]]))(np.array([1]), np.array([0]))
    array([[3.]])
    """
    return lambda one, other: K[np.ix_(one, other)]


def rows_of(X: Any, places: Places | slice) -> Floats:
    """Some rows, dense."""
    chosen = X[places]
    dense: Floats = chosen.toarray() if sparse.issparse(chosen) else chosen
    return dense


def times(compare: Compare, one: Places, other: Places, vector: Floats) -> Floats:
    """``K[one, other] @ vector``, in blocks.

    >>> times(of_matrix(np.array([[1.0, 2.0], [3.0, 4.0]])), np.arange(2), np.arange(2), np.ones(2))
    array([3., 7.])
    """
    total = np.zeros((len(one), *vector.shape[1:]))
    tall = max(BLOCK // max(min(len(other), TALL), 1), 1)
    for i in range(0, len(one), tall):
        for j in range(0, len(other), TALL):
            total[i : i + tall] += compare(one[i : i + tall], other[j : j + TALL]) @ vector[j : j + TALL]
    return total
