"""The binomial law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import expectation
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import beta_log_density, weighted_gap
from credo.beliefs.whole import countable, whole_quantile
from credo.checks import Floats

__all__ = ["Binomial"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Binomial(Belief):
    """The binomial law of the successes in n tries, P(x) = n! / (x! (n − x)!) p^x (1 − p)^(n − x).

    >>> Binomial(n=10, p=0.3).mode
    np.float64(3.0)
    """

    n: Floats
    p: Floats

    discrete = True

    def __init__(self, n: ArrayLike, p: ArrayLike) -> None:
        self._hold(n=countable("n", checks.whole("n", n)), p=checks.probabilities("p", p, axis=None))

    @property
    def mean(self) -> Floats:
        """n p."""
        return self.n * self.p

    @property
    def var(self) -> Floats:
        """n p (1 − p)."""
        return self.n * self.p * (1 - self.p)

    @property
    def mode(self) -> Floats:
        """(n + 1) p rounded down; where that is whole it ties with the number below it."""
        return np.minimum(np.floor((self.n + 1) * self.p), self.n)

    def entropy(self) -> Floats:
        """−Σ P(x) log P(x), summed: there is no closed form."""
        return expectation.entropy(self)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x <= self.n) & (x == np.floor(x))
        x = np.where(inside, x, 0.0)
        # The same formula as the density of Beta(x + 1, n − x + 1) at p, over n + 1.
        density = beta_log_density(x + 1, self.n - x + 1, self.p, 1 - self.p)
        return np.where(inside, density - np.log(self.n + 1), -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        x = np.floor(np.clip(x, -1.0, self.n))
        inside = (x >= 0) & (x < self.n)
        up_to = scipy.special.betaincc(np.where(inside, x + 1, 1.0), np.where(inside, self.n - x, 1.0), self.p)
        return np.where(inside, up_to, np.where(x < 0, 0.0, 1.0))

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        first, last = np.where(self.p < 1, 0.0, self.n), np.where(self.p > 0, self.n, 0.0)
        return whole_quantile(self, below, first, last)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.binomial(self.n.astype(np.int64), self.p, (n, *self.batch_shape)).astype(np.float64)

    def _kl(self, other: Self) -> Floats | None:
        if not (self.n == other.n).all():
            return None
        return self.n * (weighted_gap(self.p, other.p) + weighted_gap(1 - self.p, 1 - other.p))
