"""Compact forms of a table: what they stand for, and that their parts are the same law."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo.errors import BadProbability, InvalidInput, TooLarge, UnknownName
from credo.networks import BayesianNetwork, Node
from credo.networks.branches import read_branch
from credo.networks.compact import function, logistic, noisy_and, noisy_or, tree

ON = (True, False)
chances = st.floats(0, 1)


def same_law(node: Node, exact: np.ndarray) -> None:
    """The table is ``exact``, and so is the joint of the network in which each part is a node."""
    np.testing.assert_allclose(node.probs, exact, atol=1e-14)
    if node.parts:
        parents = [Node(name, states, np.full(len(states), 1 / len(states))) for name, states in node.parents.items()]
        rows = len(exact)
        joint = oracle.joint(BayesianNetwork([*parents, *node.parts]), [*node.parents, node.name])
        np.testing.assert_allclose(joint.reshape(exact.shape) * rows, exact, atol=1e-12)


@given(st.lists(chances, min_size=1, max_size=7), chances)
def test_noisy_or(ps: list[float], leak: float) -> None:
    node = noisy_or("x", {f"c{i}": p for i, p in enumerate(ps)}, leak=leak)
    cells = list(itertools.product(ON, repeat=len(ps)))
    none = [(1 - leak) * math.prod(1 - p for p, on in zip(ps, cell, strict=True) if on) for cell in cells]
    assert bool(node.parts) == (len(ps) >= 6)
    same_law(node, np.array([[1 - p, p] for p in none]))


@given(st.lists(chances, min_size=1, max_size=7), chances)
def test_noisy_and(ps: list[float], leak: float) -> None:
    node = noisy_and("x", {f"c{i}": p for i, p in enumerate(ps)}, leak=leak)
    cells = list(itertools.product(ON, repeat=len(ps)))
    every = [math.prod(p if on else leak for p, on in zip(ps, cell, strict=True)) for cell in cells]
    same_law(node, np.array([[p, 1 - p] for p in every]))


def test_causes_with_degrees() -> None:
    flu = Node("flu", ["none", "mild", "severe"], [0.8, 0.1, 0.1])
    causes = {flu: {"severe": 0.9, "mild": 0.5, "none": 0}, "cold": 0.4}
    node = noisy_or("fever", causes, leak=0.1, states=["yes", "no"])
    assert node.parents == {"flu": ("none", "mild", "severe"), "cold": ON}
    np.testing.assert_allclose(node.probs[:, 1], 0.9 * np.array([0.6, 1, 0.3, 0.5, 0.06, 0.1]))
    assert repr(node).splitlines() == [
        "fever: noisy-or",
        "cause  probability of fever=yes",
        "flu    none: 0, mild: 0.5, severe: 0.9",
        "cold   0.4",
        "leak   0.1",
    ]
    more = {f"c{i}": {"a": 0.1 * i, "b": 0.5, "c": 1} for i in range(5)}
    whole = [
        1 - math.prod(1 - each[s] for each, s in zip(more.values(), cell, strict=True))
        for cell in itertools.product("abc", repeat=5)
    ]
    assert noisy_or("x", more).parts
    same_law(noisy_or("x", more), np.array([[p, 1 - p] for p in whole]))


@given(st.data())
def test_networks_with_laws_in_parts_answer_alike(data) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    base = [Node.event("r", 0.3)]
    base += [Node.event(f"c{i}", rng.random(2), given=[base[0]]) for i in range(7)]
    rule = (
        "c0",
        {True: ("c1", {True: [0.9, 0.1], False: [0.2, 0.8]}), False: ("c2", {True: [0.5, 0.5], False: [1, 0]})},
    )
    held = [
        noisy_or("o", {node: rng.random() for node in base[1:]}, leak=0.05),
        noisy_and("a", {node: rng.random() for node in base[1:]}, leak=0.2),
        tree("t", ["x", "y"], dict.fromkeys([f"c{i}" for i in range(7)], ON), rule),
    ]
    assert all(node.parts for node in held)
    whole = [Node(node.name, node.states, node.probs, given=node.parents) for node in held]
    top = [Node.event("top", rng.random((2, 2, 2)), given=held)]
    found = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "o": st.sampled_from(ON),
                "t": st.sampled_from("xy"),
                "top": st.sampled_from(ON),
                "c3": st.sampled_from(ON),
            },
        )
    )
    one, other = BayesianNetwork([*base, *held, *top]), BayesianNetwork([*base, *whole, *top])
    assert math.isclose(one.log_evidence(given=found), other.log_evidence(given=found), abs_tol=1e-10)
    for name in one:
        if name not in found:
            exact = other.posterior(name, given=found).probs
            np.testing.assert_allclose(one.posterior(name, given=found).probs, exact, atol=1e-10)


def test_a_thousand_causes_stay_small() -> None:
    node = noisy_or("x", {f"c{i}": 0.001 for i in range(1000)}, leak=0.01)
    assert node.cells == 4 + 999 * 8
    assert "… and 962 more" in repr(node)
    with pytest.raises(TooLarge, match="use its parts, 7,996 cells"):
        _ = node.probs
    net = BayesianNetwork([*(Node.event(f"c{i}", 0.5) for i in range(1000)), node])
    rows = net.sample(100, rng=0)
    on = sum(rows[f"c{i}"].astype(bool) for i in range(1000))
    none = np.log(0.99) + on * np.log(0.999)
    exact = np.where(rows["x"].astype(bool), np.log1p(-np.exp(none)), none) - 1000 * math.log(2)
    np.testing.assert_allclose(net.log_prob(rows), exact)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(-50, 50))
def test_logistic(weights: list[float], bias: float) -> None:
    node = logistic("x", {f"w{i}": w for i, w in enumerate(weights)}, bias=bias)
    for cell, (yes, no) in zip(itertools.product(ON, repeat=len(weights)), node.probs, strict=True):
        z = bias + sum(w for w, on in zip(weights, cell, strict=True) if on)
        assert math.isclose(yes, 1 / (1 + math.exp(-z)), rel_tol=1e-9)
        assert math.isclose(no, 1 / (1 + math.exp(z)), rel_tol=1e-9)


def test_functions() -> None:
    node = function("sum", range(2, 13), {"first": range(1, 7), "second": range(1, 7)}, lambda a, b: a + b)
    dice = BayesianNetwork([*(Node(name, range(1, 7), np.full(6, 1 / 6)) for name in node.parents), node])
    np.testing.assert_allclose(oracle.joint(dice, ["sum"]) * 36, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    lines = repr(node).splitlines()
    assert lines[:3] == ["first  second  sum", "1      1       2", "1      2       3"]
    assert lines[-1] == "… and 20 more rows"
    with pytest.raises(UnknownName, match="no state of 'x' 3"):
        function("x", [1, 2], {"a": [1, 2]}, lambda a: a + 1)
    assert function("one", [1], [], lambda: 1).probs.tolist() == [[1]]


@st.composite
def rules(draw, parents: dict[str, tuple], depth: int = 4):
    if not parents or not depth or draw(st.integers(0, 5)) == 0:
        row = np.array(draw(st.lists(st.integers(1, 9), min_size=3, max_size=3)), dtype=float)
        return row / row.sum()
    name = draw(st.sampled_from(sorted(parents)))
    rest = {other: states for other, states in parents.items() if other != name}
    return name, {state: draw(rules(rest, depth - 1)) for state in parents[name]}


@given(st.data())
def test_trees(data) -> None:
    parents = {"a": ON, "b": (0, 1, 2), "c": ON, "d": (0, 1, 2, 3), "e": ON}
    rule = data.draw(rules(parents).filter(lambda rule: isinstance(rule, tuple)))

    def row(cell: dict, part):
        return row(cell, part[1][cell[part[0]]]) if isinstance(part, tuple) else part

    cells = (dict(zip(parents, cell, strict=True)) for cell in itertools.product(*parents.values()))
    exact = np.array([row(cell, rule) for cell in cells])
    np.testing.assert_allclose(tree("x", list("lmh"), parents, rule).probs, exact, atol=1e-14)
    # In parts too, whether or not they are fewer.
    branch = read_branch("x", tuple("lmh"), parents, rule)
    parts = branch.parts("x", tuple("lmh"), (f"x·{i}" for i in itertools.count()))
    np.testing.assert_allclose(Node.of_parts(parts, given=parents).probs, exact, atol=1e-14)


def test_a_tree_with_many_parents_stays_small() -> None:
    rule = [0.5, 0.5]
    for i in range(60):
        rule = (f"p{i}", {True: [1, 0], False: rule})
    node = tree("x", ["a", "b"], {f"p{i}": ON for i in range(60)}, rule)
    assert node.cells == 8 * 59 + 4
    assert repr(node).splitlines()[:3] == ["x: tree", "p59=True: a 1, b 0", "p59=False"]
    assert repr(node).endswith("more lines")
    rows = {**{f"p{i}": [False, False] for i in range(60)}, "x": ["a", "b"]}
    net = BayesianNetwork([*(Node.event(f"p{i}", 0.5) for i in range(60)), node])
    np.testing.assert_allclose(net.log_prob(rows), -61 * math.log(2))


@pytest.mark.parametrize(
    ("rule", "error", "words"),
    [
        ([0.5, 0.5], InvalidInput, "must be a pair"),
        (("c", {True: [1, 0], False: [0, 1]}), UnknownName, "no parent in rule 'c'"),
        (("a", {True: [1, 0]}), InvalidInput, "says nothing for 'a' = False"),
        (("a", {True: [1, 0], False: [0, 1], None: [0, 1]}), UnknownName, "state of 'a' None"),
        (("a", {True: [1, 0], False: [0.5, 1]}), BadProbability, "sums to 1.5"),
        (("a", {True: [1, 0], False: ("b", {0: ("a", {}), 1: [1, 0]})}), InvalidInput, "'a' twice.*: a, b, a"),
    ],
)
def test_trees_that_are_refused(rule, error, words: str) -> None:
    with pytest.raises(error, match=words):
        tree("x", ["yes", "no"], {"a": ON, "b": (0, 1)}, rule)


def test_what_is_refused() -> None:
    flu = Node("flu", ["none", "mild"], [0.8, 0.2])
    with pytest.raises(InvalidInput, match=r"number for each state of 'flu', \('none', 'mild'\); got 0\.5"):
        noisy_or("x", {flu: 0.5})
    with pytest.raises(InvalidInput, match="must map at least one parent"):
        noisy_or("x", {})
    with pytest.raises(InvalidInput, match="'flu' stands twice"):
        noisy_or("x", {flu: {"none": 0, "mild": 1}, "flu": 0.5})
    with pytest.raises(BadProbability, match="probabilities of 'a' must lie between 0 and 1"):
        noisy_or("x", {"a": 1.5})
    with pytest.raises(BadProbability, match="leak must lie between 0 and 1"):
        noisy_and("x", {"a": 0.5}, leak=-1)
    with pytest.raises(InvalidInput, match="states of 'x' must be two"):
        noisy_or("x", {"a": 0.5}, states=["a", "b", "c"])
    with pytest.raises(TooLarge, match="1,073,741,824 cells"):
        logistic("x", {f"w{i}": 1.0 for i in range(29)})
    with pytest.raises(TooLarge, match="cells"):
        function("x", ON, {f"w{i}": ON for i in range(29)}, lambda *states: all(states))
    with pytest.raises(InvalidInput, match="own parent"):
        noisy_or("x", {"x": 0.5})
