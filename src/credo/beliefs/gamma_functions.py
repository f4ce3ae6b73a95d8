"""Pieces of the gamma function that stay accurate when its argument is large.

log Γ(k) grows like k log k, so formulas that subtract two of them lose all their digits for large k. Here the growth is
cancelled by hand and only small remainders are computed. Gamma, inverse gamma, beta, Dirichlet, Poisson and binomial
laws are all written with them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi

import numpy as np
import scipy
from numpy.polynomial.polynomial import polyval

from credo.checks import Floats

__all__ = [
    "beta_log_density",
    "bregman",
    "dirichlet_entropy",
    "dirichlet_kl",
    "dirichlet_log_density",
    "dirichlet_mode",
    "gamma_entropy",
    "gamma_kl",
    "gap",
    "log_minus_digamma",
    "power_term",
    "remainder",
    "scale_gap",
    "stirling",
    "weighted_gap",
]

LARGE = 16.0  # above this the series below are good to rounding
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132)


def gap(y: Floats) -> Floats:
    """y − 1 − log y, which is zero at one and positive elsewhere."""
    return y - 1 - np.log(y)


def scale_gap(r: Floats) -> Floats:
    """½ gap(r²): the divergence of one normal law from another of the same mean, r the ratio of their deviations."""
    near = np.abs(r - 1) < 0.25
    return np.where(near, gap(np.square(np.where(near, r, 1.0))) / 2, (r * r - 1) / 2 - np.log(r))


def weighted_gap(p: Floats, q: Floats) -> Floats:
    """p log(p/q) − p + q, also where p or q is zero: the divergence of one Poisson rate from another."""
    some = p > 0
    return np.where(some, p * gap(q / np.where(some, p, 1.0)), q)


def stirling(k: Floats) -> Floats:
    """log Γ(k) − [(k − ½) log k − k + ½ log 2π], about 1/(12 k)."""

    return _by_size(
        k,
        lambda small: scipy.special.gammaln(small) - (small - 0.5) * np.log(small) + small - log(2 * pi) / 2,
        lambda large: polyval(np.square(1 / large), STIRLING) / large,
    )


def log_minus_digamma(k: Floats) -> Floats:
    """log k − ψ(k), about 1/(2 k)."""

    def series(large: Floats) -> Floats:
        square = np.square(1 / large)
        return 0.5 / large + polyval(square, DIGAMMA) * square

    return _by_size(k, lambda small: np.log(small) - scipy.special.digamma(small), series)


def _by_size(k: Floats, direct: Callable[[Floats], Floats], series: Callable[[Floats], Floats]) -> Floats:
    """``direct`` of those k that are small, and ``series``, which costs little, of the others."""
    value = np.asarray(series(np.maximum(k, LARGE)))
    small = np.flatnonzero(k < LARGE)
    value.put(small, direct(np.take(k, small)))
    return value[()]


def power_term(k: Floats, c: Floats, x: Floats) -> Floats:
    """The log density at x ≥ 0 of the gamma law of shape k and rate c k, and what a coordinate adds to a Dirichlet one.

    Both c x = x / mean and k matter only through k (c x − 1 − log c x), which has no large parts to cancel.
    """
    y = c * x
    return scipy.special.xlogy(k - 1, y) - k * (y - 1) + np.log(c) + np.log(k / (2 * pi)) / 2 - stirling(k)


def gamma_entropy(k: Floats) -> Floats:
    """The entropy of the gamma law of shape k and rate one, k + log Γ(k) + (1 − k) ψ(k)."""
    return np.log(2 * pi * k) / 2 + stirling(k) + (k - 1) * log_minus_digamma(k)


def remainder(q: Floats, p: Floats) -> Floats:
    """What ``bregman(q, p)`` has beside q · gap(p/q)."""
    return np.log(p / q) / 2 + stirling(q) - stirling(p) + (q - p) * log_minus_digamma(p)


def bregman(q: Floats, p: Floats) -> Floats:
    """log Γ(q) − log Γ(p) − (q − p) ψ(p): how far log Γ lies above its tangent."""
    return q * gap(p / q) + remainder(q, p)


def gamma_kl(shape: Floats, rate: Floats, other_shape: Floats, other_rate: Floats) -> Floats:
    """The divergence of one gamma law from another; inverse gamma laws have the same."""
    ratio = (shape / other_shape) * (other_rate / rate)
    return other_shape * gap(ratio) + remainder(other_shape, shape)


def dirichlet_log_density(alpha: Floats, x: Floats) -> Floats:
    """log Γ(Σ α) + Σ (αᵢ − 1) log xᵢ − log Γ(αᵢ), over the last axis; x sums to one."""
    total = alpha.sum(axis=-1)
    density: Floats = power_term(alpha, total[..., None] / alpha, x).sum(axis=-1) + _total_term(total)
    return density


def beta_log_density(a: Floats, b: Floats, x: Floats, y: Floats) -> Floats:
    """That of a Dirichlet law of two coordinates x and y = 1 − x, which may lie apart."""
    total = a + b
    return power_term(a, total / a, x) + power_term(b, total / b, y) + _total_term(total)


def _total_term(total: Floats) -> Floats:
    """What the sum of all parameters adds to the log density of a Dirichlet law."""
    return stirling(total) - np.log(total / (2 * pi)) / 2


def dirichlet_entropy(alpha: Floats) -> Floats:
    """The entropy of a Dirichlet law, over the last axis."""
    total = alpha.sum(axis=-1)
    parts = gamma_entropy(alpha).sum(axis=-1)
    entropy: Floats = parts - gamma_entropy(total) - (alpha.shape[-1] - 1) * scipy.special.digamma(total)
    return entropy


def dirichlet_kl(alpha: Floats, beta: Floats) -> Floats:
    """The divergence of one Dirichlet law from another, over the last axis."""
    divergence: Floats = bregman(beta, alpha).sum(axis=-1) - bregman(beta.sum(axis=-1), alpha.sum(axis=-1))
    return divergence


def dirichlet_mode(alpha: Floats) -> Floats:
    """Where the density is highest; a corner where it has poles, the centre where it is flat."""
    excess = np.maximum(alpha - 1, 0.0)
    total = excess.sum(axis=-1, keepdims=True)
    corner = np.eye(alpha.shape[-1])[alpha.argmax(axis=-1)]
    edge = np.where((alpha == 1).all(axis=-1, keepdims=True), 1 / alpha.shape[-1], corner)
    return np.where(total > 0, excess / np.where(total > 0, total, 1.0), edge)
