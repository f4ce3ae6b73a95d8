"""The two guesses that any model must beat. They look at the target alone, and are estimators like any other."""

from __future__ import annotations

import math
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags

from credo import checks
from credo.beliefs import Categorical, StudentT
from credo.checks import Floats
from credo.errors import InvalidInput, NotFitted
from credo.estimators import classes_of, numbers, remember_columns, validated
from credo.tables import Table

__all__ = ["ClassFrequencies", "TargetMean"]


class ClassFrequencies(ClassifierMixin, BaseEstimator):
    """Says of every row how probable each class is by the counts of ``fit`` alone, whatever the columns hold.

    Two hypotheses are averaged by their evidence: that the K classes are equally frequent, and that nothing is known of
    their shares, with (n_k + 1)/(n + K) for each. Plain shares would be too easy to beat: where folds are dealt evenly,
    a class has fewer rows to learn from exactly when it has more to be judged by.

    Fitted: ``classes_`` and ``shares_``, the probability of each.

    >>> ClassFrequencies().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).predictive([[9.0]])[0]
    Categorical({'a': 0.46, 'b': 0.54})
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Count the classes."""
        states, codes = classes_of(self, y)
        checks.rows_match("X", _rows(self, X, reset=True), "y", len(codes))
        self.classes_, self.shares_ = states, _shares(np.bincount(codes))
        return self

    def predictive(self, X: Any) -> Categorical:
        """The same shares for every row."""
        rows = _asked(self, X)
        return Categorical(np.tile(self.shares_, (rows, 1)), states=self.classes_.tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """The most frequent class, for every row."""
        rows = _asked(self, X)
        found: NDArray[Any] = np.repeat(self.classes_[[self.shares_.argmax()]], rows)
        return found

    def predict_proba(self, X: Any) -> Floats:
        """The shares, a column for each of ``classes_``."""
        return self.predictive(X).probs

    def __sklearn_tags__(self) -> Tags:
        return _guesses(super().__sklearn_tags__())


class TargetMean(RegressorMixin, BaseEstimator):
    """Says of every row the mean of the target, with Student's t for what one more row may be.

    Fitted: ``mean_``; ``scale_``, s √(1 + 1/n); ``df_``, n − 1 degrees of freedom.

    >>> TargetMean().fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 6.0]).predictive([[9.0]])[0]
    StudentT(df=2, loc=3, scale=3.05505)
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Mean and spread of the target."""
        target = checks.floats("y", validated(self, y=y), ndim=1)
        checks.rows_match("X", _rows(self, X, reset=True), "y", len(target))
        if target.min() == target.max():
            raise InvalidInput(f"y must vary, or its spread is unknown; got {target[0]:g} in {len(target)} sample(s)")
        n = len(target)
        self.mean_, self.df_ = float(target.mean()), n - 1.0
        self.scale_ = float(target.std(ddof=1)) * math.sqrt(1 + 1 / n)
        return self

    def predictive(self, X: Any) -> StudentT:
        """The same law for every row."""
        rows = _asked(self, X)
        return StudentT(self.df_, np.full(rows, self.mean_), self.scale_)

    def predict(self, X: Any) -> Floats:
        """The mean, for every row."""
        return self.predictive(X).mean

    def __sklearn_tags__(self) -> Tags:
        return _guesses(super().__sklearn_tags__())


def _shares(counts: NDArray[np.intp]) -> Floats:
    """The probability of each class for one more row, given how often each was seen."""
    n, k = int(counts.sum()), len(counts)
    equal = -n * math.log(k)
    free = math.lgamma(k) + sum(math.lgamma(count + 1) for count in counts.tolist()) - math.lgamma(n + k)
    belief = np.exp([equal, free] - np.logaddexp(equal, free))
    shares: Floats = belief[0] / k + belief[1] * (counts + 1) / (n + k)
    return shares


def _asked(model: BaseEstimator, X: Any) -> int:
    """How many rows a fitted model is asked about."""
    if "n_features_in_" not in vars(model):
        raise NotFitted(f"this {type(model).__name__} has not been fitted yet. Call fit with X and y first")
    return _rows(model, X, reset=False)


def _rows(model: BaseEstimator, X: Any, *, reset: bool) -> int:
    """How many rows there are. A guess does not look at their columns, but they must be there and make sense."""
    if nw.dependencies.is_into_dataframe(X):
        validated(model, X, reset=reset, look_inside=False)
        return len(Table(X))
    if not isinstance(X, Table):
        return len(numbers(model, X, reset=reset, missing=True))
    if reset:
        remember_columns(model, X.columns)
    there = dict.fromkeys(X.columns)
    for name in vars(model).get("feature_names_in_", ()):
        checks.known("column", name, there)
    return len(X)


def _guesses(tags: Tags) -> Tags:
    tags.input_tags.allow_nan = True
    for kind in (tags.classifier_tags, tags.regressor_tags):
        if kind is not None:
            kind.poor_score = True
    return tags
