"""Reading what is measured: what was said of each row, and what came true."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput

__all__ = ["classes", "nameless", "outcomes", "paired", "rows_of_classes", "scored"]


def nameless(names: list[Any]) -> list[int]:
    """The rows that have no name: None, or not a number.

    >>> nameless(["a", None, float("nan"), 3.0])
    [1, 2]
    """
    return [row for row, name in enumerate(names) if name is None or name != name]


def classes(name: str, value: ArrayLike) -> list[Any]:
    """The class of each row, known for all of them.

    >>> classes("truth", np.array(["ill", "well"]))
    ['ill', 'well']
    """
    held = np.asarray(value, dtype=object)
    if held.ndim != 1:
        raise BadShape(f"{name} must be a list of classes, one a row; got shape {held.shape}")
    listed: list[Any] = held.tolist()
    unknown = nameless(listed)
    if unknown:
        raise InvalidInput(
            f"{name} must be known for every row; row {unknown[0]} has none ({len(unknown)} rows have none). Leave "
            "these rows out"
        )
    return listed


def outcomes(name: str, value: ArrayLike) -> NDArray[np.bool_]:
    """Whether it happened, row by row: truths, or the numbers 0 and 1; names of classes are refused.

    >>> outcomes("happened", [0, 1.0, True]).tolist()
    [False, True, True]
    """
    held = np.asarray(value)
    if held.dtype.kind not in "biuf" or (held.dtype.kind != "b" and not ((held == 0) | (held == 1)).all()):
        raise InvalidInput(
            f"{name} must hold True or False (or 1 or 0) for each row; got {checks.shown(value)}. "
            "Compare with the class that is meant: truth == 'ill'"
        )
    if held.ndim != 1:
        raise InvalidInput(f"{name} must be a list, one entry a row; got shape {held.shape}")
    return held.astype(bool)


def scored(name: str, scores: ArrayLike, positive: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    """Scores, higher for rows more likely positive, and which rows were; any finite or infinite number is a score.

    >>> scored("scores", [0.2, 0.7], [0, 1])
    (array([0.2, 0.7]), array([False,  True]))
    """
    held, hit = checks.floats(name, scores, ndim=1, infinite=True), outcomes("positive", positive)
    checks.rows_match(name, len(held), "positive", len(hit))
    return held, hit


def paired(truth: ArrayLike, predicted: ArrayLike) -> tuple[Floats, Floats]:
    """What was measured and what was predicted, a number a row each.

    >>> paired([1, 2], [1.5, 2])
    (array([1., 2.]), array([1.5, 2. ]))
    """
    held, guess = checks.floats("truth", truth, ndim=1), checks.floats("predicted", predicted, ndim=1)
    checks.rows_match("truth", len(held), "predicted", len(guess))
    return held, guess


def rows_of_classes(probabilities: ArrayLike, truth: ArrayLike) -> tuple[Floats, NDArray[np.intp]]:
    """A row of numbers for each case, one for each class, and the column that came true.

    >>> rows_of_classes([[0.5, 0.5], [0.1, 0.9]], [0, 1])[1]
    array([0, 1])
    """
    given = checks.floats("probabilities", probabilities, ndim=2)
    codes = np.asarray(truth)
    checks.rows_match("probabilities", len(given), "truth", len(codes))
    if codes.dtype.kind not in "iu" or (len(codes) and not (codes.min() >= 0 and codes.max() < given.shape[1])):
        raise InvalidInput(
            f"truth must hold columns of probabilities, 0 to {given.shape[1] - 1}; got {checks.shown(truth)}"
        )
    return given, codes.astype(np.intp)
