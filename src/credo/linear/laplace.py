"""The evidence of a linear classifier by Laplace's approximation, and the precision α that makes it largest.

With E the loss at the mode V plus ½ α |W|², where W are the weights without the intercepts, and H the second
derivative of E:

    ln p(y | α) ≈ −E + ½ m d ln α − ½ ln |H| + ½ m ln 2π

for m d weights with the prior N(0, 1/α) and m intercepts with a flat prior of density one (without, the last term is
not there). Along ln α, where V moves by −H⁻¹ α W and takes H with it, the derivative is

    ½ (m d − α |W|² − tr H⁻¹ dH/d ln α)

The line is scanned, because there may be more than one hill, and the best hill is climbed by finding the zero of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy import optimize

from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.newton import Mode, Problem, climb

__all__ = ["Laplace", "Learnt", "learn_alpha", "mode_at", "skew"]

SCAN_STEP = 2.0  # of ln α
FLAT = 1e-9  # nats; where narrower and wider priors are equally good, the narrower is taken
WIDEST, NARROWEST = 100.0, 0.01  # prior deviations of the log odds: certain of every row; less than the data can tell
UNDECIDED = 10.0  # the one that is taken where the evidence rises up to the widest: what plain words mean by certain


@dataclass(frozen=True, slots=True)
class Learnt:
    """The precision, the mode under it, the log evidence, how the search ended, and the log evidences it met.

    ``undecided`` says that the evidence rises with an ever wider prior, and has not chosen this one.
    """

    alpha: float
    mode: Mode
    log_evidence: float
    outcome: Outcome
    trace: tuple[float, ...]
    undecided: bool


class Laplace:
    """The mode, the evidence and its slope for any α; each mode is sought from ``start``, the last that was found."""

    def __init__(self, problem: Problem, *, steps: int) -> None:
        self.problem, self.steps = problem, steps
        self.start: Floats | Mode = np.zeros((problem.classes.basis.shape[1], problem.design.width))
        self.trace: list[float] = []

    def mode(self, alpha: float) -> Mode:
        """Where E is least."""
        columns = self.problem.design.width - self.problem.design.intercept
        precision = np.append(np.full(columns, alpha), np.zeros(int(self.problem.design.intercept)))
        found = climb(replace(self.problem, precision=precision), self.start, steps=self.steps)
        self.begin_at(found)
        return found

    def begin_at(self, mode: Mode) -> None:
        """Seek the next mode from this one."""
        # Where a search has ended early, its curvature may be that of another place.
        self.start = mode if mode.outcome is Outcome.CONVERGED else mode.weights

    def log_evidence(self, mode: Mode, alpha: float) -> float:
        """ln p(y | α)."""
        m, intercept = len(mode.weights), self.problem.design.intercept
        weights = m * (self.problem.design.width - intercept)
        flat = 0.5 * m * math.log(2 * math.pi) if intercept else 0.0
        found = -mode.value + 0.5 * weights * math.log(alpha) - 0.5 * mode.log_det + flat
        self.trace.append(found)
        return found

    def slope(self, mode: Mode, alpha: float) -> float:
        """The derivative of the log evidence by ln α."""
        m, columns = len(mode.weights), self.problem.design.width - self.problem.design.intercept
        W = mode.weights.copy()
        W[:, columns:] = 0.0
        blocks = mode.blocks()
        turned = -float((skew(self.problem, mode, blocks) * mode.solve(alpha * W)).sum())  # of ½ ln |H|, as V moves
        trace = alpha * float(np.einsum("aaii->ai", blocks)[:, :columns].sum())
        return float(0.5 * (m * columns - alpha * (W**2).sum() - trace) - turned)


def skew(problem: Problem, mode: Mode, blocks: Floats) -> Floats:
    """The derivative of ½ ln |H| by the weights; ``blocks`` is H⁻¹.

    The posterior leans to where the curvature falls: its mean is near V − H⁻¹ times this, the next term of Laplace's
    expansion.
    """
    classes = problem.classes
    slopes = np.empty((len(mode.weights), problem.design.rows))
    for rows, variances in problem.design.forms(classes.differences(blocks)):
        slopes[:, rows] = classes.curvature_gradient(mode.probs, rows, variances)
    return problem.design.pull(slopes)


def mode_at(problem: Problem, alpha: float, *, steps: int) -> Learnt:
    """The mode and the evidence under a given α."""
    laplace = Laplace(problem, steps=steps)
    mode = laplace.mode(alpha)
    return Learnt(alpha, mode, laplace.log_evidence(mode, alpha), mode.outcome, mode.trace, False)


def learn_alpha(problem: Problem, *, steps: int) -> Learnt:
    """The α of largest evidence. Ctrl-C ends the search and keeps the best so far."""
    laplace = Laplace(problem, steps=steps)
    scan = _scan(problem)
    met: list[tuple[float, Mode, float]] = []  # ln α, the mode, the log evidence; the last is the best
    stopped = undecided = False
    try:
        for t in scan:
            mode = _mode(laplace, t)
            found = laplace.log_evidence(mode, math.exp(t))
            if not met or found > met[-1][2] + FLAT:
                met.append((t, mode, found))
        place = scan.index(met[-1][0])
        left, right = scan[min(place + 1, len(scan) - 1)], scan[max(place - 1, 0)]
        top = _zero(laplace, left, right, met[-1][:2])
        undecided = top is None and place == len(scan) - 1
        if undecided:
            top = scan[-1] + 2 * math.log(WIDEST / UNDECIDED)
        if top is not None:
            mode = _mode(laplace, top)
            met.append((top, mode, laplace.log_evidence(mode, math.exp(top))))
    except KeyboardInterrupt:
        if not met:
            raise
        stopped = True
    t, mode, found = met[-1]
    outcome = Outcome.INTERRUPTED if stopped else mode.outcome
    return Learnt(math.exp(t), mode, found, outcome, tuple(laplace.trace), undecided)


def _scan(problem: Problem) -> list[float]:
    """The ln α to look at, from the narrowest prior to the widest."""
    total, gram, columns = problem.classes.weight.sum(), problem.gram, problem.design.width - problem.design.intercept
    mean = gram[-1, :columns] / total if problem.design.intercept else np.zeros(columns)
    spread = float(np.maximum(np.diag(gram)[:columns] / total - mean**2, 0.0).sum()) or 1.0
    high, low = math.log(spread * max(total, 1.0) / NARROWEST**2), math.log(spread / WIDEST**2)
    return [float(t) for t in np.linspace(high, low, 2 + int((high - low) / SCAN_STEP))]


def _mode(laplace: Laplace, t: float) -> Mode:
    mode = laplace.mode(math.exp(t))
    if mode.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return mode


def _zero(laplace: Laplace, left: float, right: float, near: tuple[float, Mode]) -> float | None:
    """The ln α between two where the evidence has its top, or None if there is none; the mode ``near`` is known."""
    known = [near]

    @cache
    def slope(t: float) -> float:
        laplace.begin_at(min(known, key=lambda place: abs(place[0] - t))[1])
        mode = _mode(laplace, t)
        known[1:] = [*known[1:][-1:], (t, mode)]  # more would take much memory
        return laplace.slope(mode, math.exp(t))

    if not slope(left) > 0 > slope(right):
        return None
    return float(optimize.brentq(slope, left, right, xtol=1e-10))
