"""The coordinates in which a classifier is fitted: centred where columns are far from zero, no more than are needed.

Three things are done to the columns, each only where it helps. Dense columns whose mean exceeds their deviation by far
are centred, or their products lose their digits. Where there are more columns than rows, the data speak only of the
space of the rows, and an orthonormal basis of that takes the place of the columns. Where nothing but the data decides
(maximum likelihood), a column that is a sum of multiples of columns before it is left out, and has the weight zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from credo.checks import Floats
from credo.errors import InvalidInput
from credo.linear.design import Design

__all__ = ["Coordinates", "prepare"]

LARGEST = 1e30  # of a column's size: squares and their products stay far from overflow
FAR = 1e3  # from zero, in deviations
REPEATED = 1e-10  # of a column's squared length, left over when the columns before it have explained theirs
RANK = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """What was taken from the columns, and which basis or which of the columns stand for all of them.

    >>> Coordinates(np.array([10.0]), None, None).design(np.array([[12.0]]), intercept=False).values
    array([[2.]])
    """

    centre: Floats
    basis: Floats | None
    kept: NDArray[np.intp] | None

    @property
    def left_out(self) -> NDArray[np.intp]:
        """Which columns have no place in these coordinates."""
        none = np.empty(0, dtype=np.intp)
        return none if self.kept is None else np.setdiff1d(np.arange(len(self.centre)), self.kept)

    def design(self, X: Any, *, intercept: bool) -> Design:
        """The rows X in these coordinates."""
        values = X - self.centre if self.centre.any() else X
        if self.basis is not None:
            values = values @ self.basis
        return Design(values if self.kept is None else values[:, self.kept], intercept)

    def original(self, weights: Floats, *, intercept: bool) -> Floats:
        """Weights of the original columns, as (…, width), from those of the coordinates."""
        columns = weights[..., :-1] if intercept else weights
        if self.basis is not None:
            columns = columns @ self.basis.T
        elif self.kept is not None:
            whole = np.zeros((*columns.shape[:-1], len(self.centre)))
            whole[..., self.kept] = columns
            columns = whole
        if not intercept:
            return np.asarray(columns)
        return np.concatenate([columns, weights[..., -1:] - (columns @ self.centre)[..., None]], axis=-1)


def prepare(
    X: Any, weight: Floats, names: list[str], *, intercept: bool, full_rank: bool
) -> tuple[Coordinates, Floats]:
    """The coordinates for rows X, and Σ w x xᵀ in them; with ``full_rank`` no column repeats others."""
    centre = np.zeros(X.shape[1])
    total = float(weight.sum())
    if X.shape[1] > X.shape[0] and isinstance(X, np.ndarray):
        _refuse_sizes(np.einsum("ij,ij->j", X / LARGEST, X / LARGEST) * LARGEST**2, X, names)
        centre = X.mean(axis=0) if intercept else centre
        return _row_space(X - centre, centre, weight, intercept=intercept)
    gram = Design(X, intercept).gram(weight)
    _refuse_sizes(np.diag(gram)[: X.shape[1]], X, names)
    if intercept and isinstance(X, np.ndarray):
        mean = gram[-1, :-1] / total
        variance = np.diag(gram)[:-1] / total - mean**2
        if (mean**2 > FAR**2 * variance).any():
            centre = weight @ X / total
            centre = centre + weight @ (X - centre) / total  # the second pass takes away what rounding left
            gram = Design(X - centre, intercept).gram(weight)
    kept = _independent(gram, centre, total, intercept=intercept) if full_rank else None
    if kept is not None:
        inside = np.append(kept, np.arange(X.shape[1], len(gram)))
        gram = gram[np.ix_(inside, inside)]
    return Coordinates(centre, None, kept), gram


def _row_space(X: Floats, centre: Floats, weight: Floats, *, intercept: bool) -> tuple[Coordinates, Floats]:
    Q, R, _ = linalg.qr(X.T, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    rounding = 8 * np.finfo(np.float64).eps * np.sqrt(X.size) * np.abs(centre).max(initial=0.0)
    rank = max(int((size > max(RANK * size.max(initial=0.0), rounding)).sum()), 1)
    basis: Floats = np.ascontiguousarray(Q[:, :rank])
    return Coordinates(centre, basis, None), Design(X @ basis, intercept).gram(weight)


def _independent(gram: Floats, centre: Floats, total: float, *, intercept: bool) -> NDArray[np.intp] | None:
    """Which columns are not combinations of the intercept and of columns before them; None if all are not."""
    d = len(centre)
    size = np.sqrt(np.diag(gram)[:d] / total)
    scale = np.where(size > 8 * np.finfo(np.float64).eps * np.abs(centre), size, np.inf)
    left = gram[:d, :d] / total
    if intercept:
        mean = gram[-1, :d] / total
        left = left - np.outer(mean, mean)
    left = left / scale[:, None] / scale  # what of unit columns the ones before leave unexplained
    kept = []
    for j in range(d):
        if left[j, j] > REPEATED:
            kept.append(j)
            left -= np.outer(left[j], left[j] / left[j, j])
    return None if len(kept) == d else np.array(kept, dtype=np.intp)


def _refuse_sizes(squares: Floats, X: Any, names: list[str]) -> None:
    """Refuse columns whose squares overflow or vanish."""
    size = np.sqrt(squares / max(X.shape[0], 1))
    odd = ~(size < LARGEST) | ((size < 1 / LARGEST) & (size > 0))
    if (squares == 0).any():
        peak = abs(X).max(axis=0)
        odd |= (squares == 0) & ((peak if isinstance(peak, np.ndarray) else peak.toarray().ravel()) > 0)
    if odd.any():
        place = int(odd.argmax())
        raise InvalidInput(
            f"column {names[place]!r} of X must be of a size between {1 / LARGEST:g} and {LARGEST:g}, or squares "
            f"overflow; its root mean square is {size[place]:.3g}. Change its unit"
        )
