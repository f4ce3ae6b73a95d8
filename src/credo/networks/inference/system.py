"""A network as the engines see it: numbered variables and tables in one row; and the engines that were made for it."""

from __future__ import annotations

import itertools
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from credo import checks, native
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import ImpossibleEvidence, InvalidInput
from credo.networks.evidence import Evidence
from credo.networks.factors.contraction import restrict
from credo.networks.factors.factor import Factor
from credo.networks.graphs import Digraph
from credo.networks.inference.limits import Limits, predicted_planning, predicted_seconds
from credo.networks.inference.plan import Plan, asked
from credo.networks.inference.watch import planned, run

__all__ = ["Group", "Question", "Ready", "System"]

#: Tables that belong together, such as those a law is held in: the axes of each, and its cells in one row.
Group = Sequence[tuple[Mapping[str, States], Floats]]

Answered = TypeVar("Answered")

MOST_ENGINES = 64  # kept ready, the one used longest ago is dropped first
REMEDY = (
    "Ask for fewer variables, give more findings, or, if a table has many parents, hold it in parts; "
    "net.plan(...) shows where the cost is"
)


class Question(NamedTuple):
    """What is asked, whatever the findings are: the key under which an engine is kept.

    The order in which findings are told makes no difference, so their names are sorted.
    """

    hard: tuple[str, ...]  # variables whose state is found
    soft: tuple[str, ...]  # variables about which a likelihood is found
    wanted: tuple[tuple[str, ...], ...] | None  # sets of variables whose joint belief is wanted; None: each by itself
    maximise: tuple[str, ...] = ()  # variables whose most probable states are wanted instead

    @classmethod
    def about(cls, evidence: Evidence, wanted: tuple[tuple[str, ...], ...] | None) -> Question:
        """The question of what is ``wanted`` given this evidence."""
        return cls(tuple(sorted(evidence.hard)), tuple(sorted(evidence.likelihoods)), wanted)


@dataclass(frozen=True, slots=True)
class Ready:
    """An engine, how its answers are laid out, and what it costs in bytes and seconds."""

    question: Question
    engine: native.NetworkEngine
    wanted: tuple[tuple[str, ...], ...]
    offsets: tuple[int, ...]
    spans: Mapping[str, slice]  # where the belief about each variable stands that is wanted by itself
    soft: tuple[tuple[str, int], ...]  # with the number of states of each
    bytes: float
    seconds: float

    def codes(self, evidence: Evidence) -> tuple[NDArray[np.int32], list[Floats | None]]:
        """The findings as the engine takes them."""
        names = self.question.hard
        hard = np.fromiter(map(evidence.hard.__getitem__, names), dtype=np.int32, count=len(names))
        return hard, [evidence.likelihood(name, size) for name, size in self.soft]

    def run(self, ask: Callable[[], Answered], *, times: float = 1) -> Answered:
        """What a method of the engine answers, ``times`` as long as planned; long ones can be watched and stopped."""
        return run(self.engine, times * self.seconds, 2.0 * times * self.engine.entries, ask)


class System:
    """The variables and tables of a network, in the order and form that the native engines want.

    The variables named are the ``public`` ones; tables may have auxiliary ones as well, which are always summed out.
    With a ``graph``, each group of tables is the law of a variable, and laws that do not matter are left out.
    """

    def __init__(self, variables: Mapping[str, States], groups: Sequence[Group], graph: Digraph | None) -> None:
        self.graph = graph
        self.tables = self.given = [table for group in groups for table in group]
        self.variables = dict(variables)
        for axes, _ in self.tables:
            self.variables.update(axes)
        self.public = tuple(variables)
        self.names = tuple(self.variables)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.sizes = [len(states) for states in self.variables.values()]
        starts = itertools.accumulate(map(len, groups), initial=0)
        self._group_of = {
            name: range(start, start + len(group))
            for name, start, group in zip(variables, starts, groups, strict=False)
        }
        self.log_constant = 0.0
        if graph is None:
            self._scale()
        scopes = [[self.place[name] for name in axes] for axes, _ in self.tables]
        laws = [graph is not None] * len(scopes)
        tables = [cells for _, cells in self.tables]
        self._model = native.network_model(self.sizes, scopes, tables, laws, trusted=True)
        self._engines: OrderedDict[Question, Ready] = OrderedDict()
        self._guard = threading.Lock()  # of the engines kept: several threads may ask at once

    def _scale(self) -> None:
        """Divide every table by its greatest cell, so that products stay small, and keep the log of that."""
        self.tables = []
        for axes, cells in self.given:
            greatest = float(cells.max())
            if greatest == 0:
                raise ImpossibleEvidence(f"the potential over {', '.join(axes) or 'nothing'} is zero everywhere")
            self.log_constant += math.log(greatest)
            self.tables.append((axes, cells / greatest))

    def ready(self, question: Question, limits: Limits, *, effort: float = 1.0) -> Ready:
        """The engine for a question, made now or kept from before; refused if it would cost more than the limits."""
        if not isinstance(limits, Limits):
            raise InvalidInput(f"limits must be Limits, such as Limits(memory=2**30); got {checks.shown(limits)}")
        ready = self._planned(question, effort)
        limits.check(ready.bytes, ready.seconds, REMEDY)
        return ready

    def _planned(self, question: Question, effort: float = 1.0) -> Ready:
        """The engine for a question, made now or kept from before, whatever it costs."""
        with self._guard:
            ready = self._engines.get(question)
            if ready is not None:
                self._engines.move_to_end(question)
                return ready
        ready = self._made(question, effort)  # (without the guard: it can take long)
        with self._guard:
            self._engines[question] = ready
            if len(self._engines) > MOST_ENGINES:
                self._engines.popitem(last=False)
        return ready

    def keeps(self, question: Question) -> bool:
        """Whether the engine for a question is kept from before."""
        return question in self._engines

    def cost(self, question: Question) -> float:
        """Predicted seconds until a question is answered; if it must be planned first, those that planning takes."""
        kept = self._engines.get(question)
        if kept is not None:
            return kept.seconds
        return predicted_planning(len(self.relevant(question)))

    def plan(self, question: Question) -> Plan:
        """What the question costs, with the cliques it would be answered in; they are kept for when it is asked."""
        ready = self._planned(question)
        engine = ready.engine
        names = None if question.wanted is None else tuple(itertools.chain(*question.wanted))
        return Plan(
            question=asked(question.maximise or names, (*question.hard, *question.soft), len(self.public)),
            cliques=tuple(tuple(self.names[v] for v in clique) for clique in engine.cliques),
            parents=tuple(engine.parents),
            sizes=dict(zip(self.names, self.sizes, strict=True)),
            entries=engine.entries,
            message_entries=engine.message_cells,
            bytes=ready.bytes,
            seconds=ready.seconds,
            order=tuple(self.names[v] for v in engine.order),
            orders_tried=engine.orders_tried,
        )

    def _made(self, question: Question, effort: float) -> Ready:
        hidden = set(question.hard)
        wanted = question.wanted
        if wanted is None:
            wanted = tuple((name,) for name in self.public if name not in hidden)
        place = self.place
        engine = planned(
            lambda: native.network_engine(
                self._model,
                factors=self.relevant(question),
                observed=[place[name] for name in question.hard],
                soft=[place[name] for name in question.soft],
                wanted=[[place[name] for name in names] for names in wanted],
                maximise=list(map(set(question.maximise).__contains__, self.names)) if question.maximise else [],
                root_first=question.wanted is not None and len(wanted) > 0,
                effort=effort,
            )
        )
        cells = [math.prod(self.sizes[place[name]] for name in names) for names in wanted]
        offsets = tuple(itertools.accumulate(cells, initial=0))
        return Ready(
            question,
            engine,
            wanted,
            offsets,
            {names[0]: slice(start, start + size) for names, start, size in zip(wanted, offsets, cells, strict=False)},
            soft=tuple((name, self.sizes[place[name]]) for name in question.soft),
            bytes=8.0 * (2 * engine.message_cells + 2 * offsets[-1]),
            seconds=predicted_seconds(len(engine.parents), engine.entries),
        )

    def relevant(self, question: Question) -> list[int]:
        """The tables that matter: not those of variables that nothing is asked or found about, nor below them."""
        if self.graph is None or question.wanted is None:
            return list(range(len(self.tables)))
        named = {*question.hard, *question.soft, *question.maximise, *itertools.chain(*question.wanted)}
        kept = named | self.graph.ancestors(tuple(named))
        return [table for name in self.public if name in kept for table in self._group_of[name]]

    def factors(self, question: Question, evidence: Evidence) -> list[Factor]:
        """The tables that matter, restricted to the findings, and the likelihoods."""
        tables = (self.tables[i] for i in self.relevant(question))
        return [_restricted(*table, evidence) for table in tables] + self._said(evidence)

    def labelled(self, question: Question, evidence: Evidence) -> list[tuple[str, Factor]]:
        """The same with the numbers as they were given, and a label for each: whose law it is, or which potential."""
        labels, factors = [], []
        for i in self.relevant(question):
            axes, cells = self.given[i]
            labels.append(str(i + 1) if self.graph is None else list(axes)[-1])
            factors.append(_restricted(axes, cells, evidence))
        said = [f"found {name}" for name in evidence.likelihoods]
        return list(zip([*labels, *said], [*factors, *self._said(evidence)], strict=True))

    def _said(self, evidence: Evidence) -> list[Factor]:
        return [Factor({name: self.variables[name]}, weights) for name, weights in evidence.likelihoods.items()]


def _restricted(axes: Mapping[str, States], cells: Floats, evidence: Evidence) -> Factor:
    return restrict(Factor(axes, cells), {name: code for name, code in evidence.hard.items() if name in axes})
