"""The optimiser: the notes' curve, bounds, and every way a search can end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import rosen, rosen_der

from credo.errors import BadParameter, BadShape, InvalidInput, Outcome
from credo.numerics import minimise
from credo.testing import check_gradient


def quartic(x: np.ndarray) -> tuple[float, np.ndarray]:
    """−log of the notes' curve exp(−(x⁴ − ½x³ − 7x² − 5/2 x + 22))."""
    return (
        float(x[0] ** 4 - 0.5 * x[0] ** 3 - 7 * x[0] ** 2 - 2.5 * x[0] + 22),
        4 * x**3 - 1.5 * x**2 - 14 * x - 2.5,
    )


def rosenbrock(x: np.ndarray) -> tuple[float, np.ndarray]:
    return float(rosen(x)), rosen_der(x)


def test_the_gradients_used_here() -> None:
    check_gradient(quartic, [0.7])
    check_gradient(rosenbrock, [0.3, -1.2, 2.0])


def test_the_notes_curve_has_its_maximum_where_they_say() -> None:
    optimum = minimise(quartic, [1.0])
    assert optimum.outcome is Outcome.CONVERGED
    assert optimum.position[0] == pytest.approx(2.1437, abs=5e-5)
    grid = np.linspace(-4, 4, 80_001)
    assert grid[np.argmin([quartic(np.array([x]))[0] for x in grid])] == pytest.approx(optimum.position[0], abs=1e-4)


def test_a_curved_valley() -> None:
    optimum = minimise(rosenbrock, [-1.2, 1.0, 0.5])
    assert optimum.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(optimum.position, 1.0, atol=1e-7)
    assert (np.diff(optimum.trace) <= 0).all()
    assert optimum.steps == len(optimum.trace) - 1
    assert optimum.trace[-1] == optimum.value == rosen(optimum.position)
    np.testing.assert_array_equal(optimum.gradient, rosen_der(optimum.position))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_bounded_quadratics_satisfy_the_conditions_of_an_optimum(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    root, centre = rng.normal(size=(n, n)), rng.normal(size=n) * 3
    A = root @ root.T + 0.1 * np.eye(n)
    bounds = [(-1.0, 1.0) if rng.random() < 0.7 else (None, None) for _ in range(n)]
    optimum = minimise(lambda x: (0.5 * (x - centre) @ A @ (x - centre), A @ (x - centre)), np.zeros(n), bounds=bounds)
    assert optimum.outcome is Outcome.CONVERGED
    for x, slope, (low, high) in zip(optimum.position, optimum.gradient, bounds, strict=True):
        assert low is None or low <= x <= high
        if x == high:
            assert slope <= 1e-4
        elif x == low:
            assert slope >= -1e-4
        else:
            assert abs(slope) <= 1e-4 * max(1, abs(optimum.value))


def test_a_start_that_is_the_minimum_takes_no_step() -> None:
    optimum = minimise(lambda x: (float(x @ x), 2 * x), [0.0, 0.0])
    assert (optimum.outcome, optimum.steps, optimum.trace.tolist()) == (Outcome.CONVERGED, 0, [0.0])


def test_a_start_held_at_its_bounds_has_converged() -> None:
    assert minimise(lambda x: (float(x[0]), np.ones(1)), [2.0], bounds=[(2.0, 2.0)]).outcome is Outcome.CONVERGED


def test_out_of_steps() -> None:
    optimum = minimise(rosenbrock, [-1.2, 1.0], steps=3)
    assert (optimum.outcome, optimum.steps) == (Outcome.OUT_OF_STEPS, 3)


def test_a_wrong_gradient_stalls() -> None:
    optimum = minimise(lambda x: (float(x @ x), -2 * x), [3.0])
    assert optimum.outcome is Outcome.STALLED
    assert optimum.value == 9.0


def test_a_region_that_is_not_finite_is_backed_away_from() -> None:
    # The first step from 1e-3 goes far below zero, where the logarithm is not a number.
    def barrier(x: np.ndarray) -> tuple[float, np.ndarray]:
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(x.sum() - 1e-4 * np.log(x).sum()), 1 - 1e-4 / x

    optimum = minimise(barrier, [1e-3, 5.0])
    assert optimum.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(optimum.position, 1e-4, rtol=1e-5)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_nothing_finite_anywhere(bad: float) -> None:
    optimum = minimise(lambda x: (bad, x), [1.0, 2.0])
    assert (optimum.outcome, optimum.steps) == (Outcome.NOT_FINITE, 0)
    assert minimise(lambda x: (1.0, np.full(2, bad)), [1.0, 2.0]).outcome is Outcome.NOT_FINITE


def test_finite_at_the_start_only() -> None:
    optimum = minimise(lambda x: (0.0 if x[0] == 1.0 else math.nan, np.ones(1)), [1.0])
    assert optimum.outcome is Outcome.NOT_FINITE
    assert optimum.position.tolist() == [1.0]


def test_ctrl_c_keeps_the_best_so_far() -> None:
    seen: list[float] = []

    def interrupted(x: np.ndarray) -> tuple[float, np.ndarray]:
        if len(seen) == 12:
            raise KeyboardInterrupt
        value, gradient = rosenbrock(x)
        seen.append(value)
        return value, gradient

    optimum = minimise(interrupted, [-1.2, 1.0])
    assert optimum.outcome is Outcome.INTERRUPTED
    assert optimum.value == min(seen) < seen[0]


def test_each_step_is_recorded() -> None:
    recorded: list[tuple[np.ndarray, float]] = []
    optimum = minimise(rosenbrock, [-1.2, 1.0], record=lambda x, value: recorded.append((x, value)))
    assert [value for _, value in recorded] == optimum.trace[1:].tolist()
    np.testing.assert_array_equal(recorded[-1][0], optimum.position)


def test_an_objective_may_spoil_what_it_is_given() -> None:
    def spoiling(x: np.ndarray) -> tuple[float, np.ndarray]:
        x -= 1.0
        return float(x @ x), np.multiply(x, 2.0, out=x)

    np.testing.assert_allclose(minimise(spoiling, [4.0, -2.0]).position, 1.0)


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (BadParameter, {"steps": 0}),
        (BadParameter, {"tolerance": 0.0}),
        (BadParameter, {"tolerance": "tight"}),
        (BadParameter, {"bounds": [(2.0, 3.0)]}),
        (BadParameter, {"bounds": [(0.0, math.nan)]}),
        (BadParameter, {"bounds": [0.0]}),
        (BadParameter, {"bounds": 3}),
        (BadShape, {"bounds": [(0.0, 2.0), (0.0, 2.0)]}),
        (BadShape, {"start": 1.0}),
        (InvalidInput, {"start": [math.nan]}),
        (BadShape, {"objective": lambda x: (0.0, np.ones(3))}),
    ],
)
def test_refused(error: type[Exception], options: dict) -> None:
    arguments = {"objective": quartic, "start": [1.0]} | options
    with pytest.raises(error):
        minimise(arguments.pop("objective"), arguments.pop("start"), **arguments)


@pytest.mark.parametrize(
    ("fall", "slope"),
    [(lambda x: -x, lambda x: -1.0), (lambda x: 3e4 - 2e6 * x, lambda x: -2e6), (lambda x: -x * x, lambda x: -2 * x)],
    ids=["a slope", "a steep slope", "a dome"],
)
def test_where_there_is_no_minimum_nothing_converges(fall, slope) -> None:
    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        return fall(float(x[0])), np.array([slope(float(x[0]))])

    assert not minimise(objective, [1.0]).outcome.good
    held = minimise(objective, [1.0], bounds=[(None, 1e3)])
    assert (held.outcome, held.position.tolist()) == (Outcome.CONVERGED, [1e3])


@pytest.mark.parametrize("returned", [1.0, None, ("a", [1.0]), (1.0, ["a"]), (np.ones(2), [1.0])])
def test_an_objective_that_returns_something_else_is_refused(returned) -> None:
    with pytest.raises(InvalidInput, match="must return a number and its gradient"):
        minimise(lambda x: returned, [0.0])
