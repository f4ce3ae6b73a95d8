from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from credo.beliefs import Categorical
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import Worth, believe, brier, cross_validate, fold_mean, folds, repeated, time_ordered, worth_of
from credo.linear import BayesianRegression, Ridge
from credo.naive_bayes import NaiveBayes
from credo.tables import Encoder, Table


@pytest.fixture
def classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, np.where(X[:, 0] + 0.8 * rng.normal(size=60) > 0, "yes", "no")


@pytest.mark.parametrize(
    ("score", "theirs", "sign"),
    [("log", "neg_log_loss", 1), ("accuracy", "accuracy", 1), ("brier", "neg_brier_score", -1)],
)
def test_scores_are_those_of_scikit_learn(classes, score, theirs, sign):
    X, y = classes
    dealt = repeated(60, 5, 2, rng=0, labels=y)
    ours = cross_validate(GaussianNB(), X, y == "yes", dealt, score=score)
    wanted = sign * cross_val_score(GaussianNB(), X, y == "yes", cv=dealt, scoring=theirs)
    np.testing.assert_allclose([fold.value for fold in ours.folds], wanted, rtol=1e-9)
    assert str(ours.mean) == str(fold_mean(wanted, share=1 / 4))
    assert ours.rows.tolist() == np.concatenate([test for _, test in dealt]).tolist()
    assert ours.worths.mean() == pytest.approx(ours.mean.value)


@pytest.mark.parametrize(
    ("score", "theirs"), [("squared error", "neg_mean_squared_error"), ("absolute error", "neg_mean_absolute_error")]
)
def test_errors_are_those_of_scikit_learn(score, theirs):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    y = X[:, 0] + rng.normal(size=50)
    dealt = time_ordered(50, 4, gap=1)
    for model in (BayesianRegression(), DummyRegressor()):
        ours = cross_validate(model, X, y, dealt, score=score)
        wanted = -cross_val_score(model, X, y, cv=dealt, scoring=theirs)
        np.testing.assert_allclose([fold.value for fold in ours.folds], wanted, rtol=1e-7)
    assert "over 4 folds; less is better" in str(ours)


def test_crps_is_that_of_the_beliefs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = X[:, 0] + rng.normal(size=40)
    found = cross_validate(BayesianRegression(), X, y, folds(40, 4, rng=0)[:1], score="crps")
    train, test = folds(40, 4, rng=0)[0]
    belief = BayesianRegression().fit(X[train], y[train]).predictive(X[test])
    grid = np.linspace(-15, 15, 60_001)
    wanted = [np.trapezoid((belief[i].cdf(grid) - (grid >= y[row])) ** 2, grid) for i, row in enumerate(test)]
    np.testing.assert_allclose(found.worths, wanted, rtol=1e-3)


def test_the_number_of_jobs_changes_nothing_and_data_may_be_of_any_kind(classes):
    X, y = classes
    dealt = folds(60, 4, rng=0, labels=y)
    once = cross_validate(NaiveBayes(), X, y, dealt)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for data, model, jobs in (
        (X, NaiveBayes(), 2),
        (frame, NaiveBayes(), None),
        (Table(frame), NaiveBayes(), None),
        ({name: frame[name].to_numpy() for name in frame}, NaiveBayes(), None),
    ):
        again = cross_validate(model, data, y, dealt, n_jobs=jobs)
        np.testing.assert_allclose(again.worths, once.worths, rtol=1e-12)
    piped = cross_validate(make_pipeline(Encoder(), GaussianNB()), frame, y, dealt)
    np.testing.assert_allclose(piped.worths, cross_validate(GaussianNB(), X, y, dealt).worths, rtol=1e-6)


def test_a_class_nobody_has_heard_of_is_the_worst_there_is():
    belief = Categorical([[0.25, 0.75]], ["a", "b"])
    truth = np.array(["c"])
    assert worth_of("log").rows(belief, truth).tolist() == [-np.inf]
    assert worth_of("accuracy").rows(belief, truth).tolist() == [0.0]
    with_column = brier([[0.25, 0.75, 0.0]], [2])[0]
    assert worth_of("brier").rows(belief, truth)[0] == pytest.approx(with_column)


def test_without_a_finite_score_there_is_no_interval(classes):
    X, y = classes
    y = np.where(np.arange(60) == 7, "once", y)
    found = cross_validate(GaussianNB(), X, y, folds(60, 3, rng=0))
    assert found.mean.value == -np.inf
    assert not found.mean.bounded


def test_one_split_has_the_interval_of_its_rows(classes):
    X, y = classes
    found = cross_validate(NaiveBayes(), X, y, folds(60, 3, rng=0)[:1])
    assert found.mean == found.folds[0]
    assert found.mean.bounded
    assert "over 1 fold" in str(found)


def test_a_worth_of_ones_own(classes):
    X, y = classes
    said = Worth("yes", lambda belief, y: belief.probs[:, 1], higher_is_better=True)
    found = cross_validate(NaiveBayes(), X, y, folds(60, 3, rng=0), score=said)
    assert 0 < found.mean.value < 1


def test_a_classifier_without_probabilities_is_sure(classes):
    X, y = classes
    model = RidgeClassifier().fit(X, y)
    assert believe(model, X).mode.tolist() == model.predict(X).tolist()
    assert set(believe(model, X).probs.ravel()) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("splits", "error", "words"),
    [
        ([], BadParameter, "one split at least"),
        ([([0, 1], [1])], InvalidInput, "split 0 does, by row 1"),
        ([([0, 1], [])], InvalidInput, "the test rows of split 0"),
        ([([0, 60], [2])], InvalidInput, "from 0 to 59"),
        ([([0, -1], [2])], InvalidInput, "the train rows of split 0"),
        ([([0.0, 1.0], [2])], InvalidInput, "row numbers"),
    ],
)
def test_impossible_splits_are_refused(classes, splits, error, words):
    with pytest.raises(error, match=words):
        cross_validate(NaiveBayes(), *classes, splits)


def test_what_does_not_fit_together_is_refused(classes):
    X, y = classes
    dealt = folds(60, 3, rng=0)
    with pytest.raises(BadParameter, match="score must be one of"):
        cross_validate(NaiveBayes(), X, y, dealt, score="acuracy")
    with pytest.raises(BadShape, match="X and y"):
        cross_validate(NaiveBayes(), X, y[:-1], dealt)
    with pytest.raises(InvalidInput, match="predicts a number without one"):
        cross_validate(DummyRegressor(), X, X[:, 0], dealt)
    with pytest.raises(InvalidInput, match="this model predicts numbers"):
        cross_validate(DummyRegressor(), X, X[:, 0], dealt, score="accuracy")
    with pytest.raises(InvalidInput, match="this model predicts classes"):
        cross_validate(NaiveBayes(), X, y, dealt, score="squared error")


def test_splits_that_are_no_pairs_are_refused():
    with pytest.raises(InvalidInput, match=r"splits must be pairs of row numbers, \(train, test\); split 0 is 1"):
        cross_validate(Ridge(), np.zeros((4, 1)), np.zeros(4), [1, 2])
