"""A study that is interrupted goes on, and comes to the same result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from credo.errors import InvalidInput
from credo.study import run_study
from credo.study.answers import ClassTask
from credo.study.journal import Journal
from credo.study.plan import Plan
from credo.study.sitting import Sitting

FEW = ("naive Bayes", "logistic regression")
ABOUT = {"data": "abc", "seed": 0}


def stopping(after):
    """Somebody who presses Ctrl-C after so many fits."""
    calls = []

    def watch(what, done, whole):
        calls.append(what)
        if len(calls) > after:
            raise KeyboardInterrupt

    return watch


@pytest.fixture(scope="module")
def whole(two_classes):
    return run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW))


@pytest.mark.parametrize("after", [1, 5, 12, 14, 18])
def test_it_goes_on_where_it_was_stopped_and_comes_to_the_same(after, whole, two_classes, timeless, tmp_path):
    path = tmp_path / "out" / "journal.jsonl"
    with pytest.raises(KeyboardInterrupt) as stopped:
        run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW, journal=path, watch=stopping(after)))
    assert any("--resume goes on from there" in note for note in stopped.value.__notes__)
    assert len(path.read_bytes().splitlines()) == 1 + after
    fits = []
    plan = Plan(candidates=FEW, journal=path, resume=True, watch=lambda *what: fits.append(what))
    again = run_study(two_classes(), "state", folds=4, plan=plan)
    assert timeless(again).to_dict() == timeless(whole).to_dict()
    assert len(fits) == 20 - after + 1  # the last is the winner, from all rows


def test_a_line_that_was_being_written_is_left_out(whole, two_classes, timeless, tmp_path):
    path = tmp_path / "journal.jsonl"
    run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW, journal=path))
    content = path.read_bytes()
    for cut in (1, 40, len(content) // 2, len(content) - 3):
        path.write_bytes(content[:cut])
        again = run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW, journal=path, resume=True))
        assert timeless(again).to_dict() == timeless(whole).to_dict()
        assert len(path.read_bytes().splitlines()) == len(content.splitlines())


def test_with_nothing_to_go_on_from_it_begins(whole, two_classes, timeless, tmp_path):
    plan = Plan(candidates=FEW, journal=tmp_path / "journal.jsonl", resume=True)
    assert timeless(run_study(two_classes(), "state", folds=4, plan=plan)).to_dict() == timeless(whole).to_dict()


def test_numbers_are_kept_to_the_last_bit(line, timeless, tmp_path):
    plan = Plan(candidates=("Bayesian linear regression",))
    whole = run_study(line(), "y", folds=4, plan=plan)
    path = tmp_path / "journal.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_study(line(), "y", folds=4, plan=Plan(candidates=plan.candidates, journal=path, watch=stopping(5)))
    again = run_study(line(), "y", folds=4, plan=Plan(candidates=plan.candidates, journal=path, resume=True))
    assert timeless(again).to_dict() == timeless(whole).to_dict()


def test_a_journal_of_something_else_is_refused_with_words(two_classes, tmp_path):
    path = tmp_path / "journal.jsonl"
    run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW, journal=path))
    with pytest.raises(InvalidInput, match=r"was interrupted\. Go on with it by --resume, or delete it"):
        run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW, journal=path))
    plan = Plan(candidates=FEW, journal=path, resume=True)
    with pytest.raises(InvalidInput, match=r"another study: folds was 1x4 and is 1x5; seed was 0 and is 3"):
        run_study(two_classes(), "state", folds=5, seed=3, plan=plan)
    with pytest.raises(InvalidInput, match="another study: the data are others"):
        run_study(two_classes(seed=1), "state", folds=4, plan=plan)
    path.write_text("this,is\na,table\n")
    with pytest.raises(InvalidInput, match="is no journal of a study"):
        run_study(two_classes(), "state", folds=4, plan=plan)


def test_a_study_that_ended_before_its_first_fold_is_in_nobodys_way(tmp_path):
    path = tmp_path / "journal.jsonl"
    for seed in (0, 1):
        journal = Journal(path, {**ABOUT, "seed": seed}, ClassTask(("a", "b"), None), resume=False)
    assert journal.held == {}
    (line,) = path.read_text().splitlines()
    assert json.loads(line)["about"]["seed"] == 1


def test_what_failed_is_kept_too(tmp_path):
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, ABOUT, ClassTask(("a", "b"), None), resume=False)
    failed = Sitting(error="oh dear", status="failed", seconds=2.0, remarks=("careful",))
    journal.keep("broken/1", failed)
    again = Journal(path, ABOUT, ClassTask(("a", "b"), None), resume=True)
    (found,) = again.held.values()
    assert (found.error, found.status, found.seconds, found.remarks) == ("oh dear", "failed", 2.0, ("careful",))


@pytest.mark.parametrize("kind", ["|O", "<U5", "V8"])
def test_only_arrays_of_numbers_are_read(kind, tmp_path):
    path = tmp_path / "journal.jsonl"
    Journal(path, ABOUT, ClassTask(("a", "b"), None), resume=False)
    packed = {"type": kind, "shape": [1], "bytes": "AAAAAAAAAAA="}
    line = {"name": "x/1", "seconds": 0.0, "remarks": [], "log_evidence": None, "error": None, "status": "finished"}
    with path.open("a") as file:
        file.write(json.dumps({**line, "answers": {"truth": packed, "log_probabilities": packed}}) + "\n")
    with pytest.raises(InvalidInput, match="no journal of a study"):
        Journal(path, ABOUT, ClassTask(("a", "b"), None), resume=True)


KILLED = """
import sys
from credo.cli import main
from credo.naive_bayes import NaiveBayes

fit = NaiveBayes.fit
count = []

def slow(self, X, y):
    count.append(self)
    if len(count) == 3:
        print("in the third", flush=True)
        import time
        time.sleep(60)
    return fit(self, X, y)

NaiveBayes.fit = slow
sys.argv = ["credo", "study", "data.csv", "--target", "state", "--folds", "4", "--candidates", "naive Bayes"]
main()
"""


def test_killed_in_the_middle_of_a_fit_it_loses_that_fit_only(two_classes, tmp_path, monkeypatch, timeless):
    monkeypatch.chdir(tmp_path)
    data = two_classes()
    rows = [",".join(data), *(",".join(map(str, row)) for row in zip(*data.values(), strict=True))]
    Path("data.csv").write_text("\n".join(rows) + "\n")
    with subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the third\n"
        os.kill(process.pid, signal.SIGKILL)
    journal = Path("credo-report") / "journal.jsonl"
    names = [json.loads(line).get("name") for line in journal.read_text().splitlines()]
    assert names[1:] == [
        "always the class frequencies/1",
        "naive Bayes/1",
        "always the class frequencies/2",
        "naive Bayes/2",
        "always the class frequencies/3",
    ]
    plan = Plan(candidates=("naive Bayes",), journal=journal, resume=True, source="data.csv")
    again = run_study("data.csv", "state", folds=4, plan=plan)
    whole = run_study("data.csv", "state", folds=4, plan=Plan(candidates=("naive Bayes",)))
    assert timeless(again).to_dict() == timeless(whole).to_dict()


@pytest.mark.parametrize("resume", [False, True])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path, resume):
    place = tmp_path / "notes.txt"
    place.write_text("what I found\n")
    with pytest.raises(InvalidInput, match="is no journal of a study"):
        Journal(place, {}, None, resume=resume)
    assert place.read_text() == "what I found\n"
