"""A value that is certain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.checks import Floats

__all__ = ["Point"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Point(Belief):
    """All probability on one number.

    >>> Point(3).interval()
    (np.float64(3.0), np.float64(3.0))
    """

    value: Floats

    discrete = True

    def __init__(self, value: ArrayLike) -> None:
        self._hold(value=checks.floats("value", value))

    @property
    def mean(self) -> Floats:
        """The value."""
        return self.value

    @property
    def var(self) -> Floats:
        """Zero."""
        return np.zeros_like(self.value)[()]

    @property
    def mode(self) -> Floats:
        """The value."""
        return self.value

    def entropy(self) -> Floats:
        """Zero."""
        return np.zeros_like(self.value)[()]

    def _log_prob(self, x: Floats) -> Floats:
        return np.where(x == self.value, 0.0, -np.inf)

    def _cdf(self, x: Floats) -> Floats:
        return np.where(x >= self.value, 1.0, 0.0)

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        return np.broadcast_to(self.value, np.broadcast_shapes(below.shape, self.batch_shape))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        return np.broadcast_to(self.value, (n, *self.batch_shape)).copy()

    def _atoms(self, step: Floats) -> tuple[Floats, Floats]:  # noqa: ARG002
        return np.asarray(self.value)[None], np.ones((1, *self.batch_shape))
