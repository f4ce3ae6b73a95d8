"""``credo bayes``, called as a person and as a program would."""

from __future__ import annotations

import functools
import json
import subprocess
import sys

import pytest
from tests.cli.called import document_of, text_of
from typer.testing import CliRunner

from credo.cli import app
from credo.errors import CredoError

DISEASE = ["--prior", "disease=0.001"]
BOTH = ["--test", "T1: 1.0 0.01", "--test", "T2: 0.9 0.05"]


run = functools.partial(text_of, "bayes")
answer = functools.partial(document_of, "bayes")


def test_two_tests_for_a_rare_disease() -> None:
    found = answer(*DISEASE, *BOTH)
    assert found["steps"][0]["after"]["disease"] == pytest.approx(0.091, abs=5e-4)
    assert found["posterior"]["disease"] == pytest.approx(0.643, abs=5e-4)
    assert found["steps"][0]["evidence"] == pytest.approx(0.01099)
    assert found["steps"][1]["before"] == found["steps"][0]["after"]
    assert found["steps"][0]["unnormalised"] == pytest.approx({"disease": 0.001, "not disease": 0.00999})
    assert found["steps"][0]["guessed_wrong"] == {
        "P(T1 positive | disease)": 1.0,
        "1 − P(T1 positive | not disease)": 0.99,
    }


def test_what_a_person_reads() -> None:
    text = run(*DISEASE, "--test", "T1: 1.0 0.01")
    lines = text.splitlines()
    assert lines[0] == "T1 positive"
    assert lines[2].split() == ["disease", "0.001", "1", "0.001", "0.09099"]
    assert "P(T1 positive) = 0.01099" in lines
    assert "P(T1 positive | disease) = 100 % or 1 − P(T1 positive | not disease) = 99 %" in text
    assert "is 9.099 %, because it was 0.1 % before" in text
    assert "of 100,000 cases" in text
    assert any(line.split() == ["T1", "positive", "100", "999", "1,099"] for line in lines)
    assert "independent" not in text
    assert "independent" in run(*DISEASE, *BOTH)


@pytest.mark.parametrize(
    ("prior", "test", "probable", "likely"),
    [
        ("a=0.3", "T: 0.5 0.5", "not a, 70 %", "a and not a"),
        ("a=0.5", "T: 1 1", "a and not a, 50 % each", "a and not a"),
        ("a=0.25", "T: 0.3 0.1", "a and not a, 50 % each", "a"),
        ("a=0.3", "T: 0.6 0.5", "not a, 66.04 %", "a, but what was known before outweighs it"),
    ],
)
def test_equals_are_all_named(prior: str, test: str, probable: str, likely: str) -> None:
    lines = run("--prior", prior, "--test", test).splitlines()
    assert lines[-2:] == [f"Most probable now: {probable}", f"Greatest likelihood: {likely}"]


def test_the_cancer_test_keeps_the_normalising_constant() -> None:
    found = answer("--prior", "cancer=0.008", "--prior", "healthy", "--test", "lab: healthy=3% cancer=98/100")
    assert found["prior"] == {"cancer": 0.008, "healthy": 0.992}
    assert {name: round(p, 4) for name, p in found["steps"][0]["unnormalised"].items()} == {
        "cancer": 0.0078,
        "healthy": 0.0298,
    }
    assert {name: round(p, 2) for name, p in found["posterior"].items()} == {"cancer": 0.21, "healthy": 0.79}
    assert (found["map"], found["ml"]) == ("healthy", "cancer")
    text = run("--prior", "cancer=0.008", "--prior", "healthy", "--test", "lab: 0.98 0.03")
    assert "Greatest likelihood: cancer, but what was known before outweighs it" in text


def test_several_hypotheses_and_a_negative_result() -> None:
    priors = ["--prior", "a=.4", "--prior", "b=.3", "--prior", "c=.3"]
    found = answer(*priors, "--test", "x=negative: 0.9 .2 .1", "--test", "y: c=.5 a=.5 b=.25")
    weights = {"a": 0.4 * 0.1 * 0.5, "b": 0.3 * 0.8 * 0.25, "c": 0.3 * 0.9 * 0.5}
    total = sum(weights.values())
    assert found["posterior"] == pytest.approx({name: weight / total for name, weight in weights.items()})
    assert found["steps"][0]["result"] == "x negative"
    assert found["steps"][0]["guessed_wrong"] == {}


def test_a_name_with_spaces_is_put_in_quotes() -> None:
    found = answer(*DISEASE, "--test", "T1: 'not disease'=0.01 disease=1")
    assert found["posterior"]["disease"] == pytest.approx(0.091, abs=5e-4)


def test_natural_frequencies_of_things_almost_impossible() -> None:
    found = answer("--prior", "rare=1e-20", "--test", "t: 1 0.5")
    assert found["frequencies"]["of"] == 10**12
    assert "1e-08" in run("--prior", "rare=1e-20", "--test", "t: 1 0.5")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*DISEASE, "--test", "T1: 1.0 0.01 0.2"],
            "one probability for each of disease, not disease, with blanks between them; got 3",
        ),
        ([*DISEASE, "--test", "T1:"], "got 0"),
        ([*DISEASE, "--test", "T1: disase=1.0 'not disease'=0"], "Did you mean 'disease'"),
        ([*DISEASE, "--test", "T1: disease=1 disease=1"], "stands twice"),
        ([*DISEASE, "--test", "T1: disease=1 0.5"], "of every probability or of none"),
        ([*DISEASE, "--test", "T1 0.5"], "colon"),
        ([*DISEASE, "--test", ": 1 1"], "name is missing"),
        ([*DISEASE, "--test", "T1=perhaps: 1 1"], "'positive', 'negative'"),
        ([*DISEASE, "--test", "T1: 'x"], "No closing quotation"),
        ([*DISEASE, "--test", "T1: 1.5 0"], "between 0 and 1"),
        ([*DISEASE, "--test", "T1: -0.5 0"], "between 0 and 1"),
        ([*DISEASE, "--test", "T1: nan 0"], "must be a number"),
        ([*DISEASE, "--test", "T1: inf 0"], "must be a number"),
        ([*DISEASE, "--test", "T1: 1/0 0"], "must be a number"),
        ([*DISEASE, "--test", "T1: 0/0 0"], "must be a number"),
        ([*DISEASE, "--test", "T1: high low"], "P.T1 positive . disease. must be a number"),
        ([*DISEASE, "--test", "T1: 0 0"], "T1 positive: .* likelihood zero"),
        (["--prior", "d=2", "--test", "T1: 1 1"], "between 0 and 1"),
        (["--prior", "d", "--test", "T1: 1 1"], "only one of several"),
        (["--prior", "a=.5", "--prior", "b", "--prior", "c", "--test", "T1: 1 1 1"], "only one of several"),
        (["--prior", "a=.5", "--prior", "b=.4", "--test", "T1: 1 1"], "sum to 1; got a sum of 0.9"),
        (["--prior", "a=.8", "--prior", "b=.4", "--prior", "c", "--test", "T1: 1 1 1"], "sum of 1.2"),
        (["--prior", "a=.5", "--prior", "a=.5", "--test", "T1: 1 1"], "stands twice"),
        (["--prior", "a=.5,b=.5", "--test", "T1: 1 1"], "once for each; got 'a=.5,b=.5'"),
        ([*DISEASE, "--test", "T1: 1,0.01"], "with blanks between them; got 1"),
        (["--prior", "a=1e999999999", "--test", "T1: 1 1"], "must be a number such as"),
    ],
)
def test_what_cannot_be_understood_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(CredoError, match=message):
        run(*arguments)


def test_the_rarest_prior_a_float_holds_is_counted_in_cases() -> None:
    assert "of 1,000,000,000,000 cases" in run("--prior", "a=5e-324", "--test", "T1: 1 .5")


@pytest.mark.parametrize("missing", [DISEASE, BOTH, []])
def test_both_a_prior_and_a_test_are_needed(missing: list[str]) -> None:
    assert CliRunner().invoke(app, ["bayes", *missing]).exit_code == 2


def test_a_process_of_its_own_reports_errors_in_one_line() -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from credo.cli import main; main()", "bayes", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    good = call(*DISEASE, *BOTH, "--json")
    assert good.returncode == 0
    assert json.loads(good.stdout)["map"] == "disease"
    bad = call(*DISEASE, "--test", "T1: 2 0")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert len(bad.stderr.splitlines()) == 1
    machine = call(*DISEASE, "--test", "T1: 2 0", "--json")
    assert machine.returncode == 2
    assert json.loads(machine.stdout)["error"]["kind"] == "BadProbability"
