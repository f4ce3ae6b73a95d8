"""What a model said of some rows and what was true, and every score of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.beliefs import Belief, Categorical
from credo.checks import Floats
from credo.decisions import Loss, decide
from credo.evaluation import auc, bootstrap, brier, log_score, mean, r_squared, rmse, wilson
from credo.study.record import Score

__all__ = ["Answers", "ClassAnswers", "ClassTask", "NumberAnswers", "NumberTask", "join"]

COVERAGE = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class ClassAnswers:
    """Probabilities of every class (a row each), and the class that was true, as a column number."""

    probabilities: Floats
    truth: NDArray[np.intp]
    task: ClassTask

    @property
    def answers(self) -> NDArray[np.intp]:
        """The most probable class."""
        best: NDArray[np.intp] = self.probabilities.argmax(axis=1)
        return best

    @property
    def actions(self) -> NDArray[np.intp]:
        """The action of least expected loss, as a row of the loss table."""
        loss = self.task.acts_by
        named = decide(Categorical(self.probabilities, states=loss.states), loss).action
        place = {action: row for row, action in enumerate(loss.actions)}
        return np.array([place[action] for action in np.atleast_1d(named)], dtype=np.intp)

    @property
    def losses(self) -> Floats:
        """What those actions cost."""
        paid: Floats = self.task.acts_by.matrix[self.actions, self.truth]
        return paid

    @property
    def criterion(self) -> Floats:
        """The loss paid where there is a loss table, otherwise the log score."""
        return self.losses if self.task.loss else log_score(self.probabilities, self.truth)

    def scores(self, seed: Any) -> tuple[Score, ...]:
        """Expected loss if there is a loss table, accuracy, log score, Brier score; for two classes the AUC."""
        right = int((self.answers == self.truth).sum())
        found = [Score("expected loss", mean(self.losses), "lower")] if self.task.loss else []
        found += [
            Score("accuracy", wilson(right, len(self.truth)), "higher"),
            Score("log score", mean(log_score(self.probabilities, self.truth)), "higher"),
            Score("Brier score", mean(brier(self.probabilities, self.truth)), "lower"),
        ]
        if len(self.task.states) == 2:
            said, came = self.probabilities[:, 1], self.truth == 1
            area = bootstrap(lambda rows: auc(said[rows], came[rows]), len(said), rng=seed)
            found.append(Score("AUC", area, "higher"))
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class ClassTask:
    """The classes, by the labels the models know; and what acting costs, if that was said."""

    states: tuple[Any, ...]
    loss: Loss | None

    @property
    def names(self) -> tuple[str, ...]:
        """The classes as they are printed."""
        return tuple(str(state) for state in self.states)

    @property
    def acts_by(self) -> Loss:
        """The loss table; without one every error costs 1."""
        return self.loss or Loss.zero_one(self.states)

    def read(self, belief: Belief, truth: NDArray[Any]) -> ClassAnswers:
        """The probabilities in the order of ``states``; a class the model never met has probability 0."""
        assert isinstance(belief, Categorical)  # noqa: S101 (a classifier's predictive is one by contract)
        place = {state: column for column, state in enumerate(belief.states)}
        probabilities = np.zeros((len(truth), len(self.states)))
        for column, state in enumerate(self.states):
            if state in place:
                probabilities[:, column] = belief.probs[:, place[state]]
        codes = {state: column for column, state in enumerate(self.states)}
        return ClassAnswers(probabilities, np.array([codes[y] for y in truth.tolist()], dtype=np.intp), self)


@dataclass(frozen=True, slots=True, eq=False)
class NumberAnswers:
    """What was measured, the mean and 90 % interval predicted for it, and the log density it was given."""

    truth: Floats
    mean: Floats
    low: Floats
    high: Floats
    log_density: Floats

    @property
    def criterion(self) -> Floats:
        """The log density given to what was measured."""
        return self.log_density

    def scores(self, seed: Any) -> tuple[Score, ...]:
        """RMSE, mean absolute error, R², mean log density and the coverage of the 90 % interval."""
        truth, guess = self.truth, self.mean
        inside = int(((self.low <= truth) & (truth <= self.high)).sum())
        n = len(truth)
        return (
            Score("RMSE", bootstrap(lambda rows: rmse(truth[rows], guess[rows]), n, rng=seed), "lower"),
            Score("mean absolute error", mean(np.abs(truth - guess)), "lower"),
            Score("R²", bootstrap(lambda rows: r_squared(truth[rows], guess[rows]), n, rng=seed), "higher"),
            Score("mean log density", mean(self.log_density), "higher"),
            Score("coverage of the 90 % interval", wilson(inside, n), "near"),
        )


@dataclass(frozen=True, slots=True)
class NumberTask:
    """A number to be predicted."""

    def read(self, belief: Belief, truth: NDArray[Any]) -> NumberAnswers:
        """Means, intervals and log densities of a batch of laws."""
        low, high = belief.interval(COVERAGE)
        held = (truth, belief.mean, low, high, belief.log_prob(truth))
        return NumberAnswers(*(np.asarray(part, dtype=np.float64) for part in held))


Answers = ClassAnswers | NumberAnswers


def join(parts: Sequence[Answers]) -> Answers:
    """The answers of several folds as one."""
    first: Any = parts[0]
    held = {field.name: [getattr(part, field.name) for part in parts] for field in dataclasses.fields(first)}
    arrays = {name: np.concatenate(values) for name, values in held.items() if isinstance(values[0], np.ndarray)}
    joined: Answers = dataclasses.replace(first, **arrays)
    return joined
