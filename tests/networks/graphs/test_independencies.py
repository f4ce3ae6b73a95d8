"""The independencies written out, against d-separation asked one by one."""

from __future__ import annotations

import itertools

from hypothesis import given
from tests.networks.graphs.drawn import digraphs

from credo.networks.graphs import (
    Digraph,
    LocalIndependence,
    d_separated,
    local_independencies,
    pairwise_independencies,
)


@given(digraphs())
def test_the_list_holds_every_smallest_separating_set(graph: Digraph) -> None:
    expected = set()
    for a, b in itertools.combinations(graph.names, 2):
        smallest: list[set[str]] = []
        others = [name for name in graph.names if name not in (a, b)]
        for size in range(len(others) + 1):
            for known in itertools.combinations(others, size):
                if d_separated(graph, a, b, given=known) and not any(each <= set(known) for each in smallest):
                    smallest.append(set(known))
        expected |= {(a, b, tuple(name for name in graph.names if name in each)) for each in smallest}
    found = list(pairwise_independencies(graph))
    assert len(set(found)) == len(found)
    assert set(map(tuple, found)) == expected


@given(digraphs())
def test_local_statements_hold_and_say_all_there_is_about_a_variable(graph: Digraph) -> None:
    for name, others, parents in local_independencies(graph):
        assert d_separated(graph, name, others, given=parents)
        assert {name, *others, *parents, *graph.descendants(name)} == set(graph.names)


def test_long_statements_are_shortened() -> None:
    names = tuple(f"n{i}" for i in range(1000))
    text = str(LocalIndependence("a", names, ()))
    assert text.endswith("n11, … 988 more")
    assert text.startswith("a ⊥ n0, n1")


def test_local_statements_come_one_at_a_time() -> None:
    graph = Digraph({str(i): [str(i - 1)] if i else [] for i in range(10_000)})
    assert next(local_independencies(graph)).a == "2"
