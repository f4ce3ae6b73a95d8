"""The gamma law."""

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

__all__ = ["Gamma"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Gamma(Belief):
    """The gamma law, p(x) = rate^shape x^(shape − 1) exp(−rate x) / Γ(shape) for x ≥ 0.

    The conjugate prior of the rate of a Poisson law and of the precision of a normal one.

    >>> Gamma(shape=3, rate=2).mean
    np.float64(1.5)
    """

    shape: Floats
    rate: Floats

    def __init__(self, shape: ArrayLike, rate: ArrayLike) -> None:
        self._hold(shape=checks.positive("shape", shape), rate=checks.positive("rate", rate))

    @property
    def mean(self) -> Floats:
        """shape / rate."""
        return self.shape / self.rate

    @property
    def var(self) -> Floats:
        """shape / rate²."""
        return self.shape / np.square(self.rate)

    @property
    def mode(self) -> Floats:
        """(shape − 1) / rate, and zero for a shape below one."""
        return np.maximum(self.shape - 1, 0.0) / self.rate

    def entropy(self) -> Floats:
        """shape − log rate + log Γ(shape) + (1 − shape) ψ(shape)."""
        return gamma_entropy(self.shape) - np.log(self.rate)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < np.inf)
        density = power_term(self.shape, self.rate / self.shape, np.where(inside, x, 1.0))
        return np.where(inside, density, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return scipy.special.gammainc(self.shape, self.rate * np.maximum(x, 0.0))

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        k = self.shape
        return (
            from_nearer_tail(
                below, above, lambda q: scipy.special.gammaincinv(k, q), lambda q: scipy.special.gammainccinv(k, q)
            )
            / self.rate
        )

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.standard_gamma(self.shape, (n, *self.batch_shape)) / self.rate

    def _kl(self, other: Self) -> Floats:
        return gamma_kl(self.shape, self.rate, other.shape, other.rate)
