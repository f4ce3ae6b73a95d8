"""The solver for regular series, beside the exact one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import toeplitz

from credo.errors import InvalidInput, NumericalFailure
from credo.gp import Exact, Process, Toeplitz
from credo.gp.solvers import ToeplitzFactor, chosen
from credo.gp.solvers.structure import is_regular, is_stationary
from credo.gp.solvers.toeplitz import LAGS, _durbin
from credo.kernels import SE, Cosine, Linear, Matern32, Matern52, Noise, Periodic, RationalQuadratic, Wiener
from credo.testing import check_gradient, check_solver

KERNELS = [
    2.0 * Matern52(1.0) + Noise(0.1),
    SE(3.0) * Periodic(1.0, 1.7) + 0.5 * RationalQuadratic(2.0) + 0.3,
    (Matern32(2.0) + Cosine(3.0)).fixed("period"),
]


def series(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return 10 - np.arange(n)[:, None] / 4, rng.normal(size=n), np.full(n, 0.3)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(1, 40), st.sampled_from(KERNELS), st.integers(0, 100))
def test_it_agrees_with_the_exact_solver(n, kernel, seed):
    X, r, noise = series(n, seed)
    found, slopes = Toeplitz().slopes(kernel, X, noise, r)
    exact, wanted = Exact().slopes(kernel, X, noise, r)
    assert found.fit == pytest.approx(exact.fit, rel=1e-8)
    assert found.complexity == pytest.approx(exact.complexity, rel=1e-8, abs=1e-9)
    np.testing.assert_allclose(slopes, wanted, rtol=1e-6, atol=1e-7)
    first, second = Toeplitz().factor(kernel, X, noise), Exact().factor(kernel, X, noise)
    across = np.random.default_rng(seed).normal(size=(3, n))
    assert first.rows == n
    np.testing.assert_allclose(first.solve(r), second.solve(r), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(first.explained(across.copy()), second.explained(across.copy()), rtol=1e-7)
    np.testing.assert_allclose(
        first.explained_together(across.copy()), second.explained_together(across.copy()), rtol=1e-7, atol=1e-7
    )
    np.testing.assert_allclose(first.inverse_diagonal(), second.inverse_diagonal(), rtol=1e-7)


def test_the_gradient_over_more_lags_than_a_block():
    X, r, noise = series(LAGS + 40)

    def objective(theta):
        evidence, slopes = Toeplitz().slopes(KERNELS[1].with_theta(theta), X, noise, r)
        return evidence.total, slopes

    check_gradient(objective, KERNELS[1].theta)


def test_durbin_is_the_inverse():
    column = np.array([3.0, -1.0, 0.5, 0.2])
    found = _durbin(column)
    assert found is not None
    np.testing.assert_allclose(found[0], np.linalg.inv(toeplitz(column))[:, 0], rtol=1e-12)
    assert found[1] == pytest.approx(np.linalg.slogdet(toeplitz(column))[1])
    assert _durbin(np.array([1.0, 1.0])) is None
    assert _durbin(np.array([1.0, 0.5, -0.9])) is None  # not positive definite at the third step


def test_long_series_are_given_to_it():
    X, r, noise = series(600)
    kernel = Matern52(2.0)
    process = Process(kernel).given(X, r, noise=noise)
    assert isinstance(process.seen.factor, ToeplitzFactor)
    exact = Process(kernel).given(X, r, noise=noise, solver=Exact())
    Z = np.linspace(-150, 20, 9)[:, None]
    np.testing.assert_allclose(process.predictive(Z).mean, exact.predictive(Z).mean, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(process.predictive(Z).sd, exact.predictive(Z).sd, rtol=1e-8)
    np.testing.assert_allclose(process.leave_one_out().sd, exact.leave_one_out().sd, rtol=1e-8)
    more = process.given([[11.3]], [0.0], noise=0.3)
    np.testing.assert_allclose(
        more.predictive(Z).mean, exact.given([[11.3]], [0.0], noise=0.3).predictive(Z).mean, rtol=1e-8, atol=1e-9
    )
    assert isinstance(chosen(None, kernel, X[:100], noise[:100]), Exact)
    assert isinstance(chosen(None, kernel + Linear(), X, noise), Exact)


def test_jitter_is_stated_and_has_an_end():
    X = np.arange(30)[:, None] / 30
    factor = Toeplitz().factor(SE(1.0), X, np.zeros(30))
    assert 0 < factor.jitter <= 1e-6
    with pytest.raises(NumericalFailure, match="noise too small"):
        Toeplitz().factor(0.0 * SE(1.0), X, np.zeros(30))


@pytest.mark.parametrize(
    ("kernel", "X", "noise", "complaint"),
    [
        (SE(1.0), [[0.0], [1.0], [3.0]], 0.1, "at equal steps"),
        (SE(1.0), [[0.0], [0.0], [0.0]], 0.1, "at equal steps"),
        (SE(1.0), [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], 0.1, "not one column"),
        (SE(1.0), [[0.0], [1.0], [2.0]], [0.1, 0.2, 0.1], "differs from row to row"),
        (Wiener(), [[0.0], [1.0], [2.0]], 0.1, "distance between rows alone"),
        (SE(1.0) + Linear(), [[0.0], [1.0], [2.0]], 0.1, "distance between rows alone"),
    ],
)
def test_it_refuses_what_it_cannot_do_exactly(kernel, X, noise, complaint):
    with pytest.raises(InvalidInput, match=f"{complaint}.*Use solver=None"):
        Process(kernel).given(X, [0.0, 1.0, 2.0], noise=noise, solver=Toeplitz())


def test_what_is_regular_and_stationary():
    assert is_regular(1958.25 + np.arange(500) / 12)
    assert is_regular(np.array([3.0, 2.0, 1.0]))
    assert not is_regular(np.array([0.0, 1.0, 2.001]))
    assert not is_regular(1e15 + np.arange(4) / 4)  # the numbers are too coarse for their steps
    assert is_stationary((SE(1.0) ** 2).on(0).fixed())
    assert not is_stationary(SE(1.0).warped(np.log))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_keeps_the_contract_of_solvers(kernel):
    check_solver(Toeplitz(), kernel, series(20)[0])
