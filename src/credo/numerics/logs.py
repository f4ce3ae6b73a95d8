"""Sums of numbers that are kept as logarithms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from credo import native
from credo.checks import Floats, shown
from credo.errors import BadParameter, BadShape, InvalidInput

__all__ = ["log_normalise", "log_sum_exp"]


def log_sum_exp(a: ArrayLike, axis: int | None = None) -> Floats:
    """``log Σ exp(a)`` along ``axis`` (over everything when that is None), without overflow; of nothing, −∞.

    >>> float(log_sum_exp([-1000.0, -1000.0]))
    -999.306...
    """
    logs = _logs(a)
    if axis is None:
        return native.log_sum_exp(logs.reshape(-1), 0)
    return native.log_sum_exp(logs, axis)


def log_normalise(a: ArrayLike, axis: int = -1) -> tuple[Floats, Floats]:
    """Logarithms of weights as logarithms of probabilities, and the logarithm of what they were divided by.

    ``log p = a − log Z`` with ``log Z = log Σ exp(a)`` along ``axis``. Where all weights are zero there is nothing to
    normalise: log Z is −∞ and log p stays −∞, for the caller to refuse or to allow.

    >>> log_p, log_total = log_normalise(np.log([2.0, 6.0]))
    >>> np.exp(log_p), float(np.exp(log_total))
    (array([0.25, 0.75]), 8.0...)
    """
    logs = _logs(a)
    if logs.ndim == 0:
        raise BadShape(f"a must have at least one axis to sum along; got the single number {shown(a)}")
    total = native.log_sum_exp(logs, axis)
    shifted = logs - _column(total, axis)
    # When the logs are huge, log Z has few digits after the point: what its rounding left over is taken out as well.
    rest = native.log_sum_exp(shifted, axis)
    shifted -= _column(rest, axis)
    return shifted, total + rest


def _column(total: Floats, axis: int) -> Floats:
    """``total`` to be subtracted along ``axis``; nothing where there is nothing to normalise."""
    return np.expand_dims(np.where(total == -math.inf, 0.0, total), axis)


def _logs(a: ArrayLike) -> Floats:
    # Unlike other numbers, logarithms may be minus infinity; that is the logarithm of an ordinary zero.
    try:
        logs = np.asarray(a, dtype=np.float64)
    except (TypeError, ValueError) as cause:
        raise InvalidInput(f"a must be numbers; got {shown(a)} ({cause})") from None
    if not (logs < math.inf).all():
        raise BadParameter("a must hold logarithms below infinity; it has NaN or +inf")
    return logs
