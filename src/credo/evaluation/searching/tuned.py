"""An estimator that chooses its settings by itself, within the rows that it is given."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin, clone, is_classifier
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from credo import checks
from credo.beliefs import Belief, Categorical
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, InvalidInput, NotFitted, NumericalFailure
from credo.estimators import validated
from credo.evaluation.believing import Worth, believe, worth_of
from credo.evaluation.searching.averaging import evidence_weights, stacking_weights, together
from credo.evaluation.searching.driver import seek
from credo.evaluation.searching.judging import EVIDENCE, Evidence, Folds, _with, evidence_of
from credo.evaluation.searching.methods import Grid, Halving, Method, Random, method_of
from credo.evaluation.searching.space import Space
from credo.evaluation.splits import Split, folds, strata
from credo.evaluation.taking import shape_of
from credo.evaluation.validation import checked
from credo.numerics import one_blas_thread
from credo.tables import Table

__all__ = ["Tuned"]

# Splits of rows, from the rows and their targets.
Splitter = Callable[[Any, NDArray[Any]], Sequence[Split]]


def _chooses_classes(tuned: Tuned) -> bool:
    return bool(is_classifier(tuned.estimator))


class Tuned(MetaEstimatorMixin, BaseEstimator):
    """An estimator whose settings are chosen by the rows it is fitted to, and by no others.

    ``space`` says what each setting may be, as for ``maximise``; a step of a pipeline is reached as
    ``"ridge__strength"``. ``method`` is ``"grid"``, ``"random"``, ``"halving"``, ``"bayes"``, or one of these with its
    tries and seconds, ``Bayes(tries=50, seconds=600)``.

    **By what.** ``by="log"`` learns without each of ``folds`` folds of the rows and takes what its beliefs about the
    fold are worth; so do the other names that ``cross_validate`` knows, and a ``Worth``.
    ``by="evidence"`` asks ``log_evidence_`` of one fit to all rows, and needs no folds. ``folds`` may also be a
    function that splits: ``lambda X, y: time_ordered(len(y), 5)``. Groups given to ``fit`` stay whole.

    **Which.** ``combine="best"`` fits the best settings to all rows. ``combine="average"`` integrates them out: every
    candidate speaks, with the weight that Bayes' rule gives it (by the evidence, over a grid or settings drawn evenly)
    or that makes the beliefs about the folds worth most together (stacking, by ``"log"``).

    After ``fit``: ``tuning_`` (everything that was tried), ``models_`` and their ``weights_``, ``best_`` (the one of
    the best settings) and, by the evidence, ``log_evidence_``. Judge it by ``cross_validate``: that is nested
    cross-validation, since it chooses anew within each fold's training rows.

    >>> from credo.evaluation.searching import Grid, Real, Tuned
    >>> from credo.linear import PolynomialBasis, Ridge
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> y = np.sin(4 * x[:, 0]) + np.random.default_rng(0).normal(0, 0.3, 60)
    >>> model = Tuned(Ridge(basis=PolynomialBasis(7)), {"strength": Real(1e-4, 100, log=True)}, method=Grid(tries=7))
    >>> model.fit(x, y).tuning_.best.settings
    {'strength': 0.01}
    >>> model.predictive([[0.5]])
    StudentT(df=[59], loc=[1.13284], scale=[0.269904]) × 1 rows
    """

    _required_parameters = ("estimator",)  # scikit-learn's own checks ask for it

    def __init__(
        self,
        estimator: Any,
        space: Mapping[str, Any] | None = None,
        *,
        method: str | Method = "bayes",
        by: str | Worth = "log",
        folds: int | Splitter = 5,
        combine: Literal["best", "average"] = "best",
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.space = space
        self.method = method
        self.by = by
        self.folds = folds
        self.combine = combine
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, groups: ArrayLike | None = None) -> Self:
        """Search for settings within these rows, then fit what was chosen to all of them."""
        from joblib import effective_n_jobs

        method, space, seed = self._asked()
        X = Table(X) if isinstance(X, Mapping) else X
        targets: NDArray[Any] = validated(self, y=y)
        validated(self, X, look_inside=False)
        if is_classifier(self.estimator):
            check_classification_targets(targets)
        rows = shape_of(X)[0]
        checks.rows_match("X", rows, "y", len(targets))
        if rows < 2:
            raise InvalidInput(
                f"X has {rows} rows (n_samples={rows}), and settings are judged by rows left out. Give more"
            )
        jobs = effective_n_jobs(self.n_jobs)
        judge, at_once = self._judge(X, targets, groups, jobs)
        with warnings.catch_warnings(), one_blas_thread(when=jobs > 1):
            warnings.simplefilter("ignore")  # of candidates; what is chosen says in the end what there is to say
            try:
                self.tuning_ = seek(judge, space, method, rng=np.random.default_rng([seed, 0]), at_once=at_once)
            except NumericalFailure:
                clone(self.estimator).fit(X, targets)  # where the rows are at fault, it refuses them in its own words
                raise
        if self.tuning_.early:
            warnings.warn(f"the search for settings ended early: {self.tuning_.ended}", CredoWarning, stacklevel=2)
        self._keep(X, targets, judge)
        return self

    def predictive(self, X: Any) -> Belief:
        """The belief about every row: that of the best settings, or what all of them say together."""
        self._require_fit()
        return together(self.weights_.tolist(), [believe(model, X) for model in self.models_])

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class, or the mean of the next target."""
        belief = self.predictive(X)
        if isinstance(belief, Categorical):
            classes: NDArray[Any] = self.classes_[belief.probs.argmax(axis=1)]
            return classes
        return np.asarray(belief.mean)

    @available_if(_chooses_classes)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class."""
        belief = self.predictive(X)
        assert isinstance(belief, Categorical)  # noqa: S101 (it is a classifier)
        return belief.probs

    def score(self, X: Any, y: Any) -> float:
        """The share of right answers, or the share of the variance that is explained, as scikit-learn has it."""
        mixin = ClassifierMixin if is_classifier(self.estimator) else RegressorMixin
        return float(mixin.score(self, X, y))

    def __sklearn_tags__(self) -> Tags:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type, tags.classifier_tags = inner.estimator_type, inner.classifier_tags
        tags.regressor_tags, tags.target_tags, tags.input_tags = (
            inner.regressor_tags,
            inner.target_tags,
            inner.input_tags,
        )
        return tags

    # ---------------------------------------------------------------- how it is done

    def _asked(self) -> tuple[Method, Space, int]:
        method, space = method_of(self.method), Space.of({} if self.space is None else self.space)
        for name in space.axes:
            checks.known("setting", name, self.estimator.get_params())
        checks.choice("combine", self.combine, ("best", "average"))
        if self.by == EVIDENCE and isinstance(method, Halving):
            raise BadParameter("method='halving' goes with folds: the evidence of fewer rows says another thing")
        if self.by == EVIDENCE and self.combine == "average" and not isinstance(method, (Grid, Random)):
            raise BadParameter(
                "combine='average' by the evidence goes with method='grid' or 'random', whose settings stand evenly "
                f"for the space; got {checks.shown(self.method)}"
            )
        if self.combine == "average" and self.by not in (EVIDENCE, "log"):
            raise BadParameter(f"combine='average' goes with by='evidence' or by='log'; got {checks.shown(self.by)}")
        return method, space, checks.count("random_state", self.random_state)

    def _judge(self, X: Any, y: NDArray[Any], groups: ArrayLike | None, jobs: int) -> tuple[Folds | Evidence, int]:
        """Who judges settings, and how many at a time keep all jobs busy."""
        if self.by == EVIDENCE:
            return Evidence(self.estimator, X, y, self.n_jobs), jobs
        classes = bool(is_classifier(self.estimator))
        if callable(self.folds):
            splits = checked(self.folds(X, y), len(y))
        else:
            k = min(checks.count("folds", self.folds, least=2), len(y))
            labels = y if classes else strata(y)
            rng = np.random.default_rng([self.random_state, 1])
            splits = list(folds(len(y), k, rng=rng, labels=labels, groups=groups))
        judge = Folds(self.estimator, X, y, splits, worth_of(self.by), classes, self.n_jobs)
        return judge, math.ceil(jobs / len(splits))

    def _keep(self, X: Any, y: NDArray[Any], judge: Folds | Evidence) -> None:
        """The models that speak, fitted to all rows, and their weights."""
        tried = self.tuning_.tried
        best = next(i for i, held in enumerate(tried) if held is self.tuning_.best)
        standing = [i for i, held in enumerate(tried) if not held.failed and held.share == tried[best].share]
        if self.combine == "best":
            standing, weights = [best], np.ones(1)
        elif isinstance(judge, Evidence):
            weights = evidence_weights(np.array([tried[i].score for i in standing]))
        else:
            weights = stacking_weights(np.column_stack([judge.worths[i] for i in standing]))
        speaking = [i for i, weight in zip(standing, weights, strict=True) if weight > 0]
        self.weights_ = weights[weights > 0]
        self.models_ = tuple(_with(self.estimator, tried[i].settings).fit(X, y) for i in speaking)
        self.best_ = self.models_[speaking.index(best) if best in speaking else int(self.weights_.argmax())]
        if is_classifier(self.estimator):
            self.classes_ = self.best_.classes_
        if isinstance(judge, Evidence):
            scores = np.array([tried[i].score for i in standing])
            average = float(np.logaddexp.reduce(scores)) - math.log(len(scores))
            self.log_evidence_ = average if self.combine == "average" else evidence_of(self.best_)

    def _require_fit(self) -> None:
        if "models_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
