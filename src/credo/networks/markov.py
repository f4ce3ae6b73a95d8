"""Markov networks: the joint as a product of potentials, normalised."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.axes import Names
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.networks import show
from credo.networks.evidence import Given
from credo.networks.factors.factor import Factor, as_variables
from credo.networks.graphs import Graph
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import System
from credo.networks.model import NO_LIMITS_GIVEN, GraphicalModel
from credo.networks.readonly import ReadOnly
from credo.networks.rows import found_codes, place

__all__ = ["MarkovNetwork"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class MarkovNetwork(GraphicalModel):
    """P(x) = Π φ(x) / Z, a product of potentials on any subsets of the variables. A frozen value.

    ``variables`` need only be given for variables that are in no potential, or to set their order. The beliefs it gives
    carry the log partition function as their ``log_evidence``: Z is another question, and may be a harder one.

    >>> MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])])
    MarkovNetwork of 2 variables, 1 potential
    """

    variables: Mapping[str, States]
    potentials: tuple[Factor, ...]
    name: str
    _kept: dict[str, System]

    def __init__(
        self,
        potentials: Iterable[Factor],
        *,
        variables: Mapping[str, Iterable[Hashable]] | None = None,
        name: str = "",
    ) -> None:
        if not isinstance(potentials, Iterable):
            raise InvalidInput(f"a Markov network is made of Factors; got {checks.shown(potentials)}")
        factors = tuple(potentials)
        known = as_variables("variables", variables or {})
        for factor in factors:
            if not isinstance(factor, Factor):
                raise InvalidInput(f"a Markov network is made of Factors; got {checks.shown(factor)}")
            for each, states in factor.variables.items():
                if known.setdefault(each, states) != states:
                    raise InvalidInput(
                        f"{each!r} has the states {checks.shown(known[each])} in one place and {checks.shown(states)} "
                        "in another"
                    )
        object.__setattr__(self, "variables", ReadOnly(known))
        object.__setattr__(self, "potentials", factors)
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "_kept", {})

    @classmethod
    def from_networkx(cls, graph: Any) -> MarkovNetwork:
        """The network in a ``networkx.Graph`` with the attributes that ``to_networkx`` writes."""
        from credo.networks.convert import potentials_from_networkx

        potentials, variables = potentials_from_networkx(graph)
        return cls(potentials, variables=variables, name=graph.name)

    def to_networkx(self) -> Any:
        """A ``networkx.Graph`` of ``graph()``; its nodes have the attribute ``states``, itself has ``potentials``."""
        from credo.networks.convert import potentials_to_networkx

        return potentials_to_networkx(self.graph(), self.variables, self.potentials, self.name)

    def log_partition(self, *, given: Given | None = None, limits: Limits = NO_LIMITS_GIVEN) -> float:
        """Log of the sum of the product of all potentials, over all states that agree with the findings.

        >>> net = MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])])
        >>> import math
        >>> round(net.log_partition(), 4), round(math.log(46), 4)
        (3.8286, 3.8286)
        >>> round(net.log_partition(given={"A": 1}), 4), round(math.log(11), 4)
        (2.3979, 2.3979)
        """
        return GraphicalModel.log_evidence(self, given=given, limits=limits)

    def log_evidence(self, *, given: Given | None = None, limits: Limits = NO_LIMITS_GIVEN) -> float:
        """Log P(findings), in nats: the log partition function with them less that without."""
        return self.log_partition(given=given, limits=limits) - self.log_partition(limits=limits)

    def log_prob(self, rows: Any, *, limits: Limits = NO_LIMITS_GIVEN) -> Floats:
        """Natural log of the probability of each complete row, -inf where it is impossible.

        >>> net = MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])])
        >>> np.exp(net.log_prob([{"A": 0, "B": 1}])) * 46
        array([5.])
        """
        codes = found_codes(self.variables, rows)
        gone = (codes < 0).any(axis=1)
        if gone.any():
            raise InvalidInput(f"row {int(gone.argmax()) + 1} has a missing cell; every row must be complete")
        columns = dict(zip(self.variables, codes.T, strict=True))
        total = np.full(len(codes), -self.log_partition(limits=limits))
        with np.errstate(divide="ignore"):
            for factor in self.potentials:
                total += np.log(factor.values)[place(factor.variables, columns)]
        return total

    def _system(self) -> System:
        if "system" not in self._kept:
            groups = [[(factor.variables, factor.values)] for factor in self.potentials]
            said = {name for factor in self.potentials for name in factor.variables}
            alone = {name: states for name, states in self.variables.items() if name not in said}
            groups += [[({name: states}, np.ones(len(states)))] for name, states in alone.items()]
            self._kept["system"] = System(self.variables, groups, None)
        return self._kept["system"]

    # -- what there is, and what the graph says

    def graph(self) -> Graph:
        """The undirected graph in which every variable touches all with which it shares a potential."""
        return Graph.of_cliques(self.variables, (each.variables for each in self.potentials))

    def separated(self, a: Names, b: Names, *, given: Names = ()) -> bool:
        """Whether every path between ``a`` and ``b`` goes through ``given``, so that they are independent given it.

        >>> phi = [[30, 5], [1, 10]]
        >>> net = MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, phi), Factor({"B": (0, 1), "C": (0, 1)}, phi)])
        >>> net.separated("A", "C"), net.separated("A", "C", given="B")
        (False, True)
        """
        return self.graph().separated(a, b, given=given)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """With whom ``name`` shares a potential: given these, nothing else tells about it."""
        checks.known("variable", name, self.variables)
        near = {other for each in self.potentials if name in each.variables for other in each.variables}
        return tuple(other for other in self.variables if other in near and other != name)

    def describe(self) -> str:
        """The potentials with their variables, and how many numbers each holds."""
        return show.as_text(*self._shown())

    # -- as a value

    def __getitem__(self, name: str) -> States:
        return self.variables[checks.known("variable", name, self.variables)]

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MarkovNetwork):
            return NotImplemented
        same_variables = list(self.variables.items()) == list(other.variables.items())
        return same_variables and self.potentials == other.potentials

    def __hash__(self) -> int:
        return hash((tuple(self.variables), len(self.potentials)))

    def __reduce__(self) -> tuple[Any, ...]:  # without the engines that were made for it
        return functools.partial(MarkovNetwork, variables=self.variables, name=self.name), (self.potentials,)

    def __repr__(self) -> str:
        held = show.counted(len(self.potentials), "potential")
        return f"MarkovNetwork of {show.counted(len(self), 'variable')}, {held}"

    def _repr_html_(self) -> str:
        return show.as_html(*self._shown())

    def _shown(self) -> tuple[str, list[list[str]], int, str]:
        cells = sum(len(each.values) for each in self.potentials)
        title = f"{self.name}: {self!r}" if self.name else repr(self)
        return title, show.potential_lines(self.potentials), len(self.potentials), f"{cells:,} numbers"
