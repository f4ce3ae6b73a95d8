"""What a belief about a number was worth once the number is known: proper scores, one a row.

A score is proper if nobody gains by saying anything but what they believe. The mean of a row score, with its interval,
is ``mean(crps(belief, truth))``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, ndtr, stdtr

from credo import checks
from credo.beliefs import Belief, Mixture, Normal, Samples, StudentT
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation.coverage import law_per_row

__all__ = ["crps", "interval_score", "log_density", "pinball"]

ENTRIES = 2_000_000  # draws held at a time
FEW_PARTS = 100  # of a mixture, whose CRPS takes the square of their number


def log_density(belief: Belief, truth: ArrayLike) -> Floats:
    """The predictive log density of what came true (of a count: its log probability), one a row; higher is better.

    >>> from credo.beliefs import Normal
    >>> log_density(Normal([0, 0], [1, 10]), [3, 3]).round(3)
    array([-5.419, -3.267])
    """
    return np.asarray(belief.log_prob(law_per_row(belief, truth)), dtype=np.float64)


def crps(belief: Belief, truth: ArrayLike, *, draws: int = 1000, rng: Any = None) -> Floats:
    """The continuous ranked probability score ∫ (F(x) − 1[x ≥ y])² dx, one a row; lower is better, 0 is perfect.

    It is in the units of the truth, and for a certain belief it is the absolute error. Closed for ``Normal``,
    ``StudentT``, a ``Mixture`` of normal laws and ``Samples``; for any other law it is estimated without bias from
    ``draws`` of it, for which an ``rng`` must be given.

    >>> from credo.beliefs import Normal
    >>> crps(Normal([0, 0], [1, 10]), [0.5, 0.5]).round(3)
    array([0.331, 2.347])
    """
    held = law_per_row(belief, truth)
    if isinstance(belief, Normal):
        return belief.sd * _spread((held - belief.mean) / belief.sd) - belief.sd / math.sqrt(math.pi)
    if isinstance(belief, StudentT):
        return _student(belief, held)
    if isinstance(belief, Mixture) and len(belief.parts) <= FEW_PARTS:
        parts = [part for part in belief.parts if isinstance(part, Normal)]
        if len(parts) == len(belief.parts):
            return _mixture(belief.weights, parts, held)
    if isinstance(belief, Samples):
        return _drawn(belief.values, belief.weights, held, fair=False)
    if rng is None:
        raise BadParameter(
            f"rng, a seed or a generator, must be given for a {type(belief).__name__}: its CRPS is estimated from draws"
        )
    generator, draws = checks.generator(rng), checks.count("draws", draws, least=2)
    step = max(1, ENTRIES // draws)
    parts_of_rows = (slice(start, start + step) for start in range(0, len(held), step))
    found = [_drawn(belief[rows].sample(draws, generator), None, held[rows], fair=True) for rows in parts_of_rows]
    return np.concatenate(found)


def pinball(predicted: ArrayLike, truth: ArrayLike, q: ArrayLike) -> Floats:
    """The loss of a predicted quantile, q (y − ŷ) if it was too low and (1 − q)(ŷ − y) if too high, one a row.

    For several levels ``predicted`` has a line for each, as ``belief.quantile(q)`` has.

    >>> pinball([3.0, 3.0], [5.0, 2.0], 0.9).round(3)
    array([1.8, 0.1])
    >>> from credo.beliefs import Normal
    >>> pinball(Normal([0, 1], 1).quantile([0.1, 0.9]), [0.5, 0.5], [0.1, 0.9]).mean(axis=1).round(3)
    array([0.128, 0.128])
    """
    level = checks.probabilities("q", q, axis=None)
    guess, held = checks.floats("predicted", predicted), checks.floats("truth", truth, ndim=1)
    if guess.shape != (*level.shape, len(held)):
        raise BadShape(
            f"predicted must have the axes of q, then a number for each row, {(*level.shape, len(held))}; "
            f"got shape {guess.shape}"
        )
    error = held - guess
    level = level[..., None]
    loss: Floats = np.maximum(level * error, (level - 1) * error)
    return loss


def interval_score(low: ArrayLike, high: ArrayLike, truth: ArrayLike, *, level: float) -> Floats:
    """The width of a central interval, and 2/(1 − level) times how far the truth lies outside, one a row.

    >>> interval_score([0.0, 0.0], [4.0, 4.0], [1.0, 5.0], level=0.9).round(3)
    array([ 4., 24.])
    """
    level = checks.level("level", level)
    below, above = checks.floats("low", low, ndim=1), checks.floats("high", high, ndim=1)
    held = checks.floats("truth", truth, ndim=1)
    checks.rows_match("low", len(below), "truth", len(held))
    checks.rows_match("high", len(above), "truth", len(held))
    if (above < below).any():
        raise InvalidInput(f"high must not be below low; it is in row {int((above < below).argmax())}")
    outside = np.maximum(below - held, 0) + np.maximum(held - above, 0)
    score: Floats = above - below + 2 / (1 - level) * outside
    return score


def _spread(z: Floats) -> Floats:
    """E|Z − z| for a standard normal Z."""
    return z * (2 * ndtr(z) - 1) + math.sqrt(2 / math.pi) * np.exp(-z * z / 2)


def _student(belief: StudentT, truth: Floats) -> Floats:
    df, scale = belief.df, belief.scale
    if (df <= 1).any():
        raise InvalidInput(
            f"belief must have a mean for the CRPS: df above 1; got df {df.min():g}. Score it by log_density"
        )
    z = (truth - belief.loc) / scale
    density = np.exp(StudentT(df, 0.0, 1.0).log_prob(z))
    pair = 2 * np.sqrt(df) / (df - 1) * np.exp(betaln(0.5, df - 0.5) - 2 * betaln(0.5, df / 2))
    found: Floats = scale * (z * (2 * stdtr(df, z) - 1) + 2 * density * (df + z * z) / (df - 1) - pair)
    return found


def _mixture(weights: Floats, parts: list[Normal], truth: Floats) -> Floats:
    """E|X − y| − ½ E|X − X′|, the difference of two normal numbers being normal."""
    total = np.zeros(len(truth))
    for i, one in enumerate(parts):
        total += weights[..., i] * one.sd * _spread((truth - one.mean) / one.sd)
        for j, other in enumerate(parts[: i + 1]):
            sd = np.hypot(one.sd, other.sd)
            apart = sd * _spread((one.mean - other.mean) / sd)
            total -= weights[..., i] * weights[..., j] * apart * (0.5 if i == j else 1.0)
    return total


def _drawn(values: Floats, weights: Floats | None, truth: Floats, *, fair: bool) -> Floats:
    """The CRPS of a law of draws, (draws, rows); ``fair`` makes it that of the law they were drawn from."""
    m = len(values)
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    share = np.full(values.shape, 1 / m) if weights is None else weights[order]
    away = (share * np.abs(ordered - truth)).sum(axis=0)
    # ½ E|X − X′| = Σ wᵢ x₍ᵢ₎ (2Wᵢ − wᵢ − 1), where W is the weight up to and with i; from the mean, to keep digits.
    centred = ordered - (share * ordered).sum(axis=0)
    pairs = (share * centred * (2 * np.cumsum(share, axis=0) - share - 1)).sum(axis=0)
    found: Floats = away - pairs * (m / (m - 1) if fair else 1.0)
    return found
