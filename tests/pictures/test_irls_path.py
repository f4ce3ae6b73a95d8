"""The steps of logistic regression: over their hill, and how far below its top."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import BadShape, InvalidInput
from credo.linear import LogisticRegression
from credo.pictures import irls_path, irls_trace


def data(columns: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(columns)
    X = 2 * rng.normal(size=(80, columns))
    odds = X @ [1.5, -1.0][:columns] - (columns == 1)
    return X, np.where(rng.random(80) < 1 / (1 + np.exp(-odds)), "yes", "no")


def path_of(ax) -> np.ndarray:
    return next(line.get_xydata() for line in ax.lines if line.get_label() == "steps")


@pytest.mark.parametrize("alpha", [0, 1.0, None])
@pytest.mark.parametrize("slope", [1.0, 2.0])
def test_the_path_ends_at_the_weights_of_the_model(alpha: float | None, slope: float) -> None:
    X, y = data()
    model = LogisticRegression(alpha=alpha, slope=slope).fit(X, y)
    ax = irls_path(model, X, y)
    path = path_of(ax)
    np.testing.assert_array_equal(path[0], [0, 0])
    np.testing.assert_allclose(path[-1], [model.intercept_[0], model.coef_[0, 0]], rtol=1e-4)
    assert 4 <= len(path) <= 12
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert ((path > [left, bottom]).all(axis=1) & (path < [right, top]).all(axis=1)).all()


def test_two_columns_through_the_origin() -> None:
    X, y = data(2)
    model = LogisticRegression(alpha=0.5, fit_intercept=False).fit(X, y)
    ax = irls_path(model, X, y)
    path = path_of(ax)
    np.testing.assert_allclose(path[-1], model.coef_[0], rtol=1e-4)
    # From nought, where every probability is a half, the first step is that of least squares.
    first = np.linalg.solve(X.T @ X / 4 + 0.5 * np.eye(2), X.T @ (np.where(y == "yes", 1, -1) / 2))
    np.testing.assert_allclose(path[1], first)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("weight of column 0", "weight of column 1")


def test_contours_are_nats_below_the_top() -> None:
    X, y = data()
    model = LogisticRegression(alpha=0).fit(X, y)
    ax = irls_path(model, X, y)
    contours = next(held for held in ax.collections if type(held).__name__ == "QuadContourSet")
    signs = np.where(y == "yes", 1, -1)

    def height(weights: np.ndarray) -> float:
        return -float(np.log1p(np.exp(-signs * (weights[0] + weights[1] * X[:, 0]))).sum())

    top = height(np.array([model.intercept_[0], model.coef_[0, 0]]))
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        for place in path.vertices[::25]:
            assert top - height(place) == pytest.approx(level, abs=0.05 + 0.02 * level)


def test_the_trace_is_drawn_below_its_end() -> None:
    X, y = data()
    model = LogisticRegression(alpha=1.0).fit(X, y)
    ax = irls_trace(model)
    trace = np.array(model.trace_)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), (trace[-1] - trace)[trace < trace[-1]])
    assert ax.get_yscale() == "log"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("step", "nats below the top")


def test_refused() -> None:
    X, y = data(2)
    with pytest.raises(InvalidInput, match="two weights; this model has 2 classes, 2 columns and an intercept"):
        irls_path(LogisticRegression(alpha=1.0).fit(X, y), X, y)
    three = np.arange(80) % 3
    with pytest.raises(InvalidInput, match="3 classes"):
        irls_path(LogisticRegression(alpha=1.0).fit(X[:, :1], three), X[:, :1], three)
    with pytest.raises(BadShape):
        irls_path(LogisticRegression(alpha=1.0).fit(X[:, :1], y), X[:, :1], y[1:])
    with pytest.raises(InvalidInput, match="alpha=None"):
        irls_trace(LogisticRegression().fit(X, y))
