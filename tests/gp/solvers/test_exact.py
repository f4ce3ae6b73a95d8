"""The exact solver: its evidence and gradient, and that it extends a factor as it would make it."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from credo import native
from credo.errors import NumericalFailure
from credo.gp import Exact
from credo.kernels import SE, Linear, Matern32, Matern52, Noise, Periodic, RationalQuadratic
from credo.testing import check_gradient, check_solver

KERNELS = [
    2.0 * SE([1.0, 0.5]),
    Matern52(1.0) + 0.5 * Matern32([1.0, 2.0]) + Noise(0.2),
    SE(1.0).on(0) * Periodic(1.0, 0.7).on(1) + Linear(0.5),
    RationalQuadratic(1.0, alpha=0.7) * SE(2.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_evidence_and_gradient(kernel):
    rng = np.random.default_rng(0)
    X, r, noise = rng.normal(size=(15, 2)), rng.normal(size=15), rng.uniform(0.1, 0.3, size=15)

    def objective(theta):
        evidence, slopes = Exact().slopes(kernel.with_theta(theta), X, noise, r)
        return evidence.total, slopes

    check_gradient(objective, kernel.theta)
    law = stats.multivariate_normal(np.zeros(15), kernel(X) + np.diag(noise**2))
    evidence = Exact().slopes(kernel, X, noise, r)[0]
    assert evidence.total == pytest.approx(law.logpdf(r), rel=1e-10)
    assert Exact().factor(kernel, X, noise).evidence(r).total == pytest.approx(evidence.total, rel=1e-12)


def test_nothing_free_has_no_gradient():
    evidence, slopes = Exact().slopes(SE(1.0).fixed(), np.zeros((1, 1)), np.ones(1), np.ones(1))
    assert slopes.shape == (0,)
    assert evidence.fit == pytest.approx(-0.25)


def test_a_factor_answers_as_the_inverse_does():
    rng = np.random.default_rng(1)
    X, across = rng.normal(size=(9, 2)), rng.normal(size=(4, 9))
    noise = np.full(9, 0.3)
    A = KERNELS[0](X) + 0.09 * np.eye(9)
    factor = Exact().factor(KERNELS[0], X, noise)
    inverse = np.linalg.inv(A)
    assert factor.rows == 9
    assert factor.log_det == pytest.approx(np.linalg.slogdet(A)[1])
    np.testing.assert_allclose(factor.solve(across.T), inverse @ across.T, rtol=1e-8)
    np.testing.assert_allclose(factor.explained(across.copy()), np.diag(across @ inverse @ across.T), rtol=1e-8)
    np.testing.assert_allclose(
        factor.explained_together(across.copy()), across @ inverse @ across.T, rtol=1e-8, atol=1e-10
    )
    np.testing.assert_allclose(factor.inverse_diagonal(), np.diag(inverse), rtol=1e-8)


def test_jitter_is_stated_and_has_an_end():
    X = np.array([[0.0], [0.0], [1.0]])
    factor = Exact().factor(SE(1.0), X, np.zeros(3))
    assert 0 < factor.jitter <= 1e-6
    np.testing.assert_allclose(
        factor.cholesky.lower @ factor.cholesky.lower.T, SE(1.0)(X) + factor.jitter * np.eye(3), atol=1e-15
    )
    with pytest.raises(NumericalFailure, match="duplicates, is the noise too small"):
        Exact().factor(0.0 * SE(1.0), X, np.zeros(3))


@pytest.mark.skipif(not native.available, reason="the NumPy twins of the native loops take more")
def test_the_gradient_takes_the_memory_of_few_matrices():
    rng = np.random.default_rng(2)
    X, r, kernel = rng.normal(size=(400, 8)), rng.normal(size=400), 1.0 * SE(np.ones(8)) + Noise(0.1)
    Exact().slopes(kernel, X, np.zeros(400), r)
    tracemalloc.start()
    Exact().slopes(kernel, X, np.zeros(400), r)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 2 * 400**2 * 8


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_keeps_the_contract_of_solvers(kernel):
    check_solver(Exact(), kernel, np.random.default_rng(3).normal(size=(9, 2)))
