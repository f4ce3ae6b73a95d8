"""Learning a kernel by the evidence: from several starts, with what there is to be told about the answer."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass

import numpy as np

from credo.checks import Floats
from credo.errors import CredoError, NumericalFailure, Outcome
from credo.gp.solvers import Exact, Solver
from credo.gp.starts import Scales, drawn, limits
from credo.kernels import Kernel
from credo.numerics import minimise, one_blas_thread

__all__ = ["End", "Learnt", "Problem", "learn"]

STEPS = 500
TOLERANCE = 1e-6
SAME = 0.05  # nats: ends that differ by less have found the same
AMBIGUOUS = 2.0  # nats: an end that is lower by less is nearly as good
AT_BOUND = 1e-6
FEW = 1000  # rows that say which start is the best
SMALL = 256  # rows
HEAP = 31 * 2**20  # bytes; glibc keeps blocks up to 32 MB once it was given back one of their size
PATIENCE = 2.0  # seconds before progress is worth showing
TICK = 0.2


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


def learn(kernel: Kernel, problem: Problem, scales: Scales, *, starts: int, seed: int, n_jobs: int | None) -> Learnt:
    """The hyperparameters of largest evidence times prior, from the kernel as it is and from starts that are drawn.

    Of more than 1,000 rows, unless a solver makes them cheap, 1,000 that are drawn say which start leads farthest, and
    only from there on all rows are learnt from. Ctrl-C ends the search and keeps the best so far.
    """
    rng = np.random.default_rng(seed)
    bounds = limits(kernel, scales)
    count = starts if kernel.free else 1
    positions = [kernel.theta, *drawn(kernel, scales, count - 1, rng)]
    positions = [np.clip(position, bounds[:, 0], bounds[:, 1]) for position in positions]
    few = len(problem.X) > FEW and isinstance(problem.solver, Exact) and count > 1
    ends = searches(kernel, problem.thinned(FEW, rng) if few else problem, bounds, positions, n_jobs)
    best = ends[0]
    if few and best.outcome is not Outcome.INTERRUPTED:
        best = searches(kernel, problem, bounds, [best.kernel.theta], None)[0]
    if not math.isfinite(best.value):
        # Whatever made the first start fail says it best.
        problem.solver.slopes(kernel, problem.X, problem.noise, problem.residual)
        raise NumericalFailure(f"the evidence of {kernel} is not finite at any start. Rescale the columns of X, or y")
    said = [*_early(best), *_disagreement(ends), *_at_bounds(best, bounds)]
    return Learnt(best, tuple(end.value for end in ends), tuple(said))


def searches(
    kernel: Kernel, problem: Problem, bounds: Floats, positions: list[Floats], n_jobs: int | None
) -> list[End]:
    """Where each start leads, from the best on."""
    if n_jobs not in (None, 1) and len(positions) > 1:
        from joblib import Parallel, delayed

        ends = list(Parallel(n_jobs=n_jobs)(delayed(search)(kernel, problem, bounds, held) for held in positions))
        return _from_the_best(ends)
    progress, ends = Progress(len(positions)), []
    # Matrices come and go at each step. Where the C library returns their memory to the system, to have each page
    # given to it anew takes longer than the arithmetic; a large block that was given back once teaches it to keep them.
    np.empty(HEAP, dtype=np.uint8)
    # Small matrices are factored sooner by one thread than by several that wait for each other.
    with one_blas_thread(when=len(problem.X) <= SMALL):
        for position in positions:
            ends.append(search(kernel, problem, bounds, position, progress))
            if ends[-1].outcome is Outcome.INTERRUPTED:
                break
    progress.close()
    return _from_the_best(ends)


def _from_the_best(ends: list[End]) -> list[End]:
    return sorted(ends, key=lambda end: -end.value if math.isfinite(end.value) else math.inf)


def search(
    kernel: Kernel,
    problem: Problem,
    bounds: Floats,
    start: Floats,
    progress: Progress | None = None,
    *,
    steps: int = STEPS,
    tolerance: float = TOLERANCE,
) -> End:
    """One search, uphill from ``start``."""

    def objective(theta: Floats) -> tuple[float, Floats]:
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
    found = minimise(objective, start, bounds=pairs, steps=steps, tolerance=tolerance, record=record)
    if progress is not None:
        progress.done()
    held = kernel.with_theta(np.clip(found.position, bounds[:, 0], bounds[:, 1]))
    return End(held, -found.value, found.outcome, -found.trace)


def _early(best: End) -> list[str]:
    return [] if best.outcome.good else [f"the search for hyperparameters ended early: {best.outcome.value}"]


def _disagreement(ends: list[End]) -> list[str]:
    """Whether the starts found the same: other hyperparameters nearly as good, or a best that was found but once."""
    best, others = ends[0], [end.value for end in ends[1:] if math.isfinite(end.value)]
    if not others or Outcome.INTERRUPTED in {end.outcome for end in ends}:
        return []
    near = [value for value in others if SAME < best.value - value < AMBIGUOUS]
    if near:
        return [
            f"the starts disagree: hyperparameters with a log evidence of {best.value:.2f} were found, and others "
            f"nearly as good, with {', '.join(f'{value:.2f}' for value in near[:4])}: the data allow both. Give priors "
            "or bounds, or look at either"
        ]
    if best.value - others[0] > SAME:
        return [
            f"the starts disagree: only one of {len(ends)} found the best log evidence, {best.value:.2f}, and the next "
            f"best is {others[0]:.2f}, so there may be better ones. Give more starts, or priors"
        ]
    return []


def _at_bounds(best: End, bounds: Floats) -> list[str]:
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
    """A line for whoever waits at a terminal: after two seconds, and not too often."""

    def __init__(self, starts: int) -> None:
        self.starts, self.ended = starts, 0
        self.begun = self.shown = time.monotonic()

    def done(self) -> None:
        """Another start has come to its end."""
        self.ended += 1

    def tell(self, value: float) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if now - self.begun > PATIENCE and now - self.shown > TICK and sys.stderr.isatty():
            self.shown = now
            text = f"start {min(self.ended + 1, self.starts)} of {self.starts}: log evidence {value:.4g} "
            print(f"\r{text:60}", end="", file=sys.stderr, flush=True)  # noqa: T201

    def close(self) -> None:
        """Clear the line."""
        if self.shown > self.begun:
            print(f"\r{'':60}\r", end="", file=sys.stderr, flush=True)  # noqa: T201
