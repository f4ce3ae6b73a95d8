"""Decision regions: what is drawn is what the model says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from credo.errors import BadShape, InvalidInput, NotFitted, UnknownName
from credo.linear import BayesianRegression, LinearSeparator, Perceptron
from credo.naive_bayes import NaiveBayes
from credo.pictures import decision_regions
from credo.pictures.canvas import COLOURS
from credo.svm import SupportVectorClassifier
from credo.tables import Table


def problem(classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(classes)
    y = np.repeat(np.array(["ash", "birch", "cedar"])[:classes], 20)
    places = {"ash": (-3, 0), "birch": (3, 0), "cedar": (0, 5)}
    return rng.normal(size=(20 * classes, 2)) + np.array([places[name] for name in y]), y


def paths(contours) -> np.ndarray:
    return np.vstack([path.vertices for path in contours.get_paths()])


def lines_of(ax) -> list:
    """Of each set of contours, where it runs."""
    return [paths(held) for held in ax.collections if type(held).__name__ == "QuadContourSet"]


def scattered(ax) -> dict[str, np.ndarray]:
    return {held.get_label(): held.get_offsets() for held in ax.collections if not held.get_label().startswith("_")}


def test_the_widest_margin_and_what_holds_it() -> None:
    X, y = problem()
    model = LinearSeparator(maximum_margin=True).fit(X, y)
    ax = decision_regions(model, X, y)
    boundary, edges = lines_of(ax)
    np.testing.assert_allclose(model.decision_function(boundary), 0, atol=1e-9)
    np.testing.assert_allclose(np.abs(model.decision_function(edges)), model.margin_[0], rtol=1e-6)
    drawn = scattered(ax)
    assert list(drawn) == ["ash", "birch", "support vectors"]
    np.testing.assert_allclose(drawn["ash"], X[y == "ash"])
    np.testing.assert_allclose(np.abs(model.decision_function(drawn["support vectors"])), model.margin_[0], rtol=1e-6)


def test_a_support_vector_machine_alone_and_in_a_pipeline() -> None:
    X, y = problem()
    model = make_pipeline(StandardScaler(), SVC(C=10.0)).fit(X, y)
    ax = decision_regions(model, X, y)
    boundary, edges = lines_of(ax)
    np.testing.assert_allclose(model.decision_function(boundary), 0, atol=5e-3)
    np.testing.assert_allclose(np.abs(model.decision_function(edges)), 1, atol=5e-3)
    np.testing.assert_allclose(scattered(ax)["support vectors"], X[model[-1].support_])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_machine_of_this_house(classes: int) -> None:
    X, y = problem(classes)
    model = SupportVectorClassifier(C=10.0, probability=True).fit(X, y)
    ax = decision_regions(model, X, y)
    np.testing.assert_allclose(scattered(ax)["support vectors"], model.support_vectors_)
    lines = lines_of(ax)
    assert len(lines) == {2: 2, 3: 3}[classes]  # with two classes the boundary and the edges of the margin
    if classes == 2:
        np.testing.assert_allclose(np.abs(model.decision_function(lines[1])), 1, atol=5e-3)


def test_tints_are_the_probabilities() -> None:
    X, y = problem(3)
    model = NaiveBayes().fit(X, y)
    ax = decision_regions(model, X, y)
    picture = ax.images[0]
    shades = np.asarray(picture.get_array())
    left, right, bottom, top = picture.get_extent()
    n = len(shades)
    across, up = np.linspace(left, right, n), np.linspace(bottom, top, n)
    full = 1 - 0.35 * (1 - np.array([to_rgb(colour) for colour in COLOURS[:3]]))
    for i, j in [(0, 0), (150, 40), (299, 150), (100, 299)]:
        np.testing.assert_allclose(shades[i, j], (model.predict_proba([[across[j], up[i]]]) @ full)[0])
    assert len(lines_of(ax)) == 3


def test_boundaries_are_where_the_most_probable_class_changes() -> None:
    X, y = problem(3)
    for model in (NaiveBayes().fit(X, y), Perceptron().fit(X, y)):
        for line in lines_of(decision_regions(model, X, y)):
            first, second = np.sort(model.predict_proba(line[::7]), axis=1).T[-2:]
            assert np.abs(first - second).max() < 0.05


def test_a_model_without_beliefs_or_margins() -> None:
    X, y = problem()
    ax = decision_regions(RidgeClassifier().fit(X, y), X, y)
    assert len(lines_of(ax)) == 1
    assert list(scattered(ax)) == ["ash", "birch"]


@pytest.mark.filterwarnings("error")
def test_columns_with_names_give_the_axes_theirs() -> None:
    X, y = problem()
    frame = pd.DataFrame(X, columns=["height", "girth"])
    for given in (frame, Table({"height": X[:, 0], "girth": X[:, 1]})):
        ax = decision_regions(NaiveBayes().fit(given, y), given, y)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("height", "girth")
    plain = decision_regions(NaiveBayes().fit(X, y), X, y)
    assert (plain.get_xlabel(), plain.get_ylabel()) == ("first column", "second column")


def test_every_row_is_in_sight() -> None:
    X, y = problem(3)
    ax = decision_regions(NaiveBayes().fit(X, y), X, y)
    for column, (low, high) in zip(X.T, (ax.get_xlim(), ax.get_ylim()), strict=True):
        assert low < column.min()
        assert column.max() < high


def test_refused() -> None:
    X, y = problem()
    model = NaiveBayes().fit(X, y)
    with pytest.raises(BadShape, match="two columns; X has 3"):
        decision_regions(NaiveBayes().fit(np.ones((4, 3)), y[18:22]), np.ones((4, 3)), y[18:22])
    with pytest.raises(BadShape):
        decision_regions(model, X, y[1:])
    with pytest.raises(InvalidInput, match="must be a classifier"):
        decision_regions(BayesianRegression(beta=1.0).fit(X, X[:, 0]), X, y)
    with pytest.raises(NotFitted):
        decision_regions(NaiveBayes(), X, y)
    with pytest.raises(UnknownName):
        decision_regions(model, X, np.where(y == "ash", "oak", y))
