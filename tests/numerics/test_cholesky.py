"""Cholesky factors: what they solve, what is added to the diagonal, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, BadShape, CredoError, InvalidInput, NumericalFailure
from credo.numerics import cholesky, factor_in_place


def covariance(n: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n), rng


sizes = st.integers(1, 12)
seeds = st.integers(0, 2**32 - 1)
modest = settings(max_examples=40, deadline=None, derandomize=True)


@modest
@given(sizes, seeds, st.booleans())
def test_what_a_factor_solves(n: int, seed: int, fortran: bool) -> None:
    A, rng = covariance(n, seed)
    given_A = np.array(A, order="F" if fortran else "C")
    factor = cholesky(given_A)
    np.testing.assert_array_equal(given_A, A)
    assert factor.jitter == 0.0
    np.testing.assert_array_equal(factor.lower, np.tril(factor.lower))
    np.testing.assert_allclose(factor.lower @ factor.lower.T, A, rtol=1e-10, atol=1e-12)
    b, B = rng.normal(size=n), rng.normal(size=(n, 3))
    np.testing.assert_allclose(factor.solve(b), np.linalg.solve(A, b), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(A @ factor.solve(B), B, atol=1e-8)
    np.testing.assert_allclose(factor.lower @ factor.solve_lower(B), B, atol=1e-10)
    assert factor.log_det == pytest.approx(np.linalg.slogdet(A)[1], abs=1e-8)
    inverse = factor.inverse()
    np.testing.assert_allclose(inverse, np.linalg.inv(A), rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(inverse, inverse.T)


@modest
@given(sizes, seeds)
def test_updates_and_downdates(n: int, seed: int) -> None:
    A, rng = covariance(n, seed)
    v = rng.normal(size=n)
    factor = cholesky(A)
    larger = factor.update(v)
    np.testing.assert_allclose(larger.lower, cholesky(A + np.outer(v, v)).lower, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(larger.downdate(v).lower, factor.lower, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(factor.lower, cholesky(A).lower)  # the first is left as it was


@modest
@given(sizes, seeds)
def test_taking_away_too_much_is_refused(n: int, seed: int) -> None:
    A, rng = covariance(n, seed)
    direction = rng.normal(size=n)
    just_singular = direction / np.sqrt(direction @ np.linalg.solve(A, direction))
    factor = cholesky(A)
    factor.downdate(0.999 * just_singular)
    with pytest.raises(NumericalFailure, match="no longer positive definite"):
        factor.downdate(1.001 * just_singular)


def test_a_downdate_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(NumericalFailure):
        cholesky(np.eye(3)).downdate([1.0, 0.0, 0.0])


def test_rounding_is_repaired_by_the_least_jitter_and_the_jitter_is_told() -> None:
    x = np.linspace(0, 1, 60)
    A = 5.0 * np.exp(-0.5 * (x[:, None] - x) ** 2)  # numerically of rank about 12
    factor = cholesky(A)
    assert factor.jitter in [5.0 * 10.0**-k for k in range(12, 5, -1)] or 0 < factor.jitter <= 5e-6
    np.testing.assert_allclose(factor.lower @ factor.lower.T, A + factor.jitter * np.eye(60), atol=1e-13)
    with pytest.raises(NumericalFailure):  # a tenth of it would not have done
        cholesky(A, jitter=factor.jitter / 5.0 / 10)
    with pytest.raises(NumericalFailure, match="noise too small"):
        cholesky(A, jitter=0.0)


def test_the_largest_jitter_allowed_is_tried_and_no_larger() -> None:
    A = np.diag([1.0, 1.0, -2e-9])
    assert cholesky(A, jitter=1e-8).jitter == pytest.approx(1e-8 * A.trace() / 3)
    with pytest.raises(NumericalFailure):
        cholesky(A, jitter=0.99e-8)


@pytest.mark.parametrize(
    ("error", "A"),
    [
        (NumericalFailure, [[1.0, 2.0], [2.0, 1.0]]),
        (NumericalFailure, [[-1.0]]),
        (NumericalFailure, [[0.0]]),
        (InvalidInput, [[1.0, 0.5], [0.4, 1.0]]),
        (InvalidInput, [[1.0, np.nan], [np.nan, 1.0]]),
        (InvalidInput, [[np.inf]]),
        (InvalidInput, "matrix"),
        (BadShape, [[1.0, 0.0]]),
        (BadShape, [1.0]),
        (BadShape, np.empty((0, 0))),
    ],
)
def test_refused_matrices(error: type[CredoError], A: object) -> None:
    with pytest.raises(error):
        cholesky(A)  # type: ignore[arg-type]


def test_asymmetry_is_found_in_every_block() -> None:
    for place in [(0, 599), (300, 299), (599, 598)]:
        A = np.eye(600)
        A[place] = 0.25
        with pytest.raises(InvalidInput, match=r"must be symmetric; A\[" + f"{min(place)}, {max(place)}"):
            cholesky(A)


@pytest.mark.parametrize("jitter", [-1e-6, 1.0, np.nan, [1e-6], "small"])
def test_refused_jitters(jitter: object) -> None:
    with pytest.raises(InvalidInput):
        cholesky([[1.0]], jitter=jitter)  # type: ignore[arg-type]


def test_refused_right_sides() -> None:
    factor = cholesky(np.eye(2))
    for b in (np.ones(3), np.ones((3, 2)), 1.0, np.ones((2, 1, 1)), [np.nan, 1.0]):
        with pytest.raises(InvalidInput):
            factor.solve(b)
        with pytest.raises(InvalidInput):
            factor.solve_lower(b)
    for v in (np.ones(3), np.ones((2, 1)), [np.inf, 0.0]):
        with pytest.raises(InvalidInput):
            factor.update(v)
        with pytest.raises(InvalidInput):
            factor.downdate(v)


def test_a_bad_jitter_is_one_error_among_parameters() -> None:
    with pytest.raises(BadParameter, match="below 1"):
        cholesky([[1.0]], jitter=2.0)


def test_entries_near_the_largest_number_overflow_nothing() -> None:
    np.testing.assert_allclose(cholesky(np.diag([1e308, 1e308, 1e308])).lower, np.diag([1e154] * 3))


@modest
@given(sizes, seeds)
def test_in_place_is_the_same_factor(n: int, seed: int) -> None:
    A, _ = covariance(n, seed)
    work = np.array(A, order="F")
    assert factor_in_place(work) == 0.0
    np.testing.assert_array_equal(np.tril(work), cholesky(A).lower)
    np.testing.assert_array_equal(np.triu(work, 1), np.triu(A, 1))
    twice = np.ones((n + 1, n + 1), order="F")  # what is factored again after jitter is the matrix as it was
    jitter = factor_in_place(twice)
    assert jitter > 0
    np.testing.assert_allclose(np.tril(twice) @ np.tril(twice).T, 1 + jitter * np.eye(n + 1), atol=1e-15)


def test_in_place_needs_an_array_it_can_write_to() -> None:
    with pytest.raises(BadShape, match="column-major"):
        factor_in_place(np.array([[2.0, 1.0], [1.0, 2.0]]))
