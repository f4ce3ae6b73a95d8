from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from credo.beliefs import Categorical, Mixture
from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NotFitted, NumericalFailure, UnknownName
from credo.evaluation import cross_validate, folds, leave_one_group_out, log_score, time_ordered
from credo.evaluation.searching import Bayes, Grid, Halving, Random, Real, Tuned
from credo.gp import GaussianProcessRegressor
from credo.linear import BayesianRegression, LogisticRegression, PolynomialBasis, Ridge
from credo.naive_bayes import NaiveBayes
from credo.tables import Encoder, Table
from credo.testing import check_estimator

STRENGTH = {"strength": Real(1e-4, 100, log=True)}
ORDERS = {"basis": [PolynomialBasis(order) for order in range(1, 7)]}


@pytest.fixture
def curve():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 50)[:, None]
    return x, np.sin(4 * x[:, 0]) + rng.normal(0, 0.2, 50)


@pytest.fixture
def classes():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 3))
    return X, np.where(X[:, 0] + 0.7 * rng.normal(size=90) > 0, "yes", "no")


@pytest.mark.parametrize(
    "model",
    [
        Tuned(Ridge(), STRENGTH, method=Grid(tries=3), folds=3),
        Tuned(BayesianRegression(), {"beta": [1.0, 4.0]}, method=Grid(tries=2), by="evidence", combine="average"),
        Tuned(NaiveBayes(), {"confidence": [0.5, 1.0]}, method=Random(tries=2), folds=2, combine="average"),
    ],
    ids=["best", "evidence", "stacked"],
)
def test_it_keeps_the_contract(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)
        check_estimator(model)


def test_it_chooses_what_scikit_learn_chooses(curve):
    x, y = curve
    model = Tuned(Ridge(basis=PolynomialBasis(7)), STRENGTH, method=Grid(tries=9), by="squared error").fit(x, y)
    strengths = [held.settings["strength"] for held in model.tuning_.tried]
    assert strengths == pytest.approx(np.geomspace(1e-4, 100, 9))
    dealt = folds(50, 5, rng=np.random.default_rng([0, 1]), labels=pd.qcut(y, 10, labels=False))
    theirs = GridSearchCV(
        Ridge(basis=PolynomialBasis(7)), {"strength": strengths}, cv=dealt, scoring="neg_mean_squared_error"
    ).fit(x, y)
    assert model.tuning_.best.settings == theirs.best_params_
    np.testing.assert_allclose([held.score for held in model.tuning_.tried], theirs.cv_results_["mean_test_score"])
    np.testing.assert_allclose(model.predict(x), theirs.predict(x))
    assert model.score(x, y) == pytest.approx(theirs.best_estimator_.score(x, y))


def test_every_method_finds_a_good_strength(curve):
    x, y = curve
    base = Ridge(basis=PolynomialBasis(7))
    grid = Tuned(base, STRENGTH, method=Grid(tries=25)).fit(x, y).tuning_.best.score
    for method in ("random", Bayes(tries=12), Halving(tries=27, least=0.3)):
        found = Tuned(base, STRENGTH, method=method).fit(x, y).tuning_
        assert found.best.score > grid - 0.02
        assert found.best.share == 1
        assert len(found.best.folds) == 5


@pytest.mark.parametrize("method", [Random(tries=6), Bayes(tries=8), Halving(tries=9, least=0.3)])
def test_the_number_of_jobs_changes_nothing(curve, method):
    x, y = curve
    model = Tuned(Ridge(basis=PolynomialBasis(5)), STRENGTH, method=method, folds=3)
    once, again = model.fit(x, y).tuning_, clone(model).set_params(n_jobs=3).fit(x, y).tuning_
    assert [(held.settings, held.score) for held in once.tried] == [(held.settings, held.score) for held in again.tried]


def test_by_the_evidence_no_fold_is_needed(curve):
    x, y = curve
    model = Tuned(BayesianRegression(), ORDERS, method="grid", by="evidence").fit(x, y)
    wanted = [BayesianRegression(basis=basis).fit(x, y).log_evidence_ for basis in ORDERS["basis"]]
    assert [held.score for held in model.tuning_.tried] == pytest.approx(wanted)
    assert model.best_.basis.degree == np.argmax(wanted) + 1
    assert model.log_evidence_ == max(wanted)
    average = clone(model).set_params(combine="average").fit(x, y)
    assert average.log_evidence_ == pytest.approx(np.logaddexp.reduce(wanted) - np.log(6))
    belief = average.predictive(x)
    assert isinstance(belief, Mixture)
    parts = [part.predictive(x).mean for part in average.models_]
    np.testing.assert_allclose(average.predict(x), average.weights_ @ parts)
    assert average.weights_.sum() == pytest.approx(1)


def test_stacked_candidates_speak_by_their_weights(classes):
    X, y = classes
    space = {"alpha": Real(0.01, 1000, log=True)}
    model = Tuned(LogisticRegression(), space, method=Grid(tries=5), combine="average").fit(X, y)
    assert model.weights_.sum() == pytest.approx(1)
    assert isinstance(model.predictive(X), Categorical)
    probs = sum(w * part.predict_proba(X) for w, part in zip(model.weights_, model.models_, strict=True))
    np.testing.assert_allclose(model.predict_proba(X), probs)
    assert (model.predict(X) == model.classes_[probs.argmax(axis=1)]).all()
    assert 0.7 < model.score(X, y) <= 1


def test_nested_cross_validation_chooses_within_each_fold(classes):
    X, y = classes
    noise = np.random.default_rng(0).permutation(y)
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append(X[:, 0])
            return super().fit(X, y)

    model = Tuned(Spy(), {"var_smoothing": [1e-9, 1.0]}, method="grid", folds=3)
    dealt = folds(90, 5, rng=0, labels=noise)
    cross_validate(model, X, noise, dealt[:1])
    assert len(seen) == 2 * 3 + 1
    judging = set(X[dealt[0].test, 0])
    assert not any(judging & set(column) for column in seen)


def test_settings_chosen_by_the_rows_that_judge_look_better_than_they_are():
    """Nested cross-validation is honest where the best of many candidates on the same folds is not."""

    class Column(ClassifierMixin, BaseEstimator):
        """Believes the sign of one column."""

        def __init__(self, column=0):
            self.column = column

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            return np.where(X[:, [self.column]] > 0, [[0.1, 0.9]], [[0.9, 0.1]])

    cheating, honest = [], []
    for seed in range(4):
        X, y = np.random.default_rng(seed).normal(size=(40, 100)), np.repeat([0, 1], 20)  # nothing to learn
        model = Tuned(Column(), {"column": list(range(100))}, method="grid", by="accuracy", folds=2)
        cheating.append(model.fit(X, y).tuning_.best.score)
        honest.append(cross_validate(model, X, y, folds(40, 4, rng=seed, labels=y), score="accuracy").mean.value)
    assert min(cheating) > 0.6
    assert 0.35 < np.mean(honest) < 0.6
    assert np.mean(cheating) > np.mean(honest) + 0.1


def test_groups_and_time_are_kept_apart(curve):
    x, y = curve
    groups = np.repeat(np.arange(10), 5)
    seen = []

    class Spy(Ridge):
        def fit(self, X, y):
            seen.append(X[:, 0])
            return super().fit(X, y)

    Tuned(Spy(), {"strength": [1.0, 2.0]}, method="grid", folds=4).fit(x, y, groups=groups)
    group_of = dict(zip(x[:, 0], groups, strict=True))
    for column in seen[:-1]:
        assert len(column) == 5 * len({group_of[value] for value in column})  # whole groups
    seen.clear()
    Tuned(Spy(), {"strength": [1.0, 2.0]}, method="grid", folds=lambda X, y: time_ordered(len(y), 3)).fit(x, y)
    assert sorted({len(column) for column in seen}) == sorted({*(len(s.train) for s in time_ordered(50, 3)), 50})
    one_out = Tuned(Ridge(), {"strength": [1.0, 2.0]}, method="grid", folds=lambda X, y: leave_one_group_out(groups))
    assert len(one_out.fit(x, y).tuning_.best.folds) == 10


def test_a_class_of_one_row_does_not_end_the_search(classes):
    X, y = classes
    y = np.where(np.arange(90) == 4, "once", y)
    model = Tuned(NaiveBayes(), {"confidence": ["learnt", 1.0]}, method="grid").fit(X, y)
    assert np.isfinite([held.score for held in model.tuning_.tried]).all()
    assert model.classes_.tolist() == ["no", "once", "yes"]


def test_tables_frames_and_pipelines(classes):
    X, y = classes
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    pipeline = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])
    space = {"model__alpha": Real(0.01, 100, log=True)}
    piped = Tuned(pipeline, space, method=Grid(tries=3)).fit(frame, y)
    plain = Tuned(pipeline, space, method=Grid(tries=3)).fit(X, y)
    np.testing.assert_allclose(piped.predict_proba(frame), plain.predict_proba(X))
    assert list(piped.feature_names_in_) == ["a", "b", "c"]
    encoded = Pipeline([("encoder", Encoder()), ("model", LogisticRegression())])
    table = Tuned(encoded, space, method=Grid(tries=3)).fit(Table(frame), y)
    assert set(table.predict(Table(frame))) == {"no", "yes"}
    mapped = Tuned(encoded, space, method=Grid(tries=3)).fit({name: frame[name].to_list() for name in frame}, y)
    np.testing.assert_allclose(mapped.predict_proba(Table(frame)), table.predict_proba(Table(frame)))


def test_estimators_of_other_houses(classes):
    X, y = classes
    model = Tuned(GaussianNB(), {"var_smoothing": Real(1e-9, 1, log=True)}, method=Random(tries=4)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), model.best_.predict_proba(X))
    best = -log_score(model.predict_proba(X), (y == "yes").astype(int)).mean()
    assert best < np.log(2)


def test_a_process_of_ones_own_kernel_by_the_evidence():
    x = np.linspace(0, 6, 25)[:, None]
    y = np.sin(2 * x[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 25)
    kernels = {"kernel": ["1.0 * SE(1.0)", "1.0 * Matern32(1.0)", "1.0 * Linear(1.0)"]}
    model = Tuned(GaussianProcessRegressor(starts=1), kernels, method="grid", by="evidence")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)
        assert model.fit(x, y).tuning_.best.settings["kernel"] != "1.0 * Linear(1.0)"


def test_settings_that_break_the_model_are_reported(curve):
    x, y = curve
    model = Tuned(Ridge(), {"strength": [-1.0, 2.0, 5.0]}, method="grid").fit(x, y)
    assert model.best_.strength > 0
    assert [held.settings for held in model.tuning_.failures] == [{"strength": -1.0}]
    assert "strength must be positive" in model.tuning_.failures[0].error
    with pytest.raises(NumericalFailure, match="all 2 settings that were tried failed, the first because: strength"):
        Tuned(Ridge(), {"strength": [-1.0, -2.0]}, method="grid").fit(x, y)


def test_settings_of_a_step_that_lacks_them_fail_alone(classes):
    X, y = classes
    pipeline = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])
    space = {"model": [LogisticRegression(), GaussianNB()], "model__alpha": [0.5, 2.0]}
    found = Tuned(pipeline, space, method="grid").fit(X, y).tuning_
    assert len(found.failures) == 2
    assert all("alpha" in held.error for held in found.failures)


def test_folds_may_go_to_other_processes(curve):
    x, y = curve
    model = Tuned(Ridge(), {"strength": [1.0, 2.0]}, method="grid", folds=2)
    once = model.fit(x, y).tuning_
    with parallel_config(backend="multiprocessing", n_jobs=2):
        again = model.fit(x, y).tuning_
    assert [held.score for held in again.tried] == [held.score for held in once.tried]


def test_ctrl_c_keeps_the_best_and_fits_it(curve):
    x, y = curve
    count = iter(range(100))

    class Tired(Ridge):
        def fit(self, X, y):
            if next(count) == 12:
                raise KeyboardInterrupt
            return super().fit(X, y)

    with pytest.warns(CredoWarning, match="ended early: stopped by hand"):
        model = Tuned(Tired(), STRENGTH, method=Random(tries=20), folds=5).fit(x, y)
    assert len(model.tuning_.tried) == 2
    assert model.predict(x).shape == (50,)


def test_what_it_is_depends_on_what_it_tunes():
    assert is_classifier(Tuned(NaiveBayes(), {}))
    assert is_regressor(Tuned(Ridge(), STRENGTH))
    with pytest.raises(AttributeError):
        Tuned(Ridge(), STRENGTH).predict_proba  # noqa: B018


@pytest.mark.parametrize(
    ("model", "error", "words"),
    [
        (Tuned(Ridge()), InvalidInput, "space must say what each setting may be"),
        (Tuned(Ridge(), {"strenght": [1.0]}), UnknownName, "no setting 'strenght'. Did you mean 'strength'"),
        (Tuned(Ridge(), STRENGTH, method="newton"), BadParameter, "method must be one of"),
        (Tuned(Ridge(), STRENGTH, by="likelihood"), BadParameter, "score must be one of"),
        (Tuned(Ridge(), STRENGTH, combine="all"), BadParameter, "combine must be one of"),
        (Tuned(Ridge(), STRENGTH, folds=1), BadParameter, "folds must be at least 2"),
        (Tuned(Ridge(), STRENGTH, by="evidence", method="grid"), NumericalFailure, "has no finite log_evidence_"),
        (Tuned(Ridge(), STRENGTH, by="evidence", method="halving"), BadParameter, "goes with folds"),
        (Tuned(Ridge(), STRENGTH, by="evidence", combine="average"), BadParameter, "stand evenly"),
        (Tuned(Ridge(), STRENGTH, by="squared error", combine="average"), BadParameter, "by='evidence' or by='log'"),
    ],
)
def test_impossible_requests_are_refused(curve, model, error, words):
    with pytest.raises(error, match=words):
        model.fit(*curve)


def test_rows_must_match_and_come_first(curve):
    x, y = curve
    with pytest.raises(BadShape, match="same number of rows"):
        Tuned(Ridge(), STRENGTH).fit(x, y[:-1])
    with pytest.raises(NotFitted):
        Tuned(Ridge(), STRENGTH).predict(x)
