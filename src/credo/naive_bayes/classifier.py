"""The naive Bayes classifier, for rows whose cells may be of different kinds and may be missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from credo import checks
from credo.beliefs import Categorical
from credo.checks import Floats
from credo.errors import BadShape, ImpossibleEvidence, InvalidInput, NotFitted
from credo.estimators import classes_of
from credo.naive_bayes import rows
from credo.naive_bayes.categorical import CategoryColumns
from credo.naive_bayes.cells import Cells, Examples
from credo.naive_bayes.confidence import learn_confidence
from credo.naive_bayes.explanation import Explanation
from credo.naive_bayes.gaussian import GaussianColumns
from credo.naive_bayes.joint import Joint
from credo.naive_bayes.statistics import Statistics
from credo.tables import Table

__all__ = ["NaiveBayes"]


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """P(class | row) ∝ P(class) Π P(cell | class), the product over the cells of the row that are not missing.

    Columns of categories (in a table or data frame: categories, ordered ones and booleans; in an array: those named in
    ``categories``) have the m-estimate (n_c + m/k)/(n + m) of the frequency of each of their k states in each class.
    Numeric columns have a normal law in each class, with its maximum likelihood mean and variance: point estimates, as
    in everyone's Gaussian naive Bayes, which are surer than they should be of a class with few rows. Columns of texts
    or times are left out, with a warning.

    Columns that say the same thing make naive Bayes too sure. With a ``confidence`` ε the belief is proportional to
    (P(class) Π P(cell | class))^ε instead: below 1 it is less sure, above 1 surer, and the most probable class stays.
    Learnt, it is the ε up to 1 under which the classes of ``fit`` were most probable, each row judged by others.

    Settings
        - ``m``: the equivalent sample size, how many imagined rows the m-estimate adds; 0 gives relative frequencies.
        - ``categories``: names (or positions in an array) of columns that are categories, whatever they look like.
        - ``unseen``: what becomes of a state that was not there in ``fit``: ``"missing"`` or ``"refuse"``.
        - ``prior``: the probability of each class, in the order of ``classes_`` or by name; None for frequencies.
        - ``variance_floor``: no variance in a class is less than this part of the variance of the whole column.
        - ``confidence``: the ε above; 1 believes the model, ``"learnt"`` takes ten more fits to find it.

    Fitted
        - ``classes_`` and ``log_prior_``, log P(class);
        - ``numeric_`` and ``categorical_``, the laws of the columns;
        - ``confidence_``, the ε in use;
        - ``schema_``, the columns that are used, or None for an array of numbers;
        - ``n_features_in_`` and, where columns have names, ``feature_names_in_``.

    >>> weather = {"outlook": ["sun", "sun", "rain", "rain"], "degrees": [31.5, 29.0, 12.5, 16.0]}
    >>> model = NaiveBayes().fit(weather, ["no", "no", "yes", "yes"])
    >>> model.predict_proba({"outlook": ["rain", None], "degrees": [None, 30.0]}).round(3)
    array([[0.167, 0.833],
           [1.   , 0.   ]])
    """

    def __init__(
        self,
        *,
        m: float = 1.0,
        categories: Collection[str | int] | None = None,
        unseen: str = "missing",
        prior: ArrayLike | Mapping[Any, float] | None = None,
        variance_floor: float = 1e-9,
        confidence: float | str = 1.0,
    ) -> None:
        self.m = m
        self.categories = categories
        self.unseen = unseen
        self.prior = prior
        self.variance_floor = variance_floor
        self.confidence = confidence

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows ``X`` and their classes ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns. Counting is then done where the table is,
        which may be a file larger than memory; rows without a class are left out.
        """
        checks.positive("m", self.m, zero=True, ndim=0)
        checks.positive("variance_floor", self.variance_floor, ndim=0)
        checks.choice("unseen", self.unseen, ("missing", "refuse"))
        confidence = self._stated_confidence()
        if isinstance(y, str):
            if confidence is None:
                raise InvalidInput(
                    f"confidence='learnt' leaves rows out and judges by them; with the name {y!r} as y a Table is only "
                    f"counted. Use fit(table.drop({y!r}), table[{y!r}]), or give confidence as a number"
                )
            joint = self._learn(self._from_table(X, y, sample_weight))
        else:
            examples = self._examples(X, y, sample_weight)
            joint = self._learn(Statistics.of_examples(examples))
            if confidence is None:
                confidence = learn_confidence(examples, self._learn)
        self.log_prior_, self.numeric_, self.categorical_ = joint.log_prior, joint.numeric, joint.categorical
        self.confidence_ = confidence
        return self

    def predictive(self, X: Any) -> Categorical:
        """The belief about the class of each row; its ``log_evidence`` is log p(cells)."""
        belief = Categorical.from_log(self.predict_joint_log_proba(X), self.classes_.tolist())
        return belief if self.confidence_ == 1 else belief.tempered(self.confidence_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[best]
        return classes

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).probs

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).log_probs

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(class) + Σ log p(cell | class), a column for each of ``classes_``, before any tempering."""
        if isinstance(X, Table) and not X.in_memory and len(X):
            return np.concatenate([self._joint(self._cells(part)) for part in X.batches()])
        return self._joint(self._cells(X))

    def explain(self, row: Any) -> Explanation:
        """What each cell of one row says for the predicted class and against each other class.

        Each share is multiplied by ``confidence_``, so that they add up to the log odds of the belief.
        ``row`` is a mapping from column to cell, a list of cells, or anything that ``predict`` takes, of one row.

        >>> model = NaiveBayes().fit({"wind": ["weak", "weak", "strong"], "x": [1.0, 2.0, 4.0]}, ["go", "go", "stay"])
        >>> model.explain({"wind": "weak", "x": None})
        for go      against stay
        (prior)           +0.693
        wind              +1.204
        x                 +0.000
        (log odds)        +1.897
        """
        cells = self._cells(rows.one(row))
        if len(cells.numbers) != 1:
            raise BadShape(f"row must be a single row; got {len(cells.numbers)}. Explain one at a time")
        parts = np.concatenate([self.numeric_.by_column(cells.numbers), self.categorical_.by_column(cells.codes)])[:, 0]
        best = int(self._joint(cells).argmax())
        others = [k for k in range(len(self.classes_)) if k != best]
        states = self.classes_.tolist()
        return Explanation(
            predicted=states[best],
            others=tuple(states[k] for k in others),
            columns=rows.names_of(self.schema_, self.n_features_in_),
            prior=self.confidence_ * (self.log_prior_[best] - self.log_prior_[others]),
            weights=self.confidence_ * (parts[:, [best]] - parts[:, others]),
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True  # a missing cell says nothing
        return tags

    def _stated_confidence(self) -> float | None:
        """The confidence that was given, or None if it is to be learnt."""
        if isinstance(self.confidence, str):
            checks.choice("confidence, unless it is a number,", self.confidence, ("learnt",))
            return None
        return float(checks.positive("confidence", self.confidence, ndim=0))

    def _examples(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Examples:
        states, codes = classes_of(self, y)
        cells, self.schema_ = rows.learn(self, X, self.categories)
        checks.rows_match("X", len(cells.numbers), "y", len(codes))
        weights = None if sample_weight is None else checks.weights("sample_weight", sample_weight, len(codes))
        self.classes_ = states
        return Examples(cells, codes, len(states), weights)

    def _from_table(self, X: Any, target: str, sample_weight: ArrayLike | None) -> Statistics:
        if not isinstance(X, Table):
            raise InvalidInput(
                f"y is the text {target!r}, which names a column where X is a Table; X is {checks.shown(X)}. Use "
                "as_table(X), or give the classes themselves"
            )
        if sample_weight is not None or self.categories is not None:
            raise InvalidInput(
                "with the name of a column as y, a Table is counted as it is: sample_weight and categories cannot be "
                "used. Give the kinds when reading the table, or the classes themselves as y"
            )
        checks.known("column", target, X.columns)
        self.schema_ = rows.learn_schema(self, X, X.drop(target).schema)
        self.classes_, learnt = Statistics.of_table(X, self.schema_, target)
        return learnt

    def _cells(self, X: Any) -> Cells:
        if "classes_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
        return rows.read(self, X, self.schema_, self.unseen)

    def _learn(self, learnt: Statistics) -> Joint:
        return Joint(
            self._log_prior(learnt.classes),
            GaussianColumns.fit(*learnt.moments, floor=float(self.variance_floor)),
            CategoryColumns.fit(learnt.counts, classes=len(self.classes_), m=float(self.m)),
        )

    def _joint(self, cells: Cells) -> Floats:
        joint = Joint(self.log_prior_, self.numeric_, self.categorical_).log_prob(cells)
        impossible = np.isneginf(joint).all(axis=1)
        if impossible.any():
            raise ImpossibleEvidence(
                f"{int(impossible.sum())} rows of X have probability zero in every class; the first is row "
                f"{int(impossible.argmax())}. Either a number is too far from all that were seen, or m is 0, so that a "
                "state never seen with a class is impossible in it; then use m=1"
            )
        return joint

    def _log_prior(self, counts: NDArray[np.number]) -> Floats:
        states = self.classes_.tolist()
        given = counts / counts.sum() if self.prior is None else self.prior
        if isinstance(given, Mapping):
            for state in given:
                checks.known("class", state, states)
            given = [given.get(state, 0.0) for state in states]
        prior = checks.probabilities("prior", given)
        if prior.shape != (len(states),):
            raise BadShape(
                f"prior must have a probability for each of the {len(states)} classes; got shape {prior.shape}"
            )
        with np.errstate(divide="ignore"):  # a class may be held to be impossible
            return np.log(prior)
