"""One machine for each pair of classes, all on the same rows."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats, shown
from credo.svm.decomposition import solve_in_parts
from credo.svm.dual import Dual, Inseparable, Settings, Solution, Start, solve_whole
from credo.svm.likeness import Likeness, Places
from credo.svm.report import Machine
from credo.svm.watch import Watch, each

__all__ = ["Pairs", "Solved", "solve_pairs", "squeezed"]

WHOLE = 1500  # rows up to which a machine's whole matrix is made


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """One machine: its rows, their β, its bias, the account of it, and the decisions about rows it had not seen."""

    rows: Places
    beta: Floats
    bias: float
    account: Machine
    unseen: Floats | None


class Pairs:
    """The problems of all pairs of classes: which rows, and the matrix where it is small."""

    def __init__(self, alike: Likeness, codes: NDArray[np.integer], limit: Floats, cache: float) -> None:
        self.alike, self.limit = alike, limit
        self.groups = [np.flatnonzero((codes == c) & (limit > 0)) for c in range(int(codes.max()) + 1)]
        self.pairs = list(combinations(range(len(self.groups)), 2))
        self.scratch = threading.local()
        kept = sum(len(group) ** 2 for group in self.groups) * 8 <= cache / 2
        small = max(map(len, self.groups)) < WHOLE
        # The matrix within a class serves all its machines.
        self.within = [alike(g, g) for g in self.groups] if kept and small and len(self.groups) > 2 else None

    def rows(self, pair: tuple[int, int]) -> Places:
        """The rows of a pair, the first class's before the second's."""
        return np.concatenate([self.groups[pair[0]], self.groups[pair[1]]])

    def dual(self, pair: tuple[int, int]) -> Dual:
        """Its problem: the second class is positive."""
        target = np.repeat([-1.0, 1.0], [len(self.groups[c]) for c in pair])
        return Dual(target, self.limit[self.rows(pair)])

    def matrix(self, pair: tuple[int, int]) -> Floats:
        """The whole matrix of its rows."""
        if self.within is None:
            return self.alike(self.rows(pair), self.rows(pair))
        a, b = pair
        cut = len(self.groups[a])
        made = self._room(cut + len(self.groups[b]))
        made[:cut, :cut], made[cut:, cut:] = self.within[a], self.within[b]
        self.alike(self.groups[a], self.groups[b], made[:cut, cut:])
        made[cut:, :cut] = made[:cut, cut:].T
        return made

    def _room(self, n: int) -> Floats:
        """Room for a matrix, the same for every machine of a thread: fresh memory costs more than what is put there."""
        if "cells" not in vars(self.scratch):
            self.scratch.cells = np.empty(sum(sorted(map(len, self.groups))[-2:]) ** 2)
        whole: Floats = self.scratch.cells[: n * n].reshape(n, n)
        return whole


def solve_pairs(
    pairs: Pairs, classes: list[Any], settings: Settings, folds: NDArray[np.integer] | None = None
) -> list[Solved]:
    """Every machine; with ``folds`` also what it says of each row when the rows of its fold have no say."""
    watch = Watch(len(pairs.pairs))

    def work(pair: tuple[int, int]) -> Solved:
        names = (classes[pair[0]], classes[pair[1]])
        try:
            return _solve(pairs, pair, names, settings, folds, watch)
        except Inseparable as cause:
            raise Inseparable(
                f"C=inf asks for a hard margin, but {cause}: classes {shown(names[0])} and {shown(names[1])} overlap, "
                "or nearly touch, in the space of this kernel. Give a finite C, or a kernel that follows the data more "
                "closely"
            ) from None

    try:
        return each(work, pairs.pairs, watch)
    finally:
        watch.line.close()


def squeezed(decisions: Floats, k: int) -> Floats:
    """A score for each class from the decisions of all pairs: its votes, and how clear they were, to less than a half.

    >>> squeezed(np.array([[2.0, -1.0, -1.0]]), 3).round(2)  # 1 beats 0, 0 beats 2, 1 beats 2
    array([[ 0.89,  2.2 , -0.17]])
    """
    votes, sums = np.zeros((len(decisions), k)), summed(decisions, k)
    for column, (a, b) in enumerate(combinations(range(k), 2)):
        won = decisions[:, column] > 0
        votes[:, b] += won
        votes[:, a] += ~won
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))


def summed(decisions: Floats, k: int) -> Floats:
    """For each class the mean of the decisions that are about it, towards it."""
    sums = np.zeros((len(decisions), k))
    for column, (a, b) in enumerate(combinations(range(k), 2)):
        sums[:, b] += decisions[:, column]
        sums[:, a] -= decisions[:, column]
    return np.asarray(sums / (k - 1))


def _solve(
    pairs: Pairs,
    pair: tuple[int, int],
    names: tuple[Any, Any],
    settings: Settings,
    folds: NDArray[np.integer] | None,
    watch: Watch,
) -> Solved:
    rows, dual = pairs.rows(pair), pairs.dual(pair)
    K = pairs.matrix(pair) if len(rows) <= WHOLE else None

    def solve(problem: Dual, start: Floats | None) -> Solution:
        if K is None:
            return solve_in_parts(problem, pairs.alike, rows, settings, watch, start)
        return solve_whole(
            problem, K, settings, watch, None if start is None else Start(start, dual.target - K @ start)
        )

    found = solve(dual, None)
    unseen = None
    if folds is not None:
        unseen = np.empty(len(rows))
        for fold in np.unique(folds[rows]):
            out = np.flatnonzero(folds[rows] == fold)
            others = dual.without(out)
            if len(np.unique(dual.target[others.limit > 0])) < 2:  # a class all of whose rows are equal
                others = dual
            again = solve(others, others.nearest_start(found.beta))
            unseen[out] = (dual.target - again.slack + again.bias(others))[out]
    watch.done()
    return Solved(rows, found.beta, found.bias(dual), Machine.of(names, dual, found), unseen)
