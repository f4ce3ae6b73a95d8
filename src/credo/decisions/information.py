"""What knowing more would be worth before acting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo.beliefs import Categorical
from credo.beliefs.layout import html_table
from credo.checks import Floats, floats, probabilities, shown
from credo.decisions.labels import Labels, align, named_matrix, nested, table_lines, text_table
from credo.decisions.loss import Loss
from credo.decisions.rule import conditional_risk, matched
from credo.errors import InvalidInput

__all__ = ["Experiment", "value_of_perfect_information", "value_of_sample_information"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Experiment:
    """P(outcome | state): what could be observed, and how probable each outcome is in each state.

    >>> Experiment([[0.98, 0.03], [0.02, 0.97]], outcomes=["+", "-"], states=["cancer", "none"])
    Experiment  cancer  none
    +             0.98  0.03
    -             0.02  0.97
    """

    matrix: Floats
    outcomes: Labels
    states: Labels

    def __init__(self, matrix: ArrayLike, *, outcomes: Iterable[Hashable], states: Iterable[Hashable]) -> None:
        chances = probabilities("the probabilities of the outcomes in each state", matrix, axis=0)
        held = named_matrix("the experiment", chances, ("outcomes", outcomes), ("states", states))
        for name, value in zip(("matrix", "outcomes", "states"), held, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_mapping(cls, likelihoods: Mapping[Any, Mapping[Any, float]]) -> Experiment:
        """An experiment written as ``{outcome: {state: probability}}``.

        >>> Experiment.from_mapping({"+": {"ill": 0.9, "well": 0.2}, "-": {"ill": 0.1, "well": 0.8}}).outcomes
        ('+', '-')
        """
        matrix, outcomes, states = nested("the experiment", likelihoods)
        return cls(matrix, outcomes=outcomes, states=states)

    def __repr__(self) -> str:
        return text_table("Experiment", self.outcomes, self.states, self.matrix)

    def _repr_html_(self) -> str:
        return html_table(table_lines("Experiment", self.outcomes, self.states, self.matrix))


def value_of_perfect_information(belief: Categorical, loss: Loss) -> Floats:
    """How much the expected loss would fall if the state were known before acting: R* − Σ P(s) minₐ λ(a, s).

    Nothing that could be observed is worth more. One number, or one for each row of a batch.

    >>> loss = Loss([[0, 9], [1, 1]], actions=["wait", "treat"], states=["well", "ill"])
    >>> float(value_of_perfect_information(Categorical({"well": 0.8, "ill": 0.2}), loss))
    0.8
    """
    matrix, probs = matched(belief, loss)
    return _gain(conditional_risk(belief, loss).min(axis=-1), probs @ matrix.min(axis=0))


def value_of_sample_information(
    belief: Categorical, loss: Loss, experiment: Experiment, *, cost: float = 0.0
) -> Floats:
    """How much the expected loss would fall if the outcome of the experiment were known before acting, less its cost.

    R* − Σ_o minₐ Σ_s λ(a, s) P(o|s) P(s) − cost. With a cost this is the expected net gain: observe if it is positive.

    >>> loss = Loss([[0, 9], [1, 1]], actions=["wait", "treat"], states=["well", "ill"])
    >>> test = Experiment([[0.9, 0.2], [0.1, 0.8]], outcomes=["+", "-"], states=["ill", "well"])
    >>> float(value_of_sample_information(Categorical({"well": 0.8, "ill": 0.2}), loss, test, cost=0.1).round(3))
    0.38
    """
    matrix, probs = matched(belief, loss)
    if not isinstance(experiment, Experiment):
        raise InvalidInput(f"experiment must be an Experiment; got {shown(experiment)}. Try Experiment.from_mapping")
    likelihood = experiment.matrix[:, align("the experiment", experiment.states, belief.states)]
    after = np.zeros(belief.batch_shape)
    for outcome in likelihood:  # one at a time, so that a large batch is never multiplied by their number
        after += ((matrix * outcome) @ probs.T).min(axis=0)
    return _gain(conditional_risk(belief, loss).min(axis=-1), after) - floats("cost", cost, ndim=0)


def _gain(before: Floats, after: Floats) -> Floats:
    """A fall in expected loss; knowing more never hurts, so what is below zero is a rounding error."""
    return np.maximum(before - after, 0.0)
