"""Rows: their probability against products of the laws, and their frequencies against probabilities."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.worked import roof_climber
from tests.oracles import networks as oracle

from credo import native
from credo.errors import BadParameter, ImpossibleEvidence, InvalidInput, TooLarge, UnknownName
from credo.networks import BayesianNetwork, Factor, Limits, MarkovNetwork, Node
from credo.tables import Column, Schema, Table

ON = (True, False)


def every_row(net: BayesianNetwork) -> dict[str, list]:
    cells = list(itertools.product(*net.variables.values()))
    return {name: [cell[i] for cell in cells] for i, name in enumerate(net)}


# -- the probability of rows


@given(oracle.bayesian_networks(most=5))
def test_log_prob_is_the_joint(net: BayesianNetwork) -> None:
    np.testing.assert_allclose(net.log_prob(every_row(net)), oracle.log_joint(net).ravel(), rtol=1e-12, atol=1e-12)


def in_parts() -> BayesianNetwork:
    """Two of three causes, counted by an auxiliary variable with three states; another law on top."""
    causes = dict.fromkeys("abc", ON)
    one = Node("two·1", (0, 1, 2), {False: [1, 0, 0], True: [0.1, 0.9, 0]}, given={"a": ON})
    steps = {(i, on): np.eye(3)[min(i + on, 2)] for i in range(3) for on in ON}
    two = Node("two·2", (0, 1, 2), steps, given={"two·1": (0, 1, 2), "b": ON})
    flag = Node.event("two·3", [0.3, 0.6], given={"a": ON})
    last = {(i, on, f): 0.9 if i + on >= 2 else 0.2 * f for i in range(3) for on in ON for f in ON}
    node = Node.of_parts(
        [one, flag, two, Node.event("two", last, given={"two·2": (0, 1, 2), "c": ON, "two·3": ON})], given=causes
    )
    base = [Node.event(name, 0.3) for name in causes]
    return BayesianNetwork([*base, node, Node.event("top", [0.8, 0.1], given={"two": ON})])


def test_laws_in_parts_need_not_be_written_out() -> None:
    net = in_parts()
    whole = net.with_node(Node("two", ON, net["two"].probs, given=net["two"].parents))
    np.testing.assert_allclose(net.log_prob(every_row(net)), whole.log_prob(every_row(net)), atol=1e-13)


def test_rows_come_in_many_forms() -> None:
    net = BayesianNetwork([Node("x", ["b", "a", "NA"], [0.5, 0.25, 0.25]), Node.event("y", 0.25)])
    rows = {"y": [True, False, True], "x": ["a", "b", "NA"], "z": [1.5, 2.5, 3.5]}
    exact = np.log([0.0625, 0.375, 0.0625])
    listed = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    forms = [rows, listed, pd.DataFrame(rows), pl.DataFrame(rows), Table(rows, missing=())]
    for form in forms:
        np.testing.assert_allclose(net.log_prob(form), exact)
    # A table whose kinds and states were found by looking at it: booleans, and states in the order of the alphabet.
    assert Table(rows, missing=()).states("x") == ("NA", "a", "b")


def test_numbers_are_states_too(tmp_path) -> None:
    net = BayesianNetwork([Node("n", ["0", "1", "2"], [0.5, 0.25, 0.25]), Node("m", [2, 1], [0.75, 0.25])])
    exact = np.log([0.125, 0.375, 0.1875])
    rows = {"n": [0, 0, 2], "m": [1, 2, 2]}
    np.testing.assert_allclose(net.log_prob(Table(rows)), exact)
    np.testing.assert_allclose(net.log_prob(Table(rows, types={"n": "continuous"})), exact)
    path = tmp_path / "rows.csv"
    path.write_text("n,m\n0,1\n0,2\n2,2\n")
    np.testing.assert_allclose(net.log_prob(Table.read(path, in_memory=False)), exact)


def test_impossible_rows_are_minus_infinity() -> None:
    net = BayesianNetwork([Node.event("a", 1)])
    assert net.log_prob({"a": [False, True]}).tolist() == [-math.inf, 0]


def test_no_rows() -> None:
    net = roof_climber()
    assert net.log_prob(net.sample(0, rng=0)).shape == (0,)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"x": ["a", "c"], "y": [0, 1]}, r"column 'x', row 2: 'c'"),
        (Table({"x": ["a", "c"], "y": [0, 1]}), r"row 2, column 'x': 'c' is not a state of 'x'\. There are: 'a', 'b'"),
        (Table({"x": ["a", None], "y": [0, 1]}), r"row 2, column 'x': nothing is said"),
        ({"x": ["a", None], "y": [0, 1]}, r"row 2, column 'x': nothing is said"),
        (Table({"x": ["a", "b"], "y": [0.0, 1.5]}), r"row 2, column 'y': 1\.5 is not a state"),
        ({"x": ["a"]}, "no column 'y'"),
        (Table({"x": ["a"]}), "no column 'y'"),
        ([{"x": "a", "y": 1}, {"x": "a"}], "row 2 says nothing about 'y'"),
        (7, "data must be a table"),
    ],
)
def test_rows_that_are_refused(rows, words: str) -> None:
    net = BayesianNetwork([Node("x", ["a", "b"], [0.5, 0.5]), Node("y", [0, 1], [0.5, 0.5])])
    with pytest.raises(InvalidInput, match=words):
        net.log_prob(rows)


def test_the_number_of_a_row_counts_from_the_first() -> None:
    states = ["a"] * 50_000
    states[40_000] = "c"
    with pytest.raises(InvalidInput, match="row 40001"):
        BayesianNetwork([Node("x", ["a", "b"], [0.5, 0.5])]).log_prob(Table({"x": states}))


# -- drawing rows


def frequencies(net: oracle.Network, rows: Table) -> np.ndarray:
    return rows.counts(list(net.variables)).counts / len(rows)


def close(found: np.ndarray, exact: np.ndarray, n: int) -> None:
    """Within six standard errors and ten rows everywhere, and nowhere if impossible."""
    assert (np.abs(found - exact) <= 6 * np.sqrt(exact * (1 - exact) / n) + 10 / n).all()
    assert not found[exact == 0].any()


@given(oracle.bayesian_networks(most=5), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_frequencies_are_probabilities(net: BayesianNetwork, seed: int) -> None:
    rows = net.sample(4000, rng=seed)
    close(frequencies(net, rows), oracle.joint(net, net), 4000)
    assert np.isfinite(net.log_prob(rows)).all()


def test_laws_in_parts_are_drawn_from() -> None:
    net = in_parts()
    whole = net.with_node(Node("two", ON, net["two"].probs, given=net["two"].parents))
    rows = net.sample(100_000, rng=0)
    assert rows.columns == ("a", "b", "c", "two", "top")
    close(frequencies(net, rows), oracle.joint(whole, whole), 100_000)


def test_many_states() -> None:
    probs = np.arange(100) % 7 / np.sum(np.arange(100) % 7)
    net = BayesianNetwork([Node("x", range(100), probs)])
    close(frequencies(net, net.sample(70_000, rng=3)), probs, 70_000)


def test_the_last_state_is_not_drawn_by_rounding() -> None:
    probs = np.array([0.1] * 10 + [0.0])
    net = BayesianNetwork([Node("x", range(11), probs)])

    class Ones(np.random.Generator):
        def random(self, size):  # the largest number a generator gives
            return np.full(size, np.nextafter(1.0, 0.0))

    assert net.sample(1, rng=Ones(np.random.PCG64(0)))["x"].tolist() == [9]


def test_rows_are_a_table_in_the_states_of_the_network() -> None:
    net = BayesianNetwork([Node("HR", ["LOW", "NORMAL", "HIGH"], [0.1, 0.8, 0.1]), Node.event("a", 0.5)])
    rows = net.sample(10, rng=0)
    assert rows.states("HR") == ("LOW", "NORMAL", "HIGH")
    assert set(rows["HR"]) <= {"LOW", "NORMAL", "HIGH"}
    assert set(rows["a"]) == {True, False}
    assert rows.to_dict() == net.sample(10, rng=np.random.default_rng(0)).to_dict()
    assert rows.to_dict() != net.sample(10, rng=1).to_dict()
    again = Schema((Column("HR", "category", ("HIGH", "LOW", "NORMAL")),)).apply(rows)
    assert again["HR"].tolist() == rows["HR"].tolist()


def test_findings_at_the_top_are_exact() -> None:
    net = roof_climber()
    rows = net.sample(50_000, rng=0, given={"C": True, "G": False})
    assert set(rows["C"]) == {True}
    close(frequencies(net, rows), oracle.joint(net, net, {"C": True, "G": False}), 50_000)


@pytest.mark.parametrize("found", [{"L1": True, "L2": False}, {"A": True}, {"G": {True, False}, "L2": True}])
def test_findings_anywhere_are_exact(found: dict[str, object]) -> None:
    net = roof_climber()
    rows = net.sample(50_000, rng=0, given=found)
    close(frequencies(net, rows), oracle.joint(net, net, found), 50_000)


def test_rows_of_a_markov_network_are_exact() -> None:
    variables = {"a": (0, 1), "b": (0, 1, 2), "c": (0, 1)}
    ab = Factor({"a": (0, 1), "b": (0, 1, 2)}, [[3, 0, 1], [1, 5, 2]])
    bc = Factor({"b": (0, 1, 2), "c": (0, 1)}, [[1, 2], [2, 1], [0, 3]])
    net = MarkovNetwork([ab, bc], variables=variables)
    for found in ({}, {"c": 1}, {"b": {0: 0.5, 1: 1.0, 2: 0.1}}):
        rows = net.sample(50_000, rng=1, given=found)
        brute = {n: np.array(list(each.values())) if isinstance(each, dict) else each for n, each in found.items()}
        close(frequencies(net, rows), oracle.joint(net, net.variables, brute), 50_000)
    columns = rows.head(20).to_dict()
    each = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    exact = [oracle.log_score(net, row) - oracle.log_partition(net) for row in each]
    np.testing.assert_allclose(net.log_prob(rows.head(20)), exact)


def test_findings_far_below_the_smallest_number_are_drawn_from() -> None:
    cause = Node.event("cause", 0.5)
    signs = [Node.event(f"sign{i}", {True: 3e-30, False: 2.9e-30}, given=[cause]) for i in range(40)]
    net, found = BayesianNetwork([cause, *signs]), {f"sign{i}": True for i in range(40)}
    rows = net.sample(4000, rng=0, given=found)
    expected = net.posterior("cause", given=found)[True]
    assert (rows["cause"] == 1).mean() == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 4000))
    assert (rows["sign7"] == 1).all()


def test_a_clique_that_would_not_fit_is_refused_before_it_is_written_out() -> None:
    parents = [Node.event(f"p{i}", 0.5) for i in range(18)]
    net = BayesianNetwork([*parents, Node.event("k", np.full(2**18, 0.5), given=parents)])
    found, limits = {"k": {True: 0.3, False: 0.2}}, Limits(memory=2**20)
    if native.available:  # whose messages are small; the twins write everything out
        net.posteriors(given=found, limits=limits)
    with pytest.raises(TooLarge, match=r"limit is 1 MiB\. .*ive more findings"):
        net.sample(1, rng=0, given=found, limits=limits)


def test_wrong_findings_are_refused() -> None:
    net = roof_climber()
    with pytest.raises(UnknownName, match="state of 'C'"):
        net.sample(10, rng=0, given={"C": 3})
    with pytest.raises(InvalidInput, match="must map names"):
        net.sample(10, rng=0, given=["C"])  # type: ignore[arg-type]
    with pytest.raises(ImpossibleEvidence, match="probability zero"):
        net.do({"C": True}).sample(10, rng=0, given={"C": False})


def test_bad_settings() -> None:
    with pytest.raises(BadParameter, match="n must be at least 0"):
        roof_climber().sample(-1, rng=0)
    with pytest.raises(BadParameter, match="rng must be"):
        roof_climber().sample(1, rng=None)  # type: ignore[arg-type]
    net = BayesianNetwork([Node("x", [(0, 1), (1, 0)], [0.5, 0.5])])
    with pytest.raises(InvalidInput, match="a table has texts and numbers as states"):
        net.sample(1, rng=0)
