from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import compare, fold_mean

# Accuracy in per cent of naive Bayes and J48 on the first ten folds of Sonar, with the probabilities of the correlated
# t-test that the baycomp package publishes for them.
BAYES = [94.203, 92.754, 95.652, 91.176, 92.647, 91.176, 92.647, 92.647, 86.765, 91.176]
J48 = [92.754, 92.754, 89.855, 89.706, 95.588, 89.706, 95.588, 94.118, 91.176, 92.647]


def test_the_published_probabilities():
    assert compare(BAYES, J48, share=1 / 9).above_zero == pytest.approx(0.4145119975, abs=1e-9)
    assert not compare(BAYES, J48, share=1 / 9).distinguishable


def test_without_shared_rows_it_is_the_paired_t_test():
    reference = stats.ttest_rel(BAYES, J48)
    found = compare(BAYES, J48, share=0.0)
    assert 2 * found.above_zero == pytest.approx(reference.pvalue)
    low, high = reference.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))


def test_shared_rows_widen_the_interval_by_the_published_factor():
    plain, corrected = compare(BAYES, J48, share=0.0), compare(BAYES, J48, share=1 / 9)
    ratio = corrected.difference.half_width / plain.difference.half_width
    assert ratio == pytest.approx(math.sqrt((1 / 10 + 1 / 9) / (1 / 10)))


def test_turning_it_round_turns_the_sign():
    one, other = compare(BAYES, J48, share=1 / 9), compare(J48, BAYES, share=1 / 9)
    assert one.difference.value == pytest.approx(-other.difference.value)
    assert one.above_zero == pytest.approx(1 - other.above_zero)


def test_differences_without_spread():
    assert compare([2.0, 3.0], [1.0, 2.0], share=1.0).above_zero == 1
    assert compare([1.0, 2.0], [2.0, 3.0], share=1.0).above_zero == 0
    same = compare([1.0, 2.0], [1.0, 2.0], share=1.0)
    assert same.above_zero == 0.5
    assert not same.distinguishable


def test_fold_mean_is_the_mean():
    assert fold_mean(BAYES, share=1 / 9).value == pytest.approx(np.mean(BAYES))


def test_bad_input_is_refused():
    with pytest.raises(BadParameter, match="folds"):
        compare([1.0], [2.0], share=0.1)
    with pytest.raises(BadShape):
        compare([1.0, 2.0], [1.0, 2.0, 3.0], share=0.1)
    with pytest.raises(InvalidInput, match="share"):
        fold_mean([1.0, 2.0], share=-0.1)
    with pytest.raises(InvalidInput, match="first"):
        compare([1.0, -math.inf], [1.0, 2.0], share=0.1)
