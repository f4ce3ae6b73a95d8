"""Numeric columns: a normal law for each column and class, by maximum likelihood."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo import native
from credo.checks import Floats
from credo.naive_bayes.law import ColumnsLaw

__all__ = ["GaussianColumns", "weighted_moments"]

# A column whose standard deviation is a smaller part of its mean than this is constant but for rounding.
ROUNDING = 1e-12
# Below this a variance cannot be divided by.
SMALLEST = 1e-280


@dataclass(frozen=True, slots=True, eq=False)
class GaussianColumns(ColumnsLaw):
    """The mean and the variance of each numeric column in each class, both of shape (classes, columns).

    ``varies`` says which columns do; one that is constant says nothing, whatever it holds later.
    """

    mean: Floats
    variance: Floats
    varies: NDArray[np.bool_]

    @classmethod
    def fit(cls, count: NDArray[np.number], mean: Floats, variance: Floats, *, floor: float) -> GaussianColumns:
        """The laws, from how many cells each class has in each column, their mean and their population variance.

        No variance is taken to be less than ``floor`` times that of the whole column. A class without any cell in a
        column gets the law of the whole column.

        >>> count, mean, variance = np.array([[3], [0]]), np.array([[2.0], [np.nan]]), np.array([[4.0], [np.nan]])
        >>> law = GaussianColumns.fit(count, mean, variance, floor=1e-9)
        >>> law.mean.ravel(), law.variance.ravel()
        (array([2., 2.]), array([4., 4.]))
        """
        held = count > 0
        share = count / np.maximum(count.sum(axis=0), SMALLEST)
        mean, variance = np.where(held, mean, 0.0), np.where(held, variance, 0.0)
        centre = (share * mean).sum(axis=0)
        spread = (share * (variance + (mean - centre) ** 2)).sum(axis=0)
        varies = spread > np.maximum((ROUNDING * centre) ** 2, SMALLEST)
        mean = np.where(held & varies, mean, centre)
        variance = np.where(held, np.maximum(variance, floor * spread), spread)
        return cls(mean, np.where(varies, variance, 1.0), varies)

    def log_likelihood(self, cells: Floats) -> Floats:
        """Σ log N(x | mean, variance) over the cells of a row that are not NaN."""
        start, mean, variance = np.zeros(len(self.mean)), self.mean, self.variance
        if not self.varies.all():
            cells, mean, variance = cells[:, self.varies], mean[:, self.varies], variance[:, self.varies]
        return native.gaussian_log_joint(cells, mean, variance, start)

    def by_column(self, cells: Floats) -> Floats:
        """log N(x | mean, variance) of each cell."""
        x, mean, variance = cells.T[:, :, None], self.mean.T[:, None], self.variance.T[:, None]
        silent = np.isnan(x) | ~self.varies[:, None, None]
        return np.where(silent, 0.0, -0.5 * (np.log(2 * math.pi * variance) + (x - mean) ** 2 / variance))


def weighted_moments(X: Floats, groups: NDArray[np.int32], k: int, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """What ``native.grouped_moments`` gives, where a row counts as much as its weight.

    >>> weighted_moments(np.array([[1.0], [4.0]]), np.array([0, 0], dtype=np.int32), 1, np.array([2.0, 1.0]))
    (array([[3.]]), array([[2.]]), array([[2.]]))
    """
    count, mean, variance = np.zeros((3, k, X.shape[1]))
    for group in range(k):
        x, w = X[groups == group], weights[groups == group]
        missing = np.isnan(x)
        count[group] = w @ ~missing if missing.any() else w.sum()
        np.copyto(x, 0.0, where=missing)
        n = np.maximum(count[group], SMALLEST)
        mean[group] = w @ x / n
        x -= mean[group]
        np.copyto(x, 0.0, where=missing)
        variance[group] = w @ np.square(x, out=x) / n
    return count, mean, variance
