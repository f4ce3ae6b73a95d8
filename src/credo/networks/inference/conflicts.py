"""Which findings contradict each other."""

from __future__ import annotations

import itertools
import math

import numpy as np

from credo.checks import Floats
from credo.errors import TooLarge
from credo.networks.evidence import Evidence
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import Question, System

__all__ = ["conflict"]

MOST_PAIRS = 2_000  # of findings that are tried for a contradiction before larger sets are


def conflict(system: System, evidence: Evidence, limits: Limits) -> str:
    """Says which findings have probability zero together: a single one or a pair if there is one, else a set from which
    none can be left out.
    """
    found: dict[str, int | Floats] = {**evidence.hard, **evidence.likelihoods}
    try:
        names = _smallest(system, found, limits)
    except TooLarge:
        return "the findings have probability zero together"
    if not names:
        return "the model gives probability zero to everything"
    said = ", ".join(f"{name}={_shown(system, name, found[name])}" for name in names)
    if len(names) == 1:
        return f"the finding {said} has probability zero"
    return f"the findings {said} have probability zero together, and none of them can be left out"


def _smallest(system: System, found: dict[str, int | Floats], limits: Limits) -> tuple[str, ...]:
    # One engine in which every finding is a likelihood, so that any of them can be left out.
    names = tuple(found)
    ready = system.ready(Question((), names, ()), limits)
    nothing = np.empty(0, dtype=np.int32)

    def possible(some: tuple[str, ...]) -> bool:
        likelihoods = [_likelihood(system, name, found[name]) if name in some else None for name in names]
        _, log_total, sure = ready.engine.answer(nothing, likelihoods)
        return not sure or log_total > -math.inf

    if not possible(()):
        return ()
    for name in names:
        if not possible((name,)):
            return (name,)
    for pair in itertools.islice(itertools.combinations(names, 2), MOST_PAIRS):
        if not possible(pair):
            return pair
    kept = list(names)
    for name in names:  # what is still impossible without a finding does not need it
        rest = [other for other in kept if other != name]
        if not possible(tuple(rest)):
            kept = rest
    return tuple(kept)


def _likelihood(system: System, name: str, finding: int | Floats) -> Floats:
    return np.eye(len(system.variables[name]))[finding] if isinstance(finding, int) else finding


def _shown(system: System, name: str, finding: int | Floats) -> str:
    states = system.variables[name]
    if isinstance(finding, int):
        return str(states[finding])
    possible = [str(state) for state, weight in zip(states, finding, strict=True) if weight > 0]
    return "{" + ", ".join(possible) + "}"
