"""What is written is read back."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.networks.formats.drawn import bayesian_networks, markov_networks, names

from credo.errors import BadParameter, FormatError, InvalidInput, TooLarge
from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node
from credo.networks.formats import bif, credo_json, read_network, uai, write_network, xmlbif

COIN = Node("coin", ["heads", "tails"], [0.25, 0.75])
NET = BayesianNetwork(
    [COIN, Node("call", ["right", "wrong"], [[1 / 3, 2 / 3], [0.1, 0.9]], given=[COIN])], name="a game"
)
RING = MarkovNetwork(
    [Factor({"A": ("0", "1"), "B": ("0", "1")}, [[30, 5], [1, 1e-300]])], variables={"C": ("0", "1", "2")}
)
labels = st.one_of(names, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False))
xml_names = names.filter(lambda name: name == name.strip(" \t\r\n") and not {"\ufffe", "\uffff"} & set(name))


@given(bayesian_networks(states=names.filter(lambda n: '"' not in n), held=names.filter(lambda n: '"' not in n)))
def test_bif(net: BayesianNetwork) -> None:
    back = bif.read("a.bif", bif.write(net).encode())
    assert back == net
    assert back.name == net.name


@given(bayesian_networks(states=xml_names, held=xml_names))
def test_xmlbif(net: BayesianNetwork) -> None:
    back = xmlbif.read("a.xml", xmlbif.write(net).encode())
    assert back == net
    assert back.name == net.name


@given(st.one_of(bayesian_networks(states=labels), markov_networks(states=labels)))
def test_json(net: BayesianNetwork | MarkovNetwork) -> None:
    back = credo_json.read("a.json", credo_json.write(net).encode())
    assert back == net
    assert back.name == net.name
    kinds = [list(map(type, states)) for states in net.variables.values()]
    assert kinds == [list(map(type, states)) for states in back.variables.values()]


@given(st.one_of(bayesian_networks(), markov_networks()))
def test_uai_but_for_names(net: BayesianNetwork | MarkovNetwork) -> None:
    back = uai.read("a.uai", uai.write(net).encode())
    assert type(back) is type(net)
    assert back == uai.read("a.uai", uai.write(back).encode())
    if isinstance(net, MarkovNetwork):
        assert [each.values.tolist() for each in back.potentials] == [each.values.tolist() for each in net.potentials]
    else:
        probs = zip(back.nodes.values(), net.nodes.values(), strict=True)
        assert all(np.array_equal(here.probs, there.probs) for here, there in probs)


@pytest.mark.parametrize(
    "suffix", [".bif", ".xml", ".xmlbif", ".bifxml", ".json", ".BIF", ".bif.gz", ".json.gz", ".XML.GZ"]
)
def test_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"game{suffix}"
    write_network(NET, path)
    assert read_network(path) == NET
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == suffix.lower().endswith(".gz")


def test_a_format_may_be_said(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with pytest.raises(FormatError, match=r"no format is known by the suffix '\.txt'; there are \.xml, \.bif"):
        write_network(NET, path)
    write_network(NET, path, format="json")
    assert read_network(str(path), format="json") == NET
    with pytest.raises(FormatError, match=r"no format is known by the suffix"):
        read_network(path)
    with pytest.raises(BadParameter, match="format must be one of"):
        read_network(path, format="csv")
    with pytest.raises(BadParameter, match="'net'"):
        write_network(NET, path, format="net")


def test_markov_networks_are_written_as_uai_and_json(tmp_path: Path) -> None:
    for name in ("ring.json", "ring.json.gz"):
        write_network(RING, tmp_path / name)
        assert read_network(tmp_path / name) == RING
    write_network(RING, tmp_path / "ring.uai")
    back = read_network(tmp_path / "ring.uai")
    assert back.variables == {"0": ("0", "1", "2"), "1": ("0", "1"), "2": ("0", "1")}
    assert back.potentials[0].values.tolist() == [30, 5, 1, 1e-300]
    for name in ("ring.bif", "ring.xml"):
        with pytest.raises(InvalidInput, match="holds Bayesian networks only"):
            write_network(RING, tmp_path / name)


def test_laws_in_parts_are_kept_by_json() -> None:
    cause = Node.event("cause", 0.5)
    through = Node.event("effect·1", {True: 0.8, False: 0}, given=[cause])
    last = Node.event("effect", {True: 0.5, False: 0}, given=[through])
    net = BayesianNetwork([cause, Node.of_parts([through, last], given=[cause], text="a law")])
    back = credo_json.read("a.json", credo_json.write(net).encode())
    assert back == net
    assert isinstance(back, BayesianNetwork)
    assert back.nodes["effect"].text == "a law"
    assert np.array_equal(bif.read("a.bif", bif.write(net).encode()).nodes["effect"].probs, [[0.4, 0.6], [0, 1]])


def test_states_come_back_from_bif_as_texts() -> None:
    back = bif.read("a.bif", bif.write(BayesianNetwork([Node.event("rain", 0.25)])).encode())
    assert back == BayesianNetwork([Node("rain", ["True", "False"], [0.25, 0.75])])


@pytest.mark.parametrize(
    ("net", "name", "words"),
    [
        (BayesianNetwork([Node('a "b"', ["x"], [1.0])]), "a.bif", "a quotation mark"),
        (BayesianNetwork([Node("a", [1, "1"], [0.5, 0.5])]), "a.bif", "not told apart by their texts"),
        (BayesianNetwork([Node("a", [1, "1"], [0.5, 0.5])]), "a.xml", "not told apart by their texts"),
        (BayesianNetwork([Node("a", [" x"], [1.0])]), "a.xml", "blanks around them"),
        (BayesianNetwork([Node("a\0", ["x"], [1.0])]), "a.xml", "control characters"),
        (BayesianNetwork([Node("a", [("x", "y")], [1.0])]), "a.json", "texts, numbers, truth values or None"),
        (BayesianNetwork([Node("a\ud800", ["x"], [1.0])]), "a.bif", "what no text file can"),
        ("a network", "a.bif", "only networks can be written"),
        (NET, "no/such/folder/a.bif", "cannot write"),
    ],
)
def test_what_cannot_be_held_is_refused_and_leaves_nothing(tmp_path: Path, net: object, name: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        write_network(net, tmp_path / name)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.bif"
    write_network(NET, path)
    with pytest.raises(InvalidInput):
        write_network(RING, path)
    assert read_network(path) == NET


def test_gzipped_files_are_the_same_each_time(tmp_path: Path) -> None:
    write_network(NET, tmp_path / "a.bif.gz")
    write_network(NET, tmp_path / "b.bif.gz")
    assert (tmp_path / "a.bif.gz").read_bytes() == (tmp_path / "b.bif.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.bif.gz").read_bytes()) == bif.write(NET).encode()


def test_json_is_not_written_larger_than_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credo_json, "MOST_BYTES", 100)
    with pytest.raises(TooLarge, match="Write it as BIF"):
        credo_json.write(NET)
