"""A linear problem turned into its own axes, where every weight can be learnt alone.

With X = U S Vᵀ, the posterior, the evidence and the predictions of a Bayesian linear model need only the rows of Vᵀ,
the singular values, Uᵀy and the squared length of what no weights can explain; each later step is O(d).

Few rows are factored directly. Many rows are summed into XᵀX, Xᵀy and yᵀy, block by block so that no centred copy of X
is made, and a factor of that matrix takes the place of X; where no prior makes up for the digits that squares lose, a
QR of the blocks does instead, at twice the work. All ways scale the columns to unit length, so that which columns are
collinear does not depend on their units, and finish with a pivoted QR and an implicit-shift SVD, which keep their
relative precision when columns differ by sixteen orders of magnitude.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import linalg
from scipy.linalg import blas, lapack

from credo.checks import Floats
from credo.errors import InvalidInput

__all__ = ["BLOCK_ROWS", "Axes", "Sums", "factor_rows", "factor_sums", "rescaled", "sum_rows"]

EPS = float(np.finfo(np.float64).eps)
DIRECT_CELLS = 100_000  # up to here factoring X itself costs no more than a few milliseconds
BLOCK_ROWS = 2048  # a block of a hundred columns stays in the second-level cache
STEEP = 1e6  # how many times the longest direction may exceed the shortest for ten digits of the shortest to be right
LARGEST = 1e30  # ratios of squares of columns and targets stay far from overflow


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What many rows come to: the total weight, the weighted mean, and the centred sums of squares and products.

    The target is the last column of ``mean`` and ``products``.
    """

    total: float
    mean: Floats
    products: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """X and y in the singular axes of X.

    ``directions`` is (k, d), ``singular`` and ``target`` (that is Uᵀy) have k entries. ``rest`` is the squared length
    of the part of y outside the column space, never below ``resolution``, the least that arithmetic can tell from zero.
    ``total`` is the weight of all rows; ``mean`` was taken from the columns and, at its end, from y.
    """

    directions: Floats
    singular: Floats
    target: Floats
    rest: float
    resolution: float
    total: float
    mean: Floats


@np.errstate(over="ignore", invalid="ignore")  # what overflows is refused as out of range
def sum_rows(X: Floats, y: Floats, weight: Floats | None) -> Sums:
    """The sums of weighted rows, in one pass."""
    n, d = X.shape
    # Columns are taken relative to the first rows: a shift of a few deviations loses no digits when it is corrected.
    shift = np.append(X[:BLOCK_ROWS].mean(axis=0), y[:BLOCK_ROWS].mean())
    block = np.empty((min(n, BLOCK_ROWS), d + 2))
    held = np.zeros((d + 2, d + 2), order="F")
    for start in range(0, n, BLOCK_ROWS):
        rows = slice(start, min(n, start + BLOCK_ROWS))
        part = block[: rows.stop - start]
        np.subtract(X[rows], shift[:-1], out=part[:, :d])
        np.subtract(y[rows], shift[-1], out=part[:, d])
        part[:, d + 1] = 1.0
        if weight is not None:
            part *= np.sqrt(weight[rows])[:, None]
        held = blas.dsyrk(1.0, part.T, beta=1.0, c=held, overwrite_c=1)
    total, off = float(held[-1, -1]), held[:-1, -1] / held[-1, -1]
    upper = held[:-1, :-1]
    products = np.triu(upper) + np.triu(upper, 1).T - total * np.outer(off, off)
    return Sums(total, shift + off, products)


@np.errstate(over="ignore", invalid="ignore")
def factor_rows(X: Floats, y: Floats, weight: Floats | None, *, centred: bool, squared: bool = True) -> Axes:
    """The axes of weighted rows: directly when they are few; many by their sums or, not to be squared, by QR."""
    n, d = X.shape
    many = X.size > DIRECT_CELLS and n > d
    if many and squared:
        return factor_sums(sum_rows(X, y, weight), centred=centred)
    total, mean = float(n if weight is None else weight.sum()), np.zeros(d + 1)
    if centred:
        mean = _mean(X, y, weight, total)
    rows = _triangle(X, y, weight, mean) if many else _centred(X, y, weight, mean)
    scale = _scale(np.einsum("ij,ij->j", rows, rows), mean, total)
    Q, R, order = linalg.qr(rows[:, :d] / scale, mode="economic", pivoting=True)
    rank = int((np.abs(np.diag(R)) > EPS * max(n, d)).sum())
    factor = np.empty((rank, d))
    factor[:, order] = R[:rank]
    target = Q[:, :rank].T @ rows[:, d]
    left = rows[:, d] - Q[:, :rank] @ target
    precision = (16 * EPS) ** 2 * float(rows[:, d] @ rows[:, d])
    return _rotate(factor, scale, target, (float(left @ left), precision), (total, mean))


def rescaled(axes: Axes, scale: Floats) -> Axes:
    """The same rows with every column of X multiplied by its ``scale``; the mean stays that of the columns before."""
    directions = axes.singular[:, None] * axes.directions
    return _rotate(directions, scale, axes.target, (axes.rest, axes.resolution), (axes.total, axes.mean))


def _mean(X: Floats, y: Floats, weight: Floats | None, total: float) -> Floats:
    """The weighted means of the columns and of y."""
    ones = np.ones(len(X)) if weight is None else weight
    first = np.append(ones @ X, ones @ y) / total
    off = np.zeros_like(first)  # a second pass takes away what rounding left
    for start in range(0, len(X), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        off += ones[rows] @ (np.column_stack([X[rows], y[rows]]) - first)
    return np.asarray(first + off / total)


def _centred(X: Floats, y: Floats, weight: Floats | None, mean: Floats) -> Floats:
    """The rows of X with y as the last column, relative to the mean and weighted."""
    rows = np.column_stack([X, y]) - mean
    return rows if weight is None else rows * np.sqrt(weight)[:, None]


def _triangle(X: Floats, y: Floats, weight: Floats | None, mean: Floats) -> Floats:
    """A square matrix with the same products of columns as the centred rows: the R of their QR, block by block."""
    d = len(mean)
    step = max(BLOCK_ROWS, 4 * d)
    held = np.empty((0, d))
    for start in range(0, len(X), step):
        rows = slice(start, start + step)
        part = _centred(X[rows], y[rows], None if weight is None else weight[rows], mean)
        block = np.asfortranarray(np.vstack([held, part]))
        held = np.triu(lapack.dgeqrf(block, overwrite_a=1)[0][:d])
    return held


@np.errstate(over="ignore", invalid="ignore")
def factor_sums(sums: Sums, *, centred: bool) -> Axes:
    """The axes of rows known only by their sums."""
    mean, products = sums.mean, sums.products
    if not centred:
        mean, products = np.zeros_like(mean), products + sums.total * np.outer(mean, mean)
    scale = _scale(np.maximum(np.diag(products), 0.0), mean, sums.total)
    gram, cross, square = products[:-1, :-1], products[:-1, -1], float(products[-1, -1])
    # Rounding leaves the products of unit columns uncertain by a few times 1e-16 each, so directions shorter than 1e-6
    # of their column cannot be told from noise.
    held, pivots, rank, _ = lapack.dpstrf(gram / scale[:, None] / scale, tol=1e-12)
    order = pivots - 1
    factor = np.empty((rank, len(cross)))
    factor[:, order] = np.triu(held)[:rank]
    target = linalg.solve_triangular(np.triu(held[:rank, :rank]), (cross / scale)[order[:rank]], trans=1)
    left = square - float(target @ target)
    return _rotate(factor, scale, target, (left, 1e-11 * square), (sums.total, mean))


def _scale(squares: Floats, mean: Floats, total: float) -> Floats:
    """The length of each column, infinite for one that does not vary: its share of every direction is then zero.

    The target comes last and has no scale; its range is checked with the others.
    """
    length = np.sqrt(squares)
    varies = length > 8 * EPS * np.sqrt(total) * np.abs(mean)
    inside = (length < LARGEST) & (np.abs(mean) < LARGEST) & (~varies | (length > 1 / LARGEST))
    if not inside.all():
        place = int(inside.argmin())
        name = "y" if place == len(mean) - 1 else f"column {place} of X"
        raise InvalidInput(
            f"{name} must be of a size between {1 / LARGEST:g} and {LARGEST:g}, or squares overflow; it has the mean "
            f"{mean[place]:.3g} and the length {length[place]:.3g}. Change its unit"
        )
    return np.where(varies, length, np.inf)[:-1]


def _rotate(
    factor: Floats, scale: Floats, target: Floats, rest: tuple[float, float], centre: tuple[float, Floats]
) -> Axes:
    """From any factor R of the scaled columns (RᵀR = their products) to the singular axes of the columns themselves.

    ``rest`` is the squared length of what is left of y and how precisely it is known, ``centre`` total weight and mean.
    """
    (left, precision), (total, mean) = rest, centre
    directions, singular = factor * np.where(np.isfinite(scale), scale, 0.0), np.empty(0)
    if len(factor):
        Q, R, order = linalg.qr(directions, mode="economic", pivoting=True)
        # R runs from long rows to short ones. On such a matrix "gesvd" is precise for every singular value; "gesdd",
        # ten times faster where there are many, errs by 1e-16 of the largest in all of them.
        long, short = abs(R[0, 0]), abs(R[-1, len(R) - 1])
        driver: Literal["gesdd", "gesvd"] = "gesdd" if long < STEEP * short else "gesvd"
        U, singular, Vt = linalg.svd(R.T, full_matrices=False, lapack_driver=driver)
        directions[:, order] = U.T
        target = Vt @ (Q.T @ target)
    y_is_rounded = (16 * EPS) ** 2 * total * float(mean[-1]) ** 2
    resolution = max(precision + y_is_rounded, LARGEST**-3)
    return Axes(directions, singular, target, max(left, resolution), resolution, total, mean)
