"""The evidence when every weight has a prior precision of its own, and the precisions that make it largest.

In the axes of the problem y is a vector t with a rest, the columns are vectors zⱼ, and vⱼ = β / αⱼ is how wide the
prior of a weight is beside the noise. With C = I + Σ vⱼ zⱼ zⱼᵀ

    ln p(y | X, α, β) = −½ ln|C| + n/2 ln β − β/2 (rest + tᵀC⁻¹t) − n/2 ln 2π

and all that is needed of a column is sⱼ = zⱼᵀC⁻¹zⱼ and qⱼ = zⱼᵀC⁻¹t: the slope along ln vⱼ is ½ vⱼ (β qⱼ² − sⱼ). As a
function of one vⱼ alone the evidence has a single summit, known in closed form (Tipping and Faul, 2003), here with the
noise learnt at the same time; where it lies at vⱼ = 0 the column is irrelevant and its weight exactly zero.

``search_relevances`` moves all precisions to their own summits at once, or fewer where that would lose evidence, until
no column can gain anything. There may be several summits; it starts from the one prior that all weights share, once in
the units of the columns and once with columns of equal length, and keeps the better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack

from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.axes import Axes
from credo.linear.evidence import Precisions

__all__ = ["Point", "Relevance", "search_relevances"]

STEPS = 300
GAIN = 1e-12  # nats; less than this from any column, and the search is over
FLAT = 1e-6  # nats; so much may be left to gain where no step gains it, or no step is left
CLOSE = 0.5  # relative; starts that differ by less lead to the same summit
EPS = float(np.finfo(np.float64).eps)
ALIKE = 1e-12  # of a column's squared length; with less of it outside the others it cannot be told from them
SUREST = 1.0 - 1e-14  # the share of a weight that the data determine


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The evidence at some widths, with s and q of every column, the misfit rest + tᵀC⁻¹t, and β."""

    width: Floats
    value: float
    s: Floats
    q: Floats
    misfit: float
    beta: float


class Relevance:
    """The log evidence as a function of the prior widths of all weights, those of columns scaled to unit length."""

    def __init__(self, axes: Axes, *, intercept: bool, beta: float | None) -> None:
        columns = axes.singular[:, None] * axes.directions
        self.length = np.sqrt(np.einsum("ij,ij->j", columns, columns))
        self.columns = columns / np.where(self.length > 0, self.length, 1.0)
        self.target, self.rest, self.rows = axes.target, axes.rest, axes.total - intercept
        self.constant = -self.rows / 2 * math.log(2 * math.pi) - (0.5 * math.log(axes.total) if intercept else 0.0)
        self.beta = beta

    def at(self, width: Floats, beta: float | None = None) -> Point:
        """The evidence at the widths, with the best β unless one is given."""
        on, k = np.flatnonzero(width), len(self.target)
        # With RᵀR = C from a QR of what C is the square of, weights that are known to many digits lose none of them.
        root = np.zeros((len(on) + k, k), order="F")
        root[: len(on)] = (self.columns[:, on] * np.sqrt(width[on])).T
        root[len(on) :] = np.eye(k)
        factor = lapack.dgeqrf(root, overwrite_a=1)[0][:k] if k else root
        # BLAS solves small systems at once, where LAPACK first wakes every thread.
        both = np.column_stack([self.columns, self.target])
        solved = blas.dtrsm(1.0, factor, both, trans_a=1) if k else both
        columns, target = solved[:, :-1], solved[:, -1]
        misfit = self.rest + float(target @ target)
        given = self.beta if beta is None else beta
        best = self.rows / misfit if given is None else given
        value = self.rows / 2 * math.log(best) - best * misfit / 2 + self.constant
        value -= float(np.log(np.abs(np.diag(factor))).sum())
        return Point(width, value, np.einsum("ij,ij->j", columns, columns), columns.T @ target, misfit, best)

    def alone(self, at: Point) -> tuple[Floats, Floats]:
        """For every column the best width while the others stay as they are, and what evidence that surely gains.

        With s and q of the other columns only, r = q² / s, and u = v s / (1 + v s) the share of the weight that the
        data determine, the evidence is ½ ln(1 − u) − n/2 ln(misfit − u r), or − β/2 (misfit − u r) for a given β.
        """
        share = np.minimum(at.width * at.s, SUREST)
        s, q = at.s / (1 - share), at.q / (1 - share)
        told = s > ALIKE
        r = np.where(told, q**2 / np.where(told, s, 1.0), 0.0)
        without = at.misfit + share * r
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.beta is not None:
                best = 1 - 1 / (self.beta * r)
            else:
                best = (self.rows * r - without) / ((self.rows - 1) * r)
        best = np.where(r > 0, np.clip(np.nan_to_num(best), 0.0, SUREST), 0.0)

        def value(share: Floats) -> Floats:
            misfit = np.maximum(without - share * r, self.rest)
            fit = self.rows * np.log(misfit) if self.beta is None else self.beta * misfit
            return np.asarray(0.5 * np.log1p(-share) - 0.5 * fit)

        rounding = 8 * EPS * at.beta * without
        return best / (1 - best) / np.where(told, s, 1.0), value(best) - value(share) - rounding

    def precisions(self, at: Point, outcome: Outcome, trace: list[float]) -> Precisions:
        """What is told of the point where a search ended; α is that of the columns in their own units."""
        alpha = np.full_like(at.width, np.inf)
        np.divide(at.beta * self.length**2, at.width, out=alpha, where=at.width > 0)
        return Precisions(alpha, at.beta, at.value, float(at.width @ at.s), outcome, tuple(trace))


def search_relevances(problem: Relevance, ratios: Iterable[float | Floats]) -> Precisions:
    """The best of the summits that are found from several starts.

    A start is the ratio α / β that all weights share, or one for each weight, infinite for those that are out at first.
    The first is the shared ratio for columns that all have one length; then each is taken as it is, unless it is close
    to that and below what was found.
    """
    starts = [problem.length**2 / np.broadcast_to(ratio, problem.length.shape) for ratio in ratios]
    even = np.where(problem.length > 0, starts[0].mean() if len(starts[0]) else 0.0, 0.0)
    best = _climb(problem, even)
    for start in starts:
        if not np.allclose(start, even, rtol=CLOSE, atol=0.0) or problem.at(start).value > best.log_evidence:
            best = max(best, _climb(problem, start), key=lambda found: found.log_evidence)
    return best


def _climb(problem: Relevance, start: Floats) -> Precisions:
    at, stuck, most = problem.at(start), False, 0.0
    trace = [at.value]
    for _ in range(STEPS):
        best, gain = problem.alone(at)
        most = float(gain.max(initial=0.0))
        better = _step(problem, at, best, gain) if most > GAIN else None
        stuck = better is None
        if better is None:
            break
        at = better
        trace.append(at.value)
    outcome = Outcome.CONVERGED if most <= FLAT else Outcome.STALLED if stuck else Outcome.OUT_OF_STEPS
    return problem.precisions(at, outcome, trace)


def _step(problem: Relevance, at: Point, best: Floats, gain: Floats) -> Point | None:
    """The first step that gains evidence: of all columns, of those with a weight, of the one that gains most."""
    moves = (np.ones(len(best), dtype=bool), at.width > 0, np.arange(len(best)) == gain.argmax())
    for moved in moves:
        there = problem.at(np.where(moved, best, at.width))
        if there.value > at.value:
            return there
    return None
