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
    # The largest is taken out first: log Z alone keeps no digits of the differences when all the logs are huge.
    peak = logs.max(axis=axis, keepdims=True, initial=-math.inf)
    shifted = logs - np.where(peak == -math.inf, 0.0, peak)
    rest = native.log_sum_exp(shifted, axis)
    shifted -= np.expand_dims(np.where(rest == -math.inf, 0.0, rest), axis)
    return shifted, rest + np.squeeze(peak, axis)


def _logs(a: ArrayLike) -> Floats:
    # Unlike other numbers, logarithms may be minus infinity; that is the logarithm of an ordinary zero.
    try:
        logs = np.asarray(a, dtype=np.float64)
    except (TypeError, ValueError) as cause:
        raise InvalidInput(f"a must be numbers; got {shown(a)} ({cause})") from None
    if not (logs < math.inf).all():
        raise BadParameter("a must hold logarithms below infinity; it has NaN or +inf")
    return logs
