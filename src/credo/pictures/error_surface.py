"""The error of a machine over a grid of its two settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credo import checks
from credo.errors import BadShape
from credo.pictures.canvas import INK, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["error_surface"]


def error_surface(grid: Any, *, ax: Axes | None = None) -> Axes:
    """The error by C and σ², from what ``svm.grid`` returns, with the best pair marked.

    ``grid`` has the values ``C`` and ``variance``, the ``error`` of each pair (a row for each C), the ``best`` pair.

    >>> from types import SimpleNamespace
    >>> error = np.array([[0.4, 0.3, 0.4], [0.3, 0.1, 0.35]])
    >>> found = SimpleNamespace(C=[1.0, 10.0], variance=[0.1, 1.0, 10.0], error=error, best=(10.0, 1.0))
    >>> ax = error_surface(found)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('variance of the kernel, σ²', 'cost of a violation, C')
    """
    costs, variances = checks.positive("C", grid.C, ndim=1), checks.positive("variance", grid.variance, ndim=1)
    error = checks.floats("error", grid.error, ndim=2)
    if error.shape != (len(costs), len(variances)):
        raise BadShape(f"error must have a row for each C and a column for each variance; got shape {error.shape}")
    ax = axes_for(ax)
    # Cells, not smooth contours: nothing is known between the pairs that were tried.
    drawn = ax.pcolormesh(_edges(variances), _edges(costs), error, cmap="cividis_r", shading="flat")
    ax.set(xscale="log", yscale="log", xlabel="variance of the kernel, σ²", ylabel="cost of a violation, C")
    cost, variance = grid.best
    at = (int(np.argmin(np.abs(costs - cost))), int(np.argmin(np.abs(variances - variance))))
    ax.plot([variance], [cost], marker="*", markersize=15, color="white", markeredgecolor=INK, linestyle="")
    bar = ax.figure.colorbar(drawn, ax=ax, pad=0.02)
    bar.set_label("error")
    bar.outline.set_visible(False)
    ax.set_title(f"least error {error[at]:.3g}, at C = {cost:.3g} and σ² = {variance:.3g}", fontsize="medium")
    return ax


def _edges(values: np.ndarray) -> np.ndarray:
    """Between neighbours half way along a logarithmic axis, and as far beyond the ends."""
    logs = np.log(values)
    steps = np.diff(logs) if len(logs) > 1 else np.array([1.0])
    middle = logs[:-1] + steps / 2 if len(logs) > 1 else np.empty(0)
    return np.asarray(np.exp(np.concatenate([[logs[0] - steps[0] / 2], middle, [logs[-1] + steps[-1] / 2]])))
