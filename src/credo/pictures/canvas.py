"""What every picture is drawn on: axes, colours for the colour blind too, and marks that survive a grey printer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "INK", "MARKS", "QUIET", "axes_for", "between", "legend_above", "tinted"]

# Okabe and Ito's colours, the first three furthest apart for those who do not see red and green as others do.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
INK, QUIET = "#222222", "#767676"

SIZE = (5.2, 3.9)  # inches: one column of a paper, with text that can be read there


def axes_for(ax: Axes | None, *, size: tuple[float, float] = SIZE) -> Axes:
    """``ax``, or axes of a new figure; without a frame where there is nothing to read."""
    try:
        from matplotlib import pyplot as plt
        from matplotlib.axes import Axes as Given
    except ImportError:
        raise InvalidInput(
            "pictures need matplotlib, which is not installed: pip install 'credo-bayes[plot]'"
        ) from None
    if ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    elif not isinstance(ax, Given):
        raise InvalidInput(f"ax must be the axes of a matplotlib figure; got {checks.shown(ax)}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def tinted(colour: str, share: float) -> Floats:
    """The colour as red, green and blue, mixed with white: 0 is white, 1 the colour itself."""
    from matplotlib.colors import to_rgb

    return np.asarray(1 - share * (1 - np.array(to_rgb(colour))))


def between(values: Floats, *, margin: float = 0.08) -> tuple[float, float]:
    """The range of ``values`` with a margin on both sides.

    >>> between(np.array([0.0, 10.0]), margin=0.1)
    (-1.0, 11.0)
    """
    low, high = float(values.min()), float(values.max())
    room = margin * (high - low) or 1.0
    return low - room, high + room


def legend_above(ax: Axes) -> None:
    """What the marks mean, in a line above the picture, where it hides nothing."""
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize="small", borderaxespad=0.2)
