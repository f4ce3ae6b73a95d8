"""Learning a kernel by the evidence: from several starts, with what there is to be told about the answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

import numpy as np

from credo import native
from credo.checks import Floats
from credo.errors import CredoError, NumericalFailure, Outcome
from credo.gp.solvers import Exact, Solver
from credo.gp.starts import Scales, drawn, limits
from credo.kernels import Kernel
from credo.numerics import Line, minimise, one_blas_thread

__all__ = ["End", "Learnt", "Problem", "at_bounds", "learn"]

SAME = 0.05  # nats: ends that differ by less have found the same
AMBIGUOUS = 2.0  # nats: an end that is lower by less is nearly as good
AT_BOUND = 1e-6
FEW, MOST = 256, 1000  # rows that say which starts are worth following: a quarter of them all, within these
SMALL = 256  # rows
LITTLE = 100  # rows: with fewer, threads would only wait for Python's lock
HEAP = 31 * 2**20  # bytes; glibc keeps blocks up to 32 MB once it was given back one of their size
TICK = 0.2  # seconds between looks whether to stop


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is learnt from: rows, what the mean leaves of the targets, and the noise that is known of each."""

    X: Floats
    residual: Floats
    noise: Floats
    solver: Solver

    def thinned(self, count: int, rng: np.random.Generator) -> Problem:
        """So many of the rows, drawn without regard to anything; what is left of a grid is none."""
        rows = np.sort(rng.choice(len(self.X), count, replace=False))
        return Problem(self.X[rows], self.residual[rows], self.noise[rows], Exact())


@dataclass(frozen=True, slots=True)
class Effort:
    """How far one search goes: at most so many steps, and until the slopes are so small beside the evidence."""

    steps: int
    tolerance: float


ROUGH = Effort(50, 1e-3)  # far enough to tell starts apart
RACE = Effort(15, 1e-4)  # far enough to tell which of the leaders is the best with all rows
THOROUGH = Effort(500, 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class Rung:
    """A stage of learning: how many of the starts are followed, on which rows, and how far."""

    problem: Problem
    starts: int
    effort: Effort


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """Where one start led: the kernel, its log evidence with the log prior added, and how the search ended."""

    kernel: Kernel
    value: float
    outcome: Outcome
    trace: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """The best end, the values of all of them from the best on, and what a person should know about it."""

    best: End
    ends: tuple[float, ...]
    remarks: tuple[str, ...]


def learn(kernel: Kernel, problem: Problem, scales: Scales, *, starts: int, seed: int) -> Learnt:
    """The hyperparameters of largest evidence times prior, from the kernel as it is and from starts that are drawn.

    Of 512 rows or more, unless a solver makes them cheap, a quarter that are drawn, 256 to 1,000, say where each start
    leads. Only the leaders are followed with all rows: up to 1,000 rows a third of the starts, for a few steps, and the
    best of these to its end; of more rows the best alone. Ctrl-C ends the search and keeps the best so far.
    """
    rng = np.random.default_rng(seed)
    bounds = limits(kernel, scales)
    count = starts if kernel.free else 1
    positions = [kernel.theta, *drawn(kernel, scales, count - 1, rng)]
    positions = [np.clip(position, bounds[:, 0], bounds[:, 1]) for position in positions]
    rungs = ladder(problem, count, rng)
    ends, best = climbed(kernel, rungs, bounds, positions)
    if not math.isfinite(best.value):
        # Whatever made the first start fail says it best.
        problem.solver.slopes(kernel, problem.X, problem.noise, problem.residual)
        raise NumericalFailure(f"the evidence of {kernel} is not finite at any start. Rescale the columns of X, or y")
    few = len(rungs[0].problem.X) if len(rungs) > 1 else None
    said = [*_early(best), *_disagreement(ends, few), *at_bounds(best, bounds)]
    return Learnt(best, tuple(end.value for end in ends), tuple(said))


def ladder(problem: Problem, starts: int, rng: np.random.Generator) -> list[Rung]:
    """The stages of learning: all starts with a few rows, fewer with all of them, and the best to its end."""
    rows = len(problem.X)
    if starts == 1 or rows < 2 * FEW or not isinstance(problem.solver, Exact):
        return [Rung(problem, starts, THOROUGH)]
    few = problem.thinned(min(max(rows // 4, FEW), MOST), rng)
    race = [Rung(problem, max(2, starts // 3), RACE)] if rows <= MOST else []
    return [Rung(few, starts, ROUGH), *race, Rung(problem, 1, THOROUGH)]


def climbed(kernel: Kernel, rungs: list[Rung], bounds: Floats, positions: list[Floats]) -> tuple[list[End], End]:
    """Where all starts led on the first rung, and the best end of the last; it says if Ctrl-C came before."""
    first = searches(kernel, rungs[0], bounds, positions)
    found, best = first, first[0]
    for rung in rungs[1:]:
        if Outcome.INTERRUPTED not in {end.outcome for end in found}:
            found = searches(kernel, rung, bounds, [end.kernel.theta for end in _different(found)[: rung.starts]], best)
            best = found[0]
    stopped = Outcome.INTERRUPTED in {end.outcome for end in found}
    return first, replace(best, outcome=Outcome.INTERRUPTED) if stopped else best


def searches(
    kernel: Kernel, rung: Rung, bounds: Floats, positions: list[Floats], before: End | None = None
) -> list[End]:
    """Where each start leads, from the best on.

    They share the cores; the answers do not depend on how many there are. After Ctrl-C, where those led that had begun;
    if none had, there is only what was known ``before``.
    """
    progress = Progress(len(positions))
    # Matrices come and go at each step. Where the C library returns their memory to the system, to have each page
    # given to it anew takes longer than the arithmetic; a large block that was given back once teaches it to keep them.
    np.empty(HEAP, dtype=np.uint8)

    def lead(position: Floats) -> End | None:
        try:
            end = search(kernel, rung.problem, bounds, position, rung.effort, progress)
        except KeyboardInterrupt:  # before there was a first number
            progress.stopped = True
            return None
        progress.stopped |= end.outcome is Outcome.INTERRUPTED
        return end

    rows, several = len(rung.problem.X), len(positions) > 1
    threads = native.threads() if several and rows >= LITTLE else 1
    # Several starts share the cores, and small matrices are factored sooner by one thread than by several that wait.
    with one_blas_thread(when=several or rows <= SMALL):
        found = _in_turn(lead, positions, progress) if threads == 1 else _at_once(lead, positions, progress, threads)
    progress.line.close()
    ends = [end for end in found if end is not None] or ([] if before is None else [before])
    if not ends:
        raise KeyboardInterrupt
    ends.sort(key=lambda end: -end.value if math.isfinite(end.value) else math.inf)
    if progress.stopped:
        ends[0] = replace(ends[0], outcome=Outcome.INTERRUPTED)
    return ends


Lead = Callable[[Floats], End | None]


def _in_turn(lead: Lead, positions: list[Floats], progress: Progress) -> list[End | None]:
    found = []
    for position in positions:
        found.append(lead(position))
        if progress.stopped:
            break
    return found


def _at_once(lead: Lead, positions: list[Floats], progress: Progress, threads: int) -> list[End | None]:
    with ThreadPoolExecutor(min(threads, len(positions))) as crew:
        tasks = [crew.submit(lead, position) for position in positions]
        try:
            while wait(tasks, TICK).not_done:
                pass
        except KeyboardInterrupt:  # the threads see it at their next number
            progress.stopped = True
        return [task.result() for task in tasks]


def _different(ends: list[End]) -> list[End]:
    """Those that have not found the same as one before."""
    kept: list[End] = []
    for end in ends:
        if not kept or kept[-1].value - end.value > SAME:
            kept.append(end)
    return kept


def search(
    kernel: Kernel,
    problem: Problem,
    bounds: Floats,
    start: Floats,
    effort: Effort = THOROUGH,
    progress: Progress | None = None,
) -> End:
    """One search, uphill from ``start``."""

    def objective(theta: Floats) -> tuple[float, Floats]:
        if progress is not None and progress.stopped:
            raise KeyboardInterrupt
        try:
            held = kernel.with_theta(theta)
            evidence, slopes = problem.solver.slopes(held, problem.X, problem.noise, problem.residual)
        except CredoError:  # a matrix that cannot be factored, or a number too large: the search backs off
            return math.inf, np.zeros_like(theta)
        return -(evidence.total + held.log_prior()), -(slopes + held.log_prior_gradient())

    def record(theta: Floats, value: float) -> None:  # noqa: ARG001
        if progress is not None:
            progress.tell(-value)

    if not kernel.free:
        value = -objective(np.empty(0))[0]
        return End(kernel, value, Outcome.CONVERGED, np.array([value]))
    pairs = [(float(low), float(high)) for low, high in bounds]
    found = minimise(objective, start, bounds=pairs, steps=effort.steps, tolerance=effort.tolerance, record=record)
    if progress is not None:
        progress.done()
    held = kernel.with_theta(np.clip(found.position, bounds[:, 0], bounds[:, 1]))
    return End(held, -found.value, found.outcome, -found.trace)


def _early(best: End) -> list[str]:
    return [] if best.outcome.good else [f"the search for hyperparameters ended early: {best.outcome.value}"]


def _disagreement(ends: list[End], few: int | None = None) -> list[str]:
    """Whether the starts found the same: other hyperparameters nearly as good, or a best that was found but once.

    ``few`` is of how many rows the evidence is, if not of all. A start that ran out of steps has not found anything.
    """
    if Outcome.INTERRUPTED in {end.outcome for end in ends}:
        return []
    ended = [end.value for end in ends if end.outcome is not Outcome.OUT_OF_STEPS]
    found = [value for value in ended if math.isfinite(value)]
    if len(found) < 2:
        return []
    best, others = found[0], found[1:]
    of = "" if few is None else f" (of {few} rows that were drawn)"
    near = [value for value in others if SAME < best - value < AMBIGUOUS]
    if near:
        return [
            f"the starts disagree: hyperparameters with a log evidence of {best:.2f}{of} were found, and others "
            f"nearly as good, with {', '.join(f'{value:.2f}' for value in near[:4])}: the data allow both. Give priors "
            "or bounds, or look at either"
        ]
    if best - others[0] > SAME:
        return [
            f"the starts disagree: only one of {len(ended)} found the best log evidence, {best:.2f}{of}, and the next "
            f"best is {others[0]:.2f}, so there may be better ones. Give more starts, or priors"
        ]
    return []


def at_bounds(best: End, bounds: Floats) -> list[str]:
    """What there is to be told of hyperparameters that may go no further."""
    said = []
    for name, at, (low, high) in zip(best.kernel.free, best.kernel.theta, bounds, strict=True):
        for end, word in ((low, "least"), (high, "greatest")):
            if abs(at - end) <= AT_BOUND * max(1.0, abs(end)):
                said.append(
                    f"{name} sits at the {word} value it may have, {best.kernel.parameters[name]:.3g}: "
                    f"{_meaning(name, word)}. Fix it, bound it elsewhere, or give it a prior"
                )
    return said


def _meaning(name: str, word: str) -> str:
    if name.endswith("sd") and word == "least":
        return "the data look free of noise"
    if "length" in name and word == "greatest":
        return "what it looks at hardly matters, or matters in a straight line"
    return "the data would have it further out"


class Progress:
    """What searches side by side share: whether to stop, and how far they are."""

    def __init__(self, starts: int) -> None:
        self.starts, self.ended, self.stopped, self.line = starts, 0, False, Line()

    def done(self) -> None:
        """Another start has come to its end."""
        self.ended += 1

    def tell(self, value: float) -> None:
        """Say how far it is."""
        self.line.tell(f"start {min(self.ended + 1, self.starts)} of {self.starts}: log evidence {value:.4g}")
