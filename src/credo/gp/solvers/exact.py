"""The solver for any kernel and any rows: a Cholesky factor, in n³/3 steps and n² numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credo.checks import Floats
from credo.errors import NumericalFailure
from credo.gp.solvers.base import Evidence, Factor, Solver, squares_by_row, symmetric
from credo.kernels import Kernel
from credo.numerics import Cholesky, factor_in_place, overwrite_triangle

__all__ = ["Exact", "ExactFactor"]


@dataclass(frozen=True, slots=True, eq=False)
class ExactFactor(Factor):
    """The factor of a covariance as a whole matrix."""

    cholesky: Cholesky

    @property
    def jitter(self) -> float:
        """What was added to the diagonal."""
        return self.cholesky.jitter

    @property
    def rows(self) -> int:
        """n."""
        return len(self.cholesky.lower)

    @property
    def log_det(self) -> float:
        """log |A|."""
        return self.cholesky.log_det

    def solve(self, b: Floats) -> Floats:
        """A⁻¹ b."""
        return self.cholesky.solve(b)

    def explained(self, across: Floats) -> Floats:
        """The diagonal of C A⁻¹ Cᵀ, which is the squared length of the rows of C L⁻ᵀ."""
        return squares_by_row(self._whitened(across))

    def explained_together(self, across: Floats) -> Floats:
        """The whole of C A⁻¹ Cᵀ."""
        white = self._whitened(across)
        return symmetric(white @ white.T)

    def inverse_diagonal(self) -> Floats:
        """The diagonal of A⁻¹, which is the squared length of the columns of L⁻¹."""
        from scipy.linalg.lapack import dtrtri

        inverse, _ = dtrtri(self.cholesky.lower, lower=1)
        return squares_by_row(np.tril(inverse).T)

    def extended(self, across: Floats, corner: Floats) -> Factor | None:
        """The factor of more rows: their own block takes m³/3 + m²n + mn² steps, and the rest is a copy."""
        below = self._whitened(across)
        rest = np.array((corner - below @ below.T).T, order="F")
        rest.flat[:: len(rest) + 1] += self.jitter  # the same for all rows
        try:
            factor_in_place(rest, jitter=0.0)
        except NumericalFailure:
            return None
        n, m = self.rows, len(rest)
        lower = np.zeros((n + m, n + m), order="F")
        lower[:n, :n], lower[n:, :n], lower[n:, n:] = self.cholesky.lower, below, np.tril(rest)
        return ExactFactor(Cholesky(lower, self.jitter))

    def _whitened(self, across: Floats) -> Floats:
        """C L⁻ᵀ, where C stands if it is row-major: its transpose is then column-major, as BLAS wants it."""
        from scipy.linalg.blas import dtrsm

        white: Floats = dtrsm(1.0, self.cholesky.lower, across.T, lower=1, overwrite_b=1).T
        return white


@dataclass(frozen=True, slots=True)
class Exact(Solver):
    """Cholesky's factor of the whole covariance: exact for every kernel, in n³/3 steps.

    Rounding that makes the matrix indefinite is repaired by a jitter on its diagonal, stated by the factor, by the
    policy of ``credo.numerics.cholesky``; what that does not repair is refused.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> Process(SE(1.0)).given([[0.0], [1.0]], [1.0, 2.0], noise=0.1, solver=Exact()).log_evidence
    -3.63...
    """

    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:  # noqa: ARG002
        """It is exact everywhere."""
        return None

    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        """The factor of K(X) + diag(noise²)."""
        lower, jitter = _factored(kernel, X, noise)
        for j in range(1, len(lower)):
            lower[:j, j] = 0.0
        return ExactFactor(Cholesky(lower, jitter))

    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        """The log evidence and its gradient Σᵢⱼ ½ (ααᵀ − A⁻¹)ᵢⱼ ∂Kᵢⱼ/∂θ with α = A⁻¹r, all in one matrix."""
        from scipy.linalg.blas import dsyr
        from scipy.linalg.lapack import dpotrs

        lower, _ = _factored(kernel, X, noise)
        log_det = float(2 * np.log(np.diagonal(lower)).sum())
        alpha, _ = dpotrs(lower, residual, lower=1)
        evidence = Evidence(-0.5 * float(residual @ alpha), -0.5 * log_det, len(X))
        if not kernel.free:
            return evidence, np.empty(0)
        overwrite_triangle("dpotri", lower)
        inverse = dsyr(-1.0, alpha, lower=1, a=lower, overwrite_a=1)
        # Derivatives of K are symmetric: what is below the diagonal counts twice, and above it stand zeros.
        for j in range(len(X)):
            inverse[:j, j] = 0.0
        inverse.ravel(order="K")[:: len(X) + 1] *= 0.5
        return evidence, -kernel.pullback(X, inverse.T)


def _factored(kernel: Kernel, X: Floats, noise: Floats) -> tuple[Floats, float]:
    """A column-major array with Cholesky's factor in its lower triangle, and the jitter."""
    matrix = kernel(X)
    matrix.ravel()[:: len(X) + 1] += np.square(noise)
    return matrix.T, factor_in_place(matrix.T)
