"""The half-Cauchy law."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.student_t import log_one_plus_square
from credo.beliefs.tails import from_nearer_tail
from credo.checks import Floats

__all__ = ["HalfCauchy"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class HalfCauchy(Belief):
    """The law of the size of a Cauchy number, p(x) = 2 / (π scale (1 + (x/scale)²)) for x ≥ 0.

    A prior for a standard deviation that forgives large values. Its mean and its variance are infinite.

    >>> round(float(HalfCauchy(scale=2).quantile(0.5)), 6)
    2.0
    """

    scale: Floats

    def __init__(self, scale: ArrayLike) -> None:
        self._hold(scale=checks.positive("scale", scale))

    @property
    def mean(self) -> Floats:
        """Infinite."""
        return np.full_like(self.scale, np.inf)[()]

    @property
    def var(self) -> Floats:
        """Infinite."""
        return np.full_like(self.scale, np.inf)[()]

    @property
    def mode(self) -> Floats:
        """Zero."""
        return np.zeros_like(self.scale)[()]

    def entropy(self) -> Floats:
        """log(2π scale)."""
        return np.log(self.scale) + log(2 * pi)

    def _log_prob(self, x: Floats) -> Floats:
        density = log(2 / pi) - np.log(self.scale) - log_one_plus_square(x / self.scale)
        return np.where(x >= 0, density, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return 2 / pi * np.arctan(np.maximum(x, 0.0) / self.scale)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return self.scale * from_nearer_tail(
            below, above, lambda q: np.tan(pi / 2 * q), lambda q: 1 / np.tan(pi / 2 * q)
        )

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.scale * np.abs(rng.standard_cauchy((n, *self.batch_shape)))

    def _kl(self, other: Self) -> Floats:
        ratio = self.scale / other.scale
        return np.log(ratio + 2 + 1 / ratio) - log(4)
