"""How an answer depends on each number of the tables it was made from.

The probability of any findings is a straight line in one entry t of a table, if the rest of its row keeps its
proportions. So P(state | findings) is a quotient of two lines. Their slopes are read off the joint belief about each
variable with its parents, given the findings and each state asked about: dP / dθ = P(entry, findings) / θ. Where an
entry is zero that says nothing; its table is replaced by ones, in a pass of its own, which makes the same slopes known.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.layout import aligned
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import BadProbability, ImpossibleEvidence, InvalidInput, NumericalFailure
from credo.networks import graphs
from credo.networks.evidence import Evidence
from credo.networks.inference.answers import by_logarithms
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import REMEDY, Question, System

__all__ = ["Sensitivity", "SensitivityFunction", "sensitivity"]

SHOWN = 10
ROUNDING = 1e-12
LARGEST_EXPONENT = 700.0

Table = tuple[Mapping[str, States], Floats]


@dataclass(frozen=True, slots=True)
class SensitivityFunction:
    """P(state | findings) as a function f(t) of one entry t of a table, the rest of its row in proportion.

    f(t) = (a t + b) / (c t + d). The entry is P(variable=state | parents), ``theta`` is what it is now, and
    ``same_best`` the range of t over which the most probable state of the variable asked about stays the same. Of a row
    in which the entry is 1, the others are taken to share alike.

    >>> f = SensitivityFunction("test", "positive", {"sick": "no"}, 0.01, (0.001, 0.001), (0.001, 1.0), (0.0, 1.0))
    >>> f
    P(test=positive | sick=no) = 0.01
    >>> round(f(0.01), 4), round(f(0.001), 4), round(f.derivative, 2)
    (0.091, 0.5003, -8.27)
    """

    variable: str
    state: Hashable
    parents: Mapping[str, Hashable]
    theta: float
    numerator: tuple[float, float]  # at t = 0 and at t = 1
    denominator: tuple[float, float]
    same_best: tuple[float, float]

    def __call__(self, t: float) -> float:
        """P(state | findings) if the entry were ``t``."""
        above, below = _between(self.numerator, _entry(t)), _between(self.denominator, _entry(t))
        if below == 0:
            raise ImpossibleEvidence(f"with {self.entry} = {t:g} the findings have probability zero")
        return above / below

    def slope(self, t: float) -> float:
        """The derivative f′(t)."""
        below = _between(self.denominator, _entry(t))
        if below == 0:
            raise ImpossibleEvidence(f"with {self.entry} = {t:g} the findings have probability zero")
        (n0, n1), (d0, d1) = self.numerator, self.denominator
        return (n1 * d0 - n0 * d1) / below**2

    @property
    def derivative(self) -> float:
        """f′ at the entry as it is now."""
        return self.slope(self.theta)

    @property
    def coefficients(self) -> tuple[float, float, float, float]:
        """a, b, c and d."""
        (n0, n1), (d0, d1) = self.numerator, self.denominator
        return n1 - n0, n0, d1 - d0, d0

    @property
    def entry(self) -> str:
        """The entry in words."""
        parents = ", ".join(f"{name}={state}" for name, state in self.parents.items())
        return f"P({self.variable}={self.state}{' | ' if parents else ''}{parents})"

    def __repr__(self) -> str:
        return f"{self.entry} = {self.theta:.4g}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sensitivity(Sequence[SensitivityFunction]):
    """How P(state | findings) depends on every entry of every table that can matter, the steepest first.

    >>> from credo.networks import BayesianNetwork, Node
    >>> rain = Node.event("rain", 0.2)
    >>> net = BayesianNetwork([rain, Node.event("wet", [0.9, 0.1], given=[rain])])
    >>> found = net.explain("rain", given={"wet": True}, sensitivity=True).sensitivity
    >>> found[0], round(found[0].derivative, 2), len(found)
    (P(wet=True | rain=False) = 0.1, -2.13, 6)
    >>> round(found.of("rain", True)(0.5), 2)
    0.9
    """

    about: str
    tables: tuple[Mapping[str, States], ...]
    _starts: tuple[int, ...]  # of the cells of each table
    _order: Any
    _numbers: Floats  # theta, both ends of the numerator, of the denominator, of the range: a row each

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._at(int(self._order[index]))

    def of(self, variable: str, state: Hashable, parents: Mapping[str, Hashable] | None = None) -> SensitivityFunction:
        """The function of one entry: P(variable=state | parents)."""
        by_name = {list(axes)[-1]: i for i, axes in enumerate(self.tables)}
        table = by_name[checks.known("table that can matter, that of", variable, by_name)]
        axes, said = self.tables[table], {**(parents or {}), variable: state}
        if said.keys() != axes.keys():
            raise InvalidInput(f"parents must give a state to each of {checks.shown(list(axes)[:-1])}; got {said}")
        codes = [states.index(checks.known(f"state of {name!r}", said[name], states)) for name, states in axes.items()]
        cell = int(np.ravel_multi_index(codes, [len(states) for states in axes.values()]))
        return self._at(self._starts[table] + cell)

    def to_dict(self, most: int = SHOWN) -> list[dict[str, Any]]:
        """The steepest functions, as JSON can hold them."""
        return [{**checks.plain_json(each), "derivative": each.derivative} for each in self[:most]]

    def _at(self, place: int) -> SensitivityFunction:
        table = int(np.searchsorted(self._starts, place, side="right")) - 1
        axes = self.tables[table]
        codes = np.unravel_index(place - self._starts[table], [len(states) for states in axes.values()])
        said = {name: axes[name][int(code)] for name, code in zip(axes, codes, strict=True)}
        *parents, variable = said
        theta, n0, n1, d0, d1, low, high = self._numbers[:, place].tolist()
        above = {name: said[name] for name in parents}
        return SensitivityFunction(variable, said[variable], above, theta, (n0, n1), (d0, d1), (low, high))

    def _different(self) -> Iterator[SensitivityFunction]:
        """Of a variable with two states, in each row only the entry of the first: the other is what is left of it."""
        firsts = {list(axes)[-1]: list(axes.values())[-1][0] for axes in self.tables if _columns(axes) == 2}
        seen = set()
        for each in self:
            row = (each.variable, *each.parents.values())
            if each.variable not in firsts:
                yield each
            elif row not in seen:
                seen.add(row)
                yield self.of(each.variable, firsts[each.variable], each.parents)

    def __repr__(self) -> str:
        if not len(self):
            return f"{self.about} depends on no entry of a table"
        lines = [["entry t", "now", f"d{self.about} / dt", "same most probable state for t in"]]
        shown = list(itertools.islice(self._different(), SHOWN))
        for each in shown:
            low, high = each.same_best
            lines.append([each.entry, f"{each.theta:.4g}", f"{each.derivative:+.3g}", f"[{low:.3g}, {high:.3g}]"])
        cells = (math.prod(map(len, axes.values())) // (2 if _columns(axes) == 2 else 1) for axes in self.tables)
        more = sum(cells) - len(shown)
        return aligned(lines, right=[False, True, True, False]) + (f"\n… and {more:,} more" if more > 0 else "")


def sensitivity(system: System, name: str, code: int, evidence: Evidence, limits: Limits) -> Sensitivity:
    """How P(name = its state number ``code`` | evidence) depends on the tables of a Bayesian network."""
    if system.graph is None:
        raise InvalidInput("sensitivity is about rows of probabilities; the potentials of a Markov network have none")
    if evidence.beliefs:
        which = next(iter(evidence.beliefs))
        raise InvalidInput(
            f"the belief about {which!r} is made to hold again whatever an entry is, so that no quotient of lines "
            "describes the answer; give a likelihood instead"
        )
    needed = graphs.requisite(system.graph, name, given=tuple(evidence.hard), hinted=tuple(evidence.likelihoods))
    question = _Question(system, name, evidence, limits)
    tables = [(axes, cells) for owner, axes, cells in _owned(system) if owner in needed and _columns(axes) > 1]
    found = [
        _functions(cells.reshape(-1, _columns(axes)), slopes, code)
        for (axes, cells), slopes in zip(tables, question.slopes(tables), strict=True)
    ]
    numbers = np.concatenate(found, axis=1) if found else np.empty((7, 0))
    theta, n0, n1, d0, d1 = numbers[:5]
    steep = np.abs(n1 * d0 - n0 * d1) / (d0 * (1 - theta) + d1 * theta) ** 2
    starts = itertools.accumulate((part.shape[1] for part in found[:-1]), initial=0)
    state = system.variables[name][code]
    return Sensitivity(
        f"P({name}={state})",
        tuple(axes for axes, _ in tables),
        tuple(starts),
        np.argsort(-steep, kind="stable"),
        numbers,
    )


def _owned(system: System) -> Iterator[tuple[str, Mapping[str, States], Floats]]:
    """Every table with the variable whose law it is a part of; the last part of a law is named like the variable."""
    parts: list[Table] = []
    for axes, cells in system.tables:
        parts.append((axes, cells))
        if list(axes)[-1] in system.public:
            yield from ((list(axes)[-1], *part) for part in parts)
            parts = []


def _functions(theta: Floats, slopes: Floats, code: int) -> Floats:
    """What `Sensitivity` holds of each entry of a table; ``slopes`` are those of P(state, findings), state by state."""
    joint = slopes * theta
    elsewhere = _all_but(joint.sum(axis=-1), -1)[..., np.newaxis]  # what this row has no part in
    rest = _all_but(theta, -1)
    alone = rest == 0
    share = np.where(
        alone, _all_but(slopes, -1) / (theta.shape[-1] - 1), _all_but(joint, -1) / np.where(alone, 1, rest)
    )
    ends = np.stack([elsewhere + share, elsewhere + slopes]).reshape(2, len(slopes), -1)  # at t = 0 and t = 1
    denominator = ends.sum(axis=1)
    flat = theta.ravel()
    best = int((ends[0, :, 0] * (1 - flat[0]) + ends[1, :, 0] * flat[0]).argmax())
    low, high = np.zeros_like(flat), np.ones_like(flat)
    for other in range(len(slopes)):
        lead = ends[:, best] - ends[:, other]
        lead[np.abs(lead) <= ROUNDING * denominator] = 0.0
        turn = np.divide(lead[0], lead[0] - lead[1], out=np.zeros_like(flat), where=lead[0] != lead[1])
        low = np.where((lead[0] < 0) & (lead[1] >= 0), np.maximum(low, turn), low)
        high = np.where((lead[0] >= 0) & (lead[1] < 0), np.minimum(high, turn), high)
    low, high = np.minimum(low, flat), np.maximum(high, flat)
    return np.stack([flat, ends[0, code], ends[1, code], denominator[0], denominator[1], low, high])


def _all_but(numbers: Floats, axis: int) -> Floats:
    """The sum of all others along an axis; nothing is subtracted, so that a small sum is right too."""
    turned = np.moveaxis(numbers, axis, -1)
    before = np.zeros_like(turned)
    before[..., 1:] = np.cumsum(turned, axis=-1)[..., :-1]
    after = np.zeros_like(turned)
    after[..., :-1] = np.cumsum(turned[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    return np.moveaxis(before + after, -1, axis)


class _Question:
    """The findings together with each state of the variable asked about: a row for each."""

    def __init__(self, system: System, name: str, evidence: Evidence, limits: Limits) -> None:
        self.system, self.name, self.evidence, self.limits = system, name, evidence, limits
        states = np.eye(len(system.variables[name]))
        own = evidence.likelihoods.get(name)
        self.asked = (
            states if own is None else states * own
        )  # (what is zero in every state is a row of probability zero)
        self.soft = tuple(dict.fromkeys([*evidence.likelihoods, name]))

    def slopes(self, tables: Sequence[Table]) -> Iterator[Floats]:
        """For each table, dP(state, findings) / dθ over P(findings): its axes are the states, the rows, the columns."""
        sets = {self._open(axes): None for axes, _ in tables}
        # (auxiliary variables of laws that are held in parts are asked about too, and have no place in the graph)
        parts = any(each not in self.system.public for axes, _ in tables for each in axes)
        system = self._with_ones({}) if parts else self.system
        joints, logs = self._joints(system, [each for each in sets if each])
        whole = float(np.logaddexp.reduce(logs))
        weights = np.exp(logs - whole)
        for axes, cells in tables:
            theta = cells.reshape(-1, _columns(axes))
            if ((theta == 0) & self._possible(axes).reshape(theta.shape)).any():
                other = self._with_ones(axes)
                found, high = self._joints(other, [self._open(axes)] if self._open(axes) else [])
                if high.max() - whole > LARGEST_EXPONENT:
                    raise NumericalFailure(f"an entry of the table of {list(axes)[-1]!r} changes it beyond measure")
                yield self._spread(axes, found, np.exp(high - whole)).reshape(-1, *theta.shape)
            else:
                joint = self._spread(axes, joints, weights).reshape(-1, *theta.shape)
                yield np.divide(joint, theta, out=np.zeros_like(joint), where=theta > 0)

    def _open(self, axes: Mapping[str, States]) -> tuple[str, ...]:
        held = (each for each in axes if each not in self.evidence.hard)
        return tuple(sorted(held, key=self.system.place.__getitem__))

    def _possible(self, axes: Mapping[str, States]) -> Any:
        """Which cells of a table agree with the findings."""
        agree = np.ones(tuple(map(len, axes.values())), dtype=bool)
        for axis, (each, states) in enumerate(axes.items()):
            kept = np.ones(len(states), dtype=bool)
            if each in self.evidence.hard:
                kept = np.arange(len(states)) == self.evidence.hard[each]
            elif each in self.evidence.likelihoods:
                kept = self.evidence.likelihoods[each] > 0
            agree &= kept.reshape(-1, *[1] * (len(axes) - axis - 1))
        return agree

    def _with_ones(self, axes: Mapping[str, States]) -> System:
        """The tables that matter alone, the one over ``axes`` (if it is there) replaced by ones."""
        question = Question(tuple(self.evidence.hard), self.soft, ((self.name,),))
        tables = [self.system.tables[i] for i in self.system.relevant(question)]
        replaced = [(each, np.ones_like(cells) if each is axes else cells) for each, cells in tables]
        variables = {name: states for each, _ in replaced for name, states in each.items()}
        return System(variables, [replaced], None)

    def _joints(self, system: System, sets: Sequence[tuple[str, ...]]) -> tuple[dict[tuple[str, ...], Floats], Floats]:
        """P(variables of a set | findings, state), a row for each state; and the log probabilities of these rows."""
        question = Question(tuple(self.evidence.hard), self.soft, tuple(sets))
        ready = system.ready(question, self.limits)
        rows = len(self.asked)
        self.limits.check(ready.bytes + 16.0 * rows * ready.offsets[-1], rows * ready.seconds, REMEDY)
        codes = np.tile(np.array(list(self.evidence.hard.values()), dtype=np.int32), (rows, 1))
        likelihoods = [self._rows(each) for each in self.soft]
        cells, logs, sure = ready.run(lambda: ready.engine.answer_rows(codes, likelihoods), times=rows)
        for row in np.flatnonzero(sure == 0).tolist():
            said = {each: held[row] for each, held in zip(self.soft, likelihoods, strict=True)}
            evidence = Evidence(self.evidence.hard, said)
            cells[row, : ready.offsets[-1]], logs[row] = by_logarithms(system, ready, evidence)
        cells[np.isneginf(logs)] = 0.0
        found = {}
        for scope, order, start in zip(sets, ready.engine.answer_axes(), ready.offsets, strict=False):
            names = [system.names[v] for v in order]
            sizes = [len(system.variables[each]) for each in names]
            held = cells[:, start : start + int(np.prod(sizes))].reshape(rows, *sizes)
            found[scope] = held.transpose(0, *(names.index(each) + 1 for each in scope))
        return found, logs + system.log_constant

    def _rows(self, name: str) -> Floats:
        if name == self.name:
            return self.asked
        return np.tile(self.evidence.likelihoods[name], (len(self.asked), 1))

    def _spread(self, axes: Mapping[str, States], joints: Mapping[tuple[str, ...], Floats], weights: Floats) -> Floats:
        """P(cell, state | findings) for every cell of a table, also those that contradict the findings."""
        scope, rows = self._open(axes), len(weights)
        table = np.zeros((rows, *map(len, axes.values())))
        held = joints[scope].transpose(0, *(scope.index(each) + 1 for each in axes if each in scope)) if scope else None
        where = tuple(self.evidence.hard.get(each, slice(None)) for each in axes)
        weighed = weights.reshape(-1, *[1] * len(scope))
        table[(slice(None), *where)] = weighed if held is None else weighed * held
        return table


def _columns(axes: Mapping[str, States]) -> int:
    """How many states the variable has whose law the table is."""
    return len(list(axes.values())[-1])


def _entry(t: float) -> float:
    if not 0 <= t <= 1:
        raise BadProbability(f"t must lie between 0 and 1; got {t:g}")
    return t


def _between(ends: tuple[float, float], t: float) -> float:
    return ends[0] * (1 - t) + ends[1] * t
