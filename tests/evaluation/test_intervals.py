from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadParameter
from credo.evaluation import Interval, bootstrap, mean, proportion, wilson


def test_eighteen_errors_in_a_hundred():
    found = proportion(18, 100)
    assert found.value == 0.18
    assert round(found.half_width, 3) == 0.075


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_agrees_with_scipy(n, share, level):
    hits = round(share * n)
    reference = stats.binomtest(hits, n).proportion_ci(confidence_level=level, method="wilson")
    found = wilson(hits, n, level=level)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_mean_agrees_with_scipy():
    values = np.random.default_rng(1).gamma(2.0, size=30)
    reference = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    found = mean(values, level=0.9)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high))


def test_the_bootstrap_is_near_the_t_interval_and_repeats_itself():
    values = np.random.default_rng(1).normal(size=300)
    found = bootstrap(lambda rows: float(values[rows].mean()), 300, rng=0)
    assert (found.low, found.high) == pytest.approx((mean(values).low, mean(values).high), abs=0.02)
    assert found == bootstrap(lambda rows: float(values[rows].mean()), 300, rng=0)


def test_one_row_has_a_value_and_no_interval():
    for found in (mean([2.0]), bootstrap(lambda rows: 2.0, 1, rng=0), bootstrap(lambda rows: math.nan, 9, rng=0)):
        assert not found.bounded
        assert found.low == -math.inf
    assert str(mean([2.0])) == "2.000"


def test_minus_infinity_is_passed_on_without_an_interval():
    assert not mean([-math.inf, 0.0]).bounded


@pytest.mark.parametrize(("hits", "n"), [(1, 0), (-1, 3), (4, 3), (1.5, 3)])
def test_impossible_counts_are_refused(hits, n):
    for interval in (wilson, proportion):
        with pytest.raises(BadParameter):
            interval(hits, n)


def test_impossible_levels_are_refused():
    for level in (0, 1, 95):
        with pytest.raises(BadParameter, match="level"):
            wilson(1, 2, level=level)
        with pytest.raises(BadParameter, match="level"):
            mean([1.0, 2.0], level=level)
        with pytest.raises(BadParameter, match="level"):
            bootstrap(lambda rows: 1.0, 3, rng=0, level=level)


def test_the_normal_interval_stays_within_zero_and_one():
    assert proportion(1, 4).low == 0
    assert proportion(3, 4).high == 1
    assert Interval(1.0, 0.0, 3.0, level=0.9, method="any").half_width == 1.5


def test_the_interval_of_a_mean_stays_within_what_is_possible():
    found = mean([0.0, 0.0, 0.0, 1.0], within=(0.0, 0.5))
    assert (found.value, found.low, found.high) == (0.25, 0.0, 0.5)
