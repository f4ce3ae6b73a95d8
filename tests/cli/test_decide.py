"""``credo decide``: the action of least expected loss under what the model says, and what it risks."""

from __future__ import annotations

import csv
import io
import json
import sys

import numpy as np
import pytest
from scipy import stats

from credo import storage
from credo.cli.shell import main
from credo.decisions import Loss, decide
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.tables import Table

DATA = "colour,weight\nred,1.5\nblue,9.25\nred,8.5\ngreen,2.0\nred,4.6\n"
LOSS = ",ripe,unripe\neat,0,9\nleave,1,0\n"


@pytest.fixture(scope="module")
def classifier():
    rng = np.random.default_rng(0)
    ripe = rng.integers(0, 2, 60)
    fruit = Table(
        {
            "weight": rng.normal(2 + 5 * ripe, 2),
            "colour": np.where(rng.random(60) < 0.3 + 0.4 * ripe, "red", "blue"),
            "state": np.where(ripe, "ripe", "unripe"),
        }
    )
    return NaiveBayes().fit(fruit, "state")


@pytest.fixture(scope="module")
def regressor():
    rng = np.random.default_rng(0)
    table = Table({"x": rng.normal(size=30), "y": rng.normal(size=30)})
    return BayesianRegression().fit(table, "y")


@pytest.fixture
def credo(classifier, regressor, tmp_path, monkeypatch, capsys):
    storage.save(classifier, tmp_path / "fruit.credo")
    storage.save(regressor, tmp_path / "line.credo")
    (tmp_path / "data.csv").write_text(DATA)
    (tmp_path / "x.csv").write_text("x\n0.5\n-1\n2\n")
    (tmp_path / "loss.csv").write_text(LOSS)
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["credo", "decide", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0) == code
        return capsys.readouterr()

    return run


def _read(text):
    header, *rows = csv.reader(io.StringIO(text))
    return header, [dict(zip(header, row, strict=True)) for row in rows]


def test_actions_and_every_risk(classifier, credo):
    said = credo("fruit.credo", "data.csv", "--loss", "loss.csv", "--risks")
    P = classifier.predictive(Table.read("data.csv")).probs  # of ripe and unripe
    header, rows = _read(said.out)
    assert header == ["action", "risk", "risk(eat)", "risk(leave)"]
    eat, leave = 9 * P[:, 1], 1 * P[:, 0]
    np.testing.assert_allclose([float(row["risk(eat)"]) for row in rows], eat, rtol=1e-14)
    np.testing.assert_allclose([float(row["risk(leave)"]) for row in rows], leave, rtol=1e-14)
    assert [row["action"] for row in rows] == np.where(eat <= leave, "eat", "leave").tolist()
    np.testing.assert_allclose([float(row["risk"]) for row in rows], np.minimum(eat, leave), rtol=1e-14)
    # one would rather leave it where 9 P(unripe) > P(ripe): from 0.1 on
    assert "note: eat up to P(unripe) = 0.1; leave above" in said.err
    taken = {name: sum(row["action"] == name for row in rows) for name in ("eat", "leave")}
    assert all(f"{name} {count}" in said.err for name, count in taken.items())
    assert f"expected loss {np.minimum(eat, leave).mean():.4g} a row" in said.err
    assert _read(credo("fruit.credo", "data.csv", "--loss", "loss.csv").out)[0] == ["action", "risk"]


def test_to_refuse_is_one_action_more(classifier, credo):
    said = credo("fruit.credo", "data.csv", "--loss", "loss.csv", "--refuse", "0.2", "--json")
    rows = [json.loads(line) for line in said.out.splitlines()]
    wanted = decide(classifier.predictive(Table.read("data.csv")), Loss.read("loss.csv").with_reject(0.2))
    assert [row["action"] for row in rows] == wanted.action.tolist()
    assert "refuse" in wanted.action
    assert "eat up to P(unripe) = 0.02222, refuse up to P(unripe) = 0.8; leave above" in said.err


def test_numbers_too_many_and_too_few(regressor, credo):
    _, rows = _read(credo("line.credo", "x.csv", "--over", "3", "--under", "1").out)
    belief = regressor.predictive(Table.read("x.csv"))
    mean, sd = belief.mean, belief.sd
    # A normal law's quantile, and the newsvendor's cost there: (over + under) times the density at it
    z = stats.norm.ppf(0.25)
    np.testing.assert_allclose([float(row["action"]) for row in rows], mean + sd * z, rtol=1e-9)
    np.testing.assert_allclose([float(row["risk"]) for row in rows], 4 * sd * stats.norm.pdf(z), rtol=1e-6)


def test_classes_that_the_model_never_met(credo, tmp_path):
    (tmp_path / "more.csv").write_text(",ripe,rotten,unripe\neat,0,99,9\nleave,1,0,0\n")
    said = credo("fruit.credo", "data.csv", "--loss", "more.csv")
    assert "1 class that the model never met" in said.err
    assert said.out == credo("fruit.credo", "data.csv", "--loss", "loss.csv").out
    (tmp_path / "less.csv").write_text(",ripe\neat,0\nleave,1\n")
    assert "'unripe'" in credo("fruit.credo", "data.csv", "--loss", "less.csv", code=2).err


def test_a_file_appears_when_it_is_complete(credo, tmp_path):
    on_screen = credo("fruit.credo", "data.csv", "--loss", "loss.csv").out
    assert credo("fruit.credo", "data.csv", "--loss", "loss.csv", "--out", "actions.csv").out == ""
    assert (tmp_path / "actions.csv").read_text() == on_screen
    assert "is read" in credo("fruit.credo", "data.csv", "--loss", "loss.csv", "--out", "loss.csv", code=2).err
    credo("fruit.credo", "data.csv", "--out", "never.csv", code=2)
    assert not (tmp_path / "never.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["fruit.credo", "data.csv"], "first line ',ripe,unripe'"),
        (["fruit.credo", "data.csv", "--over", "1", "--under", "1"], "first line ',ripe,unripe'"),
        (["line.credo", "x.csv"], "--over and --under"),
        (["line.credo", "x.csv", "--loss", "loss.csv"], "leave --loss out"),
        (["line.credo", "x.csv", "--over", "1"], "--under is missing"),
        (["line.credo", "x.csv", "--under", "1"], "--over is missing"),
        (["line.credo", "x.csv", "--over", "0", "--under", "1"], "over must be positive"),
        (["line.credo", "x.csv", "--over", "nan", "--under", "1"], "over must be finite"),
        (["fruit.credo", "data.csv", "--loss", "loss.csv", "--over", "1"], "Leave one pair out"),
        (["fruit.credo", "data.csv", "--refuse", "1"], "--loss"),
        (["fruit.credo", "data.csv", "--loss", "loss.csv", "--refuse", "-1"], "cost must be zero or positive"),
        (["fruit.credo", "data.csv", "--loss", "nowhere.csv"], "nowhere.csv"),
        (["fruit.credo", "data.csv", "--loss", "."], "."),
    ],
)
def test_what_makes_no_sense_is_refused(credo, arguments, complaint):
    said = credo(*arguments, code=2)
    assert complaint in said.err
    assert said.out == ""
