"""The evidence of models of growing order: a hill, or with a prior for each weight a plain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credo.pictures.canvas import COLOURS, MARKS, axes_for, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["occams_hill"]


def occams_hill(result: Any, *, ax: Axes | None = None, label: str | None = None) -> Axes:
    """The log evidence of each order, the best order ringed, from what ``linear.evidence_by_order`` returns.

    Drawn once more on the same axes, another result has another colour and mark; ``label`` says in the legend what it
    is.

    >>> from types import SimpleNamespace
    >>> found = SimpleNamespace(orders=[0, 1, 2], log_evidence=np.array([-9.0, -3.0, -4.0]), best=1)
    >>> ax = occams_hill(found)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('order', 'log evidence (nats)')
    """
    ax = axes_for(ax)
    from matplotlib.ticker import MaxNLocator

    orders, values = np.asarray(result.orders), np.asarray(result.log_evidence)
    place = sum(line.get_gid() == "orders" for line in ax.lines)
    colour, mark = COLOURS[place % len(COLOURS)], MARKS[place % len(MARKS)]
    told = None if label is None else f"{label} (best: {result.best})"
    ax.plot(orders, values, color=colour, marker=mark, markersize=5, linewidth=1.4, label=told, gid="orders")
    best = float(values[orders == result.best][0])
    ax.plot(
        [result.best], [best], marker=mark, markersize=12, markerfacecolor="none", markeredgecolor=colour, linestyle=""
    )
    ax.set(xlabel="order", ylabel="log evidence (nats)")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.margins(y=0.12)
    if label is not None:
        legend_above(ax)
    return ax
