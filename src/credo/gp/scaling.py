"""Rows and targets in other units, and beliefs about targets back in their own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from credo.beliefs import MultivariateNormal, Normal
from credo.checks import Floats

__all__ = ["Scaling"]

Law = TypeVar("Law", Normal, MultivariateNormal)


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """(X − centre)/scale for each column, and (y − target_centre)/target_scale.

    >>> Scaling.of(np.array([[1.0], [3.0]]), np.array([5.0, 9.0])).rows(np.array([[3.0]]))
    array([[1.]])
    """

    centre: Floats
    scale: Floats
    target_centre: float
    target_scale: float

    @classmethod
    def none(cls, columns: int) -> Scaling:
        """Everything in its own units."""
        return cls(np.zeros(columns), np.ones(columns), 0.0, 1.0)

    @classmethod
    def of(cls, X: Floats, y: Floats) -> Scaling:
        """What brings every column, and y, to mean 0 and standard deviation 1; what does not vary keeps its unit."""
        spread, target = X.std(axis=0), float(y.std())
        scale = np.where(spread > 0, spread, 1.0)
        return cls(X.mean(axis=0), scale, float(y.mean()), target if target > 0 else 1.0)

    def rows(self, X: Floats) -> Floats:
        """Rows in the units that are learnt in."""
        return np.asarray((X - self.centre) / self.scale)

    def targets(self, y: Floats) -> Floats:
        """Targets in the units that are learnt in."""
        return np.asarray((y - self.target_centre) / self.target_scale)

    def back(self, belief: Law) -> Law:
        """A belief about targets, in their own units."""
        mean = belief.mean * self.target_scale + self.target_centre
        if isinstance(belief, MultivariateNormal):
            return MultivariateNormal(mean, belief.cov * self.target_scale**2)
        return Normal(mean, belief.sd * self.target_scale)

    def log_evidence(self, value: float, rows: int) -> float:
        """The log evidence of ``rows`` targets per unit of y itself."""
        return value - rows * math.log(self.target_scale)
