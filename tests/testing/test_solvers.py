"""The contract of solvers finds what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from credo.checks import Floats
from credo.gp import Evidence, Exact, Factor, Solver
from credo.gp.solvers import ExactFactor
from credo.kernels import SE, Kernel
from credo.numerics import Cholesky
from credo.testing import check_solver

X = np.array([[0.0], [1.0], [2.5], [4.0]])


@dataclass(frozen=True, slots=True)
class Mine(Solver):
    """A right solver, with something wrong if that is wanted."""

    wrong: str = ""

    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:
        return "it is Monday" if self.wrong == "it is Monday" else None

    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        if self.wrong == "X must be left alone":
            X += 1.0
        factor = Exact().factor(kernel, X, noise)
        assert isinstance(factor, ExactFactor)
        if self.wrong == "log_det":
            return ExactFactor(Cholesky(factor.cholesky.lower * 1.001, 0.0))
        if self.wrong == "needs no jitter":
            return ExactFactor(Cholesky(factor.cholesky.lower, 1e-9))
        return factor

    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        evidence, slopes = Exact().slopes(kernel, X, noise, residual)
        if self.wrong == "the fit":
            evidence = Evidence(2 * evidence.fit, evidence.complexity, evidence.rows)
        if self.wrong == "must say so":
            evidence = Evidence(evidence.fit, evidence.complexity, 3)
        return evidence, slopes * (1.01 if self.wrong == "the gradient's entry" else 1.0)


def test_a_right_solver_passes():
    check_solver(Mine(), 2.0 * SE(1.0), X)


@pytest.mark.parametrize(
    "wrong",
    [
        "it is Monday",
        "log_det",
        "needs no jitter",
        "the fit",
        "must say so",
        "the gradient's entry",
        "X must be left alone",
    ],
)
def test_a_wrong_solver_is_found(wrong):
    with pytest.raises(AssertionError, match=wrong):
        check_solver(Mine(wrong), 2.0 * SE(1.0), X.copy())
