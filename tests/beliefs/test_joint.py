"""Joint tables against brute force over their cells."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from credo.beliefs import Categorical, JointTable
from credo.errors import BadParameter, BadProbability, BadShape, ImpossibleEvidence, InvalidInput, TooLarge, UnknownName

NAMES = ("a", "b", "c", "d")
STATES = (("x", "y"), (0, 1, 2), ("p", "q"), (True, False))


def random_table(seed: int, zeros: float = 0.2) -> JointTable:
    rng = np.random.default_rng(seed)
    shape = [len(states) for states in STATES]
    probs = rng.random(shape) * (rng.random(shape) >= zeros)
    return JointTable(NAMES, STATES, probs / probs.sum())


def cells(table: JointTable) -> list[tuple[dict[str, object], float]]:
    return [
        (dict(zip(table.names, cell, strict=True)), float(p))
        for cell, p in zip(itertools.product(*table.states), table.probs.ravel(), strict=True)
    ]


def brute(table: JointTable, **wanted: object) -> float:
    return math.fsum(p for cell, p in cells(table) if all(cell[name] == state for name, state in wanted.items()))


# ---------------------------------------------------------------- queries


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.permutations(NAMES), st.integers(1, 4))
def test_marginals_sum_the_others_out(seed: int, order: list[str], size: int) -> None:
    table = random_table(seed)
    part = table.marginal(order[:size])
    assert part.names == tuple(order[:size])
    assert table.marginal(name for name in order[:size]).names == part.names
    for cell, p in cells(part):
        assert p == pytest.approx(brute(table, **cell), abs=1e-12)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_given_divides_by_the_probability_of_the_findings(seed: int) -> None:
    table = random_table(seed)
    findings = {"b": 1, "d": False}
    after = table.given(findings)
    assert after.names == ("a", "c")
    total = brute(table, **findings)
    assert after.log_evidence == pytest.approx(math.log(total))
    assert table.prob(findings) == pytest.approx(total)
    for cell, p in cells(after):
        assert p == pytest.approx(brute(table, **cell, **findings) / total, abs=1e-12)
    steps = table.given({"d": False}).given({"b": 1})
    np.testing.assert_allclose(steps.probs, after.probs, atol=1e-12)
    assert steps.log_evidence == pytest.approx(after.log_evidence)


def test_a_set_of_states_is_an_event() -> None:
    table = random_table(3, zeros=0)
    after = table.given({"b": {2, 0}, "a": "x"})
    assert after.names == ("b", "c", "d")
    assert after.states[0] == (0, 2)
    total = brute(table, a="x", b=0) + brute(table, a="x", b=2)
    assert math.exp(after.log_evidence) == pytest.approx(total)
    assert after.prob({"b": 2}) == pytest.approx(brute(table, a="x", b=2) / total)
    assert table.prob({"b": {0, 1, 2}}) == pytest.approx(1)
    with pytest.raises(InvalidInput, match="empty"):
        table.given({"b": set()})


def test_conditional_tables_have_rows_that_sum_to_one() -> None:
    table = random_table(5, zeros=0)
    part = table.conditional(["c", "a"], given=["d", "b"])
    assert part.probs.shape == (2, 3, 2, 2)
    np.testing.assert_allclose(part.probs.sum(axis=(2, 3)), 1)
    row = part.given({"b": 2, "d": True})
    assert row.names == ("c", "a")
    np.testing.assert_allclose(row.probs, table.given({"b": 2, "d": True}).marginal(["c", "a"]).probs)
    np.testing.assert_allclose(table.conditional("a", given=()).probs, table.marginal("a").probs)
    likelihood = part.likelihood({"c": "q", "a": "x"})
    assert list(likelihood) == [(d, b) for d in (True, False) for b in (0, 1, 2)]
    assert likelihood[False, 1] == pytest.approx(brute(table, a="x", b=1, c="q", d=False) / brute(table, b=1, d=False))
    with pytest.raises(InvalidInput, match="d, b"):
        part.given({"b": 1})
    with pytest.raises(InvalidInput, match="c, a"):
        part.likelihood({"c": "q"})


def test_conditions_that_cannot_be_are_shown_and_refused() -> None:
    table = JointTable.from_mapping(["a", "b"], {("x", 0): 0.5, ("y", 1): 0.5})
    wide = JointTable(["a", "b"], [["x", "y", "z"], [0, 1]], [[0.5, 0.0], [0.0, 0.5], [0.0, 0.0]])
    part = wide.conditional("b", given="a")
    assert "–" in repr(part)
    with pytest.raises(ImpossibleEvidence, match="not defined"):
        part.given({"a": "z"})
    with pytest.raises(ImpossibleEvidence, match="not defined"):
        part.likelihood({"b": 1})
    with pytest.raises(ImpossibleEvidence, match="probability zero"):
        table.given({"a": "x", "b": 1})


@pytest.mark.parametrize("seed", range(4))
def test_bayes_rule_in_a_smaller_universe(seed: int) -> None:
    """P(a | b, C) = P(b | a, C) P(a | C) / P(b | C), whichever way it is asked."""
    table = random_table(seed, zeros=0)
    background = table.given({"c": "p"})
    rule = background.belief("a").given(background.conditional("b", given="a").likelihood({"b": 1}))
    direct = table.given({"b": 1, "c": "p"}).belief("a")
    np.testing.assert_allclose(rule.probs, direct.probs, rtol=1e-12)
    assert rule.log_evidence == pytest.approx(direct.log_evidence)
    assert rule.log_evidence == pytest.approx(math.log(brute(table, b=1, c="p")))


def test_everything_found_leaves_an_empty_table() -> None:
    table = random_table(1, zeros=0)
    rest = table.given({"a": "x", "b": 0, "c": "p", "d": True})
    assert rest.names == ()
    assert rest.log_evidence == pytest.approx(math.log(table.probs[0, 0, 0, 0]))
    assert repr(rest) == "1"
    assert table.given({}).names == NAMES


def test_the_most_probable_assignment() -> None:
    table = random_table(9)
    assert brute(table, **table.mode) == table.probs.max()


# ---------------------------------------------------------------- independence and information


def test_independence_by_construction_and_its_absence() -> None:
    rng = np.random.default_rng(2)
    c = rng.dirichlet(np.ones(3))
    a, b = rng.dirichlet(np.ones(2), 3), rng.dirichlet(np.ones(4), 3)
    table = JointTable(["a", "b", "c"], [range(2), range(4), range(3)], np.einsum("ca,cb,c->abc", a, b, c))
    assert table.independent("a", "b", given="c")
    assert not table.independent("a", "b")
    assert not table.independent("a", "c", given="b")
    assert [str(each) for each in table.independencies()] == ["a ⊥ b | c"]


def test_pairwise_independence_is_not_joint_independence() -> None:
    xor = JointTable.from_mapping(["a", "b", "c"], {(a, b, a ^ b): 0.25 for a in (0, 1) for b in (0, 1)})
    assert {str(each) for each in xor.independencies()} == {"a ⊥ b", "a ⊥ c", "b ⊥ c"}
    assert not xor.independent("a", ["b", "c"])
    assert not xor.independent("a", "b", given="c")
    assert xor.mutual_information("a", "b", given="c", unit="bits") == pytest.approx(1)


def test_rare_states_count_as_much_as_frequent_ones() -> None:
    rare = 1e-12
    table = JointTable(["a", "b"], [[0, 1]] * 2, [[rare * 0.9, rare * 0.1], [(1 - rare) * 0.1, (1 - rare) * 0.9]])
    assert not table.independent("a", "b")
    same = JointTable.product({"a": Categorical([rare, 1 - rare]), "b": Categorical([0.1, 0.9])})
    assert same.independent("a", "b")


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_information_adds_up(seed: int) -> None:
    table = random_table(seed)
    h = table.entropy
    assert h(["a", "b"]) == pytest.approx(h("a") + h("b", given="a"))
    assert h() == pytest.approx(-sum(p * math.log(p) for _, p in cells(table) if p > 0))
    assert table.mutual_information("a", "b") == pytest.approx(h("a") + h("b") - h(["a", "b"]), abs=1e-12)
    chain = table.mutual_information("a", "b") + table.mutual_information("a", ["c", "d"], given="b")
    assert table.mutual_information("a", ["b", "c", "d"]) == pytest.approx(chain, abs=1e-12)
    assert table.mutual_information("a", "b", given=["c", "d"]) == pytest.approx(
        h("a", given=["c", "d"]) - h("a", given=["b", "c", "d"]), abs=1e-12
    )
    product = JointTable.product({name: table.belief(name) for name in NAMES})
    assert table.kl(product) == pytest.approx(sum(h(name) for name in NAMES) - h())


def test_mutual_information_is_that_of_scikit_learn() -> None:
    counts = np.random.default_rng(4).integers(0, 20, (3, 4))
    table = JointTable(["a", "b"], [range(3), range(4)], counts / counts.sum())
    expected = mutual_info_score(None, None, contingency=counts)
    assert table.mutual_information("a", "b") == pytest.approx(expected)
    assert table.mutual_information("a", "b", unit="bits") == pytest.approx(expected / math.log(2))


def test_divergence_lines_up_the_names() -> None:
    p, q = random_table(1, zeros=0), random_table(2, zeros=0)
    expected = float((p.probs * np.log(p.probs / q.probs)).sum())
    assert p.kl(q.marginal(["d", "b", "a", "c"])) == pytest.approx(expected)
    with pytest.raises(InvalidInput, match="same names"):
        p.kl(q.marginal(["a", "b"]))
    assert random_table(1).kl(random_table(7)) == math.inf


# ---------------------------------------------------------------- making, drawing, printing


def test_samples_have_the_right_frequencies() -> None:
    table = random_table(6)
    n = 40_000
    drawn = table.sample(n, 0)
    assert set(drawn) == set(NAMES)
    for cell, p in cells(table):
        share = np.mean([drawn[name] == state for name, state in cell.items()], axis=0) == 1
        assert abs(share.mean() - p) <= 5 * math.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((["a"], [["x", "y"]], [0.5, 0.6]), BadProbability),
        ((["a"], [["x", "y"]], [0.5, 0.5, 0.0]), BadShape),
        ((["a", "a"], [["x"], ["y"]], [[1.0]]), InvalidInput),
        ((["a"], [["x", "x"]], [0.5, 0.5]), InvalidInput),
        ((["a"], [[]], []), InvalidInput),
        ((["a", "b"], [["x"]], [1.0]), BadShape),
        ((["a"], [["x", "y"]], [np.nan, 1.0]), InvalidInput),
        (([1], [["x", "y"]], [0.5, 0.5]), InvalidInput),
        ((1, [["x", "y"]], [0.5, 0.5]), InvalidInput),
        ((["a"], 2, [0.5, 0.5]), BadShape),
        ((["a"], [2], [0.5, 0.5]), InvalidInput),
        ((["a"], ["xy"], [0.5, 0.5]), InvalidInput),
        (([str(i) for i in range(33)], [["x"]] * 33, 1.0), TooLarge),
    ],
)
def test_bad_tables_are_refused(arguments: tuple[object, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        JointTable(*arguments)


def test_bad_queries_are_refused() -> None:
    table = random_table(0)
    with pytest.raises(UnknownName, match="variable 'z'"):
        table.marginal("z")
    with pytest.raises(UnknownName, match="state of 'a' 'w'"):
        table.given({"a": "w"})
    with pytest.raises(InvalidInput, match="mapping"):
        table.given(["a"])
    with pytest.raises(BadParameter, match="different"):
        table.independent("a", "a")
    with pytest.raises(BadParameter, match="different"):
        table.mutual_information("a", "b", given="b")
    with pytest.raises(BadParameter, match="at least one"):
        table.independent([], "a")
    with pytest.raises(BadParameter, match="bits"):
        table.entropy(unit="bit")
    with pytest.raises(UnknownName):
        table.given({"a": ["x"]})
    with pytest.raises(BadShape, match="tuple of 2"):
        JointTable.from_mapping(["a", "b"], {("x",): 1.0})
    with pytest.raises(InvalidInput, match="mapping"):
        JointTable.from_mapping(["a"], {})
    with pytest.raises(InvalidInput, match="single Categorical"):
        JointTable.product({"a": Categorical([[1.0]])})
    with pytest.raises(InvalidInput, match="one variable"):
        table.belief(["a", "b"])
    with pytest.raises(InvalidInput, match="JointTable"):
        table.kl("b")
    with pytest.raises(InvalidInput, match="mapping"):
        JointTable.from_mapping(["a"], [1.0])
    with pytest.raises(InvalidInput, match="stands twice"):
        table.conditional("a", given=["a", "b"])


def test_what_would_not_fit_is_refused_with_its_cost() -> None:
    coin = Categorical([0.5, 0.5])
    with pytest.raises(TooLarge, match="1,073,741,824 cells"):
        JointTable.product({str(i): coin for i in range(30)})
    with pytest.raises(TooLarge, match="13 variables"):
        JointTable.product({str(i): coin for i in range(13)}).independencies()


def test_many_variables_are_no_obstacle() -> None:
    coin = Categorical([0.25, 0.75])
    table = JointTable.product({str(i): coin for i in range(20)})
    assert table.belief("7")[0] == pytest.approx(0.25)
    assert table.entropy() == pytest.approx(20 * coin.entropy())
    thin = JointTable([str(i) for i in range(32)], [["only"]] * 32, np.ones((1,) * 32))
    assert thin.given({"3": "only"}).log_evidence == 0


def test_long_tables_are_cut_in_print() -> None:
    table = JointTable.product({name: Categorical(np.full(8, 1 / 8)) for name in "abc"})
    lines = repr(table).splitlines()
    assert lines[0].split()[:4] == ["a", "b", "c=0", "c=1"]
    assert lines[-1] == "… and 40 more rows"
