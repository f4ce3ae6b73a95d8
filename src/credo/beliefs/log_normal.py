"""The log-normal law."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import scale_gap
from credo.beliefs.tails import normal_quantile
from credo.checks import Floats

__all__ = ["LogNormal"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class LogNormal(Belief):
    """The law of a positive number whose logarithm is normal with mean ``mu`` and standard deviation ``sigma``.

    p(x) = exp(−½ ((log x − mu)/sigma)²) / (x sigma √(2π)) for x > 0.

    >>> float(LogNormal(mu=0, sigma=1).quantile(0.5))
    1.0
    """

    mu: Floats
    sigma: Floats

    def __init__(self, mu: ArrayLike, sigma: ArrayLike) -> None:
        self._hold(mu=checks.floats("mu", mu), sigma=checks.positive("sigma", sigma))

    @property
    def mean(self) -> Floats:
        """exp(mu + ½ sigma²)."""
        with np.errstate(over="ignore"):
            return np.exp(self.mu + np.square(self.sigma) / 2)

    @property
    def var(self) -> Floats:
        """(exp(sigma²) − 1) mean²."""
        with np.errstate(over="ignore"):
            return np.expm1(np.square(self.sigma)) * np.exp(2 * self.mu + np.square(self.sigma))

    @property
    def mode(self) -> Floats:
        """exp(mu − sigma²)."""
        with np.errstate(over="ignore"):
            return np.exp(self.mu - np.square(self.sigma))

    def entropy(self) -> Floats:
        """mu + ½ log(2πe sigma²)."""
        return self.mu + np.log(self.sigma) + (log(2 * pi) + 1) / 2

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x > 0) & (x < np.inf)
        logs = np.log(np.where(inside, x, 1.0))
        density = -np.square((logs - self.mu) / self.sigma) / 2 - logs - np.log(self.sigma) - log(2 * pi) / 2
        return np.where(inside, density, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return scipy.special.ndtr((np.log(np.maximum(x, 0.0)) - self.mu) / self.sigma)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return np.exp(self.mu + self.sigma * normal_quantile(below, above))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        with np.errstate(over="ignore"):
            return np.exp(self.mu + self.sigma * rng.standard_normal((n, *self.batch_shape)))

    def _kl(self, other: Self) -> Floats:
        shift = (self.mu - other.mu) / other.sigma
        return scale_gap(self.sigma / other.sigma) + np.square(shift) / 2
