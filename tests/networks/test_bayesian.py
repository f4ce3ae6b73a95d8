"""Bayesian networks as values: what they are made of, what follows from their graph."""

from __future__ import annotations

import pytest

from credo.errors import InvalidInput
from credo.networks import BayesianNetwork, Node


def roof_climber() -> BayesianNetwork:
    """A cat (C) or a gust (G) sets off the alarm (A); the neighbours' lights (L1, L2) go on when they hear it."""
    cat, gust = Node.event("C", 0.05), Node.event("G", 0.2)
    alarm = Node.event("A", [[0.98, 0.96], [0.2, 0.08]], given=[cat, gust])
    first = Node.event("L1", [0.99, 0.08], given=[alarm])
    second = Node.event("L2", [0.6, 0.001], given=[alarm])
    return BayesianNetwork([cat, gust, alarm, first, second], name="roof climber")


def test_separation_in_the_roof_climber() -> None:
    net = roof_climber()
    assert net.d_separated("C", "G")
    assert not net.d_separated("C", "G", given="L2")
    assert net.d_separated({"C", "G"}, {"L1", "L2"}, given="A")
    assert net.requisite("C", given=["L1"]) == ("C", "G", "A", "L1")
    assert net.requisite("L1", given=["A", "C"]) == ("L1",)


def test_a_cycle_is_refused_by_name() -> None:
    a = Node.event("A", [0.1, 0.2], given={"B": (True, False)})
    b = Node.event("B", [0.1, 0.2], given={"A": (True, False)})
    with pytest.raises(InvalidInput, match="A → B → A"):
        BayesianNetwork([a, b])


def test_nodes_may_come_in_any_order() -> None:
    net = roof_climber()
    turned = BayesianNetwork(reversed(net.nodes.values()))
    assert list(turned.variables) == ["L2", "L1", "A", "G", "C"]
    assert turned.graph == net.graph
    assert set(turned.graph.order[:2]) == {"C", "G"}
