"""Measurements with normal noise: an unknown mean under known noise, and an unknown mean and variance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, pi, sqrt
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.answers import Answers
from credo.beliefs.inverse_gamma import InverseGamma
from credo.beliefs.normal import Normal
from credo.beliefs.student_t import StudentT

__all__ = ["MeanAndVariance", "Measurements", "NormalInverseGamma", "NormalNormal"]


@dataclass(frozen=True, slots=True)
class Measurements:
    """What matters of measurements: how many, their average, and the sum of their squared distances from it.

    >>> Measurements().and_also([1.0, 3.0]).and_also(5.0)
    Measurements(n=3, average=3.0, squares=8.0)
    """

    n: int = 0
    average: float = 0.0
    squares: float = 0.0

    def and_also(self, x: ArrayLike) -> Measurements:
        """These measurements and more of them; the order does not matter."""
        new = checks.floats("x", x)
        if not new.size:
            return self
        n, average = self.n + new.size, float(new.mean())
        apart = average - self.average
        squares = self.squares + float(np.square(new - average).sum()) + apart**2 * self.n * new.size / n
        return Measurements(n, self.average + apart * new.size / n, squares)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NormalNormal(Answers):
    """Measurements x ~ Normal(μ, noise) of an unknown μ ~ Normal(mean, sd), the noise known.

    Precisions add: the posterior has precision 1/sd² + n/noise², and its mean is the average of the prior mean and of
    the measurements by precision.

    >>> NormalNormal(prior_mean=0, prior_sd=1, noise=1).given([2.0, 4.0])
    NormalNormal(prior_mean=0.0, prior_sd=1.0, noise=1.0, seen=Measurements(n=2, average=3.0, squares=2.0))
       ml  map  mean
    μ   3    2     2
    """

    prior_mean: float
    prior_sd: float
    noise: float
    seen: Measurements = Measurements()

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior_mean", float(checks.floats("prior_mean", self.prior_mean, ndim=0)))
        for name in ("prior_sd", "noise"):
            object.__setattr__(self, name, float(checks.positive(name, getattr(self, name), ndim=0)))

    def given(self, x: ArrayLike) -> NormalNormal:
        """The same model after one more measurement, or several."""
        return replace(self, seen=self.seen.and_also(x))

    @property
    def posterior(self) -> Normal:
        """Normal, with the precisions of prior and measurements added."""
        sway = self.seen.n * (self.prior_sd / self.noise) ** 2
        mean = self.prior_mean + (self.seen.average - self.prior_mean) * sway / (1 + sway)
        return Normal(mean, self.prior_sd / sqrt(1 + sway))

    @property
    def log_evidence(self) -> float:
        """The log density of all measurements together, normal with covariance noise² I + sd² 11ᵀ."""
        n, noise = self.seen.n, self.noise**2
        spread = noise + n * self.prior_sd**2
        distance = self.seen.squares / noise + n * (self.seen.average - self.prior_mean) ** 2 / spread
        return -0.5 * (n * log(2 * pi * noise) + log(spread / noise) + distance)

    @property
    def ml(self) -> float | None:
        """The average."""
        return self.seen.average if self.seen.n else None

    def predictive(self) -> Normal:
        """The next measurement: the posterior widened by the noise."""
        return Normal(self.posterior.mean, np.hypot(self.posterior.sd, self.noise))

    @property
    def _unknowns(self) -> tuple[str, ...]:
        return ("μ",)


class MeanAndVariance(NamedTuple):
    """A value for the mean and one for the variance of a normal law.

    >>> NormalInverseGamma(prior_mean=0, weight=1, shape=3, scale=2).given([1.0, 2.0, 3.0]).ml
    MeanAndVariance(mean=2.0, variance=0.666...)
    """

    mean: float
    variance: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NormalInverseGamma(Answers):
    """Measurements x ~ Normal(μ, σ²), both unknown: σ² ~ InverseGamma(shape, scale), μ | σ² ~ Normal(mean, σ²/weight).

    The prior knows μ as if from ``weight`` measurements. ``posterior`` is the belief about μ, a Student t, ``variance``
    that about σ², an inverse gamma; ``map`` is the highest point of the joint density of the two.

    >>> NormalInverseGamma(prior_mean=0, weight=1, shape=3, scale=2).given([1.0, 2.0, 3.0])
    NormalInverseGamma(prior_mean=0.0, weight=1.0, shape=3.0, scale=2.0,
                       seen=Measurements(n=3, average=2.0, squares=2.0))
            ml   map   mean
    μ        2   1.5    1.5
    σ²  0.6667  0.75  1.286
    """

    prior_mean: float
    weight: float
    shape: float
    scale: float
    seen: Measurements = Measurements()

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior_mean", float(checks.floats("prior_mean", self.prior_mean, ndim=0)))
        for name in ("weight", "shape", "scale"):
            object.__setattr__(self, name, float(checks.positive(name, getattr(self, name), ndim=0)))

    def given(self, x: ArrayLike) -> NormalInverseGamma:
        """The same model after one more measurement, or several."""
        return replace(self, seen=self.seen.and_also(x))

    @property
    def posterior(self) -> StudentT:
        """The belief about μ, σ² averaged out."""
        return self._student(1 / self._total_weight)

    @property
    def variance(self) -> InverseGamma:
        """The belief about σ², μ averaged out."""
        return InverseGamma(self.shape + self.seen.n / 2, self._total_scale)

    @property
    def log_evidence(self) -> float:
        """The log density of all measurements together, μ and σ² averaged out."""
        n, after = self.seen.n, self.shape + self.seen.n / 2
        value = scipy.special.gammaln(after) - scipy.special.gammaln(self.shape) - 0.5 * n * log(2 * pi)
        value += self.shape * log(self.scale) - after * log(self._total_scale)
        return float(value + 0.5 * log(self.weight / self._total_weight))

    @property
    def ml(self) -> MeanAndVariance | None:
        """The average, and the average squared distance from it."""
        n = self.seen.n
        return MeanAndVariance(self.seen.average, self.seen.squares / n) if n else None

    @property
    def map(self) -> MeanAndVariance:
        """The highest point of the joint density of μ and σ²."""
        law = self.variance
        return MeanAndVariance(float(self.posterior.mode), float(law.scale / (law.shape + 1.5)))

    @property
    def mean(self) -> MeanAndVariance:
        """The posterior means; NaN or infinite where the prior is too vague for one."""
        return MeanAndVariance(float(self.posterior.mean), float(self.variance.mean))

    def predictive(self) -> StudentT:
        """The next measurement."""
        return self._student(1 + 1 / self._total_weight)

    def _student(self, times: float) -> StudentT:
        """The law of what is Normal(m, σ² times) when σ² were known."""
        law = self.variance
        pull = self.seen.n / self._total_weight
        centre = self.prior_mean + (self.seen.average - self.prior_mean) * pull
        return StudentT(2 * law.shape, centre, np.sqrt(law.scale / law.shape * times))

    @property
    def _total_weight(self) -> float:
        return self.weight + self.seen.n

    @property
    def _total_scale(self) -> float:
        apart = self.seen.average - self.prior_mean
        return self.scale + 0.5 * (self.seen.squares + apart**2 * self.weight * self.seen.n / self._total_weight)

    @property
    def _unknowns(self) -> tuple[str, ...]:
        return ("μ", "σ²")
