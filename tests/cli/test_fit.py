"""``credo fit``: what it says is what the saved model holds, and ``credo predict`` goes on from there."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.called import document_of, text_of

from credo import storage
from credo.cli.fit import PROCESS
from credo.errors import BadParameter, CredoError, FormatError, InvalidInput, UnknownName
from credo.gp import Exact, GaussianProcessRegressor
from credo.kernels import kernel
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
        (["--target", "colour", "--search"], InvalidInput, "Leave --search out"),
        (["--target", "weight", "--search", "--model", "always the mean"], InvalidInput, "--search goes with"),
        (["--target", "weight", "--seconds", "3"], InvalidInput, "--seconds says how long to search"),
        (["--target", "weight", "--search", "--seconds", "-3"], BadParameter, "seconds"),
        (["--target", "weight", "--search", "--starts", "3"], InvalidInput, "--starts is for"),
        (["--target", "weight", "--starts", "0"], BadParameter, "starts"),
        (["--target", "weight", "--out", "no/where.credo"], InvalidInput, "Make it"),
    ],
)
def test_refusals_say_what_to_do(mixed, tmp_path, monkeypatch, options, error, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        text_of("fit", mixed, *options)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mixed.csv"]


def test_a_kernel_is_searched_for_and_told_in_the_units_of_the_data(tmp_path):
    x = np.linspace(0, 12, 40)
    y = 0.4 * x + np.sin(2 * np.pi * x / 3) + np.random.default_rng(0).normal(0, 0.1, 40)
    path, file = tmp_path / "series.csv", tmp_path / "level.credo"
    path.write_text("months,level\n" + "".join(f"{a:.4f},{b:.4f}\n" for a, b in zip(x, y, strict=True)))
    text = text_of("fit", path, "--target", "level", "--search", "--out", file)
    assert "step  kernel" in text
    assert "no kernel a step further scores higher by 1" in text
    found = document_of("fit", path, "--target", "level", "--search")
    assert found["in_words"] == "a rising straight line, plus a quarterly season, plus noise"
    assert f"it is {found['in_words']}\n" in text
    entries = {entry["name"]: entry for entry in found["hyperparameters"]}
    assert entries["Periodic.period"]["unit"] == "months"
    assert entries["Periodic.period"]["value"] == pytest.approx(3, rel=0.02)
    assert found["origin"] == {"months": pytest.approx(6.0)}
    assert "lines go through zero at the mean: months " in text
    table = Table.read(path)
    told = GaussianProcessRegressor(kernel(found["kernel"]).fixed())
    direct = told.fit(table["months"][:, None] - found["origin"]["months"], table["level"])
    assert direct.log_evidence_ == pytest.approx(found["log_evidence"], abs=1e-6)
    rows = [json.loads(line) for line in text_of("predict", file, path, "--json").splitlines()]
    np.testing.assert_allclose([row["mean"] for row in rows], y, atol=0.4)


def test_a_search_begins_with_a_kernel_and_ends_with_the_time(series):
    given = ["--search", "--kernel", "Linear(1)", "--seconds", "1e-9"]
    found = document_of("fit", series, "--target", "level", *given)
    assert [step["kernel"] for step in found["climbed"]] == ["Linear + Noise"]
    assert any("the time of 1e-09 seconds was up" in note for note in found["warnings"])
    assert text_of("fit", series, "--target", "level", *given, "--out", series.parent / "a.credo").count("was up") == 1


def test_columns_that_are_no_numbers_are_searched_too(mixed):
    found = document_of("fit", mixed, "--target", "weight", "--search")
    assert found["in_words"] == "noise"
    assert list(found["origin"]) == ["sd of size", "size missing", "colour=blue", "colour=red"]


def test_starts_are_as_many_as_are_asked_for(series, tmp_path):
    file = tmp_path / "level.credo"
    text_of("fit", series, "--target", "level", "--starts", "2", "--out", file)
    assert len(storage.load(file).ends_) == 2


def stop(*args, **options):
    raise KeyboardInterrupt


def test_ctrl_c_keeps_what_was_learnt(series, tmp_path, monkeypatch):
    slopes, calls = Exact.slopes, []

    def stopped(self, *args):
        calls.append(None)
        return slopes(self, *args) if len(calls) < 6 else stop()

    monkeypatch.setattr(Exact, "slopes", stopped)
    file = tmp_path / "level.credo"
    found = document_of("fit", series, "--target", "level", "--out", file)
    assert any("ended early: stopped by hand" in note for note in found["warnings"])
    assert storage.load(file).log_evidence_ == found["log_evidence"]


def test_notes_are_those_of_a_fit(tmp_path):
    path = tmp_path / "odd.csv"
    lines = [f"{i % 7},{i % 7 * 2 + 1},same,a text of its own number {i} that is long" for i in range(30)]
    path.write_text("\n".join(["x,y,one,words", *lines, "3,,same,text"]) + "\n")
    notes = document_of("fit", path, "--target", "y", "--model", "always the mean", "--types", "words=text")["notes"]
    assert notes == [
        "1 row without a value of y set aside.",
        "23 rows repeat earlier rows exactly; each is learnt from.",
        "2 columns set aside: one (always the same) and words (text is not read by any candidate).",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no rows|empty|no columns"),
        ("x,y\n", "at least 2 rows"),
        ("x,y\n1,2\n", "at least 2 rows"),
        ("x,y\n1,2\n2,2\n3,2\n", "there is nothing to predict"),
        ("x,y\n1,\n2,\n3,\n", "."),
        ("x,y\n1,2\n1,3\n1,4\n", "no column is left"),
        ("y\n1\n2\n3\n", "no column is left"),
    ],
    ids=["nothing", "no rows", "one row", "constant", "no target", "constant column", "no column"],
)
def test_what_nothing_can_be_learnt_from_is_refused(tmp_path, text, words):
    path = tmp_path / "odd.csv"
    path.write_text(text)
    with pytest.raises(CredoError, match=words):
        document_of("fit", path, "--target", "y")


@pytest.mark.filterwarnings("always::credo.errors.CredoWarning")
@pytest.mark.parametrize("options", [[], ["--search"]], ids=["fit", "search"])
@pytest.mark.parametrize(
    "rows",
    [
        [(1, 2), (2, 3), (3, 5), (4, 4)],
        [(1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4)],
        [(i * 1e150, (i % 3) * 1e100) for i in range(12)],
        [(1 + i * 1e-9, 1e6 + 1e-6 * i) for i in range(12)],
    ],
    ids=["few", "duplicates", "huge", "tiny"],
)
def test_odd_numbers_are_learnt_and_come_back_bit_for_bit(tmp_path, rows, options):
    path, file = tmp_path / "odd.csv", tmp_path / "odd.credo"
    path.write_text("x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in rows))
    found = document_of("fit", path, "--target", "y", "--out", file, *options)
    assert np.isfinite(found["log_evidence"])
    first, second = (text_of("predict", file, path, "--json") for _ in range(2))
    assert first == second
    model = storage.load(file)
    again = tmp_path / "again.credo"
    storage.save(model, again)
    belief, other = (one.predictive(Table.read(path).drop("y")) for one in (model, storage.load(again)))
    np.testing.assert_array_equal(belief.mean, other.mean)
    np.testing.assert_array_equal(belief.sd, other.sd)
    assert np.isfinite(belief.mean).all()


def test_the_data_are_not_overwritten(mixed):
    before = mixed.read_bytes()
    with pytest.raises(CredoError, match="out must not be"):
        text_of("fit", mixed, "--target", "weight", "--out", mixed)
    assert mixed.read_bytes() == before
