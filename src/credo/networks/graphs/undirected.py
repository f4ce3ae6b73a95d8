"""Undirected graphs over named variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from credo import checks
from credo.beliefs.axes import Names, as_names
from credo.networks.graphs.digraph import Digraph
from credo.networks.graphs.separation import different
from credo.networks.readonly import ReadOnly

__all__ = ["Graph", "moral_graph"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Graph:
    """Which variables touch: for each name its neighbours.

    >>> graph = Graph.of_cliques(["A", "B", "C", "D"], [["A", "B"], ["B", "C", "D"]])
    >>> sorted(graph.neighbours["B"]), graph.separated("A", "D"), graph.separated("A", "D", given="B")
    (['A', 'C', 'D'], False, True)
    """

    neighbours: Mapping[str, frozenset[str]]

    def __init__(self, names: Iterable[str], edges: Iterable[tuple[str, str]] = ()) -> None:
        near: dict[str, set[str]] = {name: set() for name in checks.unique("names", names)}
        for a, b in edges:
            for name in (a, b):
                if name not in near:
                    checks.known("variable", name, near)
            if a != b:
                near[a].add(b)
                near[b].add(a)
        object.__setattr__(self, "neighbours", ReadOnly({name: frozenset(each) for name, each in near.items()}))

    @classmethod
    def of_cliques(cls, names: Iterable[str], cliques: Iterable[Iterable[str]]) -> Graph:
        """The graph in which the names of each clique all touch each other."""
        return cls(names, (pair for clique in cliques for pair in itertools.combinations(clique, 2)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in the order they were given."""
        return tuple(self.neighbours)

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """Every edge once, the name that stands first before the other."""
        place = {name: i for i, name in enumerate(self.neighbours)}
        for name, near in self.neighbours.items():
            for other in sorted(near, key=place.__getitem__):
                if place[name] < place[other]:
                    yield name, other

    def known(self, names: Names) -> tuple[str, ...]:
        """One name or several, each of which is a variable of the graph."""
        return tuple(checks.known("variable", name, self.neighbours) for name in as_names(names))

    def component(self, start: Names, *, without: Iterable[str] = ()) -> set[str]:
        """``start`` and whatever paths from there lead to that do not touch ``without``."""
        seen = set(without)
        found: set[str] = set()
        waiting = list(self.known(start))
        while waiting:
            found.update(waiting)
            seen.update(waiting)
            waiting = list({near for name in waiting for near in self.neighbours[name] if near not in seen})
        return found

    def separated(self, a: Names, b: Names, *, given: Names = ()) -> bool:
        """Whether every path between ``a`` and ``b`` goes through ``given``: then they are independent given it."""
        one, other, known = different(self.known(a), self.known(b), self.known(given))
        return self.component(one, without=known).isdisjoint(other)

    def __len__(self) -> int:
        return len(self.neighbours)

    def __contains__(self, name: object) -> bool:
        return name in self.neighbours

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self.neighbours == other.neighbours

    def __hash__(self) -> int:
        return hash(frozenset(self.neighbours.items()))

    def __repr__(self) -> str:
        edges = sum(map(len, self.neighbours.values())) // 2
        return f"Graph of {len(self):,} variables, {edges:,} edge{'s' if edges != 1 else ''}"


def moral_graph(graph: Digraph) -> Graph:
    """Every edge without its direction, and an edge between any two parents of the same child.

    >>> list(moral_graph(Digraph({"rain": (), "sprinkler": (), "wet": ("rain", "sprinkler")})).edges)
    [('rain', 'sprinkler'), ('rain', 'wet'), ('sprinkler', 'wet')]
    """
    return Graph.of_cliques(graph.names, ((name, *parents) for name, parents in graph.parents.items()))
