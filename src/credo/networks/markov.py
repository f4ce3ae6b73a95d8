"""Markov networks: the joint as a product of potentials, normalised."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from credo import checks
from credo.beliefs.axes import Names
from credo.beliefs.states import States
from credo.errors import InvalidInput
from credo.networks import show
from credo.networks.factors.factor import Factor, as_variables
from credo.networks.graphs import Graph

__all__ = ["MarkovNetwork"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class MarkovNetwork:
    """P(x) = Π φ(x) / Z, a product of potentials on any subsets of the variables. A frozen value.

    ``variables`` need only be given for variables that are in no potential, or to set their order.

    >>> MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])])
    MarkovNetwork of 2 variables, 1 potential
    """

    variables: Mapping[str, States]
    potentials: tuple[Factor, ...]
    name: str

    def __init__(
        self,
        potentials: Iterable[Factor],
        *,
        variables: Mapping[str, Iterable[Hashable]] | None = None,
        name: str = "",
    ) -> None:
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
        object.__setattr__(self, "variables", known)
        object.__setattr__(self, "potentials", factors)
        object.__setattr__(self, "name", str(name))

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

    def __repr__(self) -> str:
        n = len(self.potentials)
        return f"MarkovNetwork of {len(self.variables):,} variables, {n:,} potential{'s' if n != 1 else ''}"

    def _repr_html_(self) -> str:
        return show.as_html(*self._shown())

    def _shown(self) -> tuple[str, list[list[str]], int, str]:
        cells = sum(len(each.values) for each in self.potentials)
        title = f"{self.name}: {self!r}" if self.name else repr(self)
        return title, show.potential_lines(self.potentials), len(self.potentials), f"{cells:,} numbers"
