from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Beta
from credo.errors import BadParameter, InvalidInput
from credo.evaluation import Interval, clopper_pearson, credible, mean, posterior, proportion, undefined, wilson


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


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_exact_interval_agrees_with_scipy_and_holds_wilsons_centre(n, share, level):
    hits = round(share * n)
    reference = stats.binomtest(hits, n).proportion_ci(confidence_level=level, method="exact")
    found = clopper_pearson(hits, n, level=level)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-12)
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize(("prior", "a"), [("jeffreys", 0.5), ("uniform", 1.0), (Beta(3, 3), 3.0)])
def test_the_posterior_is_the_beta_law(prior, a):
    reference = stats.beta(a + 7, a + 3)
    found = credible(7, 10, prior=prior, level=0.9)
    assert (found.low, found.high) == pytest.approx(reference.interval(0.9))
    assert found.value == pytest.approx(reference.mean())
    assert float(posterior(7, 10, prior=prior).cdf(0.5)) == pytest.approx(reference.cdf(0.5))


def test_unknown_priors_are_refused():
    with pytest.raises(BadParameter, match="jeffreys"):
        credible(1, 2, prior="jeffrey")
    with pytest.raises(InvalidInput, match="one Beta"):
        posterior(1, 2, prior=Beta([1, 2], 1))


def test_all_four_agree_for_many_rows():
    ends = [(f.low, f.high) for f in (m(4000, 10_000) for m in (wilson, proportion, clopper_pearson, credible))]
    assert np.ptp(ends, axis=0).max() < 2e-4


def test_what_is_undefined_says_why():
    found = undefined("no row is 'ill'")
    assert not found.defined
    assert not found.bounded
    assert str(found) == "undefined: no row is 'ill'"
    assert wilson(1, 2).defined


def test_the_mean_agrees_with_scipy():
    values = np.random.default_rng(1).gamma(2.0, size=30)
    reference = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    found = mean(values, level=0.9)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high))


def test_one_row_has_a_value_and_no_interval():
    found = mean([2.0])
    assert not found.bounded
    assert "one row" in found.why
    assert str(mean([2.0])) == "2.000"


def test_minus_infinity_is_passed_on_without_an_interval():
    assert not mean([-math.inf, 0.0]).bounded


@pytest.mark.parametrize(("hits", "n"), [(1, 0), (-1, 3), (4, 3), (1.5, 3)])
def test_impossible_counts_are_refused(hits, n):
    for interval in (wilson, proportion, clopper_pearson, credible):
        with pytest.raises(BadParameter):
            interval(hits, n)


def test_impossible_levels_are_refused():
    for level in (0, 1, 95):
        with pytest.raises(BadParameter, match="level"):
            wilson(1, 2, level=level)
        with pytest.raises(BadParameter, match="level"):
            mean([1.0, 2.0], level=level)


def test_the_normal_interval_stays_within_zero_and_one():
    assert proportion(1, 4).low == 0
    assert proportion(3, 4).high == 1
    assert Interval(1.0, 0.0, 3.0, level=0.9, method="any").half_width == 1.5


def test_the_interval_of_a_mean_stays_within_what_is_possible():
    found = mean([0.0, 0.0, 0.0, 1.0], within=(0.0, 0.5))
    assert (found.value, found.low, found.high) == (0.25, 0.0, 0.5)
