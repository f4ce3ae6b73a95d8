"""``credo fit``: what it says is what the saved model holds, and ``credo predict`` goes on from there."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.called import document_of, text_of

from credo import storage
from credo.cli.fit import PROCESS
from credo.errors import CredoError, FormatError, InvalidInput, UnknownName
from credo.gp import GaussianProcessRegressor
from credo.linear import BayesianRegression
from credo.tables import Table

KERNEL = "SE(2.0) + Linear(0.5).fixed()"


@pytest.fixture
def series(tmp_path):
    rng = np.random.default_rng(0)
    x = np.linspace(0, 10, 25)
    y = np.sin(x) + 0.3 * x + rng.normal(0, 0.1, 25)
    path = tmp_path / "series.csv"
    path.write_text("hours,level\n" + "".join(f"{a:.4f},{b:.4f}\n" for a, b in zip(x, y, strict=True)))
    return path


@pytest.fixture
def mixed(tmp_path):
    rng = np.random.default_rng(1)
    lines = [f"{rng.normal():.3f},{rng.choice(['red', 'blue'])},{rng.normal():.3f}" for _ in range(20)]
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join(["size,colour,weight", *lines[:-1], f",blue,{0.5}"]) + "\n")
    return path


def test_a_process_is_told_in_its_own_units_and_saved(series, tmp_path):
    file = tmp_path / "level.credo"
    found = document_of("fit", series, "--target", "level", "--kernel", KERNEL, "--out", file)
    saved = storage.load_with_about(file)
    table = Table.read(series)
    model = GaussianProcessRegressor(KERNEL).fit(table, "level")
    assert saved.model.kernel_ == model.kernel_
    assert (saved.about["target"], saved.about["model"]) == ("level", PROCESS)
    assert found["log_evidence"] == pytest.approx(model.log_evidence_, abs=1e-9)
    entries = {entry["name"]: entry for entry in found["hyperparameters"]}
    assert {name: entry["unit"] for name, entry in entries.items()} == {
        "SE.length": "hours",
        "Linear.variance": "level²/hours²",
        "Noise.sd": "level",
    }
    assert [entry["learnt"] for entry in entries.values()] == [True, False, True]
    assert entries["Noise.sd"]["value"] == pytest.approx(model.noise_)
    rows = [json.loads(line) for line in text_of("predict", file, series, "--json").splitlines()]
    belief = model.predictive(table.drop("level"))
    np.testing.assert_allclose([row["mean"] for row in rows], belief.mean, rtol=1e-9)
    np.testing.assert_allclose([row["sd"] for row in rows], belief.sd, rtol=1e-9)


def test_people_read_a_table_of_hyperparameters_and_what_to_beware_of(series, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bounded = "SE(2.0).bounded({'length': (1.9, 2.1)})"
    text = text_of("fit", series, "--target", "level", "--kernel", bounded)
    assert text.startswith("Gaussian process for level, from 25 rows of one column\nlog evidence ")
    assert "\nit is smooth changes over about 1.9 hours, plus noise\n" in text
    assert "note: SE.length sits at the least value it may have, 1.9" in text
    assert text.rstrip().endswith("The model: model.credo")
    assert (tmp_path / "model.credo").exists()


def test_columns_that_are_no_numbers_are_encoded(mixed):
    found = document_of("fit", mixed, "--target", "weight")
    assert found["model"] == PROCESS
    lengths = [entry["unit"] for entry in found["hyperparameters"] if ".length" in entry["name"]]
    assert lengths == ["sd of size", "size missing", "colour=blue", "colour=red"]


def test_a_candidate_of_a_study_by_its_name(mixed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = text_of("fit", mixed, "--target", "weight", "--model", "bayesian linear regression")
    model = storage.load(tmp_path / "model.credo")
    assert isinstance(model[-1], BayesianRegression)
    assert f"noise: a standard deviation of {model[-1].beta_ ** -0.5:.4g} in weight" in text
    found = document_of("fit", mixed, "--target", "weight", "--model", "bayesian linear regression")
    assert list(found["weights"]) == ["size", "size missing", "colour=blue", "colour=red", "intercept"]
    assert "file" not in found


def test_classes_are_answered_by_logistic_regression(mixed):
    found = document_of("fit", mixed, "--target", "colour")
    assert (found["model"], found["task"]) == ("logistic regression", "classification")
    assert "prior precision alpha" in found["summary"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (["--target", "nothing"], UnknownName, "'nothing'"),
        (["--target", "weight", "--model", "gausian process"], UnknownName, "gaussian process"),
        (["--target", "weight", "--kernel", "SE(1"], FormatError, "no kernel"),
        (["--target", "colour", "--kernel", "SE(1)"], InvalidInput, "predicts numbers"),
        (["--target", "weight", "--kernel", "SE(1)", "--model", "always the mean"], InvalidInput, "--kernel goes with"),
        (["--target", "weight", "--out", "no/where.credo"], InvalidInput, "Make it"),
    ],
)
def test_refusals_say_what_to_do(mixed, tmp_path, monkeypatch, options, error, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        text_of("fit", mixed, *options)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mixed.csv"]


def test_the_data_are_not_overwritten(mixed):
    before = mixed.read_bytes()
    with pytest.raises(CredoError, match="out must not be"):
        text_of("fit", mixed, "--target", "weight", "--out", mixed)
    assert mixed.read_bytes() == before
