"""Everything a network can be asked, against the full joint written out."""

from __future__ import annotations

import gzip
import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo import native
from credo.beliefs import Categorical
from credo.errors import BadParameter, ImpossibleEvidence, InvalidInput, NotConverged, TooLarge, UnknownName
from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node
from credo.networks.formats import read_network
from credo.networks.inference.limits import Limits
from credo.networks.inference.methods import METHODS
from credo.testing import check_inference

NETS = st.one_of(oracle.bayesian_networks(), oracle.markov_networks())
ALARM = Path("examples/networks/alarm.bif")


def as_given(net: oracle.Network, found: oracle.Findings) -> dict[str, Any]:
    """Findings of the oracle as a person gives them: a likelihood is a mapping."""
    return {
        name: dict(zip(net.variables[name], finding.tolist(), strict=True))
        if isinstance(finding, np.ndarray)
        else finding
        for name, finding in found.items()
    }


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_beliefs_and_evidence_are_those_of_the_joint(data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.any_findings(net))
    log_evidence = oracle.log_evidence(net, found)
    asked = as_given(net, found)
    if log_evidence == -math.inf:
        assert net.log_evidence(given=asked) == -math.inf
        with pytest.raises(ImpossibleEvidence):
            net.posteriors(given=asked)
        return
    assert net.log_evidence(given=asked) == pytest.approx(log_evidence, abs=1e-9)
    expected = oracle.posteriors(net, found)
    beliefs = net.posteriors(given=asked)
    for name, belief in beliefs.items():
        np.testing.assert_allclose(belief.probs, expected[name], atol=1e-12)
        assert belief.states == net.variables[name]
    for name in net.variables:
        np.testing.assert_allclose(net.posterior(name, given=asked).probs, expected[name], atol=1e-12)
    method = data.draw(st.sampled_from(METHODS))
    some = data.draw(st.lists(st.sampled_from(list(beliefs)), unique=True)) if beliefs else []
    by_method = net.posteriors(some, given=asked, method=method)
    assert list(by_method) == some
    for name, belief in by_method.items():
        np.testing.assert_allclose(belief.probs, expected[name], atol=1e-12)
        assert belief.log_evidence == pytest.approx(beliefs.log_evidence, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_joints_and_most_probable_states_are_those_of_the_joint(data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.any_findings(net, most=3))
    asked = as_given(net, found)
    if oracle.log_evidence(net, found) == -math.inf:
        with pytest.raises(ImpossibleEvidence):
            net.most_probable(given=asked)
        return
    best = net.most_probable(given=asked)
    assert oracle.log_score(net, best.states, found) == pytest.approx(
        oracle.most_probable(net, best, found)[1], abs=1e-9
    )
    open_names = [name for name in net.variables if not (name in found and _certain(net, name, found[name]))]
    names = data.draw(st.lists(st.sampled_from(open_names), unique=True, max_size=3)) if open_names else []
    if names:
        np.testing.assert_allclose(net.joint(names, given=asked).probs, oracle.joint(net, names, found), atol=1e-12)
        some = net.most_probable(names, given=asked)
        score = oracle.log_score(net, dict(some), found)
        assert score == pytest.approx(oracle.most_probable(net, names, found)[1], abs=1e-9)
        assert some.log_product == pytest.approx(score, abs=1e-9)
        assert some.log_prob == (some.log_product if isinstance(net, BayesianNetwork) else None)


def _certain(net: oracle.Network, name: str, finding: Any) -> bool:
    return int((oracle.likelihood_of(net.variables[name], finding) > 0).sum()) == 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_belief_that_is_to_hold_holds_and_changes_nothing_else(data: st.DataObject) -> None:
    net = data.draw(oracle.bayesian_networks(least=2, most=6))
    name = data.draw(st.sampled_from(list(net.variables)))
    before = oracle.posteriors(net)[name]
    weights = np.array(data.draw(st.lists(st.floats(0.01, 1), min_size=len(before), max_size=len(before)))) * (
        before > 0
    )
    target = weights / weights.sum()
    after = net.posteriors(given={name: Categorical(target, net.variables[name])})
    # Jeffrey: P(other) = Σ target(s) P(other | s)
    for other in net.variables:
        held = np.zeros(len(net.variables[other]))
        for state, weight in zip(net.variables[name], target, strict=True):
            if weight > 0:
                held += weight * oracle.posteriors(net, {name: state})[other]
        np.testing.assert_allclose(after[other].probs, held, atol=1e-9)


def test_several_beliefs_hold_at_once() -> None:
    net = read_network("examples/networks/asia.bif")
    wanted = {"dysp": [0.7, 0.3], "xray": [0.4, 0.6], "smoke": [0.9, 0.1]}
    after = net.posteriors(
        given={name: Categorical(probs, ("yes", "no")) for name, probs in wanted.items()} | {"asia": "yes"}
    )
    for name, probs in wanted.items():
        np.testing.assert_allclose(after[name].probs, probs, atol=1e-9)


def test_beliefs_that_cannot_hold_are_refused() -> None:
    a = Node("a", ("x", "y"), [1.0, 0.0])
    b = Node("b", ("x", "y"), {"x": [1, 0], "y": [0, 1]}, given=[a])
    net = BayesianNetwork([a, b])
    with pytest.raises(ImpossibleEvidence, match="'b' is to be 'y'"):
        net.posteriors(given={"b": Categorical({"x": 0.5, "y": 0.5})})
    asia, even = read_network("examples/networks/asia.bif"), Categorical({"yes": 0.5, "no": 0.5})
    with pytest.raises(ImpossibleEvidence, match="cannot be: the findings lung=yes, either=no have probability zero"):
        asia.posteriors(given={"xray": "no", "lung": "yes", "either": even})
    with pytest.raises(ImpossibleEvidence, match=r"cannot be: the findings either=no, lung=\{yes\} have"):
        asia.posteriors(given={"lung": Categorical({"yes": 1.0, "no": 0.0}), "either": even})
    with pytest.raises(ImpossibleEvidence, match="the beliefs about either, lung contradict each other"):
        asia.posteriors(given={"lung": Categorical({"yes": 0.9, "no": 0.1}), "either": even})
    fair = Node("a", ("x", "y"), [0.5, 0.5])
    copies = BayesianNetwork([fair, b])
    with pytest.raises(NotConverged, match="contradict"):
        copies.posteriors(given={"a": Categorical({"x": 0.5, "y": 0.5}), "b": Categorical({"x": 0.4, "y": 0.6})})
    with pytest.raises(InvalidInput, match="no observation"):
        copies.log_evidence(given={"a": Categorical({"x": 0.5, "y": 0.5})})


def test_evidence_far_below_the_smallest_number_is_right() -> None:
    # A hidden cause and 600 sensors, each of which contradicts it with probability 1e-3.
    cause = Node("cause", (0, 1), [0.5, 0.5])
    sensors = [Node(f"s{i}", (0, 1), [[0.999, 0.001], [0.998, 0.002]], given=[cause]) for i in range(600)]
    net = BayesianNetwork([cause, *sensors])
    found = {f"s{i}": 1 for i in range(600)}
    logs = np.array([math.log(0.5) + 600 * math.log(0.001), math.log(0.5) + 600 * math.log(0.002)])
    belief = net.posterior("cause", given=found)
    assert belief.log_evidence == pytest.approx(np.logaddexp(*logs))
    assert math.log(belief[0] / belief[1]) == pytest.approx(logs[0] - logs[1])


def test_numbers_lost_to_underflow_are_found_again_in_logarithms() -> None:
    # Each of two clusters of sensors leaves one state of x at 1e-200 of the other; together they speak for neither.
    x = Node("x", (0, 1), [0.5, 0.5])
    y = Node("y", (0, 1), [[1 - 1e-200, 1e-200], [1e-200, 1 - 1e-200]], given=[x])
    z = Node("z", (0, 1), [[1 - 1e-200, 1e-200], [1e-200, 1 - 1e-200]], given=[y])
    w = Node("w", (0, 1), [[0, 1.0], [1e-200, 1 - 1e-200]], given=[z])
    net = BayesianNetwork([x, y, z, w])
    # w = 0 needs z = 1; x = 0 and z = 1 need a change at 1e-200; w = 0 itself has 1e-200.
    belief = net.posterior("x", given={"w": 0})
    assert belief.log_evidence == pytest.approx(math.log(0.5) + math.log(1e-200))
    low = net.log_evidence(given={"w": 0, "x": 0})
    assert low == pytest.approx(math.log(0.5) + math.log(2e-200) + math.log(1e-200), abs=1e-6)
    assert net.posterior("y", given={"w": 0, "x": 0}).probs == pytest.approx([0.5, 0.5])
    rows = net.compile(["w", "x"]).posteriors({"w": [0, 1], "x": [0, 0]})
    assert rows.probs("y")[0] == pytest.approx([0.5, 0.5])
    assert rows.log_evidence[0] == pytest.approx(low)
    assert net.most_probable(["y"], given={"w": 0, "x": 0}).log_prob == pytest.approx(low - math.log(2), abs=1e-6)


def test_the_findings_that_contradict_each_other_are_named() -> None:
    net = read_network("examples/networks/asia.bif")
    with pytest.raises(ImpossibleEvidence, match="the findings tub=yes, either=no have probability zero together"):
        net.posterior("bronc", given={"asia": "yes", "tub": "yes", "smoke": "no", "either": "no"})
    three = [Node(name, (0, 1), [0.5, 0.5]) for name in "abc"]
    table = np.array([[float(sum(code) % 2 == bit) for bit in (0, 1)] for code in itertools.product((0, 1), repeat=3)])
    odd = Node("odd", (0, 1), table, given=three)
    with pytest.raises(ImpossibleEvidence, match=r"a=1, b=1, c=1, odd=0 .* none of them can be left out"):
        BayesianNetwork([*three, odd]).posteriors(given={"a": 1, "b": 1, "c": 1, "odd": 0})
    never = BayesianNetwork([Node("a", (0, 1), [1.0, 0.0]), Node("b", (0, 1), [0.5, 0.5])])
    with pytest.raises(ImpossibleEvidence, match="the finding a=1 has probability zero"):
        never.posteriors(given={"b": 0, "a": 1})
    with pytest.raises(ImpossibleEvidence, match="zero to everything"):
        MarkovNetwork([Factor({"a": (0, 1)}, [1, 0]), Factor({"a": (0, 1)}, [0, 1])]).posteriors()


def test_a_variable_whose_state_is_given_is_certain_and_not_asked_twice() -> None:
    net = read_network("examples/networks/asia.bif")
    assert net.posterior("asia", given={"asia": "yes"})["yes"] == 1.0
    assert "asia" not in net.posteriors(given={"asia": "yes"})
    for ask in (net.joint, net.most_probable, net.posteriors):
        with pytest.raises(InvalidInput, match="'asia' is given"):
            ask(["asia"], given={"asia": "yes"})


def test_bad_findings_are_refused_with_a_hint() -> None:
    net = read_network(ALARM)
    with pytest.raises(UnknownName, match="'HR'"):
        net.posterior("HRR")
    with pytest.raises(UnknownName, match="Did you mean 'HIGH'"):
        net.posterior("CVP", given={"HR": "HIHG"})
    for finding in (set(), {}, {"LOW": 1.0}, {"LOW": -1.0, "NORMAL": 0, "HIGH": 0}, {"LOW": 0, "NORMAL": 0, "HIGH": 0}):
        with pytest.raises((InvalidInput, ImpossibleEvidence)):
            net.posterior("CVP", given={"HR": finding})
    with pytest.raises(InvalidInput, match="given must map"):
        net.posterior("CVP", given=["HR"])  # type: ignore[arg-type]
    with pytest.raises(UnknownName):
        net.posterior("CVP", given={"HR": ["HIGH"]})


def test_what_would_not_fit_is_refused_before_it_starts() -> None:
    rng = np.random.default_rng(0)
    causes = [Node(f"c{i}", (0, 1), [0.5, 0.5]) for i in range(60)]
    pairs = [
        Node(f"p{i}.{j}", (0, 1), rng.dirichlet([1, 1], 4), given=[causes[i], causes[j]])
        for i, j in itertools.combinations(range(60), 2)
    ]
    net = BayesianNetwork([*causes, *pairs])
    plan = net.plan()
    assert plan.seconds > 3600
    assert plan.width >= 59
    with pytest.raises(TooLarge, match=r"limit is .* Ask for fewer"):
        net.posteriors(method="junction tree")
    assert net.posterior("c0", given={"c1": 1})[0] == pytest.approx(0.5)  # what does not matter is left out
    with pytest.raises(TooLarge, match="limit is 10 bytes"):
        read_network(ALARM).posteriors(limits=Limits(memory=10))


def test_a_plan_says_what_it_costs() -> None:
    net = read_network(ALARM)
    plan = net.plan(given=["HR"])
    assert all(set(node.variables) - {"HR"} <= set().union(*map(set, plan.cliques)) for node in net.nodes.values())
    assert plan.entries == sum(plan.clique_entries(clique) for clique in plan.cliques)
    assert plan.entries < 1200
    assert "P of each of 36 variables, given HR" in repr(plan)
    assert "P(CVP | HR)" in repr(net.plan("CVP", given="HR"))
    likely = net.plan("CVP", given={"HR": "HIGH", "HREKG": {"LOW": 0.1, "NORMAL": 0.2, "HIGH": 0.4}})
    assert "P(CVP | HR, HREKG)" in repr(likely)
    assert set().union(*likely.cliques) > {"HREKG", "CVP"}


def test_variables_without_parents_tables_or_company() -> None:
    alone = MarkovNetwork([], variables={"a": ("x", "y"), "b": ("z",)})
    assert alone.posteriors()["a"].probs.tolist() == [0.5, 0.5]
    assert alone.log_partition() == pytest.approx(math.log(2))
    assert alone.log_evidence(given={"a": "x"}) == pytest.approx(-math.log(2))
    empty = BayesianNetwork([])
    assert len(empty.posteriors()) == 0
    assert empty.log_evidence() == 0
    assert len(empty.most_probable()) == 0
    single = BayesianNetwork([Node("a", ("x",), [1.0])])
    assert single.log_evidence(given={"a": "x"}) == 0
    assert single.most_probable(given={"a": "x"}).log_prob == 0
    assert len(single.posteriors(given={"a": "x"})) == 0


def test_more_axes_than_numpy_has() -> None:
    parents = [Node(f"p{i}", ("only",), [1.0]) for i in range(70)]
    bit = Node("bit", (0, 1), [0.3, 0.7])
    child = Node("child", (0, 1), [[0.9, 0.1], [0.2, 0.8]], given=[*parents, bit])
    net = BayesianNetwork([*parents, bit, child])
    assert net.posterior("child")[0] == pytest.approx(0.3 * 0.9 + 0.7 * 0.2)


def test_the_asia_numbers_that_were_published() -> None:
    net = read_network("examples/networks/asia.bif")
    prior = {"tub": 0.0104, "lung": 0.055, "bronc": 0.45, "either": 0.064828, "xray": 0.11029004, "dysp": 0.4359706}
    for name, value in prior.items():
        assert net.posterior(name)["yes"] == pytest.approx(value, abs=1e-9)
    found = net.posteriors(given={"asia": "yes", "dysp": "yes"})
    assert math.exp(found.log_evidence) == pytest.approx(0.004501375, abs=1e-10)
    assert found["lung"]["yes"] == pytest.approx(0.09952515, abs=1e-8)
    assert found["bronc"]["yes"] == pytest.approx(0.8114021, abs=1e-7)
    # P(tub) P(xray | either) / P(xray), by hand: .05 × .98 / (.98 × .10225 + .05 × .89775)
    exact = 0.05 * 0.98 / (0.98 * 0.10225 + 0.05 * 0.89775)
    assert net.posterior("tub", given={"xray": "yes", "asia": "yes"})["yes"] == pytest.approx(exact, abs=1e-12)


def test_a_packed_file_answers_like_the_plain_one(tmp_path: Path) -> None:
    packed = tmp_path / "alarm.bif.gz"
    packed.write_bytes(gzip.compress(ALARM.read_bytes()))
    assert read_network(packed).posterior("CVP").probs.tolist() == read_network(ALARM).posterior("CVP").probs.tolist()


@pytest.mark.parametrize("found", [{}, {"HR": "HIGH", "CVP": "LOW"}])
def test_keeps_the_contract(found: dict[str, str]) -> None:
    check_inference(read_network(ALARM), given=found)


def test_a_markov_network_keeps_the_contract() -> None:
    rng = np.random.default_rng(3)
    pairs = [(f"x{i}{j}", f"x{a}{b}") for i in range(3) for j in range(3) for a, b in ((i + 1, j), (i, j + 1))]
    grid = MarkovNetwork([Factor({one: (0, 1), two: (0, 1)}, rng.exponential(size=(2, 2))) for one, two in pairs])
    check_inference(grid, given={"x11": 1})


# ---------------------------------------------------------------- methods


def common_effects(roots: int) -> BayesianNetwork:
    """Variables of which each two have an effect in common."""
    causes = [Node.event(f"x{i}", 0.1 + 0.8 * i / roots) for i in range(roots)]
    pairs = itertools.combinations(causes, 2)
    effects = [Node.event(f"{a.name}+{b.name}", [[0.9, 0.4], [0.3, 0.2]], given=[a, b]) for a, b in pairs]
    return BayesianNetwork([*causes, *effects])


def test_what_a_tree_of_all_variables_is_too_large_for_is_eliminated_one_by_one() -> None:
    net = common_effects(50)
    with pytest.raises(TooLarge):
        net.posteriors(method="junction tree")
    beliefs = net.posteriors()
    assert list(beliefs) == list(net)
    for a, b in (("x0", "x1"), ("x7", "x49")):
        p, q = beliefs[a][True], beliefs[b][True]
        expected = 0.9 * p * q + 0.4 * p * (1 - q) + 0.3 * (1 - p) * q + 0.2 * (1 - p) * (1 - q)
        assert beliefs[f"{a}+{b}"][True] == pytest.approx(expected, rel=1e-12)
    seen = {name: True for name in net if "+" in name}
    with pytest.raises(TooLarge, match="the answer takes"):  # everything matters now
        net.posteriors(given=seen)
    with pytest.raises(TooLarge, match=r"would have about 2\^\d+ cells"):
        net.posterior("x0", method="enumeration")


def test_what_takes_longer_than_anybody_lives_is_refused_whatever_the_limits() -> None:
    with pytest.raises(TooLarge, match=r"about 127 years; the limit is 31\.7 years\. Do less"):
        Limits(memory=math.inf, seconds=math.inf).check(0, 4e9, "Do less")


@pytest.mark.skipif(not native.available, reason="the twins are so slow that planning anew is cheaper")
def test_a_tree_that_is_kept_answers_the_next_question() -> None:
    net = read_network(ALARM)
    found = {"HR": "HIGH"}
    every = net.posteriors(given=found)
    kept = dict(net._system()._engines)
    assert net.posterior("HYPOVOLEMIA", given=found).probs.tolist() == every["HYPOVOLEMIA"].probs.tolist()
    assert net._system()._engines == kept
    net.posterior("HYPOVOLEMIA", given=found, method="elimination")
    assert len(net._system()._engines) == len(kept) + 1


def test_plans_are_kept_in_whatever_order_findings_are_told() -> None:
    net = read_network(ALARM)
    net.plan(given={"HR": "HIGH", "BP": "LOW"})
    kept = dict(net._system()._engines)
    assert len(kept) == 1
    net.posteriors(given={"BP": "LOW", "HR": "HIGH"})
    net.posteriors(given={"HR": "LOW", "BP": "HIGH"})
    assert net._system()._engines == kept


def test_a_joint_belief_is_about_something() -> None:
    for ask in (read_network(ALARM).joint, read_network(ALARM).plan):
        with pytest.raises(InvalidInput, match="names must hold at least one variable"):
            ask([])


def test_limits_are_numbers_above_zero() -> None:
    for bad in ({"memory": "1GB"}, {"memory": -1}, {"seconds": math.nan}, {"seconds": None}, {"seconds": True}):
        (name,) = bad
        with pytest.raises(BadParameter, match=f"{name} must be a number of"):
            Limits(**bad)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="limits must be Limits"):
        read_network(ALARM).posteriors(limits=2**30)  # type: ignore[arg-type]


def test_a_likelihood_that_leaves_one_state_can_be_asked_about() -> None:
    net = read_network("examples/networks/asia.bif")
    for found in ({"yes"}, {"yes": 0.3, "no": 0.0}):
        after = net.posteriors(given={"smoke": found})
        assert after["smoke"].probs.tolist() == [1.0, 0.0]
        assert net.posteriors(["smoke", "lung"], given={"smoke": found})["lung"]["yes"] == pytest.approx(0.1)
        assert net.joint(["smoke", "lung"], given={"smoke": found}).probs.tolist() == [[0.1, 0.9], [0.0, 0.0]]
        assert net.most_probable(["smoke"], given={"smoke": found})["smoke"] == "yes"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_the_evidence_where_nothing_is_open(method: str) -> None:
    net = BayesianNetwork([Node("a", ("x", "y"), [0.25, 0.75])])
    assert net.posteriors(given={"a": "x"}, method=method).log_evidence == pytest.approx(math.log(0.25))
    assert net.posteriors([], given={"a": {"x"}}, method=method).log_evidence == pytest.approx(math.log(0.25))
    with pytest.raises(ImpossibleEvidence, match="a=x"):
        BayesianNetwork([Node("a", ("x", "y"), [0, 1])]).posteriors(given={"a": "x"}, method=method)


def test_what_is_most_probable_when_nothing_is_open() -> None:
    net = read_network(ALARM)
    states = {name: each[0] for name, each in net.variables.items()}
    nothing = net.most_probable(given=states)
    assert len(nothing) == 0
    assert nothing.log_prob == pytest.approx(net.log_prob([states])[0])
    assert net.most_probable([], given={"HR": "HIGH"}).log_prob == net.log_evidence(given={"HR": "HIGH"})
    with pytest.raises(ImpossibleEvidence, match="lung=yes, either=no"):
        read_network("examples/networks/asia.bif").most_probable([], given={"lung": "yes", "either": "no"})


def test_threads_may_ask_one_network_at_once() -> None:
    net = read_network(ALARM)
    engine = net.compile(["HR", "CVP"])
    cases = [{"HR": hr, "CVP": cvp} for hr in net.variables["HR"] for cvp in net.variables["CVP"]]
    expected = [net.posterior("CO", given=case).probs for case in cases]

    def ask(i: int) -> float:
        case = cases[i % len(cases)]
        fresh = net.posterior("CO", given={**case, list(net)[i % 30]: {*net.variables[list(net)[i % 30]]}, **case})
        rows = engine.posteriors({name: [state] * 3 for name, state in case.items()})
        beliefs = [fresh.probs, engine.posteriors(case).probs("CO"), *rows.probs("CO")]
        return max(float(np.abs(belief - expected[i % len(cases)]).max()) for belief in beliefs)

    with ThreadPoolExecutor(8) as threads:
        assert max(threads.map(ask, range(200))) < 1e-12


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(InvalidInput, match="method must be one of 'auto', 'junction tree'"):
        read_network(ALARM).posterior("HR", method="gibbs")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_eliminating_by_hand_gives_the_same(data: st.DataObject) -> None:
    net = data.draw(NETS)
    found = data.draw(oracle.any_findings(net))
    open_ones = [name for name, finding in net.variables.items() if name not in found]
    if oracle.log_evidence(net, found) < -600 or not open_ones:
        return
    name = data.draw(st.sampled_from(open_ones))
    done = net.eliminate(name, given=as_given(net, found))
    np.testing.assert_allclose(done.belief.probs, oracle.posteriors(net, found)[name], atol=1e-12)
    assert done.log_total == pytest.approx(net.posterior(name, given=as_given(net, found)).log_evidence, abs=1e-9)
    assert str(done.trace).count("sum out") == len(done.order)


def test_the_roof_climber_eliminated_step_by_step() -> None:
    net = read_network("examples/networks/roof-climber.bif")
    done = net.eliminate("Climber", given={"Lodge1": "yes", "Lodge2": "yes"}, order=["Alarm", "Goose"])
    lines = [" ".join(line.split()) for line in str(done.trace).splitlines()]
    assert lines[0] == "Step 1: F[Alarm](Climber, Goose, Alarm) × F[Lodge1](Alarm) × F[Lodge2](Alarm)"
    assert "yes yes yes 0.98 × 0.99 × 0.6 = 0.58212" in lines
    assert done.belief["yes"] == pytest.approx(0.3276, abs=5e-5)


def test_what_is_most_probable_in_a_markov_network_is_told_by_its_product() -> None:
    net = MarkovNetwork([Factor({"A": (0, 1)}, [30, 1])])
    best = net.most_probable()
    assert repr(best) == "A  0\nlog of the product = 3.4012"
    assert best.log_product - net.log_partition() == pytest.approx(net.log_prob([dict(best)])[0])
