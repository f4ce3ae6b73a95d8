"""Linear regression with a Gaussian prior on its weights: the whole posterior, and how strong the prior should be."""

from __future__ import annotations

import warnings
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from credo import beliefs, checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, InvalidInput, NotFitted
from credo.linear import reading
from credo.linear.axes import BLOCK_ROWS, Axes
from credo.linear.evidence import learn_precisions

__all__ = ["BayesianRegression"]

LEAST_PRECISION = 1e-60  # beyond this, with columns of any size that is allowed, numbers overflow


class BayesianRegression(RegressorMixin, BaseEstimator):
    """Linear regression whose weights have a Gaussian prior of a strength that is learnt from the data.

    The model is y = Xw + b + noise with w ~ N(0, 1/α) for each weight, noise ~ N(0, 1/β), and a flat prior on the
    intercept b, which is therefore never shrunk. ``alpha`` and ``beta`` are used where they are given; where they are
    ``None``, the values of largest evidence p(y | X, α, β) are learnt.

    All weights share one prior, so the units of the columns matter: standardise them (``tables.Encoder`` does) unless
    their scale is meant.

    The evidence is that of the data after the intercept was integrated out against a prior of density one:
    ``log_evidence_`` = d/2 ln α + (n−1)/2 ln β − E(m) − ½ ln|A| − (n−1)/2 ln 2π − ½ ln n, with A = αI + βXᵀX and
    E(m) = β/2 |y − Xm|² + α/2 |m|² for centred X and y. Without intercept it is the evidence of all n rows as they
    are, and the last term is not there.

    A row of ``sample_weight`` w counts as w rows that are the same: the noise of the row has precision wβ, and n is the
    sum of the weights.

    After ``fit``: ``coef_``, ``intercept_``, ``alpha_``, ``beta_``, ``log_evidence_``, ``posterior_`` (the coefficients
    and, last, the intercept), ``effective_parameters_`` (how many weights the data determine rather than the prior),
    ``outcome_`` and ``trace_`` (the log evidence at each step of learning).

    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> y = 2 + 3 * x[:, 0] + np.random.default_rng(0).normal(0, 0.5, 50)
    >>> model = BayesianRegression().fit(x, y)
    >>> model.coef_.round(1), round(model.intercept_, 1)
    (array([3.3]), 2.1)
    >>> low, high = model.predictive([[0.5]]).interval(0.9)
    >>> bool(low[0] < 3.5 < high[0])
    True
    """

    def __init__(self, *, alpha: float | None = None, beta: float | None = None, fit_intercept: bool = True) -> None:
        self.alpha = alpha
        self.beta = beta
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: ArrayLike | str, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the posterior of the weights from the rows of ``X`` and their targets ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns. A table on disk is then never read whole:
        means and covariances are all that is needed of it.
        """
        alpha, beta = _precision("alpha", self.alpha), _precision("beta", self.beta)
        checks.choice("fit_intercept", self.fit_intercept, (True, False))
        axes = reading.learn(self, X, y, sample_weight, centred=bool(self.fit_intercept))
        if axes.total <= bool(self.fit_intercept) and (alpha is None or beta is None):
            raise InvalidInput(
                f"X has one row (n_samples=1, or weights that sum to {axes.total:g}), and with an intercept it fits "
                "exactly: nothing is left to learn the precisions from. Give alpha and beta, or more rows"
            )
        self._learn(axes, alpha, beta)
        return self

    @overload
    def predict(self, X: Any, *, return_std: Literal[False] = False) -> Floats: ...
    @overload
    def predict(self, X: Any, *, return_std: Literal[True]) -> tuple[Floats, Floats]: ...
    def predict(self, X: Any, *, return_std: bool = False) -> Floats | tuple[Floats, Floats]:
        """The mean of the next target for each row; with ``return_std=True`` also its standard deviation."""
        rows = self._rows(X)
        mean: Floats = rows @ self.coef_ + self.intercept_
        return (mean, self._sd(rows, noise=True)) if return_std else mean

    def predictive(self, X: Any, *, noise: bool = True) -> beliefs.Normal:
        """The belief about the next target for each row or, with ``noise=False``, about the line itself there."""
        rows = self._rows(X)
        return beliefs.Normal(rows @ self.coef_ + self.intercept_, self._sd(rows, noise=noise))

    @property
    def posterior_(self) -> beliefs.MultivariateNormal:
        """The belief about the coefficients and, if one is fitted, the intercept at the end."""
        self._require_fit()
        d = len(self.coef_)
        covariance = (self.directions_.T / self.precisions_) @ self.directions_
        if len(self.directions_) < d:  # where the data say nothing, the prior stands
            covariance += (np.eye(d) - self.directions_.T @ self.directions_) / self.alpha_
        if not self.fit_intercept:
            return beliefs.MultivariateNormal(self.coef_, covariance)
        slope = covariance @ self.centre_
        whole = np.empty((d + 1, d + 1))
        whole[:d, :d] = covariance
        whole[:d, d] = whole[d, :d] = -slope
        whole[d, d] = 1 / (self.beta_ * self.total_weight_) + self.centre_ @ slope
        return beliefs.MultivariateNormal(np.append(self.coef_, self.intercept_), whole)

    def _learn(self, axes: Axes, alpha: float | None, beta: float | None) -> None:
        learnt = learn_precisions(axes, intercept=bool(self.fit_intercept), alpha=alpha, beta=beta)
        self.alpha_, self.beta_ = learnt.alpha, learnt.beta
        self.log_evidence_ = learnt.log_evidence
        self.effective_parameters_ = learnt.effective
        self.outcome_, self.trace_ = learnt.outcome, learnt.trace
        self.directions_ = axes.directions
        self.precisions_ = learnt.alpha + learnt.beta * axes.singular**2
        self.centre_, self.total_weight_ = axes.mean[:-1], axes.total
        self.coef_ = (learnt.beta * axes.singular * axes.target / self.precisions_) @ axes.directions
        self.intercept_ = float(axes.mean[-1] - self.centre_ @ self.coef_)
        if not learnt.outcome.good:
            warnings.warn(f"learning alpha and beta: {learnt.outcome.value}", CredoWarning, stacklevel=3)
        elif beta is None and axes.total / learnt.beta < 4 * axes.resolution:
            warnings.warn(
                "y is a linear function of X as far as arithmetic can tell, so there is no noise to learn from; "
                f"beta is held at {learnt.beta:.3g}. Give beta if the noise is known",
                CredoWarning,
                stacklevel=3,
            )

    def _sd(self, rows: Floats, *, noise: bool) -> Floats:
        scaled = self.directions_.T / np.sqrt(self.precisions_)
        variance = np.full(len(rows), float(noise) / self.beta_)
        if self.fit_intercept:
            variance += 1 / (self.beta_ * self.total_weight_)
        for start in range(0, len(rows), BLOCK_ROWS):
            block = slice(start, start + BLOCK_ROWS)
            off = rows[block] - self.centre_
            variance[block] += _squares(off @ scaled)
            if len(self.directions_) < len(self.coef_):  # where the data say nothing, the prior stands
                variance[block] += _squares(off - off @ self.directions_.T @ self.directions_) / self.alpha_
        # Through the origin the line is known exactly at zero; a law needs some width.
        return np.asarray(np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny)))

    def _require_fit(self) -> None:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")

    def _rows(self, X: Any) -> Floats:
        self._require_fit()
        return reading.read(self, X)


def _squares(rows: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _precision(name: str, value: float | None) -> float | None:
    if value is None:
        return None
    precision = float(checks.positive(name, value, ndim=0))
    if not LEAST_PRECISION <= precision <= 1 / LEAST_PRECISION:
        raise BadParameter(f"{name} must lie between {LEAST_PRECISION:g} and {1 / LEAST_PRECISION:g}; got {value}")
    return precision
