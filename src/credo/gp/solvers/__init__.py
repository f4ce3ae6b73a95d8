"""Solvers: how the covariance of the rows that were seen is solved with, one a file. Each is exact or refuses."""

from __future__ import annotations

from credo.checks import Floats, shown
from credo.errors import BadParameter, InvalidInput
from credo.gp.solvers.base import Evidence, Factor, Solver
from credo.gp.solvers.exact import Exact, ExactFactor
from credo.gp.solvers.kronecker import Kronecker, KroneckerFactor
from credo.gp.solvers.toeplitz import Toeplitz, ToeplitzFactor
from credo.kernels import Kernel

__all__ = [
    "Evidence",
    "Exact",
    "ExactFactor",
    "Factor",
    "Kronecker",
    "KroneckerFactor",
    "Solver",
    "Toeplitz",
    "ToeplitzFactor",
    "chosen",
]

MANY = 500  # rows from which structure is worth looking for


def chosen(solver: Solver | None, kernel: Kernel, X: Floats, noise: Floats) -> Solver:
    """The solver to use: the one that was asked for, if it is exact here; without one, the cheapest that is."""
    if solver is None:
        structured: tuple[Solver, ...] = (Toeplitz(), Kronecker()) if len(X) >= MANY else ()
        return next((held for held in structured if held.refusal(kernel, X, noise) is None), Exact())
    if not isinstance(solver, Solver):
        raise BadParameter(f"solver must be a solver of credo.gp, or None to choose one; got {shown(solver)}")
    why = solver.refusal(kernel, X, noise)
    if why is not None:
        raise InvalidInput(f"the solver {solver} is not exact here: {why}. Use solver=None")
    return solver
