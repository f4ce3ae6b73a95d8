"""``credo predict``: what it prints is what the model says."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from credo import storage
from credo.cli.shell import main
from credo.evaluation import believe
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.numerics import waiting
from credo.study.guesses import ClassFrequencies, TargetMean
from credo.tables import Encoder, Table

DATA = "colour,size,weight\nred,S,1.5\nblue,L,9.25\nred,,8.5\ngreen,S,2.0\n"


@pytest.fixture(scope="module")
def fruit():
    rng = np.random.default_rng(0)
    ripe = rng.integers(0, 2, 60)
    return Table(
        {
            "weight": rng.normal(2 + 5 * ripe, 2),
            "colour": np.where(rng.random(60) < 0.3 + 0.4 * ripe, "red", "blue"),
            "size": np.where(rng.random(60) < 0.5, "S", "L"),
            "state": np.where(ripe, "ripe", "unripe"),
        }
    )


@pytest.fixture
def classifier(fruit, tmp_path):
    model = NaiveBayes().fit(fruit, "state")
    storage.save(model, tmp_path / "fruit.credo", about={"target": "state"})
    return model, tmp_path / "fruit.credo"


@pytest.fixture
def regressor(tmp_path):
    rng = np.random.default_rng(0)
    table = Table({"x": rng.normal(size=30), "z": rng.normal(size=30), "y": rng.normal(size=30)})
    model = BayesianRegression().fit(table, "y")
    storage.save(model, tmp_path / "line.credo")
    return model, tmp_path / "line.credo"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(DATA)
    return path


@pytest.fixture
def credo(monkeypatch, capsys):
    def run(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["credo", "predict", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert (ended.value.code or 0) == code
        return capsys.readouterr()

    return run


def _read(text):
    header, *rows = csv.reader(io.StringIO(text))
    return header, rows


def test_classes_and_their_probabilities(classifier, data, credo):
    model, path = classifier
    said = credo(path, data)
    belief = model.predictive(Table.read(data))
    header, rows = _read(said.out)
    assert header == ["prediction", "P(ripe)", "P(unripe)"]
    assert [row[0] for row in rows] == belief.mode.tolist()
    np.testing.assert_array_equal(np.array([row[1:3] for row in rows], dtype=float), belief.probs)


def test_numbers_and_intervals_as_json(regressor, credo, tmp_path):
    model, path = regressor
    (tmp_path / "data.csv").write_text("z,extra,x\n0.5,a,1\n-0.25,b,2.5\n")  # by name, in any order
    said = credo(path, tmp_path / "data.csv", "--level", "0.5", "--json")
    rows = [json.loads(line) for line in said.out.splitlines()]
    belief = model.predictive(Table({"x": [1, 2.5], "z": [0.5, -0.25]}))
    low, high = belief.interval(0.5)
    assert [row["mean"] for row in rows] == belief.mean.tolist()
    assert [[row["sd"], row["low"], row["high"]] for row in rows] == np.stack([belief.sd, low, high], axis=1).tolist()


def test_a_pipeline_is_asked_through_its_encoder(credo, tmp_path):
    rng = np.random.default_rng(2)
    table = Table({"code": rng.choice(["1", "2"], 40), "x": rng.normal(size=40)}, types={"code": "category"})
    model = Pipeline([("encoder", Encoder()), ("regression", BayesianRegression())]).fit(table, rng.normal(size=40))
    storage.save(model, tmp_path / "line.credo")
    (tmp_path / "data.csv").write_text("x,code\n0.5,1\n,2\n0.25,3\n")  # a number that is a label, a gap, a new label
    header, rows = _read(credo(tmp_path / "line.credo", tmp_path / "data.csv").out)
    belief = believe(model, Table({"x": [0.5, None, 0.25], "code": ["1", "2", None]}, types={"code": ["1", "2"]}))
    assert header == ["mean", "sd", "low", "high"]
    np.testing.assert_array_equal([float(row[0]) for row in rows], belief.mean)
    np.testing.assert_array_equal([float(row[1]) for row in rows], belief.sd)


def test_a_model_of_a_plain_array_knows_columns_by_their_places(credo, tmp_path):
    model = BayesianRegression().fit(np.eye(5)[:, :2], np.arange(5.0))
    storage.save(model, tmp_path / "plain.credo")
    (tmp_path / "data.csv").write_text("p,q\n0.5,1\n0.25,2\n")
    _, rows = _read(credo(tmp_path / "plain.credo", tmp_path / "data.csv").out)
    assert [float(row[0]) for row in rows] == model.predict([[0.5, 1], [0.25, 2]]).tolist()


@pytest.mark.parametrize(
    ("guess", "y", "line"),
    [
        (ClassFrequencies(), ["a", "b", "b", "b"], ["prediction=b"]),
        (TargetMean(), [1.0, 2.0, 3.0, 6.0], ["mean=3.0"]),
    ],
)
def test_a_guess_says_the_same_of_every_row(guess, y, line, data, credo, tmp_path):
    storage.save(guess.fit(Table.read(data), y), tmp_path / "guess.credo")
    header, rows = _read(credo(tmp_path / "guess.credo", data).out)
    assert len(rows) == 4
    assert rows == [rows[0]] * 4
    assert [f"{name}={cell}" for name, cell in zip(header, rows[0], strict=True)][: len(line)] == line
    (tmp_path / "other.csv").write_text("colour,weight\nred,1\n")
    assert "'size'" in credo(tmp_path / "guess.credo", tmp_path / "other.csv", code=2).err


def test_the_table_is_read_as_is_said(classifier, credo, tmp_path):
    (tmp_path / "plain.csv").write_text("colour,size,weight\nred,S,1.5\nblue,,\n")
    (tmp_path / "odd.csv").write_text("a remark\ncolour;size;weight\nred;S;1,5\nblue;-;unweighed\n")
    said = ["--missing=-", "--missing", "unweighed", "--dialect", "skip=1", "--dialect", "decimal=,"]
    assert credo(classifier[1], tmp_path / "odd.csv", *said).out == credo(classifier[1], tmp_path / "plain.csv").out
    assert "dialect" in credo(classifier[1], tmp_path / "odd.csv", "--dialect", "comma", code=2).err
    assert "--missing" in credo(classifier[1], tmp_path / "odd.csv", *said[3:], code=2).err


def test_what_is_no_number_is_null_in_json(data, credo, tmp_path):
    storage.save(TargetMean().fit(Table.read(data).take([0, 1]), [1.0, 2.0]), tmp_path / "two-rows.credo")
    rows = [json.loads(line) for line in credo(tmp_path / "two-rows.credo", data, "--json").out.splitlines()]
    assert [row["sd"] for row in rows] == [None] * 4  # Student's t with one degree of freedom has none


def test_piece_by_piece_is_the_same(classifier, data, credo, monkeypatch):
    whole = credo(classifier[1], data).out
    batches = Table.batches
    monkeypatch.setattr(Table, "batches", lambda table: batches(table, 1))
    monkeypatch.setattr(waiting, "PATIENCE", -1.0)
    monkeypatch.setattr(waiting, "TICK", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    said = credo(classifier[1], data)
    assert said.out == whole
    assert "3 of 4 rows" in said.err


def test_a_file_appears_when_it_is_complete(classifier, data, credo, tmp_path):
    on_screen = credo(classifier[1], data).out
    out = tmp_path / "predictions.csv"
    assert credo(classifier[1], data, "--out", out).out == ""
    assert out.read_text() == on_screen
    (tmp_path / "half.csv").write_text("colour,size,weight\nred,S,heavy\n")
    credo(classifier[1], tmp_path / "half.csv", "--out", tmp_path / "new.csv", code=2)
    credo(classifier[1], data, "--out", tmp_path / "no" / "where.csv", code=2)
    assert "folder" in credo(classifier[1], data, "--out", tmp_path, code=2).err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv", "fruit.credo", "half.csv", "predictions.csv"]


@pytest.mark.parametrize("victim", ["data.csv", "fruit.credo"])
def test_what_is_read_is_not_overwritten(classifier, data, credo, tmp_path, victim):
    before = (tmp_path / victim).read_bytes()
    assert "out must not be a file that is read" in credo(classifier[1], data, "--out", tmp_path / victim, code=2).err
    assert (tmp_path / victim).read_bytes() == before


def test_refusals_say_what_is_wrong(classifier, data, credo, tmp_path):
    other, empty = tmp_path / "other.csv", tmp_path / "empty.csv"
    other.write_text("colour,weight\nred,1\n")
    empty.write_text("colour,size,weight\n")
    assert "'size'" in credo(classifier[1], other, code=2).err
    credo(classifier[1], empty, code=2)
    assert "data.csv" in credo(data, data, code=2).err
    assert "level" in credo(classifier[1], data, "--level", "90", code=2).err
    error = json.loads(credo(classifier[1], other, "--json", code=2).out)["error"]
    assert error["kind"] == "UnknownName" or "size" in error["message"]


def test_a_reader_that_stops_early_is_no_crash(classifier, data, tmp_path):
    data.write_text(DATA + "red,S,3.0\n" * 50_000)
    program = f"import sys; sys.argv = ['credo', 'predict', {str(classifier[1])!r}, {str(data)!r}]\n"
    program += "from credo.cli import main; main()"
    done = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout.readline() == b"prediction,P(ripe),P(unripe)\n"
    done.stdout.close()
    complaint = done.stderr.read()
    done.stderr.close()
    done.wait()
    assert b"Traceback" not in complaint
    assert b"BrokenPipe" not in complaint
