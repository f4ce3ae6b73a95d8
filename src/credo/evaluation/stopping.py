"""Early stopping: going on as long as rows that do not teach say that it helps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import NumericalFailure, Outcome

__all__ = ["Stopped", "stop_early"]

State = TypeVar("State")


@dataclass(frozen=True, slots=True, eq=False)
class Stopped(Generic[State]):
    """The best state, the number of the step it came from (the first is 0), and the score of every step.

    ``outcome`` is ``CONVERGED`` if no step within the patience was better.

    >>> stop_early([3.0, 1.0, 2.0], lambda x: -x).best
    1.0
    """

    best: State
    step: int
    scores: Floats
    outcome: Outcome


def stop_early(
    states: Iterable[State], score: Callable[[State], float], *, patience: int = 10, steps: int = 100_000
) -> Stopped[State]:
    """The state of the highest score, looked for until ``patience`` steps in a row were no better, or for ``steps``.

    ``states`` are what learning step by step goes through, each a value of its own; ``score`` judges one by rows set
    aside within the training rows. Learning ends, too, with a score that is no number; Ctrl-C keeps the best so far.

    >>> from credo.evaluation import set_aside
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 30))
    >>> y = X[:, 0] + rng.normal(size=60)
    >>> train, test = set_aside(60, 0.3, rng=0)
    >>> def downhill():
    ...     weights = np.zeros(30)
    ...     while True:
    ...         weights = weights - 0.1 * X[train].T @ (X[train] @ weights - y[train]) / len(train)
    ...         yield weights
    >>> found = stop_early(downhill(), lambda weights: -np.mean((X[test] @ weights - y[test]) ** 2))
    >>> found.step, len(found.scores), found.outcome.good
    (5, 16, True)
    """
    patience = checks.count("patience", patience, least=1)
    steps = checks.count("steps", steps, least=1)
    scores: list[float] = []
    best: list[State] = []
    at, outcome = -1, Outcome.OUT_OF_STEPS
    try:
        for step, state in enumerate(states):
            scores.append(float(score(state)))
            if math.isnan(scores[-1]):
                outcome = Outcome.NOT_FINITE
                break
            if not best or scores[-1] > scores[at]:
                best, at = [state], step
            elif step - at >= patience:
                outcome = Outcome.CONVERGED
                break
            if step + 1 >= steps:
                break
    except KeyboardInterrupt:
        if not best:
            raise
        outcome = Outcome.INTERRUPTED
    if not best:
        raise NumericalFailure("no state could be judged: there was none, or the score of the first is no number")
    return Stopped(best[0], at, np.array(scores), outcome)
