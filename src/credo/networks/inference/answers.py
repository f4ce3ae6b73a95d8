"""Answers to questions about a network: single ones by an engine, and by logarithms where floating point gives out."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.errors import ImpossibleEvidence, NotConverged
from credo.networks.evidence import Evidence
from credo.networks.factors.semiring import LOG_SUM
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.elimination import eliminate, most_probable
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import Question, Ready, System

__all__ = ["answer", "best_states", "by_logarithms", "log_evidence", "settled"]

MOST_ROUNDS = 1000
TOLERANCE = 1e-10

Sets = tuple[tuple[str, ...], ...]


def answer(
    system: System, question: Question, evidence: Evidence, limits: Limits, *, effort: float = 1.0
) -> tuple[Ready, Floats, float]:
    """The engine used, its answers one after another, and log P(findings)."""
    ready, cells, log_total = _answered(system, question, evidence, limits, effort)
    if log_total == -math.inf:
        raise ImpossibleEvidence(conflict(system, evidence, limits))
    return ready, cells, log_total


def log_evidence(system: System, evidence: Evidence, limits: Limits) -> float:
    """Log of P(findings), or of the sum of everything where the tables are no probabilities; -inf if impossible."""
    return _answered(system, Question.about(evidence, ()), evidence, limits, 1.0)[2]


def _answered(
    system: System, question: Question, evidence: Evidence, limits: Limits, effort: float
) -> tuple[Ready, Floats, float]:
    ready = system.ready(question, limits, effort=effort)
    codes = ready.codes(evidence)
    cells, log_total, sure = ready.run(lambda: ready.engine.answer(*codes))
    if not sure:
        cells, log_total = by_logarithms(system, ready, evidence)
    return ready, cells, log_total + evidence.log_scale + system.log_constant


def best_states(
    system: System, names: Sequence[str], evidence: Evidence, limits: Limits
) -> tuple[dict[str, Hashable], float]:
    """The most probable states of ``names`` together, and log P(them, findings)."""
    if not names:  # (an engine that maximises nothing does not explain)
        return {}, answer(system, Question.about(evidence, ()), evidence, limits)[2]
    ready = system.ready(Question.about(evidence, ())._replace(maximise=tuple(names)), limits)
    found = ready.codes(evidence)
    codes, log_best, sure = ready.run(lambda: ready.engine.explain(*found))
    if sure and log_best > -math.inf:
        states = {name: system.variables[name][codes[system.place[name]]] for name in names}
    elif sure:
        raise ImpossibleEvidence(conflict(system, evidence, limits))
    else:
        best = most_probable(system.factors(ready.question, evidence), names)
        states, log_best = dict(best.states), best.log_value
    return states, log_best + evidence.log_scale + system.log_constant


def settled(system: System, evidence: Evidence, limits: Limits) -> Evidence:
    """Evidence in which beliefs that are to hold have become likelihoods that make them hold.

    Jeffrey's rule for one belief; for several, iterative proportional fitting: each belief is imposed in turn until all
    hold at once, which gives the joint nearest to what was believed before (in KL distance).
    """
    if not evidence.beliefs:
        return evidence
    targets = evidence.beliefs
    factors = {
        name: evidence.likelihoods.get(name, np.ones(len(target))) * (target > 0) for name, target in targets.items()
    }
    wanted = tuple((name,) for name in targets)
    for rounds in range(MOST_ROUNDS):
        worst = 0.0
        for name, target in targets.items():
            now = Evidence(evidence.hard, {**evidence.likelihoods, **factors}, {})
            ready, cells, _ = answer(system, Question.about(now, wanted), now, limits)
            start = ready.offsets[wanted.index((name,))]
            held = cells[start : start + len(target)]
            impossible = (target > 0) & (held == 0)
            if impossible.any():
                raise ImpossibleEvidence(_why_not(system, evidence, limits, name, int(impossible.argmax()), rounds))
            worst = max(worst, float(np.abs(held - target).max()))
            ratio = np.divide(target, held, out=np.zeros_like(target), where=held > 0)
            factors[name] = factors[name] * ratio
            factors[name] = factors[name] / factors[name].max()
        if worst < TOLERANCE:
            return Evidence(evidence.hard, {**evidence.likelihoods, **factors}, {}, evidence.log_scale)
    raise NotConverged(
        f"the beliefs about {', '.join(targets)} could not all be made to hold: after {MOST_ROUNDS:,} rounds one is "
        f"still {worst:.2g} off. They may contradict each other"
    )


def _why_not(system: System, evidence: Evidence, limits: Limits, name: str, code: int, rounds: int) -> str:
    """Why a belief cannot hold: its state is ruled out by other findings, or what is left for it has gone to zero."""
    others = [other for other in evidence.beliefs if other != name]
    # What the other beliefs say for certain is a finding like any other.
    ruled = {other: (evidence.beliefs[other] > 0).astype(float) for other in others}
    likelihoods = {**evidence.likelihoods, **{other: each for other, each in ruled.items() if not each.all()}}
    alone = Evidence({**evidence.hard, name: code}, {key: each for key, each in likelihoods.items() if key != name})
    if rounds and log_evidence(system, alone, limits) > -math.inf:
        return f"the beliefs about {name}, {', '.join(others)} contradict each other: they cannot hold together"
    state = system.variables[name][code]
    return f"{name!r} is to be {state!r} with some probability, but cannot be: {conflict(system, alone, limits)}"


def by_logarithms(system: System, ready: Ready, evidence: Evidence) -> tuple[NDArray[np.float64], float]:
    """The same answers by eliminating in logarithms, once for each: slow, but nothing is too small for it."""
    factors = system.factors(ready.question, evidence)
    cells = np.empty(ready.offsets[-1])
    total = eliminate(factors, [], semiring=LOG_SUM).log_total
    if total > -math.inf:
        axes = [[system.names[v] for v in axes] for axes in ready.engine.answer_axes()]
        for names, start, stop in zip(axes, ready.offsets[:-1], ready.offsets[1:], strict=True):
            left = eliminate(factors, names, semiring=LOG_SUM).factor
            turned = left.array.transpose([left.names.index(name) for name in names]).ravel()
            cells[start:stop] = turned / turned.sum()
    return cells, total
