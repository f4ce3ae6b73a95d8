"""Undirected graphs, and how they come from directed ones."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.networks.graphs.drawn import digraphs

from credo.errors import BadParameter, InvalidInput, UnknownName
from credo.networks.graphs import Digraph, Graph, d_separated, moral_graph


def test_separation_is_a_matter_of_paths() -> None:
    graph = Graph(list("abcdef"), [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("e", "f")])
    assert not graph.separated("a", "c", given="b")
    assert graph.separated("a", "c", given=["b", "d"])
    assert graph.separated(["a", "b"], ["e", "f"])
    assert graph.component("a") == set("abcd")
    assert graph.component("a", without="bd") == {"a"}


@given(digraphs(least=2), st.data())
def test_d_separation_is_separation_in_the_moral_graph_of_the_ancestors(graph: Digraph, data) -> None:
    a, b = data.draw(st.permutations(graph.names))[:2]
    others = [name for name in graph.names if name not in (a, b)]
    known = data.draw(st.sets(st.sampled_from(others))) if others else set()
    moral = moral_graph(graph.only(graph.without_barren([a, b, *known])))
    assert moral.separated(a, b, given=known) == d_separated(graph, a, b, given=known)


def test_values() -> None:
    graph = Graph(list("abc"), [("b", "a"), ("b", "c"), ("a", "b"), ("c", "c")])
    assert list(graph.edges) == [("a", "b"), ("b", "c")]
    assert graph == Graph(list("cba"), [("c", "b"), ("a", "b")])
    assert hash(graph) == hash(Graph(list("cba"), [("c", "b"), ("a", "b")]))
    assert graph != Graph(list("abc"))
    assert repr(graph) == "Graph of 3 variables, 2 edges"
    assert len(graph) == 3
    assert "a" in graph
    assert graph.names == tuple("abc")


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="no variable 'd'"):
        Graph(["a", "b"], [("a", "d")])
    with pytest.raises(InvalidInput, match="stands twice"):
        Graph(["a", "a"])
    with pytest.raises(BadParameter, match="'a' stands twice"):
        Graph(["a", "b"]).separated("a", ["a", "b"])


def test_a_large_graph_takes_no_time() -> None:
    n = 100_000
    names = [str(i) for i in range(n)]
    graph = Graph(names, itertools.pairwise(names))
    assert not graph.separated("0", names[-1])
    assert graph.separated("0", names[-1], given=names[n // 2])
