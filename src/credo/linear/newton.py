"""Iteratively reweighted least squares: Newton's method for the weights, with step control.

What is minimised is E(V) = −Σ w ln P(class of the row) + ½ Σ α v², convex in the weights V. A step solves H δ = −g:
that is a least squares problem in which every row counts as much as its class is still in doubt; it is halved until E
decreases as it should. λ² = gᵀH⁻¹g, the decrement, is twice what E can still fall, whatever the units of the columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from credo import native
from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.classes import Classes
from credo.linear.design import Design
from credo.numerics import Cholesky, cholesky

__all__ = ["Mode", "Problem", "climb"]

CLOSE = 1e-16  # where λ² has come to this, the weights are right to 1e-8 of their standard errors
ROUNDING = 1e-10  # relative to E: a decrease that cannot be told from rounding is believed
ENOUGH = 1e-4  # the part of the promised decrease that a step must bring
HALVINGS = 40
TALL = 2_000_000  # cells, or cells times pairs of classes
THIN = 10  # one row in so many is enough to start from,
ENOUGH_ROWS, DEAR_ROWS = 20, 3  # if there are so many of them for each weight, where the curvature is dear fewer;
ROUGH = 0.1  # the search among them ends at this λ², as theirs is not the mode of all rows
FALLING = 0.7  # where λ² falls at least to this part of itself, secants are good enough
CHORD = 0.05  # where it falls to this, so are, for many pairs of classes, steps with the curvature as it was
LAG, LAG_SECANTS = 1e-16, 1e-12  # relative, squared: how much the curvature may have changed since it was computed


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Weights (m, width), the probabilities of the classes under them, E, and its derivative."""

    weights: Floats
    probs: Floats
    value: float
    gradient: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Rows, their classes, Σ w x xᵀ, and the precision of the prior of each weight of a row (zero for an intercept)."""

    design: Design
    classes: Classes
    gram: Floats
    precision: Floats

    @property
    def tall(self) -> bool:
        """Whether the curvature costs so much more than the gradient that secants pay."""
        return self.design.rows * self.design.width > TALL

    @property
    def dear(self) -> bool:
        """Whether the curvature of so many pairs of classes costs more than a few steps with an older one."""
        return self.design.rows * self.design.width * self.classes.pairs > TALL

    def thinned(self) -> Problem | None:
        """One row in ten, each counting ten times; None where those are too few, none of some class, or sparse."""
        if not isinstance(self.design.values, np.ndarray):
            return None  # the curvature of sparse rows costs more than many looks at all of them
        classes = Classes(self.classes.codes[::THIN], THIN * self.classes.weight[::THIN], self.classes.basis)
        counts = np.bincount(classes.codes, weights=classes.weight, minlength=len(classes.basis))
        enough = DEAR_ROWS if self.dear and not self.tall else ENOUGH_ROWS
        if len(classes.codes) < enough * self.design.width * classes.basis.shape[1] or not counts.all():
            return None
        design = Design(np.ascontiguousarray(self.design.values[::THIN]), self.design.intercept)
        return Problem(design, classes, design.gram(classes.weight), self.precision)

    @property
    def at_zero(self) -> float:
        """E where all weights are zero and so all classes equally probable."""
        return float(self.classes.weight.sum()) * math.log(len(self.classes.basis))

    def look(self, V: Floats) -> View:
        """What is seen at V."""
        design, classes = self.design, self.classes
        if len(V) == 1 and isinstance(design.values, np.ndarray):  # in one pass through the rows
            offset = float(V[0, -1]) if design.intercept else 0.0
            columns = V[0, : design.width - design.intercept]
            loss, pulled, probs = native.sigmoid_pass(
                design.values, columns, offset, classes.codes.astype(np.int32, copy=False), classes.weight
            )
            gradient = pulled[None, : design.width]
        else:
            loss, probs = classes.believe(design.times(V))
            gradient = design.pull(classes.residuals(probs))
        held = 0.5 * float(np.einsum("mj,j,mj->", V, self.precision, V))
        return View(V, probs, loss + held, gradient + V * self.precision)

    def curvature(self, weights: Floats, probs: Floats) -> Floats:
        """The second derivative of E, (m width, m width): the weights of the first η stand first."""
        classes, size = self.classes, weights.size
        if weights.any() or self.design.folds(classes.pairs):
            grams = self.design.grams(partial(classes.doubts, probs), classes.pairs)
        else:  # all classes are equally probable in every row, and the sum over the rows is known
            grams = np.broadcast_to(self.gram / len(probs) ** 2, (classes.pairs, *self.gram.shape))
        H = np.array(classes.combined(grams).transpose(0, 2, 1, 3), order="C").reshape(size, size)
        diagonal = np.arange(size)
        H[diagonal, diagonal] += np.tile(self.precision, len(weights))
        return H


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """The weights (m, width) where E is least, its value, gradient and curvature there, and how they were found."""

    weights: Floats
    probs: Floats
    value: float
    gradient: Floats
    precision: Floats
    scale: Floats
    factor: Cholesky
    lag: float
    outcome: Outcome
    trace: tuple[float, ...]

    def solve(self, b: Floats) -> Floats:
        """H⁻¹ b, for weights (m, width)."""
        return np.asarray(self.factor.solve(b.ravel() / self.scale) / self.scale).reshape(b.shape)

    def curvature(self, precision: Floats) -> Floats:
        """H at the same weights under a prior of another precision."""
        H = self.factor.lower @ self.factor.lower.T
        diagonal = np.arange(len(H))
        H[diagonal, diagonal] -= self.factor.jitter
        H *= self.scale[:, None]
        H *= self.scale
        H[diagonal, diagonal] += np.tile(precision - self.precision, len(self.weights))
        return H

    def blocks(self) -> Floats:
        """H⁻¹, (m, m, width, width)."""
        m, width = self.weights.shape
        inverse = self.factor.inverse() / self.scale[:, None] / self.scale
        return np.ascontiguousarray(inverse.reshape(m, width, m, width).transpose(0, 2, 1, 3))

    @property
    def log_det(self) -> float:
        """ln |H|."""
        return self.factor.log_det + 2 * float(np.log(self.scale).sum())


def climb(problem: Problem, start: Floats | Mode, *, steps: int, close: float = CLOSE) -> Mode:
    """From ``start`` to the mode, until λ² is ``close`` to zero. Ctrl-C ends the search and keeps the best so far.

    It starts from weights, or from the mode under another prior, whose curvature is known but for the prior's. From
    zero, many rows are first left to a few of them, which come most of the way and know the curvature well enough.
    """
    known = start if isinstance(start, Mode) else None
    weights = start.weights if isinstance(start, Mode) else start
    thin = None if weights.any() or not (problem.dear or close == ROUGH) else problem.thinned()
    rough = None if thin is None else climb(thin, weights, steps=steps, close=ROUGH)
    search = _Climb(problem, weights if rough is None else rough.weights, close)
    if rough is not None and search.at.value <= problem.at_zero:
        search.trust(rough)
    else:
        search = search if rough is None else _Climb(problem, weights, close)
        search.renew() if known is None else search.inherit(known)
    outcome = Outcome.INTERRUPTED if rough and rough.outcome is Outcome.INTERRUPTED else search.run(steps)
    return Mode(
        weights=search.at.weights,
        probs=search.at.probs,
        value=search.at.value,
        gradient=search.at.gradient,
        precision=problem.precision,
        scale=search.scale,
        factor=search.factor,
        lag=search.lag,
        outcome=outcome,
        trace=tuple(-value for value in search.trace),
    )


class _Climb:
    """One search: where it is, and what it knows of the curvature there."""

    scale: Floats
    factor: Cholesky
    inverse: Floats | None
    lag: float

    def __init__(self, problem: Problem, start: Floats, close: float) -> None:
        design = problem.design
        self.problem = problem
        self.crowd = design.width / design.rows  # the mean leverage of a row
        self.close = close * min(1.0, float(problem.classes.weight.sum()))
        self.enough = LAG_SECANTS if problem.tall else LAG
        self.falling = FALLING if problem.tall else CHORD if problem.dear else 0.0
        self.at = problem.look(start)
        self.trace = [self.at.value]

    def trust(self, rough: Mode) -> None:
        """Begin with the curvature that a few of the rows have."""
        self.scale, self.factor, self.inverse = rough.scale, rough.factor, None
        self.lag = THIN * self.crowd

    def run(self, steps: int) -> Outcome:
        last = math.inf
        try:
            for _ in range(steps):
                direction, decrement = self.newton()
                if self.lag > self.enough and (
                    decrement > self.falling * last or decrement <= max(self.close, self.enough / self.crowd)
                ):  # an old curvature has done its part, or does it badly
                    self.renew()
                    direction, decrement = self.newton()
                if not math.isfinite(decrement):
                    return Outcome.NOT_FINITE
                if decrement <= self.close:
                    return Outcome.CONVERGED
                if not self.step(direction, decrement):
                    return Outcome.STALLED
                last = decrement
        except KeyboardInterrupt:
            return Outcome.INTERRUPTED
        return Outcome.OUT_OF_STEPS

    def renew(self) -> None:
        """Compute the curvature where the search is."""
        self.factorise(self.problem.curvature(self.at.weights, self.at.probs), 0.0)

    def inherit(self, known: Mode) -> None:
        """Take the curvature from the mode under another prior, where the search begins."""
        self.factorise(known.curvature(self.problem.precision), known.lag)

    def factorise(self, H: Floats, lag: float) -> None:
        """Let H, of so much lag, be the curvature that is known."""
        # A matrix of unit diagonal: that columns have different units is then no matter.
        diagonal = np.sqrt(np.diag(H))
        self.scale = np.where(diagonal > 0, diagonal, 1.0)
        self.factor = cholesky(H / self.scale[:, None] / self.scale)
        self.inverse, self.lag = None, lag

    def newton(self) -> tuple[Floats, float]:
        """The step to where E would be least if it were a parabola, and λ²."""
        g = self.at.gradient.ravel()
        known = self.inverse
        away = self.factor.solve(g / self.scale) / self.scale if known is None else known @ g
        return -away.reshape(self.at.gradient.shape), float(g @ away)

    def step(self, direction: Floats, decrement: float) -> bool:
        """Go as far along ``direction`` as E decreases; False if it does not, however short the step."""
        before = self.at
        below_rounding = decrement <= ROUNDING * max(1.0, before.value)
        length = 1.0
        for _ in range(HALVINGS):
            at = self.problem.look(before.weights + length * direction)
            if below_rounding or at.value <= before.value - ENOUGH * length * decrement:
                break
            length /= 2
        else:
            return False
        if self.problem.tall:
            self.learn_secant((length * direction).ravel(), (at.gradient - before.gradient).ravel())
        self.at = at
        self.trace.append(at.value)
        self.lag += decrement * self.crowd
        return True

    def learn_secant(self, moved: Floats, turned: Floats) -> None:
        """Make the inverse of the curvature agree with what the last step has shown (Broyden, Fletcher and others)."""
        along = float(moved @ turned)
        if not along > 0:
            return
        if self.inverse is None:
            self.inverse = self.factor.inverse() / self.scale[:, None] / self.scale
            # Most of what changes is how much doubt there is on the whole: the size of the curvature.
            self.inverse *= along / float(turned @ self.inverse @ turned)
        bent = self.inverse @ turned
        both = np.outer(moved, bent) / along
        self.inverse += np.outer(moved, moved) * (1 + float(turned @ bent) / along) / along - both - both.T
