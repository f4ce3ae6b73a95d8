"""The simplest model that looks at all: one column, cut in two where it is a number, by its states where it has some.

Every rule is a hypothesis: rows fall into cells, and each cell has shares of its own (a Dirichlet law with one imagined
row of each class), or a mean and a spread of its own (a normal law with the conjugate prior of one imagined row). The
evidence of a rule is closed, and so is that of no rule at all; half of the prior is for none, the other half is divided
among the columns, and a column's part among its cuts. Many columns are then no excuse: the best of a thousand columns
of noise is believed less than none, and then, as for a cell without rows, the guess is made that looks at no column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Tags

from credo import checks
from credo.beliefs import Categorical, StudentT
from credo.checks import Floats
from credo.errors import InvalidInput, NotFitted
from credo.estimators import classes_of, validated
from credo.naive_bayes import rows as reading
from credo.naive_bayes.cells import Cells
from credo.study.guesses import ClassFrequencies, TargetMean

__all__ = ["OneRule", "OneRuleRegressor", "Rule"]

MOST_CUTS = 255
PRIOR_ROWS = 1.0  # imagined rows behind the mean of a cell
PRIOR_SPREADS = 1.0  # and pairs of them behind its spread

Score = Callable[[NDArray[np.intp], int], Floats]  # sums of each cell, from cell numbers and how many there are
Evidence = Callable[[Floats], Floats]  # log evidence of each cell, from its sums


@dataclass(frozen=True, slots=True)
class Rule:
    """A column, and where it is cut (NaN for a column of states): which cell a row falls into.

    Cells of a number are: at most ``cut``, above it, missing. Those of a category are its states, and missing last. A
    rule without a column (None) has one cell.

    >>> Rule("age", 0, 40.5)
    Rule(column='age', place=0, cut=40.5)
    """

    column: str | None
    place: int
    cut: float

    def cells(self, held: Cells, cells: int) -> NDArray[np.intp]:
        """The cell of each row, of so many."""
        if self.column is None:
            return np.zeros(len(held.numbers), dtype=np.intp)
        numbers = held.numbers.shape[1]
        if self.place < numbers:
            values = held.numbers[:, self.place]
            return np.where(np.isnan(values), 2, values > self.cut).astype(np.intp)
        codes = held.codes[self.place - numbers].astype(np.intp)
        return np.where(codes < 0, cells - 1, codes)


class OneRule(ClassifierMixin, BaseEstimator):
    """Classes by the one column that tells most, with the shares of each cell as beliefs; see the module for the prior.

    Fitted: ``classes_``; ``rule_``, a ``Rule``; ``shares_``, a row for each of its cells; ``log_evidence_``, of all
    rules together.

    >>> model = OneRule().fit({"x": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0]}, ["a", "a", "a", "b", "b", "b"])
    >>> model.rule_.cut, model.predict({"x": [0.0, 10.0]}).tolist()
    (5.0, ['a', 'b'])
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Find the rule."""
        states, codes = classes_of(self, y)
        held, self.schema_ = reading.learn(self, X, None)
        checks.rows_match("X", len(held.numbers), "y", len(codes))
        self.classes_, k = states, len(states)

        def sums(cells: NDArray[np.intp], n: int) -> Floats:
            return np.bincount(cells * k + codes, minlength=n * k).reshape(n, k).astype(np.float64)

        self.rule_, found, self.log_evidence_ = _find(held, _names(self, held), sums, _dirichlet)
        shares = (found + 1) / (found + 1).sum(axis=1, keepdims=True)
        said = (found.sum(axis=1, keepdims=True) > 0) & (self.rule_.column is not None)
        self.shares_ = np.where(said, shares, ClassFrequencies().fit(np.zeros((len(codes), 1)), codes).shares_)
        return self

    def predictive(self, X: Any) -> Categorical:
        """The shares of the cell of each row."""
        held = _asked(self, X)
        return Categorical(self.shares_[self.rule_.cells(held, len(self.shares_))], states=self.classes_.tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """The most frequent class of the cell."""
        best = self.predictive(X).probs.argmax(axis=1)
        classes: NDArray[Any] = self.classes_[best]
        return classes

    def predict_proba(self, X: Any) -> Floats:
        """The shares, a column for each of ``classes_``."""
        return self.predictive(X).probs

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        if tags.classifier_tags is not None:
            tags.classifier_tags.poor_score = True
        return tags


class OneRuleRegressor(RegressorMixin, BaseEstimator):
    """A number by the one column that tells most: Student's t for one more row of each cell; see the module.

    Fitted: ``rule_``, a ``Rule``; ``df_``, ``loc_`` and ``scale_``, of each of its cells; ``log_evidence_``.

    >>> model = OneRuleRegressor().fit({"x": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0]}, [0.1, 0.0, -0.1, 5.1, 5.0, 4.9])
    >>> model.rule_.cut, model.predict({"x": [0.0, 10.0]}).round(1).tolist()
    (5.0, [0.6, 4.4])
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Find the rule."""
        target = checks.floats("y", validated(self, y=y), ndim=1)
        held, self.schema_ = reading.learn(self, X, None)
        checks.rows_match("X", len(held.numbers), "y", len(target))
        centre, spread = float(target.mean()), float(target.std())
        if not spread > 0:
            raise InvalidInput(f"y must vary, or its spread is unknown; got {target[0]:g} in {len(target)} sample(s)")
        z = (target - centre) / spread

        def sums(cells: NDArray[np.intp], n: int) -> Floats:
            parts = [np.bincount(cells, weights=z**power, minlength=n) for power in (0, 1, 2)]
            return np.stack(parts, axis=-1)

        self.rule_, found, evidence = _find(held, _names(self, held), sums, _normal)
        self.log_evidence_ = evidence - len(z) * math.log(spread)
        n, mean, shape, rate = _posterior(found)
        guess = TargetMean().fit(np.zeros((len(z), 1)), target)
        said = (found[:, 0] > 0) & (self.rule_.column is not None)
        self.df_ = np.where(said, 2 * shape, guess.df_)
        self.loc_ = np.where(said, centre + spread * mean, guess.mean_)
        self.scale_ = np.where(said, spread * np.sqrt(rate * (n + 1) / (shape * n)), guess.scale_)
        return self

    def predictive(self, X: Any) -> StudentT:
        """What one more row of the cell may be."""
        held = _asked(self, X)
        cells = self.rule_.cells(held, len(self.df_))
        return StudentT(self.df_[cells], self.loc_[cells], self.scale_[cells])

    def predict(self, X: Any) -> Floats:
        """The mean of the cell, drawn a little to the mean of all rows."""
        return self.predictive(X).mean

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        if tags.regressor_tags is not None:
            tags.regressor_tags.poor_score = True
        return tags


def _find(held: Cells, names: tuple[str, ...], sums: Score, evidence: Evidence) -> tuple[Rule, Floats, float]:
    """The most probable rule, the sums of its cells, and the log evidence of all rules together."""
    n = len(held.numbers)
    whole = sums(np.zeros(n, dtype=np.intp), 1)
    none = float(evidence(whole)[0]) + math.log(0.5)
    best, most, all_of_them = Rule(None, 0, math.nan), none, [none]
    each = math.log(0.5) - math.log(max(len(names), 1))
    for place, name in enumerate(names):
        for cut, share, found in _rules(held, place, sums, evidence):
            scores = found + each + share
            all_of_them.append(float(np.logaddexp.reduce(scores)))
            top = int(scores.argmax())
            if scores[top] > most:
                best, most = Rule(name, place, float(cut[top])), float(scores[top])
    cells = _size(held, best)
    return best, sums(best.cells(held, cells), cells), float(np.logaddexp.reduce(all_of_them))


def _rules(held: Cells, place: int, sums: Score, evidence: Evidence) -> Iterator[tuple[Floats, float, Floats]]:
    """The cuts of a column (one of NaN for states), the log prior of each, and their log evidences; nothing if all
    cells are alike."""
    numbers = held.numbers.shape[1]
    if place >= numbers:
        rule = Rule("", place, math.nan)
        cells = _size(held, rule)
        found = sums(rule.cells(held, cells), cells)
        yield np.array([math.nan]), 0.0, evidence(found).sum(keepdims=True)
        return
    values = held.numbers[:, place]
    gone = np.isnan(values)
    cuts = _cuts(values[~gone])
    if not len(cuts):
        if gone.any() and not gone.all():  # that it is missing may tell
            yield np.array([math.inf]), 0.0, evidence(sums(gone.astype(np.intp), 2)).sum(keepdims=True)
        return
    bins = np.where(gone, len(cuts) + 1, np.searchsorted(cuts, values, side="left"))
    table = sums(bins.astype(np.intp), len(cuts) + 2)
    below = table[:-2].cumsum(axis=0)
    above = table[:-1].sum(axis=0) - below
    yield cuts, -math.log(len(cuts)), evidence(below) + evidence(above) + evidence(table[-1:])


def _cuts(values: Floats) -> Floats:
    """Places to cut at, between neighbouring values; of many, some at equal numbers of rows."""
    distinct = np.unique(values)
    if len(distinct) > MOST_CUTS + 1:
        ranks = np.sort(values)[(np.arange(1, MOST_CUTS + 1) * len(values)) // (MOST_CUTS + 1)]
        after = np.searchsorted(distinct, np.unique(ranks))
        after = after[after + 1 < len(distinct)]
        return distinct[after] + (distinct[after + 1] - distinct[after]) / 2
    return distinct[:-1] + np.diff(distinct) / 2


def _size(held: Cells, rule: Rule) -> int:
    """How many cells a rule has."""
    numbers = held.numbers.shape[1]
    if rule.column is None:
        return 1
    return 3 if rule.place < numbers else held.sizes[rule.place - numbers] + 1


def _dirichlet(counts: Floats) -> Floats:
    """ln Γ(K) + Σ ln n_k! − ln Γ(n + K) of each cell."""
    k = counts.shape[-1]
    found: Floats = math.lgamma(k) + gammaln(counts + 1).sum(axis=-1) - gammaln(counts.sum(axis=-1) + k)
    return found


def _normal(sums: Floats) -> Floats:
    """Log evidence of n normal numbers, from n, Σ z and Σ z², in cells."""
    n, _, shape, rate = _posterior(sums)
    a, b = PRIOR_SPREADS, PRIOR_SPREADS
    found: Floats = (
        gammaln(shape)
        - math.lgamma(a)
        + a * math.log(b)
        - shape * np.log(rate)
        + 0.5 * (math.log(PRIOR_ROWS) - np.log(n))
        - 0.5 * sums[..., 0] * math.log(2 * math.pi)
    )
    return found


def _posterior(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Rows (imagined ones included), mean, and shape and rate of the precision, of each cell."""
    n, total, squares = sums[..., 0], sums[..., 1], sums[..., 2]
    mean = total / (n + PRIOR_ROWS)
    rate = PRIOR_SPREADS + 0.5 * np.maximum(squares - total * mean, 0.0)
    return n + PRIOR_ROWS, mean, PRIOR_SPREADS + 0.5 * n, rate


def _names(model: BaseEstimator, held: Cells) -> tuple[str, ...]:
    columns = held.numbers.shape[1] + len(held.codes)
    return tuple(str(name) for name in reading.names_of(vars(model)["schema_"], columns))


def _asked(model: BaseEstimator, X: Any) -> Cells:
    if "rule_" not in vars(model):
        raise NotFitted(f"this {type(model).__name__} has not been fitted yet. Call fit with X and y first")
    return reading.read(model, X, vars(model)["schema_"], "missing")
