"""The two ways of textbooks to the precisions of largest evidence: re-estimation to a fixed point, and the gradient.

At the summit every precision satisfies α = γ / |m|² and β = (n − γ) / |y − Xm|², where m is the mean of the posterior
and γ counts the weights that the data determine (for a weight of its own α, only that weight is counted). MacKay's
iteration puts the values of one step into the right sides of the next. The gradient way follows the slopes along every
ln α and ln β by L-BFGS. Both serve one α for all weights and one for each; where an α grows without end it is set to
infinity, and the weight is zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.evidence import Precisions
from credo.linear.relevance import Point, Relevance
from credo.numerics import minimise

__all__ = ["Ascent"]

STEPS = 10_000
SLOPE = 1e-6  # nats for a factor of e; where no precision promises more the search is over
NEGLIGIBLE = 1e-10  # of a weight; so little determined by the data it is out
TINY = float(np.finfo(np.float64).tiny)
FARTHEST = 100.0  # how far the logarithm of a precision may go from its start


@dataclass(frozen=True, slots=True, eq=False)
class Ascent:
    """A climb on the evidence of ``problem``; ``alpha`` or ``beta`` that are not learnt stay where they start."""

    problem: Relevance
    tied: bool
    learns_alpha: bool
    learns_beta: bool

    def climb(self, method: Literal["fixed-point", "gradient"], alpha: float, beta: float) -> Precisions:
        """The precisions that ``method`` comes to from a shared α and β."""
        start = np.full(len(self.problem.length), alpha)
        at, outcome, trace = self._fixed_point(start, beta) if method == "fixed-point" else self._gradient(start, beta)
        found = self.problem.precisions(at, outcome, trace)
        if not self.tied:
            return found
        used = np.flatnonzero(self.problem.length)
        shared = float(found.alpha[used[0]]) if len(used) else alpha  # type: ignore[index]
        return Precisions(shared, found.beta, found.log_evidence, found.effective, outcome, found.trace)

    def slopes(self, at: Point) -> tuple[Floats, float]:
        """The derivatives of the log evidence along ln α, one or all of them, and along ln β."""
        along = 0.5 * at.width * (at.beta * at.q**2 - at.s)
        beta = float(along.sum()) + 0.5 * (self.problem.rows - at.beta * at.misfit)
        alpha = -along.sum(keepdims=True) if self.tied else -along
        return alpha * self.learns_alpha, beta * self.learns_beta

    def _at(self, alpha: Floats, beta: float) -> Point:
        return self.problem.at(beta * self.problem.length**2 / alpha, beta)

    def _fixed_point(self, alpha: Floats, beta: float) -> tuple[Point, Outcome, list[float]]:
        at = self._at(alpha, beta)
        trace = [at.value]
        for _ in range(STEPS):
            slopes, slope = self.slopes(at)
            if max(np.abs(slopes).max(initial=0.0), abs(slope)) <= SLOPE:
                return at, Outcome.CONVERGED, trace
            new_alpha, new_beta = self._estimated(at, alpha)
            there = self._at(new_alpha, new_beta)
            if there.value < at.value:  # it overshot, which the formulas do not exclude: half as far, in logarithms
                new_alpha, new_beta = np.sqrt(alpha * new_alpha), math.sqrt(at.beta * new_beta)
                there = self._at(new_alpha, new_beta)
            alpha, at = new_alpha, there
            trace.append(at.value)
        return at, Outcome.OUT_OF_STEPS, trace

    def _estimated(self, at: Point, alpha: Floats) -> tuple[Floats, float]:
        """α and β from the formulas."""
        determined, mean = at.width * at.s, at.width * at.q  # the mean of weights of columns of unit length
        beta = at.beta
        if self.learns_beta:
            misfit = at.misfit - float(mean @ at.q)  # |y − Xm|²
            beta = max(self.problem.rows - float(determined.sum()), NEGLIGIBLE) / max(misfit, self.problem.rest)
        if self.learns_alpha:
            square = (mean / np.where(self.problem.length > 0, self.problem.length, 1.0)) ** 2
            if self.tied:
                determined, square = determined.sum(keepdims=True), square.sum(keepdims=True)
            gone = determined <= NEGLIGIBLE
            new = np.where(gone, np.inf, determined / np.maximum(square, TINY))
            alpha = np.where(np.isinf(alpha), alpha, new)
        return alpha, beta

    def _gradient(self, alpha: Floats, beta: float) -> tuple[Point, Outcome, list[float]]:
        first = self._at(alpha, beta)
        free = self.learns_alpha * (1 if self.tied else len(alpha))

        def at(steps: Floats) -> Point:
            grown = beta * math.exp(steps[free]) if self.learns_beta else beta
            return self._at(alpha * np.exp(steps[:free]) if free else alpha, grown)

        def loss(steps: Floats) -> tuple[float, Floats]:
            there = at(steps)
            slopes, slope = self.slopes(there)
            both = np.concatenate([slopes[:free], [slope] * self.learns_beta])
            return first.value - there.value, -both

        start = np.zeros(free + self.learns_beta)
        best = minimise(loss, start, bounds=[(-FARTHEST, FARTHEST)] * len(start), steps=STEPS, tolerance=1e-8)
        there = at(best.position)
        width, _ = self.problem.alone(there)
        out = (width == 0) & (there.width * there.s < SLOPE) & (not self.tied)
        return (
            self.problem.at(np.where(out, 0.0, there.width), there.beta),
            best.outcome,
            list(first.value - best.trace),
        )
