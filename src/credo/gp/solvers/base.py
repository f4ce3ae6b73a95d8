"""What every solver is: how the covariance of the rows that were seen is factored, and what the factor answers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from credo.checks import Floats
from credo.kernels import Kernel

__all__ = ["Evidence", "Factor", "Solver"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The log evidence of ``rows`` rows, with its terms apart: log p(y) = fit + complexity + constant.

    ``fit`` is −½ rᵀA⁻¹r with r what the mean leaves of y, ``complexity`` is −½ log |A|, ``constant`` −n/2 log 2π.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> evidence = Process(SE(1.0)).given([[0.0]], [1.0], noise=1.0).evidence
    >>> round(evidence.fit, 3), round(evidence.complexity, 3), round(evidence.total, 3)
    (-0.25, -0.347, -1.516)
    """

    fit: float
    complexity: float
    rows: int

    @property
    def constant(self) -> float:
        """−n/2 log 2π."""
        return -self.rows / 2 * math.log(2 * math.pi)

    @property
    def total(self) -> float:
        """log p(y)."""
        return self.fit + self.complexity + self.constant


class Factor(ABC):
    """A factored covariance A = K(X) + noise² of n rows. A frozen value.

    >>> from credo.gp import Exact
    >>> from credo.kernels import SE
    >>> factor = Exact().factor(SE(1.0), np.array([[0.0]]), noise=np.array([1.0]))
    >>> factor.solve(np.array([3.0])), factor.jitter
    (array([1.5]), 0.0)
    """

    __slots__ = ()

    @property
    @abstractmethod
    def jitter(self) -> float:
        """What was added to the diagonal of A so that it could be factored; zero, mostly."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """n."""

    @property
    @abstractmethod
    def log_det(self) -> float:
        """log |A|."""

    @abstractmethod
    def solve(self, b: Floats) -> Floats:
        """A⁻¹ b, for a vector or the columns of a matrix."""

    @abstractmethod
    def explained(self, across: Floats) -> Floats:
        """The diagonal of C A⁻¹ Cᵀ for ``across`` = C with n columns: the variance that the rows take away.

        Here and below, ``across`` is given away: what is made of it may be made where it stands.
        """

    @abstractmethod
    def explained_together(self, across: Floats) -> Floats:
        """The whole of C A⁻¹ Cᵀ, symmetric to the last bit."""

    @abstractmethod
    def inverse_diagonal(self) -> Floats:
        """The diagonal of A⁻¹."""

    def extended(self, across: Floats, corner: Floats) -> Factor | None:
        """The factor of [[A, Cᵀ], [C, ``corner``]], or None where it is no cheaper than to begin anew."""
        del across, corner
        return None

    def evidence(self, residual: Floats) -> Evidence:
        """The log evidence of rows that differ by ``residual`` from their mean."""
        return Evidence(-0.5 * float(residual @ self.solve(residual)), -0.5 * self.log_det, self.rows)


class Solver(ABC):
    """A way to factor the covariance of rows, and to differentiate the evidence.

    A solver is exact or it refuses: ``refusal`` says why. What it is given is checked already: rows X, ``noise`` a
    standard deviation for each row.

    >>> from credo.gp import Exact
    >>> from credo.kernels import SE
    >>> rows = np.array([[0.0], [1.0]])
    >>> evidence, slopes = Exact().slopes(SE(1.0), rows, np.array([0.1, 0.1]), residual=np.array([1.0, 2.0]))
    >>> round(evidence.total, 3), slopes.round(3)
    (-3.636, array([0.155]))
    """

    __slots__ = ()

    @abstractmethod
    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:
        """Why this solver would not be exact here, or None if it is."""

    @abstractmethod
    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        """The factor of K(X) + diag(noise²)."""

    @abstractmethod
    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        """The log evidence, and its derivative by each entry of ``kernel.theta``."""


def symmetric(matrix: Floats) -> Floats:
    """A matrix that is symmetric but for rounding, symmetric to the last bit."""
    matrix += matrix.T.copy()
    matrix *= 0.5
    return matrix


def squares_by_row(rows: Floats) -> Floats:
    """The squared length of each row."""
    return np.asarray(np.einsum("ij,ij->i", rows, rows))
