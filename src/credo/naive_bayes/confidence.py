"""How far a naive Bayes model is to be believed, learnt from rows that it had not seen.

Columns that say the same thing are counted as if each brought news, and so the model is too sure. Its log probabilities
are more often right in their order than in their size. The belief softmax(ε log P) keeps the order, and what became of
rows that were left out says which confidence ε is right. It is at most 1: a few rows that happen to be told apart
without an error would ask for certainty, which costs dearly at the first error.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.estimators import dealt
from credo.naive_bayes.cells import Examples
from credo.naive_bayes.joint import Joint
from credo.naive_bayes.statistics import Statistics
from credo.numerics import log_normalise

__all__ = ["best_confidence", "learn_confidence"]

FOLDS = 10
LEAST = 1e-9
HUGE = 1e250  # stands for infinity and can be multiplied by zero


def learn_confidence(examples: Examples, learn: Callable[[Statistics], Joint]) -> float:
    """The confidence of greatest likelihood over the examples, each judged by what was ``learn``t without it.

    The folds depend on what the rows hold and not on their order. Equal rows share one, so that a weight of 2 is the
    same as a row that stands there twice.
    """
    if examples.weights is not None:
        examples = examples.take(np.flatnonzero(examples.weights))
    cells = examples.cells
    fold = dealt(np.column_stack([cells.numbers, *cells.codes]), examples.y, FOLDS)
    judged = [np.flatnonzero(fold == k) for k in range(int(fold.max()) + 1)]
    if len(judged) < 2:
        return 1.0  # one row, however often, leaves nothing to learn from
    joint = np.empty((len(fold), examples.classes))
    for k, rows in enumerate(judged):
        others = Statistics.of_examples(examples.take(np.flatnonzero(fold != k)))
        joint[rows] = learn(others).log_prob(examples.cells.take(rows))
    return best_confidence(joint, examples.y, examples.weights)


def best_confidence(joint: Floats, y: NDArray[np.integer], weights: Floats | None = None) -> float:
    """The ε between 10⁻⁹ and 1 that maximises Σ wᵢ log softmax(ε lᵢ)[yᵢ], where lᵢ are the rows of ``joint``.

    The sum is concave in ε; its slope is Σ wᵢ (lᵢ[yᵢ] − Σₖ softmax(ε lᵢ)[k] lᵢ[k]). A row whose class was held to be
    impossible is minus infinity for every ε, and has no say; 1 if no row has.

    >>> joint = np.log([[0.9, 0.1]] * 4)  # 0.9 every time, and right in three of four
    >>> found = best_confidence(joint, np.array([0, 0, 0, 1]))
    >>> (np.exp(found * joint[0]) / np.exp(found * joint[0]).sum()).round(6)
    array([0.75, 0.25])
    """
    told = np.isfinite(joint[np.arange(len(y)), y])
    joint = np.clip(joint[told], -HUGE, HUGE)
    gaps = joint - joint[np.arange(len(joint)), y[told], None]
    if not gaps.any():
        return 1.0
    counts = np.ones(len(gaps)) if weights is None else weights[told]

    def slope(log_confidence: float) -> float:
        shares = np.exp(log_normalise(math.exp(log_confidence) * gaps)[0])
        return -float(counts @ (shares * gaps).sum(axis=1))

    if slope(0.0) >= 0:
        return 1.0
    if slope(math.log(LEAST)) <= 0:
        return LEAST
    from scipy.optimize import brentq

    return math.exp(brentq(slope, math.log(LEAST), 0.0))
