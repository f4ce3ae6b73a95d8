"""Linear regression with a Gaussian prior on its weights: the whole posterior, and how strong the prior should be."""

from __future__ import annotations

import warnings
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from credo import beliefs, checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NotFitted
from credo.linear import reading
from credo.linear.axes import Axes, rescaled
from credo.linear.evidence import Precisions
from credo.linear.precisions import METHODS, Method, find_precisions
from credo.linear.spread import Spread

__all__ = ["BayesianRegression"]

LEAST_PRECISION = 1e-60  # beyond this, with columns of any size that is allowed, numbers overflow
MOST_LEARNT = 0.8  # weights for a row; beyond it a precision for each has little left to tell noise from
TINY = float(np.finfo(np.float64).tiny)


class BayesianRegression(RegressorMixin, BaseEstimator):
    """Linear regression whose weights have a Gaussian prior of a strength that is learnt from the data.

    The model is y = Xw + b + noise with w ~ N(0, 1/α) for each weight, noise ~ N(0, 1/β), and a flat prior on the
    intercept b, which is therefore never shrunk. ``alpha`` and ``beta`` are used where they are given; where they are
    ``None``, the values of largest evidence p(y | X, α, β) are learnt.

    With ``prior="shared"`` all weights have one α, so the units of the columns matter: standardise them
    (``tables.Encoder`` does) unless their scale is meant. With ``prior="each"`` every weight has an α of its own, which
    says how relevant its column is: for a column that is of no use it becomes infinite, and the weight exactly zero
    (automatic relevance determination). Units do not matter then, but where there are nearly as many columns as rows,
    so many precisions can learn any noise away; give ``beta`` there, or share the prior.

    ``basis`` turns the columns into those that are weighed: a ``PolynomialBasis``, another transformer, or a function
    that takes the rows and returns a table with as many.

    ``method`` is how the precisions are found. ``"search"`` finds the best shared α among all summits of the evidence,
    and moves each of several to its own summit at once. ``"fixed-point"`` puts α = γ / |m|² and β = (n − γ) / |y − Xm|²
    into themselves, ``"gradient"`` follows the slopes along ln α and ln β; they are the textbook's, climb to the
    nearest summit, and are slower.

    The evidence is that of the data after the intercept was integrated out against a prior of density one:
    ``log_evidence_`` = ½ Σ ln α + (n−1)/2 ln β − E(m) − ½ ln|A| − (n−1)/2 ln 2π − ½ ln n, with A = diag(α) + βXᵀX and
    E(m) = β/2 |y − Xm|² + ½ Σ α m² for centred X and y. Without intercept it is the evidence of all n rows as they
    are, and the last term is not there.

    A row of ``sample_weight`` w counts as w rows that are the same: the noise of the row has precision wβ, and n is the
    sum of the weights.

    After ``fit``: ``coef_``, ``intercept_``, ``alpha_`` (one, or one for each weight), ``beta_``, ``log_evidence_``,
    ``posterior_`` (the coefficients and, last, the intercept), ``effective_parameters_`` (how many weights the data
    determine rather than the prior), ``outcome_`` and ``trace_`` (the log evidence at each step of learning).

    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> y = 2 + 3 * x[:, 0] + np.random.default_rng(0).normal(0, 0.5, 50)
    >>> model = BayesianRegression().fit(x, y)
    >>> model.coef_.round(1), round(model.intercept_, 1)
    (array([3.3]), 2.1)
    >>> low, high = model.predictive([[0.5]]).interval(0.9)
    >>> bool(low[0] < 3.5 < high[0])
    True
    >>> from credo.linear import PolynomialBasis
    >>> model = BayesianRegression(prior="each", basis=PolynomialBasis(4)).fit(x, y)
    >>> model.coef_.round(1), model.alpha_.round(2)
    (array([3.3, 0. , 0. , 0.5]), array([0.09,  inf,  inf, 3.04]))
    """

    def __init__(
        self,
        *,
        prior: Literal["shared", "each"] = "shared",
        alpha: ArrayLike | None = None,
        beta: float | None = None,
        fit_intercept: bool = True,
        basis: Any = None,
        method: Method = "search",
    ) -> None:
        self.prior = prior
        self.alpha = alpha
        self.beta = beta
        self.fit_intercept = fit_intercept
        self.basis = basis
        self.method = method

    def fit(self, X: Any, y: ArrayLike | str, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the posterior of the weights from the rows of ``X`` and their targets ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns. A table on disk is then never read whole:
        means and covariances are all that is needed of it.
        """
        checks.choice("prior", self.prior, ("shared", "each"))
        checks.choice("method", self.method, METHODS)
        checks.choice("fit_intercept", self.fit_intercept, (True, False))
        each = self.prior == "each"
        alpha, beta = _precision("alpha", self.alpha, ndim=None if each else 0), _precision("beta", self.beta)
        axes = reading.learn(self, X, y, sample_weight, centred=bool(self.fit_intercept))
        if axes.total <= bool(self.fit_intercept) and (alpha is None or beta is None):
            raise InvalidInput(
                f"X has one row (n_samples=1, or weights that sum to {axes.total:g}), and with an intercept it fits "
                "exactly: nothing is left to learn the precisions from. Give alpha and beta, or more rows"
            )
        if alpha is not None and alpha.shape not in ((), (axes.directions.shape[1],)):
            raise BadShape(
                f"alpha must be one number, or one for each of {axes.directions.shape[1]} weights; got {alpha.shape}"
            )
        self._learn(axes, alpha, None if beta is None else float(beta))
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
        covariance = self.spread_.covariance()
        # A weight that is out, and a constant one, are known exactly; a law needs some width.
        np.fill_diagonal(covariance, np.maximum(np.diag(covariance), TINY))
        mean = np.append(self.coef_, self.intercept_) if self.fit_intercept else self.coef_
        return beliefs.MultivariateNormal(mean, covariance)

    def _learn(self, axes: Axes, alpha: Floats | None, beta: float | None) -> None:
        intercept = bool(self.fit_intercept)
        learnt = find_precisions(axes, alpha, beta, intercept=intercept, each=self.prior == "each", method=self.method)
        self.alpha_, self.beta_ = learnt.alpha, learnt.beta
        self.log_evidence_ = learnt.log_evidence
        self.effective_parameters_ = learnt.effective
        self.outcome_, self.trace_ = learnt.outcome, learnt.trace
        # Weights of their own precision are, in units of their prior, weights that share the precision one.
        scale, strength = np.ones(axes.directions.shape[1]), learnt.alpha
        if isinstance(strength, np.ndarray):
            scale, strength = 1 / np.sqrt(strength), 1.0
            axes = rescaled(axes, scale)
        precisions = strength + learnt.beta * axes.singular**2
        level = 1 / (learnt.beta * axes.total) if intercept else None
        self.spread_ = Spread(axes.directions, precisions, scale, 1 / strength, axes.mean[:-1], level)
        self.coef_ = (learnt.beta * axes.singular * axes.target / precisions) @ axes.directions * scale
        self.intercept_ = float(axes.mean[-1] - axes.mean[:-1] @ self.coef_)
        self._warn(axes, learnt, beta)

    def _warn(self, axes: Axes, learnt: Precisions, beta: float | None) -> None:
        says = None
        if beta is None and self.prior == "each" and learnt.effective > MOST_LEARNT * axes.total:
            says = (
                f"with a precision for each weight, {learnt.effective:.1f} weights were fitted to {axes.total:g} rows, "
                "which can learn any noise away. Give beta, or take prior='shared'"
            )
        elif beta is None and axes.total / learnt.beta < 4 * axes.resolution:
            says = (
                "y is a linear function of X as far as arithmetic can tell, so there is no noise to learn from; "
                f"beta is held at {learnt.beta:.3g}. Give beta if the noise is known"
            )
        elif not learnt.outcome.good:
            says = f"learning alpha and beta: {learnt.outcome.value}"
        if says:
            warnings.warn(says, CredoWarning, stacklevel=4)

    def _sd(self, rows: Floats, *, noise: bool) -> Floats:
        variance = self.spread_.variance(rows) + float(noise) / self.beta_
        # Through the origin the line is known exactly at zero; a law needs some width.
        return np.asarray(np.sqrt(np.maximum(variance, TINY)))

    def _require_fit(self) -> None:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")

    def _rows(self, X: Any) -> Floats:
        self._require_fit()
        return reading.read(self, X)


def _precision(name: str, value: ArrayLike | None, *, ndim: int | None = 0) -> Floats | None:
    if value is None:
        return None
    precision = checks.positive(name, value, ndim=ndim)
    if not ((precision >= LEAST_PRECISION) & (precision <= 1 / LEAST_PRECISION)).all():
        raise BadParameter(
            f"{name} must lie between {LEAST_PRECISION:g} and {1 / LEAST_PRECISION:g}; got {checks.shown(value)}"
        )
    return precision
