"""The support vector classifier: machines that tell two classes apart, one for each pair."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags

from credo import checks
from credo.beliefs import Categorical
from credo.checks import Floats
from credo.errors import CredoWarning, InvalidInput, NotFitted, Outcome
from credo.estimators import dealt
from credo.kernels import Kernel
from credo.linear import examples
from credo.numerics import one_blas_thread
from credo.svm import reading
from credo.svm.calibration import agreeing, learn_calibration
from credo.svm.dual import Settings
from credo.svm.likeness import BLOCK, Likeness, OfMatrix, likeness, rows_of
from credo.svm.machines import Pairs, Solved, solve_pairs, squeezed, summed
from credo.svm.report import Report

__all__ = ["SupportVectorClassifier"]

FOLDS = 5


class SupportVectorClassifier(ClassifierMixin, BaseEstimator):
    """Classes kept apart by the widest margin, in the space of a kernel; a machine for each pair of classes.

    A machine decides by the sign of f(x) = Σ βᵢ k(xᵢ, x) + b, which minimises ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢ f(xᵢ)) over
    all functions of the kernel. Only rows on the wrong side of the margin, or on it, have a β that is not zero: the
    support vectors. Of many classes, each pair has its machine and the class with the most votes is chosen; between as
    many votes, the clearer decisions.

    A machine decides and has no degrees of belief. With ``probability=True`` they are learnt from rows that the
    machines had not seen (five folds more to solve for); without, ``predictive`` puts all probability on what
    ``predict`` says, which should not be taken for a belief about how often that is right.

    Settings
        - ``C``: what a row inside the margin costs; ``inf`` allows none (a hard margin) and refuses classes that
          overlap.
        - ``kernel``: a kernel of ``credo.kernels``, its text (``"SE(1.5)"``), or ``"precomputed"`` if X holds the
          kernel's matrix. None is ``SE`` with length² half the sum of the columns' variances, which is scikit-learn's
          ``gamma="scale"``; their γ is 1/(2 length²).
        - ``class_weight``: a factor of C for each class by name, or ``"balanced"`` for one inverse to its frequency.
        - ``probability``: whether to learn how sure to be.
        - ``tolerance``: by how much the conditions of the optimum may be violated.
        - ``steps``: how many steps a machine may take.
        - ``cache``: megabytes of kernel rows that are kept.

    Fitted
        - ``classes_``, ``kernel_`` and ``report_``, which says how well each machine is solved;
        - ``support_``, ``support_vectors_`` and ``n_support_``: the rows with a β, class after class;
        - ``dual_coef_``: their β in the machines beside each other class, and ``intercept_``, the b of each machine. A
          decision above zero is for the later class of a pair, in the order of ``classes_``;
        - ``calibration_``, or None;
        - ``n_features_in_`` and, where columns have names, ``feature_names_in_``.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2))
    >>> y = np.where((X**2).sum(axis=1) < 1, "in", "out")
    >>> model = SupportVectorClassifier(C=10, probability=True).fit(X, y)
    >>> model.predict([[0.1, 0.2], [2.0, 0.0]])
    array(['in', 'out'], dtype='<U3')
    >>> model.predictive([[0.1, 0.2]])[0]["in"] > 0.9
    True
    >>> model.report_.gap < 1e-2
    True
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Kernel | str | None = None,
        class_weight: Any = None,
        probability: bool = False,
        tolerance: float = 1e-3,
        steps: int = 10_000_000,
        cache: float = 200.0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.class_weight = class_weight
        self.probability = probability
        self.tolerance = tolerance
        self.steps = steps
        self.cache = cache

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Solve for every pair of classes. Ctrl-C stops it and keeps what there is, which ``report_`` then says.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns. ``sample_weight`` multiplies C row by row;
        a row of weight zero has no say.
        """
        settings = self._settings()
        given = reading.named_kernel(self.kernel)
        checks.choice("probability", self.probability, (True, False))
        X, codes, classes = examples.learn(self, X, y)
        X = _in_order(X)
        weight = examples.count_rows(codes, classes, sample_weight, None)
        limit = reading.limits(self.C, examples.count_rows(codes, classes, sample_weight, self.class_weight))
        if isinstance(given, str):
            if X.shape[0] != X.shape[1]:
                raise InvalidInput(f"with kernel='precomputed', X must be square, a row for each row; got {X.shape}")
            alike: Likeness
            self.kernel_, alike = None, OfMatrix(rows_of(X, slice(None)))
        else:
            self.kernel_ = reading.kernel_of(given, X, weight)
            reading.warn_of_scales(X, vars(self).get("feature_names_in_", range(X.shape[1])), self.kernel_, level=3)
            alike = likeness(self.kernel_, X)
        folds = self._folds(X, codes, limit > 0) if self.probability else None
        with one_blas_thread():
            solved = solve_pairs(Pairs(alike, codes, limit, settings.cache), classes.tolist(), settings, folds)
        self.classes_ = classes
        self._keep(X, codes, solved)
        self.calibration_ = None if folds is None else self._calibrated(X, codes, weight, solved)
        self._say(settings)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Two classes: f of each row. More: a score for each class, its votes, and (less than a half) how clear."""
        decisions = self.pair_decisions(X)
        return decisions[:, 0] if len(self.classes_) == 2 else squeezed(decisions, len(self.classes_))

    def pair_decisions(self, X: Any) -> Floats:
        """f of every machine for each row: a column for each pair of classes, (0, 1), (0, 2), …, (1, 2), …"""
        if "report_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
        return self._decide(_in_order(examples.read(self, X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        decisions = self.pair_decisions(X)
        chosen: NDArray[Any] = self.classes_[self._chosen(decisions)]
        return chosen

    def predictive(self, X: Any) -> Categorical:
        """The belief about the class of each row; without ``probability=True``, certainty of what ``predict`` says."""
        decisions = self.pair_decisions(X)
        chosen, k = self._chosen(decisions), len(self.classes_)
        if self.calibration_ is None:
            return Categorical(np.eye(k)[chosen], self.classes_.tolist())
        p = self.calibration_.probabilities(summed(decisions, k))
        return Categorical(agreeing(p, chosen), self.classes_.tolist())

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).probs

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).log_probs

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags

    def _settings(self) -> Settings:
        tolerance = float(checks.positive("tolerance", self.tolerance, ndim=0))
        cache = float(checks.positive("cache", self.cache, ndim=0))
        return Settings(tolerance, checks.count("steps", self.steps, least=1), cache * 1e6)

    def _folds(self, X: Any, codes: NDArray[np.integer], used: NDArray[np.bool_]) -> NDArray[np.intp]:
        content = np.arange(len(codes))[:, None] if self.kernel_ is None else rows_of(X, slice(None))
        folds = np.full(len(codes), -1)
        folds[used] = dealt(content[used], codes[used], FOLDS)
        return folds

    def _keep(self, X: Any, codes: NDArray[np.integer], solved: list[Solved]) -> None:
        """The support vectors of all machines together, sorted by class."""
        k, used = len(self.classes_), np.zeros(len(codes), dtype=bool)
        for machine in solved:
            used[machine.rows[machine.beta != 0]] = True
        rows = np.flatnonzero(used)
        self.support_ = rows[np.argsort(codes[rows], kind="stable")]
        self.n_support_ = np.bincount(codes[self.support_], minlength=k)
        place = np.full(len(codes), -1)
        place[self.support_] = np.arange(len(self.support_))
        self.dual_coef_ = np.zeros((k - 1, len(self.support_)))
        for (a, b), machine in zip(combinations(range(k), 2), solved, strict=True):
            for own, line in ((a, b - 1), (b, a)):
                mine = (codes[machine.rows] == own) & (machine.beta != 0)
                self.dual_coef_[line, place[machine.rows[mine]]] = machine.beta[mine]
        self.support_vectors_ = np.empty((0, X.shape[1])) if self.kernel_ is None else rows_of(X, self.support_)
        self.intercept_ = np.array([machine.bias for machine in solved])
        self.report_ = Report(tuple(machine.account for machine in solved))

    def _decide(self, X: Any) -> Floats:
        k, ends = len(self.classes_), np.concatenate([[0], np.cumsum(self.n_support_)])
        decisions = np.tile(self.intercept_, (X.shape[0], 1))
        tall = max(BLOCK // max(len(self.support_), 1), 1)
        for begin in range(0, X.shape[0], tall):
            rows = rows_of(X, slice(begin, begin + tall))
            K = rows[:, self.support_] if self.kernel_ is None else self.kernel_(rows, self.support_vectors_)
            part = decisions[begin : begin + tall]
            of_class = [slice(ends[c], ends[c + 1]) for c in range(k)]
            sums = [K[:, at] @ self.dual_coef_[:, at].T for at in of_class]  # for each class: beside each other
            for column, (a, b) in enumerate(combinations(range(k), 2)):
                part[:, column] += sums[a][:, b - 1] + sums[b][:, a]
        return decisions

    def _chosen(self, decisions: Floats) -> NDArray[np.intp]:
        if len(self.classes_) == 2:
            return (decisions[:, 0] > 0).astype(np.intp)
        return np.asarray(squeezed(decisions, len(self.classes_)).argmax(axis=1))

    def _calibrated(self, X: Any, codes: NDArray[np.integer], weight: Floats, solved: list[Solved]) -> Any:
        """From decisions about rows unseen; a machine that is about two other classes has not seen a row anyway."""
        decisions = self._decide(X)
        for column, machine in enumerate(solved):
            decisions[machine.rows, column] = machine.unseen
        counted = weight > 0
        return learn_calibration(summed(decisions[counted], len(self.classes_)), codes[counted], weight[counted])

    def _say(self, settings: Settings) -> None:
        left = [machine for machine in self.report_.machines if not machine.outcome.good]
        if left:
            reasons = {machine.outcome for machine in left}
            why = "; ".join(reason.value for reason in Outcome if reason in reasons)
            warnings.warn(
                f"{len(left)} of {len(self.report_.machines)} machines are not solved to {settings.tolerance:g}; the "
                f"worst violation is {self.report_.violation:.2g} ({why}). See report_; a smaller C or standardised "
                "columns make a problem easier",
                CredoWarning,
                stacklevel=3,
            )


def _in_order(rows: Any) -> Any:
    """Row after row, so that sums come out the same however columns were kept."""
    return rows if sparse.issparse(rows) else np.ascontiguousarray(rows)
