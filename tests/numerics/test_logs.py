"""Sums of logarithms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import logsumexp

from credo.errors import InvalidInput
from credo.numerics import log_normalise, log_sum_exp

logs = hnp.arrays(
    np.float64,
    hnp.array_shapes(max_dims=3, max_side=5),
    elements=st.floats(-1e4, 1e4) | st.just(-math.inf),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(logs)
def test_sums_agree_with_scipy(a: np.ndarray) -> None:
    for axis in [None, *range(-a.ndim, a.ndim)]:
        np.testing.assert_allclose(log_sum_exp(a, axis), logsumexp(a, axis=axis), rtol=1e-13)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(logs)
def test_normalised_weights_sum_to_one_and_give_the_weights_back(a: np.ndarray) -> None:
    for axis in range(-a.ndim, a.ndim):
        log_p, total = log_normalise(a, axis)
        some = total > -math.inf
        np.testing.assert_allclose(np.exp(log_p).sum(axis=axis)[some], 1.0, rtol=1e-10)
        np.testing.assert_allclose((log_p + np.expand_dims(total, axis)), a, rtol=1e-12, atol=1e-11)


def test_small_likelihoods_are_not_lost() -> None:
    log_p, total = log_normalise(np.log([1e-300, 3e-300]) - 1000)
    np.testing.assert_allclose(np.exp(log_p), [0.25, 0.75], rtol=1e-12)
    assert total == pytest.approx(math.log(4e-300) - 1000)


def test_nothing_possible_stays_so() -> None:
    log_p, total = log_normalise([-math.inf, -math.inf])
    assert total == -math.inf
    assert log_p.tolist() == [-math.inf, -math.inf]


@pytest.mark.parametrize("bad", [[math.nan, 0.0], [math.inf], "ab", [1j]])
def test_refused(bad: object) -> None:
    with pytest.raises(InvalidInput):
        log_sum_exp(bad)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        log_normalise(bad)  # type: ignore[arg-type]


def test_refused_axes() -> None:
    for axis in (1, -2, 0.5):
        with pytest.raises(InvalidInput):
            log_sum_exp([0.0], axis)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        log_normalise(0.0)


@pytest.mark.parametrize("size", [1e6, 1e12, 1e17, 1e300])
def test_huge_logarithms_keep_their_differences(size):
    log_p, total = log_normalise([-size, -size])
    np.testing.assert_allclose(np.exp(log_p), [0.5, 0.5], rtol=1e-15)
    assert total == pytest.approx(-size, rel=1e-15, abs=1)
