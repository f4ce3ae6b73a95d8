"""``credo plot``: what is drawn is what the model says along a column."""

from __future__ import annotations

import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.pipeline import Pipeline
from tests.cli.called import document_of, text_of

from credo import storage
from credo.errors import InvalidInput, UnknownName
from credo.gp import GaussianProcessRegressor
from credo.linear import BayesianRegression
from credo.naive_bayes import NaiveBayes
from credo.tables import Encoder, Table

PNG = b"\x89PNG"


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def process(tmp_path):
    x = np.linspace(0, 5, 12)
    table = Table({"hours": x, "level": np.sin(x)})
    model = GaussianProcessRegressor("SE(1.0)", starts=1, noise=0.05).fit(table, "level")
    storage.save(model, tmp_path / "level.credo", about={"target": "level"})
    lines = "".join(f"{a:.4f},{b:.4f}\n" for a, b in zip(x, np.sin(x), strict=True))
    (tmp_path / "data.csv").write_text(f"hours,level\n{lines}7.5,\n")
    return model


def test_mean_band_and_how_it_goes_on_beyond_the_data(process, tmp_path):
    out = tmp_path / "picture.png"
    said = document_of("plot", tmp_path / "level.credo", tmp_path / "data.csv", "--out", out, "--level", "0.8")
    at = np.array(said["at"])
    assert (at.min(), at.max()) == (0.0, 7.5)  # the last row has no level: it says how far to go
    belief = process.predictive(Table({"hours": at}))
    low, high = belief.interval(0.8)
    np.testing.assert_allclose([said["mean"], said["low"], said["high"]], [belief.mean, low, high], rtol=1e-9)
    assert (said["column"], said["target"], said["held"]) == ("hours", "level", [])
    assert out.read_bytes()[:4] == PNG


def test_other_columns_are_held_where_they_mostly_are(tmp_path):
    rng = np.random.default_rng(0)
    table = Table({"size": rng.normal(size=30), "age": np.arange(30.0), "colour": ["red"] * 20 + ["blue"] * 10})
    y = rng.normal(size=30)
    model = Pipeline([("encoder", Encoder()), ("regression", BayesianRegression())]).fit(table, y)
    storage.save(model, tmp_path / "m.credo", about={"target": "y"})
    cells = zip(table["size"], table["age"], table["colour"], y, strict=True)
    (tmp_path / "data.csv").write_text("size,age,colour,y\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in cells))
    said = document_of(
        "plot", tmp_path / "m.credo", tmp_path / "data.csv", "--out", tmp_path / "p.svg", "--column", "size"
    )
    assert said["held"] == ["age 15", "colour red"]
    rows = Table({"size": said["at"], "age": [15.0] * len(said["at"]), "colour": ["red"] * len(said["at"])})
    np.testing.assert_allclose(said["mean"], model[-1].predictive(model[:-1].transform(rows)).mean, rtol=1e-9)
    assert ET.parse(tmp_path / "p.svg").getroot().tag.endswith("svg")


def test_people_are_told_where_it_is(process, tmp_path):
    out = tmp_path / "picture.pdf"
    assert text_of("plot", tmp_path / "level.credo", tmp_path / "data.csv", "--out", out) == f"The picture: {out}\n"
    assert out.read_bytes()[:5] == b"%PDF-"
    assert not plt.get_fignums()


def test_refusals_say_what_to_do(process, tmp_path):
    model, data, out = tmp_path / "level.credo", tmp_path / "data.csv", tmp_path / "p.png"
    with pytest.raises(InvalidInput, match=r"end in \.png"):
        text_of("plot", model, data, "--out", tmp_path / "p.doc")
    with pytest.raises(InvalidInput, match="out must not be a file that is read"):
        text_of("plot", model, data, "--out", data)
    with pytest.raises(UnknownName, match="'hours'"):
        text_of("plot", model, data, "--out", out, "--column", "hour")
    table = Table({"c": ["a", "b"] * 6, "hours": [float(i) for i in range(12)], "k": ["x", "y", "y"] * 4})
    storage.save(NaiveBayes().fit(table, "k"), tmp_path / "classes.credo")
    (tmp_path / "classes.csv").write_text("c,hours\na,1.5\nb,2.5\n")
    with pytest.raises(InvalidInput, match="predicts classes"):
        text_of("plot", tmp_path / "classes.credo", tmp_path / "classes.csv", "--out", out)
    with pytest.raises(InvalidInput, match="no line"):
        text_of("plot", tmp_path / "classes.credo", tmp_path / "classes.csv", "--out", out, "--column", "c")
    assert not out.exists()


def test_without_matplotlib_it_says_how_to_get_it(process, tmp_path, monkeypatch):
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.axes"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InvalidInput, match=r"pip install 'credo-bayes\[plot\]'"):
        text_of("plot", tmp_path / "level.credo", tmp_path / "data.csv", "--out", tmp_path / "p.png")
