from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import correlated_t, five_by_two, fold_mean, fold_t

# Accuracy in per cent of naive Bayes and J48 on the first ten folds of Sonar, with the probabilities of the correlated
# t-test that the baycomp package publishes for them.
BAYES = [94.203, 92.754, 95.652, 91.176, 92.647, 91.176, 92.647, 92.647, 86.765, 91.176]
J48 = [92.754, 92.754, 89.855, 89.706, 95.588, 89.706, 95.588, 94.118, 91.176, 92.647]


def test_without_shared_rows_it_is_the_paired_t_test():
    reference = stats.ttest_rel(BAYES, J48)
    found = correlated_t(BAYES, J48, share=0.0)
    assert 2 * found.first_better == pytest.approx(reference.pvalue)
    low, high = reference.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))


def test_shared_rows_widen_the_interval_by_the_published_factor():
    plain, corrected = correlated_t(BAYES, J48, share=0.0), correlated_t(BAYES, J48, share=1 / 9)
    ratio = corrected.difference.half_width / plain.difference.half_width
    assert ratio == pytest.approx(math.sqrt((1 / 10 + 1 / 9) / (1 / 10)))


def test_fold_mean_is_the_mean():
    assert fold_mean(BAYES, share=1 / 9).value == pytest.approx(np.mean(BAYES))


def test_bad_input_is_refused():
    with pytest.raises(BadParameter, match="folds"):
        correlated_t([1.0], [2.0], share=0.1)
    with pytest.raises(BadShape):
        correlated_t([1.0, 2.0], [1.0, 2.0, 3.0], share=0.1)
    with pytest.raises(InvalidInput, match="share"):
        fold_mean([1.0, 2.0], share=-0.1)
    with pytest.raises(InvalidInput, match="first"):
        correlated_t([1.0, -math.inf], [1.0, 2.0], share=0.1)


SCORES = st.lists(st.tuples(*[st.integers(0, 100)] * 2), min_size=2, max_size=20)


def test_the_published_probabilities_with_a_region_of_equivalence():
    plain = correlated_t(BAYES, J48, share=1 / 9)
    assert plain.probabilities == pytest.approx((0.4145119975061462, 0, 0.5854880024938538), abs=1e-12)
    wide = correlated_t(BAYES, J48, share=1 / 9, rope=0.5)
    published = (0.28584464173790997, 0.269151871688025, 0.4450034865740651)
    assert wide.probabilities == pytest.approx(published, abs=1e-12)
    assert wide.difference == fold_mean(np.subtract(BAYES, J48), share=1 / 9)


@given(SCORES, st.floats(0, 2), st.floats(0, 20))
def test_exchanging_the_two_mirrors_the_verdict(scores, share, rope):
    first, second = zip(*scores, strict=True)
    one = correlated_t(first, second, share=share, rope=rope)
    other = correlated_t(second, first, share=share, rope=rope)
    assert one.probabilities == pytest.approx(other.probabilities[::-1], abs=1e-9)
    assert one.difference.low == pytest.approx(-other.difference.high)
    assert sum(one.probabilities) == pytest.approx(1)
    losses = correlated_t(first, second, share=share, rope=rope, higher_is_better=False)
    assert losses.probabilities == pytest.approx(other.probabilities, abs=1e-9)
    assert losses.difference == one.difference


@given(SCORES, st.floats(0, 10), st.floats(0, 10))
def test_a_wider_region_holds_more(scores, rope, more):
    first, second = zip(*scores, strict=True)
    narrow = correlated_t(first, second, share=0.5, rope=rope)
    wide = correlated_t(first, second, share=0.5, rope=rope + more)
    assert wide.equivalent >= narrow.equivalent - 1e-12


def test_differences_without_spread_leave_no_doubt():
    same = correlated_t([1.0, 2.0], [1.0, 2.0], share=1.0)
    assert same.probabilities == (0, 1, 0)
    assert same.winner() == "equivalent"
    assert correlated_t([3.0, 4.0], [1.0, 2.0], share=1.0, rope=1.0).probabilities == (1, 0, 0)
    assert correlated_t([2.0, 3.0], [1.0, 2.0], share=1.0, rope=1.0).probabilities == (0, 1, 0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_paired_t_test_is_the_textbook_one(alternative):
    reference = stats.ttest_rel(BAYES, J48, alternative=alternative)
    found = fold_t(BAYES, J48, alternative="different" if alternative == "two-sided" else alternative)
    assert (found.statistic, found.p) == pytest.approx((reference.statistic, reference.pvalue))


def test_the_corrected_t_test_and_the_posterior_are_the_same_law():
    test = fold_t(BAYES, J48, share=1 / 9, alternative="greater")
    assert test.p == pytest.approx(correlated_t(BAYES, J48, share=1 / 9).second_better)
    assert abs(test.statistic) < abs(fold_t(BAYES, J48).statistic)


def test_a_t_that_does_not_exist_says_why():
    test = fold_t([0.9, 0.8, 0.7], [0.8, 0.7, 0.6])  # the same difference up to rounding
    assert math.isnan(test.statistic)
    assert math.isnan(test.p)
    assert "not defined, because every fold has the same difference" in str(test)


def test_five_by_two():
    first = np.array([[0.80, 0.82], [0.79, 0.83], [0.81, 0.80], [0.84, 0.79], [0.80, 0.81]])
    second = np.array([[0.75, 0.76], [0.76, 0.74], [0.77, 0.74], [0.75, 0.76], [0.74, 0.75]])
    above, below = 0.0, 0.0
    for one, other in first - second:
        middle = (one + other) / 2
        above += one**2 + other**2
        below += (one - middle) ** 2 + (other - middle) ** 2
    found = five_by_two(first, second)
    assert found.statistic == pytest.approx(above / (2 * below))
    assert found.p == pytest.approx(stats.f.sf(above / (2 * below), 10, 5))
    t = five_by_two(first, second, statistic="t")
    assert t.statistic == pytest.approx((first - second)[0, 0] / math.sqrt(below / 5))
    assert t.p == pytest.approx(2 * stats.t.sf(t.statistic, 5))
    assert five_by_two(second, first, statistic="t").statistic == pytest.approx(-t.statistic)
    assert math.isnan(five_by_two(first, first - 0.1).p)


def test_five_by_two_rejects_no_more_than_it_says_where_there_is_nothing_to_find():
    rng = np.random.default_rng(0)
    for statistic in ("F", "t"):
        p = [five_by_two(*rng.normal(size=(2, 5, 2)), statistic=statistic).p for _ in range(2000)]
        assert np.mean(np.array(p) < 0.05) < 0.065


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InvalidInput, match="rope must be zero or more"):
        correlated_t(BAYES, J48, share=0.1, rope=-1)
    with pytest.raises(InvalidInput, match="'a' stands twice"):
        correlated_t(BAYES, J48, share=0.1, names=("a", "a"))
    with pytest.raises(InvalidInput, match="names must be those of the two"):
        correlated_t(BAYES, J48, share=0.1, names=("a", "b", "c"))
    with pytest.raises(BadParameter, match="Did you mean 'greater'"):
        fold_t(BAYES, J48, alternative="grater")
    with pytest.raises(BadShape, match="second must hold five repetitions of two folds"):
        five_by_two(np.zeros((5, 2)), np.zeros((2, 5)))
