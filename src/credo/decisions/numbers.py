"""Losses on numbers: any number may be chosen, and being further off costs more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from credo.beliefs import Belief
from credo.checks import Floats, level, positive
from credo.decisions.deviations import deviations
from credo.decisions.expected import expected_loss
from credo.errors import InvalidInput

__all__ = ["AbsoluteLoss", "InsensitiveLoss", "NumberLoss", "PinballLoss", "SquaredLoss"]


class NumberLoss(ABC):
    """A loss(action, outcome) between numbers that knows the best action under a belief, and what it risks.

    >>> AbsoluteLoss()(2.0, np.array([5.0, 1.0])), PinballLoss(0.9)(2.0, np.array([5.0, 1.0]))
    (array([3., 1.]), array([2.7, 0.1]))
    """

    __slots__ = ()

    @abstractmethod
    def __call__(self, action: Floats, outcome: Floats) -> Floats:
        """What the action costs when the outcome is known."""

    @abstractmethod
    def best(self, belief: Belief) -> Floats:
        """The number of least expected loss."""

    @abstractmethod
    def risk(self, belief: Belief, action: Floats) -> Floats:
        """The expected loss of that number."""


@dataclass(frozen=True, slots=True)
class SquaredLoss(NumberLoss):
    """(outcome − action)²: the best number is the mean, its risk the variance.

    >>> from credo.beliefs import Normal
    >>> from credo.decisions import decide
    >>> decide(Normal(3, 2), SquaredLoss())
    Decision(action=3, risk=4)
    """

    def __call__(self, action: Floats, outcome: Floats) -> Floats:
        """The square of how far off the action is."""
        return (outcome - action) ** 2

    def best(self, belief: Belief) -> Floats:
        """The mean."""
        mean = np.asarray(belief.mean, dtype=np.float64)
        if not np.isfinite(mean).all():
            raise InvalidInput(f"squared loss needs a belief with a mean; got {belief!r}. Try AbsoluteLoss")
        return mean

    def risk(self, belief: Belief, action: Floats) -> Floats:
        """The variance, infinite where there is none."""
        return np.asarray(belief.var) + (action - belief.mean) ** 2


@dataclass(frozen=True, slots=True)
class AbsoluteLoss(NumberLoss):
    """|outcome − action|: the best number is the median.

    >>> from credo.beliefs import Normal
    >>> from credo.decisions import decide
    >>> decide(Normal(3, 2), AbsoluteLoss())
    Decision(action=3, risk=1.596)
    """

    def __call__(self, action: Floats, outcome: Floats) -> Floats:
        """How far off the action is."""
        return np.abs(outcome - action)

    def best(self, belief: Belief) -> Floats:
        """The median."""
        return np.asarray(belief.quantile(0.5))

    def risk(self, belief: Belief, action: Floats) -> Floats:
        """E|X − action|."""
        held = deviations(belief, action)
        return expected_loss(self, belief, action, action) if held is None else held[0] + held[1]


@dataclass(frozen=True, slots=True)
class PinballLoss(NumberLoss):
    """q·(outcome − action) if the action is too low, (1 − q)·(action − outcome) if too high: the q-quantile is best.

    Where running short costs ``a`` a piece and a piece left over ``b``, q = a/(a + b).

    >>> from credo.beliefs import Normal
    >>> from credo.decisions import decide
    >>> decide(Normal(0, 1), PinballLoss(0.9))
    Decision(action=1.282, risk=0.1755)
    """

    q: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", level("q", self.q))

    def __call__(self, action: Floats, outcome: Floats) -> Floats:
        """How far off the action is, times q or 1 − q."""
        return np.maximum(self.q * (outcome - action), (self.q - 1) * (outcome - action))

    def best(self, belief: Belief) -> Floats:
        """The q-quantile."""
        return np.asarray(belief.quantile(self.q))

    def risk(self, belief: Belief, action: Floats) -> Floats:
        """q E max(X − action, 0) + (1 − q) E max(action − X, 0)."""
        held = deviations(belief, action)
        if held is None:
            return expected_loss(self, belief, action, action)
        return self.q * held[0] + (1 - self.q) * held[1]


@dataclass(frozen=True, slots=True)
class InsensitiveLoss(NumberLoss):
    """max(|outcome − action| − epsilon, 0): being off by up to epsilon costs nothing, as in support vector regression.

    The best number a leaves as much probability below a − epsilon as above a + epsilon.

    >>> from credo.beliefs import Gamma
    >>> from credo.decisions import decide
    >>> decide(Gamma(2, 1), InsensitiveLoss(1))
    Decision(action=1.875, risk=0.3485)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", float(positive("epsilon", self.epsilon, zero=True, ndim=0)))

    def __call__(self, action: Floats, outcome: Floats) -> Floats:
        """How far off the action is beyond epsilon."""
        return np.maximum(np.abs(outcome - action) - self.epsilon, 0.0)

    def best(self, belief: Belief) -> Floats:
        """(Q(u) + Q(1 − u))/2 for the u at which Q(1 − u) − Q(u) = 2·epsilon, Q being the quantiles."""
        levels = expit(np.linspace(-35.0, 0.0, 1000))
        low, high = (np.asarray(belief.quantile(q), dtype=np.float64) for q in (levels, 1 - levels))
        width, middle = high - low, (high + low) / 2
        # The widths fall along the levels: find the last that is no less than wanted, and interpolate to the next.
        after = np.clip((width >= 2 * self.epsilon).sum(axis=0), 1, len(levels) - 1)[None]
        w0, w1 = np.take_along_axis(width, after - 1, axis=0), np.take_along_axis(width, after, axis=0)
        m0, m1 = np.take_along_axis(middle, after - 1, axis=0), np.take_along_axis(middle, after, axis=0)
        gap = w0 - w1
        part = np.clip(np.divide(w0 - 2 * self.epsilon, gap, out=np.ones_like(gap), where=gap > 0), 0.0, 1.0)
        best: Floats = (m0 + part * (m1 - m0))[0]
        return best

    def risk(self, belief: Belief, action: Floats) -> Floats:
        """The expected loss."""
        return expected_loss(self, belief, action, action - self.epsilon, action + self.epsilon)
