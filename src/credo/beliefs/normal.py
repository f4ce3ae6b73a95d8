"""The normal law."""

from __future__ import annotations

from dataclasses import dataclass, field
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

__all__ = ["Normal"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Normal(Belief):
    """The normal law, p(x) = exp(−½ ((x − mean)/sd)²) / (sd √(2π)).

    >>> belief = Normal(mean=100, sd=15)
    >>> [round(float(end), 1) for end in belief.interval(0.95)]
    [70.6, 129.4]
    >>> Normal([0, 1, 2], 1)[1:]
    Normal(mean=[1 2], sd=[1 1]) × 2 rows
    """

    mean: Floats = field()
    sd: Floats = field()

    def __init__(self, mean: ArrayLike, sd: ArrayLike) -> None:
        self._hold(mean=checks.floats("mean", mean), sd=checks.positive("sd", sd))

    @property
    def var(self) -> Floats:
        """The variance, sd²."""
        return np.square(self.sd)

    @property
    def mode(self) -> Floats:
        """The mean."""
        return self.mean

    def entropy(self) -> Floats:
        """½ log(2πe sd²)."""
        return np.log(self.sd) + (log(2 * pi) + 1) / 2

    def _log_prob(self, x: Floats) -> Floats:
        return -0.5 * np.square((x - self.mean) / self.sd) - np.log(self.sd) - log(2 * pi) / 2

    def _cdf(self, x: Floats) -> Floats:
        return scipy.special.ndtr((x - self.mean) / self.sd)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return self.mean + self.sd * normal_quantile(below, above)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.mean + self.sd * rng.standard_normal((n, *self.batch_shape))

    def _kl(self, other: Self) -> Floats:
        shift = (self.mean - other.mean) / other.sd
        return scale_gap(self.sd / other.sd) + np.square(shift) / 2
