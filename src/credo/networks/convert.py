"""Networks from and to networkx."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from credo import checks
from credo.beliefs.states import States
from credo.errors import InvalidInput
from credo.networks.factors.factor import Factor
from credo.networks.graphs import Graph
from credo.networks.nodes import Node

__all__ = ["from_networkx", "potentials_from_networkx", "potentials_to_networkx", "to_networkx"]


def to_networkx(nodes: Mapping[str, Node], name: str) -> Any:
    """A ``networkx.DiGraph`` whose nodes have the attributes ``states``, ``parents`` and ``probs``.

    The columns of ``probs`` are the states, its rows the combinations of the parents' states, the last parent changing
    fastest. A law that is held in parts has them as ``parts`` instead, for the whole table can be too large.

    >>> graph = to_networkx({"coin": Node("coin", ["H", "T"], [0.5, 0.5])}, "toss")
    >>> graph.nodes["coin"]["states"], graph.nodes["coin"]["probs"]
    (('H', 'T'), array([[0.5, 0.5]]))
    """
    graph = _networkx().DiGraph(name=name)
    for node in nodes.values():
        law = {"parts": node.parts, "text": node.text} if node.parts else {"probs": node.probs}
        graph.add_node(node.name, states=node.states, parents=tuple(node.parents), **law)
    graph.add_edges_from((parent, node.name) for node in nodes.values() for parent in node.parents)
    return graph


def from_networkx(graph: Any) -> list[Node]:
    """The nodes in a ``networkx.DiGraph`` with the attributes ``states`` and ``probs`` (or ``parts``).

    ``probs`` is whatever ``Node`` takes. With two parents or more the attribute ``parents`` gives their order.
    """
    if not isinstance(graph, _networkx().DiGraph):
        raise InvalidInput(f"graph must be a networkx.DiGraph; got {checks.shown(graph)}")
    states = {name: _attribute(graph, name, "states", "'states' and 'probs'") for name in graph}
    nodes = []
    for name in graph:
        above, attributes = list(graph.predecessors(name)), graph.nodes[name]
        parents = list(attributes.get("parents", above))
        if set(parents) != set(above):
            raise InvalidInput(
                f"the attribute 'parents' of {name!r} must name those with edges to it, {checks.shown(above)}; "
                f"got {checks.shown(parents)}"
            )
        if len(parents) > 1 and "parents" not in attributes:
            raise InvalidInput(f"{name!r} has several parents; give their order in the attribute 'parents'")
        given = {parent: states[parent] for parent in parents}
        if "parts" in attributes:
            nodes.append(Node.of_parts(attributes["parts"], given=given, text=attributes.get("text", "")))
        else:
            probs = _attribute(graph, name, "probs", "'states' and 'probs'")
            nodes.append(Node(name, states[name], probs, given=given))
    return nodes


def potentials_to_networkx(
    graph: Graph, variables: Mapping[str, States], potentials: Iterable[Factor], name: str
) -> Any:
    """A ``networkx.Graph`` whose nodes have the attribute ``states``; the graph itself has ``potentials``.

    >>> phi = Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])
    >>> made = potentials_to_networkx(Graph(["A", "B"], [("A", "B")]), phi.variables, [phi], "two")
    >>> made.nodes["A"]["states"], made.graph["potentials"]
    ((0, 1), (Factor over A, B: 4 cells,))
    """
    made = _networkx().Graph(name=name, potentials=tuple(potentials))
    for each, states in variables.items():
        made.add_node(each, states=states)
    made.add_edges_from(graph.edges)
    return made


def potentials_from_networkx(graph: Any) -> tuple[tuple[Factor, ...], dict[str, States]]:
    """The potentials of a ``networkx.Graph`` that ``potentials_to_networkx`` has made, and its variables."""
    if not isinstance(graph, _networkx().Graph) or graph.is_directed():
        raise InvalidInput(f"graph must be a networkx.Graph without directions; got {checks.shown(graph)}")
    if "potentials" not in graph.graph:
        raise InvalidInput("the graph has no attribute 'potentials'; it needs a list of Factors there")
    return tuple(graph.graph["potentials"]), {name: _attribute(graph, name, "states", "'states'") for name in graph}


def _attribute(graph: Any, name: Any, attribute: str, needed: str) -> Any:
    if attribute not in graph.nodes[name]:
        raise InvalidInput(f"the node {name!r} has no attribute {attribute!r}; it needs {needed}")
    return graph.nodes[name][attribute]


def _networkx() -> Any:
    try:
        return importlib.import_module("networkx")
    except ImportError:
        raise InvalidInput("networkx is not installed: pip install networkx") from None
