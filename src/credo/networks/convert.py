"""Bayesian networks from and to networkx."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from credo import checks
from credo.errors import InvalidInput
from credo.networks.nodes import Node

__all__ = ["from_networkx", "to_networkx"]


def to_networkx(nodes: Mapping[str, Node], name: str) -> Any:
    """A ``networkx.DiGraph`` whose nodes have the attributes ``states``, ``parents`` and ``probs``.

    The columns of ``probs`` are the states, its rows the combinations of the parents' states, the last parent changing
    fastest.

    >>> graph = to_networkx({"coin": Node("coin", ["H", "T"], [0.5, 0.5])}, "toss")
    >>> graph.nodes["coin"]["states"], graph.nodes["coin"]["probs"]
    (('H', 'T'), array([[0.5, 0.5]]))
    """
    graph = _networkx().DiGraph(name=name)
    for node in nodes.values():
        graph.add_node(node.name, states=node.states, parents=tuple(node.parents), probs=node.probs)
    graph.add_edges_from((parent, node.name) for node in nodes.values() for parent in node.parents)
    return graph


def from_networkx(graph: Any) -> list[Node]:
    """The nodes in a ``networkx.DiGraph`` with the attributes ``states`` and ``probs``.

    ``probs`` is whatever ``Node`` takes. With two parents or more the attribute ``parents`` gives their order.
    """
    if not isinstance(graph, _networkx().DiGraph):
        raise InvalidInput(f"graph must be a networkx.DiGraph; got {checks.shown(graph)}")
    states = {name: _attribute(graph, name, "states") for name in graph}
    nodes = []
    for name in graph:
        above = list(graph.predecessors(name))
        parents = list(graph.nodes[name].get("parents", above))
        if set(parents) != set(above):
            raise InvalidInput(
                f"the attribute 'parents' of {name!r} must name those with edges to it, {checks.shown(above)}; "
                f"got {checks.shown(parents)}"
            )
        if len(parents) > 1 and "parents" not in graph.nodes[name]:
            raise InvalidInput(f"{name!r} has several parents; give their order in the attribute 'parents'")
        probs = _attribute(graph, name, "probs")
        nodes.append(Node(name, states[name], probs, given={parent: states[parent] for parent in parents}))
    return nodes


def _attribute(graph: Any, name: Any, attribute: str) -> Any:
    if attribute not in graph.nodes[name]:
        raise InvalidInput(f"the node {name!r} has no attribute {attribute!r}; it needs 'states' and 'probs'")
    return graph.nodes[name][attribute]


def _networkx() -> Any:
    try:
        return importlib.import_module("networkx")
    except ImportError:
        raise InvalidInput("networkx is not installed: pip install networkx") from None
