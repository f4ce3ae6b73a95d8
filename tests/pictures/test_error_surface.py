"""The error of a grid of settings."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from credo.errors import BadParameter, BadShape
from credo.pictures import error_surface
from credo.svm import grid as grid_of_machines


def grid(**changes) -> SimpleNamespace:
    C, variance = np.array([0.1, 1.0, 10.0]), np.array([0.01, 1.0])
    error = np.array([[0.5, 0.4], [0.3, 0.1], [0.25, 0.2]])
    return SimpleNamespace(**({"C": C, "variance": variance, "error": error, "best": (1.0, 1.0)} | changes))


def test_each_cell_is_the_error_of_its_pair_and_the_best_is_marked() -> None:
    ax = error_surface(grid())
    mesh = ax.collections[0]
    np.testing.assert_array_equal(mesh.get_array(), grid().error)
    corners = mesh.get_coordinates()
    for i, cost in enumerate(grid().C):
        for j, variance in enumerate(grid().variance):
            (left, low), (right, high) = corners[i, j], corners[i + 1, j + 1]
            assert left < variance < right
            assert low < cost < high
    np.testing.assert_allclose(ax.lines[0].get_xydata(), [[1.0, 1.0]])
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert "least error 0.1," in ax.get_title()
    assert [other.get_ylabel() for other in ax.figure.axes] == ["cost of a violation, C", "error"]


def test_a_grid_of_one_row() -> None:
    ax = error_surface(grid(C=[5.0], error=[[0.5, 0.4]], best=(5.0, 1.0)))
    low, high = ax.get_ylim()
    assert low < 5 < high


def test_refused() -> None:
    with pytest.raises(BadShape, match="a row for each C"):
        error_surface(grid(error=np.ones((2, 3))))
    with pytest.raises(BadParameter):
        error_surface(grid(C=[-1.0, 1.0, 2.0]))


def test_what_the_search_over_a_grid_returns() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    found = grid_of_machines(X, (X**2).sum(axis=1) < 1, C=[1.0, 100.0], variance=[0.001, 1.0, 1000.0])
    ax = error_surface(found)
    np.testing.assert_array_equal(ax.collections[0].get_array(), found.error)
    np.testing.assert_allclose(ax.lines[0].get_xydata(), [found.best[::-1]])
