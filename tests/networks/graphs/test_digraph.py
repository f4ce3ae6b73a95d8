"""Directed graphs: order, cycles, kin."""

from __future__ import annotations

import pytest

from credo.errors import InvalidInput, UnknownName
from credo.networks.graphs import Digraph

STORM = Digraph(
    {
        "storm": (),
        "bus": (),
        "lightning": ("storm",),
        "campfire": ("storm", "bus"),
        "thunder": ("lightning",),
        "fire": ("lightning", "storm", "campfire"),
    }
)


def test_kin() -> None:
    assert STORM.children["storm"] == ("lightning", "campfire", "fire")
    assert STORM.ancestors("thunder") == {"lightning", "storm"}
    assert STORM.ancestors(["thunder", "lightning"]) == {"lightning", "storm"}
    assert STORM.descendants("bus") == {"campfire", "fire"}
    assert STORM.without_barren("campfire") == {"campfire", "storm", "bus"}
    assert STORM.markov_blanket("lightning") == {"storm", "thunder", "fire", "campfire"}
    assert STORM.markov_blanket("bus") == {"campfire", "storm"}
    assert STORM.only(["fire", "storm", "bus"]) == Digraph({"storm": (), "bus": (), "fire": ("storm",)})
    assert len(STORM) == 6
    assert "storm" in STORM
    assert repr(STORM) == "Digraph of 6 variables, 7 edges"


def test_an_order_that_is_good_is_kept() -> None:
    assert STORM.order == STORM.names


def test_parents_come_first() -> None:
    graph = Digraph({name: STORM.parents[name] for name in reversed(STORM.names)})
    assert graph.names == STORM.names[::-1]
    place = {name: i for i, name in enumerate(graph.order)}
    assert all(place[parent] < place[child] for parent, child in graph.edges)
    assert graph == STORM
    assert hash(graph) == hash(STORM)


@pytest.mark.parametrize(
    ("parents", "cycle"),
    [
        ({"A": ["A"]}, "A → A$"),
        ({"A": ["C"], "B": ["A"], "C": ["B"], "D": ["A"]}, "A → B → C → A$"),
        ({"D": ["A"], "A": ["C"], "B": ["A"], "C": ["B"]}, "A → B → C → A$"),
        ({str(i): [str((i + 1) % 1000)] for i in range(1000)}, "0 → 999 → .* → … → 1 → 0$"),
    ],
)
def test_a_cycle_is_named(parents, cycle: str) -> None:
    with pytest.raises(InvalidInput, match=cycle):
        Digraph(parents)


def test_names_are_checked() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'rain'"):
        Digraph({"rain": (), "wet": ("rian",)})
    with pytest.raises(InvalidInput, match="stands twice"):
        Digraph({"rain": (), "wet": ("rain", "rain")})
    with pytest.raises(InvalidInput, match="list of names"):
        Digraph({"rain": (), "wet": "rain"})
    with pytest.raises(UnknownName):
        STORM.ancestors("snow")
