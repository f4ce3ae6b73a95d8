"""Splits that learn from the past and judge on what came later."""

from __future__ import annotations

import datetime as dt
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.errors import BadParameter, InvalidInput
from credo.evaluation.splits import Split

__all__ = ["time_ordered"]


def time_ordered(times: int | ArrayLike, k: int, *, gap: Any = 0, window: Any = None) -> tuple[Split, ...]:
    """``k`` splits, each of which learns from what came before it and judges on the next stretch of time.

    ``times`` is the time of each row (numbers or dates), or the number of rows where they stand in order of time. The
    rows are cut into ``k + 1`` stretches of about equal size, all but the first of which judge; rows of the same time
    share a stretch. Training rows come before the stretch by more than ``gap``, and where there is a ``window`` by no
    more than ``gap + window``; both in the units of ``times`` (rows, where ``times`` is a number of rows).

    >>> for train, test in time_ordered(8, 3):
    ...     print(train, test)
    [0 1] [2 3]
    [0 1 2 3] [4 5]
    [0 1 2 3 4 5] [6 7]
    >>> for train, test in time_ordered(8, 3, gap=1, window=2):
    ...     print(train, test)
    [0] [2 3]
    [1 2] [4 5]
    [3 4] [6 7]
    """
    held = _times(times)
    k = checks.count("folds", k, least=1)
    apart = _span("gap", gap, held)
    distinct, where, counts = np.unique(held, return_inverse=True, return_counts=True)
    if len(distinct) < k + 1:
        raise BadParameter(
            f"folds must be fewer than the different times; got {k} folds and {len(distinct)} different times"
        )
    starts = _starts(counts, k)
    splits = []
    for begin, end in zip(starts, [*starts[1:], len(distinct)], strict=True):
        age = distinct[begin] - held
        known = age > apart
        if window is not None:
            known &= age <= apart + _span("window", window, held)
        if not known.any():
            raise BadParameter(
                f"gap and window must leave rows to learn from; before {distinct[begin]} there are none that came more "
                f"than {checks.shown(gap)} before. Take a smaller gap, fewer folds, or a wider window"
            )
        splits.append(Split(np.flatnonzero(known), np.flatnonzero((where >= begin) & (where < end))))
    return tuple(splits)


def _starts(counts: NDArray[np.intp], k: int) -> list[int]:
    """The distinct time at which each of the ``k`` judging stretches begins: as near to even sizes as ties allow."""
    rows_before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    starts: list[int] = []
    for i in range(1, k + 1):
        near = int(np.argmin(np.abs(rows_before - i * counts.sum() / (k + 1))))
        starts.append(min(max(near, starts[-1] + 1 if starts else 1), len(counts) - 1 - k + i))
    return starts


def _times(times: int | ArrayLike) -> NDArray[Any]:
    """The time of each row, as float64 or as dates."""
    try:
        return np.arange(operator.index(times))  # type: ignore[arg-type]
    except TypeError:
        held = np.asarray(times)
    if held.dtype == object and all(isinstance(time, dt.date) for time in held.ravel().tolist()):
        held = held.astype("datetime64[us]")
    if held.dtype.kind != "M":
        return checks.floats("times", held, ndim=1)
    if held.ndim != 1 or np.isnat(held).any():
        raise InvalidInput("times must be one date a row, none of them missing. Leave rows without a date out")
    return held.astype("datetime64[us]")  # months have no length that days could be compared with


def _span(name: str, value: Any, times: NDArray[Any]) -> Any:
    """``value`` as a span of time in the units of ``times``."""
    if times.dtype.kind != "M":
        return float(checks.positive(name, value, zero=name == "gap", ndim=0))
    if isinstance(value, (dt.timedelta, np.timedelta64)) or (name == "gap" and value == 0):
        span = np.timedelta64(value)
        if span >= np.timedelta64(0) and (span or name == "gap"):
            return span
    raise BadParameter(
        f"{name} must be a span of time where times are dates; got {checks.shown(value)}. "
        "Give a datetime.timedelta or a numpy.timedelta64 above zero"
    )
