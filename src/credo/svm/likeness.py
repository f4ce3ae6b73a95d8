"""How alike the rows of one problem are: a block of the kernel's matrix at a time, and no more than is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from credo import native
from credo.checks import Floats
from credo.kernels import SE, Kernel

__all__ = ["Likeness", "Places", "likeness", "rows_of", "spread", "times"]

Places = NDArray[np.intp]

BLOCK = 2**18  # entries of the matrix that are made at a time: they stay in the nearest caches
DENSE = 2**26  # numbers in X up to which sparse rows are made dense
NEAR = 1e4  # half the square of the longest row, in lengths, up to which products tell distances well in double
NEAR_SINGLE = 30.0  # and in single precision


class Likeness(ABC):
    """Blocks of the matrix of some rows, from the rows as ``take`` prepares them."""

    @abstractmethod
    def take(self, places: Places | slice) -> Any:
        """Some rows, prepared for ``block``; what is prepared can be sliced."""

    @abstractmethod
    def block(self, one: Any, other: Any) -> NDArray[Any]:
        """The matrix of prepared rows beside others."""

    def single(self) -> Likeness:
        """The same to single precision, where that saves time."""
        return self

    def __call__(self, one: Places, other: Places, out: Floats | None = None) -> Floats:
        """The matrix of the rows with these numbers beside others; in ``out``, if that is given."""
        rows, others = self.take(one), self.take(other)
        whole = np.empty((len(one), len(other))) if out is None else out
        tall = max(BLOCK // max(len(other), 1), 16)

        def fill(begin: int) -> None:
            whole[begin : begin + tall] = self.block(rows[begin : begin + tall], others)

        spread(fill, range(0, len(one), tall))
        return whole


class OfMatrix(Likeness):
    """Entries of a matrix that is there already.

    >>> OfMatrix(np.array([[1.0, 2.0], [3.0, 4.0]]))(np.array([1]), np.array([0]))
    array([[3.]])
    """

    def __init__(self, K: Floats) -> None:
        self.K = K

    def take(self, places: Places | slice) -> Any:
        return np.arange(len(self.K))[places]

    def block(self, one: Any, other: Any) -> NDArray[Any]:
        return self.K[np.ix_(one, other)]


class OfKernel(Likeness):
    """Any kernel of the rows of ``X``, dense or sparse.

    >>> from credo.kernels import Linear
    >>> OfKernel(Linear(), np.array([[1.0], [2.0]]))(np.array([1]), np.array([0, 1]))
    array([[2., 4.]])
    """

    def __init__(self, kernel: Callable[[Floats, Floats], Floats], X: Any) -> None:
        self.kernel, self.X = kernel, X

    def take(self, places: Places | slice) -> Any:
        return self.X[places]

    def block(self, one: Any, other: Any) -> NDArray[Any]:
        return self.kernel(dense(one), dense(other))


class OfProducts(Likeness):
    """The squared exponential by one matrix product: log k = u·v − ½|u|² − ½|v|², u and v being rows in lengths.

    Both squares are columns of the product. Rows are centred, which leaves distances as they are and products small.

    >>> OfProducts(np.array([[0.0], [2.0]]))(np.array([0]), np.array([0, 1])).round(6)
    array([[1.      , 0.135335]])
    """

    def __init__(self, rows: Floats, cell: DTypeLike = np.float64) -> None:
        centred = rows - rows.mean(axis=0)
        half = 0.5 * np.einsum("ij,ij->i", centred, centred)
        self.longest = float(half.max(initial=0.0))
        self.rows = np.column_stack([centred, -half, np.ones(len(rows))]).astype(cell, copy=False)

    def take(self, places: Places | slice) -> Any:
        return self.rows[places]

    def block(self, one: Any, other: Any) -> NDArray[Any]:
        made = self.exponents(one, other)
        return np.asarray(np.exp(made, out=made))

    def exponents(self, one: Any, other: Any) -> NDArray[Any]:
        """The logarithm of a block."""
        small = one if len(one) < len(other) else other
        turned = small.copy()
        turned[:, -2], turned[:, -1] = small[:, -1], small[:, -2]
        made = turned @ other.T if small is one else one @ turned.T
        return np.asarray(np.minimum(made, 0.0, out=made))

    def single(self) -> Likeness:
        return OfProducts(self.rows[:, :-2], np.float32) if self.longest <= NEAR_SINGLE else self


def likeness(kernel: Kernel, X: Any) -> Likeness:
    """How rows of ``X`` are best compared by ``kernel``: what the kernel says, by products where those tell it.

    >>> from credo.kernels import Linear
    >>> type(likeness(SE(1.0), np.eye(2))).__name__, type(likeness(Linear(), np.eye(2))).__name__
    ('OfProducts', 'OfKernel')
    """
    if isinstance(kernel, SE) and np.prod(X.shape) <= DENSE:
        kernel(dense(X[:1]))  # it refuses a wrong number of columns
        products = OfProducts(dense(X) / np.asarray(kernel.length))
        if products.longest <= NEAR:
            return products
    return OfKernel(kernel, X)


def dense(rows: Any) -> Floats:
    """Rows that may be sparse, as an array.

    >>> dense(sparse.csr_array(np.eye(2)))
    array([[1., 0.],
           [0., 1.]])
    """
    held: Any = rows
    whole: Floats = held.toarray() if sparse.issparse(rows) else held
    return whole


def rows_of(X: Any, places: Places | slice) -> Floats:
    """Some rows of ``X``, dense."""
    return dense(X[places])


def times(alike: Likeness, one: Places, other: Places, vector: Floats) -> Floats:
    """``K[one, other] @ vector``, in blocks.

    >>> times(OfMatrix(np.array([[1.0, 2.0], [3.0, 4.0]])), np.arange(2), np.arange(2), np.ones(2))
    array([3., 7.])
    """
    total = np.zeros(len(one))
    if not len(other):
        return total
    rows, others = alike.take(one), alike.take(other)
    wide = min(len(other), 1024)
    tall = max(BLOCK // wide, 1)

    def add(begin: int) -> None:
        part = rows[begin : begin + tall]
        for j in range(0, len(other), wide):
            total[begin : begin + tall] += alike.block(part, others[j : j + wide]) @ vector[j : j + wide]

    spread(add, range(0, len(one), tall))
    return total


def spread(work: Callable[[int], None], parts: Sequence[int]) -> None:
    """``work`` done on every part, on as many threads as the native loops may use.

    >>> spread(print, [1])
    1
    """
    crew = min(native.threads(), len(parts) // 2)  # a single part does not repay a thread
    if crew < 2:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(crew, thread_name_prefix="credo-svm") as pool:
        for done in [pool.submit(work, part) for part in parts]:
            done.result()
