"""Markov equivalence against its definition: the same separations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hypothesis import given
from tests.networks.graphs.drawn import digraphs

from credo.errors import InvalidInput
from credo.networks.graphs import Digraph, d_separated, equivalent, essential_graph


def separations(graph: Digraph) -> set[tuple[str, ...]]:
    names = sorted(graph.names)
    return {
        (a, b, *known)
        for a, b in itertools.combinations(names, 2)
        for size in range(len(names) - 1)
        for known in itertools.combinations([name for name in names if name not in (a, b)], size)
        if d_separated(graph, a, b, given=known)
    }


def redirected(graph: Digraph) -> Iterator[Digraph]:
    """Every graph with the same edges but for their directions."""
    edges = list(graph.edges)
    for turned in itertools.product([False, True], repeat=len(edges)):
        parents: dict[str, list[str]] = {name: [] for name in graph.names}
        for (parent, child), turn in zip(edges, turned, strict=True):
            parents[parent if turn else child].append(child if turn else parent)
        try:
            yield Digraph(parents)
        except InvalidInput:  # a cycle
            continue


@given(digraphs(most=4), digraphs(most=4))
def test_equivalent_graphs_imply_the_same(one: Digraph, other: Digraph) -> None:
    assert equivalent(one, one)
    if sorted(one.names) == sorted(other.names):
        assert equivalent(one, other) == (separations(one) == separations(other))


@given(digraphs(most=5))
def test_the_essential_graph_is_what_all_equivalent_graphs_share(graph: Digraph) -> None:
    alike = [set(other.edges) for other in redirected(graph) if equivalent(graph, other)]
    shared = set.intersection(*alike)
    pattern = essential_graph(graph)
    assert set(pattern.directed) == shared
    assert set(pattern.undirected) == set(graph.edges) - shared


@given(digraphs(most=4))
def test_equivalence_is_the_same_separations_for_every_direction(graph: Digraph) -> None:
    for other in redirected(graph):
        assert equivalent(graph, other) == (separations(graph) == separations(other))
