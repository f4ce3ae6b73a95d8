"""``credo query``, called as a person and as a program would."""

from __future__ import annotations

import functools
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.called import document_of, text_of

from credo import BayesianNetwork, Categorical, Factor, MarkovNetwork, Node, read_network, write_network
from credo.cli.query import _show
from credo.errors import CredoError

ASIA = "examples/networks/asia.bif"
FOUND = ["--given", "smoke=yes", "--given", "xray=no"]


run = functools.partial(text_of, "query")
answer = functools.partial(document_of, "query")


@pytest.fixture
def field(tmp_path: Path) -> Path:
    path = tmp_path / "field.json"
    write_network(MarkovNetwork([Factor({"A": (0, 1), "B": ("x", "y")}, [[30, 5], [1, 10]])]), path)
    return path


def test_all_variables_without_findings() -> None:
    lines = run(ASIA).splitlines()
    assert lines[0] == "asia"
    assert lines[2].split() == ["asia", "no", "0.99", "yes", "0.01"]
    assert len(lines) == 2 + 8
    found = answer(ASIA)
    assert found["posteriors"]["lung"] == pytest.approx({"yes": 0.055, "no": 0.945})
    assert found["log_evidence"] == pytest.approx(0, abs=1e-12)
    assert (found["network"], found["given"]) == ("asia", [])


def test_one_variable_given_two_findings() -> None:
    net = read_network(ASIA)
    given = {"smoke": "yes", "xray": "no"}
    text = run(ASIA, "lung", *FOUND)
    assert text.splitlines()[0] == "asia, given smoke=yes, xray=no"
    assert "P(findings) = 0.4241" in text
    found = answer(ASIA, "lung", "bronc", *FOUND)
    assert list(found["posteriors"]) == ["lung", "bronc"]
    assert found["posteriors"]["lung"] == pytest.approx(net.posterior("lung", given=given).as_dict())
    assert found["log_evidence"] == pytest.approx(net.log_evidence(given=given))


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("dysp=yes", "yes"),
        ("dysp = {yes}", {"yes"}),
        ("dysp={yes, no}", {"yes", "no"}),
        ("dysp~yes:0.8,no:0.1", {"yes": 0.8, "no": 0.1}),
        ("dysp ~ no: 1e-3, yes: 1", {"yes": 1.0, "no": 1e-3}),
        ("dysp:=yes:0.7,no:0.3", Categorical({"yes": 0.7, "no": 0.3})),
        ("dysp:=yes:1", Categorical({"yes": 1.0, "no": 0.0})),
    ],
)
def test_every_kind_of_finding(text: str, finding: Any) -> None:
    found = answer(ASIA, "lung", "--given", text)
    belief = read_network(ASIA).posterior("lung", given={"dysp": finding})
    assert found["posteriors"]["lung"] == pytest.approx(belief.as_dict())
    if isinstance(finding, Categorical):
        assert found["log_evidence"] is None
        assert "P(findings)" not in run(ASIA, "lung", "--given", text)


def test_names_and_states_of_any_kind(tmp_path: Path) -> None:
    odd = Node("a=b", ["x=1", "{}", "1,000"], [0.2, 0.3, 0.5])
    net = BayesianNetwork([odd, Node.event("a", [0.1, 0.5, 0.9], given=[odd])])
    path = tmp_path / "odd.json"
    write_network(net, path)
    findings = {
        "a=b=x=1": "x=1",
        "a=b={}": "{}",
        "a=b=1,000": "1,000",
        "a=b={1,000}": {"1,000"},
        "a=b={x=1, 1,000}": {"x=1", "1,000"},
        "a=b~1,000:0.5,{}:0.1, x=1:0": {"1,000": 0.5, "{}": 0.1, "x=1": 0},
    }
    for text, finding in findings.items():
        assert answer(path, "a", "--given", text)["posteriors"]["a"] == pytest.approx(
            {str(state): p for state, p in net.posterior("a", given={"a=b": finding}).as_dict().items()}
        )
    found = answer(path, "a=b", "--given", "a=True")
    assert found["posteriors"]["a=b"] == pytest.approx(net.posterior("a=b", given={"a": True}).as_dict())


def test_findings_whose_probability_is_no_plain_number() -> None:
    tiny = ["--given", "dysp~yes:1e-200,no:1e-300", "--given", "xray~yes:1e-200,no:1e-300"]
    assert run(ASIA, "lung", *tiny).splitlines()[-1].startswith("log P(findings) is -92")
    huge = ["--given", "dysp~yes:1e300,no:1e300", "--given", "xray~yes:1e300,no:1e300"]
    assert run(ASIA, "lung", *huge).splitlines()[-1] == "log P(findings) is 1381.55 nats"


def test_the_joint_belief() -> None:
    lines = run(ASIA, "bronc", "lung", "--joint", "--given", "dysp=yes").splitlines()
    assert lines[1].split() == ["bronc", "lung", "probability"]
    assert len(lines) == 2 + 4 + 1
    found = answer(ASIA, "bronc", "lung", "--joint", "--given", "dysp=yes")
    held = read_network(ASIA).joint(["bronc", "lung"], given={"dysp": "yes"})
    assert found["names"] == ["bronc", "lung"]
    assert found["joint"] == [pytest.approx(row) for row in held.probs.tolist()]


def test_the_most_probable_states() -> None:
    text = run(ASIA, "--most-probable", "--given", "xray=yes")
    assert "nats" in text
    best = read_network(ASIA).most_probable(given={"xray": "yes"})
    found = answer(ASIA, "--most-probable", "--given", "xray=yes")
    assert found["most_probable"] == dict(best)
    assert found["log_prob"] == pytest.approx(best.log_prob)
    assert list(answer(ASIA, "lung", "bronc", "--most-probable")["most_probable"]) == ["lung", "bronc"]


def test_an_explanation() -> None:
    text = run(ASIA, "lung", *FOUND, "--explain")
    assert "P(lung=no) was 0.945 and is 0.9976 after 2 findings" in text
    assert "smoke=yes  against" in text
    assert "P(xray=yes | either=yes)" in text
    why = answer(ASIA, "lung", *FOUND, "--explain")["explanations"]["lung"]
    assert [each["name"] for each in why["weights"]] == ["xray", "smoke"]
    assert len(why["sensitivity"]) == 10
    assert "sensitivity" not in answer(ASIA, "lung", "--given", "smoke:=yes:0.7,no:.3", "--explain")["explanations"]


def test_a_markov_network(field: Path) -> None:
    found = answer(field, "A", "--given", "B=y", "--explain")
    assert found["posteriors"]["A"] == pytest.approx({"0": 5 / 15, "1": 10 / 15})
    assert found["log_partition"] == pytest.approx(2.70805)
    assert "log partition function: 2.70805 nats" in run(field, "A", "--given", "B=y")


def test_the_most_probable_states_of_a_markov_network_have_no_probability_yet(field: Path) -> None:
    found = answer(field, "--most-probable", "--given", "A=1")
    assert found["most_probable"] == {"B": "y"}
    assert found["log_product"] == pytest.approx(math.log(10))
    assert "log_prob" not in found
    assert "log of the product of the potentials: 2.30259 nats" in run(field, "--most-probable", "--given", "A=1")


def test_findings_in_a_file(tmp_path: Path) -> None:
    network, evidence = tmp_path / "asia.uai", tmp_path / "asia.uai.evid"
    write_network(read_network(ASIA), network)
    evidence.write_text("2 2 0 6 1\n", encoding="utf-8")
    found = answer(network, "3", "--evidence", evidence)
    assert list(found["posteriors"]["3"].values()) == pytest.approx(
        list(read_network(ASIA).posterior("lung", given={"smoke": "yes", "xray": "no"}).as_dict().values())
    )
    with pytest.raises(CredoError, match="two findings about '2'"):
        run(network, "--evidence", evidence, "--given", "2=1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lug"], "no variable 'lug'. Did you mean 'lung'"),
        (["--given", "smok=yes"], "no variable 'smok'. Did you mean 'smoke'"),
        (["--given", "smoke=yess"], "Did you mean 'yes'"),
        (["--given", "smoke={yes,maybe}"], "no state of 'smoke' 'maybe'"),
        (["--given", "smoke"], "must be written A=yes"),
        (["--given", "smoke="], "must be written A=yes"),
        (["--given", "=yes"], "must be written A=yes"),
        (["--given", "smoke~yes"], "must be written yes:0.8,no:0.1; got 'yes'"),
        (["--given", "smoke~yes:often,no:0"], "in numbers; got 'often'"),
        (["--given", "smoke~maybe:1,no:0"], "no state of 'smoke' 'maybe'"),
        (["--given", "smoke~yes:0.5"], "'no' is missing"),
        (["--given", "smoke~yes:-1,no:1"], "zero or positive"),
        (["--given", "smoke~yes:1,yes:0.5,no:1"], "each state once; 'yes' stands twice"),
        (["--given", "smoke={yes,maybe,no}"], "no state of 'smoke' 'maybe'"),
        (["--given", "smoke={}"], "no state of 'smoke' ''"),
        (["--given", "smoke:=yes:0.5,no:0.6"], "sum to 1"),
        (["--given", "smoke=yes", "--given", "smoke=no"], "two findings about 'smoke'"),
        (["lung", "--given", "lung=yes"], "the state of 'lung' is given"),
        (["tub", "--given", "either=no", "--given", "lung=yes"], "either=no, lung=yes have probability zero together"),
        (["--joint"], "--joint is about variables that are named"),
        (["--explain"], "--explain is about variables that are named"),
        (["lung", "--joint", "--explain"], "only one of"),
    ],
)
def test_what_cannot_be_answered_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CredoError, match=message):
        run(ASIA, *arguments)


def test_progress_is_shown_to_people_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _show(0.5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    _show(0.5)
    _show(1.0)
    assert "50% done" in capsys.readouterr().err


def test_nothing_heavy_is_loaded_to_answer() -> None:
    heavy = {"scipy.stats", "sklearn", "pandas", "matplotlib", "duckdb", "pyarrow", "polars", "networkx"}
    code = (
        "import sys; from credo.cli import app; app(sys.argv[1:], standalone_mode=False); "
        f"print(*[name for name in {sorted(heavy)!r} if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, "query", ASIA, "lung", *FOUND, "--explain"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
