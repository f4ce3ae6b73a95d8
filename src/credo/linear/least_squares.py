"""Linear regression by maximum likelihood: least squares, with what is known about every coefficient."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from credo import checks
from credo.beliefs import StudentT
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, NotFitted, NumericalFailure, Outcome
from credo.linear import reading
from credo.linear.axes import Axes
from credo.linear.bases import names_of
from credo.linear.coefficients import Coefficients, tabulated
from credo.linear.descent import descend
from credo.linear.spread import Spread

__all__ = ["LinearRegression"]

TINY = float(np.finfo(np.float64).tiny)
DETERMINED = 1e-8  # how far the share of a weight that lies along the rows may be from one by rounding


class LinearRegression(RegressorMixin, BaseEstimator):
    """Linear regression by maximum likelihood: the weights under which the rows are most probable.

    With normal noise these make E(w) = ½ Σ (yᵢ − w·xᵢ − b)² least. There is no prior, so there is no evidence;
    ``BayesianRegression`` has both.

    ``method="qr"`` solves for them at once, by a QR factoring of X, which loses no digits to squares as the normal
    equations XᵀX w = Xᵀy do. ``method="gradient"`` takes ``steps`` small steps downhill, w ← w − step ∂E/∂w, from
    w = 0, until along every axis of the rows the slope has fallen to ``tolerance`` times what it was; ``step`` is
    chosen if it is not given. With an intercept it descends on centred columns, and b follows from the means.

    Where columns repeat each other, or are more than the rows, many weights fit equally well: the shortest are given,
    a warning says so, and the coefficients that the rows do not determine have infinite standard errors.

    ``basis`` turns the columns into those that are weighed: a ``PolynomialBasis``, another transformer, or a function
    that takes the rows and returns a table with as many. A row of ``sample_weight`` w counts as w rows that are the
    same.

    After ``fit``: ``coef_``, ``intercept_``, ``noise_sd_`` (from the ``df_`` degrees of freedom that weights leave),
    ``rank_``, ``log_likelihood_``, ``outcome_`` and ``trace_`` (E after each step).

    >>> import numpy as np
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> y = 2 + 3 * x[:, 0] + np.random.default_rng(0).normal(0, 0.5, 50)
    >>> model = LinearRegression().fit(x, y)
    >>> model.coefficients(level=0.95)
               estimate    error      t          p    low   high
    x0             3.29   0.1035  31.79  6.662e-34  3.082  3.498
    intercept     2.064  0.06096  33.87  3.628e-35  1.942  2.187
    >>> model.predictive([[0.5]])[0]
    StudentT(df=48, loc=3.70954, scale=0.438374)
    """

    def __init__(
        self,
        *,
        basis: Any = None,
        fit_intercept: bool = True,
        method: Literal["qr", "gradient"] = "qr",
        step: float | None = None,
        steps: int = 10_000,
        tolerance: float = 1e-8,
    ) -> None:
        self.basis = basis
        self.fit_intercept = fit_intercept
        self.method = method
        self.step = step
        self.steps = steps
        self.tolerance = tolerance

    def fit(self, X: Any, y: ArrayLike | str, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights from the rows of ``X`` and their targets ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns. A table on disk is then never read whole;
        it is known by the sums of squares and products alone, in which directions shorter than 1e-6 of their column
        cannot be told from nothing.
        """
        checks.choice("method", self.method, ("qr", "gradient"))
        checks.choice("fit_intercept", self.fit_intercept, (True, False))
        step = None if self.step is None else float(checks.positive("step", self.step, ndim=0))
        if step is not None and self.method == "qr":
            raise BadParameter("step goes with method='gradient'; method='qr' takes no steps. Leave it out")
        steps, tolerance = checks.count("steps", self.steps, least=1), checks.level("tolerance", self.tolerance)
        axes = reading.learn(self, X, y, sample_weight, centred=bool(self.fit_intercept), squared=False)
        if self.method == "gradient":
            along, self.trace_, self.outcome_ = descend(axes, step=step, steps=steps, tolerance=tolerance)
        else:
            along, self.trace_, self.outcome_ = (
                axes.target / axes.singular,
                np.array([axes.rest / 2]),
                Outcome.CONVERGED,
            )
        self.coef_ = along @ axes.directions
        self.intercept_ = float(axes.mean[-1] - axes.mean[:-1] @ self.coef_)
        self._learn(axes)
        return self

    def predict(self, X: Any) -> Floats:
        """The most probable target for each row."""
        self._require_fit()
        guess: Floats = reading.read(self, X) @ self.coef_ + self.intercept_
        return guess

    def predictive(self, X: Any, *, noise: bool = True) -> StudentT:
        """The belief about the next target for each row or, with ``noise=False``, about the line itself there.

        It is Student's because the size of the noise is not known but learnt from ``df_`` degrees of freedom; weights
        and the logarithm of the noise have flat priors. A row outside what the rows of ``fit`` determine is refused.
        """
        self._require_fit()
        self._require_noise()
        rows = reading.read(self, X)
        variance = self.spread_.variance(rows)
        if np.isinf(variance).any():
            raise NumericalFailure(
                f"row {int(np.isinf(variance).argmax())} of X differs from the rows of fit in a way in which they "
                "never did, so without a prior nothing is known there. Take Ridge or BayesianRegression"
            )
        variance = np.maximum(variance + float(noise) * self.noise_sd_**2, TINY)
        return StudentT(self.df_, rows @ self.coef_ + self.intercept_, np.sqrt(variance))

    def coefficients(self, *, level: float = 0.95) -> Coefficients:
        """Every coefficient with its standard error and its interval of the ``level``, as a table.

        >>> LinearRegression().fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 2.5]).coefficients(level=0.9).error.round(3)
        array([0.144, 0.312])
        """
        self._require_fit()
        self._require_noise()
        level = checks.level("level", level)
        d = len(self.coef_)
        directions = self.spread_.directions
        error = np.sqrt(np.diag(replace(self.spread_, elsewhere=0.0).covariance()))
        error[:d][np.einsum("ij,ij->j", directions, directions) < 1 - DETERMINED] = np.inf
        if self.fit_intercept:  # it is the line at zero
            error[d] = np.sqrt(self.spread_.variance(np.zeros((1, d))))[0]
        names = names_of(self.basis_, vars(self).get("feature_names_in_"), d)
        estimate = np.append(self.coef_, self.intercept_) if self.fit_intercept else self.coef_
        return tabulated(names + ["intercept"] * bool(self.fit_intercept), estimate, error, self.df_, level)

    def _learn(self, axes: Axes) -> None:
        """The noise, and how far the weights may be off."""
        d, intercept = axes.directions.shape[1], bool(self.fit_intercept)
        self.rank_ = len(axes.singular)
        self.df_ = float(axes.total - self.rank_ - intercept)
        variance = axes.rest / self.df_ if self.df_ > 0 else math.nan
        self.noise_sd_ = math.sqrt(variance)
        self.log_likelihood_ = -axes.total / 2 * (math.log(2 * math.pi * axes.rest / axes.total) + 1)
        level = variance / axes.total if intercept else None
        self.spread_ = Spread(axes.directions, axes.singular**2 / variance, np.ones(d), math.inf, axes.mean[:-1], level)
        for says in self._remarks(axes, d):
            warnings.warn(says, CredoWarning, stacklevel=3)

    def _remarks(self, axes: Axes, d: int) -> list[str]:
        says = []
        if not self.outcome_.good:
            says.append(f"gradient descent: {self.outcome_.value}. Columns of one size make it shorter")
        if self.rank_ < d:
            says.append(
                f"X has {d} columns of rank {self.rank_}: some are constant, repeat others, or are more than the rows, "
                "so many weights fit equally well, of which the shortest are given. Leave columns out, or take Ridge "
                "or BayesianRegression, whose prior decides"
            )
        if self.df_ <= 0:
            says.append(
                f"{axes.total:g} rows are fitted exactly by {d} weights, and nothing is left to learn the noise from. "
                "Take more rows, or Ridge or BayesianRegression"
            )
        elif axes.rest <= 4 * axes.resolution:
            says.append(
                "y is a linear function of X as far as arithmetic can tell, so there is no noise to learn from; "
                f"noise_sd_ is held at {self.noise_sd_:.3g}"
            )
        return says

    def _require_fit(self) -> None:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")

    def _require_noise(self) -> None:
        if self.df_ <= 0:
            raise NumericalFailure(
                f"the rows are fitted exactly (df_={self.df_:g}), so nothing tells how large the noise is. "
                "Fit more rows, or take Ridge or BayesianRegression"
            )
