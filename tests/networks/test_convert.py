"""There and back again with networkx."""

from __future__ import annotations

import sys

import networkx as nx
import pytest
from hypothesis import given
from tests.networks.worked import roof_climber
from tests.oracles import networks as oracle

from credo.errors import InvalidInput
from credo.networks import BayesianNetwork, Node


@given(oracle.bayesian_networks())
def test_there_and_back_again(net: BayesianNetwork) -> None:
    graph = net.to_networkx()
    assert list(graph) == list(net)
    assert set(graph.edges) == set(net.edges)
    assert BayesianNetwork.from_networkx(graph) == net


def test_a_network_made_in_networkx() -> None:
    graph = nx.DiGraph(name="made")
    graph.add_node("rain", states=["yes", "no"], probs=[0.2, 0.8])
    graph.add_node("wet", states=["on", "off"], probs={"yes": [0.9, 0.1], "no": [0.1, 0.9]})
    graph.add_edge("rain", "wet")
    net = BayesianNetwork.from_networkx(graph)
    assert net.name == "made"
    assert net["wet"] == Node("wet", ["on", "off"], [[0.9, 0.1], [0.1, 0.9]], given=[net["rain"]])


def test_the_graph_agrees_with_networkx() -> None:
    net = roof_climber()
    graph = net.to_networkx()
    assert nx.ancestors(graph, "L1") == set(net.ancestors("L1"))
    assert nx.is_d_separator(graph, {"C"}, {"G"}, set()) == net.d_separated("C", "G")
    assert nx.is_d_separator(graph, {"C"}, {"G"}, {"L1"}) == net.d_separated("C", "G", given="L1")


def test_what_is_refused(monkeypatch) -> None:
    with pytest.raises(InvalidInput, match=r"must be a networkx\.DiGraph"):
        BayesianNetwork.from_networkx(nx.Graph(name=""))
    graph = nx.DiGraph([("a", "c"), ("b", "c")])
    with pytest.raises(InvalidInput, match="node 'a' has no attribute 'states'"):
        BayesianNetwork.from_networkx(graph)
    for name in graph:
        graph.nodes[name].update(states=[0, 1], probs=[0.5, 0.5])
    with pytest.raises(InvalidInput, match="'c' has several parents; give their order"):
        BayesianNetwork.from_networkx(graph)
    graph.nodes["c"].update(parents=["b"])
    with pytest.raises(InvalidInput, match="attribute 'parents' of 'c' must name those with edges to it"):
        BayesianNetwork.from_networkx(graph)
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InvalidInput, match="pip install networkx"):
        roof_climber().to_networkx()
