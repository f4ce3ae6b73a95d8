"""How answers depend on single entries of tables, against networks in which they were changed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.networks.inference.test_explanation import as_given
from tests.networks.worked import roof_climber
from tests.oracles import networks as brute

from credo.beliefs import Categorical
from credo.errors import BadProbability, ImpossibleEvidence, InvalidInput, UnknownName
from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node
from credo.networks.compact import noisy_or
from credo.networks.formats import read_network
from credo.networks.inference.sensitivity import SensitivityFunction


def changed(net: BayesianNetwork, entry: SensitivityFunction, t: float) -> BayesianNetwork:
    """The network in which one entry is ``t`` and the rest of its row keeps its proportions."""
    return net.with_node(changed_node(net[entry.variable], entry, t))


def changed_node(node: Node, entry: SensitivityFunction, t: float) -> Node:
    table = node.probs.copy()
    sizes = [len(states) for states in node.parents.values()]
    codes = [states.index(entry.parents[name]) for name, states in node.parents.items()]
    row = table[int(np.ravel_multi_index(codes, sizes)) if sizes else 0]
    column = node.states.index(entry.state)
    others = np.delete(row, column)
    shares = others / others.sum() if others.any() else np.full(len(others), 1 / len(others))
    row[:] = np.insert(shares * (1 - t), column, t)
    return Node(node.name, node.states, table, given=node.parents)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_function_is_what_a_changed_network_answers(data: st.DataObject) -> None:
    net = data.draw(brute.bayesian_networks(most=6))
    found = data.draw(brute.any_findings(net))
    assume(brute.log_evidence(net, found) > -math.inf)
    name = data.draw(st.sampled_from(list(net.variables)))
    assume((brute.likelihood_of(net.variables[name], found.get(name, set(net.variables[name]))) > 0).sum() > 1)
    why = net.explain(name, given=as_given(net, found), sensitivity=True)
    code = net.variables[name].index(why.state)
    assert why.sensitivity is not None
    assert len(why.sensitivity) == sum(
        math.prod(map(len, axes.values())) for axes in why.sensitivity.tables if len(list(axes.values())[-1]) > 1
    )
    for entry in data.draw(st.lists(st.sampled_from(why.sensitivity), max_size=4)) if len(why.sensitivity) else []:
        assert entry(entry.theta) == pytest.approx(why.posterior[why.state], abs=1e-9)
        for t in (0.0, 0.25, 1.0, data.draw(st.floats(0, 1))):
            other = changed(net, entry, t)
            if brute.log_evidence(other, found) == -math.inf:
                with pytest.raises(ImpossibleEvidence):
                    entry(t)
                continue
            belief = brute.joint(other, [name], found)
            assert entry(t) == pytest.approx(belief[code], rel=1e-7, abs=1e-9)
            low, high = entry.same_best
            best = int(why.posterior.probs.argmax())
            if low + 1e-6 < t < high - 1e-6:
                assert belief[best] == pytest.approx(belief.max(), rel=1e-6)
            if not low - 1e-6 < t < high + 1e-6:
                assert belief[best] < np.delete(belief, best).max() + 1e-6


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_tables_that_are_not_listed_cannot_matter(data: st.DataObject) -> None:
    net = data.draw(brute.bayesian_networks(least=2, most=6))
    found = data.draw(brute.hard_findings(net))
    assume(brute.log_evidence(net, found) > -math.inf)
    name = data.draw(st.sampled_from(list(net.variables)))
    assume(name not in found and len(net.variables[name]) > 1)
    functions = net.explain(name, given=found, sensitivity=True).sensitivity
    assert functions is not None
    listed = {list(axes)[-1] for axes in functions.tables}
    before = brute.joint(net, [name], found)
    for node in net.nodes.values():
        if node.name in listed or len(node.states) == 1:
            continue
        mixed = 0.5 * node.probs + 0.5 / len(node.states)
        other = net.with_node(Node(node.name, node.states, mixed, given=node.parents))
        np.testing.assert_allclose(brute.joint(other, [name], found), before, atol=1e-9)


def test_slopes_are_those_of_finite_differences() -> None:
    net = read_network("examples/networks/alarm.bif")
    found = {"HR": "HIGH", "CVP": "LOW", "BP": {"LOW", "NORMAL"}}
    why = net.explain("HYPOVOLEMIA", given=found, sensitivity=True)
    assert why.sensitivity is not None
    steps = 1e-5
    for entry in [*why.sensitivity[:6], *why.sensitivity[-2:]]:
        t = min(max(entry.theta, steps), 1 - steps)
        ends = [changed(net, entry, t + d).posterior("HYPOVOLEMIA", given=found)[why.state] for d in (-steps, steps)]
        assert entry.slope(t) == pytest.approx((ends[1] - ends[0]) / (2 * steps), rel=1e-4, abs=1e-6)
    slopes = [abs(entry.derivative) for entry in why.sensitivity]
    assert slopes == sorted(slopes, reverse=True)
    a, b, c, d = why.sensitivity[0].coefficients
    assert (a * 0.3 + b) / (c * 0.3 + d) == pytest.approx(why.sensitivity[0](0.3))


def test_one_entry_is_found_by_its_name() -> None:
    functions = roof_climber().explain("C", given={"L2": True}, state=True, sensitivity=True).sensitivity
    assert functions is not None
    deaf = functions.of("L2", True, {"A": False})
    assert repr(deaf) == "P(L2=True | A=False) = 0.001"
    assert deaf.derivative < 0
    assert functions.of("C", True)(0.0) == 0
    with pytest.raises(UnknownName, match="table"):
        functions.of("L1", True, {"A": True})
    with pytest.raises(InvalidInput, match="must give a state to each of"):
        functions.of("L2", True)
    with pytest.raises(BadProbability, match="between 0 and 1"):
        deaf(1.5)
    with pytest.raises(BadProbability):
        deaf.slope(-0.1)


def test_evidence_that_would_become_impossible_is_refused() -> None:
    switch = Node.event("switch", 0.5)
    net = BayesianNetwork([switch, Node.event("lamp", [0.9, 0], given=[switch])])
    functions = net.explain("switch", given={"lamp": True}, state=True, sensitivity=True).sensitivity
    assert functions is not None
    lit = functions.of("lamp", True, {"switch": True})
    assert lit(0.1) == 1
    for ask in (lit, lit.slope):
        with pytest.raises(ImpossibleEvidence, match="probability zero"):
            ask(0.0)
    leaking = functions.of("lamp", True, {"switch": False})
    assert (leaking.theta, leaking(0.9)) == (0, pytest.approx(0.5))
    assert leaking.same_best == (0.0, pytest.approx(0.9))


def test_a_law_in_parts_is_shown_by_its_parts() -> None:
    causes = [Node.event(f"cause{i}", 0.3) for i in range(12)]
    effect = noisy_or("effect", dict.fromkeys(causes, 0.8), leak=0.1)
    assert effect.parts
    net = BayesianNetwork([*causes, effect])
    why = net.explain("cause0", given={"effect": True}, state=True, sensitivity=True)
    assert why.sensitivity is not None
    entry = next(entry for entry in why.sensitivity if entry.variable.startswith("effect·"))
    parts = [changed_node(part, entry, 0.3) if part.name == entry.variable else part for part in effect.parts]
    other = net.with_node(Node.of_parts(parts, given=effect.parents))
    assert entry(0.3) == pytest.approx(other.posterior("cause0", given={"effect": True})[True])
    for entry in why.sensitivity[:40]:
        assert entry(entry.theta) == pytest.approx(why.posterior[True])


def test_what_has_no_such_function_is_refused() -> None:
    field = MarkovNetwork([Factor({"A": (0, 1)}, [1, 2])])
    with pytest.raises(InvalidInput, match="Markov network"):
        field.explain("A", given={}, sensitivity=True)
    with pytest.raises(InvalidInput, match="give a likelihood instead"):
        roof_climber().explain("C", given={"A": Categorical({True: 0.7, False: 0.3})}, sensitivity=True)


def test_what_is_shown() -> None:
    why = roof_climber().explain("C", given={"L1": True, "L2": True}, sensitivity=True)
    text = repr(why)
    assert "dP(C=False) / dt" in text
    assert len(text.splitlines()) == 5 + 1 + 10  # (of two entries that sum to one, one is shown)
    assert len(why.to_dict()["sensitivity"]) == 10
    single = BayesianNetwork([Node("only", ["one"], [1.0])]).explain("only", given={}, sensitivity=True)
    assert "depends on no entry" in repr(single)
