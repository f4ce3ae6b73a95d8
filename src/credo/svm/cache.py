"""Rows of the kernel's matrix that are kept, the least recently used giving way."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from credo.svm.likeness import BLOCK, Likeness, Places, spread

__all__ = ["RowCache"]


class RowCache:
    """Rows of K, of as many columns as are still looked at, in a fixed piece of memory.

    >>> from credo.svm.likeness import OfMatrix
    >>> cache = RowCache(OfMatrix(np.add.outer(np.arange(3.0), np.arange(3.0))), np.arange(3), size=1e3, least=2)
    >>> slots = cache.fetch(np.array([2, 0]))
    >>> cache.held[slots]
    array([[2., 3., 4.],
           [0., 1., 2.]], dtype=float32)
    """

    def __init__(self, alike: Likeness, rows: Places, *, size: float, least: int, cell: DTypeLike = np.float32) -> None:
        self.alike = alike.single() if cell == np.float32 else alike
        self.rows = self.alike.take(rows)
        cells = max(int(size / np.dtype(cell).itemsize), least * len(rows))
        self.memory: NDArray[Any] = np.empty(min(cells, len(rows) ** 2), dtype=cell)
        self.clock = self.made = 0
        self._lay_out(len(rows))

    def fetch(self, wanted: Places) -> Places:
        """Where in ``held`` the rows with these numbers (among those looked at) now are; not more than ``least``."""
        self.clock += 1
        there = self.slot[wanted]
        self.stamp[there[there >= 0]] = self.clock
        absent = wanted[there < 0]
        if len(absent):
            free = np.argpartition(self.stamp, len(absent) - 1)[: len(absent)]
            gone = self.owner[free]
            self.slot[gone[gone >= 0]] = -1
            self.owner[free], self.slot[absent], self.stamp[free] = absent, free, self.clock
            self._fill(absent, free)
            self.made += len(absent)
        return self.slot[wanted]

    def narrow(self, keep: Places) -> None:
        """Look at these rows only from now on; what is held of them is kept."""
        before, owner, stamp = self.held, self.owner, self.stamp
        place = np.full(before.shape[1], -1)
        place[keep] = np.arange(len(keep))
        useful = np.flatnonzero(np.where(owner >= 0, place[owner], -1) >= 0)
        self.rows = self.rows[keep]
        self._lay_out(len(keep))
        useful = useful[: len(self.held)]
        for new, old in enumerate(useful):  # (in place: a row never moves to where one is that is still to move)
            self.held[new] = before[old][keep]
        count = len(useful)
        self.owner[:count], self.stamp[:count] = place[owner[useful]], stamp[useful]
        self.slot[self.owner[:count]] = np.arange(count)

    def _lay_out(self, columns: int) -> None:
        tall = min(len(self.memory) // max(columns, 1), columns)
        self.held = self.memory[: tall * columns].reshape(tall, columns)
        self.owner, self.stamp = np.full(tall, -1), np.zeros(tall, dtype=np.int64)
        self.slot = np.full(columns, -1)

    def _fill(self, wanted: Places, slots: Places) -> None:
        rows, wide = self.rows[wanted], max(BLOCK // len(wanted), 1)

        def fill(begin: int) -> None:
            part = slice(begin, begin + wide)
            self.held[slots, part] = self.alike.block(rows, self.rows[part])

        spread(fill, range(0, self.held.shape[1], wide))
