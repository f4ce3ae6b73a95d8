"""Rows that were given about the same probability, put together: what was said of them, and what came true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.evaluation.reading import outcomes

__all__ = ["BINNINGS", "Groups", "grouped", "probabilities_and_outcomes"]

BINNINGS = ("width", "count", "isotonic")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows of each group, the mean probability they were given, and the share that came true.

    >>> said, came = np.array([0.1, 0.2, 0.9]), np.array([False, True, True])
    >>> found = grouped(said, came, by="width", bins=2)
    >>> found.counts, found.said.round(2), found.came
    (array([2, 1]), array([0.15, 0.9 ]), array([0.5, 1. ]))
    """

    counts: NDArray[np.intp]
    hits: NDArray[np.intp]
    said: Floats

    @property
    def came(self) -> Floats:
        """The share that came true."""
        share: Floats = self.hits / self.counts
        return share

    @property
    def weights(self) -> Floats:
        """The share of all rows."""
        share: Floats = self.counts / self.counts.sum()
        return share

    @property
    def gaps(self) -> Floats:
        """What was said less what came true."""
        return self.said - self.came

    @property
    def noise(self) -> Floats:
        """The variance of the share that came true, p(1 − p)/(n − 1); zero for a group of one row."""
        return self.came * (1 - self.came) / np.maximum(self.counts - 1, 1)


def probabilities_and_outcomes(probability: ArrayLike, happened: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    """What was said and what came true, checked; at least one row.

    >>> probabilities_and_outcomes([0.2, 0.7], [0, 1])
    (array([0.2, 0.7]), array([False,  True]))
    """
    said = checks.probabilities("probability", checks.floats("probability", probability, ndim=1), axis=None)
    came = outcomes("happened", happened)
    checks.rows_match("probability", len(said), "happened", len(came))
    return said, came


def grouped(said: Floats, came: NDArray[np.bool_], *, by: str, bins: int) -> Groups:
    """Groups of equal ``"width"`` in probability, of equal ``"count"``, or as isotonic regression finds them.

    The last pools neighbours until the share that came true rises from group to group: the nearest calibration of the
    probabilities that keeps their order. It needs no number of bins. Rows given the same probability stay together.

    >>> grouped(np.array([0.1, 0.2, 0.3, 0.4]), np.array([0, 1, 0, 1]) > 0, by="isotonic", bins=9).counts
    array([1, 2, 1])
    """
    checks.choice("by", by, BINNINGS)
    bins = checks.count("bins", bins, least=1)
    if by == "width" or not len(said):
        codes = np.minimum((said * bins).astype(np.intp), bins - 1)
    elif by == "count":
        codes = np.searchsorted(np.quantile(said, np.arange(1, bins) / bins), said)
    else:
        codes = _pooled(said, came)
    counts = np.bincount(codes)
    used = counts > 0
    hits, total = np.bincount(codes, weights=came), np.bincount(codes, weights=said)
    return Groups(counts[used], hits[used].astype(np.intp), total[used] / counts[used])


def _pooled(said: Floats, came: NDArray[np.bool_]) -> NDArray[np.intp]:
    from scipy.optimize import isotonic_regression

    place, counts = np.unique(said, return_inverse=True, return_counts=True)[1:]
    found = isotonic_regression(np.bincount(place, weights=came) / counts, weights=counts)
    return (np.searchsorted(found.blocks, place, side="right") - 1).astype(np.intp)
