"""The search for a kernel: from noise alone, one base kernel at a time, as long as the score rises."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NumericalFailure, Outcome
from credo.gp.grammar import BASES, Grammar, structure
from credo.gp.learning import SMALL, Effort, Problem, at_bounds
from credo.gp.learning import search as uphill
from credo.gp.process import Process, summands
from credo.gp.regression import GaussianProcessRegressor
from credo.gp.scaling import Scaling
from credo.gp.scores import SCORES, Score, bic
from credo.gp.solvers import Exact, chosen
from credo.gp.starts import limits, scales_of
from credo.gp.units import rescaled
from credo.gp.watching import Watch, Watched
from credo.gp.words import describe
from credo.kernels import Kernel, Noise, Sum
from credo.kernels import kernel as kernel_of
from credo.numerics import Budget, one_blas_thread

__all__ = ["Candidate", "Search", "search"]

SHOWN = 3  # candidates of each step in the table
FEWEST = 4  # rows
GAIN = 1.0  # nats: what a larger kernel must score more
GLANCE = 150  # rows that say which kernels of a step are worth learning from all
FINALISTS = 4  # kernels of a step that are learnt from all rows
GLANCING = Effort(25, 1e-4)  # of a start that is glanced at
LOOSE = Effort(500, 1e-4)  # of the finalists
TO_THE_END = Effort(500, 1e-5)  # of the best of all


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A kernel that a search tried: at which step, what it is made of, and how well it did with what was learnt of it.

    The log evidence and the score are those of y in its own units; ``remarks`` are what a person should know of the
    best.

    >>> from credo.kernels import Noise
    >>> Candidate(0, "Noise", Noise(2.0), -10.0, -11.5).structure
    'Noise'
    """

    step: int
    structure: str
    kernel: Kernel
    log_evidence: float
    score: float
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What a search found: the best kernel in a regressor that is fitted, and all that was tried.

    ``ladder`` has every candidate that was learnt from all rows by step, each step's best first; ``climbed`` are those
    that the search went through. ``kernel`` is in the units of the standardised data, as ``model.kernel_``;
    ``own_kernel`` and ``description`` are in those of the columns. ``outcome`` is ``CONVERGED`` if no kernel a step
    further scores higher by 1, and ``ended`` says so.

    >>> x = np.linspace(0, 1, 12)
    >>> print(search(x[:, None], 3 * x + 0.1 * (-1.0) ** np.arange(12), bases=["Linear"]))
    step  kernel                   log evidence  learnt   score
    ...
    """

    model: GaussianProcessRegressor
    ladder: tuple[Candidate, ...]
    outcome: Outcome
    ended: str

    @property
    def best(self) -> Candidate:
        """The candidate with the highest score."""
        return self.climbed[-1]

    @property
    def climbed(self) -> tuple[Candidate, ...]:
        """The best kernel of each step, for as long as the score rose."""
        found = [self.ladder[0]]
        for candidate in self.ladder[1:]:
            if candidate.step > found[-1].step and candidate.score > found[-1].score + GAIN:
                found.append(candidate)
        return tuple(found)

    @property
    def kernel(self) -> Kernel:
        """The best kernel, with what was learnt, noise and all."""
        held: Kernel = self.model.kernel_
        return held

    @property
    def own_kernel(self) -> Kernel:
        """The best kernel in the units of the columns and of y, for a ``GaussianProcessRegressor`` to go on with.

        A line goes through zero, which is the mean of its column: where there is ``Linear`` in the kernel, the
        regressor must be given ``X - model.scaling_.centre``. What was known of the noise is not in the kernel.

        >>> x = np.linspace(0, 60, 30)[:, None]
        >>> y = 300 + 50 * np.sin(x[:, 0] / 5) + np.random.default_rng(0).normal(0, 5, 30)
        >>> found = search(x, y, bases=["SE"], steps=1)
        >>> again = GaussianProcessRegressor(found.own_kernel, starts=1).fit(x, y)
        >>> abs(again.log_evidence_ - found.best.log_evidence) < 0.01
        True
        """
        held = self.model.scaling_
        return rescaled(self.kernel, held.scale, held.target_scale)

    @property
    def process(self) -> Process:
        """The process of the best kernel, given the data; its rows and targets are standardised."""
        held: Process = self.model.process_
        return held

    @property
    def description(self) -> str:
        """The best kernel in a sentence."""
        return self.describe()

    def describe(self, units: str | Sequence[str] | None = None) -> str:
        """The best kernel in a sentence, with the units of the columns."""
        names = vars(self.model).get("feature_names_in_")
        return describe(self.model, units=units, names=None if names is None else [str(name) for name in names])

    def __str__(self) -> str:
        """The best candidates of each step, those that the search went through marked, and how it ended."""
        climbed = {id(candidate) for candidate in self.climbed}
        rows = [("step", "kernel", "log evidence", "learnt", "score", "")]
        places: dict[int, int] = {}
        for held in self.ladder:
            places[held.step] = places.get(held.step, 0) + 1
            if places[held.step] <= SHOWN:
                numbers = (f"{held.log_evidence:.2f}", str(len(held.kernel.free)), f"{held.score:.2f}")
                rows.append((str(held.step), held.structure, *numbers, "*" if id(held) in climbed else ""))
        wide = [max(len(row[i]) for row in rows) for i in range(6)]
        lines = [
            f"{row[0]:>{wide[0]}}  {row[1]:<{wide[1]}}  "
            + "  ".join(f"{cell:>{wide[i]}}" for i, cell in enumerate(row[2:5], 2))
            + f" {row[5]}"
            for row in rows
        ]
        more = len(self.ladder) + 1 - len(rows)
        last = f"{more} others that scored less are in ladder; " if more else ""
        return "\n".join([*(line.rstrip() for line in lines), last + self.ended, self.description])


def search(  # noqa: PLR0913 (what is known, where to look, and for how long)
    X: Any,
    y: Any,
    *,
    noise: ArrayLike | None = None,
    kernel: Kernel | str | None = None,
    bases: Sequence[str] = ("SE", "Periodic", "Linear", "RationalQuadratic"),
    score: str = "laplace",
    steps: int = 8,
    seconds: float | None = None,
    n_jobs: int | None = None,
) -> Search:
    """A kernel for the data, found by a greedy search over sums and products of base kernels, column by column.

    The search begins with noise alone. At each step a base kernel is added to the best so far, multiplies one of its
    parts, or takes the place of one. All that arise are glanced at: learnt for a few steps by the evidence of at most
    150 rows that are drawn, from what was learnt before. The four that look best are learnt from all rows, and the best
    of them goes on. It ends when no score is higher by 1, after ``steps`` steps, when ``seconds`` have passed, or by
    Ctrl-C; the last two keep the best so far, and say so in a warning. Columns and y are standardised.

    **What is known.** ``noise`` is the standard deviation of y about the function, a number or one for each row;
    without it, noise is learnt. ``kernel`` is where the search begins instead of noise alone: a sum of products of
    kernels of one column each, with the values, bounds and priors that it has, and what is fixed in it stays so. Both
    are in the units of y and of the columns, a line going through zero at the mean of its column.

    **Score.** ``"laplace"`` is the log evidence with the hyperparameters integrated out about their best values, with a
    prior that is wide and typical for the data. It charges for what is learnt as much as was learnt of it: much for a
    period, which data tell sharply and chance finds easily, and nothing for a number that they leave open. ``"bic"`` is
    the log evidence less ½ log n for each hyperparameter. Both are in nats, and without the priors of ``kernel``; a
    step must raise the score by 1 at least.

    ``n_jobs`` spreads the kernels of a step over threads by joblib; the answer does not depend on it, but for rounding
    and where the time runs out.

    >>> x = np.linspace(0, 12, 40)
    >>> y = 0.4 * x + np.sin(2 * np.pi * x / 3) + np.random.default_rng(0).normal(0, 0.1, 40)
    >>> found = search(x[:, None], y, bases=["Periodic", "Linear"], steps=2)
    >>> found.best.structure
    'Linear + Periodic + Noise'
    >>> print(found.describe("months"))
    a rising straight line, plus a quarterly season, plus noise
    """
    checks.count("steps", steps, least=1)
    held = SCORES[checks.choice("score", score, tuple(SCORES))]
    limit = math.inf if seconds is None else float(checks.positive("seconds", seconds, ndim=0))
    model = GaussianProcessRegressor(standardise=True, starts=1)
    rows, targets = model._read(X, y)
    if not targets.std() > 0 or len(rows) < FEWEST:
        raise InvalidInput(f"y must have at least {FEWEST} rows that are not all alike; got {len(rows)} rows")
    scaling = Scaling.of(rows, targets)
    known, watch = _known(noise, len(rows), scaling), Watch(Budget(limit), n_jobs)
    climb = _Climb(rows, targets, scaling, known, _names(bases), held, watch)
    ladder, outcome, ended = climb.watched(_start(kernel, scaling, noise is None), steps)
    if watch.budget.stopped:
        warnings.warn(f"the search for a kernel ended early: {ended}", CredoWarning, stacklevel=2)
    best = Search(model, ladder, outcome, ended).best
    for remark in best.remarks:
        warnings.warn(remark, CredoWarning, stacklevel=2)
    return Search(_holding(model.set_params(noise=known), best.kernel, X, y), ladder, outcome, ended)


def _names(bases: Sequence[str]) -> tuple[str, ...]:
    if isinstance(bases, str) or not len(bases):
        raise BadParameter(f"bases must be a list of base kernels such as ['SE', 'Linear']; got {checks.shown(bases)}")
    return checks.unique("bases", [checks.choice("bases", base, tuple(BASES)) for base in bases])


def _known(noise: ArrayLike | None, rows: int, scaling: Scaling) -> Floats | None:
    """The noise that is known, in the units of the standardised targets."""
    if noise is None:
        return None
    known = checks.positive("noise", noise)
    if known.ndim > 1 or (known.ndim and len(known) != rows):
        raise BadShape(f"noise must be a number, or one for each of {rows} rows; got shape {known.shape}")
    return known / scaling.target_scale


def _start(kernel: Kernel | str | None, scaling: Scaling, noisy: bool) -> Kernel:  # noqa: FBT001
    """Where the search begins, in the units of the standardised data, with its noise."""
    noise: Kernel = Noise(1.0) if noisy else Noise(0.0).fixed()
    if kernel is None:
        return noise
    held = kernel_of(kernel) if isinstance(kernel, str) else kernel
    if not isinstance(held, Kernel):
        raise BadParameter(f"kernel must be a kernel, its text, or None; got {checks.shown(kernel)}")
    made = rescaled(held, 1 / scaling.scale, 1 / scaling.target_scale)
    if any(isinstance(part, Noise) for part in summands(made)):
        return made
    return Sum([*(made.parts if isinstance(made, Sum) else (made,)), Noise(0.1) if noisy else noise])


def _holding(model: GaussianProcessRegressor, kernel: Kernel, X: Any, y: Any) -> GaussianProcessRegressor:
    """The regressor, fitted with a kernel that is learnt already."""
    model.set_params(kernel=kernel.fixed()).fit(X, y)
    model.kernel_ = kernel
    held: GaussianProcessRegressor = model.set_params(kernel=kernel)
    return held


class _Climb:
    """What the steps of one search share."""

    def __init__(
        self,
        X: Floats,
        y: Floats,
        scaling: Scaling,
        noise: Floats | None,
        bases: tuple[str, ...],
        score: Score,
        watch: Watch,
    ) -> None:
        self.scaling, self.score, self.watch = scaling, score, watch
        rows, residual = scaling.rows(X), scaling.targets(y)
        known = np.array(np.broadcast_to(0.0 if noise is None else noise, len(rows)), dtype=np.float64)
        self.whole = Problem(rows, residual, known, Exact())
        few = len(rows) > GLANCE
        self.some = self.whole.thinned(GLANCE, np.random.default_rng(0)) if few else self.whole
        self.scales = scales_of(rows, residual)
        self.grammar = Grammar(bases, rows, residual, known, self.scales)

    def watched(self, start: Kernel, steps: int) -> tuple[tuple[Candidate, ...], Outcome, str]:
        """All candidates, and how the search ended; how far it is stands in a line that is cleared in the end."""
        # Many kernels at a time keep all cores busy, and with few rows threads only wait for each other.
        alone = len(self.whole.X) <= SMALL or effective_n_jobs(self.watch.n_jobs) > 1
        try:
            with one_blas_thread(when=alone):
                return self.up(start, steps)
        finally:
            self.watch.budget.line.close()

    def up(self, start: Kernel, steps: int) -> tuple[tuple[Candidate, ...], Outcome, str]:
        """All candidates, and how the search ended."""
        best = self._learnt(0, start, Budget())
        ladder, budget = [best], self.watch.budget
        outcome, ended = Outcome.OUT_OF_STEPS, f"{steps} steps were made, and more may score higher"
        for step in range(1, steps + 1):
            try:
                made = self._step(step, best, {candidate.structure for candidate in ladder})
            except KeyboardInterrupt:
                budget.stop()
                break
            ladder += made
            rises = bool(made) and made[0].score > best.score + GAIN
            best = made[0] if rises else best
            if budget.over:
                break
            if not rises:
                outcome, ended = Outcome.CONVERGED, "no kernel a step further scores higher by 1"
                break
        if not budget.over:
            ladder[ladder.index(best)] = self._finished(best)
        if budget.over:
            budget.stop()
            outcome, ended = _early(budget)
        return tuple(ladder), outcome, ended

    def _step(self, step: int, best: Candidate, known: set[str]) -> list[Candidate]:
        """The candidates of a step, from the best on; where it was stopped, those that were learnt by then."""
        options = [starts for name, starts in self.grammar.next(best.kernel).items() if name not in known]
        so_far, budget = f"best so far: {best.structure} ({best.score:.4g})", self.watch.budget
        looks = self.watch.each(self._glanced, options, f"step {step}, a look at kernel", so_far)
        if budget.over:
            return []
        looks = sorted(looks, key=lambda look: (-round(look[0], 2), len(look[1].free), structure(look[1])))
        tried = [kernel for _, kernel in looks[:FINALISTS]]
        made = self.watch.each(
            lambda kernel: self._learnt(step, kernel, budget), tried, f"step {step}, learning kernel", so_far
        )
        return sorted(made, key=lambda held: (-round(held.score, 2), len(held.kernel.free), held.structure))

    def _glanced(self, starts: list[Kernel]) -> tuple[float, Kernel]:
        """How good a kernel looks, and the best it came to from its starts, by a few steps on some rows."""
        problem = replace(self.some, solver=Watched(self.some.solver, self.watch.budget))
        ends = []
        for kernel in starts:
            bounds = limits(kernel, self.scales)
            end = uphill(kernel, problem, bounds, _within(kernel, bounds), GLANCING)
            if end.outcome is Outcome.INTERRUPTED:
                raise KeyboardInterrupt
            ends.append((end.value, end.kernel))
        value, kernel = max(ends, key=lambda pair: pair[0] if math.isfinite(pair[0]) else -math.inf)
        if not math.isfinite(value):
            raise NumericalFailure(f"the evidence of {kernel} is not finite")
        return bic(kernel, value, problem, self.scales), kernel

    def _learnt(self, step: int, kernel: Kernel, budget: Budget) -> Candidate:
        """A kernel learnt from all rows, and its score."""
        solver = chosen(None, kernel, self.whole.X, self.whole.noise)
        problem = replace(self.whole, solver=Watched(solver, budget))
        bounds = limits(kernel, self.scales)
        end = uphill(kernel, problem, bounds, _within(kernel, bounds), LOOSE)
        if end.outcome is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        if not math.isfinite(end.value):
            raise NumericalFailure(f"the evidence of {kernel} is not finite")
        return self._scored(step, end.kernel, end.value, problem)

    def _finished(self, held: Candidate) -> Candidate:
        """A candidate learnt to the end, unless it is stopped, with what a person should know of it."""
        budget = self.watch.budget
        problem = replace(self.whole, solver=Watched(chosen(None, held.kernel, self.whole.X, self.whole.noise), budget))
        bounds = limits(held.kernel, self.scales)
        try:
            end = uphill(held.kernel, problem, bounds, _within(held.kernel, bounds), TO_THE_END)
            if end.outcome is Outcome.INTERRUPTED:
                raise KeyboardInterrupt
            done = self._scored(held.step, end.kernel, end.value, problem, tuple(at_bounds(end, bounds)))
            # A score may fall while the evidence rises; the step was won by the kernel as it was.
            return done if done.score >= held.score else replace(held, remarks=done.remarks)
        except KeyboardInterrupt:
            budget.stop()
            return held

    def _scored(
        self, step: int, kernel: Kernel, value: float, problem: Problem, remarks: tuple[str, ...] = ()
    ) -> Candidate:
        """A candidate, in the units of y."""
        evidence = value - kernel.log_prior()
        score = self.score(kernel, evidence, problem, self.scales)
        shift = self.scaling.log_evidence(0.0, len(self.whole.X))
        return Candidate(step, structure(kernel), kernel, evidence + shift, score + shift, remarks)


def _early(budget: Budget) -> tuple[Outcome, str]:
    """Why a search ended before its end."""
    if budget.late:
        return Outcome.OUT_OF_STEPS, f"the time of {budget.seconds:g} seconds was up; the best so far was kept"
    return Outcome.INTERRUPTED, Outcome.INTERRUPTED.value.replace("best point", "best kernel")


def _within(kernel: Kernel, bounds: Floats) -> Floats:
    return np.clip(kernel.theta, bounds[:, 0], bounds[:, 1])
