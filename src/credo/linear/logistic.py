"""Logistic regression: classes whose log odds are linear, with the whole posterior of the weights."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from credo import checks
from credo.beliefs import Categorical, MultivariateNormal
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, InvalidInput, NotFitted, TooLarge
from credo.linear import examples
from credo.linear.average import average_sigmoid, average_softmax
from credo.linear.classes import Classes, contrasts
from credo.linear.coordinates import prepare
from credo.linear.design import NARROW
from credo.linear.laplace import Learnt, learn_alpha, mode_at, skew
from credo.linear.newton import Problem
from credo.linear.separation import Separation, most_likely
from credo.linear.summary import Summary
from credo.numerics import log_normalise, one_blas_thread

__all__ = ["LogisticRegression"]

LEAST_PRECISION = 1e-60
LONG = 100_000  # cells times pairs of classes, with which products are many and each too small for the threads of BLAS
CROWDED = 1e-3  # weights a row; below, the posterior is too narrow for the curvature to change in it
MOST_PARAMETERS = 10_000  # whose covariance takes 0.8 GB, and as much again while it is factored


class LogisticRegression(ClassifierMixin, BaseEstimator):
    """Classes whose log odds are linear in the columns, P(second class | x) = σ(θ (w·x + b)), and how sure that is.

    The sigmoid σ(z) = 1/(1 + e⁻ᶻ) has the ``slope`` θ. The weights have the prior N(0, 1/α) each, and the intercept b a
    flat one, so that it is never shrunk. ``alpha`` decides how they are learnt:

    - None: the α of largest evidence p(y | X, α), and the posterior under it;
    - a number above zero: the most probable weights under that prior (scikit-learn's, with C = 1/α), and the posterior;
    - 0: no prior, so the most likely weights; if there are none, because a plane tells the classes apart, that is said.

    The posterior is Laplace's approximation: the normal law around the most probable weights that has their curvature.
    Probabilities average over it, which moves them towards ½ where few rows were seen. For them it is centred at the
    posterior mean (to the next term of the expansion): the posterior leans to larger weights, the more so the better
    the classes are told apart, and around its mode the average would doubt what no row gives reason to. Under maximum
    likelihood nothing says how probable weights are, and the most likely ones are taken at their word.

    All weights share one prior, so the units of the columns matter: standardise them (``tables.Encoder`` does) unless
    their scale is meant. With K > 2 classes each class has weights, P(k | x) ∝ exp θ (w_k·x + b_k), of which only
    the differences matter: those given sum to zero over the classes, so that w_k speaks for class k against the
    geometric mean of all. Each has the prior N(0, 1/α), and the flat prior has density one in the log odds of the
    classes against one of them.

    A row of ``sample_weight`` w counts as w rows that are the same; ``class_weight`` multiplies the weights of the rows
    of each class, and "balanced" makes all classes count as much.

    After ``fit``: ``classes_``, ``coef_`` (1, d) or (K, d), ``intercept_``, ``alpha_``, ``deviance_`` and
    ``null_deviance_`` (−2 ln likelihood, and that of the intercept alone), ``outcome_`` and ``trace_`` (what was made
    larger, step by step); with a prior ``log_evidence_``, ``posterior_`` and ``effective_parameters_`` (how many
    weights the data determine rather than the prior); without one ``separation_`` and ``aliased_`` (where columns stand
    that are sums of multiples of others, and have the weight zero). ``summary()`` is the table of coefficients.

    >>> import numpy as np
    >>> x = np.arange(8.0)[:, None]
    >>> model = LogisticRegression(alpha=1.0).fit(x, ["no", "no", "no", "yes", "no", "yes", "yes", "yes"])
    >>> model.predictive([[7.0]])[0], model.predictive([[7.0]], averaged=False)[0]
    (Categorical({'no': 0.06254, 'yes': 0.9375}), Categorical({'no': 0.04577, 'yes': 0.9542}))
    """

    def __init__(
        self,
        *,
        alpha: float | None = None,
        fit_intercept: bool = True,
        slope: float = 1.0,
        class_weight: Mapping[Any, float] | str | None = None,
        steps: int = 100,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.slope = slope
        self.class_weight = class_weight
        self.steps = steps

    def fit(self, X: Any, y: ArrayLike | str, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from the rows of ``X``, an array, data frame, table or sparse matrix, and their classes ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns.
        """
        alpha, slope = self._alpha(), float(checks.positive("slope", self.slope, ndim=0))
        checks.choice("fit_intercept", self.fit_intercept, (True, False))
        steps = checks.count("steps", self.steps, least=1)
        rows, codes, self.classes_ = examples.learn(self, X, y)
        weight = examples.count_rows(codes, self.classes_, sample_weight, self.class_weight)
        if not weight.all():
            rows, codes, weight = rows[weight > 0], codes[weight > 0], weight[weight > 0]
        with one_blas_thread(when=_is_long(rows, self.classes_)):
            problem = self._problem(rows, Classes(codes, weight, contrasts(len(self.classes_))), alpha)
            inner = None if alpha is None else alpha / slope**2  # with weights θw in place of w, the slope is one
            self._learn(problem, inner, slope, steps)
        self._warn()
        return self

    def predictive(self, X: Any, *, averaged: bool = True) -> Categorical:
        """The belief about the class of each row; with ``averaged=False``, that of the most probable weights."""
        self._require_fit()
        checks.choice("averaged", averaged, (True, False))
        rows = examples.read(self, X)
        with one_blas_thread(when=_is_long(rows, self.classes_)):
            return self._believe(rows, plain=not averaged or self.alpha_ == 0)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        best = self.predictive(X).log_probs.argmax(axis=1)
        classes: NDArray[Any] = self.classes_[best]
        return classes

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).probs

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).log_probs

    @property
    def posterior_(self) -> MultivariateNormal:
        """The belief about the coefficients and, last, the intercept.

        Of more than two classes those of every class but the last, one after another; the last has minus their sum.
        """
        self._require_fit()
        if self.alpha_ == 0:
            raise InvalidInput(
                "alpha=0 is maximum likelihood, which has no prior and so no posterior. Give alpha, or see summary()"
            )
        shown = contrasts(len(self.classes_))[:-1] if len(self.classes_) > 2 else np.ones((1, 1))
        whole = np.einsum("ka,lb,abij->kilj", shown, shown, self._covariance())
        mean = np.column_stack([self.coef_, self.intercept_])[: len(shown), : whole.shape[1]].ravel()
        return MultivariateNormal(mean, whole.reshape(len(mean), len(mean)))

    def summary(self, *, level: float = 0.95) -> Summary:
        """The coefficients with standard errors, z, p and intervals, as a table that prints.

        With a prior the standard errors are those of the posterior. Under maximum likelihood they come from the
        curvature of the likelihood, as everywhere.

        >>> x = [[0.5], [1.0], [1.5], [2.0], [2.5], [3.0]]
        >>> LogisticRegression(alpha=0).fit(x, [0, 0, 1, 0, 1, 1]).summary()
        maximum likelihood, 6 rows; the weights speak for 1 against 0
        deviance 4.956; without the columns 8.318
                   estimate    se      z       p  95% interval
        x0             2.43  1.83   1.33  0.1834   -1.15, 6.01
        intercept     -4.25  3.39  -1.25  0.2098  -10.89, 2.39
        """
        self._require_fit()
        level = checks.level("level", level)
        shown = contrasts(len(self.classes_)) if len(self.classes_) > 2 else np.ones((1, 1))
        variance = np.einsum("ka,kb,abii->ki", shown, shown, self._covariance())
        se = np.sqrt(np.maximum(variance, 0.0))
        se[:, self.aliased_] = np.nan
        if self.separation_ is not None:
            endless = np.column_stack([self.separation_.coef, self.separation_.intercept])[:, : se.shape[1]]
            se[np.abs(endless) > 1e-9 * np.abs(endless).max()] = np.inf
        names = [*examples.names_of(self), *(["intercept"] if self.intercept_free_ else [])]
        if len(shown) > 1:
            names = [f"{state}: {name}" for state in self.classes_.tolist() for name in names]
        estimate = np.column_stack([self.coef_, self.intercept_])[:, : se.shape[1]]
        return Summary(self._heading(), tuple(names), estimate.ravel(), se.ravel(), level)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # ---------------------------------------------------------------- inside

    def _alpha(self) -> float | None:
        """The precision that was given, or None if it is to be learnt."""
        if self.alpha is None:
            return None
        alpha = float(checks.positive("alpha", self.alpha, zero=True, ndim=0))
        if alpha and not LEAST_PRECISION <= alpha <= 1 / LEAST_PRECISION:
            raise BadParameter(
                f"alpha must be zero, for maximum likelihood, or lie between {LEAST_PRECISION:g} and "
                f"{1 / LEAST_PRECISION:g}; got {self.alpha}"
            )
        return alpha

    def _problem(self, rows: Any, classes: Classes, alpha: float | None) -> Problem:
        """The problem in the coordinates in which it is solved."""
        intercept, m = bool(self.fit_intercept), len(self.classes_) - 1
        size = (min(rows.shape) if isinstance(rows, np.ndarray) else rows.shape[1]) * m
        if size > MOST_PARAMETERS:
            raise TooLarge(
                f"the {rows.shape[1]} columns and {m + 1} classes of {rows.shape[0]} rows make {size} weights, whose "
                f"covariance takes {8 * size**2 / 1e9:.1f} GB several times over; at most {MOST_PARAMETERS} are taken "
                "on. Leave columns out"
            )
        names = examples.names_of(self)
        self.coordinates_, gram = prepare(rows, classes.weight, names, intercept=intercept, full_rank=alpha == 0)
        design = self.coordinates_.design(rows, intercept=intercept)
        return Problem(design, classes, gram, np.zeros(design.width))

    def _learn(self, problem: Problem, alpha: float | None, slope: float, steps: int) -> None:
        """Find the weights, and keep what is asked about them."""
        design, classes = problem.design, problem.classes
        total, intercept = float(classes.weight.sum()), design.intercept
        found = None
        if alpha == 0:
            mode, found = most_likely(problem, steps=steps)
            learnt = Learnt(0.0, mode, math.nan, mode.outcome, mode.trace, undecided=False)
        else:
            learnt = learn_alpha(problem, steps=steps) if alpha is None else mode_at(problem, alpha, steps=steps)
        mode, alpha = learnt.mode, learnt.alpha
        (m, width), k = mode.weights.shape, len(self.classes_)
        self.alpha_, self.slope_, self.intercept_free_ = alpha * slope**2, slope, intercept
        self.weights_ = mode.weights
        self.covariance_ = mode.blocks()
        shown = self.coordinates_.original(mode.weights, intercept=intercept) / slope
        shown = contrasts(k) @ shown if k > 2 else shown
        d = self.n_features_in_
        self.coef_, self.intercept_ = shown[:, :d], shown[:, d] if intercept else np.zeros(len(shown))
        shares = np.bincount(classes.codes, weights=classes.weight) / total
        self.deviance_ = 2 * mode.value - alpha * float((mode.weights[:, : width - intercept] ** 2).sum())
        self.null_deviance_ = -2 * total * float(xlogy(shares, shares).sum() if intercept else -math.log(k))
        self.outcome_, self.trace_, self.total_weight_ = learnt.outcome, learnt.trace, total
        self.separation_ = None if found is None else self._separation(*found)
        self.aliased_ = self.coordinates_.left_out
        self.undecided_ = learnt.undecided
        for name in {"log_evidence_", "effective_parameters_"} & vars(self).keys():  # of a fit before this one
            delattr(self, name)
        self.mean_weights_ = mode.weights
        if alpha > 0:
            if width > CROWDED * design.rows:
                self.mean_weights_ = mode.weights - mode.solve(skew(problem, mode, self.covariance_))
            columns = width - intercept
            prior = float(np.einsum("aaii->ai", self.covariance_)[:, :columns].sum()) * alpha
            self.effective_parameters_ = m * columns - prior
            # Density one in the log odds against a class, whose m numbers are √K times those of an orthonormal basis.
            unit = (0.5 * math.log(k) if k > 2 else 0.0) - m * math.log(slope)
            self.log_evidence_ = learnt.log_evidence + (unit if intercept else 0.0)

    def _believe(self, rows: Any, *, plain: bool) -> Categorical:
        """The belief about the class of rows that were checked; with ``plain``, that of the most probable weights."""
        design = self.coordinates_.design(rows, intercept=self.intercept_free_)
        eta = design.times(self.weights_ if plain else self.mean_weights_)
        basis = contrasts(len(self.classes_))
        states = self.classes_.tolist()
        if plain:
            return Categorical.from_log(log_normalise((basis @ eta).T)[0], states)
        spread = design.spreads(self.covariance_)
        if self.coordinates_.basis is not None:  # outside the space of the rows of fit, the prior stands
            outside = _squares(rows - self.coordinates_.centre) - _squares(design.values)
            spread += np.maximum(outside, 0.0)[:, None, None] * np.eye(len(eta)) * self.slope_**2 / self.alpha_
        if len(states) == 2:
            return Categorical.from_log(average_sigmoid(eta[0], spread[:, 0, 0]), states)
        return Categorical.from_log(average_softmax(eta.T, spread, basis), states)

    def _separation(self, kind: str, direction: Floats, on_plane: int) -> Separation:
        shown = self.coordinates_.original(direction, intercept=self.intercept_free_)
        shown = contrasts(len(self.classes_)) @ shown if len(self.classes_) > 2 else shown
        d = self.n_features_in_
        return Separation(kind, shown[:, :d], shown[:, d] if self.intercept_free_ else np.zeros(len(shown)), on_plane)

    def _warn(self) -> None:
        """Say what a person must know about the answer."""
        names = examples.names_of(self)
        told = []
        if self.separation_ is not None:
            reach = np.abs(self.separation_.coef).max(axis=0)
            touched = [repr(names[j]) for j in np.flatnonzero(reach > 1e-9 * reach.max())]
            where = f"{', '.join(touched[:5])}{', …' if len(touched) > 5 else ''}" or "the intercept"
            but = f" but for {self.separation_.on_plane} rows on it" if self.separation_.on_plane else ""
            told.append(
                f"{self.separation_.kind} separation: a plane in {where} tells classes apart{but}, so no weights "
                "are the most likely. Along separation_ the likelihood rises for ever; the weights given are where the "
                "search stopped, and their size means nothing. Give alpha, or alpha=None to learn it"
            )
        elif not self.outcome_.good:
            told.append(f"learning the weights: {self.outcome_.value}")
        if len(self.aliased_):
            repeats = ", ".join(repr(names[j]) for j in self.aliased_[:5]) + (", …" if len(self.aliased_) > 5 else "")
            told.append(
                f"{len(self.aliased_)} columns are constant or sums of multiples of others, so their weights cannot be "
                f"told from the data and are zero: {repeats}. Leave them out, or give alpha"
            )
        if self.undecided_:
            told.append(
                "the classes are told apart so well that the evidence rises with an ever wider prior and cannot choose "
                f"one; alpha={self.alpha_:.3g} is taken, under which log odds of ten are usual. Give alpha if you know "
                "how large weights may be"
            )
        for text in told:
            warnings.warn(text, CredoWarning, stacklevel=3)

    def _heading(self) -> tuple[str, ...]:
        states = self.classes_.tolist()
        how = "maximum likelihood" if self.alpha_ == 0 else f"prior precision alpha {self.alpha_:.4g}"
        speak = f"for {states[1]} against {states[0]}" if len(states) == 2 else "for each class; they sum to zero"
        lines = [f"{how}, {self.total_weight_:g} rows; the weights speak {speak}"]
        lines.append(f"deviance {self.deviance_:.3f}; without the columns {self.null_deviance_:.3f}")
        if self.alpha_ > 0:
            lines[-1] += f"; log evidence {self.log_evidence_:.3f}"
        if self.separation_ is not None:
            lines.append(f"{self.separation_.kind} separation: weights of infinite standard error grow without end")
        elif not self.outcome_.good:
            lines.append(self.outcome_.value)
        return tuple(lines)

    def _covariance(self) -> Floats:
        """Of the weights of the columns and the intercept as they are given: (m, m, d + 1, d + 1)."""
        free = self.intercept_free_
        half = self.coordinates_.original(self.covariance_, intercept=free)
        whole = self.coordinates_.original(np.swapaxes(half, 2, 3), intercept=free).swapaxes(2, 3) / self.slope_**2
        basis = self.coordinates_.basis
        if basis is not None and self.alpha_ > 0:  # outside the space of the rows of fit, the prior stands
            prior = (np.eye(len(basis)) - basis @ basis.T) / self.alpha_
            if free:
                side = -prior @ self.coordinates_.centre
                prior = np.block([[prior, side[:, None]], [side, -side @ self.coordinates_.centre]])
            whole = whole + np.eye(len(whole))[:, :, None, None] * prior
        return np.asarray(whole)

    def _require_fit(self) -> None:
        if "weights_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")


def _is_long(rows: Any, classes: NDArray[Any]) -> bool:
    """Whether to keep the threads of BLAS out of it."""
    pairs = len(classes) * (len(classes) - 1) // 2
    return bool(rows.shape[0] * rows.shape[1] * pairs > LONG and rows.shape[1] <= NARROW)


def _squares(rows: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))
