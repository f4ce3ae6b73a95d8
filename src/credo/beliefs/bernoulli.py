"""The law of an event: one with probability p, else zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.base import Belief
from credo.checks import Floats

__all__ = ["Bernoulli"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Bernoulli(Belief):
    """Whether something happens: P(1) = p, P(0) = 1 − p.

    >>> coin = Bernoulli(0.25)
    >>> float(coin.mean), float(coin.var), int(coin.mode)
    (0.25, 0.1875, 0)
    """

    p: Floats

    discrete: ClassVar[bool] = True

    def __init__(self, p: ArrayLike) -> None:
        self._hold(p=checks.probabilities("p", p, axis=None))

    @property
    def mean(self) -> Floats:
        """p."""
        return self.p

    @property
    def var(self) -> Floats:
        """p (1 − p)."""
        return self.p * (1 - self.p)

    @property
    def mode(self) -> Floats:
        """One if p is above a half, else zero."""
        return np.where(self.p > 0.5, 1.0, 0.0)[()]

    def entropy(self) -> Floats:
        """−p log p − (1 − p) log(1 − p)."""
        return scipy.special.entr(self.p) + scipy.special.entr(1 - self.p)

    def _log_prob(self, x: Floats) -> Floats:
        return np.where(x == 1, np.log(self.p), np.where(x == 0, np.log1p(-self.p), -np.inf))[()]

    def _cdf(self, x: Floats) -> Floats:
        return np.where(x < 0, 0.0, np.where(x < 1, 1 - self.p, 1.0))[()]

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        return np.where((above < self.p) | (self.p == 1), 1.0, 0.0)[()]

    def _kl(self, other: Self) -> Floats:
        return scipy.special.rel_entr(self.p, other.p) + scipy.special.rel_entr(1 - self.p, 1 - other.p)

    def _draw(self, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return (rng.random((n, *self.batch_shape)) < self.p).astype(np.float64)
