"""What a directed graph says about independence, written out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from credo.beliefs.joint import Independence
from credo.networks.graphs.digraph import Digraph
from credo.networks.graphs.undirected import Graph

__all__ = ["LocalIndependence", "local_independencies", "minimal_separators", "pairwise_independencies"]

SHOWN_NAMES = 12


class LocalIndependence(NamedTuple):
    """The statement that once its parents are known, ``a`` learns nothing from the others that do not descend from it.

    >>> print(LocalIndependence("coughs", ("age", "sex"), ("smokes",)))
    coughs ⊥ age, sex | smokes
    """

    a: str
    b: tuple[str, ...]
    given: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.a} ⊥ {_listed(self.b)}" + (f" | {_listed(self.given)}" if self.given else "")


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f", … {more:,} more" if more > 0 else "")


def local_independencies(graph: Digraph) -> Iterator[LocalIndependence]:
    """For each variable the local Markov statement, from which all others follow; one at a time.

    >>> print(*local_independencies(Digraph({"a": (), "b": ("a",), "c": ("b",)})), sep="; ")
    c ⊥ a | b
    """
    for name, parents in graph.parents.items():
        close = {name, *parents, *graph.descendants(name)}
        others = tuple(other for other in graph.parents if other not in close)
        if others:
            yield LocalIndependence(name, others, parents)


def pairwise_independencies(graph: Digraph) -> Iterator[Independence]:
    """For each two variables that do not touch every smallest set that separates them, one at a time.

    >>> print(*pairwise_independencies(Digraph({"a": (), "b": ("a",), "c": ("a",), "d": ("b", "c")})), sep="; ")
    a ⊥ d | b, c; b ⊥ c | a
    """
    place = {name: i for i, name in enumerate(graph.parents)}
    for a, b in itertools.combinations(graph.parents, 2):
        if a in graph.parents[b] or b in graph.parents[a]:
            continue
        # A smallest separating set lies among the ancestors, where it is one that separates the moral graph.
        above = graph.without_barren((a, b))
        near = Graph.of_cliques(above, ((name, *graph.parents[name]) for name in above))
        found = [sorted(map(place.__getitem__, each)) for each in minimal_separators(near, a, b)]
        for codes in sorted(found, key=lambda each: (len(each), each)):
            yield Independence(a, b, tuple(graph.names[code] for code in codes))


def minimal_separators(graph: Graph, a: str, b: str) -> Iterator[frozenset[str]]:
    """Every set that separates ``a`` from ``b`` of which no part does, each in time linear in the graph.

    From the set that lies closest to ``a``, each further one is reached by moving one of its names to the side of
    ``a`` (Shen and Liang, 1997).

    >>> square = Graph(list("abcd"), [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> [sorted(each) for each in minimal_separators(square, "a", "c")]
    [['b', 'd']]
    """
    first = _closest(graph, {a}, b)
    seen = {first}
    waiting = [first]
    while waiting:
        separator = waiting.pop()
        yield separator
        side = graph.component(a, without=separator)
        for name in separator - graph.neighbours[b]:
            moved = _closest(graph, {*side, name}, b)
            if moved not in seen:
                seen.add(moved)
                waiting.append(moved)


def _closest(graph: Graph, side: set[str], b: str) -> frozenset[str]:
    """The neighbours of ``side`` that ``b`` can be reached from."""
    edge = _around(graph, side)
    return frozenset(_around(graph, graph.component(b, without=edge)) & edge)


def _around(graph: Graph, names: Iterable[str]) -> set[str]:
    inside = set(names)
    return {near for name in inside for near in graph.neighbours[name]} - inside
