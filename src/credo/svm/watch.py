"""Long fits: how far they are, and how they are stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from credo import native
from credo.numerics import Line

__all__ = ["Watch", "each"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Watch:
    """What the solvers of one fit share: whether they are to stop, and a line for whoever waits at a terminal.

    >>> watch = Watch(machines=2)
    >>> watch.stopped
    False
    """

    def __init__(self, machines: int = 1) -> None:
        self.stopped = False
        self.machines, self.solved = machines, 0
        self.line = Line()
        self.guard = threading.Lock()

    def done(self) -> None:
        """Another machine is solved."""
        with self.guard:
            self.solved += 1

    def tell(self, gap: float, tolerance: float) -> None:
        """Say how far it is."""
        many = f"{self.solved} of {self.machines} machines solved; " if self.machines > 1 else ""
        self.line.tell(f"{many}violation {gap:.2g}, to fall to {tolerance:.2g}")


def each(work: Callable[[Task], Answer], tasks: Sequence[Task], watch: Watch) -> list[Answer]:
    """``work`` done on every task, on as many threads as the native loops may use; answers in the order of the tasks.

    Ctrl-C tells the watch to stop, and waits for what the tasks then still have to say.

    >>> each(abs, [1, -2], Watch())
    [1, 2]
    """
    crew = min(native.threads(), len(tasks))
    if crew < 2:
        return [_interruptible(work, task, watch) for task in tasks]
    with ThreadPoolExecutor(crew, thread_name_prefix="credo-svm") as pool:
        waiting: list[Any] = [pool.submit(work, task) for task in tasks]
        try:
            for future in waiting:
                future.exception()  # waits
        except KeyboardInterrupt:
            watch.stopped = True
        return [future.result() for future in waiting]


def _interruptible(work: Callable[[Task], Answer], task: Task, watch: Watch) -> Answer:
    try:
        return work(task)
    except KeyboardInterrupt:  # it came outside of the loop that looks out for it: once more, to give what there is
        watch.stopped = True
        return work(task)
