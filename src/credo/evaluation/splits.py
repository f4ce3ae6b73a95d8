"""Which rows teach and which rows judge.

scikit-learn's stratified splitters refuse a class with a single row and say so by a warning in the middle of a run;
dealing the rows out like cards works for every class, and the result is accepted as ``cv=`` by scikit-learn.
"""

from __future__ import annotations

import math
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput

__all__ = ["HoldOut", "Split", "folds", "set_aside", "strata"]

Rows = NDArray[np.intp]
Content = TypeVar("Content")


class Split(NamedTuple):
    """Row numbers to learn from and row numbers to judge on; both ascending, nothing in common.

    >>> Split(train=np.array([0, 2]), test=np.array([1])).test
    array([1])
    """

    train: Rows
    test: Rows


class HoldOut(Generic[Content]):
    """Rows set aside for one single look.

    >>> rows = HoldOut([3, 1, 4])
    >>> rows.look()
    [3, 1, 4]
    >>> rows.look()
    Traceback (most recent call last):
    ...
    credo.errors.InvalidInput: the hold-out rows have been looked at already. ...
    """

    __slots__ = ("_content", "_seen")

    def __init__(self, content: Content) -> None:
        self._content = content
        self._seen = False

    def look(self) -> Content:
        """The rows; refused from the second time on, since a second look would be a choice made by them."""
        if self._seen:
            raise InvalidInput(
                "the hold-out rows have been looked at already. They judge once; to judge again, set fresh rows aside"
            )
        self._seen = True
        return self._content

    def __repr__(self) -> str:
        return f"HoldOut({'looked at' if self._seen else 'not looked at yet'})"


def folds(n: int, k: int, *, rng: Any, labels: ArrayLike | None = None) -> tuple[Split, ...]:
    """``n`` rows dealt into ``k`` folds, each of which judges once; with ``labels`` every class is spread evenly.

    Sizes of folds differ by at most one row, and so do the counts of a class between folds. ``k = n`` leaves one out.

    >>> [fold.test.tolist() for fold in folds(4, 2, rng=0, labels=["a", "a", "b", "b"])]
    [[0, 2], [1, 3]]
    """
    n = checks.count("n", n, least=2)
    k = checks.count("folds", k, least=2, most=n)
    dealt = np.empty(n, dtype=np.intp)
    dealt[_shuffled(n, rng, labels)] = np.arange(n) % k
    return tuple(Split(np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)) for fold in range(k))


def set_aside(n: int, share: float, *, rng: Any, labels: ArrayLike | None = None) -> Split:
    """A ``share`` of ``n`` rows as ``test``, the rest as ``train``; with ``labels`` a like share of every class.

    The share is rounded down, but at least one row is on either side.

    >>> set_aside(5, 0.2, rng=0).test
    array([3])
    """
    n = checks.count("n", n, least=2)
    share = checks.level("holdout", share)
    wanted = max(math.floor(share * n + 1e-9), 1)
    order = _shuffled(n, rng, labels)
    # Evenly spaced places in the order sorted by class: a class of m rows gives m·share of them, to within one.
    places = ((np.arange(wanted) + 0.5) * n / wanted).astype(np.intp)
    test = np.zeros(n, dtype=bool)
    test[order[places]] = True
    return Split(np.flatnonzero(~test), np.flatnonzero(test))


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


def _shuffled(n: int, rng: Any, labels: ArrayLike | None) -> Rows:
    """The rows in random order, and then, with labels, class by class."""
    order = checks.generator(rng).permutation(n)
    if labels is None:
        return order
    names = np.asarray(labels)
    if names.ndim != 1:
        raise InvalidInput(f"labels must be a list with one label a row; got shape {names.shape}")
    checks.rows_match("labels", len(names), "the rows to split", n)
    codes = np.unique(names.astype(str) if names.dtype == object else names, return_inverse=True)[1]
    return order[np.argsort(codes[order], kind="stable")]
