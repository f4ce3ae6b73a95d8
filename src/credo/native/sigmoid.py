"""The border of the sigmoid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape
from credo.native.border import typed
from credo.native.chosen import loops

__all__ = ["sigmoid_pass"]


def sigmoid_pass(
    X: Floats, w: Floats, b: float, codes: NDArray[np.int32], weight: Floats
) -> tuple[float, Floats, Floats]:
    """−Σ weight ln P(class of the row), its gradient by ``w`` and last by ``b``, and P(class) in two rows.

    The log odds of class 1 against class 0 are b + Xw; any code but 1 is of class 0.

    >>> loss, gradient, probs = sigmoid_pass(
    ...     np.array([[1.0], [2.0]]), np.array([0.0]), 0.0, np.array([0, 1], dtype=np.int32), np.ones(2)
    ... )
    >>> round(loss, 6), gradient, probs[1]
    (1.386294, array([-0.5,  0. ]), array([0.5, 0.5]))
    """
    X, w = typed("X", X, np.float64, 2), typed("w", w, np.float64, 1)
    codes, weight = typed("codes", codes, np.int32, 1), typed("weight", weight, np.float64, 1)
    if len(w) != X.shape[1]:
        raise BadShape(f"w must have a number for each of the {X.shape[1]} columns of X; got {len(w)}")
    checks.rows_match("X", len(X), "codes", len(codes))
    checks.rows_match("X", len(X), "weight", len(weight))
    return loops.sigmoid_pass(X, w, float(b), codes, weight)
