"""The perceptron: a plane found by its mistakes, with what is known of how many there can be."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from credo import checks
from credo.beliefs import Categorical
from credo.checks import Floats
from credo.errors import CredoWarning, NotFitted, Outcome
from credo.linear import examples, reading
from credo.linear.examples import Codes
from credo.linear.mistakes import Run, run
from credo.linear.planes import Planes, against_rest, learn_confidence
from credo.numerics import nearest_points

__all__ = ["Perceptron"]

WITHOUT_END = 10  # passes through rows that no plane separates; more hardly move the mean of the weights


class Perceptron(ClassifierMixin, BaseEstimator):
    """The perceptron: each row x that lies on the wrong side of the plane is added to its weights, or taken away.

    With u = ±(x, 1), the sign that of the row's class, a row is a mistake if u·w ≤ 0, and then w becomes w + u, from
    w = 0 on, in passes through all rows in random order. If a plane separates the classes with the margin
    γ = max min u·w over |w| = 1, and R is the largest |u|, there are at most R²/γ² mistakes. The largest margin is
    found by itself (``numerics.nearest_points``), so the bound is known and can be compared with what happened.

    Where no plane separates the classes, mistakes never end. That is found out first and said with a warning; after ten
    passes the mean of the weights over all steps is used in place of the last ones.

    Two classes have one plane, with the second of ``classes_`` on its positive side; of more, each has a plane against
    the rest, and a row is given to the class on whose side it lies furthest.

    ``predictive`` is a vote that is believed as far as it deserves: softmax(c s) of the distances s, in the space of
    u, with the ``confidence`` c under which rows that were left out (five more fits) are most probable.

    Columns of very different size make R²/γ² large: standardise them (``tables.Encoder`` does).

    Settings
        - ``passes``: at most so many through all rows, where they can be separated.
        - ``fit_intercept``: whether a 1 stands at the end of each row, so that the plane need not contain the origin.
        - ``confidence``: the c above, or None to learn it.
        - ``random_state``: the seed of the order of the rows.

    Fitted, each with an entry for each plane
        - ``coef_`` and ``intercept_``, the weights;
        - ``mistakes_``, how many were made, and ``trace_``, how many in each pass;
        - ``separable_``, whether a plane separates the class from the rest;
        - ``margin_``, the least u·w/|w| of the weights, and ``best_margin_``, the largest of any (γ; 0 if inseparable);
        - ``bound_``, R²/γ² (infinite if inseparable), and ``bound_reached_``, whether there were as many mistakes;

    and for all: ``radius_`` (R), ``confidence_``, ``outcome_`` and ``classes_``.

    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-2.0, 0.0]], ["up", "up", "down", "down"]
    >>> model = Perceptron().fit(X, y)
    >>> model.mistakes_, model.bound_.round(1), model.bound_reached_
    (array([1]), array([2.9]), array([False]))
    >>> model.predict([[1.0, 1.0]])
    array(['up'], dtype='<U4')
    """

    def __init__(
        self, *, passes: int = 1000, fit_intercept: bool = True, confidence: float | None = None, random_state: int = 0
    ) -> None:
        self.passes = passes
        self.fit_intercept = fit_intercept
        self.confidence = confidence
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike | str) -> Self:
        """Go through the rows ``X`` of the classes ``y`` until no mistake is left, or for as long as is allowed.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns.
        """
        passes = checks.count("passes", self.passes, least=1)
        checks.choice("fit_intercept", self.fit_intercept, (True, False))
        rng = np.random.default_rng(checks.count("random_state", self.random_state))
        if self.confidence is not None:
            checks.positive("confidence", self.confidence, ndim=0)
        rows, codes, classes = examples.learn(self, X, y, sparse_rows=False)
        held = np.column_stack([rows, np.ones(len(rows))]) if self.fit_intercept else rows
        problems = [np.where(mine, 1.0, -1.0)[:, None] * held for mine in against_rest(codes, len(classes))]
        margins = np.array([_best_margin(U) for U in problems])
        limits = [passes if margin else min(passes, WITHOUT_END) for margin in margins]
        runs = [run(U, passes=limit, rng=rng) for U, limit in zip(problems, limits, strict=True)]
        self.classes_ = classes
        self._remember(problems, margins, runs)
        self._warn(limits)

        def learn(rows: Floats, codes: Codes) -> Planes:
            sides = (np.where(mine, 1.0, -1.0)[:, None] for mine in against_rest(codes, len(classes)))
            found = [run(side * rows, passes=limit, rng=rng) for side, limit in zip(sides, limits, strict=True)]
            return _planes(np.stack([each.weights for each in found]), intercept=False)

        self.confidence_ = learn_confidence(held, codes, learn) if self.confidence is None else float(self.confidence)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Distances from the planes, in the space of u: for two classes (n,), the second class above zero."""
        distances = self._planes().distances(reading.read(self, X))
        return distances[:, 0] if distances.shape[1] == 1 else distances

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        best = self._planes().scores(reading.read(self, X)).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[best]
        return classes

    def predictive(self, X: Any) -> Categorical:
        """The belief about the class of each row: the vote of the planes, believed as far as it deserves."""
        scores = self._planes().scores(reading.read(self, X))
        return Categorical.from_log(self.confidence_ * scores, self.classes_.tolist())

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).probs

    def _planes(self) -> Planes:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
        return _planes(np.column_stack([self.coef_, self.intercept_]), intercept=True)

    def _remember(self, problems: list[Floats], margins: Floats, runs: list[Run]) -> None:
        weights = np.stack([each.weights for each in runs])
        d = self.n_features_in_
        self.coef_, self.intercept_ = weights[:, :d], weights[:, d] if self.fit_intercept else np.zeros(len(runs))
        self.mistakes_ = np.array([sum(each.mistakes) for each in runs])
        self.trace_ = tuple(each.mistakes for each in runs)
        self.margin_ = np.array([(U @ w).min() / _length(w) for U, w in zip(problems, weights, strict=True)])
        self.best_margin_, self.separable_ = margins, margins > 0
        self.radius_ = float(np.sqrt(np.einsum("ij,ij->i", problems[0], problems[0]).max()))
        with np.errstate(divide="ignore"):
            self.bound_ = (self.radius_ / margins) ** 2
        self.bound_reached_ = self.mistakes_ + 1 > self.bound_ * (1 + 1e-9)
        self.outcome_ = Outcome.CONVERGED if all(each.clean for each in runs) else Outcome.OUT_OF_STEPS

    def _warn(self, limits: list[int]) -> None:
        names = self.classes_.tolist()
        for k, (mistakes, separable) in enumerate(zip(self.trace_, self.separable_, strict=True)):
            if not mistakes[-1]:
                continue
            of = f"the class {names[k]!r} from the rest" if len(names) > 2 else f"{names[1]!r} from {names[0]!r}"
            if separable:
                message = (
                    f"a plane separates {of}, but after {limits[k]} passes and {self.mistakes_[k]} mistakes it was not "
                    f"found; there are at most {self.bound_[k]:.4g}. Allow more passes, or standardise the columns"
                )
            else:
                message = (
                    f"no plane separates {of}, so mistakes would never end; after {limits[k]} passes the mean of the "
                    "weights is used. LinearSeparator shows a point where they overlap, LogisticRegression says how "
                    "sure it is of each row"
                )
            warnings.warn(message, CredoWarning, stacklevel=3)


def _best_margin(U: Floats) -> float:
    """The largest least u·w over |w| = 1: how far the hull of the rows is from the origin; 0 where it contains it."""
    found = nearest_points(U, np.zeros((1, U.shape[1])))
    return 0.0 if found.meet else found.distance


def _planes(weights: Floats, *, intercept: bool) -> Planes:
    """Weights as planes whose distances are those in the space of u."""
    unit = weights / np.array([_length(w) for w in weights])[:, None]
    return Planes(unit[:, :-1], unit[:, -1]) if intercept else Planes(unit, np.zeros(len(unit)))


def _length(w: Floats) -> float:
    return float(np.linalg.norm(w)) or 1.0  # rows that contradict each other may bring the weights back to zero
