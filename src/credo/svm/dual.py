"""The dual problem of one machine, what solves it, and how far from solved it is.

With targets y = ±1, limits C and βᵢ = yᵢαᵢ, the machine maximises yᵀβ − ½βᵀKβ where Σβ = 0 and each β lies between 0
and its limit, on the side of its target. What a row still asks for is its slack, (y − Kβ)ᵢ: at the optimum, no row
whose coefficient may rise has a larger slack than one whose coefficient may fall, and the bias lies in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from credo import native
from credo.checks import Floats
from credo.errors import InvalidInput, Outcome
from credo.svm.watch import Watch

__all__ = ["Dual", "Inseparable", "Settings", "Solution", "Start", "solve_whole"]

CALL = 20_000  # steps between two looks at whether to stop
FEW = 200  # rows with which a machine is solved as far as arithmetic goes, since it costs nothing
FINEST = 1e-11
TOUCHING = 1e-8  # the square of a margin, beside that of the rows' own size, below which there is none


class Inseparable(InvalidInput):
    """A hard margin was asked for, and there is none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """When a solver stops, and how many bytes of kernel rows it keeps."""

    tolerance: float = 1e-3
    steps: int = 10_000_000
    cache: float = 200e6


@dataclass(frozen=True, slots=True, eq=False)
class Dual:
    """Targets of +1 and −1, and the largest α of each row.

    >>> Dual(np.array([1.0, -1.0]), np.array([2.0, 2.0])).low
    array([ 0., -2.])
    """

    target: Floats
    limit: Floats

    @property
    def low(self) -> Floats:
        """The least that each β may be."""
        return np.where(self.target > 0, 0.0, -self.limit)

    @property
    def high(self) -> Floats:
        """The most that each β may be."""
        return np.where(self.target > 0, self.limit, 0.0)

    def ends(self, beta: Floats, slack: Floats) -> tuple[float, float]:
        """The largest slack of a row that may rise, the smallest of one that may fall; solved where first ≤ second."""
        most = np.max(slack, where=beta < self.high, initial=-np.inf)
        least = np.min(slack, where=beta > self.low, initial=np.inf)
        return float(most), float(least)

    def without(self, places: np.ndarray) -> Dual:
        """The same problem in which some rows have no say."""
        limit = self.limit.copy()
        limit[places] = 0.0
        return Dual(self.target, limit)

    def nearest_start(self, beta: Floats) -> Floats:
        """A point that the bounds allow, with Σβ = 0: the coefficients cut to the bounds, the larger side shrunk."""
        cut = np.clip(beta, self.low, self.high)
        up, down = cut[self.target > 0].sum(), -cut[self.target < 0].sum()
        share = np.where(self.target > 0, min(1.0, down / up) if up else 0.0, min(1.0, up / down) if down else 0.0)
        return np.asarray(cut * share)

    def check_margin(self, beta: Floats, slack: Floats, diagonal: float) -> None:
        """Refuse a hard margin once it is sure to be next to nothing.

        Scaled to sum to one on either side, β names a point in each class's hull; at their distance or nearer the hulls
        are. ``diagonal`` is the mean of K's, the square of how long a row is.
        """
        if np.isfinite(self.limit[self.limit > 0]).any():
            return
        weight = self.target @ beta
        distance = 4 * beta @ (self.target - slack) / weight**2 if weight > 0 else np.inf
        if distance <= TOUCHING * max(diagonal, np.finfo(np.float64).tiny):
            raise Inseparable("no hyperplane keeps the two classes apart")


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Coefficients, slack, how many steps that took, and how it ended."""

    beta: Floats
    slack: Floats
    steps: int
    outcome: Outcome

    def bias(self, dual: Dual) -> float:
        """The b of the decision Σβk + b: the slack of rows on the margin, else the middle of what is allowed."""
        free = (self.beta > dual.low) & (self.beta < dual.high)
        if free.any():
            return float(self.slack[free].mean())
        held = [end for end in dual.ends(self.beta, self.slack) if np.isfinite(end)]
        return float(np.mean(held)) if held else 0.0


class Start(NamedTuple):
    """Coefficients to start from, and the slack they leave."""

    beta: Floats
    slack: Floats


def solve_whole(dual: Dual, K: Floats, settings: Settings, watch: Watch, start: Start | None = None) -> Solution:
    """Solve a problem whose whole matrix is at hand.

    >>> solve_whole(Dual(np.array([1.0, -1.0]), np.ones(2)), np.eye(2), Settings(), Watch()).beta
    array([ 1., -1.])
    """
    beta, slack = start or Start(np.zeros(len(K)), dual.target)
    low, high = dual.low, dual.high
    diagonal = float(np.diagonal(K).mean())
    taken, outcome = 0, Outcome.CONVERGED
    while not watch.stopped:
        call = min(CALL, settings.steps - taken)
        try:
            beta, slack, done, gap = native.smo(K, beta, slack, low, high, tolerance=settings.tolerance, steps=call)
        except KeyboardInterrupt:
            watch.stopped = True
            break
        taken += done
        if not np.isfinite(slack).all():
            outcome = Outcome.NOT_FINITE
        dual.check_margin(beta, slack, diagonal)
        if gap <= settings.tolerance or outcome is Outcome.NOT_FINITE:
            break
        if done < call or taken >= settings.steps:
            outcome = Outcome.STALLED if done < call else Outcome.OUT_OF_STEPS
            break
        watch.tell(gap, settings.tolerance)
    if watch.stopped:
        outcome = Outcome.INTERRUPTED
    if outcome is Outcome.CONVERGED and len(K) <= FEW and settings.tolerance > FINEST:
        beta, slack, done, _ = native.smo(K, beta, slack, low, high, tolerance=FINEST, steps=100 * len(K))
        taken += done
    return Solution(beta, slack, taken, outcome)
