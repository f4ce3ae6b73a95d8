"""Which directed graphs say the same about independence, and what they have in common."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from credo.networks.graphs.digraph import Digraph

__all__ = ["Pattern", "equivalent", "essential_graph", "v_structures"]


class Pattern(NamedTuple):
    """The directions that every equivalent graph shares, and the edges that may point either way.

    >>> str(Pattern((("rain", "wet"),), (("wet", "slippery"),)))
    'rain → wet, wet – slippery'
    """

    directed: tuple[tuple[str, str], ...]
    undirected: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return ", ".join([*(f"{a} → {b}" for a, b in self.directed), *(f"{a} – {b}" for a, b in self.undirected)])


def v_structures(graph: Digraph) -> set[tuple[frozenset[str], str]]:
    """Every child with two of its parents that do not touch.

    >>> [(sorted(parents), child) for parents, child in v_structures(Digraph({"a": (), "b": (), "c": ("a", "b")}))]
    [(['a', 'b'], 'c')]
    """
    return {
        (frozenset((a, b)), child)
        for child, parents in graph.parents.items()
        for a, b in itertools.combinations(parents, 2)
        if a not in graph.parents[b] and b not in graph.parents[a]
    }


def equivalent(one: Digraph, other: Digraph) -> bool:
    """Whether both graphs imply the same independencies: the same edges but for direction, the same v-structures.

    >>> equivalent(Digraph({"a": (), "b": ("a",)}), Digraph({"a": ("b",), "b": ()}))
    True
    """
    same_names = one.parents.keys() == other.parents.keys()
    same_skeleton = {frozenset(edge) for edge in one.edges} == {frozenset(edge) for edge in other.edges}
    return same_names and same_skeleton and v_structures(one) == v_structures(other)


def essential_graph(graph: Digraph) -> Pattern:
    """What all equivalent graphs have in common (the completed partially directed graph), by Chickering (1995).

    >>> print(essential_graph(Digraph({"rain": (), "hose": (), "wet": ("rain", "hose"), "rust": ("wet",)})))
    rain → wet, hose → wet, wet → rust
    >>> print(essential_graph(Digraph({"rain": (), "wet": ("rain",), "rust": ("wet",)})))
    rain – wet, wet – rust
    """
    place = {name: i for i, name in enumerate(graph.order)}
    compelled: dict[tuple[str, str], bool] = {}
    for child in graph.order:
        # The nearest parent first: what is settled about it settles most of the others.
        parents = sorted(graph.parents[child], key=place.__getitem__, reverse=True)
        for parent in parents:
            if (parent, child) not in compelled:
                _settle(graph, parent, child, compelled)
    directed = tuple(edge for edge in graph.edges if compelled[edge])
    return Pattern(directed, tuple(edge for edge in graph.edges if not compelled[edge]))


def _settle(graph: Digraph, parent: str, child: str, compelled: dict[tuple[str, str], bool]) -> None:
    """Whether the edge, and those into the same child that share its fate, must point as they do."""
    parents = graph.parents[child]
    for above in graph.parents[parent]:
        if compelled[above, parent]:
            if above not in parents:
                compelled.update(((each, child), True) for each in parents)
                return
            compelled[above, child] = True
    must = any(each != parent and each not in graph.parents[parent] for each in parents)
    compelled.update(((each, child), must) for each in parents if (each, child) not in compelled)
