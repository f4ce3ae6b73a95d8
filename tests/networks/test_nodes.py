"""Nodes: tables given in several forms, and laws held in parts."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import BadProbability, BadShape, InvalidInput, TooLarge, UnknownName
from credo.networks import Node

ON = (True, False)


def test_forms_of_a_table() -> None:
    rain = Node("rain", ["yes", "no"], {"yes": 0.2, "no": 0.8})
    by_row = Node("coat", ["on", "off"], [[0.9, 0.1], [0.3, 0.7]], given=[rain])
    by_state = Node("coat", ["on", "off"], {"yes": {"on": 0.9, "off": 0.1}, "no": [0.3, 0.7]}, given=[rain])
    in_one_row = Node("coat", ["on", "off"], [0.9, 0.1, 0.3, 0.7], given={"rain": ("yes", "no")})
    assert by_row == by_state == in_one_row
    assert hash(by_row) == hash(by_state)
    assert by_row != Node("coat", ["on", "off"], [[0.9, 0.1], [0.7, 0.3]], given=[rain])
    assert by_row.cells == 4
    assert by_row.factors == (by_row.factor,)


def test_two_parents_are_keyed_by_tuples() -> None:
    parents = {"a": (0, 1), "b": ("x", "y", "z")}
    table = {(i, j): 0.1 * (i + 1) * (k + 1) for i in (0, 1) for k, j in enumerate("xyz")}
    node = Node.event("c", table, given=parents)
    np.testing.assert_allclose(node.probs[:, 0], [0.1, 0.2, 0.3, 0.2, 0.4, 0.6])
    assert node.factor.sizes == (2, 3, 2)


def test_the_camp_fire() -> None:
    storm, bus = Node.event("Storm", 0.1), Node.event("BusTourGroup", 0.5)
    chances = {(True, True): 0.4, (True, False): 0.1, (False, True): 0.8, (False, False): 0.2}
    assert repr(Node.event("CampFire", chances, given=[storm, bus])).splitlines() == [
        "Storm  BusTourGroup  CampFire=True  CampFire=False",
        "True   True                    0.4             0.6",
        "True   False                   0.1             0.9",
        "False  True                    0.8             0.2",
        "False  False                   0.2             0.8",
    ]


@pytest.mark.parametrize(
    ("probs", "error", "words"),
    [
        ([[0.9, 0.1]], BadShape, "shape"),
        ([[0.9, 0.2], [0.3, 0.7]], BadProbability, "row 0 sums to 1.1"),
        ([[1.1, -0.1], [0.3, 0.7]], BadProbability, "between 0 and 1"),
        ({"yes": [0.9, 0.1]}, InvalidInput, "every combination of states; nothing for \\('no',\\)"),
        ({"yse": [0.9, 0.1]}, UnknownName, "Did you mean 'yes'"),
    ],
)
def test_what_is_refused(probs, error, words: str) -> None:
    with pytest.raises(error, match=words):
        Node("coat", ["on", "off"], probs, given={"rain": ("yes", "no")})


def test_nobody_is_their_own_parent() -> None:
    with pytest.raises(InvalidInput, match="own parent"):
        Node.event("a", [0.1, 0.2], given={"a": ON})


def chain(n: int) -> Node:
    """The exclusive or of n parents, held in n parts."""
    parents = {f"p{i}": ON for i in range(n)}
    parts = [Node.event("x·0" if n > 1 else "x", [1, 0], given={"p0": ON})]
    for i in range(1, n):
        name = "x" if i == n - 1 else f"x·{i}"
        parts.append(Node.event(name, [[0, 1], [1, 0]], given={f"x·{i - 1}": ON, f"p{i}": ON}))
    return Node.of_parts(parts, given=parents)


def test_parts_are_written_out_when_asked_for() -> None:
    node = chain(10)
    odd = [bin(i ^ 1023).count("1") % 2 for i in range(1024)]
    np.testing.assert_array_equal(node.probs[:, 0], odd)
    assert node.probs is node.probs
    assert not node.probs.flags.writeable
    assert node.cells == 4 + 9 * 8
    assert len(node.factors) == 10
    assert repr(node).endswith("p8, p9: held in 10 parts")
    assert node == chain(10) != chain(9)
    assert node != Node("x", ON, node.probs, given=node.parents)


def test_parents_that_no_part_looks_at_do_not_matter() -> None:
    node = Node.of_parts([Node.event("x", [0.3, 0.6], given={"a": ON})], given={"b": (0, 1, 2), "a": ON})
    np.testing.assert_allclose(node.probs[:, 0], [0.3, 0.6] * 3)


def test_too_many_parts_are_not_written_out() -> None:
    node = chain(30)
    assert "30 parts" in repr(node)
    assert node == chain(30)
    with pytest.raises(TooLarge, match=r"2,147,483,648 cells.*use its parts, 236 cells"):
        _ = node.probs


def test_parts_must_fit_together() -> None:
    a = Node.event("x·1", [0.1, 0.2], given={"a": ON})
    last = Node.event("x", [0.1, 0.2], given=[a])
    given = {"a": ON}
    Node.of_parts([a, last], given=given)
    with pytest.raises(UnknownName, match="no parent of the part 'x' 'x·1'"):
        Node.of_parts([last, a], given=given)
    with pytest.raises(InvalidInput, match="other states of 'a'"):
        Node.of_parts([a, last], given={"a": (1, 0, 2)})
    with pytest.raises(InvalidInput, match="start with 'x·'"):
        Node.of_parts([Node.event("y", 0.1), Node.event("x", 0.2)], given=given)
    with pytest.raises(InvalidInput, match="each with a table"):
        Node.of_parts([], given=given)
    with pytest.raises(InvalidInput, match="each with a table"):
        Node.of_parts([Node.of_parts([a, last], given=given)], given=given)
