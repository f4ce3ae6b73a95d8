"""What findings did to a belief, against the full joint table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.worked import roof_climber
from tests.oracles import networks as brute

from credo.beliefs import Categorical
from credo.errors import ImpossibleEvidence, InvalidInput, TooLarge, UnknownName
from credo.networks import BayesianNetwork, Node
from credo.networks.formats import read_network
from credo.networks.inference.explanation import Explanation
from credo.networks.inference.limits import Limits
from credo.networks.inference.system import System

SOME_NETWORK = st.one_of(brute.bayesian_networks(most=6), brute.markov_networks(most=5))


def as_given(net: brute.Network, found: dict[str, Any]) -> dict[str, Any]:
    """The findings of the oracle as the library takes them."""
    return {
        name: dict(zip(net.variables[name], finding.tolist(), strict=True))
        if isinstance(finding, np.ndarray)
        else finding
        for name, finding in found.items()
    }


def log_odds(probs: np.ndarray, code: int) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(probs[code]) - np.log(np.delete(probs, code).sum()))


def difference(after: float, before: float) -> float:
    return 0.0 if after == before else after - before


def check_against_the_joint(net: brute.Network, found: dict[str, Any], name: str, why: Explanation) -> None:
    code = net.variables[name].index(why.state)

    def belief(kept: dict[str, Any]) -> np.ndarray:
        return brute.joint(net, [name], kept)

    def log_p(*names: str) -> float:
        return brute.log_evidence(net, {each: found[each] for each in names})

    np.testing.assert_allclose(why.prior.probs, belief({}), atol=1e-12)
    np.testing.assert_allclose(why.posterior.probs, belief(found), atol=1e-12)
    for each in why.weights:
        rest = {other: finding for other, finding in found.items() if other != each.name}
        one = {each.name: found[each.name]}
        moved = difference(log_odds(belief(found), code), log_odds(belief(rest), code))
        alone = difference(log_odds(belief(one), code), log_odds(belief({}), code))
        assert each.weight == pytest.approx(moved, abs=1e-9)
        assert each.weight_alone == pytest.approx(alone, abs=1e-9)
        assert each.without == pytest.approx(belief(rest)[code], abs=1e-12)
        assert each.alone == pytest.approx(belief(one)[code], abs=1e-12)
        assert each.conflict == pytest.approx(log_p(each.name) + log_p(*rest) - log_p(*found), abs=1e-9)
    assert why.conflict == pytest.approx(sum(map(log_p, found)) - log_p(*found), abs=1e-9)
    assert [abs(each.weight) for each in why.weights] == sorted((abs(w.weight) for w in why.weights), reverse=True)
    shown = {each.finding: each.name for each in why.weights}
    for clash in why.clashes:
        a, b = (shown[each] for each in clash.findings)
        assert clash.conflict == pytest.approx(log_p(a) + log_p(b) - log_p(a, b), abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_weights_are_those_of_the_joint_table(data: st.DataObject) -> None:
    net = data.draw(SOME_NETWORK)
    found = data.draw(brute.any_findings(net))
    name = data.draw(st.sampled_from(list(net.variables)))
    if brute.log_evidence(net, found) == -math.inf:
        with pytest.raises((ImpossibleEvidence, InvalidInput)):
            net.explain(name, given=as_given(net, found))
        return
    if (brute.likelihood_of(net.variables[name], found.get(name, set(net.variables[name]))) > 0).sum() == 1:
        return  # its state is given, or it has one state only
    check_against_the_joint(net, found, name, net.explain(name, given=as_given(net, found)))


def test_a_state_that_is_given_needs_no_explanation() -> None:
    with pytest.raises(InvalidInput, match="the state of 'A' is given"):
        roof_climber().explain("A", given={"A": True})
    with pytest.raises(UnknownName, match="Did you mean 'L1'"):
        roof_climber().explain("LL1", given={})
    with pytest.raises(UnknownName, match="no state of 'A' 'maybe'"):
        roof_climber().explain("A", given={}, state="maybe")


def test_the_porters_speak_for_the_climber() -> None:
    why = roof_climber().explain("C", given={"L1": True, "L2": True}, state=True)
    assert [each.name for each in why.weights] == ["L2", "L1"]
    assert why.speaking_for == why.weights
    assert not why.speaking_against
    assert why.conflict < 0
    assert not why.clashes
    assert "the findings fit together" in repr(why)


def test_a_rule_of_inference_is_infinite_weight() -> None:
    switch = Node.event("switch", 0.5)
    net = BayesianNetwork([switch, Node.event("lamp", [0.9, 0], given=[switch]), Node.event("sound", 0.8)])
    why = net.explain("switch", given={"lamp": True, "sound": False})
    assert [each.weight for each in why.weights] == [math.inf, 0]
    assert why.weights[1].conflict == 0
    assert "inf" in repr(why)
    assert why.to_dict()["weights"][0]["weight"] is None  # what JSON cannot hold


def test_a_belief_that_is_to_hold_counts_as_a_finding() -> None:
    net = roof_climber()
    given = {"L1": True, "A": Categorical({True: 0.7, False: 0.3}), "G": {True: 0.2, False: 1.0}}
    why = net.explain("C", given=given, state=True)
    held = net.posterior("C", given=given)
    np.testing.assert_allclose(why.posterior.probs, held.probs, atol=1e-9)
    weight = {each.name: each for each in why.weights}
    for name in given:
        rest = {other: finding for other, finding in given.items() if other != name}
        assert weight[name].without == pytest.approx(net.posterior("C", given=rest)[True], abs=1e-8)
        assert weight[name].alone == pytest.approx(net.posterior("C", given={name: given[name]})[True], abs=1e-8)
    assert math.isnan(weight["A"].conflict)
    observed = {"L1": given["L1"], "G": given["G"]}
    assert why.conflict == pytest.approx(net.explain("C", given=observed).conflict)
    assert weight["A"].finding == "A:=True:0.7,False:0.3"


def test_where_one_engine_is_too_large_each_question_is_asked_by_itself(monkeypatch) -> None:
    net = read_network("examples/networks/alarm.bif")
    given = {"HR": "HIGH", "CVP": {"LOW", "HIGH"}, "BP": {"LOW": 1.0, "NORMAL": 0.2, "HIGH": 0.1}}
    together = net.explain("HYPOVOLEMIA", given=given)
    ready = System.ready

    def refusing(self, question, limits, *, effort=1.0):
        if not question.hard and len(question.soft) == len(given):
            raise TooLarge("too large")
        return ready(self, question, limits, effort=effort)

    monkeypatch.setattr(System, "ready", refusing)
    apart = net.explain("HYPOVOLEMIA", given=given)
    assert repr(apart) == repr(together)
    assert apart.posterior.log_evidence == pytest.approx(together.posterior.log_evidence)


def test_limits_hold() -> None:
    with pytest.raises(TooLarge):
        read_network("examples/networks/alarm.bif").explain("HR", given={"CO": "LOW"}, limits=Limits(memory=10))


def test_many_findings_are_shown_in_part() -> None:
    cause = Node.event("cause", 0.5)
    signs = [Node.event(f"sign{i}", [0.6, 0.5], given=[cause]) for i in range(80)]
    why = BayesianNetwork([cause, *signs]).explain("cause", given={sign.name: True for sign in signs})
    assert len(why.weights) == 80
    assert "… and 60 more" in repr(why)


def test_nothing_found_leaves_the_prior() -> None:
    why = roof_climber().explain("A", given={})
    assert repr(why) == "P(A=False) was 0.853 and is 0.853 after 0 findings"
    assert why.to_dict()["weights"] == []
