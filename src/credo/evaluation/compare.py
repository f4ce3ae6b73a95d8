"""Is one model better than another on the same folds, and how surely?

The scores of two folds are not independent: their training rows overlap, and an ordinary t interval over folds is far
too narrow. Nadeau and Bengio (Inference for the generalization error, 2003) widen it: the variance of the mean over k
folds is taken as ``(1/k + n_test/n_train) s²`` instead of ``s²/k``. Read as a posterior, the same Student t law gives
the probability that the difference is above zero (Corani and Benavoli 2015).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.evaluation.intervals import Interval

__all__ = ["Comparison", "compare", "fold_mean"]

METHOD = "t over folds, corrected for shared training rows (Nadeau–Bengio)"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two models on the same folds, and the probability that it is above zero.

    >>> c = compare([0.9, 0.8, 0.9], [0.5, 0.6, 0.5], share=0.5)
    >>> print(c.difference, round(c.above_zero, 2))
    0.333 (-0.120 to 0.787) 0.96
    """

    difference: Interval
    above_zero: float

    @property
    def distinguishable(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.difference.low > 0 or self.difference.high < 0


def compare(first: ArrayLike, second: ArrayLike, *, share: float, level: float = 0.95) -> Comparison:
    """``first − second``, one score a fold each, on the same folds; ``share`` is n_test/n_train (1/9 for ten folds).

    >>> compare([0.9, 0.8, 0.9], [0.9, 0.9, 0.8], share=0.5).above_zero
    0.5
    """
    one, other = _scores("first", first), _scores("second", second)
    checks.rows_match("first", len(one), "second", len(other))
    difference = one - other
    sd = _sd(difference, share)
    centre = float(difference.mean())
    # Without spread the sign decides: 0, one half or 1.
    above = float(stdtr(len(difference) - 1, centre / sd)) if sd > 0 else 0.5 + 0.5 * float(np.sign(centre))
    return Comparison(fold_mean(difference, share=share, level=level), above)


def fold_mean(scores: ArrayLike, *, share: float, level: float = 0.95) -> Interval:
    """The mean over folds with its corrected interval; ``share`` is n_test/n_train.

    >>> print(fold_mean([0.9, 0.8, 0.9, 0.8], share=1 / 3))
    0.850 (0.710 to 0.990)
    """
    held = _scores("scores", scores)
    half = float(stdtrit(len(held) - 1, 0.5 + checks.level("level", level) / 2)) * _sd(held, share)
    centre = float(held.mean())
    return Interval(centre, centre - half, centre + half, level, METHOD)


def _sd(scores: Floats, share: float) -> float:
    if not 0 <= share < math.inf:
        raise InvalidInput(f"share must be n_test/n_train, zero or more; got {checks.shown(share)}")
    return math.sqrt((1 / len(scores) + share) * float(scores.var(ddof=1)))


def _scores(name: str, scores: ArrayLike) -> Floats:
    held = checks.floats(name, scores, ndim=1)
    checks.count(f"the number of folds in {name}", len(held), least=2)
    return held
