"""The search for a kernel: from noise alone, one base kernel at a time, as long as the score rises."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoError, CredoWarning, InvalidInput, Outcome
from credo.gp.budget import Budget, Watched
from credo.gp.grammar import BASES, Grammar, structure
from credo.gp.learning import SMALL, Problem, learn
from credo.gp.process import Process
from credo.gp.regression import GaussianProcessRegressor
from credo.gp.scaling import Scaling
from credo.gp.scores import SCORES
from credo.gp.solvers import chosen
from credo.gp.starts import scales_of
from credo.gp.words import describe
from credo.kernels import Kernel
from credo.numerics import one_blas_thread

__all__ = ["Candidate", "Search", "search"]

SHOWN = 3  # candidates of each step in the table
FEWEST = 4  # rows
GAIN = 1.0  # nats: what a larger kernel must score more


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A kernel that a search tried: at which step, what it is made of, and how well it did with what was learnt of it.

    The log evidence and the score are those of y in its own units; ``remarks`` are what a person should know of it.

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

    ``ladder`` has every candidate by step, each step's best first; ``climbed`` are those that the search went through.
    ``kernel`` is in the units of the standardised data, as ``model.kernel_``; ``description`` is in those of the
    columns. ``outcome`` is ``CONVERGED`` if no kernel a step further scores higher by 1, and ``ended`` says so.

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


def search(
    X: Any,
    y: Any,
    *,
    bases: Sequence[str] = ("SE", "Periodic", "Linear", "RationalQuadratic"),
    score: str = "laplace",
    steps: int = 5,
    seconds: float | None = None,
    n_jobs: int | None = None,
) -> Search:
    """A kernel for the data, found by a greedy search over sums and products of base kernels, column by column.

    The search begins with noise alone. At each step a base kernel is added to the best so far, multiplies one of its
    parts, or takes the place of one; all that arise are learnt by the evidence, from what was learnt before, and the
    best goes on. It ends when no score is higher by 1, after ``steps`` steps, when ``seconds`` have passed, or by
    Ctrl-C; the last two keep the best so far, and say so in a warning. Columns and y are standardised, and noise is
    learnt.

    **Score.** ``"laplace"`` is the log evidence with the hyperparameters integrated out about their best values, with a
    prior that is wide and typical for the data. It is the default because it charges for what is learnt as much as was
    learnt of it: much for a period, which data tell sharply and chance finds easily, and nothing for a number that they
    leave open. ``"bic"`` is the log evidence less ½ log n for each hyperparameter: no prior, and a little faster. Both
    are in nats, and a step must raise the score by 1 at least.

    ``n_jobs`` spreads the kernels of a step over threads by joblib; the answer does not depend on it, but for rounding
    and where the time runs out.

    >>> import numpy as np
    >>> x = np.linspace(0, 12, 40)
    >>> y = 0.4 * x + np.sin(2 * np.pi * x / 3) + np.random.default_rng(0).normal(0, 0.1, 40)
    >>> found = search(x[:, None], y, bases=["Periodic", "Linear"], steps=2)
    >>> found.best.structure
    'Linear + Periodic + Noise'
    >>> print(found.describe("months"))
    a rising straight line, plus a quarterly season, plus noise
    """
    if isinstance(bases, str) or not len(bases):
        raise BadParameter(f"bases must be a list of base kernels such as ['SE', 'Linear']; got {checks.shown(bases)}")
    names = checks.unique("bases", [checks.choice("bases", base, tuple(BASES)) for base in bases])
    checks.choice("score", score, tuple(SCORES))
    checks.count("steps", steps, least=1)
    limit = math.inf if seconds is None else float(checks.positive("seconds", seconds, ndim=0))
    model = GaussianProcessRegressor(standardise=True, starts=1)
    rows, targets = model._read(X, y)
    if not targets.std() > 0 or len(rows) < FEWEST:
        raise InvalidInput(f"y must have at least {FEWEST} rows that are not all alike; got {len(rows)} rows")
    climb = _Climb(rows, targets, names, score, n_jobs, Budget(limit))
    # Many kernels at a time keep all cores busy, and with few rows threads only wait for each other.
    alone = len(rows) <= SMALL or effective_n_jobs(n_jobs) > 1
    try:
        with one_blas_thread(when=alone):
            ladder, outcome, ended = climb.up(steps)
    finally:
        climb.budget.close()
    if climb.budget.stopped:
        warnings.warn(f"the search for a kernel ended early: {ended}", CredoWarning, stacklevel=2)
    best = Search(model, ladder, outcome, ended).best
    for remark in best.remarks:
        warnings.warn(remark, CredoWarning, stacklevel=2)
    return Search(_holding(model, best.kernel, X, y), ladder, outcome, ended)


def _holding(model: GaussianProcessRegressor, kernel: Kernel, X: Any, y: Any) -> GaussianProcessRegressor:
    """The regressor, fitted with a kernel that is learnt already."""
    model.set_params(kernel=kernel.fixed()).fit(X, y)
    model.kernel_ = kernel
    held: GaussianProcessRegressor = model.set_params(kernel=kernel)
    return held


class _Climb:
    """What the steps of one search share."""

    def __init__(
        self, X: Floats, y: Floats, bases: tuple[str, ...], score: str, n_jobs: int | None, budget: Budget
    ) -> None:
        self.scaling = Scaling.of(X, y)
        self.X, self.residual = self.scaling.rows(X), self.scaling.targets(y)
        self.scales = scales_of(self.X, self.residual)
        self.grammar = Grammar(bases, self.X, self.residual, self.scales)
        self.score, self.n_jobs, self.budget = SCORES[score], n_jobs, budget

    def up(self, steps: int) -> tuple[tuple[Candidate, ...], Outcome, str]:
        """All candidates, and how the search ended."""
        first = self.grammar.first()
        best = self._learnt(0, structure(first), [first], None)  # which takes no time worth watching
        if best is None:
            raise KeyboardInterrupt
        ladder = [best]
        for step in range(1, steps + 1):
            known = {candidate.structure for candidate in ladder}
            options = self.grammar.next(best.kernel)
            made = self._step(step, {name: starts for name, starts in options.items() if name not in known}, best)
            ladder += made
            rises = bool(made) and made[0].score > best.score + GAIN
            best = made[0] if rises else best
            if self.budget.over:
                self.budget.stop()
                return tuple(ladder), *self.budget.verdict()
            if not rises:
                return tuple(ladder), Outcome.CONVERGED, "no kernel a step further scores higher by 1"
        return tuple(ladder), Outcome.OUT_OF_STEPS, f"{steps} steps were made, and more may score higher"

    def _step(self, step: int, options: dict[str, list[Kernel]], best: Candidate) -> list[Candidate]:
        """The candidates of a step, from the best on; where it was stopped, those that were learnt by then."""
        from joblib import Parallel, delayed

        found: list[Candidate] = []
        ended: list[str] = []
        running: set[str] = set()

        def work(name: str, starts: list[Kernel]) -> None:
            running.add(name)
            try:
                made = self._learnt(step, name, starts, self.budget)
                found.extend([] if made is None else [made])
            finally:
                ended.append(name)
                running.discard(name)
            count = f"{len(ended)} of {len(options)}"
            self.budget.tell(f"step {step}, kernel {count}; best so far: {best.structure} ({best.score:.4g})")

        try:
            Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(work)(*option) for option in options.items())
        except KeyboardInterrupt:
            self.budget.stop()
        while running:  # other threads, which see that it is over at their next step
            time.sleep(0.01)
        return sorted(found, key=lambda held: (-round(held.score, 2), len(held.kernel.free), held.structure))

    def _learnt(self, step: int, name: str, starts: list[Kernel], budget: Budget | None) -> Candidate | None:
        """A kernel learnt from its starts, and its score; None if the time was up first, or there is no number."""
        best = None
        for kernel in starts:
            known = np.zeros(len(self.X))
            solver = chosen(None, kernel, self.X, known)
            problem = Problem(self.X, self.residual, known, solver if budget is None else Watched(solver, budget))
            try:
                learnt = learn(kernel, problem, self.scales, starts=1, seed=0, n_jobs=None)
                end = learnt.best
                if end.outcome is Outcome.INTERRUPTED:
                    raise KeyboardInterrupt
                if best is not None and end.value <= best.log_evidence:
                    continue
                score = self.score(end.kernel, end.value, problem, self.scales)
                best = Candidate(step, name, end.kernel, end.value, score, learnt.remarks)
            except CredoError:  # this start is hopeless; others may not be
                continue
            except KeyboardInterrupt:  # Ctrl-C, or the time is up: what is learnt halfway is no candidate
                self.budget.stop()
                break
        return None if best is None else self._in_own_units(best)

    def _in_own_units(self, held: Candidate) -> Candidate:
        shift = self.scaling.log_evidence(0.0, len(self.X))
        return replace(held, log_evidence=held.log_evidence + shift, score=held.score + shift)
