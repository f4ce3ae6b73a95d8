"""Which rows teach and which rows judge.

scikit-learn's stratified splitters refuse a class with a single row and say so by a warning in the middle of a run;
dealing the rows out like cards works for every class, and the result is accepted as ``cv=`` by scikit-learn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.evaluation.dealing import Rows, codes, deal, groups_of

__all__ = [
    "Nested",
    "Split",
    "folds",
    "leave_one_group_out",
    "nested",
    "repeated",
    "set_aside",
    "strata",
]


class Split(NamedTuple):
    """Row numbers to learn from and row numbers to judge on; both ascending, nothing in common.

    >>> Split(train=np.array([0, 2]), test=np.array([1])).test
    array([1])
    """

    train: Rows
    test: Rows


def folds(
    n: int, k: int, *, rng: Any, labels: ArrayLike | None = None, groups: ArrayLike | None = None
) -> tuple[Split, ...]:
    """``n`` rows dealt into ``k`` folds, each of which judges once; with ``labels`` every class is spread evenly.

    Sizes of folds differ by at most one row, and so do the counts of a class between folds. ``k = n`` leaves one out.

    >>> [fold.test.tolist() for fold in folds(4, 2, rng=0, labels=["a", "a", "b", "b"])]
    [[0, 2], [1, 3]]

    Rows of one group (a patient, a household) share a fold, so that nobody is judged by what was learnt from them.
    Then sizes differ by at most the largest group, and classes are spread as evenly as the groups allow.

    >>> [fold.test.tolist() for fold in folds(5, 2, rng=0, groups=["ann", "ann", "bob", "bob", "eve"])]
    [[0, 1, 4], [2, 3]]
    """
    n = checks.count("n", n, least=2)
    k = checks.count("folds", k, least=2, most=n)
    if groups is not None:
        held = groups_of(groups, n)
        dealt = deal(held, _classes(labels, n), np.full(k, 1 / k), rng=rng, large_first=True)[held]
    else:
        dealt = np.empty(n, dtype=np.intp)
        dealt[_shuffled(n, rng, labels)] = np.arange(n) % k
    return tuple(_split(dealt == fold) for fold in range(k))


def repeated(
    n: int, k: int, times: int, *, rng: Any, labels: ArrayLike | None = None, groups: ArrayLike | None = None
) -> tuple[Split, ...]:
    """``folds`` dealt anew ``times`` times: ``repeated(n, 10, 10, rng=0)`` are the 100 splits of ten times ten folds.

    The first ``k`` splits are the first repetition, and so on; every repetition judges every row once.

    >>> [fold.test.tolist() for fold in repeated(4, 2, 2, rng=0)]
    [[1, 2], [0, 3], [1, 3], [0, 2]]
    """
    times = checks.count("times", times, least=1)
    generator = checks.generator(rng)
    dealt = [folds(n, k, rng=generator, labels=labels, groups=groups) for _ in range(times)]
    return tuple(itertools.chain.from_iterable(dealt))


def leave_one_group_out(groups: ArrayLike) -> tuple[Split, ...]:
    """A split for each group, in their order, with its rows as ``test`` and all others as ``train``.

    >>> [fold.test.tolist() for fold in leave_one_group_out(["oslo", "rome", "oslo"])]
    [[0, 2], [1]]
    """
    held = groups_of(groups, len(np.asarray(groups)))
    return tuple(_split(held == group) for group in range(int(held.max(initial=0)) + 1))


def set_aside(
    n: int, share: float, *, rng: Any, labels: ArrayLike | None = None, groups: ArrayLike | None = None
) -> Split:
    """A ``share`` of ``n`` rows as ``test``, the rest as ``train``; with ``labels`` a like share of every class.

    The share is rounded down, but at least one row is on either side. Groups stay whole; then the share is as close as
    they allow.

    >>> set_aside(5, 0.2, rng=0).test
    array([3])
    """
    n = checks.count("n", n, least=2)
    share = checks.level("holdout", share)
    if groups is not None:
        held = groups_of(groups, n)
        aside = deal(held, _classes(labels, n), np.array([1 - share, share]), rng=rng, large_first=False)[held]
        return _split(aside == 1)
    wanted = max(math.floor(share * n + 1e-9), 1)
    order = _shuffled(n, rng, labels)
    # Evenly spaced places in the order sorted by class: a class of m rows gets m·share of them, to within one.
    places = ((np.arange(wanted) + 0.5) * n / wanted).astype(np.intp)
    test = np.zeros(n, dtype=bool)
    test[order[places]] = True
    return _split(test)


class Nested(NamedTuple):
    """A split, and inside its training rows the splits by which choices are made; see ``nested``.

    >>> Nested(Split(np.array([0, 2]), np.array([1])), inner=()).split.test
    array([1])
    """

    split: Split
    inner: tuple[Split, ...]


def nested(outer: Iterable[tuple[Rows, Rows]], inner: Callable[[Rows], Iterable[Split]]) -> tuple[Nested, ...]:
    """For each outer split, splits of its training rows alone: what judges has no part in any choice.

    ``inner`` is given the training rows and splits them by any scheme; its splits count among these, so that they are
    the ``cv=`` of whatever is searched on ``X[train]``.

    >>> outer = folds(6, 3, rng=0)
    >>> for split, inside in nested(outer, lambda rows: folds(len(rows), 2, rng=0)):
    ...     print(split.test, [split.train[fold.test].tolist() for fold in inside])
    [3 4] [[1, 2], [0, 5]]
    [0 2] [[3, 4], [1, 5]]
    [1 5] [[2, 3], [0, 4]]
    """
    return tuple(Nested(Split(train, test), tuple(inner(train))) for train, test in outer)


def strata(values: ArrayLike, groups: int = 10) -> NDArray[np.intp]:
    """Numbers cut into ``groups`` classes of about equal size by rank, so that a split can be balanced by them.

    >>> strata([3.0, 1.0, 2.0, 9.0], groups=2)
    array([1, 0, 0, 1])
    """
    ranked: Floats = checks.floats("values", values, ndim=1)
    groups = checks.count("groups", groups, least=1)
    rank = np.empty(len(ranked), dtype=np.intp)
    rank[np.argsort(ranked, kind="stable")] = np.arange(len(ranked))
    return rank * groups // max(len(ranked), 1)


def _split(test: NDArray[np.bool_]) -> Split:
    return Split(np.flatnonzero(~test), np.flatnonzero(test))


def _shuffled(n: int, rng: Any, labels: ArrayLike | None) -> Rows:
    """The rows in random order, and then, with labels, class by class."""
    order = checks.generator(rng).permutation(n)
    return order[np.argsort(_classes(labels, n)[order], kind="stable")]


def _classes(labels: ArrayLike | None, n: int) -> Rows:
    return np.zeros(n, dtype=np.intp) if labels is None else codes("labels", labels, n)
