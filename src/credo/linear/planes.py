"""What classifiers that only draw planes share: a plane for each class, and how far to believe a side.

Two classes have one plane, with the second class on its positive side. More classes have one each, with the class on
the positive side and all others on the negative one, and a row is given to the class on whose side it lies furthest.

A plane says which side, and not how sure. How sure is learnt from rows that were left out: the belief is softmax(c s),
where s are a row's distances and c is the confidence under which the classes of the rows that were left out are most
probable. A plane that was never wrong would ask for c = ∞; so each of the n rows of a class counts as that class by
(n + 1)/(n + K) and as each other by 1/(n + K), as if one row of each class had been seen besides. One number for all
rows cannot move a row to another class.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.estimators import dealt
from credo.linear.examples import Codes
from credo.numerics import log_normalise

__all__ = ["Planes", "against_rest", "learn_confidence"]

FOLDS = 5
LEAST, MOST = 1e-9, 1e9  # of the confidence, for distances whose largest is one


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """A plane for each class against the rest, or one for two classes: distances are x·coef + intercept."""

    coef: Floats
    intercept: Floats

    def distances(self, rows: Floats) -> Floats:
        """(n, planes): how far on its positive side each row lies from each plane."""
        return np.asarray(rows @ self.coef.T + self.intercept)

    def scores(self, rows: Floats) -> Floats:
        """(n, classes): how far each row lies on the side of each class."""
        distances = self.distances(rows)
        return np.hstack([-distances, distances]) if distances.shape[1] == 1 else distances


def against_rest(codes: Codes, classes: int) -> list[NDArray[np.bool_]]:
    """For each plane, which rows belong on its positive side.

    >>> against_rest(np.array([0, 1, 1], dtype=np.int32), 2)
    [array([False,  True,  True])]
    """
    return [codes == k for k in (range(classes) if classes > 2 else (1,))]


def learn_confidence(rows: Floats, codes: Codes, learn: Callable[[Floats, Codes], Planes]) -> float:
    """The confidence c, from rows that are left out in turn, a fifth of each class, of what is learnt from the others.

    A class is never left out as a whole. With no rows to be left out, nothing is known, and c is next to nothing.
    """
    fold, classes = dealt(rows, codes, FOLDS), int(codes.max()) + 1
    for k in range(classes):
        if len(np.unique(fold[codes == k])) == 1:
            fold[codes == k] = -1
    scores, own = np.zeros((0, classes)), np.zeros(0, dtype=np.intp)
    for k in range(FOLDS):
        out = fold == k
        if out.any():
            planes = learn(rows[~out], codes[~out])
            scores, own = np.vstack([scores, planes.scores(rows[out])]), np.append(own, codes[out])
    return best_confidence(scores, own)


def best_confidence(scores: Floats, codes: NDArray[np.integer]) -> float:
    """The c of greatest likelihood of the classes ``codes`` under softmax(c · ``scores``), each class counted as above.

    >>> right = np.array([[1.0, -1.0]] * 9)  # nine times right, never wrong: ten to one
    >>> round(float(np.exp(2 * best_confidence(right, np.zeros(9, dtype=int)))), 6)
    10.0
    """
    n, classes = scores.shape
    size = float(np.abs(scores).max(initial=0.0))
    if not size:
        return LEAST
    count = np.bincount(codes, minlength=classes)[codes]
    counted = np.repeat(1 / (count + classes), classes).reshape(n, classes)
    counted[np.arange(n), codes] *= count + 1

    def slope(log_confidence: float) -> float:
        shares = np.exp(log_normalise(math.exp(log_confidence) * scores / size)[0])
        return float(((counted - shares) * scores).sum()) / size

    low, high = math.log(LEAST), math.log(MOST)
    if slope(low) <= 0:
        return LEAST / size
    if slope(high) >= 0:
        return MOST / size
    from scipy.optimize import brentq

    return float(math.exp(brentq(slope, low, high, xtol=1e-12))) / size
