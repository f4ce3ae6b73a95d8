"""Linear regression with a Gaussian prior on its weights: the whole posterior, and how strong the prior should be."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import validate_data

from credo import beliefs, checks
from credo.checks import Floats
from credo.errors import CredoWarning, InvalidInput, NotFitted
from credo.linear.axes import BLOCK_ROWS, Axes, factor_rows
from credo.linear.evidence import learn_precisions

__all__ = ["BayesianRegression"]

LENIENT = {"dtype": np.float64, "ensure_all_finite": False}  # what is not finite is refused here, by name


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

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the posterior of the weights from the rows of ``X`` and their targets ``y``."""
        alpha, beta = _precision("alpha", self.alpha), _precision("beta", self.beta)
        rows, targets = _refusing(lambda: validate_data(self, X, y, y_numeric=True, **LENIENT))
        rows, targets = _finite(self, rows), np.asarray(targets, dtype=np.float64)
        weight = None if sample_weight is None else _weights(sample_weight, len(rows))
        axes = factor_rows(rows, targets, weight, centred=self.fit_intercept)
        if axes.total <= self.fit_intercept and (alpha is None or beta is None):
            raise InvalidInput(
                f"X has one row (n_samples=1, or weights that sum to {axes.total:g}), and with an intercept it fits "
                "exactly: nothing is left to learn the precisions from. Give alpha and beta, or more rows"
            )
        self._learn(axes, alpha, beta)
        return self

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
        learnt = learn_precisions(axes, intercept=self.fit_intercept, alpha=alpha, beta=beta)
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
        elif beta is None and (axes.total - self.fit_intercept) / learnt.beta < 4 * axes.resolution:
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
        return _finite(self, _refusing(lambda: validate_data(self, X, reset=False, **LENIENT)))


def _squares(rows: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _finite(model: BayesianRegression, rows: Floats) -> Floats:
    """``rows``, if every number in them is finite; otherwise the column is named."""
    if np.isfinite(rows.sum()):  # the cheap question first; a sum of finite numbers may overflow
        return rows
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, column = map(int, bad[0])
        names = vars(model).get("feature_names_in_", range(rows.shape[1]))
        raise InvalidInput(
            f"X must be finite; column {names[column]!r} holds {rows[row, column]} in row {row} "
            f"({len(bad)} values are NaN or infinite). Remove the rows, or encode X by tables.Encoder"
        )
    return rows


def _refusing(read: Callable[[], Any]) -> Any:
    """What ``read`` returns; a refusal of scikit-learn's becomes one of ours, with the remedy."""
    try:
        return read()
    except ValueError as cause:
        remedy = ". Categories are encoded by tables.Encoder" if "could not convert" in str(cause) else ""
        raise InvalidInput(f"{cause}{remedy}") from None


def _precision(name: str, value: float | None) -> float | None:
    return None if value is None else float(checks.positive(name, checks.floats(name, value, ndim=0)))


def _weights(value: ArrayLike, rows: int) -> Floats:
    weight = checks.positive("sample_weight", checks.floats("sample_weight", value, ndim=1), zero=True)
    checks.rows_match("X", rows, "sample_weight", len(weight))
    if not weight.any():
        raise InvalidInput("sample_weight must be above zero for some row; every weight is zero")
    return weight
