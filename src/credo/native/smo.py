"""The border of the loop behind support vector machines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.native.border import typed
from credo.native.chosen import loops

__all__ = ["smo"]

UNBOUNDED = 1e290  # what stands for an infinite bound in a loop that knows no infinity


def smo(
    K: NDArray[Any], beta: Floats, slack: Floats, low: Floats, high: Floats, *, tolerance: float, steps: int
) -> tuple[Floats, Floats, int, float]:
    """Steps towards the least of ``½ βᵀKβ − yᵀβ`` with Σβ as it is and low ≤ β ≤ high; the slack is ``y − Kβ``.

    Each step moves the coefficient with the largest slack that may rise and the one among those that may fall with
    which this gains most, by the second order. Returned are β and the slack where no pair violates the conditions of
    the optimum by more than ``tolerance``, or after ``steps``; the steps taken; and the violation. ``K`` is symmetric,
    of float64 or float32; where it is not finite, neither is what is returned.

    >>> K, y = np.eye(2), np.array([1.0, -1.0])
    >>> smo(K, np.zeros(2), y, np.array([0.0, -5.0]), np.array([5.0, 0.0]), tolerance=1e-9, steps=100)
    (array([ 1., -1.]), array([0., 0.]), 1, 0.0)
    """
    K = typed("K", K, np.float32 if isinstance(K, np.ndarray) and K.dtype == np.float32 else np.float64, 2)
    vectors = {"beta": beta, "slack": slack, "low": low, "high": high}
    held = [typed(name, vector, np.float64, 1) for name, vector in vectors.items()]
    for name, vector in zip(vectors, held, strict=True):
        checks.rows_match("K", len(K), name, len(vector))
    checks.rows_match("K", len(K), "the columns of K", K.shape[1])
    tolerance = float(checks.positive("tolerance", tolerance, zero=True, ndim=0))
    beta, slack, low, high = held
    low, high = np.maximum(low, -UNBOUNDED), np.minimum(high, UNBOUNDED)
    return loops.smo(K, beta, slack, low, high, tolerance, checks.count("steps", steps))
