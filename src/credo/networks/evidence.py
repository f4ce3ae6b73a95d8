"""What was found out about variables: a state, a set of states, a likelihood, or a belief to end up with."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.categorical import Categorical
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import BadParameter, ImpossibleEvidence, InvalidInput

__all__ = ["Evidence", "Given", "as_evidence"]

#: From the name of a variable to its state; to a set of states of which one is the case; to a mapping from states to
#: the likelihood of what was seen; or to a Categorical, the belief about it that is to hold afterwards.
Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Findings, checked: codes of states, likelihoods whose greatest is one, and beliefs that are to hold.

    ``log_scale`` is the log of what the likelihoods were divided by.

    >>> variables = {"rain": ("yes", "no"), "sky": ("blue", "grey", "black")}
    >>> found = as_evidence(variables, {"rain": "no", "sky": {"grey", "black"}})
    >>> found.hard, found.likelihoods
    ({'rain': 1}, {'sky': array([0., 1., 1.])})
    """

    hard: Mapping[str, int] = field(default_factory=dict)
    likelihoods: Mapping[str, Floats] = field(default_factory=dict)
    beliefs: Mapping[str, Floats] = field(default_factory=dict)
    log_scale: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """Every variable something was found about."""
        return (*self.hard, *self.likelihoods, *self.beliefs)

    def likelihood(self, name: str, states: int) -> Floats | None:
        """What was found about a variable with so many states, as a likelihood; None if nothing was."""
        if name in self.hard:
            certain: Floats = np.eye(states)[self.hard[name]]
            return certain
        return self.likelihoods.get(name)

    def only(self, names: Collection[str]) -> Evidence:
        """The evidence about ``names`` alone."""
        return Evidence(
            {name: code for name, code in self.hard.items() if name in names},
            {name: weights for name, weights in self.likelihoods.items() if name in names},
            {name: belief for name, belief in self.beliefs.items() if name in names},
            self.log_scale,
        )


def as_evidence(variables: Mapping[str, States], given: Given | None) -> Evidence:
    """``given``, checked against the variables and their states."""
    if given is None:
        return Evidence()
    if not isinstance(given, Mapping):
        raise InvalidInput(f"given must map names to findings, {{'A': 'yes'}}; got {checks.shown(given)}")
    hard: dict[str, int] = {}
    likelihoods: dict[str, Floats] = {}
    beliefs: dict[str, Floats] = {}
    log_scale = 0.0
    for name, finding in given.items():
        states = variables[checks.known("variable", name, variables)]
        if isinstance(finding, Categorical):
            beliefs[name] = _belief(name, states, finding)
            continue
        if isinstance(finding, (Mapping, set, frozenset)):
            weights = _likelihood(name, states, finding)
        else:
            hard[name] = _code(name, states, finding)
            continue
        greatest = float(weights.max())
        log_scale += math.log(greatest)
        # (That which leaves a single state is a likelihood like any other: the variable can still be asked about.)
        if (weights != greatest).any():
            likelihoods[name] = weights / greatest
    return Evidence(hard, likelihoods, beliefs, log_scale)


def _code(name: str, states: States, state: Hashable) -> int:
    try:
        return states.index(state)
    except ValueError:
        checks.known(f"state of {name!r}", state, states)
        raise


def _likelihood(name: str, states: States, finding: Mapping[Any, float] | AbstractSet[Any]) -> Floats:
    weights = np.zeros(len(states))
    if not finding:
        raise InvalidInput(f"the finding about {name!r} is empty; name at least one state")
    values = finding.items() if isinstance(finding, Mapping) else ((state, 1.0) for state in finding)
    for state, value in values:
        weights[_code(name, states, state)] = checks.positive(f"likelihood of {name!r}", value, zero=True, ndim=0)
    if isinstance(finding, Mapping) and len(finding) < len(states):
        missing = next(state for state in states if state not in finding)
        raise InvalidInput(f"the likelihood of {name!r} must name every state; {missing!r} is missing")
    if not weights.any():
        raise ImpossibleEvidence(f"the likelihood of {name!r} is zero for every state")
    return weights


def _belief(name: str, states: States, belief: Categorical) -> Floats:
    if belief.batch_shape:
        raise BadParameter(f"the belief about {name!r} must be a single one; got a batch of {len(belief)}")
    if set(belief.states) != set(states):
        raise InvalidInput(
            f"the belief about {name!r} must have the states {checks.shown(states)}; got {checks.shown(belief.states)}"
        )
    return np.array([belief[state] for state in states])
