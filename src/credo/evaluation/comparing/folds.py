"""Two algorithms on the same folds of one data set.

The scores of two folds are not independent: their training rows overlap, and an ordinary t interval over folds is far
too narrow. Nadeau and Bengio (Inference for the generalization error, 2003) widen it: the variance of the mean over k
folds is taken as ``(1/k + n_test/n_train) s²`` instead of ``s²/k``. Read as a posterior, the same Student t law gives
the probability that the difference is above zero (Corani and Benavoli 2015).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc, stdtr, stdtrit

from credo import checks
from credo.beliefs import Belief, Point, StudentT
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput
from credo.evaluation.comparing.verdict import (
    NAMES,
    Significance,
    Verdict,
    belief_verdict,
    pair_of_names,
    tolerance,
)
from credo.evaluation.intervals import Interval

__all__ = ["correlated_t", "five_by_two", "fold_mean", "fold_t", "mean_belief"]

METHOD = "t over folds, corrected for shared training rows (Nadeau–Bengio)"
EQUAL = "the two score equally in the mean"


def correlated_t(
    first: ArrayLike,
    second: ArrayLike,
    *,
    share: float,
    rope: float = 0.0,
    names: Sequence[str] = NAMES,
    higher_is_better: bool = True,
    level: float = 0.95,
) -> Verdict:
    """The Bayesian correlated t-test: the belief about the mean difference, cut at ``±rope``.

    The differences d of n folds, n_test/n_train = ``share``, give a Student t law with n − 1 degrees of freedom, centre
    mean(d) and scale² = (1/n + share) var(d). Folds without any spread leave no doubt at all.

    >>> print(correlated_t([0.9, 0.8, 0.9], [0.5, 0.6, 0.5], share=0.5, rope=0.05, names=("tree", "rule")))
    tree is better than rule with probability 0.942, practically equivalent (within ±0.05) with 0.024, worse with 0.034;
    tree − rule is 0.333 (-0.120 to 0.787)
    """
    difference = _differences(first, second)
    return belief_verdict(
        mean_belief(difference, share=share),
        fold_mean(difference, share=share, level=level),
        rope=tolerance(rope),
        names=pair_of_names(names),
        higher_is_better=higher_is_better,
        words=(
            "Bayesian correlated t-test over folds",
            "the differences of the folds are normal, and any two are correlated by n_test/(n_test + n_train)",
        ),
        tests=(fold_t(first, second, share=share), fold_t(first, second)),
    )


def fold_t(
    first: ArrayLike,
    second: ArrayLike,
    *,
    share: float = 0.0,
    alternative: Literal["different", "greater", "less"] = "different",
) -> Significance:
    """Student's paired t over folds, ``t = mean(d) / √((1/n + share) var(d))`` on n − 1 degrees of freedom.

    ``share`` = 0 is the textbook test, which takes folds to be independent and finds differences that are not there;
    with n_test/n_train it is Nadeau and Bengio's. ``alternative`` "greater" asks whether the first scores higher.

    >>> print(fold_t([0.9, 0.8, 0.9], [0.5, 0.6, 0.5], share=0.5))
    corrected paired t (Nadeau–Bengio), 2 degrees of freedom = 3.162, p = 0.087 (the two score equally in the mean,
    if the differences of the folds are normal, and correlated as their shared training rows suggest)
    """
    difference = _differences(first, second)
    checks.choice("alternative", alternative, ("different", "greater", "less"))
    sd, df = _sd(difference, share), len(difference) - 1
    kind = "corrected paired t (Nadeau–Bengio)" if share else "paired t"
    name = f"{kind}, {df} degree{'s' * (df > 1)} of freedom"
    dependence = "correlated as their shared training rows suggest" if share else "independent (those of folds are not)"
    assumes = f"the differences of the folds are normal, and {dependence}"
    if _negligible(sd, first, second):
        return Significance(name, math.nan, math.nan, EQUAL, assumes, missing="every fold has the same difference")
    t = float(difference.mean()) / sd
    p = {"greater": stdtr(df, -t), "less": stdtr(df, t), "different": 2 * stdtr(df, -abs(t))}[alternative]
    return Significance(name, t, float(p), EQUAL, assumes)


def five_by_two(first: ArrayLike, second: ArrayLike, *, statistic: Literal["F", "t"] = "F") -> Significance:
    """Five repetitions of two folds, as 5 × 2 tables of scores: Alpaydin's combined F, or Dietterich's t.

    With dᵢⱼ the differences and sᵢ² = (dᵢ₁ − dᵢ₂)²/2: ``F = Σ dᵢⱼ² / (2 Σ sᵢ²)`` on 10 and 5 degrees of freedom, and
    ``t = d₁₁ / √(Σ sᵢ²/5)`` on 5. F uses all ten differences and rejects more of what is false.

    >>> first = [[0.80, 0.82], [0.79, 0.83], [0.81, 0.80], [0.84, 0.79], [0.80, 0.81]]
    >>> second = [[0.75, 0.76], [0.76, 0.74], [0.77, 0.74], [0.75, 0.76], [0.74, 0.75]]
    >>> round(five_by_two(first, second).p, 4)
    0.0499
    """
    checks.choice("statistic", statistic, ("F", "t"))
    one, other = checks.floats("first", first, ndim=2), checks.floats("second", second, ndim=2)
    for name, scores in (("first", one), ("second", other)):
        if scores.shape != (5, 2):
            raise BadShape(f"{name} must hold five repetitions of two folds, a row each; got shape {scores.shape}")
    d = one - other
    spread = float(((d[:, 0] - d[:, 1]) ** 2 / 2).sum())
    name = "5×2 folds, combined F (Alpaydin)" if statistic == "F" else "5×2 folds, t (Dietterich)"
    assumes = "the differences are normal, with the same variance in each repetition"
    if _negligible(math.sqrt(spread), one, other):
        return Significance(name, math.nan, math.nan, EQUAL, assumes, missing="the folds of no repetition differ")
    if statistic == "F":
        value = float((d**2).sum()) / (2 * spread)
        return Significance(name, value, float(fdtrc(10, 5, value)), EQUAL, assumes)
    value = float(d[0, 0]) / math.sqrt(spread / 5)
    return Significance(name, value, float(2 * stdtr(5, -abs(value))), EQUAL, assumes)


def fold_mean(scores: ArrayLike, *, share: float, level: float = 0.95) -> Interval:
    """The mean over folds with its corrected interval; ``share`` is n_test/n_train.

    >>> print(fold_mean([0.9, 0.8, 0.9, 0.8], share=1 / 3))
    0.850 (0.710 to 0.990)
    """
    held = _scores("scores", scores)
    half = float(stdtrit(len(held) - 1, 0.5 + checks.level("level", level) / 2)) * _sd(held, share)
    centre = float(held.mean())
    return Interval(centre, centre - half, centre + half, level, METHOD)


def mean_belief(scores: ArrayLike, *, share: float) -> Belief:
    """The belief about the mean of scores of folds: a Student t law, or a point where they do not vary.

    >>> mean_belief([0.9, 0.8, 0.9, 0.8], share=1 / 3)
    StudentT(df=3, loc=0.85, scale=0.0440959)
    """
    held = _scores("scores", scores)
    sd, centre = _sd(held, share), float(held.mean())
    return StudentT(len(held) - 1, centre, sd) if sd > 0 else Point(centre)


def _differences(first: ArrayLike, second: ArrayLike) -> Floats:
    one, other = _scores("first", first), _scores("second", second)
    checks.rows_match("first", len(one), "second", len(other))
    return one - other


def _sd(scores: Floats, share: float) -> float:
    if not 0 <= share < math.inf:
        raise InvalidInput(f"share must be n_test/n_train, zero or more; got {checks.shown(share)}")
    return math.sqrt((1 / len(scores) + share) * float(scores.var(ddof=1)))


def _negligible(spread: float, first: ArrayLike, second: ArrayLike) -> bool:
    """Whether differences vary by no more than the rounding of the scores they were made of."""
    return spread <= 1e-14 * float(max(np.abs(first).max(), np.abs(second).max()))


def _scores(name: str, scores: ArrayLike) -> Floats:
    held = checks.floats(name, scores, ndim=1)
    checks.count(f"the number of folds in {name}", len(held), least=2)
    return held
