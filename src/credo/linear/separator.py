"""Planes by linear programming: the answer whether classes can be separated, with its proof."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from credo import checks
from credo.beliefs import Categorical
from credo.checks import Floats
from credo.errors import CredoWarning, NotFitted
from credo.linear import examples, reading
from credo.linear.certificate import Certificate, separate
from credo.linear.examples import Codes
from credo.linear.planes import Planes, against_rest, learn_confidence

__all__ = ["LinearSeparator"]


class LinearSeparator(ClassifierMixin, BaseEstimator):
    """A plane that separates the classes if there is one, and the proof that there is none if there is not.

    With u = ±(x, 1), the sign that of the row's class, a separating plane v has u·v ≥ 1 for all rows. The linear
    program makes least what is missing, the mean of ξ = max(0, 1 − u·v) over each class: it is zero if the classes can
    be separated, and otherwise its multipliers mix rows of both classes to one point, which no plane can have on both
    sides. Each entry of ``certificates_`` holds the plane, its margin and the point.

    Any separating plane may be found, and it is moved to half way between the classes. With ``maximum_margin`` it is
    the one furthest from all rows, half way between the nearest points of the two convex hulls; the rows that mix to
    these are its support vectors. That is exact and meant for some thousands of rows in some dozens of columns; for
    more, for kernels, and for classes that overlap a little, there is the support vector machine.

    Where classes cannot be separated a warning says so, and the plane of least mean ξ is used.

    Two classes have one plane, with the second of ``classes_`` on its positive side; of more, each has a plane against
    the rest, and a row is given to the class on whose side it lies furthest. ``predictive`` is a vote that is believed
    as far as it deserves: softmax(c s) of the distances s, with the ``confidence`` c under which rows that were left
    out (five more fits) are most probable.

    Settings
        - ``maximum_margin``: whether to find the plane with the largest margin, or just any that separates.
        - ``confidence``: the c above, or None to learn it.

    Fitted, each with an entry for each plane
        - ``coef_`` (of length one) and ``intercept_``: distances are x·coef + intercept;
        - ``separable_``, whether it separates, and ``margin_``, its distance from the nearest row (below zero, where it
          does not separate: the distance of the furthest row on the wrong side);
        - ``certificates_``, all this with its proof: see ``Certificate``;

    and for all: ``confidence_`` and ``classes_``.

    >>> X, y = [[0.0, 0.0], [0.0, 2.0], [3.0, 0.0], [5.0, 2.0]], ["near", "near", "far", "far"]
    >>> model = LinearSeparator(maximum_margin=True).fit(X, y)
    >>> model.coef_.round(9) + 0, model.intercept_.round(9), model.margin_.round(9)
    (array([[-1.,  0.]]), array([1.5]), array([1.5]))
    """

    def __init__(self, *, maximum_margin: bool = False, confidence: float | None = None) -> None:
        self.maximum_margin = maximum_margin
        self.confidence = confidence

    def fit(self, X: Any, y: ArrayLike | str) -> Self:
        """Separate the rows ``X`` of each of the classes ``y`` from the others, or prove that it cannot be done.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns.
        """
        checks.choice("maximum_margin", self.maximum_margin, (True, False))
        if self.confidence is not None:
            checks.positive("confidence", self.confidence, ndim=0)
        rows, codes, classes = examples.learn(self, X, y, sparse_rows=False)
        self.classes_ = classes
        self.certificates_ = self._separate(rows, codes)
        planes = _planes(self.certificates_)
        self.coef_, self.intercept_ = planes.coef, planes.intercept
        self.separable_ = np.array([found.separable for found in self.certificates_])
        self.margin_ = np.array([found.margin for found in self.certificates_])
        names = classes.tolist()
        held = [name for name, separable in zip(names, self.separable_, strict=False) if not separable]
        if held:
            which = f"{names[1]!r} from {names[0]!r}" if len(names) == 2 else f"from the rest: {checks.shown(held)}"
            warnings.warn(
                f"no plane separates {which}. The proof is a point among both, in certificates_; the plane used has "
                "the least mean distance missing. LogisticRegression says how sure it is of a row",
                CredoWarning,
                stacklevel=2,
            )
        self.confidence_ = (
            learn_confidence(rows, codes, lambda some, of: _planes(self._separate(some, of)))
            if self.confidence is None
            else float(self.confidence)
        )
        return self

    def decision_function(self, X: Any) -> Floats:
        """Distances from the planes, in the units of X: for two classes (n,), the second class above zero."""
        distances = self._planes().distances(reading.read(self, X))
        return distances[:, 0] if distances.shape[1] == 1 else distances

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row."""
        best = self._planes().scores(reading.read(self, X)).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[best]
        return classes

    def predictive(self, X: Any) -> Categorical:
        """The belief about the class of each row: the vote of the planes, believed as far as it deserves."""
        scores = self._planes().scores(reading.read(self, X))
        return Categorical.from_log(self.confidence_ * scores, self.classes_.tolist())

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), a column for each of ``classes_``."""
        return self.predictive(X).probs

    def _separate(self, rows: Floats, codes: Codes) -> tuple[Certificate, ...]:
        sides = against_rest(codes, len(self.classes_))
        return tuple(separate(rows, mine, widest=bool(self.maximum_margin)) for mine in sides)

    def _planes(self) -> Planes:
        if "coef_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")
        return Planes(self.coef_, self.intercept_)


def _planes(found: tuple[Certificate, ...]) -> Planes:
    return Planes(np.stack([each.direction for each in found]), np.array([each.offset for each in found]))
