"""Why a belief is what it is: how much each finding moved it, and which findings do not fit together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.categorical import Categorical
from credo.beliefs.layout import aligned
from credo.checks import Floats
from credo.errors import ImpossibleEvidence, InvalidInput, TooLarge
from credo.networks.evidence import Evidence, Given
from credo.networks.inference.answers import answer, by_logarithms, settled
from credo.networks.inference.conflicts import conflict
from credo.networks.inference.limits import Limits
from credo.networks.inference.sensitivity import Sensitivity, sensitivity
from credo.networks.inference.system import REMEDY, Question, Ready, System

__all__ = ["Clash", "Explanation", "Weight", "explain", "shown_finding"]

MOST_PAIRS = 2_000  # of findings that are compared,
PAIR_SECONDS = 5.0  # and how long that may take, predicted
FEWEST_PAIRS = 10  # that are compared, however long it takes
SHOWN, SHOWN_CLASHES = 20, 3
ROUNDING = 1e-12  # what is nearer to zero speaks neither for nor against

Subset = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weight:
    """What one finding says about a state, in nats; above zero it speaks for the state, below zero against it.

    ``weight`` is the log odds of the state given all findings, less the log odds without this one; ``weight_alone`` the
    log odds given this finding and no other, less those before. ``without`` and ``alone`` are the probabilities that go
    with them. ``conflict`` is log P(finding) P(others) / P(all): above zero, the others make it less to be expected.

    >>> Weight("HR", "HR=HIGH", weight=0.693, weight_alone=0.9, without=0.2, alone=0.3, conflict=-0.1).bits
    0.99...
    """

    name: str
    finding: str
    weight: float
    weight_alone: float
    without: float
    alone: float
    conflict: float

    @property
    def bits(self) -> float:
        """``weight`` in bits: one bit doubles the odds."""
        return self.weight / math.log(2)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two findings, and log P(one) P(other) / P(both): above zero, they are rarer together than if independent.

    >>> Clash(("A=yes", "B=no"), 0.7).findings
    ('A=yes', 'B=no')
    """

    findings: tuple[str, str]
    conflict: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanation:
    """How findings led from the ``prior`` about a variable to the ``posterior``; what ``net.explain`` returns.

    ``weights`` say what each finding did to the probability of ``state``, the one that moved it most first.
    ``conflict`` is log Π P(finding) / P(all findings), in nats: above zero, the findings do not fit together.
    ``clashes`` are the pairs that do not, the worst first. Neither counts a belief that is to hold, which has no
    probability.

    >>> from credo.networks import BayesianNetwork, Node
    >>> rain = Node.event("rain", 0.2)
    >>> wet, coat = Node.event("wet", [0.9, 0.1], given=[rain]), Node.event("coat", [0.8, 0.4], given=[rain])
    >>> BayesianNetwork([rain, wet, coat]).explain("rain", given={"wet": True, "coat": False}, state=True)
    P(rain=True) was 0.2 and is 0.4286 after 2 findings
    finding     speaks   nats   bits  without it  it alone
    wet=True    for      +2.2  +3.17     0.07692    0.6923
    coat=False  against  -1.1  -1.58      0.6923   0.07692
    conflict: +0.476 nats; the findings do not fit together well
      wet=True with coat=False: +0.476
    """

    name: str
    state: Hashable
    prior: Categorical
    posterior: Categorical
    weights: tuple[Weight, ...]
    conflict: float
    clashes: tuple[Clash, ...]
    sensitivity: Sensitivity | None

    @property
    def speaking_for(self) -> tuple[Weight, ...]:
        """The findings without which the state would be less probable."""
        return tuple(each for each in self.weights if each.weight > 0)

    @property
    def speaking_against(self) -> tuple[Weight, ...]:
        """The findings without which the state would be more probable."""
        return tuple(each for each in self.weights if each.weight < 0)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; of the sensitivities, the ten greatest."""
        found: dict[str, Any] = {
            "name": self.name,
            "state": self.state,
            "prior": self.prior.as_dict(),
            "posterior": self.posterior.as_dict(),
            "weights": [{**checks.plain_json(each), "bits": each.bits} for each in self.weights],
            "conflict": self.conflict,
            "clashes": checks.plain_json(self.clashes),
        }
        if self.sensitivity is not None:
            found["sensitivity"] = self.sensitivity.to_dict()
        plain: dict[str, Any] = checks.plain_json(found)
        return plain

    def __repr__(self) -> str:
        count = len(self.weights)
        lines = [
            f"P({self.name}={self.state}) was {self.prior[self.state]:.4g} and is {self.posterior[self.state]:.4g} "
            f"after {count} finding{'s' if count != 1 else ''}"
        ]
        if count:
            cells = [["finding", "speaks", "nats", "bits", "without it", "it alone"]]
            cells += [_line(each) for each in self.weights[:SHOWN]]
            lines.append(aligned(cells, right=[False, False, True, True, True, True]))
        if count > SHOWN:
            lines.append(f"… and {count - SHOWN:,} more")
        if count > 1:
            lines += self._fit()
        if self.sensitivity is not None:
            lines.append(repr(self.sensitivity))
        return "\n".join(lines)

    def _fit(self) -> list[str]:
        verdict = "do not fit together well" if self.conflict > ROUNDING else "fit together"
        shown = [f"  {' with '.join(each.findings)}: {each.conflict:+.3g}" for each in self.clashes[:SHOWN_CLASHES]]
        return [f"conflict: {self.conflict:+.3g} nats; the findings {verdict}", *shown]


def explain(
    system: System,
    name: str,
    evidence: Evidence,
    *,
    given: Given,
    state: Hashable | None,
    limits: Limits,
    sensitive: bool,
) -> Explanation:
    """How the findings moved the belief about ``name``; ``evidence`` is ``given``, checked."""
    if name in evidence.hard:
        raise InvalidInput(f"the state of {name!r} is given; ask for a variable whose state is not")
    states = system.variables[name]
    code = None if state is None else states.index(checks.known(f"state of {name!r}", state, states))
    asked = _Findings(system, name, evidence, tuple(given), limits)
    seen = tuple(each for each in asked.names if each not in evidence.beliefs)  # what has a probability
    parts = [(each,) for each in asked.names]
    rest = [tuple(n for n in held if n != each) for held in (asked.names, seen) for each in held]
    held = asked.answers([(), asked.names, seen, *parts, *rest])
    prior, posterior = held[()], held[asked.names]
    code = int(posterior.probs.argmax()) if code is None else code
    shown = {each: shown_finding(each, finding) for each, finding in given.items()}
    weights = [_weight(each, shown[each], code, held, asked.names, seen) for each in asked.names]
    odd = sorted((each for each in weights if each.name in seen), key=lambda each: -each.conflict)
    pairs = asked.pairs([each.name for each in odd])
    held |= asked.answers(pairs)
    clashes = [Clash((shown[a], shown[b]), _conflict(held, [(a,), (b,)], (a, b))) for a, b in pairs]
    log_evidence = posterior.log_evidence + evidence.log_scale + system.log_constant
    return Explanation(
        name,
        states[code],
        Categorical(prior.probs, states),
        Categorical(posterior.probs, states, log_evidence=log_evidence),
        tuple(sorted(weights, key=lambda each: (-abs(each.weight), -abs(each.weight_alone)))),
        _conflict(held, [(each,) for each in seen], seen),
        tuple(sorted((each for each in clashes if each.conflict > 0), key=lambda each: -each.conflict)),
        sensitivity(system, name, code, evidence, limits) if sensitive else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    probs: Floats
    log_evidence: float


Held = Mapping[Subset, _Answer]


def _weight(name: str, finding: str, code: int, held: Held, everything: Subset, seen: Subset) -> Weight:
    others, rest = (tuple(n for n in subset if n != name) for subset in (everything, seen))
    prior, posterior, without, alone = (held[each].probs for each in ((), everything, others, (name,)))
    return Weight(
        name=name,
        finding=finding,
        weight=_difference(_log_odds(posterior, code), _log_odds(without, code)),
        weight_alone=_difference(_log_odds(alone, code), _log_odds(prior, code)),
        without=float(without[code]),
        alone=float(alone[code]),
        conflict=_conflict(held, [(name,), rest], seen) if name in seen else math.nan,
    )


def _conflict(held: Held, parts: Sequence[Subset], whole: Subset) -> float:
    """Log of the product of the probabilities of the parts over that of the whole."""
    nothing = held[()].log_evidence
    together = held[whole].log_evidence - nothing
    return _difference(sum(held[part].log_evidence - nothing for part in parts), together)


class _Findings:
    """Answers to the same question given some of the findings, any of them.

    One engine takes every finding as a likelihood, so that leaving one out is a row and no new plan. Where that engine
    would be too large, because findings cut the network apart, each choice of findings is a question of its own.
    """

    def __init__(self, system: System, name: str, evidence: Evidence, names: Subset, limits: Limits) -> None:
        self.system, self.name, self.evidence, self.names, self.limits = system, name, evidence, names, limits
        sizes = {each: len(system.variables[each]) for each in names}
        self.said: dict[str, Floats] = {each: np.ones(size) for each, size in sizes.items()}
        self.said |= {each: np.eye(sizes[each])[code] for each, code in evidence.hard.items()}
        self.said |= evidence.likelihoods
        self.together = True

    def answers(self, subsets: Iterable[Subset]) -> dict[Subset, _Answer]:
        """The belief given each subset of the findings, and the log probability of that subset."""
        wanted = list(dict.fromkeys(subsets))
        if self.together and wanted:
            try:
                return self._in_rows(wanted)
            except TooLarge:
                self.together = False
        return {subset: self._alone(subset) for subset in wanted}

    def pairs(self, names: Sequence[str]) -> list[Subset]:
        """As many pairs as are worth the time, those of the first names first."""
        seconds = self._ready().seconds if self.together else PAIR_SECONDS
        budget = min(MOST_PAIRS, max(FEWEST_PAIRS, int(PAIR_SECONDS / max(seconds, 1e-9))))
        later = ((a, b) for j, b in enumerate(names) for a in names[:j])
        return list(itertools.islice(later, budget))

    def _ready(self) -> Ready:
        return self.system.ready(Question((), self.names, ((self.name,),)), self.limits)

    def _in_rows(self, subsets: Sequence[Subset]) -> dict[Subset, _Answer]:
        ready = self._ready()
        self.limits.check(ready.bytes, len(subsets) * ready.seconds, REMEDY)
        rows = [self._as_likelihoods(subset) for subset in subsets]
        likelihoods = [np.stack([row.likelihoods[each] for row in rows]) for each in self.names]
        codes = np.empty((len(rows), 0), dtype=np.int32)
        cells, logs, sure = ready.run(lambda: ready.engine.answer_rows(codes, likelihoods), times=len(rows))
        probs = cells[:, : ready.offsets[-1]]
        for row in np.flatnonzero(sure == 0).tolist():
            probs[row], logs[row] = by_logarithms(self.system, ready, rows[row])
        if np.isneginf(logs).any():
            raise ImpossibleEvidence(conflict(self.system, self.evidence, self.limits))
        answers = map(_Answer, probs, logs.tolist())
        return dict(zip(subsets, answers, strict=True))

    def _as_likelihoods(self, subset: Subset) -> Evidence:
        """Some of the findings, every other one a likelihood that says nothing."""
        said = {each: self.said[each] if each in subset else np.ones_like(self.said[each]) for each in self.names}
        beliefs = {each: belief for each, belief in self.evidence.beliefs.items() if each in subset}
        return settled(self.system, Evidence({}, said, beliefs), self.limits)

    def _alone(self, subset: Subset) -> _Answer:
        evidence = settled(self.system, self.evidence.only(subset), self.limits)
        ready, cells, log_evidence = answer(
            self.system, Question.about(evidence, ((self.name,),)), evidence, self.limits
        )
        return _Answer(cells[: ready.offsets[-1]], log_evidence - self.system.log_constant)


def shown_finding(name: str, finding: Any) -> str:
    """A finding in a few words, as ``credo query --given`` takes it.

    >>> shown_finding("A", "yes"), shown_finding("B", {"y", "x"}), shown_finding("C", {"yes": 0.8, "no": 0.1})
    ('A=yes', 'B={x,y}', 'C~yes:0.8,no:0.1')
    """
    if isinstance(finding, Categorical):
        return f"{name}:={_numbers(finding.as_dict())}"
    if isinstance(finding, Mapping):
        return f"{name}~{_numbers(finding)}"
    if isinstance(finding, (set, frozenset)):
        return f"{name}={{{','.join(sorted(map(str, finding)))}}}"
    return f"{name}={finding}"


def _numbers(numbers: Mapping[Any, float]) -> str:
    return ",".join(f"{state}:{value:.4g}" for state, value in numbers.items())


def _log_odds(probs: Floats, code: int) -> float:
    """Log of p / (1 - p), with 1 - p as the sum of the others, which is right where p is nearly one."""
    for_it, against = float(probs[code]), float(probs[:code].sum() + probs[code + 1 :].sum())
    if against == 0:
        return math.inf
    return math.log(for_it) - math.log(against) if for_it > 0 else -math.inf


def _difference(after: float, before: float) -> float:
    """``after - before``; zero where both are infinite alike, so that nothing moved, and where rounding is all."""
    return 0.0 if after == before or abs(after - before) < ROUNDING else after - before


def _line(weight: Weight) -> list[str]:
    speaks = "for" if weight.weight > 0 else "against" if weight.weight < 0 else "–"
    numbers = [f"{weight.weight:+.3g}", f"{weight.bits:+.3g}", f"{weight.without:.4g}", f"{weight.alone:.4g}"]
    return [weight.finding, speaks, *numbers]
