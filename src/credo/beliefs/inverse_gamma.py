"""The inverse gamma law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import gamma_entropy, gamma_kl, power_term
from credo.beliefs.tails import from_nearer_tail
from credo.checks import Floats

__all__ = ["InverseGamma"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class InverseGamma(Belief):
    """The law of 1/g for g of a gamma law, p(x) = scale^shape x^(−shape − 1) exp(−scale/x) / Γ(shape) for x > 0.

    The conjugate prior of the variance of a normal law. The mean is infinite for a shape up to one, the variance for a
    shape up to two.

    >>> InverseGamma(shape=3, scale=4).mean
    np.float64(2.0)
    """

    shape: Floats
    scale: Floats

    def __init__(self, shape: ArrayLike, scale: ArrayLike) -> None:
        self._hold(shape=checks.positive("shape", shape), scale=checks.positive("scale", scale))

    @property
    def mean(self) -> Floats:
        """scale / (shape − 1), infinite for a shape up to one."""
        finite = self.shape > 1
        return np.where(finite, self.scale / np.where(finite, self.shape - 1, 1.0), np.inf)[()]

    @property
    def var(self) -> Floats:
        """mean² / (shape − 2), infinite for a shape up to two."""
        finite = self.shape > 2
        mean = np.where(finite, self.mean, 1.0)
        return np.where(finite, mean * mean / np.where(finite, self.shape - 2, 1.0), np.inf)[()]

    @property
    def mode(self) -> Floats:
        """scale / (shape + 1)."""
        return self.scale / (self.shape + 1)

    def entropy(self) -> Floats:
        """shape + log scale + log Γ(shape) − (1 + shape) ψ(shape)."""
        return gamma_entropy(self.shape) + np.log(self.scale) - 2 * scipy.special.digamma(self.shape)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x > 0) & (x < np.inf)
        x = np.where(inside, x, 1.0)
        density = power_term(self.shape, self.scale / self.shape, 1 / x) - 2 * np.log(x)
        return np.where(inside, density, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return scipy.special.gammaincc(self.shape, self.scale / np.maximum(x, 0.0))

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        k = self.shape
        return self.scale / from_nearer_tail(
            below, above, lambda q: scipy.special.gammainccinv(k, q), lambda q: scipy.special.gammaincinv(k, q)
        )

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):  # a tiny shape draws numbers too large to hold
            return self.scale / rng.standard_gamma(self.shape, (n, *self.batch_shape))

    def _kl(self, other: Self) -> Floats:
        return gamma_kl(self.shape, self.scale, other.shape, other.scale)
