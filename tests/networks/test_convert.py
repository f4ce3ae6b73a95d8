"""There and back again with networkx."""

from __future__ import annotations

import sys

import networkx as nx
import pytest
from hypothesis import given
from tests.networks.worked import roof_climber
from tests.oracles import networks as oracle

from credo.errors import InvalidInput
from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node
from credo.networks.compact import noisy_or


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


def test_laws_in_parts_stay_in_parts() -> None:
    causes = [Node.event(f"cause{i}", 0.1) for i in range(40)]
    net = BayesianNetwork([*causes, noisy_or("fever", dict.fromkeys(causes, 0.3))])
    again = BayesianNetwork.from_networkx(net.to_networkx())
    assert again == net
    assert repr(again["fever"]) == repr(net["fever"])


def test_markov_networks_there_and_back_again() -> None:
    phi = Factor({"A": (0, 1), "B": ("x", "y", "z")}, [[1, 2, 3], [4, 5, 6]])
    net = MarkovNetwork([phi, phi, Factor({}, 2.0)], variables={"alone": (0, 1)}, name="few")
    graph = net.to_networkx()
    assert set(graph.edges) == {("A", "B")}
    assert graph.nodes["B"]["states"] == ("x", "y", "z")
    again = MarkovNetwork.from_networkx(graph)
    assert again == net
    assert again.name == "few"
    with pytest.raises(InvalidInput, match=r"must be a networkx\.Graph without directions"):
        MarkovNetwork.from_networkx(roof_climber().to_networkx())
    with pytest.raises(InvalidInput, match="no attribute 'potentials'"):
        MarkovNetwork.from_networkx(nx.Graph([("A", "B")]))
    del graph.nodes["A"]["states"]
    with pytest.raises(InvalidInput, match="node 'A' has no attribute 'states'; it needs 'states'"):
        MarkovNetwork.from_networkx(graph)


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
