"""Groups that stay whole, dealt into parts of given sizes with every class spread over them.

Finding the most even deal is a packing problem; the greedy one gives each group to the part that is furthest behind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput
from credo.evaluation.reading import nameless

__all__ = ["Rows", "codes", "deal", "groups_of"]

Rows = NDArray[np.intp]


def codes(name: str, values: ArrayLike, n: int) -> Rows:
    """A number for each distinct value, in their order; one value a row.

    >>> codes("labels", ["b", "a", "b"], 3)
    array([1, 0, 1])
    """
    held = np.asarray(values)
    if held.ndim != 1:
        raise InvalidInput(f"{name} must be a list with one {name.removesuffix('s')} a row; got shape {held.shape}")
    checks.rows_match(name, len(held), "the rows to split", n)
    found: Rows = np.unique(held.astype(str) if held.dtype == object else held, return_inverse=True)[1]
    return found


def groups_of(groups: ArrayLike, n: int) -> Rows:
    """``codes`` of the groups; two at least, and known for every row, since an unknown one may be on both sides.

    >>> groups_of(["ann", "bob", "ann"], 3)
    array([0, 1, 0])
    """
    held = np.asarray(groups)
    unknown = nameless(held.tolist())
    if held.ndim == 1 and unknown:
        raise InvalidInput(
            f"groups must be known for every row; row {unknown[0]} has none ({len(unknown)} rows have none). "
            "Leave these rows out, or give each a group of its own"
        )
    found = codes("groups", held, n)
    if n and not found.any():
        raise BadParameter(f"groups must be two at least, one to learn from and one to judge on; got {held[:1]} alone")
    return found


def deal(groups: Rows, classes: Rows, shares: Floats, *, rng: Any, large_first: bool) -> Rows:
    """The part of each group, when parts are to have ``shares`` of all rows and of each class.

    Each group in turn goes where it adds least to ``Σ (count/total)²/share``, summed over the parts, the classes and
    the rows as a whole. With ``large_first`` the large groups come early, as a rule, and the small ones make up for
    them; which come exactly when is drawn, so that another seed is another deal.

    >>> deal(np.array([0, 0, 1, 2]), np.zeros(4, dtype=int), np.array([0.5, 0.5]), rng=0, large_first=True)
    array([0, 1, 1])
    """
    n, parts = int(groups.max()) + 1, len(shares)
    if n < parts:
        raise BadParameter(f"there must be a group at least for each fold; got {n} groups for {parts} folds")
    held = np.zeros((n, int(classes.max()) + 2))
    np.add.at(held, (groups, classes), 1)
    held[:, -1] = held.sum(axis=1)
    held /= held.sum(axis=0)
    generator = checks.generator(rng)
    order = generator.permutation(n)
    if large_first:
        order = np.argsort(-(held**2).sum(axis=1) * generator.uniform(0.25, 1, n), kind="stable")
    filled = np.zeros((parts, held.shape[1]))
    part = np.empty(n, dtype=np.intp)
    for group in order:
        counts = held[group]
        part[group] = np.argmin((2 * filled @ counts + counts @ counts) / shares)
        filled[part[group]] += counts
    for missed in np.flatnonzero(np.bincount(part, minlength=parts) == 0):  # a small share of few groups
        part[np.argmin(np.where(part == np.argmax(np.bincount(part)), held[:, -1], np.inf))] = missed
    return part
