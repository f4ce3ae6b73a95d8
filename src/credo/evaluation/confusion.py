"""What was taken for what."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.evaluation.intervals import Interval, wilson

__all__ = ["Confusion", "confusion"]


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Counts of truth (a row each) against answer (a column each).

    >>> c = confusion(["ill", "ill", "well", "well"], ["ill", "well", "well", "well"])
    >>> print(c.recall("ill"), "|", c.accuracy)
    0.500 (0.095 to 0.905) | 0.750 (0.301 to 0.954)
    """

    states: tuple[str, ...]
    counts: NDArray[np.int64]

    @property
    def accuracy(self) -> Interval:
        """The share of right answers."""
        return wilson(int(np.trace(self.counts)), int(self.counts.sum()))

    def recall(self, state: str) -> Interval | None:
        """The share of the rows truly in ``state`` that were recognised (sensitivity); None without such rows."""
        i = self.states.index(checks.known("state", state, self.states))
        n = int(self.counts[i].sum())
        return wilson(int(self.counts[i, i]), n) if n else None

    def precision(self, state: str) -> Interval | None:
        """The share of the answers ``state`` that were right (positive predictive value); None without answers."""
        i = self.states.index(checks.known("state", state, self.states))
        n = int(self.counts[:, i].sum())
        return wilson(int(self.counts[i, i]), n) if n else None

    @property
    def correlation(self) -> float:
        """Matthews' correlation of truth and answer, 1 for perfect, 0 for chance; NaN when either never varies."""
        held = self.counts.astype(np.float64)
        n, truth, answer = held.sum(), held.sum(axis=1), held.sum(axis=0)
        spread = (n**2 - (truth**2).sum()) * (n**2 - (answer**2).sum())
        return float((n * np.trace(held) - truth @ answer) / math.sqrt(spread)) if spread > 0 else math.nan


def confusion(truth: ArrayLike, answers: ArrayLike, states: tuple[str, ...] | None = None) -> Confusion:
    """The confusion table of two lists of names; ``states`` gives the order, and names that never occur.

    >>> confusion(["a", "b"], ["a", "a"]).counts.tolist()
    [[1, 0], [1, 0]]
    """
    rows, columns = np.asarray(truth, dtype=object), np.asarray(answers, dtype=object)
    checks.rows_match("truth", len(rows), "answers", len(columns))
    names = checks.unique("states", states if states is not None else sorted({*rows, *columns}))
    place = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)), dtype=np.int64)
    for name in {*rows, *columns}:
        checks.known("state", name, names)
    np.add.at(counts, ([place[name] for name in rows], [place[name] for name in columns]), 1)
    return Confusion(names, counts)
