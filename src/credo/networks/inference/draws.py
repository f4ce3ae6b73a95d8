"""Rows drawn from the joint given any evidence: from the root of a junction tree downwards, each clique given its
separator.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from credo import native
from credo.errors import ImpossibleEvidence, NumericalFailure
from credo.networks.evidence import Evidence
from credo.networks.inference.answers import settled
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.limits import ENTRY_SECONDS, Limits
from credo.networks.inference.system import Question, Ready, System

__all__ = ["draw"]

CELLS = 2**21  # of uniform numbers that are drawn at a time
REMEDY = "Give more findings, or ask posteriors, which write no clique out"

Drawn = dict[str, NDArray[np.int32]]


def draw(system: System, n: int, rng: np.random.Generator, evidence: Evidence, limits: Limits) -> Drawn:
    """The codes of ``n`` independent rows of P(all variables | evidence), exactly."""
    evidence = settled(system, evidence, limits)
    codes = _drawn(system, n, rng, evidence, limits)
    if codes is None:  # the findings are too improbable for products of the numbers as they are
        codes = _drawn(_scaled(system, evidence, limits), n, rng, Evidence(), limits)
    if codes is None:
        raise NumericalFailure("the findings are too improbable to draw rows given them; posteriors can be asked")
    certain = {name: np.full(n, code, dtype=np.int32) for name, code in evidence.hard.items()}
    return {name: certain[name] if name in certain else codes[name] for name in system.public}


def _drawn(system: System, n: int, rng: np.random.Generator, evidence: Evidence, limits: Limits) -> Drawn | None:
    """Rows of all variables that are open; None where floating point gives out."""
    ready = system.ready(Question.about(evidence, None), limits)
    a_row = _refuse_large(system, ready, n, limits)
    codes = np.empty((n, len(system.names)), dtype=np.int32)
    found, cliques = ready.codes(evidence), len(ready.engine.parents)
    step = max(CELLS // max(cliques, 1), 1)
    for start in range(0, n, step):
        uniform = rng.random((min(step, n - start), cliques))
        times = 1 + len(uniform) * a_row / max(ready.seconds, 1e-9)
        rows, log_total, sure = ready.run(partial(ready.engine.draw, *found, uniform), times=times)
        if not sure:
            return None
        if log_total == -math.inf:
            raise ImpossibleEvidence(conflict(system, evidence, limits))
        codes[start : start + len(rows)] = rows
    return {name: np.ascontiguousarray(codes[:, place]) for name, place in system.place.items()}


def _scaled(system: System, evidence: Evidence, limits: Limits) -> System:
    """The tables restricted to the evidence, each divided by its greatest cell: the same law in larger numbers."""
    factors = system.factors(Question.about(evidence, None), evidence)
    if any(not factor.values.any() for factor in factors):
        raise ImpossibleEvidence(conflict(system, evidence, limits))
    open_variables = {name: states for name, states in system.variables.items() if name not in evidence.hard}
    alone = [({name: states}, np.ones(len(states))) for name, states in open_variables.items()]
    tables = [(factor.variables, factor.values) for factor in factors]
    return System(open_variables, [[table] for table in (*tables, *alone)], None)


def _refuse_large(system: System, ready: Ready, n: int, limits: Limits) -> float:
    """Seconds for a row: of each clique, what its separator leaves open is written out, for every row anew."""
    cliques = ready.engine.cliques
    left = []
    for clique, parent in zip(cliques, ready.engine.parents, strict=True):
        shared = set(cliques[parent]) if parent >= 0 else ()
        left.append(math.prod(float(system.sizes[v]) for v in clique if v not in shared))
    a_row = (
        2 * ENTRY_SECONDS * sum(cells for cells, parent in zip(left, ready.engine.parents, strict=True) if parent >= 0)
    )
    widest = max(left, default=0.0)
    limits.check(ready.bytes + 16.0 * native.threads() * widest, ready.seconds + n * a_row, REMEDY)
    return a_row
