from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from credo.errors import BadShape, InvalidInput
from credo.evaluation import auc, auc_difference, auc_interval, bootstrap, hand_till

RNG = np.random.default_rng(0)


def brute_force(scores, positive):
    """The matrix ψ of all pairs, and with it the structural components of DeLong et al. (1988)."""
    scores, positive = np.asarray(scores, float), np.asarray(positive, bool)
    x, y = scores[positive][:, None], scores[~positive][None, :]
    pairs = (x > y) + 0.5 * (x == y)
    return pairs.mean(), pairs.mean(axis=1), pairs.mean(axis=0)


def covariance(one, other):
    return sum(np.cov(a, b, ddof=1)[0, 1] / len(a) for a, b in ((one[1], other[1]), (one[2], other[2])))


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=4, max_size=30)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(ROWS)
def test_areas_variances_and_their_difference_are_those_of_all_pairs(rows):
    first, second, positive = map(np.array, zip(*rows, strict=True))
    if not 2 <= positive.sum() <= len(positive) - 2:
        return
    one, other = brute_force(first, positive), brute_force(second, positive)
    found = auc_difference(first, second, positive)
    assert found.first.value == pytest.approx(one[0])
    assert found.difference.value == pytest.approx(one[0] - other[0])
    assert found.first == auc_interval(first, positive)
    variance = covariance(one, one)
    if variance > 1e-12:
        z = stats.norm.ppf(0.975)
        assert found.first.low == pytest.approx(max(one[0] - z * math.sqrt(variance), 0))
        assert found.first.high == pytest.approx(min(one[0] + z * math.sqrt(variance), 1))
    together = variance + covariance(other, other) - 2 * covariance(one, other)
    if together > 1e-12:
        assert found.above_zero == pytest.approx(stats.norm.cdf((one[0] - other[0]) / math.sqrt(together)))
        turned = auc_difference(second, first, positive)
        assert turned.difference.low == pytest.approx(-found.difference.high)
        assert turned.p_value == pytest.approx(found.p_value)


def test_the_area_is_mann_whitneys_and_scikit_learns():
    positive = RNG.random(300) < 0.3
    scores = RNG.normal(size=300).round(1) + positive
    found = auc_interval(scores, positive).value
    u = stats.mannwhitneyu(scores[positive], scores[~positive]).statistic
    assert found == pytest.approx(u / positive.sum() / (~positive).sum())
    assert found == pytest.approx(metrics.roc_auc_score(positive, scores))
    assert found == pytest.approx(auc(scores, positive))


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    truth = stats.norm.cdf(1 / math.sqrt(2))
    covered = 0
    for _ in range(400):
        scores = np.concatenate([RNG.normal(1, 1, 60), RNG.normal(0, 1, 60)])
        found = auc_interval(scores, np.arange(120) < 60, level=0.9)
        covered += found.low <= truth <= found.high
    assert 0.86 <= covered / 400 <= 0.94


def test_perfect_order_still_leaves_doubt():
    few = auc_interval([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    many = auc_interval(range(200), np.arange(200) >= 100)
    assert few.value == few.high == many.value == 1
    assert few.low < 0.7 < 0.95 < many.low < 1
    assert few.method == "Newcombe"
    assert "variance is zero" in few.why
    turned = auc_interval([6, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1])
    assert (turned.low, turned.high) == pytest.approx((0, 1 - few.low))


def test_newcombes_ends_solve_his_equation():
    found = auc_interval([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1])
    a, m = found.low, 3
    variance = a * (1 - a) * (1 + (m - 1) * ((1 - a) / (2 - a) + a / (1 + a))) / m**2
    assert (1 - a) / math.sqrt(variance) == pytest.approx(stats.norm.ppf(0.975))


def test_a_single_row_of_a_class_gets_a_wide_interval():
    found = auc_interval([1, 2, 3], [0, 1, 0])
    assert found.value == 0.5
    assert found.low < 0.1
    assert found.high > 0.9
    assert "single row" in found.why


def test_one_class_is_undefined_with_the_reason():
    assert auc_interval([1, 2], [1, 1]).why == "no row is negative"
    assert auc_interval([1, 2], [0, 0]).why == "no row is positive"
    assert auc_interval([], []).why == "there are no rows"
    assert math.isnan(auc_difference([1, 2], [2, 1], [0, 0]).above_zero)


def test_the_same_scores_do_not_differ():
    found = auc_difference([1, 3, 2, 4], [10, 30, 20, 40], [0, 0, 1, 1])
    assert (found.difference.value, found.above_zero, found.p_value) == (0, 0.5, 1)
    assert not found.difference.bounded
    assert "order the rows alike" in found.difference.why


@pytest.mark.parametrize("k", [2, 3, 5])
def test_many_classes_agree_with_scikit_learn_and_the_bootstrap(k):
    truth = RNG.integers(k, size=150)
    logits = RNG.normal(size=(150, k)) + 1.5 * np.eye(k)[truth]
    given_ = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    found = hand_till(given_, truth)
    if k > 2:
        reference = metrics.roc_auc_score(truth, given_, multi_class="ovo", average="macro")
        assert found.value == pytest.approx(reference)
    else:
        plain = auc_interval(given_[:, 1], truth == 1)
        assert (found.value, found.low, found.high) == pytest.approx((plain.value, plain.low, plain.high))

    def area(rows):
        return hand_till(given_[rows], truth[rows]).value

    drawn = bootstrap(area, 150, rng=0, draws=300, strata=truth, method="percentile")
    assert found.half_width == pytest.approx(drawn.half_width, rel=0.15)


@pytest.mark.parametrize("ties", [False, True])
def test_many_classes_agree_with_every_pair_counted(ties):
    k, truth = 4, np.sort(RNG.integers(4, size=60))
    given_ = RNG.integers(0, 4, (60, k)) / 4 if ties else RNG.random((60, k)) + 0.3 * np.eye(k)[truth]
    areas, moved = [], np.zeros(60)
    for i in range(k):
        for j in set(range(k)) - {i}:
            mine, theirs = np.flatnonzero(truth == i), np.flatnonzero(truth == j)
            one, other = given_[mine, i][:, None], given_[theirs, i][None, :]
            above = (one > other) + 0.5 * (one == other)
            areas.append(above.mean())
            moved[mine] += above.mean(axis=1)
            moved[theirs] += above.mean(axis=0)
    moved /= k * (k - 1)
    sd = math.sqrt(sum(moved[truth == i].var(ddof=1) / (truth == i).sum() for i in range(k)))
    found = hand_till(given_, truth)
    assert found.value == pytest.approx(np.mean(areas))
    assert found.low == pytest.approx(found.value - stats.norm.ppf(0.975) * sd)


def test_many_classes_need_two_rows_each():
    assert hand_till([[0.5, 0.5], [0.6, 0.4], [0.1, 0.9]], [0, 0, 1]).why == "column 1 came true in fewer than two rows"
    perfect = hand_till([[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.1, 0.9]], [0, 0, 1, 1])
    assert perfect.value == 1
    assert not perfect.bounded


def test_infinite_scores_have_their_place():
    assert auc_interval([-math.inf, 0.0, math.inf], [0, 0, 1]).value == 1


def test_what_cannot_be_read_is_refused():
    with pytest.raises(InvalidInput, match="positive"):
        auc_interval([1, 2], ["ill", "well"])
    with pytest.raises(InvalidInput, match="positive"):
        auc_interval([1, 2], [1, 2])
    with pytest.raises(BadShape, match="same number of rows"):
        auc_interval([1, 2], [1])
    with pytest.raises(InvalidInput, match="scores"):
        auc_interval([1, math.nan], [0, 1])
