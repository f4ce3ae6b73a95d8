"""Bayesian networks: the joint as a product of the law of each variable given its parents."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs.axes import Names, as_names
from credo.beliefs.joint import Independence
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import InvalidInput, TooLarge
from credo.networks import graphs, show
from credo.networks.evidence import Evidence
from credo.networks.graphs import Digraph, Graph, LocalIndependence
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import System
from credo.networks.model import GraphicalModel
from credo.networks.nodes import Node
from credo.networks.readonly import ReadOnly
from credo.networks.rows import log_prob
from credo.networks.sampling import forwards, sample

__all__ = ["BayesianNetwork"]

MOST_INDEPENDENCIES = 10_000


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class BayesianNetwork(GraphicalModel):
    """P(x₁, …, xₙ) = Π P(xᵢ | parents of xᵢ). A frozen value, made of a node for each variable.

    The nodes may come in any order, which is kept; edges that lead round in a circle are refused. ``variables`` leads
    from the name of each variable to its states.

    >>> cloudy = Node.event("cloudy", 0.5)
    >>> rain = Node.event("rain", {True: 0.8, False: 0.1}, given=[cloudy])
    >>> net = BayesianNetwork([cloudy, rain])
    >>> net
    BayesianNetwork of 2 variables, 1 edge
    >>> net.parents("rain"), len(net), "fog" in net
    (('cloudy',), 2, False)
    """

    nodes: Mapping[str, Node]
    variables: Mapping[str, States]
    graph: Digraph
    name: str
    _kept: dict[str, System]

    def __init__(self, nodes: Iterable[Node], *, name: str = "") -> None:
        if not isinstance(nodes, Iterable):
            raise InvalidInput(f"a network is made of Nodes; got {checks.shown(nodes)}")
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
            for part in node.parts[:-1]:
                if part.name in by_name:
                    raise InvalidInput(f"{part.name!r} is the name of a part of {node.name!r}; rename the other node")
        object.__setattr__(self, "nodes", ReadOnly(by_name))
        object.__setattr__(self, "variables", ReadOnly({node.name: node.states for node in held}))
        object.__setattr__(self, "graph", Digraph({node.name: node.parents for node in held}))
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "_kept", {})

    @classmethod
    def from_networkx(cls, graph: Any) -> BayesianNetwork:
        """The network in a ``networkx.DiGraph`` whose nodes have the attributes that ``to_networkx`` writes."""
        from credo.networks.convert import from_networkx

        return cls(from_networkx(graph), name=graph.name)

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph``; each node has the attributes ``states``, ``parents`` (in order) and ``probs``.

        A law that is held in parts has ``parts`` and no ``probs``.
        """
        from credo.networks.convert import to_networkx

        return to_networkx(self.nodes, self.name)

    # -- what there is

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Every edge as (parent, child)."""
        return tuple(self.graph.edges)

    def parents(self, name: str) -> tuple[str, ...]:
        """On whom the law of ``name`` depends, in the order of its table."""
        return tuple(self[name].parents)

    def children(self, name: str) -> tuple[str, ...]:
        """Whose laws depend on ``name``."""
        return self.graph.children[self[name].name]

    def ancestors(self, names: Names) -> tuple[str, ...]:
        """Parents, their parents, and so on."""
        return self._in_order(self.graph.ancestors(names))

    def descendants(self, names: Names) -> tuple[str, ...]:
        """Children, their children, and so on."""
        return self._in_order(self.graph.descendants(names))

    def describe(self) -> str:
        """The variables with their states and parents, and how many numbers the law of each holds."""
        return show.as_text(*self._shown())

    # -- what the graph says

    def d_separated(self, a: Names, b: Names, *, given: Names = ()) -> bool:
        """Whether ``given`` blocks every path between ``a`` and ``b``, so that they are independent given it.

        >>> rain, sprinkler = Node.event("rain", 0.2), Node.event("sprinkler", 0.1)
        >>> wet = Node.event("wet", [[0.99, 0.9], [0.9, 0]], given=[rain, sprinkler])
        >>> net = BayesianNetwork([rain, sprinkler, wet])
        >>> net.d_separated("rain", "sprinkler"), net.d_separated("rain", "sprinkler", given="wet")
        (True, False)
        """
        return graphs.d_separated(self.graph, a, b, given=given)

    def requisite(self, query: Names, *, given: Names = ()) -> tuple[str, ...]:
        """The variables whose tables can matter for P(query | given); no other table needs to be looked at."""
        return self._in_order(graphs.requisite(self.graph, query, given=given))

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Parents, children and the children's other parents: given these, nothing else tells about ``name``."""
        return self._in_order(self.graph.markov_blanket(name))

    def moral_graph(self) -> Graph:
        """The undirected graph in which every variable touches all with which it shares a table."""
        return graphs.moral_graph(self.graph)

    def independencies(self) -> list[Independence]:
        """For each two variables that do not touch, every smallest set that makes them independent.

        >>> a = Node.event("a", 0.5)
        >>> b = Node.event("b", [0.1, 0.2], given=[a])
        >>> print(*BayesianNetwork([a, b, Node.event("c", [0.3, 0.4], given=[b])]).independencies())
        a ⊥ c | b
        """
        pairs = math.comb(len(self), 2) - len(self.edges)  # that do not touch: each has at least one such set
        searched = graphs.pairwise_independencies(self.graph) if pairs <= MOST_INDEPENDENCIES else iter(())
        found = list(itertools.islice(searched, MOST_INDEPENDENCIES + 1))
        if max(pairs, len(found)) > MOST_INDEPENDENCIES:
            raise TooLarge(
                f"there are more than {MOST_INDEPENDENCIES:,} independencies; local_independencies() are few, and "
                "imply them all, without_barren(names) is a smaller network, and d_separated answers one question"
            )
        return found

    def local_independencies(self) -> Iterator[LocalIndependence]:
        """For each variable: given its parents, it is independent of what does not descend from it. One at a time."""
        return graphs.local_independencies(self.graph)

    # -- other networks made of this one

    def do(self, states: Mapping[str, Hashable] | None = None, /, **named: Hashable) -> BayesianNetwork:
        """The network after an intervention: each variable is made to have its state, whatever its parents.

        What an intervention tells about causes is nothing; seeing the same state, ``given``, tells something. Variables
        whose names are no Python names are given in a mapping, ``do({"HR EKG": "HIGH"})``.

        >>> rain = Node.event("rain", 0.2)
        >>> wet = Node.event("wet", {True: 0.9, False: 0.1}, given=[rain])
        >>> BayesianNetwork([rain, wet]).do(wet=True)["wet"]
        wet=True  wet=False
               1          0
        """
        if not isinstance(states, Mapping | None):
            raise InvalidInput(f"do takes names with their states, do({{'A': 'on'}}); got {checks.shown(states)}")
        both = next((name for name in named if name in (states or {})), None)
        if both is not None:
            raise InvalidInput(f"{both!r} is made to have a state twice, in the mapping and by its name")
        forced = {}
        for name, state in {**(states or {}), **named}.items():
            own = self[name].states
            code = own.index(checks.known(f"state of {name!r}", state, own))
            forced[name] = Node(name, own, np.eye(len(own))[code])
        return BayesianNetwork([forced.get(name, node) for name, node in self.nodes.items()], name=self.name)

    def with_node(self, node: Node) -> BayesianNetwork:
        """The network with this node in the place of the one of the same name, or after all others."""
        if not isinstance(node, Node):
            raise InvalidInput(f"node must be a Node; got {checks.shown(node)}")
        return BayesianNetwork({**self.nodes, node.name: node}.values(), name=self.name)

    def without_barren(self, names: Names) -> BayesianNetwork:
        """The network of ``names`` and their ancestors: what it says about these is the same."""
        kept = self._in_order(self.graph.without_barren(as_names(names)))
        return BayesianNetwork([self.nodes[name] for name in kept], name=self.name)

    # -- rows

    def log_prob(self, rows: Any) -> Floats:
        """Natural log of the probability of each row, -inf where it is impossible.

        ``rows`` are complete: a table, a data frame, a mapping of columns or a list of mappings.

        >>> rain = Node.event("rain", 0.2)
        >>> wet = Node.event("wet", {True: 0.9, False: 0.1}, given=[rain])
        >>> np.exp(BayesianNetwork([rain, wet]).log_prob([{"rain": True, "wet": True}])).round(4)
        array([0.18])
        """
        return log_prob(self.nodes, rows)

    def _drawn(
        self, n: int, rng: np.random.Generator, evidence: Evidence, limits: Limits
    ) -> Mapping[str, NDArray[np.int32]]:
        if forwards(self.graph, evidence):  # faster, and without a junction tree
            return sample(self.nodes, self.graph, n, rng, evidence.hard)
        return super(BayesianNetwork, self)._drawn(n, rng, evidence, limits)

    # -- as a value

    def __getitem__(self, name: str) -> Node:
        return self.nodes[checks.known("variable", name, self.nodes)]

    def __contains__(self, name: object) -> bool:
        return name in self.nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return list(self.nodes.values()) == list(other.nodes.values())

    def __hash__(self) -> int:
        return hash(tuple(self.nodes))

    def __reduce__(self) -> tuple[Any, ...]:  # without the engines that were made for it
        return functools.partial(BayesianNetwork, name=self.name), (tuple(self.nodes.values()),)

    def __repr__(self) -> str:
        edges = sum(len(node.parents) for node in self.nodes.values())
        return f"BayesianNetwork of {show.counted(len(self), 'variable')}, {show.counted(edges, 'edge')}"

    def _repr_html_(self) -> str:
        return show.as_html(*self._shown())

    def _system(self) -> System:
        if "system" not in self._kept:
            groups = [node.tables for node in self.nodes.values()]
            self._kept["system"] = System(self.variables, groups, self.graph)
        return self._kept["system"]

    def _shown(self) -> tuple[str, list[list[str]], int, str]:
        cells = sum(node.cells for node in self.nodes.values())
        largest = max(self.nodes.values(), key=lambda node: node.cells, default=None)
        more = "" if largest is None else f"; the most, {largest.cells:,}, in the law of {largest.name}"
        title = f"{self.name}: {self!r}" if self.name else repr(self)
        return title, show.node_lines(self.nodes), len(self.nodes), f"{cells:,} numbers{more}"

    def _in_order(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self.nodes if name in names)
