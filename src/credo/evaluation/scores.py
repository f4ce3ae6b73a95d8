"""What a prediction is worth, row by row where a mean over rows is the score.

``probabilities`` has a row for each case and a column for each class; ``truth`` holds the column that came true.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from credo.checks import Floats
from credo.evaluation.reading import paired, rows_of_classes

__all__ = ["brier", "log_score", "mae", "r_squared", "rmse"]


def log_score(probabilities: ArrayLike, truth: ArrayLike) -> Floats:
    """Natural log of the probability given to what came true, one a row; higher is better, 0 is perfect.

    >>> log_score([[0.5, 0.5], [0.1, 0.9]], [0, 1]).round(3)
    array([-0.693, -0.105])
    """
    given, codes = rows_of_classes(probabilities, truth)
    with np.errstate(divide="ignore"):  # probability zero for what happened is worth minus infinity
        return np.log(given[np.arange(len(given)), codes])


def brier(probabilities: ArrayLike, truth: ArrayLike) -> Floats:
    """Half the squared distance between the probabilities and what came true, one a row; from 0 (best) to 1.

    For two classes it is ``(p − outcome)²``.

    >>> brier([[0.5, 0.5], [0.1, 0.9]], [0, 1]).round(3)
    array([0.25, 0.01])
    """
    given, codes = rows_of_classes(probabilities, truth)
    distance: Floats = given.copy()
    distance[np.arange(len(given)), codes] -= 1
    squares: Floats = (distance**2).sum(axis=1) / 2
    return squares


def rmse(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The root of the mean squared error.

    >>> rmse([1.0, 2.0], [1.0, 4.0])
    1.4142...
    """
    held, guess = paired(truth, predicted)
    return math.sqrt(float(np.mean((held - guess) ** 2)))


def mae(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The mean absolute error.

    >>> mae([1.0, 2.0], [1.0, 4.0])
    1.0
    """
    held, guess = paired(truth, predicted)
    return float(np.mean(np.abs(held - guess)))


def r_squared(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The share of the variance that is explained, ``1 − Σ(y − ŷ)² / Σ(y − ȳ)²``; NaN when y never varies.

    >>> r_squared([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    held, guess = paired(truth, predicted)
    spread = float(((held - held.mean()) ** 2).sum())
    return 1 - float(((held - guess) ** 2).sum()) / spread if spread > 0 else math.nan
