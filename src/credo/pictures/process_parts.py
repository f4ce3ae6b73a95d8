"""The parts that a Gaussian process is the sum of, each in a panel of its own."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from credo import checks
from credo.errors import BadParameter
from credo.gp import Component
from credo.pictures.belief_band import band
from credo.pictures.canvas import COLOURS, QUIET, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["process_parts"]

WIDTH, HEIGHT = 6.4, 1.55  # inches, of a panel
LONGEST = 70  # letters of a title


def process_parts(
    at: ArrayLike,
    parts: Sequence[Component],
    *,
    titles: Sequence[str] | None = None,
    axes: Sequence[Axes] | None = None,
    level: float = 0.95,
) -> list[Axes]:
    """What ``decompose`` told apart, at the places ``at``: a panel for each part, one below the other.

    ``titles`` says what the parts are; without it each has the text of its kernel. A part is a departure from the mean,
    and zero is drawn as a line. Each panel has a scale of its own.

    >>> import numpy as np
    >>> from credo.gp import Process
    >>> from credo.kernels import SE, Linear
    >>> at = np.linspace(0, 4, 30)
    >>> process = Process(Linear(1.0) + SE(0.5)).given([[0.0], [1.0], [3.0]], [0.1, 1.3, 2.9], noise=0.1)
    >>> panels = process_parts(at, process.decompose(at[:, None]), titles=["a line", "what departs from it"])
    >>> [ax.get_title(loc="left") for ax in panels]
    ['a line', 'what departs from it']
    """
    places = checks.floats("at", at, ndim=1)
    level = checks.level("level", level)
    parts = list(parts)
    names = [shorten(part.name, LONGEST, placeholder=" …") for part in parts] if titles is None else list(titles)
    if not parts or len(names) != len(parts):
        raise BadParameter(f"titles must be one for each part, of which there are {len(parts)}; got {len(names)}")
    panels = _panels(len(parts)) if axes is None else [axes_for(ax) for ax in axes]
    if len(panels) != len(parts):
        raise BadParameter(f"axes must be one for each of the {len(parts)} parts; got {len(panels)}")
    for i, (part, name, panel) in enumerate(zip(parts, names, panels, strict=True)):
        panel.axhline(0, color=QUIET, linewidth=0.6)
        band(panel, places, part.belief, level, COLOURS[i % 3])
        panel.set_xlim(places.min(), places.max())
        panel.set_title(name, loc="left", fontsize="medium")
    panels[-1].set_xlabel("x")
    return panels


def _panels(n: int) -> list[Axes]:
    first = axes_for(None, size=(WIDTH, HEIGHT * n + 0.3))
    figure = first.figure
    first.remove()
    return [axes_for(ax) for ax in figure.subplots(n, 1, sharex=True, squeeze=False)[:, 0]]
