from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from credo.errors import BadShape, InvalidInput
from credo.evaluation import auc, brier, log_score, mae, r_squared, rmse

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_log_score_and_brier_agree_with_scikit_learn(k):
    given_ = RNG.dirichlet(np.ones(k), size=50)
    truth = RNG.integers(k, size=50)
    names = list(range(k))
    assert log_score(given_, truth).mean() == pytest.approx(-metrics.log_loss(truth, given_, labels=names))
    reference = metrics.brier_score_loss(truth, given_, labels=names, scale_by_half=True)
    assert brier(given_, truth).mean() == pytest.approx(reference)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=40))
def test_auc_agrees_with_scikit_learn_ties_and_all(rows):
    scores, positive = zip(*rows, strict=True)
    if len(set(positive)) == 1:
        assert math.isnan(auc(scores, positive))
    else:
        assert auc(scores, positive) == pytest.approx(metrics.roc_auc_score(positive, scores))


def test_regression_scores_agree_with_scikit_learn():
    truth, guess = RNG.normal(size=(2, 40))
    assert mae(truth, guess) == pytest.approx(metrics.mean_absolute_error(truth, guess))
    assert rmse(truth, guess) == pytest.approx(metrics.root_mean_squared_error(truth, guess))
    assert r_squared(truth, guess) == pytest.approx(metrics.r2_score(truth, guess))
    assert math.isnan(r_squared([1.0, 1.0], [1.0, 2.0]))


def test_probability_zero_for_what_happened_is_minus_infinity():
    assert log_score([[0.0, 1.0]], [0])[0] == -math.inf
    assert brier([[0.0, 1.0]], [0])[0] == 1


def test_the_truth_scores_best_on_average():
    law = np.array([0.2, 0.5, 0.3])
    truth = np.repeat([0, 1, 2], [20, 50, 30])
    for other in RNG.dirichlet(np.ones(3), size=20):
        assert log_score(np.tile(law, (100, 1)), truth).mean() >= log_score(np.tile(other, (100, 1)), truth).mean()
        assert brier(np.tile(law, (100, 1)), truth).mean() <= brier(np.tile(other, (100, 1)), truth).mean()


@pytest.mark.parametrize("truth", [[0, 2], [-1, 0], [0.0, 1.0], ["a", "b"]])
def test_truth_must_be_columns(truth):
    with pytest.raises(InvalidInput, match="columns of probabilities"):
        log_score([[0.5, 0.5], [0.5, 0.5]], truth)


def test_rows_must_match():
    for call in (
        lambda: log_score([[0.5, 0.5]], [0, 1]),
        lambda: auc([1.0], [True, False]),
        lambda: rmse([1.0], [1.0, 2.0]),
    ):
        with pytest.raises(BadShape, match="same number of rows"):
            call()
