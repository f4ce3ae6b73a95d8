"""Cholesky factors of covariance matrices, with what had to be added to the diagonal stated, never hidden."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, NumericalFailure
from credo.numerics.lapack import overwrite_triangle

__all__ = ["Cholesky", "cholesky", "factor_in_place"]

FIRST_JITTER = 1e-12  # relative to the mean of the diagonal; ten times more at each further try
ASYMMETRY = 1e-8  # relative to the largest entry


@dataclass(frozen=True, slots=True, eq=False)
class Cholesky:
    """The lower triangle ``L`` with ``L Lᵀ = A + jitter · I``, and what is solved with it.

    >>> factor = cholesky([[4.0, 2.0], [2.0, 3.0]])
    >>> factor.solve([8.0, 7.0]), factor.jitter
    (array([1.25, 1.5 ]), 0.0)
    """

    lower: Floats
    jitter: float

    def solve(self, b: ArrayLike) -> Floats:
        """``A⁻¹ b``, for a vector or the columns of a matrix.

        >>> cholesky([[4.0]]).solve([8.0])
        array([2.])
        """
        from scipy.linalg import cho_solve

        solved: Floats = cho_solve((self.lower, True), self._right_side(b), check_finite=False)
        return solved

    def solve_lower(self, b: ArrayLike) -> Floats:
        """``L⁻¹ b``: what has covariance A becomes what has unit covariance.

        >>> cholesky([[4.0]]).solve_lower([8.0])
        array([4.])
        """
        from scipy.linalg import solve_triangular

        solved: Floats = solve_triangular(self.lower, self._right_side(b), lower=True, check_finite=False)
        return solved

    @property
    def log_det(self) -> float:
        """``log |A|``.

        >>> cholesky([[4.0]]).log_det
        1.386...
        """
        return float(2 * np.log(np.diagonal(self.lower)).sum())

    def inverse(self) -> Floats:
        """``A⁻¹``, symmetric to the last bit. To multiply by it, `solve` is cheaper and more exact.

        >>> cholesky([[4.0]]).inverse()
        array([[0.25]])
        """
        from scipy.linalg.lapack import dpotri

        half, _ = dpotri(self.lower, lower=1)
        inverse: Floats = np.tril(half)
        inverse += np.tril(half, -1).T
        return inverse

    def update(self, v: ArrayLike) -> Cholesky:
        """The factor of ``A + v vᵀ``, in n² rather than n³ steps.

        >>> cholesky([[16.0]]).update([3.0]).lower
        array([[5.]])
        """
        rest, lower = self._vector(v).copy(), self.lower.copy(order="F")
        for j in range(len(rest)):
            length = np.hypot(lower[j, j], rest[j])
            cosine, sine = lower[j, j] / length, rest[j] / length
            _rotate(lower[j:, j], rest[j:], cosine, sine)
        return Cholesky(lower, self.jitter)

    def downdate(self, v: ArrayLike) -> Cholesky:
        """The factor of ``A − v vᵀ``, which must still be positive definite.

        >>> cholesky([[25.0]]).downdate([3.0]).lower
        array([[4.]])
        """
        v = self._vector(v)
        p = self.solve_lower(v)
        left = 1.0 - float(p @ p)  # |A − v vᵀ| / |A|
        if left <= len(v) * np.finfo(float).eps:
            raise NumericalFailure(
                f"taking v vᵀ away leaves {left:.2g} of the determinant, so the matrix is no longer positive definite. "
                "Take away only what was added, or factor the matrix anew"
            )
        # Rotations that turn (p, √left) into (0, 1) turn (Lᵀ, 0) into the new factor and v.
        rest, lower = np.zeros_like(v), self.lower.copy(order="F")
        lengths = np.sqrt(left + np.append(np.cumsum(p[::-1] ** 2)[::-1], 0.0))
        for j, (length, before) in reversed(list(enumerate(pairwise(lengths)))):
            _rotate(lower[j:, j], rest[j:], before / length, -p[j] / length)
        return Cholesky(lower, self.jitter)

    def _right_side(self, b: ArrayLike) -> Floats:
        right = checks.floats("b", b)
        if right.ndim not in (1, 2):
            raise BadShape(f"b must be a vector or a matrix; got shape {right.shape}")
        checks.rows_match("b", len(right), "the factor", len(self.lower))
        return right

    def _vector(self, v: ArrayLike) -> Floats:
        vector = checks.floats("v", v, ndim=1)
        checks.rows_match("v", len(vector), "the factor", len(self.lower))
        return vector


def cholesky(A: ArrayLike, *, jitter: float = 1e-6) -> Cholesky:
    """The Cholesky factor of a symmetric positive definite matrix.

    The matrix is tried as it is. If rounding has made it indefinite, 10⁻¹² of the mean of its diagonal is added to the
    diagonal, then ten times that, and so on, up to ``jitter`` of that mean; the factor says what was added. Beyond that
    the matrix is refused. ``jitter=0`` never adds anything.

    >>> cholesky([[2.0, 0.0], [0.0, 2.0]]).lower
    array([[1.41421356, 0.        ],
           [0.        , 1.41421356]])
    """
    matrix = _symmetric(A)
    # The transpose of a row-major matrix is what LAPACK wants to see, and the matrix is symmetric: a plain copy.
    lower = np.array(matrix.T, order="F")
    added = factor_in_place(lower, jitter=jitter)
    for j in range(1, len(lower)):
        lower[:j, j] = 0.0
    return Cholesky(lower, added)


def factor_in_place(A: Floats, *, jitter: float = 1e-6) -> float:
    """Overwrite the lower triangle of A by its Cholesky factor; what was added to the diagonal first.

    The policy is that of `cholesky`. A must be a column-major array and is taken to be symmetric; what stands above the
    diagonal stays, so that it takes no second matrix to try again. It is for machines that have made A themselves.

    >>> A = np.array([[4.0, 2.0], [2.0, 5.0]], order="F")
    >>> factor_in_place(A)
    0.0
    >>> A
    array([[2., 2.],
           [1., 2.]])
    """
    limit = checks.positive("jitter", jitter, zero=True)
    if limit.ndim or limit >= 1:
        raise BadParameter(f"jitter must be a single number below 1; got {checks.shown(jitter)}")
    if not A.flags.f_contiguous or A.dtype != np.float64:
        raise BadShape("A must be a column-major array of float64 to be factored in place")
    diagonal = np.diagonal(A).copy()
    mean = float((diagonal / len(A)).sum())  # divided first, because the sum may overflow
    relative = 0.0
    # A matrix without a positive diagonal is not one that rounding has spoilt.
    while relative <= limit * (1 + 1e-9) and mean > 0:
        if relative:
            for j in range(len(A)):
                A[j + 1 :, j] = A[j, j + 1 :]
        np.fill_diagonal(A, diagonal + relative * mean)
        if overwrite_triangle("dpotrf", A) == 0:
            return relative * mean
        relative = max(FIRST_JITTER, 10 * relative)
    raise NumericalFailure(
        f"the {len(A)} × {len(A)} matrix A is not positive definite, even with {float(limit):g} of its mean "
        "diagonal added. Are rows of the data duplicates, is the noise too small, or is it not a covariance?"
    )


def _rotate(column: Floats, rest: Floats, cosine: float, sine: float) -> None:
    column[:], rest[:] = cosine * column + sine * rest, cosine * rest - sine * column


def _symmetric(A: ArrayLike) -> Floats:
    matrix = checks.floats("A", A, ndim=2)
    n = len(matrix)
    if n == 0 or matrix.shape[1] != n:
        raise BadShape(f"A must be square, with at least one row; got shape {matrix.shape}")
    tolerance = ASYMMETRY * max(float(matrix.max()), -float(matrix.min()))
    for i in range(0, n, 256):  # by blocks, because a transpose read in one go misses the cache
        off = np.abs(matrix[i : i + 256, i:] - matrix[i:, i : i + 256].T)
        if off.max() > tolerance:
            row, column = (int(place) + i for place in np.unravel_index(off.argmax(), off.shape))
            raise InvalidInput(
                f"A must be symmetric; A[{row}, {column}] is {matrix[row, column]:g} and A[{column}, {row}] is "
                f"{matrix[column, row]:g}. Use (A + A.T) / 2 if that is meant"
            )
    return matrix
