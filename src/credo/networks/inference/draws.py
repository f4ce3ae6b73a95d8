"""Rows drawn from the joint given any evidence: from the root of a junction tree downwards, each clique given its
separator.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from credo.errors import ImpossibleEvidence, NumericalFailure
from credo.networks.evidence import Evidence
from credo.networks.inference.answers import settled
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import Question, System

__all__ = ["draw"]

CELLS = 2**21  # of uniform numbers that are drawn at a time


def draw(
    system: System, n: int, rng: np.random.Generator, evidence: Evidence, limits: Limits
) -> dict[str, NDArray[np.int32]]:
    """The codes of ``n`` independent rows of P(all variables | evidence), exactly."""
    evidence = settled(system, evidence, limits)
    ready = system.ready(Question.about(evidence, None), limits)
    codes = np.empty((n, len(system.names)), dtype=np.int32)
    cliques = len(ready.engine.parents)
    found = ready.codes(evidence)
    step = max(CELLS // max(cliques, 1), 1)
    for start in range(0, n, step):
        uniform = rng.random((min(step, n - start), cliques))
        rows, log_total, sure = ready.engine.draw(*found, uniform)
        if not sure:
            raise NumericalFailure("the findings are too improbable to draw rows given them; posteriors can be asked")
        if log_total == -math.inf:
            raise ImpossibleEvidence(conflict(system, evidence, limits))
        codes[start : start + len(rows)] = rows
    for name, code in evidence.hard.items():
        codes[:, system.place[name]] = code
    return {name: np.ascontiguousarray(codes[:, system.place[name]]) for name in system.public}
