"""The beta law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import beta_log_density, dirichlet_entropy, dirichlet_kl, dirichlet_mode
from credo.beliefs.tails import from_nearer_tail
from credo.checks import Floats

__all__ = ["Beta"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Beta(Belief):
    """The beta law of a probability, p(x) = x^(a − 1) (1 − x)^(b − 1) / B(a, b) for 0 ≤ x ≤ 1.

    ``Beta(1, 1)`` is uniform; ``Beta(1 + heads, 1 + tails)`` is what a coin's record then teaches.

    >>> coin = Beta(1 + 7, 1 + 3)
    >>> round(float(coin.mean), 3), round(float(coin.mode), 3)
    (0.667, 0.7)
    """

    a: Floats
    b: Floats

    def __init__(self, a: ArrayLike, b: ArrayLike) -> None:
        self._hold(a=checks.positive("a", a), b=checks.positive("b", b))

    @property
    def mean(self) -> Floats:
        """a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def var(self) -> Floats:
        """a b / ((a + b)² (a + b + 1))."""
        total = self.a + self.b
        return (self.a / total) * (self.b / total) / (total + 1)

    @property
    def mode(self) -> Floats:
        """(a − 1) / (a + b − 2); the end with the stronger pole if both a and b are below one; ½ for Beta(1, 1)."""
        return dirichlet_mode(self._alpha())[..., 0][()]

    def entropy(self) -> Floats:
        """log B(a, b) − (a − 1) ψ(a) − (b − 1) ψ(b) + (a + b − 2) ψ(a + b)."""
        return dirichlet_entropy(self._alpha())

    def _alpha(self) -> Floats:
        return np.stack([self.a, self.b], axis=-1)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x <= 1)
        x = np.where(inside, x, 0.5)
        return np.where(inside, beta_log_density(self.a, self.b, x, 1 - x), -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(scipy.special.betainc(self.a, self.b, np.clip(x, 0.0, 1.0)), dtype=np.float64)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return beta_quantile(self.a, self.b, below, above)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.beta(self.a, self.b, (n, *self.batch_shape))

    def _kl(self, other: Self) -> Floats:
        return dirichlet_kl(self._alpha(), other._alpha())


def beta_quantile(a: Floats, b: Floats, below: Floats, above: Floats) -> Floats:
    """The point with probability ``below`` under it and ``above`` over it."""
    return from_nearer_tail(below, above, lambda q: _low_quantile(a, b, q), lambda q: 1 - _low_quantile(b, a, q))


def _low_quantile(a: Floats, b: Floats, q: Floats) -> Floats:
    # Next to zero P(X ≤ x) is x^a / (a B(a, b)) to all digits, and SciPy answers NaN or never gets there.
    tiny = np.exp((np.log(q) + np.log(a) + scipy.special.betaln(a, b)) / a)
    return np.asarray(np.where(tiny * (1 + b) < 1e-17, tiny, scipy.special.betaincinv(a, b, q)), dtype=np.float64)
