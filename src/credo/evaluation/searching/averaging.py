"""Settings that are integrated out: how much each candidate is to be listened to, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from credo.beliefs import Belief, Categorical, Mixture
from credo.checks import Floats
from credo.numerics import log_normalise

__all__ = ["evidence_weights", "stacking_weights", "together"]

LEAST = 0.01  # of the largest weight: a candidate with less is left out
STEPS = 2000
TOLERANCE = 1e-9


def evidence_weights(log_evidence: Floats) -> Floats:
    """Bayes' rule over candidates that were equally probable: P(candidate | y), those next to nothing left out.

    >>> evidence_weights(np.array([-10.0, -11.0, -50.0])).round(3)
    array([0.731, 0.269, 0.   ])
    """
    return _without_small(np.exp(log_normalise(log_evidence)[0]))


def stacking_weights(worths: Floats) -> Floats:
    """The weights w of largest Σᵢ log Σₖ wₖ pₖ(yᵢ), from the log probability that each candidate (a column) gave.

    The beliefs must be about rows that did not teach. The sum is concave in w, and each step of EM,
    wₖ ← meanᵢ wₖ pₖ(yᵢ) / Σⱼ wⱼ pⱼ(yᵢ), raises it.

    >>> stacking_weights(np.log([[0.9, 0.5], [0.1, 0.5], [0.9, 0.5]])).round(3)
    array([0.417, 0.583])
    """
    known = np.isfinite(worths.max(axis=1))  # what nobody thought possible tells nobody apart
    given = np.exp(worths[known] - worths[known].max(axis=1, keepdims=True))
    weights = np.full(worths.shape[1], 1 / worths.shape[1])
    for _ in range(STEPS if len(given) else 0):
        shares = given * weights
        following = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
        moved = np.abs(following - weights).max()
        weights = following
        if moved < TOLERANCE:
            break
    return _without_small(weights)


def together(weights: Sequence[float], said: Sequence[Belief]) -> Belief:
    """What candidates say together: a mixture, and of classes the mean of their probabilities.

    >>> together([0.5, 0.5], [Categorical([[0.2, 0.8]], ["a", "b"]), Categorical([[0.4, 0.6]], ["a", "b"])])[0]
    Categorical({'a': 0.3, 'b': 0.7})
    """
    if len(said) == 1:
        return said[0]
    first = said[0]
    if isinstance(first, Categorical):
        probs = sum(w * part.probs for w, part in zip(weights, said, strict=True) if isinstance(part, Categorical))
        return Categorical(probs, first.states)
    return Mixture(np.asarray(weights), said)


def _without_small(weights: Floats) -> Floats:
    kept = np.where(weights >= LEAST * weights.max(), weights, 0.0)
    normalised: Floats = kept / kept.sum()
    return normalised
