"""A question that is planned once and asked of many findings."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import ImpossibleEvidence, InvalidInput, TooLarge
from credo.networks.evidence import Evidence, Given, as_evidence
from credo.networks.inference.answers import answer, by_logarithms, settled
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.limits import Limits
from credo.networks.inference.methods import alone, laid_out
from credo.networks.inference.plan import Plan
from credo.networks.inference.posteriors import Posteriors
from credo.networks.inference.system import Question, Ready, System
from credo.networks.rows import found_codes

__all__ = ["Compiled"]

FEWER_ROWS = "Ask for fewer rows at a time, or compile(..., names=[...]) for fewer variables"
EFFORT = 4.0  # what is planned once may be planned better


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Compiled:
    """A network made ready for findings about the variables ``given``; what ``net.compile`` returns."""

    system: System
    given: tuple[str, ...]
    wanted: tuple[str, ...] | None
    limits: Limits

    @property
    def plan(self) -> Plan:
        """What an answer costs."""
        return self.system.plan(self._whole)

    @property
    def _whole(self) -> Question:
        """The question where a state is found of every variable ``given``."""
        return Question(self.given, (), alone(self.wanted))

    def prepare(self) -> None:
        """Plan for rows without gaps; what would be over the limits is refused."""
        self.system.ready(self._whole, self.limits, effort=EFFORT)

    def posteriors(self, findings: Any, *, impossible: str = "raise") -> Posteriors:
        """The belief about every other variable: for one row of findings, or for each of many.

        One row is a mapping from names to findings of any kind. Many are a table, a data frame, a mapping of columns or
        a list of mappings; a cell that is missing says nothing. A row of probability zero is refused, unless
        ``impossible="missing"``, which answers it with NaN and a log evidence of minus infinity.
        """
        checks.choice("impossible", impossible, ("raise", "missing"))
        if isinstance(findings, Mapping) and not any(map(_is_column, findings.values())):
            return self._single(findings)
        codes = found_codes({name: self.system.variables[name] for name in self.given}, findings)
        ready, cells, log_evidence = self._rows(codes)
        refused = np.flatnonzero(np.isneginf(log_evidence))
        if impossible == "raise" and len(refused):
            raise ImpossibleEvidence(
                f"row {refused[0] + 1}: {conflict(self.system, self._row(codes[refused[0]]), self.limits)}; such rows: "
                f'{len(refused):,} of {len(codes):,}. With impossible="missing" they are answered with NaN'
            )
        return laid_out(self.system, ready, cells, log_evidence + self.system.log_constant)

    def _single(self, findings: Given) -> Posteriors:
        evidence = as_evidence(self.system.variables, findings)
        for name in evidence.names:
            if name not in self.given:
                raise InvalidInput(f"compiled for findings about {checks.shown(list(self.given))}, not {name!r}")
        evidence = settled(self.system, evidence, self.limits)
        question = self._whole if len(evidence.hard) == len(self.given) else self._open(evidence)
        found = answer(self.system, question, evidence, self.limits, effort=EFFORT)
        return laid_out(self.system, *found, without=evidence.hard)

    def _open(self, evidence: Evidence) -> Question:
        """The question for findings about some of what was ``given``, or of other kinds.

        In one engine they all come in as likelihoods, so that a finding more or less is sent only where it matters; if
        that would be too large, an engine is made for these findings alone.
        """
        question = Question((), self.given, alone(self.wanted))
        try:
            self.system.ready(question, self.limits, effort=EFFORT)
        except TooLarge:
            return Question.about(evidence, alone(self.wanted))
        return question

    def _rows(self, codes: NDArray[np.int32]) -> tuple[Ready, Floats, Floats]:
        """The answers to rows of codes, a column for each name given; where a column has gaps (-1), as likelihoods."""
        gaps = np.asarray((codes < 0).any(axis=0))
        hard = tuple(name for name, gap in zip(self.given, gaps, strict=True) if not gap)
        soft = tuple(name for name in self.given if name not in hard)
        names = [name for name in self.system.public if name not in self.given] if self.wanted is None else self.wanted
        question = Question(hard, soft, alone(names) if soft or self.wanted else None)
        ready = self.system.ready(question, self.limits, effort=EFFORT)
        wide = 2 * ready.offsets[-1] + sum(len(self.system.variables[name]) for name in soft)
        self.limits.check(ready.bytes + 8.0 * wide * len(codes), len(codes) * ready.seconds, FEWER_ROWS)
        likelihoods: list[Floats | None] = []
        for name, column in zip(soft, codes.T[gaps], strict=True):
            states = len(self.system.variables[name])
            rows = np.vstack([np.eye(states), np.ones(states)])  # the last, at -1, says nothing
            likelihoods.append(rows[column])
        known = np.ascontiguousarray(codes[:, ~gaps])
        cells, log_evidence, sure = ready.run(
            lambda: ready.engine.answer_rows(known, likelihoods), times=max(len(codes), 1)
        )
        for row in np.flatnonzero(sure == 0).tolist():
            cells[row, : ready.offsets[-1]], log_evidence[row] = by_logarithms(
                self.system, ready, self._row(codes[row])
            )
        return ready, cells, log_evidence

    def _row(self, codes: NDArray[np.int32]) -> Evidence:
        return Evidence({name: code for name, code in zip(self.given, codes.tolist(), strict=True) if code >= 0})

    def __repr__(self) -> str:
        return f"Compiled for findings about {checks.shown(list(self.given))}: {self.plan!r}"


def _is_column(finding: Any) -> bool:
    """Whether it has a finding for each row, and is not itself a state, a set of states or a mapping from them."""
    if isinstance(finding, (str, Mapping, AbstractSet)):
        return False
    if isinstance(finding, (list, tuple, np.ndarray)):
        return True
    try:
        hash(finding)
    except TypeError:  # a column of a data frame
        return True
    return False
