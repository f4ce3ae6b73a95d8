"""The expected loss of one action under any belief about a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo.beliefs import Belief, Categorical, Point, Samples
from credo.beliefs.expectation import expect
from credo.beliefs.states import numeric
from credo.checks import Floats, shown
from credo.errors import BadShape, InvalidInput, NumericalFailure

__all__ = ["expected_loss"]

Outcomes = Callable[[Any, Floats], Floats]

# Where a loss jumps at unknown outcomes: how many quantiles it is averaged over, and how far half as many may be off.
QUANTILES = 100_000
AGREEMENT = 1e-3


def expected_loss(loss: Callable[[Any, Floats], Any], belief: Belief, action: Any, *corners: ArrayLike) -> Floats:
    """E loss(action, X) for X as ``belief`` says, one number or one for each belief of a batch.

    A sum for beliefs that are a finite number of outcomes, otherwise a quadrature over the quantiles to about ten
    digits. ``corners`` are the outcomes at which the loss has a kink or jumps; it is cut there. A loss that jumps
    elsewhere is averaged over many quantiles, to about four digits. For a batch, ``action`` and each of the corners is
    one number for all or one for each belief.
    """

    def losses(choice: Any, outcomes: Floats) -> Floats:
        values = np.asarray(loss(choice, outcomes), dtype=np.float64)
        if values.shape != outcomes.shape:
            raise BadShape(
                f"loss(action, outcomes) must give a number for each of an array of outcomes; for outcomes of shape "
                f"{outcomes.shape} it gave shape {values.shape}. Wrap the function in numpy.vectorize"
            )
        return values

    risk: Floats
    if isinstance(belief, Categorical):
        outcomes = np.broadcast_to(numeric(belief.states, "an expected loss"), belief.probs.shape)
        each = np.asarray(action)[..., None] if np.ndim(action) else action
        risk = (belief.probs * losses(each, outcomes)).sum(axis=-1)
    elif isinstance(belief, Samples):
        risk = np.average(losses(action, belief.values), axis=0, weights=belief.weights)
    else:
        risk = _over_quantiles(losses, belief, action, [Point(np.asarray(corner)) for corner in corners])
    if not np.isfinite(risk).all():
        raise InvalidInput(f"the expected loss of {shown(action)} is not finite under {shown(belief)}")
    return risk


def _over_quantiles(losses: Outcomes, belief: Belief, action: Any, cuts: list[Point]) -> Floats:
    if np.ndim(action):  # one action for each belief: they travel along as a law, so that rows are chosen alike
        return expect(belief, lambda x, laws: losses(laws[1].mean, x), (belief, Point(np.asarray(action)), *cuts))
    try:
        return expect(belief, lambda x, _: losses(action, x), (belief, *cuts))
    except NumericalFailure:
        fine, coarse = (_average(losses, belief, action, n) for n in (QUANTILES, QUANTILES // 2))
        if (np.abs(fine - coarse) > AGREEMENT * np.maximum(np.abs(fine), np.abs(coarse))).any():
            raise
        return fine


def _average(losses: Outcomes, belief: Belief, action: Any, quantiles: int) -> Floats:
    levels = (np.arange(quantiles) + 0.5) / quantiles
    if not belief.batch_shape:
        return np.asarray(losses(action, belief.quantile(levels)).mean())
    return np.array([losses(action, row.quantile(levels)).mean() for row in belief])
