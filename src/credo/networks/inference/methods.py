"""Ways to the beliefs about single variables, and which of them costs least."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from credo.checks import Floats
from credo.errors import ImpossibleEvidence, TooLarge
from credo.networks.evidence import Evidence
from credo.networks.factors.contraction import marginal, product
from credo.networks.factors.factor import Factor
from credo.networks.factors.semiring import LOG_SUM
from credo.networks.inference.answers import answer, settled
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.limits import Limits
from credo.networks.inference.posteriors import Posteriors
from credo.networks.inference.system import Question, Ready, System
from credo.numerics import log_sum_exp

__all__ = ["METHODS", "alone", "laid_out", "posteriors"]

METHODS = ("auto", "junction tree", "elimination", "enumeration")

Sets = tuple[tuple[str, ...], ...]


def posteriors(
    system: System, wanted: tuple[str, ...] | None, evidence: Evidence, limits: Limits, method: str
) -> Posteriors:
    """The belief about each of ``wanted`` (or every variable whose state was not found), given the evidence.

    A junction tree answers about all variables in two passes, and is kept for the next question. Elimination looks only
    at what matters for one variable, in one pass, but again for each. "auto" takes a tree that is kept if that is
    predicted to be faster than to plan anew, and eliminates one variable at a time where a tree of all is too large.
    """
    evidence = settled(system, evidence, limits)
    names = wanted if wanted is not None else tuple(name for name in system.public if name not in evidence.hard)
    if method == "enumeration":
        return _enumerated(system, names, evidence, limits)
    if method == "elimination":
        return _one_by_one(system, names, evidence, limits)
    question, whole = (Question.about(evidence, each) for each in (alone(wanted), None))
    if method == "junction tree" or (system.keeps(whole) and system.cost(whole) <= system.cost(question)):
        question = whole
    try:
        found = answer(system, question, evidence, limits)
    except TooLarge:
        if method == "junction tree" or len(names) < 2:
            raise
        return _one_by_one(system, names, evidence, limits)
    return laid_out(system, *found, only=wanted)


def alone(names: Iterable[str] | None) -> Sets | None:
    """Each variable in a set by itself."""
    return None if names is None else tuple((name,) for name in names)


def laid_out(
    system: System,
    ready: Ready,
    cells: Floats,
    log_evidence: Any,
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> Posteriors:
    """What an engine answered as beliefs: ``only`` these, or all ``without`` some."""
    spans = ready.spans
    if only is not None:
        spans = {name: spans[name] for name in only}
    if any(name in spans for name in without):
        spans = {name: span for name, span in spans.items() if name not in without}
    return Posteriors.of(system.variables, log_evidence, cells, spans)


def _one_by_one(system: System, names: Iterable[str], evidence: Evidence, limits: Limits) -> Posteriors:
    tables, log_evidence = {}, 0.0
    each: list[Sets] = [((name,),) for name in names]
    for wanted in each or [()]:  # where there is no name, the evidence is still told
        ready, cells, log_evidence = answer(system, Question.about(evidence, wanted), evidence, limits)
        tables.update({name: cells[span] for name, span in ready.spans.items()})
    return _joined(system, tables, log_evidence)


def _enumerated(system: System, names: Iterable[str], evidence: Evidence, limits: Limits) -> Posteriors:
    """From the whole joint, written out: for small networks, and to test other methods against."""
    factors = system.factors(Question.about(evidence, None), evidence)
    ones = [Factor({name: system.variables[name]}, np.ones(len(system.variables[name]))) for name in names]
    joint = product([*factors, *ones], semiring=LOG_SUM)
    log_total = float(log_sum_exp(joint.values))
    if log_total == -np.inf:
        raise ImpossibleEvidence(conflict(system, evidence, limits))
    tables = {name: np.exp(marginal(joint, [name], semiring=LOG_SUM).values - log_total) for name in names}
    return _joined(system, tables, log_total + evidence.log_scale + system.log_constant)


def _joined(system: System, tables: dict[str, Floats], log_evidence: float) -> Posteriors:
    ends = np.cumsum([len(table) for table in tables.values()]).tolist()
    spans = {name: slice(end - len(tables[name]), end) for name, end in zip(tables, ends, strict=True)}
    return Posteriors.of(system.variables, log_evidence, np.concatenate([*tables.values(), np.empty(0)]), spans)
