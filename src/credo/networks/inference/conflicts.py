"""Which findings contradict each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection

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
    try:
        names = _smallest(system, evidence, limits)
    except TooLarge:
        return "the findings have probability zero together"
    if not names:
        return "the model gives probability zero to everything"
    said = ", ".join(f"{name}={_shown(system, name, evidence)}" for name in names)
    if len(names) == 1:
        return f"the finding {said} has probability zero"
    return f"the findings {said} have probability zero together, and none of them can be left out"


def _smallest(system: System, evidence: Evidence, limits: Limits) -> tuple[str, ...]:
    # One engine in which every finding is a likelihood, so that any of them can be left out.
    names = (*evidence.hard, *evidence.likelihoods)
    ready = system.ready(Question((), names, ()), limits)

    def possible(some: Collection[str]) -> bool:
        _, log_total, sure = ready.engine.answer(*ready.codes(evidence.only(some)))
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
        if not possible(rest):
            kept = rest
    return tuple(kept)


def _shown(system: System, name: str, evidence: Evidence) -> str:
    states = system.variables[name]
    if name in evidence.hard:
        return str(states[evidence.hard[name]])
    weights = evidence.likelihoods[name]
    possible = [str(state) for state, weight in zip(states, weights, strict=True) if weight > 0]
    return "{" + ", ".join(possible) + "}"
