"""The negative binomial law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import expectation
from credo.beliefs.base import Belief
from credo.beliefs.whole import whole_quantile
from credo.checks import Floats

__all__ = ["NegativeBinomial"]

TAIL = 40.0  # in the end the probabilities fall by 1 + rate from one count to the next: so far until exp(-40)


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class NegativeBinomial(Belief):
    """The law of a Poisson count whose rate is believed to be ``Gamma(shape, rate)``.

    P(x) = Γ(x + shape) / (Γ(shape) x!) (rate / (1 + rate))^shape (1 / (1 + rate))^x for x = 0, 1, 2, …

    >>> visitors = NegativeBinomial(shape=6, rate=2)
    >>> float(visitors.mean), float(visitors.var), float(visitors.mode)
    (3.0, 4.5, 2.0)
    """

    shape: Floats
    rate: Floats

    discrete: ClassVar[bool] = True

    def __init__(self, shape: ArrayLike, rate: ArrayLike) -> None:
        self._hold(shape=checks.positive("shape", shape), rate=checks.positive("rate", rate))

    @property
    def mean(self) -> Floats:
        """shape / rate."""
        return self.shape / self.rate

    @property
    def var(self) -> Floats:
        """Mean (1 + 1 / rate): wider than a Poisson law, because the rate itself is not known."""
        return self.mean * (1 + 1 / self.rate)

    @property
    def mode(self) -> Floats:
        """(shape − 1) / rate rounded down, and zero for a shape below one."""
        return np.floor(np.maximum(self.shape - 1, 0.0) / self.rate)

    def entropy(self) -> Floats:
        """−Σ P(x) log P(x), summed: there is no closed form."""
        return expectation.entropy(self)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < np.inf) & (x == np.floor(x))
        x = np.where(inside, x, 0.0)
        ways = -np.log(x + self.shape) - scipy.special.betaln(x + 1, self.shape)
        value = ways - self.shape * np.log1p(1 / self.rate) - x * np.log1p(self.rate)
        return np.where(inside, value, -np.inf)[()]

    def _cdf(self, x: Floats) -> Floats:
        share = self.rate / (1 + self.rate)
        at = np.floor(np.clip(x, 0.0, np.finfo(np.float64).max))
        return np.where(x >= 0, scipy.special.betainc(self.shape, at + 1, share), 0.0)[()]

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        return whole_quantile(self, below, np.zeros_like(self.rate), np.full_like(self.rate, np.inf))

    def _atoms(self, step: Floats) -> tuple[Floats, Floats]:
        return expectation.whole_numbers(self, step, tail=TAIL / np.log1p(self.rate))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        rates = rng.standard_gamma(self.shape, (n, *self.batch_shape)) / self.rate
        return rng.poisson(rates).astype(np.float64)
