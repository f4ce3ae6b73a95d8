"""Elimination in every semiring against the full joint, and the tables printed in the notes."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo.errors import BadShape, ImpossibleEvidence, InvalidInput, TooLarge, UnknownName
from credo.networks import Factor, Node
from credo.networks.factors.contraction import restrict
from credo.networks.factors.semiring import LOG_MAX, LOG_SUM, MAX, SUM, Semiring
from credo.networks.formats import read_network
from credo.networks.inference.elimination import eliminate, min_weight_order, most_probable

SEMIRINGS = [SUM, MAX, LOG_SUM, LOG_MAX]
NETS = st.one_of(oracle.bayesian_networks(most=7), oracle.markov_networks())
YES_NO = ("yes", "no")
TRUE_FALSE = ("⊤", "⊥")


def with_findings(net: oracle.Network, found: oracle.Findings) -> list[Factor]:
    """The factors of a network and of the findings; a factor of ones for each variable that is in none."""
    ones = {name: np.ones(len(states)) for name, states in net.variables.items()}
    likelihoods = {name: oracle.likelihood_of(net.variables[name], finding) for name, finding in found.items()}
    return [
        *oracle.factors_of(net),
        *(Factor({name: net.variables[name]}, values) for name, values in (ones | likelihoods).items()),
    ]


# ---------------------------------------------------------------- sums and maxima


@pytest.mark.parametrize("semiring", SEMIRINGS, ids=lambda semiring: semiring.name)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(data=st.data())
def test_what_is_left_is_the_margin_of_the_joint(semiring: Semiring, data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.any_findings(net))
    names = list(net.variables)
    keep = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
    others = [name for name in names if name not in keep]
    order = data.draw(st.none() | st.permutations(others))
    done = eliminate(with_findings(net, found), keep, semiring=semiring, order=order)

    if semiring.chooses:
        table = oracle.log_joint(net, found)
        top = table.max(axis=tuple(i for i, name in enumerate(names) if name not in keep))
        kept = [name for name in names if name in keep]
        expected = top.transpose([kept.index(name) for name in keep])
    else:
        expected = oracle.log_marginal(net, keep, found)
    assert list(done.factor.names) == keep
    if expected.max() == -math.inf:
        assert done.log_scale == -math.inf
        assert not done.factor.values.any()
        return
    assert done.factor.values.max() == 1.0
    np.testing.assert_allclose(done.factor.array, np.exp(expected - done.log_scale), rtol=1e-9, atol=1e-12)
    assert done.log_scale == pytest.approx(expected.max(), abs=1e-9)
    if not semiring.chooses:
        assert done.log_total == pytest.approx(oracle.log_partition(net, found), abs=1e-9)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_beliefs_given_states_are_those_of_the_joint(data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.hard_findings(net))
    name = data.draw(st.sampled_from([name for name in net.variables if name not in found] or list(net.variables)))
    found.pop(name, None)
    codes = {each: net.variables[each].index(state) for each, state in found.items()}
    factors = [restrict(factor, codes) for factor in with_findings(net, {})]
    done = eliminate(factors, [name], semiring=LOG_SUM)
    if oracle.log_partition(net, found) == -math.inf:
        with pytest.raises(ImpossibleEvidence, match="zero everywhere"):
            _ = done.belief
        return
    np.testing.assert_allclose(done.belief.probs, oracle.joint(net, [name], found), rtol=1e-9, atol=1e-12)
    assert float(done.belief.log_evidence) == pytest.approx(oracle.log_partition(net, found), abs=1e-9)


def test_evidence_below_the_smallest_float_is_right_in_logarithms() -> None:
    rng = np.random.default_rng(3)
    start = Node("x0", range(3), [0.2, 0.3, 0.5])
    chain, signs = [start], []
    for i in range(60):
        chain.append(Node(f"x{i + 1}", range(3), rng.dirichlet([1, 1, 1], 3), given=[chain[-1]]))
        seen = rng.uniform(1, 9, 3) * 1e-30
        signs.append(Node(f"y{i}", (0, 1), np.column_stack([seen, 1 - seen]), given=[chain[-1]]))
    factors = [restrict(node.factor, {sign.name: 0 for sign in signs}) for node in [*chain, *signs]]
    done = eliminate(factors, ["x60"], semiring=LOG_SUM)
    # The forward recursion, scaled at every step.
    forward, log_total = start.probs[0], 0.0
    for node, sign in zip(chain[1:], signs, strict=True):
        forward = forward @ node.probs * sign.probs[:, 0]
        log_total += math.log(forward.sum())
        forward = forward / forward.sum()
    assert log_total < -4000
    assert done.log_total == pytest.approx(log_total, rel=1e-12)
    np.testing.assert_allclose(done.belief.probs, forward, rtol=1e-9)
    assert math.exp(eliminate(factors[:1], [], semiring=LOG_SUM).log_total) == pytest.approx(1)
    with pytest.raises(ImpossibleEvidence, match="below 1e-308, which semiring=LOG_SUM would tell"):
        _ = eliminate(factors, ["x60"]).belief


# ---------------------------------------------------------------- most probable states


@settings(max_examples=120, deadline=None, derandomize=True)
@given(data=st.data())
def test_the_most_probable_states_are_those_of_the_joint(data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.any_findings(net))
    names = data.draw(st.none() | st.lists(st.sampled_from(list(net.variables)), unique=True, max_size=4))
    factors = with_findings(net, found)
    _, expected = oracle.most_probable(net, names, found)
    if expected == -math.inf:
        with pytest.raises(ImpossibleEvidence, match="zero everywhere"):
            most_probable(factors, names)
        return
    answer = most_probable(factors, names)
    if names is not None:
        assert list(answer.states) == names
    assert set(answer.states) == set(net.variables if names is None else names)
    assert answer.log_value == pytest.approx(expected, abs=1e-9)
    assert oracle.log_score(net, dict(answer.states), found) == pytest.approx(expected, abs=1e-9)


def test_the_most_probable_states_of_a_few_are_not_those_of_all() -> None:
    a = Factor({"A": ("a", "¬a")}, [0.4, 0.6])
    b = Factor({"A": ("a", "¬a"), "B": (0, 1, 2)}, [[1e-200, 0, 0], [4e-201, 3e-201, 3e-201]])
    c = Factor({"A": ("a", "¬a")}, [1e-200, 1e-200])
    assert most_probable([a, b, c]).states == {"A": "a", "B": 0}
    few = most_probable([a, b, c], ["A"])
    assert few.states == {"A": "¬a"}
    assert few.log_value == pytest.approx(math.log(0.6) - 400 * math.log(10))


# ---------------------------------------------------------------- the notes


def climber_factors() -> list[Factor]:
    """P(C), P(G), P(A|C,G), P(l1|A), P(l2|A) of the roof climber: both lodges report."""
    climber, goose = Node("C", TRUE_FALSE, [0.05, 0.95]), Node("G", TRUE_FALSE, [0.2, 0.8])
    alarms = [[[0.98, 0.02], [0.96, 0.04]], [[0.2, 0.8], [0.08, 0.92]]]
    alarm = Node("A", TRUE_FALSE, alarms, given=[climber, goose])
    lodge1 = Node("L1", TRUE_FALSE, [[0.99, 0.01], [0.08, 0.92]], given=[alarm])
    lodge2 = Node("L2", TRUE_FALSE, [[0.6, 0.4], [0.001, 0.999]], given=[alarm])
    return [restrict(node.factor, {"L1": 0, "L2": 0}) for node in (climber, goose, alarm, lodge1, lodge2)]


CLIMBER = """\
Step 1: F[A](C, G, A) × F[L1](A) × F[L2](A)
A  C  G
⊤  ⊤  ⊤  0.98 × 0.99 × 0.6    =  0.58212
⊤  ⊤  ⊥  0.96 × 0.99 × 0.6    =  0.57024
⊤  ⊥  ⊤  0.2 × 0.99 × 0.6     =   0.1188
⊤  ⊥  ⊥  0.08 × 0.99 × 0.6    =  0.04752
⊥  ⊤  ⊤  0.02 × 0.08 × 0.001  =  1.6e-06
⊥  ⊤  ⊥  0.04 × 0.08 × 0.001  =  3.2e-06
⊥  ⊥  ⊤  0.8 × 0.08 × 0.001   =  6.4e-05
⊥  ⊥  ⊥  0.92 × 0.08 × 0.001  =  7.36e-05
sum out A
F[A, L1, L2](C, G)
C  G
⊤  ⊤  0.58212 + 1.6e-06   =   0.582122
⊤  ⊥  0.57024 + 3.2e-06   =   0.570243
⊥  ⊤  0.1188 + 6.4e-05    =   0.118864
⊥  ⊥  0.04752 + 7.36e-05  =  0.0475936

Step 2: F[G](G) × F[A, L1, L2](C, G)
G  C
⊤  ⊤  0.2 × 0.582122   =   0.116424
⊤  ⊥  0.2 × 0.118864   =  0.0237728
⊥  ⊤  0.8 × 0.570243   =   0.456195
⊥  ⊥  0.8 × 0.0475936  =  0.0380749
sum out G
F[G, A, L1, L2](C)
C
⊤  0.116424 + 0.456195    =   0.572619
⊥  0.0237728 + 0.0380749  =  0.0618477

Step 3: F[C](C) × F[G, A, L1, L2](C)
C
⊤  0.05 × 0.572619   =  0.0286309
⊥  0.95 × 0.0618477  =  0.0587553"""


def test_the_tables_of_the_roof_climber_step_by_step() -> None:
    done = eliminate(climber_factors(), ["C"], order=["A", "G"], labels=["C", "G", "A", "L1", "L2"], trace=True)
    assert [line.split() for line in str(done.trace).splitlines()] == [line.split() for line in CLIMBER.splitlines()]
    first, second, last = done.trace.steps
    report = {a: l1 * l2 for a, l1, l2 in (("⊤", 0.99, 0.6), ("⊥", 0.08, 0.001))}
    np.testing.assert_allclose(
        first.result.values,
        [a * report["⊤"] + (1 - a) * report["⊥"] for a in (0.98, 0.96, 0.2, 0.08)],
        rtol=1e-14,
    )
    goose = np.array([0.2, 0.8])
    np.testing.assert_allclose(second.result.values, first.result.values.reshape(2, 2) @ goose, rtol=1e-14)
    np.testing.assert_allclose(last.result.values, [0.05, 0.95] * second.result.values, rtol=1e-14)
    assert done.belief["⊤"] == pytest.approx(last.result.values[0] / last.result.values.sum(), rel=1e-14)
    assert done.belief["⊤"] == pytest.approx(0.3276, abs=5e-5)
    assert math.exp(done.log_total) == pytest.approx(0.0873862, abs=5e-8)


def test_a_trace_says_what_kind_of_sum_it_takes() -> None:
    f, g = Factor({"A": YES_NO}, [0.5, 0.25]), Factor({"A": YES_NO, "B": YES_NO}, [[1, 2], [3, 4]])
    best = str(eliminate([f, g], ["B"], semiring=MAX, trace=True).trace)
    assert "maximise over A" in best
    assert "max(0.5, 0.75)  =  0.75" in best
    logs = str(eliminate([f, g], [], semiring=LOG_SUM, order=["A", "B"], trace=True).trace)
    assert "F[1](A) + F[2](A, B)" in logs
    assert "-0.693147 + 0.693147  =          0" in logs
    assert "log(e^0.223144 + e^0.693147)" in logs
    assert not eliminate([f, g], []).trace.steps


def test_a_trace_does_not_fill_the_screen() -> None:
    f = Factor({"A": range(50), "B": range(20)}, np.ones(1000))
    text = str(eliminate([f], ["B"], trace=True).trace)
    assert "… and 968 more rows" in text
    assert len(text.splitlines()) < 70


# ---------------------------------------------------------------- published answers

EXAMPLES = Path(__file__).parents[3] / "examples" / "networks"


def answer(net: oracle.Network, name: str, **found: str) -> float:
    """P(name = yes | found)."""
    codes = {each: net.variables[each].index(state) for each, state in found.items()}
    return eliminate([restrict(factor, codes) for factor in oracle.factors_of(net)], [name]).belief["yes"]


def test_the_published_beliefs_of_asia() -> None:
    net = read_network(EXAMPLES / "asia.bif")
    prior = {"tub": 0.0104, "lung": 0.055, "bronc": 0.45, "either": 0.064828, "xray": 0.11029004, "dysp": 0.4359706}
    for name, p in prior.items():
        assert answer(net, name) == pytest.approx(p, abs=1e-8)
    # The example of gRain's documentation (querygrain and getFinding).
    assert answer(net, "lung", asia="yes", dysp="yes") == pytest.approx(0.09952515, abs=1e-8)
    assert answer(net, "bronc", asia="yes", dysp="yes") == pytest.approx(0.8114021, abs=1e-7)
    # The example of the manual of Netica-J. By hand: either, then the X-ray, from tuberculosis or lung cancer.
    assert answer(net, "tub", xray="yes") == pytest.approx(0.0104 * 0.98 / 0.11029004, rel=1e-12)
    either = 1 - (1 - 0.05) * (1 - 0.055)
    rays = 0.98 * either + 0.05 * (1 - either)
    assert answer(net, "tub", xray="yes", asia="yes") == pytest.approx(0.05 * 0.98 / rays, rel=1e-12)
    found = {"asia": 0, "dysp": 0}
    total = eliminate([restrict(factor, found) for factor in oracle.factors_of(net)], []).log_total
    assert math.exp(total) == pytest.approx(0.004501375, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "variables", "edges"),
    [("alarm", 37, 46), ("asia", 8, 8), ("cancer", 5, 4), ("earthquake", 5, 4), ("roof-climber", 5, 4)],
)
def test_the_examples_are_read(name: str, variables: int, edges: int) -> None:
    net = read_network(EXAMPLES / f"{name}.bif")
    assert len(net.variables) == variables
    assert len(list(net.graph.edges)) == edges
    done = eliminate(oracle.factors_of(net), [])
    assert done.log_total == pytest.approx(0, abs=1e-12)


def test_the_roof_climber_of_the_examples_is_that_of_the_notes() -> None:
    net = read_network(EXAMPLES / "roof-climber.bif")
    belief = eliminate(climber_factors(), ["C"]).belief["⊤"]
    assert answer(net, "Climber", Lodge1="yes", Lodge2="yes") == pytest.approx(belief, rel=1e-12)


# ---------------------------------------------------------------- orders and refusals


def test_the_order_keeps_the_products_small() -> None:
    names = [f"n{i}" for i in range(300)]
    pairs = [Factor({a: (0, 1), b: (0, 1)}, [[0.9, 0.1], [0.2, 0.8]]) for a, b in itertools.pairwise(names)]
    done = eliminate(pairs, [names[150]], limit=8)
    row = np.linalg.matrix_power(np.array([[0.9, 0.1], [0.2, 0.8]]), 150).sum(axis=0)
    np.testing.assert_allclose(done.factor.values, row / row.max(), rtol=1e-9)
    assert sorted(done.order) == sorted(set(names) - {names[150]})
    hub = [Factor({"hub": range(2), f"leaf{i}": range(3)}, np.ones(6)) for i in range(20)]
    assert min_weight_order(hub, ["hub", *(f"leaf{i}" for i in range(20))])[:18] == [f"leaf{i}" for i in range(18)]
    assert min_weight_order(hub, ["leaf3", "leaf1"], ["hub", "leaf0"]) == ["leaf3", "leaf1", "leaf0", "hub"]


def test_wrong_requests_are_refused() -> None:
    f = Factor({"A": (0, 1), "B": (0, 1)}, [[1, 2], [3, 4]])
    with pytest.raises(UnknownName, match="there is no variable 'C'"):
        eliminate([f], ["C"])
    with pytest.raises(UnknownName, match="there is no variable 'C'"):
        most_probable([f], ["C"])
    with pytest.raises(InvalidInput, match=r"order must name the variables not kept, \['B'\]; got \['A'\]"):
        eliminate([f], ["A"], order=["A"])
    with pytest.raises(BadShape, match="labels must name each of the 1 factors; got 2"):
        eliminate([f], ["A"], labels=["f", "g"])
    with pytest.raises(TooLarge, match="the limit is 3 cells"):
        eliminate([f], ["A"], limit=3)
    with pytest.raises(InvalidInput, match=r"a belief is about one variable; \['A', 'B'\] were kept"):
        _ = eliminate([f], ["A", "B"]).belief
    with pytest.raises(InvalidInput, match="what the max-product semiring leaves is no belief"):
        _ = eliminate([f], ["A"], semiring=MAX).belief
