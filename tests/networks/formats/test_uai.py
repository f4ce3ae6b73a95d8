"""UAI: numbers only, and never more than the file holds."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import FormatError
from credo.networks import BayesianNetwork, MarkovNetwork
from credo.networks.formats import uai


def test_bayes_has_the_child_last() -> None:
    net = uai.read("a.uai", b"BAYES # a comment\n2\n2 3\n2\n1 0\n2 0 1\n2\n .2 .8\n6\n .1 .2 .7 .3 .3 .4")
    assert isinstance(net, BayesianNetwork)
    assert net.variables == {"0": ("0", "1"), "1": ("0", "1", "2")}
    assert list(net.nodes["1"].parents) == ["0"]
    assert np.allclose(net.nodes["1"].probs, [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])


def test_markov_has_potentials_and_variables_in_none() -> None:
    net = uai.read("a.uai", b"MARKOV\n3\n2 2 4\n2\n2 0 1\n0\n4\n30 5 1 10\n1\n7")
    assert isinstance(net, MarkovNetwork)
    assert net.variables["2"] == ("0", "1", "2", "3")
    assert np.array_equal(net.potentials[0].array, [[30, 5], [1, 10]])
    assert net.potentials[1].values.tolist() == [7]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_comments_begin_with_a_hash_or_are_lines_that_begin_with_a_c_alone(end: str) -> None:
    lines = ["c a problem 7", "MARKOV # of one", "c", "1 2 1", "c\t2 3", "1 0 2", "# 5", "3 4", "c"]
    net = uai.read("a.uai", end.join(lines).encode())
    assert isinstance(net, MarkovNetwork)
    assert net.potentials[0].values.tolist() == [3, 4]
    with pytest.raises(FormatError, match=r"line 1, column 16: expected a number.*; found 'c'"):
        uai.read("a.uai", b"MARKOV 1 2 1 1 c 0 2 3 4")


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("GRAPH 1 2", 1, 1, "BAYES or MARKOV"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n.5", 7, 3, "expected 2 numbers of a table; found 1"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n.5 x", 7, 4, "found 'x'"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n.5 -1", 7, 4, "found '-1'"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n.5 1e999", 7, 4, "found '1e999'"),
        ("MARKOV\n1\n2\n1\n1 0\n2\n.5 .5 .5", 7, 7, "expected the end of the file"),
        ("MARKOV\n1\n1000000000\n1\n1 0\n1000000000\n.5", 6, 1, "more than the file has"),
        ("MARKOV\n1\n1000000000\n0\n", 3, 1, "cannot have 1,000,000,000 states"),
        ("MARKOV\n1000000000\n2\n0\n", 5, 1, "expected the number of states of each variable; found the end"),
        ("MARKOV\n1\n2\n1\n1 1\n2\n.5 .5", 5, 3, "below 1; found 1"),
        ("MARKOV\n1\n2.5\n1\n1 0\n2\n.5 .5", 3, 1, "found 2.5"),
        ("MARKOV\n1\n2\n1\n2 0 0\n2\n.5 .5", 5, 1, "must all differ"),
        ("BAYES\n1\n2\n1\n1 0\n2\n.5 .4", 7, 1, "sum to 1"),
        ("MARKOV\n2\n2 0\n0", 3, 3, "at least one state of each variable; found 0"),
        ("BAYES\n1\n2\n1\n0\n1\n.5", 5, 1, "expected the child"),
    ],
)
def test_errors_say_where(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        uai.read("a.uai", text.encode())
    assert (caught.value.line, caught.value.column) == (line, column)
    assert words in str(caught.value)


def test_evidence_new_and_old() -> None:
    assert uai.evidence("a.evid", b"0") == {}
    assert uai.evidence("a.evid", b"2 0 1 7 0\n") == {"0": "1", "7": "0"}
    assert uai.evidence("a.evid", b"1\n2 0 1 7 0\n") == {"0": "1", "7": "0"}


@pytest.mark.parametrize("text", ["", "2 0 1", "2\n1 0 1\n1 0 1 0", "1 0 x", "2 0 1 0 1", "3\n1"])
def test_evidence_that_is_none(text: str) -> None:
    with pytest.raises(FormatError):
        uai.evidence("a.evid", text.encode())
