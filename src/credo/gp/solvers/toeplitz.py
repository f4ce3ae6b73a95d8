"""The solver for a regular grid in one dimension: the covariance is Toeplitz, known by its first column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import fft

from credo.checks import Floats
from credo.errors import NumericalFailure
from credo.gp.solvers.base import Evidence, Factor, Solver, symmetric
from credo.gp.solvers.structure import is_regular, is_stationary, one_number
from credo.kernels import Kernel
from credo.numerics.cholesky import FIRST_JITTER

__all__ = ["Toeplitz", "ToeplitzFactor"]

MOST_JITTER = 1e-6  # of the variance, as for Cholesky's factor
LAGS = 128  # that are pulled back at a time: enough to be quick, and few enough for their square to be small
CELLS = 2**20  # of a right side that are transformed at a time


@dataclass(frozen=True, slots=True, eq=False)
class ToeplitzFactor(Factor):
    """A Toeplitz matrix by its first ``column``, and its inverse by the first column of that, ``inverse``.

    With x that column of the inverse, A⁻¹ = (L(x) L(x)ᵀ − L(y) L(y)ᵀ)/x₀, where L(x) is the lower triangular Toeplitz
    matrix whose first column is x, and y = (0, xₙ₋₁, …, x₁).
    """

    column: Floats
    inverse: Floats
    determinant: float
    added: float

    @property
    def jitter(self) -> float:
        """What was added to the diagonal."""
        return self.added

    @property
    def rows(self) -> int:
        """n."""
        return len(self.column)

    @property
    def log_det(self) -> float:
        """log |A|."""
        return self.determinant

    def solve(self, b: Floats) -> Floats:
        """A⁻¹ b by Fourier transforms, corrected twice by what it leaves of b."""
        right = b.reshape(self.rows, -1)
        found = np.empty_like(right)
        step = max(1, CELLS // self.rows)
        for start in range(0, right.shape[1], step):
            block = slice(start, start + step)
            solved = self._by_inverse(right[:, block])
            for _ in range(2):
                solved += self._by_inverse(right[:, block] - self._times(solved))
            found[:, block] = solved
        return found.reshape(b.shape)

    def explained(self, across: Floats) -> Floats:
        """The diagonal of C A⁻¹ Cᵀ."""
        return np.asarray(np.einsum("ij,ji->i", across, self.solve(across.T)))

    def explained_together(self, across: Floats) -> Floats:
        """The whole of C A⁻¹ Cᵀ."""
        return symmetric(across @ self.solve(across.T))

    def inverse_diagonal(self) -> Floats:
        """The diagonal of A⁻¹."""
        x = self.inverse
        return np.asarray(np.cumsum(x**2 - np.append(0.0, x[:0:-1]) ** 2) / x[0])

    def sums_along_diagonals(self) -> Floats:
        """Σᵢ (A⁻¹)ᵢ,ᵢ₊ₖ for each k, which is Σⱼ (n − k − 2j) xⱼ xⱼ₊ₖ/x₀."""
        x, n = self.inverse, self.rows
        places = np.arange(n)
        return np.asarray(((n - places) * _lagged(x, x) - 2 * _lagged(places * x, x)) / x[0])

    def _times(self, b: Floats) -> Floats:
        """A b, within a circulant matrix of twice the size."""
        n = self.rows
        circle = np.concatenate([self.column, [0.0], self.column[:0:-1]])
        return _circular(circle, b)[:n]

    def _by_inverse(self, b: Floats) -> Floats:
        n, x = self.rows, self.inverse
        y = np.append(0.0, x[:0:-1])
        both = np.zeros_like(b)
        for first, sign in ((x, 1.0), (y, -1.0)):
            turned = _lower_times(first, b[::-1])[::-1]  # L(first)ᵀ b
            both += sign * _lower_times(first, turned)
        both /= x[0]
        return both[:n]


@dataclass(frozen=True, slots=True)
class Toeplitz(Solver):
    """Exact for a stationary kernel and rows of one column at equal steps with equal noise, in O(n) memory.

    Durbin's recursion gives log |A| and the first column of A⁻¹ in 2n² steps, and all else follows from that column by
    Fourier transforms.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> days = np.arange(3000.0)[:, None]
    >>> process = Process(SE(30.0)).given(days, np.sin(days[:, 0] / 50), noise=0.1, solver=Toeplitz())
    >>> process.predictive([[1500.5]]).mean.round(3)
    array([-0.986])
    """

    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:
        """Why the covariance would not be a Toeplitz matrix."""
        if X.shape[1] != 1 or not is_regular(X[:, 0]):
            return "the rows are not one column of numbers in order and at equal steps"
        if not one_number(noise):
            return "the noise differs from row to row"
        return None if is_stationary(kernel) else f"{kernel} is not a function of the distance between rows alone"

    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        """The factor of K(X) + noise²."""
        return self._factor(kernel, X, noise)

    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        """The log evidence and its gradient, for which only sums along the diagonals of ααᵀ − A⁻¹ are needed."""
        factor = self._factor(kernel, X, noise)
        alpha = factor.solve(residual)
        evidence = Evidence(-0.5 * float(residual @ alpha), -0.5 * factor.log_det, factor.rows)
        if not kernel.free:
            return evidence, np.empty(0)
        sums = _lagged(alpha, alpha) - factor.sums_along_diagonals()
        sums[0] *= 0.5
        gradient = np.zeros(len(kernel.free))
        for start in range(0, len(X), LAGS):
            # The first row beside itself, for what is on the diagonal, and beside some others.
            rows = X[max(start, 1) : start + LAGS]
            weights = np.zeros((len(rows) + 1,) * 2)
            weights[0, 1:] = sums[max(start, 1) : start + LAGS]
            weights[0, 0] = sums[0] if start == 0 else 0.0
            gradient += kernel.pullback(np.vstack([X[:1], rows]), weights)
        return evidence, gradient

    def _factor(self, kernel: Kernel, X: Floats, noise: Floats) -> ToeplitzFactor:
        column = kernel(X[:1], X)[0]
        column[0] = kernel.diagonal(X[:1])[0] + noise[0] ** 2
        relative = 0.0
        while relative <= MOST_JITTER * (1 + 1e-9) and column[0] > 0:
            jittered = column.copy()
            jittered[0] *= 1 + relative
            found = _durbin(jittered)
            if found is not None:
                inverse, log_det = found
                return ToeplitzFactor(jittered, inverse, log_det, float(jittered[0] - column[0]))
            relative = max(FIRST_JITTER, 10 * relative)
        raise NumericalFailure(
            f"the {len(X)} × {len(X)} covariance is not positive definite, even with {MOST_JITTER:g} of its diagonal "
            "added. Is the noise too small, or the step of the grid far below the length of the kernel?"
        )


def _durbin(column: Floats) -> tuple[Floats, float] | None:
    """The first column of the inverse of a symmetric Toeplitz matrix, and its log determinant.

    It predicts each number from all those before: ``a`` holds the weights, and ``left`` the variance that is left.
    None where that is no longer positive.
    """
    n = len(column)
    backwards = column[::-1].copy()
    a, left, log_det = np.zeros(n), float(column[0]), 0.0
    a[0] = 1.0
    for k in range(1, n):
        log_det += np.log(left)
        # (einsum, because BLAS would start threads for vectors that are long but not long enough for that)
        reflection = -float(np.einsum("i,i", a[:k], backwards[n - 1 - k : n - 1])) / left
        a[1 : k + 1] += reflection * a[k - 1 :: -1] if k > 1 else reflection
        left *= (1 - reflection) * (1 + reflection)
        if not left > 0:
            return None
    return a / left, log_det + np.log(left)


def _lagged(a: Floats, b: Floats) -> Floats:
    """Σⱼ aⱼ bⱼ₊ₖ for each k."""
    n = len(a)
    size = fft.next_fast_len(2 * n, real=True)
    return np.asarray(fft.irfft(np.conj(fft.rfft(a, size)) * fft.rfft(b, size), size)[:n])


def _lower_times(first: Floats, b: Floats) -> Floats:
    """L(first) b for the columns of b: the beginning of a convolution."""
    n = len(first)
    return _circular(first, b, fft.next_fast_len(2 * n, real=True))[:n]


def _circular(circle: Floats, b: Floats, size: int | None = None) -> Floats:
    """The columns of b, convolved on a circle."""
    size = len(circle) if size is None else size
    spectrum = fft.rfft(circle, size)[:, None] * fft.rfft(b, size, axis=0)
    return np.asarray(fft.irfft(spectrum, size, axis=0))
