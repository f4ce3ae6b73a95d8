"""The steps of iteratively reweighted least squares: over the hill they climb, and how far below its top each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.pictures.canvas import COLOURS, INK, QUIET, axes_for, between, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["irls_path", "irls_trace"]

FINE = 120  # points along each side of the hill
STEPS, ROUNDING = 30, 1e-9  # at most so many; one that gains less nats is the last
LEVELS = (0.1, 0.5, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0)  # nats below the top


def irls_trace(model: Any, *, ax: Axes | None = None) -> Axes:
    """How far below the top each step of a fitted ``LogisticRegression`` was, on a logarithmic axis.

    Newton's steps bend downwards: near the top each doubles the number of right digits. Where the model has learnt
    ``alpha``, its trace is of that; fit it anew with the ``alpha_`` that was found.

    >>> from credo.linear import LogisticRegression
    >>> model = LogisticRegression(alpha=1.0).fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> irls_trace(model).get_ylabel()
    'nats below the top'
    """
    if model.alpha is None:
        raise InvalidInput("the trace of a model with alpha=None is of learning alpha. Fit it with alpha=model.alpha_")
    ax = axes_for(ax)
    from matplotlib.ticker import MaxNLocator

    trace = np.asarray(model.trace_, dtype=np.float64)
    below = trace[-1] - trace
    steps = np.flatnonzero(below > 0)
    ax.semilogy(steps, below[steps], color=COLOURS[0], marker="o", markersize=5, linewidth=1.4)
    ax.set(xlabel="step", ylabel="nats below the top")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return ax


def irls_path(model: Any, X: ArrayLike, y: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """The weights after each step, from nought to the top of the hill, for a model that has two weights.

    ``model`` is a ``LogisticRegression`` fitted to the rows ``X`` of two classes ``y``: of one column and an intercept,
    or of two columns without. The hill is the log posterior under the prior precision of the model, or the log
    likelihood where that is zero; its contours are labelled in nats below the top.

    >>> from credo.linear import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
    >>> ax = irls_path(LogisticRegression(alpha=1.0).fit(X, y), X, y)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('intercept', 'weight of the column')
    """
    rows, labels = checks.floats("X", X, ndim=2), np.asarray(y)
    checks.rows_match("X", len(rows), "y", len(labels))
    if len(model.classes_) != 2 or rows.shape[1] + bool(model.fit_intercept) != 2:
        raise InvalidInput(
            f"the hill is drawn over two weights; this model has {len(model.classes_)} classes, {rows.shape[1]} "
            f"columns and {'an' if model.fit_intercept else 'no'} intercept. irls_trace shows the steps of any model"
        )
    columns = np.column_stack([np.ones(len(rows)), rows]) if model.fit_intercept else rows
    signs = np.where(labels == model.classes_[1], model.slope, -model.slope)
    shrunk = np.array([0.0 if model.fit_intercept else 1.0, 1.0]) * model.alpha_
    path = _climbed(columns, signs, shrunk)
    ax = axes_for(ax)
    across, up = (np.linspace(*between(path[:, j], margin=0.45), FINE) for j in (0, 1))
    plane = np.column_stack([a.ravel() for a in np.meshgrid(across, up)])
    hill = _height(plane, columns, signs, shrunk)
    below = (_height(path[-1:], columns, signs, shrunk)[0] - hill).reshape(FINE, FINE)
    drawn = ax.contour(across, up, below, levels=LEVELS, colors=QUIET, linewidths=0.8)
    ax.clabel(drawn, fmt="%g", fontsize="x-small")
    ax.plot([], [], color=QUIET, linewidth=0.8, label="nats below the top")
    ax.plot(path[:, 0], path[:, 1], color=COLOURS[0], marker="o", markersize=5, linewidth=1.6, label="steps", zorder=3)
    ax.plot(*path[-1], marker="*", markersize=14, color=COLOURS[4], markeredgecolor="white", linestyle="", zorder=4)
    for step, place in enumerate(path[:-1]):
        if step < 4:  # further on the steps lie on top of each other
            ax.annotate(str(step), place, xytext=(7, -9), textcoords="offset points", fontsize="small", color=INK)
    names = (
        ("intercept", "weight of the column") if model.fit_intercept else ("weight of column 0", "weight of column 1")
    )
    ax.set(xlabel=names[0], ylabel=names[1])
    legend_above(ax)
    return ax


def _climbed(columns: Floats, signs: Floats, shrunk: Floats) -> Floats:
    """The weights at the start and after each of Newton's steps; one that goes down is halved until it does not."""
    path = [np.zeros(2)]
    for _ in range(STEPS):
        here = path[-1]
        wrong = 1 / (1 + np.exp(signs * (columns @ here)))  # the probability of the other class
        slope = columns.T @ (signs * wrong) - shrunk * here
        curvature = (columns.T * (signs**2 * wrong * (1 - wrong))) @ columns + np.diag(shrunk)
        step, height = np.linalg.solve(curvature, slope), _height(here[None], columns, signs, shrunk)[0]
        while (gain := _height((here + step)[None], columns, signs, shrunk)[0] - height) < -ROUNDING:
            step = step / 2
        path.append(here + step)
        if gain < ROUNDING:
            break
    return np.array(path)


def _height(weights: Floats, columns: Floats, signs: Floats, shrunk: Floats) -> Floats:
    """The log likelihood of each pair of weights, and the log of their prior but for a constant."""
    sides = weights @ columns.T * signs
    return np.asarray(-np.logaddexp(0.0, -sides).sum(axis=1) - (weights**2 @ shrunk) / 2)
