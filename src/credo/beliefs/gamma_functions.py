"""Pieces of the gamma function that stay accurate when its argument is large.

log Γ(k) grows like k log k, so formulas that subtract two of them lose all their digits for large k. Here the growth is
cancelled by hand and only small remainders are computed. Gamma, inverse gamma, beta, Dirichlet, Poisson and binomial
laws are all written with them.
"""

from __future__ import annotations

from math import log, pi

import numpy as np
from scipy import special

from credo.checks import Floats

__all__ = ["bregman", "gamma_entropy", "gap", "log_minus_digamma", "power_term", "remainder", "stirling"]

LARGE = 16.0  # above this the series below are good to rounding
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132)


def gap(y: Floats) -> Floats:
    """y − 1 − log y, which is zero at one and positive elsewhere."""
    excess = y - 1
    near = np.abs(excess) < 0.5
    return np.where(near, excess - np.log1p(np.where(near, excess, 0.0)), excess - np.log(y))


def stirling(k: Floats) -> Floats:
    """log Γ(k) − [(k − ½) log k − k + ½ log 2π], about 1/(12 k)."""
    large = np.maximum(k, LARGE)
    series = np.polynomial.polynomial.polyval(large**-2, STIRLING) / large
    small = np.minimum(k, LARGE)
    direct = special.gammaln(small) - (small - 0.5) * np.log(small) + small - log(2 * pi) / 2
    return np.where(k > LARGE, series, direct)


def log_minus_digamma(k: Floats) -> Floats:
    """log k − ψ(k), about 1/(2 k)."""
    large = np.maximum(k, LARGE)
    series = 0.5 / large + np.polynomial.polynomial.polyval(large**-2, DIGAMMA) / large**2
    small = np.minimum(k, LARGE)
    return np.where(k > LARGE, series, np.log(small) - special.digamma(small))


def power_term(k: Floats, c: Floats, x: Floats) -> Floats:
    """(k − 1) log x + k log c − k (c x − 1) − [log Γ(k) − ½ log 2π terms]: what x adds to a gamma or Dirichlet density.

    With c = rate / k this is the whole log density of a gamma law at x ≥ 0.
    """
    y = c * x
    excess = y - 1
    near = np.abs(excess) < 0.5
    small = np.where(near, excess, 0.0)
    power = np.where(
        near,
        -k * (small - np.log1p(small)) - np.log1p(small),
        -k * excess + special.xlogy(k - 1, y),
    )
    return np.log(c) + power + np.log(k / (2 * pi)) / 2 - stirling(k)


def gamma_entropy(k: Floats) -> Floats:
    """The entropy of the gamma law of shape k and rate one, k + log Γ(k) + (1 − k) ψ(k)."""
    return np.log(2 * pi * k) / 2 + stirling(k) + (k - 1) * log_minus_digamma(k)


def remainder(q: Floats, p: Floats) -> Floats:
    """What ``bregman(q, p)`` has beside q · gap(p/q)."""
    return np.log(p / q) / 2 + stirling(q) - stirling(p) + (q - p) * log_minus_digamma(p)


def bregman(q: Floats, p: Floats) -> Floats:
    """log Γ(q) − log Γ(p) − (q − p) ψ(p): how far log Γ lies above its tangent."""
    return q * gap(p / q) + remainder(q, p)
