"""d-separation against its definition by paths and against numbers; relevance against sums over the whole joint."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.graphs.drawn import digraphs

from credo.errors import BadParameter, UnknownName
from credo.networks.graphs import Digraph, d_separated, requisite


def blocked(graph: Digraph, path: tuple[str, ...], known: set[str]) -> bool:
    """The definition: a collider blocks unless it or a descendant is known; any other inner name blocks if known."""
    for before, name, after in zip(path, path[1:], path[2:], strict=False):
        if before in graph.parents[name] and after in graph.parents[name]:
            if not known & {name, *graph.descendants(name)}:
                return True
        elif name in known:
            return True
    return False


def separated_by_paths(graph: Digraph, a: str, b: str, known: set[str]) -> bool:
    others = [name for name in graph.names if name not in (a, b)]
    near = {name: {*graph.parents[name], *graph.children[name]} for name in graph.names}
    for size in range(len(others) + 1):
        for inner in itertools.permutations(others, size):
            path = (a, *inner, b)
            if all(y in near[x] for x, y in itertools.pairwise(path)) and not blocked(graph, path, known):
                return False
    return True


@given(digraphs(most=5), st.data())
def test_d_separation_is_what_its_definition_says(graph: Digraph, data) -> None:
    for a, b in itertools.combinations(graph.names, 2):
        others = [name for name in graph.names if name not in (a, b)]
        known = data.draw(st.sets(st.sampled_from(others))) if others else set()
        assert d_separated(graph, a, b, given=known) == separated_by_paths(graph, a, b, known)
        assert d_separated(graph, b, a, given=known) == d_separated(graph, a, b, given=known)


@given(digraphs(), st.data())
def test_groups_are_separated_when_all_their_pairs_are(graph: Digraph, data) -> None:
    parts = {name: data.draw(st.integers(0, 3)) for name in graph.names}
    a, b, known = ([name for name, part in parts.items() if part == i] for i in range(3))
    if a and b:
        pairs = all(d_separated(graph, x, y, given=known) for x in a for y in b)
        assert d_separated(graph, a, b, given=known) == pairs


def joint(graph: Digraph, tables: dict[str, np.ndarray]) -> np.ndarray:
    """The product of tables with an axis for every name of the graph."""
    product = np.ones([2] * len(graph))
    for name, table in tables.items():
        axes = [graph.names.index(each) for each in (*graph.parents[name], name)]
        wide = np.expand_dims(table.transpose(np.argsort(axes)), [i for i in range(len(graph)) if i not in axes])
        product = product * wide
    return product


def random_tables(graph: Digraph, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    tables = {name: rng.uniform(0.1, 1, [2] * (len(each) + 1)) for name, each in graph.parents.items()}
    return {name: table / table.sum(axis=-1, keepdims=True) for name, table in tables.items()}


@given(digraphs(), st.data(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_separation_means_independence_in_any_tables(graph: Digraph, data, seed: int) -> None:
    product = joint(graph, random_tables(graph, seed))
    for a, b in itertools.combinations(range(len(graph)), 2):
        known = [i for i in range(len(graph)) if i not in (a, b) and data.draw(st.booleans())]
        order = [a, b, *known]
        rest = tuple(i for i in range(len(graph)) if i not in order)
        table = product.sum(axis=rest).transpose(np.argsort(np.argsort(order))).reshape(2, 2, -1)
        gap = np.abs(table * table.sum(axis=(0, 1)) - table.sum(axis=0) * table.sum(axis=1, keepdims=True)).max()
        names = [graph.names[i] for i in known]
        # Random tables are faithful to their graph: what is not separated is dependent.
        assert d_separated(graph, graph.names[a], graph.names[b], given=names) == (gap < 1e-14)


@given(digraphs(), st.data(), st.integers(0, 2**32 - 1))
def test_the_other_tables_do_not_matter(graph: Digraph, data, seed: int) -> None:
    query = data.draw(st.sampled_from(graph.names))
    found = {name: data.draw(st.sampled_from(["no", "state", "hint"])) for name in graph.names if name != query}
    known = [name for name, kind in found.items() if kind == "state"]
    hinted = [name for name, kind in found.items() if kind == "hint"]
    needed = requisite(graph, query, given=known, hinted=hinted)
    tables = random_tables(graph, seed)
    other = random_tables(graph, seed ^ 1)

    def posterior(used: dict[str, np.ndarray]) -> np.ndarray:
        product = joint(graph, used)
        for name in hinted:
            axis = graph.names.index(name)
            product = product * np.array([0.2, 0.9]).reshape([-1 if i == axis else 1 for i in range(len(graph))])
        for name in known:
            product = product.take([1], axis=graph.names.index(name))
        axis = graph.names.index(query)
        belief = product.sum(axis=tuple(i for i in range(len(graph)) if i != axis))
        return belief / belief.sum()

    exact = posterior(tables)
    np.testing.assert_allclose(posterior({name: tables[name] for name in needed}), exact)
    for name in graph.names:  # and each table that is named does matter
        changed = posterior({**tables, name: other[name]})
        assert np.allclose(changed, exact, rtol=0, atol=1e-14) == (name not in needed)


def test_a_long_chain_takes_neither_recursion_nor_time() -> None:
    n = 100_000
    graph = Digraph({str(i): [str(i + 1)] if i + 1 < n else [] for i in range(n)})
    assert graph.order[0] == str(n - 1)
    assert not d_separated(graph, "0", str(n - 1))
    assert d_separated(graph, "0", str(n - 1), given=str(n // 2))
    assert len(requisite(graph, "0", given=str(n // 2))) == n // 2


def test_names_are_checked() -> None:
    graph = Digraph({"A": (), "B": ("A",)})
    with pytest.raises(UnknownName, match="no variable 'C'"):
        d_separated(graph, "A", "C")
    with pytest.raises(BadParameter, match="'A' stands twice"):
        d_separated(graph, "A", "B", given=["A"])
    with pytest.raises(BadParameter, match="at least one"):
        d_separated(graph, "A", [])
