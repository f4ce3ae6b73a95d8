"""Every class that a file may hold is there, is of a kind that can be rebuilt, and comes back."""

import dataclasses
import enum
import importlib
import inspect
import pkgutil

import numpy as np
import pytest
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.pipeline import Pipeline

import credo
from credo import storage
from credo.decisions import Loss
from credo.errors import InvalidInput
from credo.kernels import SE, kernel
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.storage.classes import CLASSES, class_of, name_of
from credo.tables import Encoder, Table


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_can_be_rebuilt(name):
    kind = class_of(name)
    assert (kind.__name__, kind.__module__) == (name, CLASSES[name])
    assert dataclasses.is_dataclass(kind) or issubclass(kind, (enum.Enum, BaseEstimator))


def _estimators():
    """Every estimator of the house, wherever it is: a new one cannot be forgotten."""
    found = {}
    for module in pkgutil.walk_packages(credo.__path__, "credo."):
        if module.name != "credo.__main__":
            held = vars(importlib.import_module(module.name))
            found |= {
                name: kind
                for name, kind in held.items()
                if inspect.isclass(kind)
                and issubclass(kind, BaseEstimator)
                and kind.__module__ == module.name
                and not inspect.isabstract(kind)
            }
    return found


ESTIMATORS = _estimators()
# What an estimator needs to be given.
NEEDED = {"Tuned": (BayesianRegression(), {"beta": [1.0, 4.0]})}


@pytest.mark.filterwarnings("ignore::credo.errors.CredoWarning")  # what it warns of is not the question here
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_comes_back(name, tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 2))
    model = ESTIMATORS[name](*NEEDED.get(name, ()))
    if is_classifier(model):
        model.fit(X, np.where(X[:, 0] > 0, "yes", "no"))
    else:
        model.fit(X, X[:, 0] + rng.normal(size=30) / 3)
    storage.save(model, tmp_path / "model.credo")
    again = storage.load(tmp_path / "model.credo")
    assert type(again) is ESTIMATORS[name]
    assert vars(again).keys() == vars(model).keys()
    assert repr(again.get_params()) == repr(model.get_params())
    if not is_classifier(model) and not is_regressor(model):
        assert np.asarray(again.transform(X)).tobytes() == np.asarray(model.transform(X)).tobytes()
        return
    assert again.predict(X).tobytes() == model.predict(X).tobytes()
    said, before = again.predictive(X), model.predictive(X)
    assert type(said) is type(before)
    if is_classifier(model):
        assert said.log_probs.tobytes() == before.log_probs.tobytes()
    else:
        assert said.quantile(0.1).tobytes() == before.quantile(0.1).tobytes()
    storage.save(again, tmp_path / "again.credo")
    assert (tmp_path / "again.credo").read_bytes() == (tmp_path / "model.credo").read_bytes()


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


@pytest.mark.parametrize(
    "text",
    [
        "2.0**2 * SE([1.5, 0.1]) * Periodic(length=1, period=1) + Noise(0.1)",
        "(Linear() + 1)**3 * Matern32(2).on([1, 0]) + Matern52(1) * RationalQuadratic(1, 2) + Wiener().on(0)",
        "SpectralMixture([1, 2], [0, 1], [0.1, 0.3]).on(0) + Index([1, 2], [[1], [-1]]).on(1) + Cosine(3)",
        "Polynomial(2, 0) + NeuralNetwork([1, 2, 3]) + GammaExponential(1, 2) + Exponential(1)",
        "(3 * SE(0.1)).fixed('variance').bounded({'length': (0, inf)}).with_priors({'length': Gamma(2, 0.3)})",
        " + ".join(
            f"SE(1).with_priors({{'length': {law}}})"
            for law in (
                "Beta(1, 2)",
                "HalfCauchy(1)",
                "HalfNormal(0.1)",
                "InverseGamma(1, 2)",
                "LogNormal(0, 1)",
                "Normal(0, 1)",
                "StudentT(4, 0, 1)",
                "Uniform(0, 2)",
            )
        ),
    ],
)
def test_kernels(text, tmp_path):
    made = kernel(text)
    storage.save(made, tmp_path / "kernel.credo")
    assert storage.load(tmp_path / "kernel.credo") == made


def test_a_kernel_that_holds_a_function_is_not_saved(tmp_path):
    with pytest.raises(InvalidInput, match=r"Warped cannot be stored"):
        storage.save(SE(1.0).warped(np.log), tmp_path / "kernel.credo")
