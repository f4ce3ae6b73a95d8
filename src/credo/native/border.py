"""The border: every shape, type and size is checked here, once, before a loop or its twin sees the arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, TooLarge
from credo.native.chosen import loops

__all__ = ["contingency", "gaussian_log_joint", "grouped_moments", "log_sum_exp"]

CELL_LIMIT = 2**27  # cells of a contingency table: one gigabyte
MOMENT_LIMIT = 2**24  # groups × columns: the parts and the answer together take about as much

Codes = NDArray[np.int32]


def contingency(columns: Sequence[Codes], sizes: Sequence[int], weights: Floats | None = None) -> NDArray[Any]:
    """How often each combination of codes occurs: in ``table[a, b]`` rows, the first column is ``a``, the second ``b``.

    Codes run from 0 to ``sizes[i] - 1``; a row with a missing code (−1) is left out. Counts are int64; with ``weights``
    each cell is the float64 sum of its rows' weights.

    >>> sex, smokes = np.array([0, 0, 1, 1], dtype=np.int32), np.array([0, 1, 1, -1], dtype=np.int32)
    >>> contingency([sex, smokes], [2, 2])
    array([[1, 1],
           [0, 1]])
    """
    columns = [typed(f"columns[{i}]", column, np.int32, 1) for i, column in enumerate(columns)]
    sizes = [checks.count(f"sizes[{i}]", size, most=CELL_LIMIT) for i, size in enumerate(sizes)]
    if len(columns) != len(sizes) or not columns:
        raise BadShape(f"columns and sizes must be lists of the same length; got {len(columns)} and {len(sizes)}")
    for i, column in enumerate(columns):
        checks.rows_match("columns[0]", len(columns[0]), f"columns[{i}]", len(column))
    if weights is not None:
        weights = np.ascontiguousarray(checks.floats("weights", weights, ndim=1))
        checks.rows_match("columns", len(columns[0]), "weights", len(weights))
    cells = math.prod(max(size, 1) for size in sizes)
    if cells > CELL_LIMIT or len(sizes) > 64:  # NumPy has 64 axes
        wide = f"{cells:,}" if cells < 10**12 else f"about 10^{math.log10(cells):.0f}"
        raise TooLarge(
            f"a table of {len(sizes)} columns would have {wide} cells of 8 bytes; at most {CELL_LIMIT:,} cells and "
            "64 columns are counted together. Count fewer columns together, or merge rare states"
        )
    try:
        # (viewed, because a module's 64-bit integer may be another type of NumPy's than its own int64)
        table = loops.contingency(columns, sizes, weights).view(np.int64 if weights is None else np.float64)
    except IndexError:
        raise _stray("columns", columns, sizes) from None
    return table.reshape(sizes)


def log_sum_exp(a: Floats, axis: int) -> Floats:
    """``log Σ exp(a)`` along ``axis``, without overflow; of nothing, −∞. A NaN makes its sum NaN.

    >>> log_sum_exp(np.array([[0.0, 0.0], [1000.0, -np.inf]]), axis=1)
    array([6.93147181e-01, 1.00000000e+03])
    """
    a = typed("a", a, np.float64, None)
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or not -a.ndim <= axis < a.ndim:
        raise BadParameter(f"axis must be one of the {a.ndim} axes of a, counted from 0; got {checks.shown(axis)}")
    axis = int(axis) % a.ndim
    before, after = a.shape[:axis], a.shape[axis + 1 :]
    folded = a.reshape(math.prod(before), a.shape[axis], math.prod(after))
    return loops.log_sum_exp(folded).reshape(before + after)


def grouped_moments(X: Floats, groups: Codes, k: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Count, mean and population variance of each column of ``X`` (n, d) in each of ``k`` groups, each of shape (k, d).

    Missing cells (NaN) are left out cell by cell, rows of group −1 altogether. No digits are lost to a mean
    far from zero. Where a group has nothing, mean and variance are NaN.

    >>> count, mean, variance = grouped_moments(np.array([[1.0], [3.0], [np.nan]]), np.zeros(3, dtype=np.int32), 1)
    >>> count.item(), mean.item(), variance.item()
    (2, 2.0, 1.0)
    """
    X, groups = typed("X", X, np.float64, 2), typed("groups", groups, np.int32, 1)
    checks.rows_match("X", len(X), "groups", len(groups))
    k = checks.count("k", k, most=MOMENT_LIMIT)
    if k * X.shape[1] > MOMENT_LIMIT:
        raise TooLarge(
            f"{k:,} groups of {X.shape[1]:,} columns have more than {MOMENT_LIMIT:,} moments. Merge groups, or take "
            "the columns some at a time"
        )
    try:
        count, mean, variance = loops.grouped_moments(X, groups, k)
    except IndexError:
        raise _stray("groups", [groups], [k]) from None
    if not np.isfinite(variance[count > 0]).all():  # an infinite cell makes it NaN, an overflow infinite
        raise InvalidInput("X must be finite, and its squares too; it has values that are not. Remove or rescale them")
    return count.view(np.int64), mean, variance


def gaussian_log_joint(X: Floats, mean: Floats, variance: Floats, log_prior: Floats) -> Floats:
    """``log_prior[k] + Σⱼ log N(X[i, j] | mean[k, j], variance[k, j])`` for every row and group, of shape (n, k).

    A missing cell (NaN) adds nothing; an infinite one makes the row impossible (−∞).

    >>> gaussian_log_joint(np.array([[0.0]]), np.zeros((2, 1)), np.ones((2, 1)), np.log([0.5, 0.5]))
    array([[-1.61208571, -1.61208571]])
    """
    X = typed("X", X, np.float64, 2)
    mean, variance = checks.floats("mean", mean, ndim=2), checks.positive("variance", variance)
    log_prior = typed("log_prior", log_prior, np.float64, 1)
    if not (log_prior < np.inf).all():
        raise InvalidInput("log_prior must be finite, or -inf for a group that cannot be; it holds NaN or inf")
    k, d = len(log_prior), X.shape[1]
    for name, array in (("mean", mean), ("variance", variance)):
        if array.shape != (k, d):
            raise BadShape(f"{name} must have shape {(k, d)}, a row for each group; got {array.shape}")
    return loops.gaussian_log_joint(X, np.ascontiguousarray(mean), np.ascontiguousarray(variance), log_prior)


def typed(name: str, value: Any, dtype: type, ndim: int | None) -> NDArray[Any]:
    """``value`` if it is an array of that type and as many axes, C-contiguous."""
    # Nothing is converted in silence: a copy of a large array is the caller's to decide.
    if not isinstance(value, np.ndarray) or value.dtype != dtype:
        kind = str(value.dtype) if isinstance(value, np.ndarray) else type(value).__name__
        wanted = np.dtype(dtype).name
        raise InvalidInput(
            f"{name} must be a NumPy array of {wanted}; got {kind}. Use np.asarray(…, dtype=np.{wanted})"
        )
    if value.ndim == 0 or (ndim is not None and value.ndim != ndim):
        raise BadShape(f"{name} must have {ndim or 'at least 1'} axes; got shape {value.shape}")
    return np.ascontiguousarray(value)


def _stray(what: str, columns: Sequence[Codes], sizes: Sequence[int]) -> InvalidInput:
    # A loop only notices that a code is out of range; which one it was is looked up here.
    for i, (codes, size) in enumerate(zip(columns, sizes, strict=True)):
        stray = (codes < -1) | (codes >= size)
        if stray.any():
            row = int(stray.argmax())
            place = f"{what}[{row}]" if what == "groups" else f"{what}[{i}][{row}]"
            return InvalidInput(f"{place} is {codes[row]}; codes must lie from 0 to {size - 1}, or be -1 for missing")
    raise AssertionError("a loop refused codes that are all in range")
