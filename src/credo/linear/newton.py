"""Iteratively reweighted least squares: Newton's method for the weights, with step control.

What is minimised is E(V) = −Σ w ln P(class of the row) + ½ Σ α v², convex in the weights V. A step solves H δ = −g:
that is a least squares problem in which every row counts as much as its class is still in doubt; it is halved until E
decreases as it should. λ² = gᵀH⁻¹g, the decrement, is twice what E can still fall, whatever the units of the columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
TALL = 2_000_000  # cells
THIN = 10  # one row in so many is enough to start from,
ENOUGH_ROWS = 20  # if there are so many of them for each weight;
ROUGH = 0.1  # the search among them ends at this λ², as theirs is not the mode of all rows
FALLING = 0.7  # where λ² falls at least to this part of itself, secants are good enough
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

    def thinned(self) -> Problem | None:
        """One row in ten, each counting ten times; None where those are too few, none of some class, or sparse."""
        if not isinstance(self.design.values, np.ndarray):
            return None  # the curvature of sparse rows costs more than many looks at all of them
        classes = Classes(self.classes.codes[::THIN], THIN * self.classes.weight[::THIN], self.classes.basis)
        counts = np.bincount(classes.codes, weights=classes.weight, minlength=len(classes.basis))
        if len(classes.codes) < ENOUGH_ROWS * self.design.width * classes.basis.shape[1] or not counts.all():
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
            eta = design.times(V)
            loss, probs = classes.loss(eta), classes.probabilities(eta)
            gradient = design.pull(classes.residuals(probs))
        held = 0.5 * float(np.einsum("mj,j,mj->", V, self.precision, V))
        return View(V, probs, loss + held, gradient + V * self.precision)

    def curvature(self, weights: Floats, probs: Floats) -> Floats:
        """The second derivative of E, (m width, m width): the weights of the first η stand first."""
        m, width = weights.shape
        H = np.zeros((m, width, m, width))
        for b, c in self.classes.curvatures(probs):
            # Where all weights are zero, all classes are equally probable in every row.
            gram = self.design.gram(c) if weights.any() else self.gram / len(probs) ** 2
            H += np.einsum("a,b,ij->aibj", b, b, gram)
        for a in range(m):
            H[a, np.arange(width), a, np.arange(width)] += self.precision
        return H.reshape(m * width, m * width)


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """The weights (m, width) where E is least, its value, gradient and curvature there, and how they were found."""

    weights: Floats
    probs: Floats
    value: float
    gradient: Floats
    scale: Floats
    factor: Cholesky
    outcome: Outcome
    trace: tuple[float, ...]

    def solve(self, b: Floats) -> Floats:
        """H⁻¹ b, for weights (m, width)."""
        return np.asarray(self.factor.solve(b.ravel() / self.scale) / self.scale).reshape(b.shape)

    def blocks(self) -> Floats:
        """H⁻¹, (m, m, width, width)."""
        m, width = self.weights.shape
        inverse = self.factor.inverse() / self.scale[:, None] / self.scale
        return np.ascontiguousarray(inverse.reshape(m, width, m, width).transpose(0, 2, 1, 3))

    @property
    def log_det(self) -> float:
        """ln |H|."""
        return self.factor.log_det + 2 * float(np.log(self.scale).sum())


def climb(problem: Problem, start: Floats, *, steps: int, close: float = CLOSE) -> Mode:
    """From ``start`` to the mode, until λ² is ``close`` to zero. Ctrl-C ends the search and keeps the best so far.

    From zero, many rows are first left to a few of them, which come most of the way and know the curvature well enough.
    """
    thin = None if start.any() or not (problem.tall or close == ROUGH) else problem.thinned()
    rough = None if thin is None else climb(thin, start, steps=steps, close=ROUGH)
    search = _Climb(problem, start, close, rough)
    outcome = Outcome.INTERRUPTED if rough and rough.outcome is Outcome.INTERRUPTED else search.run(steps)
    return Mode(
        weights=search.at.weights,
        probs=search.at.probs,
        value=search.at.value,
        gradient=search.at.gradient,
        scale=search.scale,
        factor=search.factor,
        outcome=outcome,
        trace=tuple(-value for value in search.trace),
    )


class _Climb:
    """One search: where it is, and what it knows of the curvature there."""

    scale: Floats
    factor: Cholesky
    inverse: Floats | None
    lag: float

    def __init__(self, problem: Problem, start: Floats, close: float, rough: Mode | None) -> None:
        design = problem.design
        self.problem = problem
        self.crowd = design.width / design.rows  # the mean leverage of a row
        self.close = close * min(1.0, float(problem.classes.weight.sum()))
        self.at = problem.look(start if rough is None else rough.weights)
        if rough is not None and self.at.value <= problem.at_zero:
            self.scale, self.factor, self.inverse = rough.scale, rough.factor, None
            self.lag = THIN * self.crowd
        else:
            self.at = self.at if rough is None else problem.look(start)
            self.renew()
        self.trace = [self.at.value]

    def run(self, steps: int) -> Outcome:
        last = math.inf
        try:
            for _ in range(steps):
                direction, decrement = self.newton()
                tall = self.problem.tall
                enough = LAG_SECANTS if tall else LAG
                if self.lag > enough and (
                    not tall or decrement > FALLING * last or decrement * self.crowd <= enough
                ):  # secants have done their part, or do it badly
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
        H = self.problem.curvature(self.at.weights, self.at.probs)
        # A matrix of unit diagonal: that columns have different units is then no matter.
        diagonal = np.sqrt(np.diag(H))
        self.scale = np.where(diagonal > 0, diagonal, 1.0)
        self.factor = cholesky(H / self.scale[:, None] / self.scale)
        self.inverse = None
        self.lag = 0.0

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
