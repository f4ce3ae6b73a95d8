"""Nearest points of convex hulls: the condition of an optimum, linear programs, and sets that touch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, nnls
from sklearn.svm import SVC

from credo.errors import BadParameter, BadShape, InvalidInput, Outcome
from credo.numerics import nearest_points

modest = settings(max_examples=60, deadline=None, derandomize=True)


def sets(seed: int, *, whole: bool = False) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    d, (n, m) = int(rng.integers(1, 6)), rng.integers(1, 20, 2)
    A = rng.normal(size=(n, d)) * 2
    B = rng.normal(size=(m, d)) * 2 + rng.choice([0, 1, 4]) * rng.normal(size=d)
    return (A.round(), B.round()) if whole else (A, B)


def meet_by_program(A: np.ndarray, B: np.ndarray) -> bool:
    """Whether some mixture of the rows of A is one of the rows of B."""
    n, m = len(A), len(B)
    equal = np.vstack(
        [np.hstack([A.T, -B.T]), np.repeat([1.0, 0.0], [n, m])[None], np.repeat([0.0, 1.0], [n, m])[None]]
    )
    found = linprog(np.zeros(n + m), A_eq=equal, b_eq=[0.0] * A.shape[1] + [1.0, 1.0])
    return found.status == 0


@modest
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_no_point_is_nearer(seed: int, whole: bool) -> None:
    A, B = sets(seed, whole=whole)
    found = nearest_points(A, B)
    assert found.outcome is Outcome.CONVERGED
    assert found.meet == meet_by_program(A, B)
    np.testing.assert_allclose(found.first_weights @ A[found.first_rows], found.first, atol=1e-12)
    np.testing.assert_allclose(found.second_weights @ B[found.second_rows], found.second, atol=1e-12)
    for weights in (found.first_weights, found.second_weights):
        assert weights.sum() == pytest.approx(1.0)
        assert (weights > 0).all()
    apart = found.first - found.second
    assert np.linalg.norm(apart) == pytest.approx(found.distance, abs=1e-12)
    if not found.meet:  # every row of A lies beyond, every row of B behind: so no mixtures are nearer
        assert ((A - found.second) @ apart).min() >= found.distance**2 * (1 - 1e-8)
        assert ((found.first - B) @ apart).min() >= found.distance**2 * (1 - 1e-8)
        assert found.gap <= 1e-8 * found.distance


@modest
@given(st.integers(0, 2**32 - 1))
def test_the_distance_from_the_origin_agrees_with_nonnegative_least_squares(seed: int) -> None:
    A, _ = sets(seed)
    A = A + 3.0
    found = nearest_points(A, np.zeros((1, A.shape[1])))
    weights, _ = nnls(np.vstack([A.T, 1e4 * np.ones(len(A))]), np.append(np.zeros(A.shape[1]), 1e4))
    assert found.distance == pytest.approx(np.linalg.norm(weights @ A) / weights.sum(), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("repeated", [False, True])
def test_many_columns_in_which_rows_join_and_leave(repeated: bool) -> None:
    rng = np.random.default_rng(7)
    A, B = rng.normal(size=(150, 40)) + 0.3, rng.normal(size=(150, 40)) - 0.3
    if repeated:  # columns that depend on each other, rows that nearly do
        A, B = (np.hstack([rows, rows[:, :5] + rows[:, 5:10]]) for rows in (A, B))
        A = np.vstack([A, A[:50] + 1e-9 * rng.normal(size=(50, 45))])
    found = nearest_points(A, B)
    assert found.outcome is Outcome.CONVERGED
    assert found.steps > len(found.first_rows)  # some have left
    apart = found.first - found.second
    assert not found.meet
    assert (A @ apart).min() - (B @ apart).max() >= found.distance**2 * (1 - 1e-9)


def test_half_the_distance_is_the_margin_of_a_hard_support_vector_machine() -> None:
    rng = np.random.default_rng(5)
    A, B = rng.normal(size=(40, 3)) + 3, rng.normal(size=(30, 3)) - 3
    machine = SVC(kernel="linear", C=1e9, tol=1e-10).fit(np.vstack([A, B]), np.repeat([1, 0], [40, 30]))
    found = nearest_points(A, B)
    assert found.distance / 2 == pytest.approx(1 / np.linalg.norm(machine.coef_), rel=1e-6)


@pytest.mark.parametrize("size", [1e-9, 1e9])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_units_and_places_change_nothing(size: float, shift: float) -> None:
    A, B = np.array([[2.0, 0.0], [2.0, 3.0], [5.0, 1.0]]), np.array([[-1.0, 1.0], [-2.0, 5.0]])
    found = nearest_points((A + shift) * size, (B + shift) * size)
    assert found.distance == pytest.approx(3.0 * size, rel=1e-9)
    np.testing.assert_allclose(found.first, np.array([2 + shift, 1 + shift]) * size, rtol=1e-9)


def test_hulls_that_only_touch_meet() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert nearest_points(square, square + np.array([1.0, 0.5])).meet
    assert nearest_points(square, square + np.array([1.0, 1.0])).meet
    assert not nearest_points(square, square + np.array([1.0 + 1e-6, 0.5])).meet


def test_repeated_rows_and_single_points() -> None:
    assert nearest_points([[1.0, 2.0]] * 5, [[1.0, 2.0]] * 3).meet
    found = nearest_points([[1.0, 2.0]] * 5, [[4.0, 6.0]] * 3)
    assert (found.distance, found.meet) == (5.0, False)


def test_it_stops_when_told() -> None:
    rng = np.random.default_rng(0)
    found = nearest_points(rng.normal(size=(50, 6)) + 1, rng.normal(size=(50, 6)) - 1, steps=1)
    assert (found.outcome, found.steps) == (Outcome.OUT_OF_STEPS, 1)
    best = nearest_points(rng.normal(size=(50, 6)) + 1, rng.normal(size=(50, 6)) - 1)
    assert best.outcome is Outcome.CONVERGED


@pytest.mark.parametrize(
    ("error", "A", "B", "options"),
    [
        (BadShape, [1.0], [[1.0]], {}),
        (BadShape, np.empty((0, 2)), [[1.0, 2.0]], {}),
        (BadShape, [[1.0]], [[1.0, 2.0]], {}),
        (InvalidInput, [[np.nan]], [[1.0]], {}),
        (BadParameter, [[1.0]], [[2.0]], {"steps": 0}),
    ],
)
def test_refused(error: type[Exception], A: object, B: object, options: dict) -> None:
    with pytest.raises(error):
        nearest_points(A, B, **options)  # type: ignore[arg-type]
