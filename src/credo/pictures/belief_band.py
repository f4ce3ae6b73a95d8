"""A belief along a column: its mean, the band it is sure of, and the data it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import Belief
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.pictures.canvas import COLOURS, INK, axes_for, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["belief_band"]

MANY = 150  # data, from which on they are drawn as small dots


def belief_band(
    at: ArrayLike,
    belief: Belief,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
) -> Axes:
    """What is believed at each of the places ``at``: the mean, and a band that holds the value with ``level``.

    ``belief`` is the ``predictive`` of any model that predicts numbers, one law for each place. The data, if they are
    given, are drawn at ``x`` and ``y``.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> x, y, at = np.array([0.0, 1.0, 2.5]), np.array([0.2, 0.9, 0.4]), np.linspace(-1, 4, 50)
    >>> process = Process(SE(1.0)).given(x[:, None], y, noise=0.1)
    >>> ax = belief_band(at, process.predictive(at[:, None]), x, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['holds 95%', 'mean', 'data']
    """
    places = checks.floats("at", at, ndim=1)
    level = checks.level("level", level)
    if (x is None) != (y is None):
        raise InvalidInput("x and y are given both, or neither: the data are drawn at x, as high as y")
    ax = axes_for(ax)
    band(ax, places, belief, level, COLOURS[0])
    if x is not None and y is not None:
        across, up = checks.floats("x", x, ndim=1), checks.floats("y", y, ndim=1)
        checks.rows_match("x", len(across), "y", len(up))
        size, edge = (2.0, 0.0) if len(across) > MANY else (4.0, 0.5)
        ax.plot(across, up, "o", color=INK, markersize=size, mec="white", mew=edge, zorder=3, label="data")
    ax.set(xlabel="x", ylabel="y", xlim=(places.min(), places.max()))
    legend_above(ax)
    return ax


def band(ax: Axes, places: Floats, belief: Belief, level: float, colour: str) -> None:
    """Draw the mean and the band, from the left to the right."""
    checks.rows_match("at", len(places), "the belief", len(belief))
    order = np.argsort(places)
    low, high = belief.interval(level)
    mean = np.asarray(belief.mean)
    # (a line at each edge, so that a band stays to be seen where it is narrower than the mean is thick)
    ax.fill_between(
        places[order], low[order], high[order], color=colour, alpha=0.22, linewidth=0.6, label=f"holds {level:.0%}"
    )
    ax.plot(places[order], mean[order], color=colour, linewidth=1.4, label="mean")
