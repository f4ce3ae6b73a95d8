"""How long a search may take, how it is stopped, and how far it is."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from credo.checks import Floats
from credo.errors import CredoError, Outcome
from credo.gp.solvers import Evidence, Factor, Solver
from credo.kernels import Kernel

__all__ = ["Budget", "Watch", "Watched"]

PATIENCE = 2.0  # seconds before progress is worth showing
TICK = 0.2
Task = TypeVar("Task")
Made = TypeVar("Made")


class Budget:
    """What the threads of one search share: when it is to end, and a line for whoever waits at a terminal.

    >>> budget = Budget(seconds=1000.0)
    >>> budget.over
    False
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds, self.stopped = seconds, False
        self.begun = self.shown = time.monotonic()

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() - self.begun >= self.seconds

    @property
    def over(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.stopped or self.late

    def stop(self) -> None:
        """End the search as soon as can be."""
        self.stopped = True

    def verdict(self) -> tuple[Outcome, str]:
        """Why it is over."""
        if self.late:
            return Outcome.OUT_OF_STEPS, f"the time of {self.seconds:g} seconds was up; the best so far was kept"
        return Outcome.INTERRUPTED, Outcome.INTERRUPTED.value.replace("best point", "best kernel")

    def tell(self, text: str) -> None:
        """Say how far it is: on a terminal, after two seconds, and not too often."""
        now = time.monotonic()
        if now - self.begun > PATIENCE and now - self.shown > TICK and sys.stderr.isatty():
            self.shown = now
            print(f"\r{text[:78]:78}", end="", file=sys.stderr, flush=True)  # noqa: T201

    def close(self) -> None:
        """Clear the line."""
        if self.shown > self.begun:
            print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True, slots=True, eq=False)
class Watched(Solver):
    """A solver whose learning ends when the budget does, as Ctrl-C would end it.

    >>> from credo.gp import Exact
    >>> str(Watched(Exact(), Budget()).solver)
    'Exact()'
    """

    solver: Solver
    budget: Budget

    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:
        """What the solver says."""
        return self.solver.refusal(kernel, X, noise)

    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        """What the solver says."""
        return self.solver.factor(kernel, X, noise)

    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        """What the solver says, while there is time."""
        if self.budget.over:
            raise KeyboardInterrupt
        return self.solver.slopes(kernel, X, noise, residual)


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """Tasks of a search spread over threads, for as long as its budget lasts.

    >>> Watch(Budget(), None).each(abs, [-1, 2], "number", "nothing yet")
    [1, 2]
    """

    budget: Budget
    n_jobs: int | None

    def each(self, work: Callable[[Task], Made], tasks: Sequence[Task], what: str, so_far: str) -> list[Made]:
        """What came of each task, in their order; nothing of those that are hopeless, or were stopped."""
        from joblib import Parallel, delayed

        made: dict[int, Made] = {}
        ended: list[int] = []
        running: set[int] = set()

        def one(place: int) -> None:
            if self.budget.over:
                return
            running.add(place)
            try:
                made[place] = work(tasks[place])
            except CredoError:  # a kernel without numbers; others may have some
                pass
            except KeyboardInterrupt:  # Ctrl-C, or the time is up: what is done halfway is nothing
                self.budget.stop()
            finally:
                ended.append(place)
                running.discard(place)
            self.budget.tell(f"{what} {len(ended)} of {len(tasks)}; {so_far}")

        try:
            Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(one)(place) for place in range(len(tasks)))
        except KeyboardInterrupt:
            self.budget.stop()
        while running:  # other threads, which see that it is over at their next step
            time.sleep(0.01)
        return [made[place] for place in sorted(made)]
