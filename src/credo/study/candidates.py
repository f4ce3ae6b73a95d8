"""Who takes part: one line for a family, and the two guesses that any model must beat.

A candidate is made afresh for every fold. It learns by ``fit(X, y)`` from a table and a target, and ``predictive(X)``
(of a pipeline: of its last step) gives a belief for every row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from credo.beliefs import Belief, Categorical, StudentT
from credo.checks import Floats
from credo.tables import Table

__all__ = ["CANDIDATES", "Candidate", "Model", "believe"]


class Model(Protocol):
    """What a study asks of a model: learn from a table and a target. What it says is asked by ``believe``."""

    def fit(self, X: Table, y: NDArray[Any]) -> Any:
        """Learn."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A family that takes part, under the name a reader will meet."""

    name: str
    make: Callable[[], Model]
    baseline: bool = field(default=False, kw_only=True)


class ClassFrequencies:
    """Says of every row what share of the rows was in each class, whatever the columns hold."""

    def fit(self, X: Table, y: NDArray[Any]) -> ClassFrequencies:  # noqa: ARG002 (a guess)
        """Count the classes."""
        self.states, counts = np.unique(y, return_counts=True)
        self.shares: Floats = counts / counts.sum()
        return self

    def predictive(self, X: Table) -> Categorical:
        """The same shares for every row."""
        return Categorical(np.tile(self.shares, (len(X), 1)), states=self.states.tolist())


class TargetMean:
    """Says of every row the mean of the target, with Student's t for what one more row may be."""

    def fit(self, X: Table, y: NDArray[Any]) -> TargetMean:  # noqa: ARG002 (a guess)
        """Mean and spread: t with n − 1 degrees of freedom and scale s √(1 + 1/n)."""
        self.law = (len(y) - 1.0, float(y.mean()), float(y.std(ddof=1)) * math.sqrt(1 + 1 / len(y)))
        return self

    def predictive(self, X: Table) -> StudentT:
        """The same law for every row."""
        return StudentT(*(np.full(len(X), value) for value in self.law))


def _naive_bayes() -> Model:
    from credo.naive_bayes import NaiveBayes

    return NaiveBayes()


def _linear_regression() -> Model:
    from sklearn.pipeline import Pipeline

    from credo.linear import BayesianRegression
    from credo.tables import Encoder

    model: Model = Pipeline([("encoder", Encoder()), ("regression", BayesianRegression())])
    return model


# A new family takes part by one line here. The baseline stands first: on equal terms the simpler one wins.
CANDIDATES: dict[str, tuple[Candidate, ...]] = {
    "classification": (
        Candidate("always the class frequencies", ClassFrequencies, baseline=True),
        Candidate("naive Bayes", _naive_bayes),
    ),
    "regression": (
        Candidate("always the mean", TargetMean, baseline=True),
        Candidate("Bayesian linear regression", _linear_regression),
    ),
}


def believe(model: Any, X: Table) -> Belief:
    """What a fitted model says of every row; a scikit-learn pipeline is asked through its last step.

    >>> from credo.tables import Table
    >>> table = Table({"x": [1.0, 2.0, 3.0]})
    >>> believe(TargetMean().fit(table, np.array([1.0, 2.0, 3.0])), table).mean
    array([2., 2., 2.])
    """
    from sklearn.pipeline import Pipeline

    if isinstance(model, Pipeline):
        belief: Belief = model[-1].predictive(model[:-1].transform(X))
    else:
        belief = model.predictive(X)
    return belief
