"""Who takes part: one line for a family, and the two guesses that any model must beat.

A candidate is made afresh for every fold. It learns by ``fit(X, y)`` from a table and a target, and ``predictive(X)``
(of a pipeline: of its last step) gives a belief for every row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray

from credo import checks
from credo.tables import Table

__all__ = ["CANDIDATES", "Candidate", "Model", "taking_part"]


LEARN_FROM = 1_000  # rows from which a Gaussian process learns its hyperparameters; it predicts from all of them


class Model(Protocol):
    """What a study asks of a model: learn from a table and a target. What it says is asked by ``believe``."""

    def fit(self, X: Table, y: NDArray[Any]) -> Any:
        """Learn."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A family that takes part, under the name a reader will meet; ``how`` tells that reader how it works.

    ``most`` is how many rows and how many columns (a category counts once for each state) it can learn from in
    reasonable time: with more it is left out, and the report says so.
    """

    name: str
    make: Callable[[], Model]
    how: str = ""
    baseline: bool = field(default=False, kw_only=True)
    most: tuple[int, int] | None = field(default=None, kw_only=True)


def _class_frequencies() -> Model:
    from credo.study.guesses import ClassFrequencies

    return ClassFrequencies()


def _target_mean() -> Model:
    from credo.study.guesses import TargetMean

    return TargetMean()


def _one_rule() -> Model:
    from credo.study.rules import OneRule

    return OneRule()


def _one_rule_for_numbers() -> Model:
    from credo.study.rules import OneRuleRegressor

    return OneRuleRegressor()


def _naive_bayes() -> Model:
    from credo.naive_bayes import NaiveBayes

    return NaiveBayes(confidence="learnt")


def _logistic_regression() -> Model:
    from sklearn.pipeline import Pipeline

    from credo.linear import LogisticRegression
    from credo.tables import Encoder

    model: Model = Pipeline([("encoder", Encoder()), ("classifier", LogisticRegression())])
    return model


def _support_vectors() -> Model:
    from sklearn.pipeline import Pipeline

    from credo.svm import SupportVectorClassifier
    from credo.tables import Encoder

    machine = SupportVectorClassifier(probability=True)
    model: Model = Pipeline([("encoder", Encoder()), ("machine", machine)])
    return model


def _linear_regression() -> Model:
    from sklearn.pipeline import Pipeline

    from credo.linear import BayesianRegression
    from credo.tables import Encoder

    model: Model = Pipeline([("encoder", Encoder()), ("regression", BayesianRegression())])
    return model


def _gaussian_process() -> Model:
    from sklearn.pipeline import Pipeline

    from credo.gp import GaussianProcessRegressor
    from credo.tables import Encoder

    model: Model = Pipeline(
        [("encoder", Encoder()), ("regression", GaussianProcessRegressor(starts=1, learn_from=LEARN_FROM))]
    )
    return model


# A new family takes part by one entry here. The baseline stands first: on equal terms the simpler one wins.
CANDIDATES: dict[str, tuple[Candidate, ...]] = {
    "classification": (
        Candidate(
            "always the class frequencies",
            _class_frequencies,
            "the share of each class among the rows it learns from, or nearly equal shares where the counts are no "
            "evidence against them; whatever the columns hold",
            baseline=True,
        ),
        Candidate(
            "a single rule",
            _one_rule,
            "the one column that tells most, cut in two where it is a number, with the shares of each class in each "
            "part; none, where no column tells more than chance would let the best of them tell",
        ),
        Candidate(
            "naive Bayes",
            _naive_bayes,
            "columns taken to be independent of each other within a class: normal laws for numbers, smoothed "
            "frequencies for categories. Columns that say the same thing make that too sure, so its probabilities are "
            "tempered, as far as ten inner folds of the rows it learns from show to be right",
        ),
        Candidate(
            "logistic regression",
            _logistic_regression,
            "log odds that are weighted sums of the columns (numbers standardised, a column for each category, missing "
            "cells filled in and marked); how large weights may be is learnt by the evidence, and probabilities "
            "average over what is left uncertain about them",
        ),
        Candidate(
            "support vector machine",
            _support_vectors,
            "the widest margin between the classes for curved boundaries, by how far rows lie from each other in the "
            "columns of logistic regression; how sure to be of a decision is learnt from five inner folds of the rows "
            "it learns from",
            most=(20_000, 1_000),
        ),
    ),
    "regression": (
        Candidate(
            "always the mean",
            _target_mean,
            "the mean of the rows it learns from and Student's t around it, whatever the columns hold",
            baseline=True,
        ),
        Candidate(
            "a single rule",
            _one_rule_for_numbers,
            "the one column that tells most, cut in two where it is a number, with a mean and a spread in each part; "
            "none, where no column tells more than chance would let the best of them tell",
        ),
        Candidate(
            "Bayesian linear regression",
            _linear_regression,
            "a weighted sum of the columns (numbers standardised, a column for each category, missing cells filled in "
            "and marked) with normal noise; how large weights and noise may be is learnt by the evidence",
        ),
        Candidate(
            "Gaussian process",
            _gaussian_process,
            "a smooth function of the same columns that need not be a line (a Matérn kernel), with normal noise; its "
            "size, how far it reaches along each column, and the noise are learnt by the evidence, from a thousand "
            "rows at most",
            most=(3 * LEARN_FROM, 20),
        ),
    ),
}


def taking_part(task: str, names: Sequence[str] | None) -> tuple[Candidate, ...]:
    """The guess, and the candidates of these names in any case of letters; all of them where no names are given.

    >>> [candidate.name for candidate in taking_part("regression", ["gaussian process"])]
    ['always the mean', 'Gaussian process']
    """
    everyone = CANDIDATES[task]
    if names is None:
        return everyone
    plain = {candidate.name.lower(): candidate.name for candidate in everyone}
    wanted = {plain[checks.known("candidate", str(name).lower(), plain)] for name in names}
    return tuple(candidate for candidate in everyone if candidate.baseline or candidate.name in wanted)
