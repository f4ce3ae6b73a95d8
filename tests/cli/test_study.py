"""``credo study`` from its arguments to its files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from credo.cli import main

LOSS = "action,well,ill\nwait,0,10\ntreat,1,0\nask,0.6,0.6\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    ill = rng.random(200) < 0.4
    lines = [f"{size:.4f},{'ill' if i else 'well'}" for size, i in zip(rng.normal(3.0 * ill), ill, strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(["size,state", *lines]) + "\n")
    (tmp_path / "loss.csv").write_text(LOSS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(monkeypatch, *arguments):
    """The exit code of the command line."""
    monkeypatch.setattr(sys, "argv", ["credo", "study", *arguments])
    with pytest.raises(SystemExit) as done:
        main()
    return done.value.code or 0


def test_the_whole_way(monkeypatch, capsys):
    assert run(monkeypatch, "data.csv", "--target", "state", "--loss", "loss.csv", "--folds", "4") == 0
    said = capsys.readouterr()
    assert "Support vector machine predicts state, and beats a guess." in said.out
    assert said.out.rstrip().endswith(str(Path("credo-report") / "report.html"))
    assert said.err == ""
    assert {entry.name for entry in Path("credo-report").iterdir()} == {"report.html", "study.json", "winner.credo"}


@pytest.mark.parametrize(("target", "times"), [("state", 2), ("size", 1)])
def test_what_the_page_says_of_its_use_works(monkeypatch, capsys, target, times):
    assert run(monkeypatch, "data.csv", "--target", target, "--folds", "3", "--out", "here") == 0
    page = Path("here/report.html").read_text(encoding="utf-8")
    Path("losses.csv").write_text(LOSS)
    for name in ("new.csv", "later.csv"):
        Path(name).write_text(Path("data.csv").read_text())
    commands = [line.split() for line in re.findall(r"^credo ([^<\n]+)", page, re.MULTILINE)]
    assert [words[0] for words in commands] == ["predict", *["decide"] * times, "evaluate"]
    for name, model, *others in commands:
        monkeypatch.setattr(sys, "argv", ["credo", name, f"here/{model}", *others])
        with pytest.raises(SystemExit) as done:
            main()
        assert not done.value.code, capsys.readouterr().err


def test_json_is_all_there_is_on_standard_output(monkeypatch, capsys):
    assert run(monkeypatch, "data.csv", "--target", "state", "--folds", "4", "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["best"] == "logistic regression"
    assert said.err == ""
    assert not Path("credo-report").exists()
    assert run(monkeypatch, "data.csv", "--target", "state", "--folds", "4", "--json", "--out", "here") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(Path("here/study.json").read_text(encoding="utf-8"))


def test_the_type_of_a_column_can_be_said(monkeypatch, capsys):
    Path("counts.csv").write_text("x,y\n" + "".join(f"{i % 7}.5,{i % 3}\n" for i in range(60)))
    assert run(monkeypatch, "counts.csv", "--target", "y", "--types", "y=category", "--folds", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out)["task"] == "classification"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "stat"], "Did you mean 'state'?"),
        (["--target", "state", "--types", "state"], "--types must look like age=category"),
        (["--target", "state", "--folds", "1"], "folds must be at least 2"),
        (["--target", "state", "--holdout", "2"], "holdout must lie strictly between 0 and 1"),
        (["--target", "state", "--loss", "data.csv"], "data.csv, line 2"),
        (["--target", "state", "--out", "."], "nothing is overwritten"),
    ],
)
def test_what_is_wrong_is_one_line_and_code_2(monkeypatch, capsys, arguments, said):
    assert run(monkeypatch, "data.csv", *arguments) == 2
    caught = capsys.readouterr()
    assert said in caught.err
    assert caught.out == ""
    assert "Traceback" not in caught.err
    assert run(monkeypatch, "data.csv", *arguments, "--json") == 2
    assert said in json.loads(capsys.readouterr().out)["error"]["message"]


STOPPED = r"""
import os, signal, sys
from credo.naive_bayes import NaiveBayes

fit = NaiveBayes.fit
fits = []

def slow(self, X, y):
    fits.append(self)
    if len(fits) == 3:
        os.kill(os.getpid(), signal.SIGINT)
    return fit(self, X, y)

NaiveBayes.fit = slow
sys.argv = ["credo", "study", "data.csv", "--target", "state", "--folds", "4"]
from credo.cli import main
main()
"""


def test_stopped_by_hand():
    done = subprocess.run([sys.executable, "-c", STOPPED], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert done.stdout == ""
    assert re.fullmatch(
        r"stopped during: naive Bayes, fold 3 of 4 \(12 of 20 fits done\); "
        r"log score so far: always the class frequencies −0\.\d+ over 3 of 4 folds; .*; "
        r"what is finished is kept in credo-report.journal\.jsonl; --resume goes on from there; "
        r"no report was written\n",
        done.stderr,
    )
    assert [entry.name for entry in Path("credo-report").iterdir()] == ["journal.jsonl"]


def test_stopped_while_reading(monkeypatch, capsys):
    def interrupted(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("credo.study.run.run_study", interrupted)
    assert run(monkeypatch, "data.csv", "--target", "state") == 130
    assert capsys.readouterr().err == "stopped during: reading the table; no report was written\n"
