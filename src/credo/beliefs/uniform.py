"""The uniform law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.tails import from_nearer_tail
from credo.checks import Floats
from credo.errors import BadParameter

__all__ = ["Uniform"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Uniform(Belief):
    """The uniform law, p(x) = 1 / (high − low) for low ≤ x ≤ high.

    >>> Uniform(2, 6).mean
    np.float64(4.0)
    """

    low: Floats
    high: Floats

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        self._hold(low=checks.floats("low", low), high=checks.floats("high", high))
        with np.errstate(over="ignore"):
            width = self.high - self.low
        if not ((width > 0) & (width < np.inf)).all():
            raise BadParameter(
                f"high must be above low, by less than 1e308; got low={checks.shown(low)} and "
                f"high={checks.shown(high)}. A certain value is a Point"
            )

    @property
    def _width(self) -> Floats:
        return self.high - self.low

    @property
    def mean(self) -> Floats:
        """The middle."""
        return self.low + self._width / 2

    @property
    def var(self) -> Floats:
        """(high − low)² / 12."""
        return np.square(self._width) / 12

    @property
    def mode(self) -> Floats:
        """The middle; every other value is as probable."""
        return self.mean

    def entropy(self) -> Floats:
        """log(high − low)."""
        return np.log(self._width)

    def _log_prob(self, x: Floats) -> Floats:
        return np.where((x >= self.low) & (x <= self.high), -np.log(self._width), -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return np.clip((x - self.low) / self._width, 0.0, 1.0)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return from_nearer_tail(
            below, above, lambda q: self.low + q * self._width, lambda q: self.high - q * self._width
        )

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.uniform(self.low, self.high, (n, *self.batch_shape))

    def _kl(self, other: Self) -> Floats:
        inside = (self.low >= other.low) & (self.high <= other.high)
        return np.where(inside, np.log(other._width / self._width), np.inf)
