"""The two algorithms of the notes against the full joint, and the numbers printed there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo.errors import ImpossibleEvidence, TooLarge, UnknownName
from credo.networks import BayesianNetwork, Node
from credo.networks.inference.enumeration import enumerate_joint, enumeration_ask

BOTH = pytest.mark.parametrize("ask", [enumerate_joint, enumeration_ask])


def roof_climber() -> BayesianNetwork:
    climber, goose = Node.event("C", 0.05), Node.event("G", 0.2)
    alarm = Node.event("A", [[0.98, 0.96], [0.2, 0.08]], given=[climber, goose])
    lodges = Node.event("L1", [0.99, 0.08], given=[alarm]), Node.event("L2", [0.6, 0.001], given=[alarm])
    return BayesianNetwork([climber, goose, alarm, *lodges])


@BOTH
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_answers_are_those_of_the_full_joint(ask, data: st.DataObject) -> None:
    net = data.draw(oracle.bayesian_networks(most=6))
    found = data.draw(oracle.hard_findings(net))
    name = data.draw(st.sampled_from(list(net.variables)))
    evidence = oracle.log_evidence(net, found)
    if evidence == -math.inf:
        with pytest.raises(ImpossibleEvidence, match="probability zero together"):
            ask(net, name, found)
        return
    belief = ask(net, name, found)
    assert belief.states == net.variables[name]
    np.testing.assert_allclose(belief.probs, oracle.joint(net, [name], found), rtol=1e-9, atol=1e-12)
    assert float(belief.log_evidence) == pytest.approx(evidence, abs=1e-9)


@BOTH
def test_the_roof_climber(ask) -> None:
    net = roof_climber()
    # The probability of the world that the notes work out: nobody on the roof, no goose, an alarm, both lodges report.
    world = {"C": False, "G": False, "A": True, "L1": True, "L2": True}
    assert math.exp(ask(net, "C", world).log_evidence) == pytest.approx(0.99 * 0.6 * 0.08 * 0.95 * 0.8)
    belief = ask(net, "C", {"L1": True, "L2": True})
    reported = {
        goose: [a * 0.99 * 0.6 + (1 - a) * 0.08 * 0.001 for a in (yes, no)]
        for goose, yes, no in ((True, 0.98, 0.2), (False, 0.96, 0.08))
    }
    climber, nobody = (0.2 * g + 0.8 * n for g, n in zip(*reported.values(), strict=True))
    assert belief[True] == pytest.approx(0.05 * climber / (0.05 * climber + 0.95 * nobody))
    assert math.exp(belief.log_evidence) == pytest.approx(0.05 * climber + 0.95 * nobody)


@BOTH
def test_findings_too_rare_for_a_float_are_counted(ask) -> None:
    cause = Node("cause", ("a", "b"), [0.5, 0.5])
    signs = [Node(f"s{i}", (0, 1), [[1e-100, 1.0], [3e-100, 1.0]], given=[cause]) for i in range(8)]
    belief = ask(BayesianNetwork([cause, *signs]), "cause", {sign.name: 0 for sign in signs})
    assert belief["a"] == pytest.approx(1 / (1 + 3**8))
    assert float(belief.log_evidence) == pytest.approx(math.log(0.5 * (1 + 3**8)) - 800 * math.log(10))


def test_what_is_too_large_is_refused() -> None:
    many = BayesianNetwork([Node.event(f"e{i}", 0.5) for i in range(40)])
    with pytest.raises(TooLarge, match="the limit is 16,777,216 cells"):
        enumerate_joint(many, "e0", {})
    with pytest.raises(TooLarge, match="1,099,511,627,776 assignments to 40 variables"):
        enumeration_ask(many, "e0", {})
    settled = {f"e{i}": True for i in range(1, 40)}
    assert enumeration_ask(many, "e0", settled)[True] == pytest.approx(0.5)


@BOTH
def test_names_and_states_that_do_not_exist_are_refused(ask) -> None:
    net = roof_climber()
    with pytest.raises(UnknownName, match="there is no variable 'D'"):
        ask(net, "D", {})
    with pytest.raises(UnknownName, match="there is no variable 'D'"):
        ask(net, "C", {"D": True})
    with pytest.raises(UnknownName, match="there is no state of 'L1' 'yes'"):
        ask(net, "C", {"L1": "yes"})
