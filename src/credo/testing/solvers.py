"""What every solver of Gaussian processes promises, as code."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.gp import Evidence, Factor, Solver
from credo.kernels import Kernel
from credo.testing.gradients import check_gradient

__all__ = ["check_solver"]


def check_solver(
    solver: Solver, kernel: Kernel, X: ArrayLike, *, noise: float = 0.3, rng: int = 0, tolerance: float = 1e-6
) -> None:
    """Hold a solver to the contract that ``Solver`` and ``Factor`` state, where it says that it is exact.

    With A = K(X) + noise² as a whole matrix: what the factor solves and explains, its determinant and the diagonal of
    its inverse are those of A; log evidence and gradient are those of the normal law and of differences; a factor that
    is extended is that of all the rows; and what is given is left alone. ``rng`` seeds what is solved for.

    >>> from credo.gp import Exact
    >>> from credo.kernels import SE
    >>> check_solver(Exact(), 2.0 * SE(1.0), [[0.0], [1.0], [3.0]])
    """
    rows = checks.floats("X", X, ndim=2)
    n, draws = len(rows), np.random.default_rng(rng)
    given, sd, residual, across = rows.copy(), np.full(n, float(noise)), draws.normal(size=n), draws.normal(size=(3, n))
    why = solver.refusal(kernel, rows, sd)
    assert why is None, f"{solver} must be exact for {kernel} on these rows; it says that {why}"
    A = kernel(rows) + noise**2 * np.eye(n)
    factor = solver.factor(kernel, rows, sd)
    assert factor.rows == n, f"a factor of {n} rows must say so; got {factor.rows}"
    assert factor.jitter == 0, f"a matrix as good as this needs no jitter; got {factor.jitter:g}"
    _check_factor(factor, A, residual, across, tolerance)
    _check_evidence(factor.evidence(residual), A, residual, tolerance)
    evidence, _ = solver.slopes(kernel, rows, sd, residual)
    _check_evidence(evidence, A, residual, tolerance)

    def objective(theta: Floats) -> tuple[float, Floats]:
        found, slopes = solver.slopes(kernel.with_theta(theta), rows, sd, residual)
        return found.total, slopes

    check_gradient(objective, kernel.theta, tolerance=max(tolerance, 1e-6))
    corner = np.diag([5.0, 6.0])
    longer = factor.extended(0.1 * across[:2], corner)
    if longer is not None:
        whole = np.block([[A, 0.1 * across[:2].T], [0.1 * across[:2], corner]])
        wanted = draws.normal(size=n + 2)
        _same("what an extended factor solves", longer.solve(wanted), np.linalg.solve(whole, wanted), tolerance)
    assert np.array_equal(rows, given), "X must be left alone"
    assert (sd == noise).all(), "noise must be left alone"


def _check_factor(factor: Factor, A: Floats, residual: Floats, across: Floats, tolerance: float) -> None:
    inverse = np.linalg.inv(A)
    explained = across @ inverse @ across.T
    _same("log_det", factor.log_det, np.linalg.slogdet(A)[1], tolerance)
    _same("what is solved for a vector", factor.solve(residual), inverse @ residual, tolerance)
    _same("what is solved for columns", factor.solve(across.T), inverse @ across.T, tolerance)
    _same("explained", factor.explained(across.copy()), np.diagonal(explained), tolerance)
    together = factor.explained_together(across.copy())
    _same("explained_together", together, explained, tolerance)
    assert np.array_equal(together, together.T), "explained_together must be symmetric to the last bit"
    _same("inverse_diagonal", factor.inverse_diagonal(), np.diagonal(inverse), tolerance)


def _check_evidence(evidence: Evidence, A: Floats, residual: Floats, tolerance: float) -> None:
    _same("the fit", evidence.fit, -0.5 * residual @ np.linalg.solve(A, residual), tolerance)
    _same("the complexity", evidence.complexity, -0.5 * np.linalg.slogdet(A)[1], tolerance)
    assert evidence.rows == len(A), f"the evidence of {len(A)} rows must say so; got {evidence.rows}"


def _same(what: str, found: ArrayLike, wanted: ArrayLike, tolerance: float) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what} must have shape {wanted.shape}; got {found.shape}"
    gap = float(np.abs(found - wanted).max(initial=0.0))
    scale = max(float(np.abs(wanted).max(initial=0.0)), 1e-3)
    assert gap <= tolerance * scale, f"{what} must be that of the whole matrix; it differs by up to {gap:.2g}"
