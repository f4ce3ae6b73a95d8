"""Files of every version of the format open, and the models in them say what they said when they were saved."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from tests.storage.freeze import families, says

from credo import storage
from credo.storage.classes import CLASSES, FORMER_SETTINGS, class_of
from credo.storage.values import Reader
from credo.tables import Table

FROZEN = sorted(Path(__file__).parent.glob("version*/*.credo"))


@pytest.mark.parametrize("path", FROZEN, ids=[f"{path.parent.name}-{path.stem}" for path in FROZEN])
def test_a_frozen_file_opens_and_says_what_it_said(path):
    wanted = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    saved = storage.load_with_about(path)
    assert saved.about["target"] in ("y", "state")
    assert saved.about["loss"]["refuse", "low"] == 0.2
    assert saved.about["schema"].names == tuple(wanted["columns"])
    found = says(saved.model, Table(wanted["columns"], types=wanted["types"]))
    assert found.keys() == wanted["says"].keys()
    for name, values in wanted["says"].items():
        if name == "classes":
            assert found[name] == values
        else:  # the same to all but the last digits, which belong to the machine's own way of adding
            np.testing.assert_allclose(found[name], values, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("path", FROZEN, ids=[f"{path.parent.name}-{path.stem}" for path in FROZEN])
def test_a_frozen_file_is_saved_again_without_loss(path, tmp_path):
    saved = storage.load_with_about(path)
    for place in (tmp_path / "once.credo", tmp_path / "twice.credo"):
        storage.save(saved.model, place, about=dict(saved.about))
        saved = storage.load_with_about(place)
    assert (tmp_path / "once.credo").read_bytes() == (tmp_path / "twice.credo").read_bytes()


def test_every_estimator_stands_in_a_frozen_file():
    """One that is new is added to ``families`` in ``freeze.py``, which is then run once."""
    texts = "".join(zipfile.ZipFile(path).read("model.json").decode() for path in FROZEN)
    estimators = {name for name in CLASSES if issubclass(class_of(name), BaseEstimator)} | {"Encoder"}
    assert {name for name in estimators if f'["{name}",' not in texts} == set()
    assert {path.stem for path in FROZEN} == set(families())


def test_what_a_class_once_had_is_passed_over():
    for name, former in FORMER_SETTINGS.items():
        assert not former & set(class_of(name)().get_params())
    settings = {"kernel": None, "n_jobs": 2, "starts": 3}  # from before ``learn_from``, and with ``n_jobs``
    model = Reader([]).read({"object": ["GaussianProcessRegressor", settings]})
    assert (model.starts, model.learn_from) == (3, None)
