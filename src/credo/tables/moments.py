"""Counts, means and covariances of number columns: all that Gaussian models need to see of the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.tables.schema import State

__all__ = ["Moments"]


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Counts, means, variances and covariances of the columns ``names``.

    ``count``, ``mean`` and ``var`` use, for each column, every row in which that column is present. ``complete``,
    ``centre`` and ``cov`` (their number, mean and covariance) use the rows in which none of the columns is missing, so
    that ``cov`` is always a covariance matrix. Variances divide by the number of rows, not by one less. Where there is
    no row, counts are 0 and the rest is NaN. With ``by``, every array has a leading axis with an entry for each of
    ``states``.

    >>> from credo.tables import Table
    >>> moments = Table({"x": [1.0, 2.0, 3.0, None], "y": [2.0, 4.0, 6.0, 9.0]}).moments(["x", "y"])
    >>> moments.count, moments.mean, moments.complete
    (array([3, 4]), array([2.  , 5.25]), array(3))
    >>> moments.cov
    array([[0.66666667, 1.33333333],
           [1.33333333, 2.66666667]])
    """

    names: tuple[str, ...]
    states: tuple[State, ...] | None
    count: NDArray[np.int64]
    mean: Floats
    var: Floats
    complete: NDArray[np.int64]
    centre: Floats
    cov: Floats


class Running:
    """Number, mean and scatter of rows that arrive in batches.

    Batches are merged by their means (Chan, Golub and LeVeque), never by sums of squares, so that a mean of 1e9 does
    not drown a standard deviation of 1.
    """

    def __init__(self, width: int) -> None:
        self.count = 0
        self.mean = np.zeros(width)
        self.scatter = np.zeros((width, width))

    def add(self, X: Floats) -> None:
        """Take in the rows of ``X``, which has no missing cell."""
        if not len(X):
            return
        mean = X.mean(axis=0)
        centred = X - mean
        correction = centred.mean(axis=0)  # what rounding left of the batch's mean
        mean += correction
        centred -= correction
        total = self.count + len(X)
        shift = mean - self.mean
        self.scatter += centred.T @ centred + np.outer(shift, shift) * (self.count * len(X) / total)
        self.mean += shift * (len(X) / total)
        self.count = total


def moments(
    names: tuple[str, ...],
    states: tuple[State, ...] | None,
    batches: Iterable[tuple[Floats, NDArray[np.int32] | None]],
) -> Moments:
    """The moments of batches, each an array of the columns and, if there are groups, the group of each row."""
    groups = 1 if states is None else len(states)
    apart = [[Running(1) for _ in names] for _ in range(groups)]
    together = [Running(len(names)) for _ in range(groups)]
    for X, codes in batches:
        present = ~np.isnan(X)
        full: NDArray[np.bool_] = np.asarray(present.all(axis=1))
        for group in range(groups):
            rows = slice(None) if codes is None else np.flatnonzero(codes == group)
            together[group].add(X[rows][full[rows]])
            for j, running in enumerate(apart[group]):
                running.add(X[rows, j][present[rows, j]][:, None])

    def gathered(rows: list[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        return np.array(rows).reshape(shape if states is None else (groups, *shape))

    width = (len(names),)
    return Moments(
        names,
        states,
        count=gathered([[one.count for one in group] for group in apart], width),
        mean=gathered([[_mean(one) for one in group] for group in apart], width),
        var=gathered([[_cov(one) for one in group] for group in apart], width),
        complete=gathered([one.count for one in together], ()),
        centre=gathered([_mean(one) for one in together], width),
        cov=gathered([_cov(one) for one in together], (len(names), len(names))),
    )


def _mean(running: Running) -> Floats:
    return running.mean if running.count else np.full_like(running.mean, np.nan)


def _cov(running: Running) -> Floats:
    return running.scatter / running.count if running.count else np.full_like(running.scatter, np.nan)
