"""The NumPy twin of every native loop: the same answers, more slowly, for a machine without a compiler.

They are called with arrays that have been checked, and like the loops they raise ``IndexError`` for a code that is out
of range, which only a look at the data can find.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.native.reference_networks import network_engine, network_model
from credo.native.reference_radial import radial, radial_pull
from credo.native.reference_smo import smo

__all__ = [
    "contingency",
    "gaussian_log_joint",
    "grouped_moments",
    "log_sum_exp",
    "network_engine",
    "network_model",
    "radial",
    "radial_pull",
    "sigmoid_pass",
    "smo",
]

Codes = NDArray[np.int32]


def contingency(columns: Sequence[Codes], sizes: Sequence[int], weights: Floats | None) -> NDArray[Any]:
    """Counts (or sums of weights) of every combination of codes, flat, the last column changing fastest."""
    index = np.zeros(len(columns[0]), dtype=np.int64)
    there = np.ones(len(columns[0]), dtype=bool)
    for codes, size in zip(columns, sizes, strict=True):
        _check_codes(codes, size)
        index = index * size + codes
        there &= codes >= 0
    held = None if weights is None else weights[there]
    table = np.bincount(index[there], held, minlength=math.prod(sizes))
    return table.astype(np.int64 if weights is None else np.float64, copy=False)


def log_sum_exp(a: Floats) -> Floats:
    """Log of the sum of exponentials along the middle of three axes."""
    top = a.max(axis=1, initial=-np.inf)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        total: Floats = np.log(np.exp(a - shift[:, None, :]).sum(axis=1))
    return shift + total


def grouped_moments(X: Floats, groups: Codes, k: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Count, mean and population variance by group and column, over the cells that are not NaN."""
    _check_codes(groups, k)
    count = np.zeros((k, X.shape[1]), dtype=np.int64)
    mean, variance = np.full(count.shape, np.nan), np.full(count.shape, np.nan)
    for j, column in enumerate(X.T):
        there = (groups >= 0) & ~np.isnan(column)
        group, x = groups[there], column[there]
        n = count[:, j] = np.bincount(group, minlength=k)
        with np.errstate(invalid="ignore", over="ignore"):
            m = np.bincount(group, x, minlength=k) / n
            apart = x - m[group]
            off = np.bincount(group, apart, minlength=k) / n  # what rounding left in the mean
            mean[:, j] = m + off
            variance[:, j] = np.bincount(group, apart**2, minlength=k) / n - off**2
    return count, mean, np.maximum(variance, 0.0)


def gaussian_log_joint(X: Floats, mean: Floats, variance: Floats, log_prior: Floats) -> Floats:
    """Log prior plus the log densities of independent normals; a NaN cell adds nothing."""
    joint = np.empty((len(X), len(mean)))
    for k, prior in enumerate(log_prior):
        with np.errstate(over="ignore"):
            squares = (X - mean[k]) ** 2 * (0.5 / variance[k])
        terms = -0.5 * (math.log(2 * math.pi) + np.log(variance[k])) - squares
        joint[:, k] = prior + np.where(np.isnan(X), 0.0, terms).sum(axis=1)
    return joint


def _check_codes(codes: Codes, size: int) -> None:
    if codes.size and (codes.min() < -1 or codes.max() >= size):
        raise IndexError("code")


def sigmoid_pass(
    X: Floats, w: Floats, b: float, codes: NDArray[np.int32], weight: Floats
) -> tuple[float, Floats, Floats]:
    """The loss of two classes, its gradient by w and b, and P(class) in two rows."""
    eta = X @ w + b
    far = np.exp(-np.abs(eta))
    more = 1 / (1 + far)
    less, up, first = far * more, eta > 0, codes != 1
    probs = np.stack([np.where(up, less, more), np.where(up, more, less)])
    wrong = np.where(first, eta, -eta)
    loss = weight @ (np.log1p(far) + np.maximum(wrong, 0.0))
    slope = weight * np.where(first, probs[1], -probs[0])
    return float(loss), np.append(X.T @ slope, slope.sum()), probs
