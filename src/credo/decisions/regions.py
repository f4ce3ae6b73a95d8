"""Which action is best for which probability, where there are two states."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from credo.checks import Floats
from credo.decisions.labels import Labels

__all__ = ["Region", "regions"]

# Where two crossings lie closer than this, no action is best in between that is worth telling apart.
WIDTH = 1e-12


@dataclass(frozen=True, slots=True)
class Region:
    """The probabilities of the positive state, from ``low`` to ``high``, for which ``action`` is best.

    >>> from credo.decisions import Loss
    >>> Loss.zero_one(["no", "yes"]).regions()[1]
    Region(action='yes', low=0.5, high=1.0)
    """

    action: Hashable
    low: float
    high: float


def regions(matrix: Floats, actions: Labels, up: int) -> tuple[Region, ...]:
    """The best actions along the probability of state ``up``, which are the lowest of the lines that the rows draw.

    >>> regions(np.array([[0.0, 1.0], [1.0, 0.0]]), ("no", "yes"), 1)
    (Region(action='no', low=0.0, high=0.5), Region(action='yes', low=0.5, high=1.0))
    """
    at_zero = matrix[:, 1 - up]
    slope = matrix[:, up] - at_zero
    found: list[Region] = []
    cuts = _crossings(at_zero, slope)
    for low, high in zip(cuts, [*cuts[1:], 1.0], strict=True):
        action = actions[int((at_zero + slope * (low + high) / 2).argmin())]
        if found and found[-1].action == action:
            low = found.pop().low
        found.append(Region(action, low, high))
    return tuple(found)


def _crossings(at_zero: Floats, slope: Floats) -> list[float]:
    """Zero, and where any two of the lines cross between zero and one."""
    fall, steeper = at_zero[:, None] - at_zero, slope - slope[:, None]
    meet = np.unique(np.divide(fall, steeper, out=np.zeros_like(fall), where=steeper != 0))
    cuts = [0.0]
    for cut in meet[(meet > 0) & (meet < 1 - WIDTH)].tolist():
        if cut - cuts[-1] > WIDTH:
            cuts.append(cut)
    return cuts
