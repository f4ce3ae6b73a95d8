"""Lines drawn from a posterior, and how they close in."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.linear import BayesianRegression
from credo.pictures import narrowing_lines, posterior_lines


def data(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, n)
    return x, 0.5 * x - 0.3 + rng.normal(0, 0.2, n)


def band(ax) -> np.ndarray:
    """Low and high edges of the band along the line."""
    vertices = ax.collections[0].get_paths()[0].vertices
    n = (len(vertices) - 3) // 2
    return np.array([vertices[1 : n + 1, 1], vertices[n + 2 : 2 * n + 2, 1][::-1]])


@pytest.mark.parametrize("intercept", [True, False])
def test_the_mean_the_band_and_the_lines(intercept: bool) -> None:
    x, y = data()
    model = BayesianRegression(fit_intercept=intercept).fit(x[:, None], y)
    ax = posterior_lines(model, x, y, lines=400)
    *drawn, mean, points = ax.lines
    grid = mean.get_xdata()
    np.testing.assert_allclose(mean.get_ydata(), model.predict(grid[:, None]))
    np.testing.assert_allclose(points.get_xydata(), np.column_stack([x, y]))
    heights = np.array([line.get_ydata() for line in drawn])
    belief = model.predictive(grid[:, None], noise=False)
    np.testing.assert_allclose(heights.mean(axis=0), belief.mean, atol=0.25 * belief.sd.max())
    np.testing.assert_allclose(heights.std(axis=0), belief.sd, rtol=0.15)
    low, high = belief.interval(0.95)
    np.testing.assert_allclose(band(ax), [low, high])
    assert ((heights > low) & (heights < high)).mean() == pytest.approx(0.95, abs=0.03)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")


def test_more_data_leave_fewer_lines() -> None:
    x, y = data()
    panels = narrowing_lines(BayesianRegression(alpha=2.0, beta=25.0), x, y, counts=(1, 5, 40))
    assert [ax.get_title() for ax in panels] == ["1 point", "5 points", "40 points"]
    widths = [np.diff(band(ax), axis=0).mean() for ax in panels]
    assert widths[0] > 1.5 * widths[1] > 2 * widths[2]
    assert len({ax.get_ylim() for ax in panels}) == 1
    assert [len(ax.lines[-1].get_xdata()) for ax in panels] == [1, 5, 40]
    assert len({ax.figure for ax in panels}) == 1


def test_the_same_seed_draws_the_same_lines() -> None:
    x, y = data()
    model = BayesianRegression().fit(x[:, None], y)
    once, again, other = (posterior_lines(model, x, y, rng=seed).lines[0].get_ydata() for seed in (1, 1, 2))
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(once, other)


def test_on_axes_of_ones_own() -> None:
    x, y = data()
    _, axes = plt.subplots(1, 2)
    assert narrowing_lines(BayesianRegression(), x, y, counts=(10, 20), axes=axes, lines=0) == list(axes)
    assert len(axes[0].lines) == 2  # the mean and the points


def test_refused() -> None:
    x, y = data()
    model = BayesianRegression().fit(x[:, None], y)
    with pytest.raises(BadShape):
        posterior_lines(model, x, y[1:])
    with pytest.raises(InvalidInput, match="one column"):
        posterior_lines(model, np.ones((3, 2)), [1, 2, 3])
    with pytest.raises(BadParameter, match="level"):
        posterior_lines(model, x, y, level=95)
    with pytest.raises(BadParameter, match="counts"):
        narrowing_lines(BayesianRegression(), x, y, counts=(1, 41))
    with pytest.raises(BadParameter, match="one for each of the 2"):
        narrowing_lines(BayesianRegression(), x, y, counts=(3, 4), axes=plt.subplots(1, 3)[1])
