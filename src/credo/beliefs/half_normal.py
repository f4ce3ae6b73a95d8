"""The half-normal law."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi, sqrt
from typing import Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.gamma_functions import scale_gap
from credo.beliefs.tails import from_nearer_tail
from credo.checks import Floats

__all__ = ["HalfNormal"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class HalfNormal(Belief):
    """The law of the size of a normal number of mean zero, p(x) = √(2/π) exp(−½ (x/scale)²) / scale for x ≥ 0.

    A gentle prior for a standard deviation.

    >>> round(float(HalfNormal(scale=2).mean), 3)
    1.596
    """

    scale: Floats

    def __init__(self, scale: ArrayLike) -> None:
        self._hold(scale=checks.positive("scale", scale))

    @property
    def mean(self) -> Floats:
        """scale √(2/π)."""
        return self.scale * sqrt(2 / pi)

    @property
    def var(self) -> Floats:
        """scale² (1 − 2/π)."""
        return np.square(self.scale) * (1 - 2 / pi)

    @property
    def mode(self) -> Floats:
        """Zero."""
        return np.zeros_like(self.scale)[()]

    def entropy(self) -> Floats:
        """½ log(½ πe scale²)."""
        return np.log(self.scale) + (log(pi / 2) + 1) / 2

    def _log_prob(self, x: Floats) -> Floats:
        density = log(2 / pi) / 2 - np.log(self.scale) - np.square(x / self.scale) / 2
        return np.where(x >= 0, density, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return scipy.special.erf(np.maximum(x, 0.0) / (self.scale * sqrt(2)))

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return self.scale * from_nearer_tail(
            below, above, lambda q: sqrt(2) * scipy.special.erfinv(q), lambda q: -scipy.special.ndtri(q / 2)
        )

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.scale * np.abs(rng.standard_normal((n, *self.batch_shape)))

    def _kl(self, other: Self) -> Floats:
        return scale_gap(self.scale / other.scale)
