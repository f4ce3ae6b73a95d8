"""What a model said of some rows and what was true, and every score of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.beliefs import Belief, Categorical
from credo.checks import Floats
from credo.decisions import Loss, decide
from credo.evaluation import Interval, auc_interval, bootstrap, brier, crps, hand_till, mean, wilson
from credo.study.record import Score

__all__ = ["Answers", "ClassAnswers", "ClassTask", "NumberAnswers", "NumberTask", "join"]

COVERAGE = 0.9
MANY_ROWS = 10_000  # where each resample takes long, and fewer of them say as much


@dataclass(frozen=True, slots=True, eq=False)
class ClassAnswers:
    """Log probabilities of every class (a row each), and the class that was true, as a column number.

    Logarithms are kept because a model can be so sure of an error that its probability is no float64.
    """

    log_probabilities: Floats
    truth: NDArray[np.intp]
    task: ClassTask

    @property
    def probabilities(self) -> Floats:
        """Of every class, a row each."""
        return np.exp(self.log_probabilities)

    @property
    def answers(self) -> NDArray[np.intp]:
        """The most probable class."""
        best: NDArray[np.intp] = self.log_probabilities.argmax(axis=1)
        return best

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the most probable class is the true one."""
        return np.equal(self.answers, self.truth)

    @property
    def log_scores(self) -> Floats:
        """Log of the probability given to what came true."""
        return self.log_probabilities[np.arange(len(self.truth)), self.truth]

    @property
    def actions(self) -> NDArray[np.intp]:
        """The action of least expected loss, as a row of the loss table."""
        loss = self.task.acts_by
        best: NDArray[np.intp] = decide(Categorical(self.probabilities, states=loss.states), loss).risks.argmin(axis=1)
        return best

    @property
    def losses(self) -> Floats:
        """What those actions cost."""
        return self.task.acts_by.matrix[self.actions, self.truth]

    @property
    def criterion(self) -> Floats:
        """The loss paid where there is a loss table, otherwise the log score."""
        return self.losses if self.task.loss else self.log_scores

    def scores(self, seed: Any) -> tuple[Score, ...]:  # noqa: ARG002 (scores of numbers are resampled)
        """Expected loss if there are losses, accuracy, log score, Brier score, AUC (of many, Hand and Till's)."""
        found = [Score("expected loss", self.task.mean_loss(self.losses), "lower")] if self.task.loss else []
        found += [
            Score("accuracy", wilson(int(self.right.sum()), len(self.truth)), "higher"),
            Score("log score", mean(self.log_scores, within=(-math.inf, 0.0)), "higher"),
            Score("Brier score", mean(brier(self.probabilities, self.truth), within=(0.0, 1.0)), "lower"),
        ]
        if len(self.task.states) == 2:
            said, came = self.probabilities[:, 1], self.truth == 1
            found.append(Score("AUC", auc_interval(said, came), "higher"))
        else:
            found.append(Score("AUC over pairs", hand_till(self.probabilities, self.truth), "higher"))
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

    def shares(self, y: NDArray[Any]) -> Floats:
        """The share of each class among the labels ``y``."""
        return np.array([float((y == state).mean()) for state in self.states])

    def mean_loss(self, losses: Floats) -> Interval:
        """The mean of losses paid, which lies between the least and the greatest of the table."""
        table = self.acts_by.matrix
        return mean(losses, within=(float(table.min()), float(table.max())))

    def read(self, belief: Belief, truth: NDArray[Any]) -> ClassAnswers:
        """The probabilities in the order of ``states``; a class the model never met has probability 0."""
        assert isinstance(belief, Categorical)  # noqa: S101 (a classifier's predictive is one by contract)
        met = {state: column for column, state in enumerate(belief.states)}
        logs = np.full((len(truth), len(self.states)), -np.inf)
        for column, state in enumerate(self.states):
            if state in met:
                logs[:, column] = belief.log_probs[:, met[state]]
        codes = {state: column for column, state in enumerate(self.states)}
        return ClassAnswers(logs, np.array([codes[y] for y in truth.tolist()], dtype=np.intp), self)


@dataclass(frozen=True, slots=True, eq=False)
class NumberAnswers:
    """What was measured, the mean and 90 % interval predicted for it, the log density it was given, and the CRPS."""

    truth: Floats
    mean: Floats
    low: Floats
    high: Floats
    log_density: Floats
    crps: Floats

    @property
    def criterion(self) -> Floats:
        """The log density given to what was measured."""
        return self.log_density

    def scores(self, seed: Any) -> tuple[Score, ...]:
        """RMSE, mean absolute error, R², mean log density, CRPS and the coverage of the 90 % interval."""
        truth, guess = self.truth, self.mean
        inside = int(((self.low <= truth) & (truth <= self.high)).sum())
        n, square = len(truth), (truth - guess) ** 2

        def explained(rows: NDArray[np.intp]) -> Floats:
            spread = truth[rows].var(axis=-1)
            none = np.full(spread.shape, np.nan)  # where all rows are alike
            return np.asarray(1 - np.divide(square[rows].mean(axis=-1), spread, out=none, where=spread > 0))

        return (
            Score("RMSE", _resampled(lambda rows: np.sqrt(square[rows].mean(axis=-1)), n, seed), "lower"),
            Score("mean absolute error", mean(np.abs(truth - guess), within=(0.0, math.inf)), "lower"),
            Score("R²", _resampled(explained, n, seed), "higher"),
            Score("mean log density", mean(self.log_density), "higher"),
            Score("CRPS", mean(self.crps, within=(0.0, math.inf)), "lower"),
            Score("coverage of the 90 % interval", wilson(inside, n), "near"),
        )


@dataclass(frozen=True, slots=True)
class NumberTask:
    """A number to be predicted."""

    def read(self, belief: Belief, truth: NDArray[Any]) -> NumberAnswers:
        """Means, intervals, log densities and ranked probability scores of a batch of laws."""
        low, high = belief.interval(COVERAGE)
        ranked = crps(belief, truth, rng=0)  # drawn only for laws that have no formula
        held = (truth, belief.mean, low, high, belief.log_prob(truth), ranked)
        return NumberAnswers(*(np.asarray(part, dtype=np.float64) for part in held))


Answers = ClassAnswers | NumberAnswers


def join(parts: Sequence[Answers]) -> Answers:
    """The answers of several folds as one."""
    first: Any = parts[0]
    held = {field.name: [getattr(part, field.name) for part in parts] for field in dataclasses.fields(first)}
    arrays = {name: np.concatenate(values) for name, values in held.items() if isinstance(values[0], np.ndarray)}
    joined: Answers = dataclasses.replace(first, **arrays)
    return joined


def _resampled(statistic: Callable[[NDArray[np.intp]], Floats], rows: int, seed: Any) -> Interval:
    return bootstrap(statistic, rows, rng=seed, draws=1000 if rows <= MANY_ROWS else 200, batched=True)
