"""Bayesian networks: the joint as a product of the law of each variable given its parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from credo import checks
from credo.beliefs.axes import Names
from credo.beliefs.states import States
from credo.errors import InvalidInput
from credo.networks.graphs import Digraph, d_separated, requisite
from credo.networks.nodes import Node

__all__ = ["BayesianNetwork"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class BayesianNetwork:
    """P(x₁, …, xₙ) = Π P(xᵢ | parents of xᵢ). A frozen value, made of a node for each variable.

    >>> cloudy = Node.event("cloudy", 0.5)
    >>> rain = Node.event("rain", {True: 0.8, False: 0.1}, given=[cloudy])
    >>> BayesianNetwork([cloudy, rain])
    BayesianNetwork of 2 variables, 1 edge
    """

    nodes: Mapping[str, Node]
    graph: Digraph
    name: str

    def __init__(self, nodes: Iterable[Node], *, name: str = "") -> None:
        held = list(nodes)
        for node in held:
            if not isinstance(node, Node):
                raise InvalidInput(f"a network is made of Nodes; got {checks.shown(node)}")
        names = checks.unique("the names of the nodes", [node.name for node in held])
        by_name = dict(zip(names, held, strict=True))
        for node in held:
            for parent, states in node.parents.items():
                checks.known("node", parent, by_name)
                if by_name[parent].states != states:
                    raise InvalidInput(
                        f"{node.name!r} expects its parent {parent!r} to have the states {checks.shown(states)}; "
                        f"it has {checks.shown(by_name[parent].states)}"
                    )
        object.__setattr__(self, "nodes", by_name)
        object.__setattr__(self, "graph", Digraph({node.name: node.parents for node in held}))
        object.__setattr__(self, "name", str(name))

    @property
    def variables(self) -> dict[str, States]:
        """From the name of each variable to its states."""
        return {name: node.states for name, node in self.nodes.items()}

    def d_separated(self, a: Names, b: Names, *, given: Names = ()) -> bool:
        """Whether ``given`` blocks every path between ``a`` and ``b``, so that they are independent given it.

        >>> rain, sprinkler = Node.event("rain", 0.2), Node.event("sprinkler", 0.1)
        >>> wet = Node.event("wet", [[0.99, 0.9], [0.9, 0]], given=[rain, sprinkler])
        >>> net = BayesianNetwork([rain, sprinkler, wet])
        >>> net.d_separated("rain", "sprinkler"), net.d_separated("rain", "sprinkler", given="wet")
        (True, False)
        """
        return d_separated(self.graph, a, b, given=given)

    def requisite(self, query: Names, *, given: Names = ()) -> tuple[str, ...]:
        """The variables whose tables can matter for P(query | given); no other table needs to be looked at."""
        found = requisite(self.graph, query, given=given)
        return tuple(name for name in self.nodes if name in found)

    def __repr__(self) -> str:
        edges = sum(len(node.parents) for node in self.nodes.values())
        return f"BayesianNetwork of {len(self.nodes):,} variables, {edges:,} edge{'s' if edges != 1 else ''}"
