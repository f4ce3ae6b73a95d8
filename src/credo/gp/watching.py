"""Searches that are watched: solvers that end when the time is up, and tasks on several threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from credo.checks import Floats
from credo.errors import CredoError
from credo.gp.solvers import Evidence, Factor, Solver
from credo.kernels import Kernel
from credo.numerics.waiting import Budget

__all__ = ["Watch", "Watched"]

Task = TypeVar("Task")
Made = TypeVar("Made")


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
            self.budget.line.tell(f"{what} {len(ended)} of {len(tasks)}; {so_far}")

        try:
            Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(one)(place) for place in range(len(tasks)))
        except KeyboardInterrupt:
            self.budget.stop()
        while running:  # other threads, which see that it is over at their next step
            time.sleep(0.01)
        return [made[place] for place in sorted(made)]
