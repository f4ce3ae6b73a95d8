"""The probability of a class when its log odds are uncertain: the sigmoid, or the softmax, averaged over a normal law.

One number of log odds a ~ N(μ, s²): E σ(a) by the trapezoidal rule, which for such smooth functions is right to all
digits but the last few. For a narrow law the sum runs over a; for a wide one over the logistic variable t whose
distribution function σ is, since E σ(a) = P(t < a). Several numbers: the softmax at a fixed set of points that are
spread evenly over the normal law; it errs by about 0.001.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import log_expit, log_ndtr, logsumexp, ndtri

from credo.checks import Floats
from credo.native import log_sum_exp

__all__ = ["average_sigmoid", "average_softmax"]

STEP = 0.5  # of the trapezoidal rule: the nearest pole is π away, so it errs by exp(−2π²/STEP)
NORMAL_REACH = 10.0  # ± so many standard deviations
LOGISTIC_REACH = 40.0
PAIRS = 128  # of points, at least; each stands with its opposite, so that the mean is met exactly
BLOCK_CELLS = 200_000


def average_sigmoid(mean: Floats, variance: Floats) -> Floats:
    """(n, 2): ln E σ(−a) and ln E σ(a) for a ~ N(mean, variance).

    >>> np.exp(average_sigmoid(np.array([2.0]), np.array([0.0]))).round(4)
    array([[0.1192, 0.8808]])
    >>> np.exp(average_sigmoid(np.array([2.0]), np.array([9.0]))).round(4)
    array([[0.2826, 0.7174]])
    """
    sd, size = np.sqrt(variance), np.abs(mean)
    less = np.empty_like(mean)  # the logarithm of the probability of the less probable side
    for start in range(0, len(mean), 10_000):
        rows = slice(start, start + 10_000)
        less[rows] = np.where(sd[rows] <= 1, _narrow(size[rows], sd[rows]), _wide(size[rows], sd[rows]))
    # The average is nearer to ½ than σ of the mean is; far out, where the sum has nothing left, that says enough.
    less = np.minimum(np.maximum(less, log_expit(-size)), -math.log(2))
    more = np.log1p(-np.exp(less))
    return np.where((mean > 0)[:, None], np.column_stack([less, more]), np.column_stack([more, less]))


def _narrow(size: Floats, sd: Floats) -> Floats:
    z = np.arange(-NORMAL_REACH, NORMAL_REACH + STEP, STEP)
    weight = np.log(STEP / math.sqrt(2 * math.pi)) - z**2 / 2
    return np.asarray(logsumexp(log_expit(np.minimum(sd, 1.0)[:, None] * z - size[:, None]) + weight, axis=1))


def _wide(size: Floats, sd: Floats) -> Floats:
    t = np.arange(-LOGISTIC_REACH, LOGISTIC_REACH + STEP, STEP)
    weight = math.log(STEP) + log_expit(t) + log_expit(-t)
    return np.asarray(logsumexp(log_ndtr(-(size[:, None] + t) / np.maximum(sd, 1.0)[:, None]) + weight, axis=1))


def average_softmax(eta: Floats, spread: Floats, basis: Floats) -> Floats:
    """(n, K): ln E P(class), the log odds being B η with η of mean (n, m) and covariance (n, m, m).

    >>> from credo.linear.classes import contrasts
    >>> sure, unsure = np.zeros((1, 2, 2)), 9 * np.eye(2)[None]
    >>> [np.exp(average_softmax(np.array([[1.0, 2.0]]), s, contrasts(3))).round(2).tolist() for s in (sure, unsure)]
    [[[0.78, 0.19, 0.03]], [[0.53, 0.31, 0.16]]]
    """
    classes, m = basis.shape
    points = _points(m)
    # A tiny width keeps the factor of a law that is certain in some direction; it moves no probability.
    width = np.trace(spread, axis1=1, axis2=2)[:, None, None] * 1e-12 + 1e-24
    odds = basis @ np.linalg.cholesky(spread + width * np.eye(m))
    centre = eta @ basis.T
    log_probs = np.empty((len(eta), classes))
    size = max(1, BLOCK_CELLS // (len(points) * classes))
    for start in range(0, len(eta), size):
        rows = slice(start, start + size)
        logits = points @ np.swapaxes(odds[rows], 1, 2)
        logits += centre[rows, None]
        logits -= log_sum_exp(logits, axis=2)[:, :, None]
        log_probs[rows] = log_sum_exp(logits, axis=1) - math.log(len(points))
    return log_probs


def _points(m: int) -> Floats:
    """Points spread evenly over N(0, I), (·, m), with exactly its mean and covariance.

    They are multiples of a vector of irrational numbers, modulo one.
    """
    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (m + 1))  # the solution of xᵐ⁺¹ = x + 1, which fills m dimensions evenly
    uniform = (0.5 + np.arange(1, max(PAIRS, 4 * m) + 1)[:, None] * root ** -np.arange(1.0, m + 1)) % 1.0
    normal = ndtri(np.clip(uniform, 1e-9, 1 - 1e-9))
    lower = np.linalg.cholesky(normal.T @ normal / len(normal))
    normal = np.linalg.solve(lower, normal.T).T
    return np.concatenate([normal, -normal])
