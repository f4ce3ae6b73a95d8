"""Every class that a file may hold is there, is of a kind that can be rebuilt, and comes back."""

import dataclasses
import enum

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from credo import storage
from credo.decisions import Loss
from credo.errors import InvalidInput
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.storage.classes import CLASSES, class_of, name_of
from credo.tables import Encoder, Table


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_can_be_rebuilt(name):
    kind = class_of(name)
    assert (kind.__name__, kind.__module__) == (name, CLASSES[name])
    assert dataclasses.is_dataclass(kind) or issubclass(kind, (enum.Enum, BaseEstimator))


def test_a_class_of_the_same_name_is_another_class():
    with pytest.raises(InvalidInput, match=r"test_classes\.Loss cannot be stored"):
        name_of(type("Loss", (), {"__module__": "test_classes"})())
    with pytest.raises(InvalidInput, match="Did you mean 'NaiveBayes'"):
        class_of("NaiveBays")


@pytest.mark.parametrize("labels", [("f", "m"), (0, 1), (False, True)])
def test_naive_bayes_over_mixed_columns(labels, tmp_path):
    rng = np.random.default_rng(0)
    table = Table(
        {
            "age": [*rng.normal(40, 9, 39), None],
            "size": [*rng.choice(["S", "M"], 39), None],
            "seen": rng.random(40) < 0.5,
        },
        types={"size": ["S", "M", "L"]},
    )
    y = np.array(labels, dtype=object if isinstance(labels[0], str) else None)[rng.integers(0, 2, 40)]
    model = NaiveBayes(prior={labels[0]: 0.25, labels[1]: 0.75}).fit(table, y)
    loss = Loss.zero_one(labels).with_reject(0.1)
    storage.save(model, tmp_path / "model.credo", about={"loss": loss, "schema": table.schema})
    saved = storage.load_with_about(tmp_path / "model.credo")
    again, belief = saved.model, saved.model.predictive(table)
    assert belief.probs.tobytes() == model.predictive(table).probs.tobytes()
    assert belief.states == model.predictive(table).states
    assert [type(state) for state in belief.states] == [type(state) for state in model.predictive(table).states]
    assert again.get_params() == model.get_params()
    assert again.schema_ == model.schema_
    assert saved.about["schema"] == table.schema
    assert saved.about["loss"].actions == loss.actions
    assert (saved.about["loss"].matrix == loss.matrix).all()


def test_a_pipeline_with_its_encoder(tmp_path):
    rng = np.random.default_rng(1)
    table = Table({"a": [*rng.normal(size=29), None], "c": rng.choice(["x", "y", "z"], 30), "b": rng.random(30) < 0.5})
    model = Pipeline([("encoder", Encoder()), ("regression", BayesianRegression())]).fit(table, rng.normal(size=30))
    storage.save(model, tmp_path / "model.credo")
    again = storage.load(tmp_path / "model.credo")
    assert again.predict(table).tobytes() == model.predict(table).tobytes()
    assert again[0].schema_ == model[0].schema_
    assert again[:-1].get_feature_names_out().tolist() == model[:-1].get_feature_names_out().tolist()
