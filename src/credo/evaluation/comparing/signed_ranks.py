"""Two algorithms on many data sets, one score each on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape
from credo.evaluation.comparing.verdict import NAMES, Significance, Verdict, pair_of_names, tolerance
from credo.evaluation.intervals import Interval

__all__ = ["share_won", "signed_rank", "wilcoxon"]

DRAWS = 20_000
INTERVAL_DRAWS = 2_000  # ends of an interval need fewer, and each costs a sort of all pairs
AT_ONCE = 2**22  # numbers held at a time
METHOD = "Bayesian signed rank"
ASSUMES = "the data sets are drawn independently from those that count, and differences on them can be set side by side"


def signed_rank(
    first: ArrayLike,
    second: ArrayLike,
    *,
    rope: float = 0.0,
    names: Sequence[str] = NAMES,
    higher_is_better: bool = True,
    prior: float = 0.5,
    rng: Any = 0,
    level: float = 0.95,
) -> Verdict:
    """The Bayesian counterpart of Wilcoxon's signed rank test (Benavoli and others 2014), with one score a data set.

    The differences zᵢ, and one imagined difference of zero that weighs ``prior``, get Dirichlet weights w. Of the
    pairs, by those weights, Σ wᵢ wⱼ [zᵢ + zⱼ > 2 rope] favour the first, and so on; the probability of an outcome is
    how often it has the largest share. ``difference`` is the median of (zᵢ + zⱼ)/2.

    >>> v = signed_rank([0.9, 0.8, 0.85, 0.7, 0.95], [0.85, 0.78, 0.86, 0.6, 0.9], rope=0.01, names=("A", "B"))
    >>> print(v)
    A is better than B with probability 0.9..., practically equivalent (within ±0.01) with 0.0..., worse with < 0.001;
    A − B is 0.045 (0.005 to 0.075)
    """
    one, other = _paired(first, second)
    z = np.concatenate([[0.0], one - other])
    held, pair = tolerance(rope), pair_of_names(names)
    extra = float(checks.positive("prior", prior, ndim=0))
    weights = checks.generator(rng).dirichlet([extra, *np.ones(len(z) - 1)], DRAWS)
    above, below = _favour(z, weights, held), _favour(-z, weights, held)
    first_share, second_share = (above, below) if higher_is_better else (below, above)
    shares = np.stack([first_share, np.maximum(1 - above - below, 0.0), second_share], axis=1)
    probabilities = share_won(shares, equivalence=held > 0)
    error = max(math.sqrt(max(p * (1 - p) for p in probabilities) / DRAWS), 1 / DRAWS)
    gap = _median_of_pairs(z, weights[:INTERVAL_DRAWS], level)
    return Verdict(*pair, *probabilities, gap, held, METHOD, ASSUMES, error=error, tests=(wilcoxon(one, other),))


def wilcoxon(first: ArrayLike, second: ArrayLike) -> Significance:
    """Wilcoxon's signed rank test of two algorithms over data sets; data sets without a difference are left out.

    Exact for few data sets, otherwise by the normal law (SciPy).

    >>> wilcoxon([0.9, 0.8, 0.85, 0.7, 0.95], [0.85, 0.78, 0.86, 0.6, 0.88]).p
    0.125
    """
    from scipy.stats import wilcoxon as reference

    one, other = _paired(first, second)
    null = "differences are as often above zero as as far below it"
    if np.array_equal(one, other):
        return Significance("Wilcoxon's signed ranks", math.nan, math.nan, null, ASSUMES, missing="no data set differs")
    # Differences of scores are rounded: those that are equal on paper must be tied here.
    found = reference(np.round(one - other, 12))
    return Significance("Wilcoxon's signed ranks", float(found.statistic), float(found.pvalue), null, ASSUMES)


def share_won(shares: Floats, *, equivalence: bool) -> tuple[float, float, float]:
    """How often each of three columns is the largest; without ``equivalence`` only the outer two count.

    >>> share_won(np.array([[0.5, 0.2, 0.3], [0.1, 0.1, 0.8]]), equivalence=True)
    (0.5, 0.0, 0.5)
    """
    held = shares if equivalence else shares * [1.0, -1.0, 1.0] - [0.0, 1.0, 0.0]
    best = held == held.max(axis=1, keepdims=True)  # those that share a place share the draw
    won = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return float(won[0]), float(won[1]), float(won[2])


def _paired(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = checks.floats("first", first, ndim=1), checks.floats("second", second, ndim=1)
    checks.rows_match("first", len(one), "second", len(other))
    if len(one) < 2:
        raise BadShape(f"first must hold a score for each of two or more data sets; got {len(one)}")
    return one, other


def _favour(z: Floats, weights: Floats, rope: float) -> Floats:
    """Σ wᵢ wⱼ [zᵢ + zⱼ > 2 rope] for each row of weights; where equal, one half."""
    sums = np.round(z[:, None] + z[None, :] - 2 * rope, 12)  # pairs on the border are there up to rounding
    held = (sums > 0) + 0.5 * (sums == 0)
    found = np.empty(len(weights))
    step = max(AT_ONCE // len(z), 1)
    for start in range(0, len(weights), step):
        part = weights[start : start + step]
        found[start : start + step] = np.einsum("ij,ij->i", part @ held, part)
    return found


def _median_of_pairs(z: Floats, weights: Floats, level: float) -> Interval:
    """The median of (zᵢ + zⱼ)/2, all data sets alike, and between which ends it lies as the weights vary."""
    half = checks.level("level", level) / 2
    row, column = np.triu_indices(len(z))
    values = (z[row] + z[column]) / 2
    order = np.argsort(values, kind="stable")
    row, column, values = row[order], column[order], values[order]
    twice = np.where(row == column, 1.0, 2.0)
    medians = np.empty(len(weights))
    step = max(AT_ONCE // len(values), 1)
    for start in range(0, len(weights), step):
        part = weights[start : start + step]
        mass = np.cumsum(part[:, row] * part[:, column] * twice, axis=1)
        place: NDArray[np.intp] = (mass < 0.5).sum(axis=1)
        medians[start : start + step] = values[np.minimum(place, len(values) - 1)]
    low, high = np.quantile(medians, [0.5 - half, 0.5 + half])
    each = z[1:]
    centre = float(np.median((each[:, None] + each[None, :])[np.triu_indices(len(each))] / 2))
    return Interval(centre, min(float(low), centre), max(float(high), centre), level, METHOD)
