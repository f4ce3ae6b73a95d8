from __future__ import annotations

import json

import numpy as np
import pytest

from credo.errors import InvalidInput
from credo.storage import load_with_about
from credo.study import run_study
from credo.study.folder import reserve, write
from credo.tables import Table


@pytest.fixture(scope="module")
def found(two_classes):
    return run_study(two_classes(), "state", folds=4)


def test_a_study_is_handed_over_whole(found, tmp_path):
    page = write(found, tmp_path / "new" / "report")
    assert page.read_text(encoding="utf-8") == found.report()
    assert json.loads((page.parent / "study.json").read_text(encoding="utf-8")) == json.loads(
        json.dumps(found.to_dict())
    )
    saved = load_with_about(page.parent / "winner.credo")
    assert saved.about["verdict"] == found.verdict
    assert saved.about["target"] == "state"
    new = Table({"size": [-3.0, 5.0], "colour": ["blue", "red"]})
    assert (saved.model.predict_proba(new) == found.winner.predict_proba(new)).all()


def test_a_guess_that_won_is_handed_over_too(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=60).tolist()
    targets = {"classes": rng.permutation(["a", "b"] * 30).tolist(), "numbers": rng.normal(size=60).tolist()}
    for name, y in targets.items():
        found = run_study({"x": x, "y": y}, "y", folds=5)
        assert found.chosen.baseline
        page = write(found, tmp_path / name)
        model = load_with_about(page.parent / "winner.credo").model
        new = Table({"x": [1.0, None]})
        assert model.predict(new).tolist() == found.winner.predict(new).tolist()
        assert "A guess won" in page.read_text(encoding="utf-8")
        assert "earns no trust" in page.read_text(encoding="utf-8")


def test_a_former_study_is_replaced_and_nothing_else(found, tmp_path):
    write(found, tmp_path)
    write(found, tmp_path)
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InvalidInput, match=r"thesis\.tex"):
        write(found, tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InvalidInput, match="is a file"):
        reserve(tmp_path / "file")
    with pytest.raises(InvalidInput, match=r"as '.*file' is a file. Name another"):
        reserve(tmp_path / "file" / "report" / "new")
    with pytest.raises(InvalidInput, match="out must be a path; got 3"):
        reserve(3)
    assert reserve(tmp_path / "new") == tmp_path / "new"
    (tmp_path / "empty").mkdir()
    assert reserve(tmp_path / "empty") == tmp_path / "empty"


def test_a_folder_that_may_not_be_written_to_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda place, mode: place != tmp_path)
    with pytest.raises(InvalidInput, match="may not be written to"):
        reserve(tmp_path / "report")
