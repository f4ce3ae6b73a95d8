"""Lines that are probable given the data, and how few are left as data arrive."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput
from credo.pictures.canvas import COLOURS, INK, axes_for, between, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["narrowing_lines", "posterior_lines"]

FINE = 200  # points along a line


def posterior_lines(
    model: Any,
    x: ArrayLike,
    y: ArrayLike,
    *,
    ax: Axes | None = None,
    lines: int = 20,
    level: float = 0.95,
    reach: tuple[float, float] | None = None,
    rng: Any = 0,
) -> Axes:
    """A fitted ``BayesianRegression`` of one column: its mean, ``lines`` drawn from its posterior, and the data.

    The band holds the line at each place with probability ``level``. ``reach`` is from where to where lines are drawn;
    by default a little further than the data.

    >>> from credo.linear import BayesianRegression
    >>> x, y = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.1, 0.9, 2.2, 2.8])
    >>> ax = posterior_lines(BayesianRegression().fit(x[:, None], y), x, y, lines=5)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['95% of the lines', 'mean', 'data']
    """
    places, targets = _data(x, y)
    lines, level = checks.count("lines", lines), checks.level("level", level)
    generator = checks.generator(rng)
    grid = np.linspace(*(between(places, margin=0.15) if reach is None else reach), FINE)
    ax = axes_for(ax)
    belief = model.predictive(grid[:, None], noise=False)
    low, high = belief.interval(level)
    ax.fill_between(grid, low, high, color=COLOURS[0], alpha=0.18, linewidth=0, label=f"{level:.0%} of the lines")
    for line in _drawn(model, grid, lines, generator):
        ax.plot(grid, line, color=COLOURS[0], alpha=0.35, linewidth=0.8)
    ax.plot(grid, belief.mean, color=COLOURS[0], linewidth=2.0, label="mean")
    ax.plot(places, targets, "o", color=INK, markersize=4, markeredgecolor="white", markeredgewidth=0.5, label="data")
    ax.set(xlabel="x", ylabel="y", xlim=(grid[0], grid[-1]))
    legend_above(ax)
    return ax


def narrowing_lines(
    model: Any,
    x: ArrayLike,
    y: ArrayLike,
    *,
    counts: Sequence[int] = (1, 3, 10, 30),
    axes: Sequence[Axes] | None = None,
    lines: int = 20,
    rng: Any = 0,
) -> list[Axes]:
    """The posterior over lines after the first of the data, and after more and more of them: a panel for each count.

    ``model`` is an unfitted ``BayesianRegression``; give it ``alpha`` and ``beta``, for one or two points are not
    enough to learn them from.

    >>> from credo.linear import BayesianRegression
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-1, 1, 30)
    >>> y = 0.5 * x - 0.3 + rng.normal(0, 0.2, 30)
    >>> axes = narrowing_lines(BayesianRegression(alpha=2, beta=25), x, y, counts=(2, 30))
    >>> [ax.get_title() for ax in axes]
    ['2 points', '30 points']
    """
    places, targets = _data(x, y)
    counts = [checks.count("counts", n, least=1, most=len(places)) for n in counts]
    panels = _panels(len(counts)) if axes is None else list(axes)
    if len(panels) != len(counts):
        raise BadParameter(f"axes must be one for each of the {len(counts)} counts; got {len(panels)}")
    generator = checks.generator(rng)
    for n, panel in zip(counts, panels, strict=True):
        fitted = clone(model).fit(places[:n, None], targets[:n])
        reach = between(places, margin=0.05)
        posterior_lines(fitted, places[:n], targets[:n], ax=panel, lines=lines, reach=reach, rng=generator)
        legend = panel.get_legend()
        if legend is not None:  # what the marks mean is said once, by the caption
            legend.remove()
        panel.set_title(f"{n} point{'' if n == 1 else 's'}", fontsize="medium")
        low, high = between(targets, margin=0.35)
        panel.set_ylim(low, high)
    for panel in panels[1:]:
        panel.set_ylabel("")
        panel.tick_params(labelleft=False)
    return panels


def _drawn(model: Any, grid: Floats, lines: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Lines whose weights are drawn from the posterior: the model itself with other weights."""
    drawn = []
    for weight in model.posterior_.sample(lines, rng) if lines else ():
        other = copy.copy(model)
        d = len(model.coef_)
        other.coef_, other.intercept_ = weight[:d], float(weight[d]) if model.fit_intercept else 0.0
        drawn.append(other.predict(grid[:, None]))
    return np.array(drawn)


def _panels(n: int) -> list[Axes]:
    first = axes_for(None, size=(min(2.6 * n, 10.4), 2.8))
    figure = first.figure
    first.remove()
    made = figure.subplots(1, n, sharey=True, squeeze=False)[0]
    return [axes_for(ax) for ax in made]


def _data(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    places, targets = checks.floats("x", x), checks.floats("y", y, ndim=1)
    if places.ndim == 2 and places.shape[1] == 1:
        places = places[:, 0]
    if places.ndim != 1 or not len(places):
        raise InvalidInput(f"x must be one column with at least one row, to be drawn along; got shape {places.shape}")
    checks.rows_match("x", len(places), "y", len(targets))
    return places, targets
