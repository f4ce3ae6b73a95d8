"""What the border promises and refuses, whichever loops stand behind it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from credo import native
from credo.errors import BadParameter, BadShape, CredoError, InvalidInput, TooLarge
from credo.native import chosen, reference

codes = np.array([0, 1, 1, -1], dtype=np.int32)
X = np.arange(8.0).reshape(4, 2)
ones = np.ones((2, 2))
prior = np.log([0.5, 0.5])


@pytest.fixture(params=["chosen", "twins"], autouse=True)
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "twins":
        monkeypatch.setattr("credo.native.border.loops", reference)
    elif chosen.loops is reference:
        pytest.skip("the twins are what was chosen")


REFUSED: list[tuple[type[CredoError], str, Callable]] = [
    (BadShape, "same length", lambda: native.contingency([codes], [2, 2])),
    (BadShape, "same length", lambda: native.contingency([], [])),
    (InvalidInput, "array of int32; got int64", lambda: native.contingency([codes.astype(np.int64)], [2])),
    (InvalidInput, "array of int32; got list", lambda: native.contingency([[0, 1]], [2])),  # type: ignore[list-item]
    (InvalidInput, "array of int32; got >i4", lambda: native.contingency([codes.astype(">i4")], [2])),
    (BadShape, "1 axes", lambda: native.contingency([codes.reshape(2, 2)], [2])),
    (BadShape, "same number of rows", lambda: native.contingency([codes, codes[:2]], [2, 2])),
    (BadParameter, r"sizes\[0\]", lambda: native.contingency([codes], [-1])),
    (BadParameter, r"sizes\[0\]", lambda: native.contingency([codes], [2.0])),  # type: ignore[list-item]
    (InvalidInput, r"columns\[0\]\[1\] is 1; codes", lambda: native.contingency([codes], [1])),
    (InvalidInput, r"columns\[0\]\[0\] is 0; codes", lambda: native.contingency([codes], [0])),
    (InvalidInput, r"columns\[1\]\[3\] is -2", lambda: native.contingency([codes, np.minimum(codes, 0) * 2], [2, 2])),
    (BadShape, "rows", lambda: native.contingency([codes], [2], np.ones(3))),
    (InvalidInput, "finite", lambda: native.contingency([codes], [2], np.array([1, np.nan, 1, 1]))),
    (TooLarge, "fewer columns", lambda: native.contingency([codes] * 10, [100] * 10)),
    (TooLarge, r"65 columns would have about 10\^20 cells", lambda: native.contingency([codes] * 65, [2] * 65)),
    (TooLarge, r"65 columns would have about 10\^528 cells", lambda: native.contingency([codes] * 65, [2**27] * 65)),
    (TooLarge, "fewer columns", lambda: native.contingency([codes] * 65, [1] * 65)),
    (TooLarge, "fewer columns", lambda: native.contingency([codes] * 3, [2**20, 2**20, 0])),
    (BadParameter, "axis", lambda: native.log_sum_exp(X, 2)),
    (BadParameter, "axis", lambda: native.log_sum_exp(X, None)),  # type: ignore[arg-type]
    (BadShape, "at least 1", lambda: native.log_sum_exp(np.array(1.0), 0)),
    (InvalidInput, "float64; got float32", lambda: native.log_sum_exp(X.astype(np.float32), 0)),
    (InvalidInput, "float64; got int64", lambda: native.grouped_moments(np.ones((4, 2), np.int64), codes, 2)),
    (BadShape, "2 axes", lambda: native.grouped_moments(X[0], codes, 2)),
    (BadShape, "rows", lambda: native.grouped_moments(X[:3], codes, 2)),
    (BadParameter, "k must", lambda: native.grouped_moments(X, codes, -1)),
    (InvalidInput, r"groups\[1\] is 1", lambda: native.grouped_moments(X, codes, 1)),
    (TooLarge, "Merge groups", lambda: native.grouped_moments(X, codes, 2**24)),
    (InvalidInput, "finite", lambda: native.grouped_moments(np.array([[np.inf], [1.0]]), codes[:2], 2)),
    (InvalidInput, "finite", lambda: native.grouped_moments(np.array([[1e300], [1.0]]), codes[1:3], 2)),
    (BadShape, "mean must have shape", lambda: native.gaussian_log_joint(X, ones[:1], ones, prior)),
    (BadShape, "variance must have shape", lambda: native.gaussian_log_joint(X, ones, ones[:, :1], prior)),
    (BadShape, "mean must have shape", lambda: native.gaussian_log_joint(X[:, :1], ones, ones, prior)),
    (BadParameter, "variance must be positive", lambda: native.gaussian_log_joint(X, ones, 0 * ones, prior)),
    (InvalidInput, "log_prior", lambda: native.gaussian_log_joint(X, ones, ones, np.array([0.0, np.nan]))),
    (InvalidInput, "log_prior", lambda: native.gaussian_log_joint(X, ones, ones, np.array([0.0, np.inf]))),
]


@pytest.mark.parametrize(("error", "message", "call"), REFUSED)
def test_refused(error: type[CredoError], message: str, call: Callable) -> None:
    with pytest.raises(error, match=message):
        call()


def test_rows_with_a_missing_code_are_left_out() -> None:
    table = native.contingency([codes, codes[::-1]], [2, 2])  # the second is not contiguous
    np.testing.assert_array_equal(table, [[0, 0], [0, 2]])


def test_a_column_without_states_has_an_empty_table() -> None:
    nothing = np.full(4, -1, dtype=np.int32)
    assert native.contingency([nothing, codes], [0, 2]).shape == (0, 2)


def test_no_rows() -> None:
    none = np.empty(0, dtype=np.int32)
    assert native.contingency([none], [3]).tolist() == [0, 0, 0]
    count, mean, variance = native.grouped_moments(np.empty((0, 2)), none, 2)
    assert count.tolist() == [[0, 0], [0, 0]]
    assert np.isnan(mean).all()
    assert np.isnan(variance).all()
    assert native.gaussian_log_joint(np.empty((0, 2)), ones, ones, prior).shape == (0, 2)


def test_arrays_that_are_read_only_are_read() -> None:
    frozen = codes.copy()
    frozen.setflags(write=False)
    assert native.contingency([frozen], [2]).tolist() == [1, 2]


def test_log_sum_exp_along_any_axis() -> None:
    a = np.log(np.arange(1.0, 25.0)).reshape(2, 3, 4)
    for axis in (0, 1, 2, -1, -2, np.int64(1)):
        np.testing.assert_allclose(np.exp(native.log_sum_exp(a, axis)), np.exp(a).sum(axis=axis), rtol=1e-14)
    np.testing.assert_allclose(native.log_sum_exp(a[:, 0], 1), native.log_sum_exp(a, 2)[:, 0])


def test_log_sum_exp_of_nothing_and_of_the_edges() -> None:
    assert native.log_sum_exp(np.empty((2, 0)), 1).tolist() == [-math.inf, -math.inf]
    edges = np.array([[-math.inf, -math.inf], [math.inf, 0.0], [1e308, 1e308], [-1e308, -1e308], [math.nan, 1.0]])
    expected = [-math.inf, math.inf, 1e308, -1e308, math.nan]
    for a, axis in ((edges, 1), (edges.T, 0), (np.ascontiguousarray(edges.T), 0)):
        np.testing.assert_array_equal(native.log_sum_exp(a, axis), expected)


def test_moments_far_from_zero_keep_their_digits() -> None:
    noise = np.random.default_rng(0).normal(size=(200_000, 2))
    X = 1e9 + noise
    groups = np.zeros(len(X), dtype=np.int32)
    exact = (X - 1e9).astype(np.longdouble)
    _, mean, variance = native.grouped_moments(X, groups, 1)
    np.testing.assert_allclose(mean[0] - 1e9, exact.mean(axis=0).astype(float), atol=2e-7)
    np.testing.assert_allclose(variance[0], exact.var(axis=0).astype(float), rtol=1e-9)


def test_moments_survive_one_far_value_at_the_start() -> None:
    X = np.concatenate([[1e9], np.random.default_rng(0).normal(size=100_000)])[:, None]
    groups = np.concatenate([[1], np.zeros(100_000)]).astype(np.int32)
    _, mean, variance = native.grouped_moments(X, groups, 2)
    np.testing.assert_allclose(variance[:, 0], [X[1:].var(), 0.0], rtol=1e-13)
    np.testing.assert_allclose(mean[:, 0], [X[1:].mean(), 1e9], rtol=1e-13)


def test_an_infinite_cell_is_impossible_and_a_missing_one_says_nothing() -> None:
    rows = np.array([[np.inf, 0.0], [np.nan, np.nan]])
    np.testing.assert_array_equal(native.gaussian_log_joint(rows, ones, ones, prior), [[-math.inf] * 2, prior])
