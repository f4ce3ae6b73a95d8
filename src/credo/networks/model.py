"""What can be asked of any network, directed or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs.axes import Names, as_names
from credo.beliefs.categorical import Categorical
from credo.beliefs.joint import JointTable
from credo.beliefs.layout import aligned
from credo.beliefs.states import States
from credo.errors import InvalidInput
from credo.networks.evidence import Evidence, Given, as_evidence
from credo.networks.factors.semiring import SUM, Semiring
from credo.networks.inference.limits import Limits
from credo.networks.inference.plan import Plan

if TYPE_CHECKING:
    from credo.networks.inference.compiled import Compiled
    from credo.networks.inference.elimination import Elimination
    from credo.networks.inference.explanation import Explanation
    from credo.networks.inference.posteriors import Posteriors
    from credo.networks.inference.system import System
    from credo.tables.table import Table

__all__ = ["GraphicalModel", "MostProbable"]

NO_LIMITS_GIVEN = Limits()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MostProbable(Mapping[str, Hashable]):
    """The most probable states of some variables together: a mapping from names to states.

    ``log_product`` is the log of the product of all tables there, what is neither asked nor found summed out. In a
    Bayesian network that is ``log_prob``, log P(these states, findings). In a Markov network ``log_prob`` is None: it
    takes another question, ``log_product - net.log_partition()``.
    """

    states: Mapping[str, Hashable]
    log_product: float
    log_prob: float | None

    def __getitem__(self, name: str) -> Hashable:
        return self.states[checks.known("variable", name, self.states)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        lines = [[name, str(state)] for name, state in self.states.items()]
        what = "log of the product" if self.log_prob is None else "log P"
        return (aligned(lines, right=[False, False]) + "\n" if lines else "") + f"{what} = {self.log_product:.6g}"


class GraphicalModel(ABC):
    """The questions that every network answers, exactly.

    ``given`` is what was found: a mapping from names to findings. A finding is a state; a set of states of which one is
    the case; a mapping from states to the likelihood of what was seen (virtual evidence); or a ``Categorical``, the
    belief about the variable that is to hold afterwards (Jeffrey's rule; several are fitted together).

    ``limits`` say how much memory and time may be used; what would take more raises ``TooLarge`` before it starts.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def variables(self) -> Mapping[str, States]:
        """From the name of each variable to its states."""

    @abstractmethod
    def _system(self) -> System:
        """The network as the engines see it, made when it is first asked for."""

    def posterior(
        self, name: str, *, given: Given | None = None, method: str = "auto", limits: Limits = NO_LIMITS_GIVEN
    ) -> Categorical:
        """P(variable | findings), with log P(findings) as its ``log_evidence``."""
        states = self.variables[checks.known("variable", name, self.variables)]
        evidence = self._evidence(given)
        if name in evidence.hard:
            certain = np.eye(len(states))[evidence.hard[name]]
            return Categorical(certain, states, log_evidence=self.log_evidence(given=given, limits=limits))
        return self.posteriors((name,), given=given, method=method, limits=limits)[name]

    def posteriors(
        self,
        names: Names | None = None,
        *,
        given: Given | None = None,
        method: str = "auto",
        limits: Limits = NO_LIMITS_GIVEN,
    ) -> Posteriors:
        """The belief about each of ``names``, or about every variable whose state was not found, in one go.

        ``method`` is "junction tree", which answers about all variables in two passes and is kept for the next
        question; "elimination", which looks only at what matters for a variable, for one after another; "enumeration"
        of the whole joint, for small networks; or "auto", by predicted cost.
        """
        from credo.networks.inference.methods import METHODS, posteriors

        checks.choice("method", method, METHODS)
        evidence = self._evidence(given)
        wanted = None if names is None else self._open(names, evidence)
        return posteriors(self._system(), wanted, evidence, limits, method)

    def eliminate(
        self,
        names: Names,
        *,
        given: Given | None = None,
        order: Sequence[str] | None = None,
        semiring: Semiring = SUM,
    ) -> Elimination:
        """Variable elimination as it is done by hand: the tables of every step are kept as its ``trace``, which prints.

        Only the tables that matter for ``names`` are multiplied. ``order`` names the variables to sum out, the first
        one first.
        """
        from credo.networks.inference.answers import settled
        from credo.networks.inference.elimination import eliminate
        from credo.networks.inference.system import Question

        system, evidence = self._system(), self._evidence(given)
        wanted = self._open(names, evidence)
        evidence = settled(system, evidence, NO_LIMITS_GIVEN)
        labelled = system.labelled(Question.about(evidence, (wanted,)), evidence)
        done = eliminate(
            [factor for _, factor in labelled],
            wanted,
            semiring=semiring,
            order=order,
            labels=[label for label, _ in labelled],
            trace=True,
        )
        return replace(done, log_scale=done.log_scale + evidence.log_scale)

    def joint(self, names: Names, *, given: Given | None = None, limits: Limits = NO_LIMITS_GIVEN) -> JointTable:
        """P(A, B, … | findings), a table with an axis for each of ``names``."""
        from credo.networks.inference.answers import answer, settled
        from credo.networks.inference.system import Question

        evidence = self._evidence(given)
        wanted = self._some(names, evidence)
        system = self._system()
        evidence = settled(system, evidence, limits)
        ready, cells, log_evidence = answer(system, Question.about(evidence, (wanted,)), evidence, limits)
        axes = [system.names[v] for v in ready.engine.answer_axes()[0]]
        table = cells[: ready.offsets[-1]].reshape([len(self.variables[name]) for name in axes])
        table = table.transpose([axes.index(name) for name in wanted])
        return JointTable(wanted, [self.variables[name] for name in wanted], table, log_evidence=log_evidence)

    def log_evidence(self, *, given: Given | None = None, limits: Limits = NO_LIMITS_GIVEN) -> float:
        """Log P(findings), in nats; minus infinity if they are impossible."""
        from credo.networks.inference.answers import log_evidence

        evidence = self._evidence(given)
        if evidence.beliefs:
            name = next(iter(evidence.beliefs))
            raise InvalidInput(f"a belief about {name!r} is no observation and has no probability; give a likelihood")
        return log_evidence(self._system(), evidence, limits)

    def most_probable(
        self, names: Names | None = None, *, given: Given | None = None, limits: Limits = NO_LIMITS_GIVEN
    ) -> MostProbable:
        """The states of all other variables that are most probable together; or of ``names``, the rest summed out."""
        from credo.networks.inference.answers import best_states, settled

        evidence = self._evidence(given)
        wanted = tuple(name for name in self.variables if name not in evidence.hard)
        if names is not None:
            wanted = self._open(names, evidence)
        system = self._system()
        states, log_product = best_states(system, wanted, settled(system, evidence, limits), limits)
        return MostProbable(states, log_product, log_product if system.graph is not None else None)

    def explain(
        self,
        name: str,
        *,
        given: Given,
        state: Hashable | None = None,
        sensitivity: bool = False,
        limits: Limits = NO_LIMITS_GIVEN,
    ) -> Explanation:
        """How much each finding moved the belief about ``name``, and which findings do not fit together.

        The weights are about one ``state``, the most probable one afterwards unless another is named. With
        ``sensitivity``, also how its probability depends on every entry of every table that can matter.
        """
        from credo.networks.inference.explanation import explain

        checks.known("variable", name, self.variables)
        evidence = self._evidence(given)
        return explain(
            self._system(), name, evidence, given=given or {}, state=state, limits=limits, sensitive=sensitivity
        )

    def plan(self, names: Names | None = None, *, given: Names | Given = ()) -> Plan:
        """What it costs to ask for the joint belief about ``names``, or for every belief, once ``given`` is known.

        ``given`` are names of variables whose states will be known, or findings of any kind.
        """
        from credo.networks.inference.system import Question

        if isinstance(given, Mapping):
            evidence = self._evidence(given)
        else:
            evidence = Evidence(dict.fromkeys(self._named(given), 0))
        wanted = None if names is None else (self._some(names, evidence),)
        soft = {*evidence.likelihoods, *evidence.beliefs}
        return self._system().plan(Question(tuple(sorted(evidence.hard)), tuple(sorted(soft)), wanted))

    def compile(self, given: Names = (), *, names: Names | None = None, limits: Limits = NO_LIMITS_GIVEN) -> Compiled:
        """An engine that answers for any findings about ``given``, in one row or in many, planned once."""
        from credo.networks.inference.compiled import Compiled

        hard = self._named(given)
        wanted = None if names is None else self._open(names, Evidence(dict.fromkeys(hard, 0)))
        engine = Compiled(self._system(), hard, wanted, limits)
        engine.prepare()
        return engine

    def sample(
        self,
        n: int,
        *,
        rng: int | np.random.Generator,
        given: Given | None = None,
        limits: Limits = NO_LIMITS_GIVEN,
    ) -> Table:
        """``n`` independent rows of the joint given the findings, as a table in which each variable has its states."""
        from credo.networks.rows import as_rows

        evidence, rows = self._evidence(given), checks.count("n", n)
        return as_rows(self.variables, self._drawn(rows, checks.generator(rng), evidence, limits), rows)

    def _drawn(
        self, n: int, rng: np.random.Generator, evidence: Evidence, limits: Limits
    ) -> Mapping[str, NDArray[np.int32]]:
        from credo.networks.inference.draws import draw

        return draw(self._system(), n, rng, evidence, limits)

    def _evidence(self, given: Given | None) -> Evidence:
        return as_evidence(self.variables, given)

    def _named(self, names: Names) -> tuple[str, ...]:
        return tuple(checks.known("variable", name, self.variables) for name in as_names(names))

    def _open(self, names: Names | Iterable[str], evidence: Evidence) -> tuple[str, ...]:
        """Names of variables whose state is still open."""
        wanted = self._named(names)
        for name in wanted:
            if name in evidence.hard:
                raise InvalidInput(f"the state of {name!r} is given; ask for variables that are not")
        return wanted

    def _some(self, names: Names | Iterable[str], evidence: Evidence) -> tuple[str, ...]:
        """Names of variables whose state is still open, at least one."""
        wanted = self._open(names, evidence)
        if not wanted:
            raise InvalidInput("names must hold at least one variable; it is empty")
        return wanted
