"""The contract of estimators holds for one that keeps it, and names each promise that a broken one breaks."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.validation import validate_data

from credo.beliefs import Categorical, Normal
from credo.errors import InvalidInput, NotFitted
from credo.testing import check_estimator


class _Honest(RegressorMixin, BaseEstimator):
    """Least squares with a constant spread: the smallest regressor that keeps every promise."""

    def __init__(self, penalty=1e-3):
        self.penalty = penalty

    def fit(self, X, y):
        X, y = self._read(X, y, reset=True)
        self._centre = X.mean(axis=0)
        y = np.asarray(y, dtype=float)
        self.intercept_ = y.mean()
        Z = X - self._centre
        self.coef_ = np.linalg.solve(Z.T @ Z + self.penalty * np.eye(Z.shape[1]), Z.T @ (y - self.intercept_))
        self.sd_ = float(np.std(y - self.intercept_ - Z @ self.coef_)) + 1e-6
        return self

    def predict(self, X):
        if not hasattr(self, "coef_"):
            raise NotFitted("call fit first")
        X = self._read(X, reset=False)
        return self.intercept_ + (X - self._centre) @ self.coef_

    def predictive(self, X):
        mean = self.predict(X)
        return Normal(mean, np.full(len(mean), self.sd_))

    def _read(self, X, y="no_validation", *, reset):
        read = validate_data(self, X, y, reset=reset, dtype=float, ensure_all_finite=False)
        values = read[0] if reset else read
        names = getattr(self, "feature_names_in_", range(values.shape[1]))
        for name, column in zip(names, values.T, strict=True):
            if np.isinf(column).any():
                raise InvalidInput(f"column {name} holds infinity")
        if np.isnan(values).any():
            raise InvalidInput("NaN")
        return read


def test_it_accepts_an_estimator_that_keeps_its_promises():
    check_estimator(_Honest())


class _ChangesItsMind(_Honest):
    def predictive(self, X):
        mean = self.predict(X)
        return Normal(mean + 1e-3, np.ones(len(mean)))


class _OneForAll(_Honest):
    def predictive(self, X):
        return Normal(self.predict(X).mean(), 1.0)


class _NoBelief(_Honest):
    def predictive(self, X):
        return self.predict(X)


class _Infinite(_Honest):
    def fit(self, X, y):
        super().fit(X, y)
        self.log_evidence_ = float("-inf")
        return self


class _LooksAtItsNeighbours(_Honest):
    def predictive(self, X):
        mean = self.predict(X)
        return Normal(mean, np.full(len(mean), 1.0 + len(mean)))


class _KnowsTheOrder(_Honest):
    def predictive(self, X):
        mean = self.predict(X)
        return Normal(mean, 1.0 + np.arange(len(mean)))


class _AnswersTooSoon(_Honest):
    def predictive(self, X):
        return Normal(np.zeros(len(X)), np.ones(len(X))) if not hasattr(self, "coef_") else super().predictive(X)


class _SwallowsInfinity(_Honest):
    def predictive(self, X):
        return super().predictive(np.nan_to_num(np.asarray(X, dtype=float)))


class _NamesNothing(_Honest):
    def _read(self, X, y="no_validation", *, reset):
        try:
            return super()._read(X, y, reset=reset)
        except InvalidInput:
            raise InvalidInput("X contains NaN or infinity") from None


class _Remembers(_Honest):
    def fit(self, X, y):
        fits = getattr(self, "fits_", 0)
        super().fit(X, y)
        self.fits_ = fits + 1
        self.sd_ += self.fits_ * 1e-9
        return self


class _SpoilsItsInput(_Honest):
    def predictive(self, X):
        belief = super().predictive(X)
        if isinstance(X, np.ndarray):
            X += 1
        return belief


class _BrokenForScikitLearn(_Honest):
    def __init__(self, penalty=1e-3):
        self.penalty = abs(penalty)
        self.extra = 1


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (_ChangesItsMind, "agree with predict"),
        (_OneForAll, "one belief a row"),
        (_NoBelief, "must return a Belief"),
        (_Infinite, "log_evidence_ must be finite"),
        (_LooksAtItsNeighbours, "row 0 alone"),
        (_KnowsTheOrder, "rows reversed"),
        (_AnswersTooSoon, "before fit"),
        (_SwallowsInfinity, "infinity in column 3 must be refused"),
        (_NamesNothing, "must be refused by name"),
        (_Remembers, "fitting again"),
        (_SpoilsItsInput, "must not change X"),
        (_BrokenForScikitLearn, "scikit-learn's contract is broken"),
        (object, "a classifier or a regressor"),
    ],
)
def test_it_names_the_promise_that_is_broken(broken, complaint):
    with pytest.raises((AssertionError, TypeError), match=complaint):
        check_estimator(broken())


class _Classifier(ClassifierMixin, BaseEstimator):
    """A classifier around scikit-learn's, whose beliefs can be turned wrong."""

    def __init__(self, wrong=""):
        self.wrong = wrong

    def fit(self, X, y):
        self._inner = GaussianNB().fit(X, y)
        self.classes_ = self._inner.classes_
        self.n_features_in_ = self._inner.n_features_in_
        return self

    def predict(self, X):
        return self._inner.predict(X)

    def predict_proba(self, X):
        return self._inner.predict_proba(X)

    def predictive(self, X):
        probs, states = self.predict_proba(X), list(self.classes_)
        if self.wrong == "probs":
            probs = (probs + 0.01) / (probs + 0.01).sum(axis=1, keepdims=True)
        return Categorical(probs, states=states[::-1] if self.wrong == "states" else states)


@pytest.mark.parametrize(("wrong", "complaint"), [("", None), ("probs", "must agree"), ("states", "must be classes_")])
def test_the_beliefs_of_a_classifier_are_its_probabilities(wrong, complaint):
    from credo.testing.estimators import _answers_with_beliefs, _problem

    model, problem = _Classifier(wrong), _problem(classes=True)
    if complaint is None:
        _answers_with_beliefs(model, problem)
    else:
        with pytest.raises(AssertionError, match=complaint):
            _answers_with_beliefs(model, problem)


def test_it_notices_a_file_that_holds_another_model(monkeypatch):
    from credo.linear import BayesianRegression
    from credo.testing import estimators

    problem = estimators._problem(classes=False)
    estimators._comes_back_from_a_file(BayesianRegression(), problem)
    other = BayesianRegression().fit(problem.X[:50], problem.y[:50])
    monkeypatch.setattr(estimators, "load", lambda _: other)
    with pytest.raises(AssertionError, match="bit for bit"):
        estimators._comes_back_from_a_file(BayesianRegression(), problem)
    monkeypatch.delitem(estimators.CLASSES, "BayesianRegression")
    with pytest.raises(AssertionError, match="must be listed"):
        estimators._comes_back_from_a_file(BayesianRegression(), problem)
