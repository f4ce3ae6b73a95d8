"""Markov networks as values, and separation in them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo.errors import InvalidInput, UnknownName
from credo.networks import Factor, MarkovNetwork

BITS = (0, 1)


def square() -> MarkovNetwork:
    """Four people who meet two by two in a round."""
    tables = [[[30, 5], [1, 10]], [[100, 1], [1, 100]], [[1, 100], [100, 1]], [[100, 1], [1, 100]]]
    pairs = ["AB", "BC", "CD", "DA"]
    return MarkovNetwork([Factor({a: BITS, b: BITS}, t) for (a, b), t in zip(pairs, tables, strict=True)])


def test_the_round_of_four() -> None:
    net = square()
    assert net.separated("A", "C", given=["B", "D"])
    assert not net.separated("A", "C", given="B")
    assert net.markov_blanket("A") == ("B", "D")
    assert list(net.graph().edges) == [("A", "B"), ("A", "D"), ("B", "C"), ("C", "D")]


@given(oracle.markov_networks(least=2, most=5), st.data())
def test_what_is_separated_is_independent(net: MarkovNetwork, data) -> None:
    names = list(net)
    a, b = data.draw(st.permutations(names))[:2]
    known = [name for name in names if name not in (a, b) and data.draw(st.booleans())]
    if net.separated(a, b, given=known) and np.isfinite(oracle.log_partition(net)):
        table = oracle.joint(net, [a, b, *known])
        product = table.sum(axis=0, keepdims=True) * table.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(table * table.sum(axis=(0, 1)), product, atol=1e-15)
    blanket = net.markov_blanket(a)
    others = set(names) - {a, *blanket}
    assert not others or net.separated(a, others, given=blanket)


def test_values() -> None:
    net = square()
    assert net == square()
    assert hash(net) == hash(square())
    assert net != MarkovNetwork(net.potentials[:3])
    assert net != 1
    assert len(net) == 4
    assert list(net) == list("ABCD")
    assert "A" in net
    assert "Z" not in net
    assert net["A"] == BITS
    with pytest.raises(UnknownName, match="no variable 'Z'"):
        net["Z"]
    with pytest.raises(UnknownName):
        net.markov_blanket("Z")


def test_it_describes_itself() -> None:
    net = MarkovNetwork(square().potentials, name="<round>")
    assert net.describe().splitlines() == [
        "<round>: MarkovNetwork of 4 variables, 4 potentials",
        "potential over  numbers",
        "A, B                  4",
        "B, C                  4",
        "C, D                  4",
        "D, A                  4",
        "16 numbers",
    ]
    assert "&lt;round&gt;" in net._repr_html_()
    large = MarkovNetwork([Factor({f"v{i}": BITS}, [1, 2]) for i in range(1000)]).describe()
    assert "… and 970 more" in large
    assert len(large.splitlines()) == 34


def test_what_is_refused() -> None:
    with pytest.raises(InvalidInput, match="made of Factors"):
        MarkovNetwork([1])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="'A' has the states"):
        MarkovNetwork([Factor({"A": BITS}, [1, 2]), Factor({"A": (0, 1, 2)}, [1, 2, 3])])
