"""The twin of the loop that solves the dual of a support vector machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats

__all__ = ["smo"]


def smo(
    K: NDArray[Any], beta: Floats, slack: Floats, low: Floats, high: Floats, tolerance: float, steps: int
) -> tuple[Floats, Floats, int, float]:
    """β and the slack after steps along pairs of rows, how many, and how far the worst pair is from the optimum."""
    beta, slack = beta.copy(), slack.copy()
    diagonal = np.diagonal(K).astype(np.float64)
    taken = 0
    while True:
        may_rise, may_fall = beta < high, beta > low
        if not may_rise.any() or not may_fall.any():
            return beta, slack, taken, 0.0
        i = int(np.where(may_rise, slack, -np.inf).argmax())
        gap = float(slack[i] - slack[may_fall].min())
        if not gap > tolerance or taken >= steps:
            return beta, slack, taken, gap
        rise = np.where(may_fall, np.maximum(slack[i] - slack, 0.0), 0.0)
        both = diagonal[i] + diagonal
        gain = rise**2 / np.maximum(np.maximum(both - 2.0 * K[i], 1e-6 * both), 1e-30)
        j = int(gain.argmax())
        if not gain[j] > 0:
            return beta, slack, taken, gap
        bend = max(float(both[j] - 2.0 * K[i, j]), 1e-12 * float(both[j]), float(np.finfo(np.float64).tiny))
        room, fall = high[i] - beta[i], beta[j] - low[j]
        step = min(float(rise[j]) / bend, room, fall)
        beta[i] = high[i] if step == room else beta[i] + step
        beta[j] = low[j] if step == fall else beta[j] - step
        slack -= step * (K[i].astype(np.float64) - K[j])
        taken += 1
