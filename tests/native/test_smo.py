"""The loop behind support vector machines: against its twin, brute force, and SciPy's own solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from credo import native
from credo.errors import BadShape, InvalidInput
from credo.native import chosen, reference

modest = settings(max_examples=50, deadline=None, derandomize=True)
LOOPS = [reference, chosen.loops] if native.available else [reference]


def problem(n: int, seed: int, limit: float = 2.0, cell: type = np.float64) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2)).astype(cell)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return K, np.zeros(n), y, np.where(y > 0, 0.0, -limit), np.where(y > 0, limit, 0.0)


def objective(K: np.ndarray, beta: np.ndarray, y: np.ndarray) -> float:
    return float(0.5 * beta @ K @ beta - y @ beta)


@modest
@given(st.integers(2, 600), st.integers(0, 2**32 - 1), st.sampled_from([0.01, 1.0, 50.0]), st.booleans())
def test_the_loop_ends_where_its_twin_does(n: int, seed: int, limit: float, short: bool) -> None:
    K, beta, y, low, high = problem(n, seed, limit, np.float32 if short else np.float64)
    ends = [loops.smo(K, beta, y, low, high, 1e-6, 3000) for loops in LOOPS]
    for moved, slack, steps, gap in ends:
        assert steps <= 3000
        assert steps == 3000 or gap <= 1e-6
        np.testing.assert_allclose(slack, y - K.astype(float) @ moved, atol=1e-9 * max(1.0, limit))
        assert (moved >= low).all()
        assert (moved <= high).all()
        assert abs(moved.sum()) < 1e-9 * max(1.0, limit)
    values = [objective(K, moved, y) for moved, *_ in ends]
    if all(steps < 3000 for _, _, steps, _ in ends):
        np.testing.assert_allclose(values, values[0], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loops", LOOPS)
def test_one_step_is_the_best_there_is_along_some_pair(loops) -> None:
    K, beta, y, low, high = problem(9, 3)
    moved, slack, steps, _ = loops.smo(K, beta, y, low, high, 0.0, 1)
    assert steps == 1
    i, j = np.flatnonzero(moved)
    rising = [objective(K, moved + t * (np.eye(9)[i] - np.eye(9)[j]), y) for t in (-1e-4, 0.0, 1e-4)]
    assert rising[1] <= min(rising)  # the bounds are far: the step ends where the slope is zero
    assert slack[i] == pytest.approx(slack[j], abs=1e-12)


@pytest.mark.parametrize("loops", LOOPS)
def test_it_agrees_with_a_solver_nobody_here_wrote(loops) -> None:
    K, beta, y, low, high = problem(25, 1, 1.5)
    moved = loops.smo(K, beta, y, low, high, 1e-10, 100_000)[0]
    theirs = minimize(
        lambda b: (objective(K, b, y), K @ b - y),
        beta,
        jac=True,
        bounds=list(zip(low, high, strict=True)),
        constraints={"type": "eq", "fun": lambda b: b.sum(), "jac": lambda b: np.ones(len(b))},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert objective(K, moved, y) <= theirs.fun + 1e-9
    np.testing.assert_allclose(moved, theirs.x, atol=1e-5)


@pytest.mark.parametrize("loops", LOOPS)
def test_it_goes_on_from_where_it_stopped(loops) -> None:
    K, beta, y, low, high = problem(80, 2)
    straight = loops.smo(K, beta, y, low, high, 1e-6, 10_000)
    steps, slack = 0, y
    for _ in range(1000):
        beta, slack, taken, gap = loops.smo(K, beta, slack, low, high, 1e-6, 7)
        steps += taken
        if taken < 7:
            break
    np.testing.assert_array_equal(beta, straight[0])
    assert (steps, gap) == straight[2:]


@pytest.mark.parametrize("loops", LOOPS)
def test_what_may_not_move_stays_and_a_bound_may_be_missing(loops) -> None:
    K, beta, y, low, high = problem(40, 4)
    low[::4] = high[::4] = 0.0
    moved, slack, _, gap = loops.smo(K, beta, y, low, np.where(high > 0, 1e290, 0.0), 1e-8, 50_000)
    assert (moved[::4] == 0).all()
    assert gap <= 1e-8
    np.testing.assert_allclose(slack, y - K @ moved, atol=1e-7)  # followed for the rows that stay, too
    still = loops.smo(K, beta, y, np.zeros(40), np.zeros(40), 1e-8, 10)
    assert still[2:] == (0, 0.0)


@pytest.mark.parametrize("loops", LOOPS)
def test_rows_that_are_the_same_do_no_harm(loops) -> None:
    K, y = np.ones((4, 4)), np.array([1.0, 1.0, -1.0, -1.0])
    moved, _, _, gap = loops.smo(K, np.zeros(4), y, np.minimum(y, 0), np.maximum(y, 0), 1e-9, 100)
    np.testing.assert_array_equal(moved, y)
    assert gap <= 0


def test_numbers_that_are_not_finite_end_it() -> None:
    K, beta, y, low, high = problem(300, 5)
    K[:] = np.nan
    moved, _, steps, _ = native.smo(K, beta, y, low, high, tolerance=1e-3, steps=1000)
    assert steps <= 1000
    assert len(moved) == 300


def test_what_does_not_fit_is_refused() -> None:
    K, beta, y, low, high = problem(5, 6)
    with pytest.raises(BadShape, match="K and slack"):
        native.smo(K, beta, y[:-1], low, high, tolerance=1e-3, steps=10)
    with pytest.raises(BadShape, match="columns of K"):
        native.smo(K[:, :4].copy(), beta, y, low, high, tolerance=1e-3, steps=10)
    with pytest.raises(InvalidInput, match="K must be a NumPy array of float64"):
        native.smo(K.astype(int), beta, y, low, high, tolerance=1e-3, steps=10)
