"""What a process has seen: rows, their targets and noise, and the factor of their covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credo.checks import Floats, rows_match
from credo.gp.solvers import Factor

__all__ = ["Seen"]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Rows ``X`` and targets ``y``, the standard deviation ``noise`` of each, and A = K(X) + noise², factored.

    ``residual`` is r, what the mean leaves of y, and ``weights`` A⁻¹ r.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> Process(SE(1.0)).given([[0.0]], [3.0], noise=1.0).seen.weights
    array([1.5])
    """

    X: Floats
    y: Floats
    noise: Floats
    residual: Floats
    weights: Floats
    factor: Factor

    def __post_init__(self) -> None:
        for name in ("y", "noise", "residual", "weights"):
            rows_match("X", len(self.X), name, len(getattr(self, name)))
        rows_match("X", len(self.X), "the factor", self.factor.rows)

    @classmethod
    def by(cls, factor: Factor, X: Floats, y: Floats, noise: Floats, residual: Floats) -> Seen:
        """What was seen, once its covariance is factored."""
        return cls(X, y, noise, residual, np.asarray(factor.solve(residual)), factor)
