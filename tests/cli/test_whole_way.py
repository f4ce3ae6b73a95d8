"""From a table to a study, and from its winner to predictions, decisions and an evaluation, on the bundled data."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import credo as package
from credo.cli import main

EXAMPLES = Path(package.__file__).parents[2] / "examples"


def called(*arguments, code=0):
    """Standard output and standard error of a command."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["credo", *map(str, arguments)])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    assert (ended.value.code or 0) == code, err.getvalue()
    assert "Traceback" not in err.getvalue()
    return out.getvalue(), err.getvalue()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def divided(name, folder, every):
    """Some rows of an example to learn from, and some others to come later."""
    head, *lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    for part, chosen in (("then.csv", lines[::every]), ("now.csv", lines[1::every])):
        (folder / part).write_text("\n".join([head, *chosen]) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def cancer(tmp_path_factory):
    folder = divided("breast-cancer.csv", tmp_path_factory.mktemp("cancer"), 4)
    loss = EXAMPLES / "breast-cancer-loss.csv"
    arguments = ["--target", "diagnosis", "--loss", loss, "--folds", "2", "--out", folder / "report"]
    called("study", folder / "then.csv", *arguments)
    return folder


@pytest.fixture(scope="module")
def concrete(tmp_path_factory):
    folder = divided("concrete.csv", tmp_path_factory.mktemp("concrete"), 9)
    called("study", folder / "then.csv", "--target", "strength_mpa", "--folds", "2", "--out", folder / "report")
    return folder


def test_classes_all_the_way(cancer):
    winner, now, loss = cancer / "report" / "winner.credo", cancer / "now.csv", EXAMPLES / "breast-cancer-loss.csv"
    predicted = rows_of(called("predict", winner, now)[0])
    decided = rows_of(called("decide", winner, now, "--loss", loss, "--risks")[0])
    found = json.loads(called("evaluate", winner, now, "--loss", loss, "--json")[0])
    truth = [row["diagnosis"] for row in rows_of(now.read_text(encoding="utf-8"))]
    assert len(predicted) == len(decided) == found["rows"] == len(truth) == 142
    scores = {score["name"]: score for score in found["scores"]}
    right = sum(row["prediction"] == true for row, true in zip(predicted, truth, strict=True)) / len(truth)
    assert scores["accuracy"]["value"] == pytest.approx(right)
    assert right > 0.9
    costs = {row["action"]: row for row in rows_of(loss.read_text(encoding="utf-8"))}
    for row, chance in zip(decided, predicted, strict=True):
        for action, cost in costs.items():
            risk = sum(float(chance[f"P({state})"]) * float(cost[state]) for state in ("benign", "malignant"))
            assert float(row[f"risk({action})"]) == pytest.approx(risk, abs=1e-12)
            assert float(row["risk"]) <= risk + 1e-12
    paid = sum(float(costs[row["action"]][true]) for row, true in zip(decided, truth, strict=True)) / len(truth)
    assert scores["expected loss"]["value"] == pytest.approx(paid)
    assert sum(found["actions"].values()) == len(truth)


def test_numbers_all_the_way(concrete):
    winner, now = concrete / "report" / "winner.credo", concrete / "now.csv"
    predicted = rows_of(called("predict", winner, now, "--level", "0.5")[0])
    decided = rows_of(called("decide", winner, now, "--over", "1", "--under", "3")[0])
    found = json.loads(called("evaluate", winner, now, "--json")[0])
    truth = [float(row["strength_mpa"]) for row in rows_of(now.read_text(encoding="utf-8"))]
    off = sum(abs(float(row["mean"]) - true) for row, true in zip(predicted, truth, strict=True)) / len(truth)
    scores = {score["name"]: score["value"] for score in found["scores"]}
    assert scores["mean absolute error"] == pytest.approx(off)
    # The best order where too few cost three times as much is the upper quartile: the upper end of a 50 % interval.
    for row, held in zip(decided, predicted, strict=True):
        assert float(row["action"]) == pytest.approx(float(held["high"]))


def test_rows_that_were_learnt_from_are_no_judges(cancer, tmp_path):
    winner = cancer / "report" / "winner.credo"
    assert "made from this very file" in called("evaluate", winner, cancer / "then.csv")[1]
    assert "very file" not in called("evaluate", winner, cancer / "now.csv")[1]
    out = tmp_path / "model.credo"
    said = called("fit", cancer / "then.csv", "--target", "diagnosis", "--model", "naive bayes", "--out", out)[0]
    assert "naive Bayes for diagnosis" in said
    found = json.loads(called("evaluate", out, cancer / "then.csv", "--json")[0])
    assert any("this very file" in note for note in found["notes"])
    assert found["model"] == "naive Bayes"


def test_tables_are_read_as_is_said_all_the_way(cancer, tmp_path):
    def german(name):
        text = (cancer / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text("a remark\n" + text.replace(",", ";").replace(".", ","), encoding="utf-8")
        return tmp_path / name

    reading = ["--dialect", "skip=1", "--dialect", "decimal=,", "--missing", "none"]
    asked = ["--target", "diagnosis", "--folds", "2", "--json"]
    odd = json.loads(called("study", german("then.csv"), *asked, *reading)[0])
    plain = json.loads(called("study", cancer / "then.csv", *asked)[0])
    assert odd["judgement"]["scores"] == plain["judgement"]["scores"]
    assert odd["data"]["source"] == "then.csv"
    out = tmp_path / "model.credo"
    called("fit", german("then.csv"), "--target", "diagnosis", "--model", "naive bayes", "--out", out, *reading)
    for command, options in COMMANDS.items():
        said = called(command, out, german("now.csv"), *options, *reading)[0]
        assert said == called(command, out, cancer / "now.csv", *options)[0]


@pytest.mark.parametrize(
    ("command", "options"), [("predict", []), ("decide", ["--loss", EXAMPLES / "breast-cancer-loss.csv"])]
)
def test_rows_come_in_every_form(cancer, tmp_path, command, options):
    asked = [command, cancer / "report" / "winner.credo", cancer / "now.csv", *options]
    text = called(*asked)[0]
    lines = called(*asked, "--json")[0]
    for form, said in (([], text), (["--json"], lines)):
        assert called(*asked, *form, "--out", tmp_path / "rows")[0] == ""
        assert (tmp_path / "rows").read_text(encoding="utf-8") == said
    objects = [json.loads(line) for line in lines.splitlines()]
    assert [{name: str(value) for name, value in held.items()} for held in objects] == rows_of(text)


def test_one_row_and_none(cancer, tmp_path):
    winner = cancer / "report" / "winner.credo"
    head, first, *_ = (cancer / "now.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "one.csv").write_text(f"{head}\n{first}\n", encoding="utf-8")
    (tmp_path / "none.csv").write_text(f"{head}\n", encoding="utf-8")
    loss = EXAMPLES / "breast-cancer-loss.csv"
    for command, options in (("predict", []), ("decide", ["--loss", loss]), ("evaluate", ["--loss", loss])):
        whole = called(command, winner, cancer / "now.csv", *options)[0]
        one = called(command, winner, tmp_path / "one.csv", *options)[0]
        if command != "evaluate":
            (alone,), (among, *_) = rows_of(one), rows_of(whole)
            assert [*alone] == [*among]
            assert next(iter(alone.values())) == next(iter(among.values()))
            assert float([*alone.values()][1]) == pytest.approx(float([*among.values()][1]), abs=1e-12)
        assert "none.csv holds no rows" in called(command, winner, tmp_path / "none.csv", *options, code=2)[1]


COMMANDS = {
    "predict": [],
    "decide": ["--loss", EXAMPLES / "breast-cancer-loss.csv"],
    "evaluate": ["--target", "diagnosis"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_files_are_one_line_and_code_2(cancer, concrete, tmp_path, command):
    winner, now = cancer / "report" / "winner.credo", cancer / "now.csv"
    (tmp_path / "noise.csv").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "noise.credo").write_bytes(winner.read_bytes()[:5000])
    for model, data, complaint in [
        (now, now, "not a Credo model"),
        (winner, winner, "winner.credo"),
        (winner, concrete / "now.csv", "there is no column 'mean_radius'"),
        (cancer / "report", now, "this is a directory"),
        (winner, tmp_path, str(tmp_path.name)),
        (cancer / "report" / "winer.credo", now, "Did you mean 'winner.credo'"),
        (winner, cancer / "nwo.csv", "Did you mean 'now.csv'"),
        (tmp_path / "noise.credo", now, "cut short or damaged"),
        (winner, tmp_path / "noise.csv", "noise.csv"),
    ]:
        out, err = called(command, model, data, *COMMANDS[command], code=2)
        assert out == ""
        assert complaint in err
        assert err.count("\n") == 1
        document = json.loads(called(command, model, data, *COMMANDS[command], "--json", code=2)[0])
        assert complaint in document["error"]["message"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="there must be files that may not be read")
def test_files_that_may_not_be_read(cancer, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("x\n1\n")
    secret.chmod(0)
    for model, data in ((secret, cancer / "now.csv"), (cancer / "report" / "winner.credo", secret)):
        assert "ermission" in called("predict", model, data, code=2)[1]


STOPPED = """
import os, signal, sys
from credo.cli import saved
from credo.tables import Table

batches = Table.batches

def interrupted(table, rows=None):
    yield next(batches(table, 10))
    os.kill(os.getpid(), signal.SIGINT)
    yield from batches(table, 10)

Table.batches = interrupted
sys.argv = ["credo", *{arguments!r}]
from credo.cli import main
main()
"""


@pytest.mark.parametrize("command", ["decide", "evaluate"])
def test_stopped_by_hand(cancer, tmp_path, command):
    out = tmp_path / "rows.csv"
    arguments = [command, cancer / "report" / "winner.credo", cancer / "now.csv", *COMMANDS[command]]
    arguments += [] if command == "evaluate" else ["--out", out]
    program = STOPPED.format(arguments=[str(argument) for argument in arguments])
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert done.stdout == ""
    assert not re.search("Traceback|Error", done.stderr)
    assert list(tmp_path.iterdir()) == []
