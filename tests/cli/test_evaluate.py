"""``credo evaluate``: the scores of a saved model on rows with answers."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, log_loss, mean_absolute_error, roc_auc_score

from credo import storage
from credo.cli.shell import main
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.tables import Table


def fruit(seed, rows):
    rng = np.random.default_rng(seed)
    ripe = rng.integers(0, 2, rows)
    return {
        "weight": rng.normal(2 + 3 * ripe, 2),
        "colour": np.where(rng.random(rows) < 0.3 + 0.4 * ripe, "red", "blue"),
        "state": np.where(ripe, "ripe", "unripe"),
    }


def write(path, columns):
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def classifier():
    return NaiveBayes().fit(Table(fruit(0, 80)), "state")


@pytest.fixture
def credo(classifier, tmp_path, monkeypatch, capsys):
    storage.save(classifier, tmp_path / "fruit.credo", about={"target": "state", "model": "naive Bayes"})
    write(tmp_path / "new.csv", fruit(1, 50))
    (tmp_path / "loss.csv").write_text(",ripe,unripe\neat,0,9\nleave,1,0\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["credo", "evaluate", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0) == code
        return capsys.readouterr()

    return run


def scores(found):
    return {score["name"]: score["value"] for score in found["scores"]}


def test_classes_are_scored_as_elsewhere(classifier, credo):
    found = json.loads(credo("fruit.credo", "new.csv", "--loss", "loss.csv", "--json").out)
    table = fruit(1, 50)
    y, P = table["state"], classifier.predict_proba(Table(table).drop("state"))
    said = scores(found)
    assert (found["model"], found["target"], found["task"], found["rows"]) == (
        "naive Bayes",
        "state",
        "classification",
        50,
    )
    assert said["log score"] == pytest.approx(-log_loss(y, P), rel=1e-9)
    assert said["AUC"] == pytest.approx(roc_auc_score(y == "unripe", P[:, 1]), rel=1e-9)
    answers = np.array(["ripe", "unripe"])[P.argmax(axis=1)]
    assert said["accuracy"] == pytest.approx((answers == y).mean())
    assert found["confusion"]["counts"] == confusion_matrix(y, answers).tolist()
    eaten = 9 * P[:, 1] <= P[:, 0]
    paid = np.where(eaten, 9.0 * (y == "unripe"), 1.0 * (y == "ripe"))
    assert said["expected loss"] == pytest.approx(paid.mean())
    assert found["actions"] == {"eat": int(eaten.sum()), "leave": int((~eaten).sum())}
    assert sum(group["rows"] for group in found["calibration"]["groups"]) == 50
    assert found["notes"] == []
    for score in found["scores"]:
        assert score["low"] <= score["value"] <= score["high"]
        assert score["level"] == 0.95


def test_the_text_says_the_same(credo):
    found = json.loads(credo("fruit.credo", "new.csv", "--loss", "loss.csv", "--json").out)
    text = credo("fruit.credo", "new.csv", "--loss", "loss.csv").out
    assert text.startswith("naive Bayes for state, judged by 50 rows of new.csv\n")
    for name, value in scores(found).items():
        assert any(line.startswith(name) and f"{value:.4g}" in line for line in text.splitlines())
    assert "recall" in text
    assert "P(unripe)" in text
    assert "Actions: " in text


def test_numbers_are_scored_as_elsewhere(credo, tmp_path):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=40), rng.normal(size=40)
    model = BayesianRegression().fit(Table({"x": x[:30], "y": y[:30]}), "y")
    storage.save(model, tmp_path / "line.credo")
    write(tmp_path / "numbers.csv", {"answer": y[30:], "x": x[30:]})
    found = json.loads(credo("line.credo", "numbers.csv", "--target", "answer", "--json").out)
    assert scores(found)["mean absolute error"] == pytest.approx(
        mean_absolute_error(y[30:], model.predict(Table({"x": x[30:]}))), rel=1e-12
    )
    assert "confusion" not in found
    assert "RMSE" in credo("line.credo", "numbers.csv", "--target", "answer").out
    assert "does not say what it predicts" in credo("line.credo", "numbers.csv", code=2).err
    assert "predicts from 'x'" in credo("line.credo", "numbers.csv", "--target", "x", code=2).err
    said = credo("line.credo", "numbers.csv", "--target", "answer", "--loss", "loss.csv", code=2).err
    assert "predicts numbers" in said


def test_a_model_of_a_plain_array_does_not_see_the_answers(credo, tmp_path):
    X = np.random.default_rng(3).normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    model = NaiveBayes().fit(X, y)
    storage.save(model, tmp_path / "plain.credo")
    write(tmp_path / "plain.csv", {"a": X[:, 0], "y": y, "b": X[:, 1]})
    found = json.loads(credo("plain.credo", "plain.csv", "--target", "y", "--json").out)
    assert found["confusion"]["classes"] == ["0", "1"]
    assert scores(found)["accuracy"] == pytest.approx((model.predict(X) == y).mean())


def test_truths_are_read_as_truths(credo, tmp_path):
    rng = np.random.default_rng(4)
    y = rng.random(50) < 0.5
    table = Table({"x": rng.normal(size=50) + 2 * y, "y": y})
    storage.save(NaiveBayes().fit(table, "y"), tmp_path / "truth.credo", about={"target": "y"})
    write(tmp_path / "truth.csv", {"x": table["x"], "y": np.where(y, "yes", "no")})
    write(tmp_path / "bits.csv", {"x": table["x"], "y": y.astype(int)})
    first, second = (json.loads(credo("truth.credo", name, "--json").out) for name in ("truth.csv", "bits.csv"))
    assert first == second
    assert scores(first)["accuracy"] > 0.7


def test_rows_without_an_answer_and_classes_never_met(credo, tmp_path):
    table = fruit(1, 20)
    table["state"] = np.array(["rotten", "", "?", *table["state"][3:]])
    write(tmp_path / "odd.csv", table)
    found = json.loads(credo("fruit.credo", "odd.csv", "--json").out)
    assert found["rows"] == 18
    assert found["notes"][0] == "2 rows without a value of state set aside"
    assert "1 class was never met by the model: rotten (1)" in found["notes"][1]
    assert found["confusion"]["classes"] == ["ripe", "unripe", "rotten"]
    assert scores(found)["log score"] is None  # minus infinity
    assert "'rotten'" in credo("fruit.credo", "odd.csv", "--loss", "loss.csv", code=2).err
    (tmp_path / "wide.csv").write_text(",ripe,unripe,rotten\neat,0,9,99\nleave,1,0,0\n")
    assert scores(json.loads(credo("fruit.credo", "odd.csv", "--loss", "wide.csv", "--json").out))["expected loss"] > 0


def test_one_row_has_scores_and_no_interval(credo, tmp_path):
    write(tmp_path / "one.csv", {name: values[:1] for name, values in fruit(1, 5).items()})
    text = credo("fruit.credo", "one.csv").out
    assert "judged by 1 row of one.csv" in text


def test_pieces_are_scored_as_one(credo, monkeypatch):
    whole = credo("fruit.credo", "new.csv", "--json").out
    batches = Table.batches
    monkeypatch.setattr(Table, "batches", lambda table: batches(table, 7))
    assert credo("fruit.credo", "new.csv", "--json").out == whole


def test_many_classes_are_left_to_json(credo, tmp_path):
    rng = np.random.default_rng(5)
    state = np.array([f"c{i % 15:02d}" for i in range(150)])
    table = {"x": rng.normal(size=150), "state": state}
    storage.save(NaiveBayes().fit(Table(table), "state"), tmp_path / "many.credo", about={"target": "state"})
    write(tmp_path / "many.csv", table)
    text = credo("many.credo", "many.csv").out
    assert "among 15 classes: see --json" in text
    assert "P(answer)" in text


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("weight,colour,state\n", "holds no rows"),
        ("weight,colour,state\n1,red,\n", "nothing to judge by"),
        ("weight,colour\n1,red\n", "'state'"),
        ("weight,state\n1,ripe\n", "'colour'"),
        ("", "odd.csv"),
    ],
)
def test_tables_that_judge_nothing_are_refused(credo, tmp_path, content, complaint):
    (tmp_path / "odd.csv").write_text(content)
    assert complaint in credo("fruit.credo", "odd.csv", code=2).err


def test_files_that_are_none_are_refused(credo, tmp_path):
    assert "directory" in credo(tmp_path, "new.csv", code=2).err
    assert "new.csv" in credo("new.csv", "new.csv", code=2).err
    assert "nowhere.csv" in credo("fruit.credo", "nowhere.csv", code=2).err
    assert json.loads(credo("fruit.credo", "nowhere.csv", "--json", code=2).out)["error"]["message"]
