"""A belief along a column, and the parts of a process: what is drawn is what was believed."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from credo.beliefs import Normal
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.gp import Process
from credo.kernels import SE, Linear
from credo.pictures import belief_band, process_parts


def process() -> Process:
    return Process(Linear(1.0) + SE(0.5)).given([[0.0], [1.0], [3.0]], [0.1, 1.3, 2.9], noise=0.1)


def edges(ax) -> np.ndarray:
    vertices = ax.collections[0].get_paths()[0].vertices
    n = (len(vertices) - 3) // 2
    return np.array([vertices[1 : n + 1, 1], vertices[n + 2 : 2 * n + 2, 1][::-1]])


def test_the_mean_the_band_and_the_data() -> None:
    at = np.linspace(-1, 4, 40)
    belief = process().predictive(at[:, None], noise=0.1)
    shuffled = np.random.default_rng(0).permutation(40)
    x, y = np.array([0.0, 1.0, 3.0]), np.array([0.1, 1.3, 2.9])
    ax = belief_band(at[shuffled], belief[shuffled], x, y, level=0.5)
    mean, points = ax.lines
    np.testing.assert_allclose(mean.get_xydata(), np.column_stack([at, belief.mean]))
    np.testing.assert_allclose(edges(ax), belief.interval(0.5))
    np.testing.assert_allclose(points.get_xydata(), np.column_stack([x, y]))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["holds 50%", "mean", "data"]
    assert ax.get_xlim() == (-1, 4)


def test_many_data_are_small_dots_on_axes_that_are_there() -> None:
    x = np.linspace(0, 1, 400)
    _, given = plt.subplots()
    ax = belief_band(x, Normal(x, np.ones(400)), x, x, ax=given)
    assert ax is given
    assert ax.lines[-1].get_markersize() < 3
    assert len(belief_band(x, Normal(x, np.ones(400))).lines) == 1


def test_what_cannot_be_drawn_is_refused() -> None:
    x = np.linspace(0, 1, 4)
    with pytest.raises(InvalidInput, match="both, or neither"):
        belief_band(x, Normal(x, np.ones(4)), x)
    with pytest.raises(BadShape):
        belief_band(x, Normal(x[:3], np.ones(3)))
    with pytest.raises(BadParameter, match="titles"):
        process_parts(x, process().decompose(x[:, None]), titles=["one"])
    with pytest.raises(BadParameter, match="axes"):
        process_parts(x, process().decompose(x[:, None]), axes=[plt.gca()])
    with pytest.raises(BadParameter, match="titles"):
        process_parts(x, [])


def test_each_part_has_its_panel_and_together_they_are_the_mean() -> None:
    at = np.linspace(0, 4, 30)
    parts = process().decompose(at[:, None])
    panels = process_parts(at, parts, level=0.9)
    means = [panel.lines[-1].get_ydata() for panel in panels]
    np.testing.assert_allclose(sum(means), process().predictive(at[:, None]).mean, atol=1e-12)
    for part, panel in zip(parts, panels, strict=True):
        np.testing.assert_allclose(edges(panel), part.belief.interval(0.9))
        assert panel.get_title(loc="left") == part.name
    assert len({panel.figure for panel in panels}) == 1
    titled = process_parts(at, parts, titles=["a line", "the rest"], axes=plt.figure().subplots(2))
    assert [panel.get_title(loc="left") for panel in titled] == ["a line", "the rest"]
