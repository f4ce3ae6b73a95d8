"""Linear regression with a Gaussian prior of a given strength: the most probable weights, and how sure they are."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from credo import checks
from credo.beliefs import Normal, StudentT
from credo.checks import Floats
from credo.errors import InvalidInput, NotFitted
from credo.linear import reading
from credo.linear.spread import Spread

__all__ = ["Ridge"]

TINY = float(np.finfo(np.float64).tiny)


class Ridge(RegressorMixin, BaseEstimator):
    """The most probable weights under the prior w ~ N(0, σ²/strength) for each, σ being the noise (MAP).

    They make ½ Σ (yᵢ − w·xᵢ − b)² + ½ strength |w|² least, which is known as ridge regression and as weight decay. The
    intercept b has a flat prior, and so has ln σ. ``prior_`` says which prior that came to in the units of the weights.
    All weights share it, so standardise the columns (``tables.Encoder`` does) unless their scale is meant.

    To learn the strength, take ``BayesianRegression``. ``basis`` and ``sample_weight`` are as there.

    After ``fit``: ``coef_``, ``intercept_``, ``noise_sd_``, ``prior_``, and ``posterior_``, the belief about each
    weight and, last, the intercept.

    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> y = 2 + 3 * x[:, 0] + np.random.default_rng(0).normal(0, 0.5, 50)
    >>> model = Ridge(strength=10.0).fit(x, y)
    >>> model.coef_.round(2), model.prior_
    (array([2.09]), Normal(mean=0, sd=0.397905))
    >>> model.posterior_[0]
    StudentT(df=49, loc=2.08699, scale=0.240616)
    """

    def __init__(self, strength: float = 1.0, *, basis: Any = None, fit_intercept: bool = True) -> None:
        self.strength = strength
        self.basis = basis
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: ArrayLike | str, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights from the rows of ``X`` and their targets ``y``, which may name a column of a ``Table``."""
        strength = float(checks.positive("strength", self.strength, ndim=0))
        intercept = bool(checks.choice("fit_intercept", self.fit_intercept, (True, False)))
        axes = reading.learn(self, X, y, sample_weight, centred=intercept, squared=False)
        self.df_ = float(axes.total - intercept)
        if self.df_ <= 0:
            raise InvalidInput(
                f"X has one row (n_samples=1, or weights that sum to {axes.total:g}), and with an intercept it fits "
                "exactly: nothing is left to learn the noise from. Give more rows, or fit_intercept=False"
            )
        held = strength + axes.singular**2
        misfit = axes.rest + float(axes.target**2 @ (strength / held))
        variance = misfit / self.df_
        self.noise_sd_ = math.sqrt(variance)
        self.coef_ = (axes.singular * axes.target / held) @ axes.directions
        self.intercept_ = float(axes.mean[-1] - axes.mean[:-1] @ self.coef_)
        level = variance / axes.total if intercept else None
        ones = np.ones(axes.directions.shape[1])
        self.spread_ = Spread(axes.directions, held / variance, ones, variance / strength, axes.mean[:-1], level)
        return self

    def predict(self, X: Any) -> Floats:
        """The most probable target for each row."""
        self._require_fit()
        guess: Floats = reading.read(self, X) @ self.coef_ + self.intercept_
        return guess

    def predictive(self, X: Any, *, noise: bool = True) -> StudentT:
        """The belief about the next target for each row or, with ``noise=False``, about the line itself there."""
        self._require_fit()
        rows = reading.read(self, X)
        variance = np.maximum(self.spread_.variance(rows) + float(noise) * self.noise_sd_**2, TINY)
        return StudentT(self.df_, rows @ self.coef_ + self.intercept_, np.sqrt(variance))

    @property
    def prior_(self) -> Normal:
        """The prior of each weight, at the noise that was learnt."""
        self._require_fit()
        return Normal(0.0, math.sqrt(self.spread_.elsewhere))

    @property
    def posterior_(self) -> StudentT:
        """The belief about each weight and, if one is fitted, the intercept at the end: one law for each."""
        self._require_fit()
        sd = np.sqrt(np.diag(self.spread_.covariance()))
        mean = np.append(self.coef_, self.intercept_) if self.fit_intercept else self.coef_
        return StudentT(self.df_, mean, sd)

    def _require_fit(self) -> None:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
