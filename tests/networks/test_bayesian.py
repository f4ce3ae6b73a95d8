"""Bayesian networks as values: what they are made of, what follows from their graph, what others they lead to."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.networks.worked import roof_climber
from tests.oracles import networks as oracle

from credo.beliefs import Independence, JointTable
from credo.errors import InvalidInput, TooLarge, UnknownName
from credo.networks import BayesianNetwork, MarkovNetwork, Node
from credo.networks.compact import noisy_or

ON = (True, False)


def test_the_roof_climber_and_its_kin() -> None:
    net = roof_climber()
    assert net.edges == (("C", "A"), ("G", "A"), ("A", "L1"), ("A", "L2"))
    assert net.parents("A") == ("C", "G")
    assert net.children("A") == ("L1", "L2")
    assert net.ancestors("L1") == ("C", "G", "A")
    assert net.descendants({"C", "G"}) == ("A", "L1", "L2")
    assert net.markov_blanket("C") == ("G", "A")
    assert net["A"] is net.nodes["A"]
    assert list(net.moral_graph().edges) == [("C", "G"), ("C", "A"), ("G", "A"), ("A", "L1"), ("A", "L2")]


def test_separation_in_the_roof_climber() -> None:
    net = roof_climber()
    assert net.d_separated("C", "G")
    assert not net.d_separated("C", "G", given="L2")
    assert net.d_separated({"C", "G"}, {"L1", "L2"}, given="A")
    assert net.requisite("C", given=["L1"]) == ("C", "G", "A", "L1")
    assert net.requisite("L1", given=["A", "C"]) == ("L1",)


def test_the_joint_of_the_roof_climber() -> None:
    row = {"C": False, "G": False, "A": True, "L1": True, "L2": True}
    exact = 0.99 * 0.6 * 0.08 * 0.95 * 0.8
    assert math.isclose(roof_climber().log_prob([row])[0], math.log(exact))


def test_independencies_of_the_roof_climber() -> None:
    net = roof_climber()
    assert list(map(str, net.independencies())) == [
        "C ⊥ G",
        "C ⊥ L1 | A",
        "C ⊥ L2 | A",
        "G ⊥ L1 | A",
        "G ⊥ L2 | A",
        "L1 ⊥ L2 | A",
    ]
    assert "L1 ⊥ C, G, L2 | A" in map(str, net.local_independencies())


@given(oracle.bayesian_networks(least=2, most=5))
def test_what_the_graph_says_holds_in_the_joint(net: BayesianNetwork) -> None:
    table = JointTable(list(net), list(net.variables.values()), oracle.joint(net, net))
    assert all(isinstance(each, Independence) for each in net.independencies())
    for a, b, known in net.independencies():
        assert table.mutual_information(a, b, given=known) < 1e-12


def test_too_many_independencies_are_refused() -> None:
    net = BayesianNetwork([Node.event(f"v{i}", 0.5) for i in range(150)])
    with pytest.raises(TooLarge, match="more than 10,000 independencies; local_independencies"):
        net.independencies()
    assert len(list(net.local_independencies())) == 150
    # Few pairs, but one of them with a set for each way to block fourteen paths.
    first = [Node.event("a", 0.5)]
    near = [Node.event(f"x{i}", [0.2, 0.3], given=first) for i in range(14)]
    far = [Node.event(f"y{i}", [0.2, 0.3], given=[node]) for i, node in enumerate(near)]
    last = noisy_or("b", {f"y{i}": 0.5 for i in range(14)})
    with pytest.raises(TooLarge, match="more than 10,000 independencies"):
        BayesianNetwork([*first, *near, *far, last]).independencies()


def test_a_cycle_is_refused_by_name() -> None:
    a = Node.event("A", [0.1, 0.2], given={"B": ON})
    b = Node.event("B", [0.1, 0.2], given={"A": ON})
    with pytest.raises(InvalidInput, match="A → B → A"):
        BayesianNetwork([a, b])


def test_nodes_may_come_in_any_order() -> None:
    net = roof_climber()
    turned = BayesianNetwork(reversed(net.nodes.values()))
    assert list(turned.variables) == list(turned) == ["L2", "L1", "A", "G", "C"]
    assert turned.graph == net.graph
    assert set(turned.graph.order[:2]) == {"C", "G"}


def test_a_long_chain_takes_neither_recursion_nor_time() -> None:
    nodes = [Node.event("v0", 0.5)]
    for i in range(1, 20_000):
        nodes.append(Node.event(f"v{i}", [0.9, 0.1], given=[nodes[-1]]))
    net = BayesianNetwork(reversed(nodes))
    assert net.requisite("v19999", given=["v5"])[-1] == "v6"
    assert len(net.without_barren("v10")) == 11
    assert net.do({"v7": True}).d_separated("v0", "v19999")
    assert len(net.sample(1, rng=0).columns) == 20_000


def test_what_is_refused() -> None:
    a = Node.event("A", 0.1)
    with pytest.raises(InvalidInput, match="made of Nodes"):
        BayesianNetwork([1])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="made of Nodes; got 5"):
        BayesianNetwork(5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="'A' stands twice"):
        BayesianNetwork([a, a])
    with pytest.raises(UnknownName, match="no node 'B'"):
        BayesianNetwork([Node.event("A", [0.1, 0.2], given={"B": ON})])
    with pytest.raises(InvalidInput, match="expects its parent 'A'"):
        BayesianNetwork([a, Node.event("B", [0.1, 0.2], given={"A": (0, 2)})])
    part = Node.event("B·1", [0.1, 0.2], given=[a])
    held = Node.of_parts([part, Node.event("B", [0.1, 0.2], given=[part])], given=[a])
    with pytest.raises(InvalidInput, match="name of a part of 'B'"):
        BayesianNetwork([a, held, part])
    for ask in ("parents", "children", "ancestors", "markov_blanket", "__getitem__"):
        with pytest.raises(UnknownName, match="no variable 'A2'"):
            getattr(roof_climber(), ask)("A2")


# -- other networks


@given(oracle.bayesian_networks(), st.data())
def test_an_intervention_leaves_one_law_out(net: BayesianNetwork, data) -> None:
    name = data.draw(st.sampled_from(list(net)))
    state = data.draw(st.sampled_from(net.variables[name]))
    made = net.do({name: state})
    # The truncated factorisation: the product of the other laws, where the variable has its state.
    codes = np.arange(len(net[name].states)) == net[name].states.index(state)
    rest = BayesianNetwork(
        [*(node for node in net.nodes.values() if node.name != name), Node(name, net[name].states, codes)]
    )
    np.testing.assert_allclose(oracle.joint(made, net), oracle.joint(rest, net), atol=1e-15)
    laws = [made[each] == net[each] for each in net if each != name]
    assert all(laws)
    assert made.parents(name) == ()
    assert list(made) == list(net)


def test_seeing_is_not_doing() -> None:
    net = roof_climber().do(A=True)
    assert net == roof_climber().do({"A": True})
    assert roof_climber().do() == roof_climber()
    assert net.d_separated("C", "L1")
    assert net["A"].probs.tolist() == [[1, 0]]
    with pytest.raises(UnknownName, match="state of 'A'"):
        net.do({"A": "on"})
    with pytest.raises(UnknownName, match="there is no variable 'B'"):
        net.do(B=True)
    with pytest.raises(InvalidInput, match="'A' is made to have a state twice"):
        net.do({"A": True}, A=False)
    with pytest.raises(InvalidInput, match="do takes names with their states"):
        net.do(["A"])  # type: ignore[arg-type]


def test_nodes_are_replaced_and_added() -> None:
    net = roof_climber()
    changed = net.with_node(Node.event("C", 0.5)).with_node(Node.event("L3", [0.5, 0.1], given=[net["A"]]))
    assert list(changed) == ["C", "G", "A", "L1", "L2", "L3"]
    assert changed["C"].probs[0, 0] == 0.5
    assert net["C"].probs[0, 0] == 0.05
    assert changed.name == "roof climber"
    with pytest.raises(InvalidInput, match="C → A → C"):
        net.with_node(Node.event("C", [0.1, 0.2], given=[net["A"]]))


@given(oracle.bayesian_networks(), st.data())
def test_barren_nodes_say_nothing(net: BayesianNetwork, data) -> None:
    names = data.draw(st.lists(st.sampled_from(list(net)), min_size=1, max_size=3, unique=True))
    small = net.without_barren(names)
    np.testing.assert_allclose(oracle.joint(small, names), oracle.joint(net, names), atol=1e-15)
    assert set(small) == {*names, *net.ancestors(names)}


# -- as values


def test_values() -> None:
    net = roof_climber()
    assert net == roof_climber()
    assert hash(net) == hash(roof_climber())
    assert net != net.do({"A": True})
    assert net != "net"
    assert len(net) == 5
    assert "L1" in net
    assert "L3" not in net


def test_nothing_a_network_holds_can_be_changed() -> None:
    net = roof_climber()
    held: list[Any] = [net.nodes, net.variables, net["A"].parents, net.graph.parents, net["A"].factor.variables]
    for each in held:
        name = next(iter(each))
        for change in (
            lambda each=each: each.update(x=1),
            lambda each=each, name=name: each.pop(name),
            lambda each=each, name=name: each.__setitem__(name, 1),
            lambda each=each, name=name: each.__delitem__(name),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change()
    with pytest.raises(ValueError, match="read-only"):
        net["A"].probs[0, 0] = 1.0
    assert net == roof_climber()


def test_a_copy_is_the_same_network_without_what_was_kept() -> None:
    net = roof_climber()
    net.posteriors()
    again = copy.deepcopy(net)  # which is what goes to another process
    assert again == net
    assert again.name == net.name
    np.testing.assert_allclose(again.posterior("C").probs, net.posterior("C").probs)


def test_one_is_not_counted_as_many() -> None:
    rain = Node.event("rain", 0.2)
    assert repr(BayesianNetwork([rain])) == "BayesianNetwork of 1 variable, 0 edges"
    assert repr(MarkovNetwork([rain.factor])) == "MarkovNetwork of 1 variable, 1 potential"


def test_it_describes_itself() -> None:
    assert roof_climber().describe().splitlines() == [
        "roof climber: BayesianNetwork of 5 variables, 4 edges",
        "variable  states       parents  numbers",
        "C         True, False                 2",
        "G         True, False                 2",
        "A         True, False  C, G           8",
        "L1        True, False  A              4",
        "L2        True, False  A              4",
        "20 numbers; the most, 8, in the law of A",
    ]
    page = BayesianNetwork([Node("<b>", ["<i>", "</table>"], [0.5, 0.5])])._repr_html_()
    assert "&lt;b&gt;" in page
    assert page.count("</table>") == 1


def test_a_large_network_describes_itself_briefly() -> None:
    states = [f"state {i}" for i in range(50)]
    net = BayesianNetwork(
        [Node(f"a variable with a very long name {i}", states, np.full(50, 0.02)) for i in range(1000)]
    )
    text = net.describe()
    assert "… and 970 more" in text
    assert len(text.splitlines()) == 34
    assert max(map(len, text.splitlines())) < 120
    assert BayesianNetwork([]).describe().endswith("0 numbers")
