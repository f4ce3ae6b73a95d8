"""The Poisson law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import expectation
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import power_term, weighted_gap
from credo.beliefs.whole import countable, whole_quantile
from credo.checks import Floats

__all__ = ["Poisson"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Poisson(Belief):
    """The Poisson law of a count, P(x) = rate^x exp(−rate) / x! for x = 0, 1, 2, …

    >>> visitors = Poisson(rate=3)
    >>> round(float(visitors.cdf(5)), 3)
    0.916
    """

    rate: Floats

    discrete = True

    def __init__(self, rate: ArrayLike) -> None:
        self._hold(rate=countable("rate", checks.positive("rate", rate, zero=True)))

    @property
    def mean(self) -> Floats:
        """The rate."""
        return self.rate

    @property
    def var(self) -> Floats:
        """The rate."""
        return self.rate

    @property
    def mode(self) -> Floats:
        """The rate rounded down; a whole rate ties with the number below it."""
        return np.floor(self.rate)

    def entropy(self) -> Floats:
        """−Σ P(x) log P(x), summed: there is no closed form."""
        return expectation.entropy(self)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < np.inf) & (x == np.floor(x))
        x = np.where(inside, x, 0.0)
        # The same formula as the density of a gamma law of shape x + 1 and rate one, at the rate.
        return np.where(inside, power_term(x + 1, 1 / (x + 1), self.rate), -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return np.where(x >= 0, scipy.special.gammaincc(np.floor(np.maximum(x, 0.0)) + 1, self.rate), 0.0)

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        return whole_quantile(self, below, np.zeros_like(self.rate), np.where(self.rate > 0, np.inf, 0.0))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.poisson(self.rate, (n, *self.batch_shape)).astype(np.float64)

    def _kl(self, other: Self) -> Floats:
        return weighted_gap(self.rate, other.rate)
