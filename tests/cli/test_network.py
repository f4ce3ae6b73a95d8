"""``credo network``, called as a person and as a program would."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from tests.cli.called import document_of, text_of

from credo import BayesianNetwork, Factor, MarkovNetwork, Node, read_network, write_network
from credo.errors import CredoError

ASIA = "examples/networks/asia.bif"
ALARM = "examples/networks/alarm.bif"


run = functools.partial(text_of, "network")
answer = functools.partial(document_of, "network")


def test_a_small_network() -> None:
    lines = run(ASIA).splitlines()
    assert lines[0] == "asia: BayesianNetwork of 8 variables, 8 edges, 36 numbers"
    assert any(line.split() == ["either", "yes,", "no", "lung,", "tub", "8"] for line in lines)
    assert any(line.startswith("  cliques ") for line in lines)
    assert "  asia ⊥ smoke" in lines
    assert any(line.startswith("  … and ") for line in lines)


def test_a_network_for_programs() -> None:
    found = answer(ASIA)
    assert (found["name"], found["kind"], found["edges"], found["numbers"]) == ("asia", "BayesianNetwork", 8, 36)
    assert found["variables"][5] == {
        "name": "either",
        "states": ["yes", "no"],
        "parents": ["lung", "tub"],
        "numbers": 8,
    }
    assert found["plan"]["width"] == 2
    assert found["plan"]["entries"] >= 36
    assert "lung ⊥ bronc | smoke" in found["independencies"]


def test_the_plan_of_a_question() -> None:
    assert answer(ASIA)["plan"]["question"] == "P of each of 8 variables"
    text = run(ASIA, "--about", "lung", "--about", "bronc", "--given", "dysp", "--given", "xray")
    assert "\nP(lung, bronc | dysp, xray), by messages in a junction tree\n" in text
    every, some = (answer(ALARM, *given)["plan"]["entries"] for given in ((), ("--given", "VENTLUNG", "--given", "HR")))
    assert some < every
    with pytest.raises(CredoError, match=r"no variable 'lug'\. Did you mean 'lung'"):
        run(ASIA, "--about", "lug")
    with pytest.raises(CredoError, match="the state of 'lung' is given"):
        run(ASIA, "--about", "lung", "--given", "lung")


def test_a_larger_one_says_nothing_of_its_independencies() -> None:
    assert "⊥" not in run(ALARM)
    assert "independencies" not in answer(ALARM)


def test_many_variables_and_states_are_shown_in_part(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    write_network(BayesianNetwork([Node(f"v{i}", range(9), [1 / 9] * 9) for i in range(60)]), path)
    text = run(path)
    assert "9: 0, 1, 2, 3, 4, 5, …" in text
    assert "… and 10 more variables" in text
    assert len(answer(path)["variables"]) == 60


def test_a_markov_network(tmp_path: Path) -> None:
    path = tmp_path / "field.json"
    write_network(MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])]), path)
    assert run(path).startswith("MarkovNetwork of 2 variables, 1 potential, 4 numbers")
    assert answer(path)["potentials"] == [{"over": ["A", "B"], "numbers": 4}]


def test_another_format(tmp_path: Path) -> None:
    path = tmp_path / "asia.json.gz"
    assert f"written: {path}" in run(ASIA, "--to", path)
    assert read_network(path) == read_network(ASIA)
    assert answer(ASIA, "--to", tmp_path / "asia.uai")["written"].endswith("asia.uai")


@pytest.mark.parametrize(("to", "message"), [("asia.csv", "no format"), ("asia.net", "format must be one of")])
def test_what_cannot_be_written_is_refused(tmp_path: Path, to: str, message: str) -> None:
    with pytest.raises(CredoError, match=message):
        run(ASIA, "--to", tmp_path / to)


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CredoError, match="nowhere"):
        run(tmp_path / "nowhere.bif")
