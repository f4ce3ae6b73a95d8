"""The solver for grids of several columns, beside the exact one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from credo.errors import InvalidInput, NumericalFailure
from credo.gp import Exact, Kronecker, Process
from credo.gp.solvers import KroneckerFactor
from credo.kernels import SE, Matern32, Noise, Periodic, RationalQuadratic
from credo.testing import check_solver

GRID = np.array(list(itertools.product([0.0, 1.0, 2.5], [0.0, 0.5, 1.0, 3.0], [1.0, 4.0])))
KERNELS = [
    2.0 * SE([1.0, 2.0, 3.0]),
    Noise(0.3) + 2.0 * SE(1.0) * Periodic(1.0, 1.7).on(1) + Noise(0.1),
    3.0 * Matern32(1.0).on(0) * SE(2.0).on(1) * SE(2.0).on(1) * RationalQuadratic(1.0, 2.0).on(2) + Noise(0.2),
    (3.0 * Matern32(1.0).on(0) + Noise(0.1)).fixed("length"),
    Matern32(1.0).on(2) * 0.0,
]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_agrees_with_the_exact_solver(kernel, shuffled):
    rng = np.random.default_rng(0)
    X = rng.permutation(GRID) if shuffled else GRID
    r, noise, across = rng.normal(size=24), np.full(24, 0.2), rng.normal(size=(5, 24))
    assert Kronecker().refusal(kernel, X, noise) is None
    found, slopes = Kronecker().slopes(kernel, X, noise, r)
    exact, wanted = Exact().slopes(kernel, X, noise, r)
    assert found.fit == pytest.approx(exact.fit, rel=1e-9)
    assert found.complexity == pytest.approx(exact.complexity, rel=1e-9)
    np.testing.assert_allclose(slopes, wanted, rtol=1e-7, atol=1e-9)
    first, second = Kronecker().factor(kernel, X, noise), Exact().factor(kernel, X, noise)
    assert first.rows == 24
    assert first.jitter == 0
    np.testing.assert_allclose(first.solve(r), second.solve(r), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(first.explained(across.copy()), second.explained(across.copy()), rtol=1e-8)
    np.testing.assert_allclose(
        first.explained_together(across.copy()), second.explained_together(across.copy()), rtol=1e-8, atol=1e-9
    )
    np.testing.assert_allclose(first.inverse_diagonal(), second.inverse_diagonal(), rtol=1e-8)


def test_large_grids_are_given_to_it():
    grid = np.array(list(itertools.product(np.arange(25.0), np.arange(21.0))))
    y = np.sin(grid[:, 0] / 4) + np.cos(grid[:, 1] / 3)
    kernel = 2.0 * SE([4.0, 3.0])
    process = Process(kernel).given(grid, y, noise=0.1)
    assert isinstance(process.seen.factor, KroneckerFactor)
    exact = Process(kernel).given(grid, y, noise=0.1, solver=Exact())
    Z = np.array([[3.3, 4.4], [30.0, 5.0]])
    np.testing.assert_allclose(process.predictive(Z).mean, exact.predictive(Z).mean, rtol=1e-8)
    np.testing.assert_allclose(process.predictive(Z).sd, exact.predictive(Z).sd, rtol=1e-8)


def test_without_noise_a_jitter_is_stated():
    grid = np.array(list(itertools.product(np.linspace(0, 1, 12), np.linspace(0, 1, 12))))
    factor = Kronecker().factor(SE([1.0, 1.0]), grid, np.zeros(144))
    assert 0 < factor.jitter <= 1e-6
    with pytest.raises(NumericalFailure, match="noise too small"):
        Kronecker().factor(0.0 * SE([1.0, 1.0]), grid, np.zeros(144))


@pytest.mark.parametrize(
    ("kernel", "X", "noise", "complaint"),
    [
        (SE(1.0), GRID[:-1], 0.1, "do not form a grid"),
        (SE(1.0), np.vstack([GRID[:-1], GRID[:1]]), 0.1, "do not form a grid"),
        (SE(1.0), GRID, np.linspace(0.1, 0.2, 24), "differs from row to row"),
        (SE(1.0) + SE(2.0), GRID, 0.1, "not a product of kernels of one column each"),
        (Matern32(1.0), GRID, 0.1, "not a product of kernels of one column each"),
        (SE(1.0).on([0, 1]), GRID, 0.1, "not a product of kernels of one column each"),
        (SE(1.0).on(0) * Noise(1.0).on(1), GRID, 0.1, "not a product of kernels of one column each"),
        (Noise(1.0), GRID, 0.1, "not a product of kernels of one column each"),
    ],
)
def test_it_refuses_what_it_cannot_do_exactly(kernel, X, noise, complaint):
    with pytest.raises(InvalidInput, match=f"{complaint}.*Use solver=None"):
        Process(kernel).given(X, np.zeros(len(X)), noise=noise, solver=Kronecker())


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_keeps_the_contract_of_solvers(kernel):
    check_solver(Kronecker(), kernel, GRID)
