"""Folds carried out one after another, on the cores of this machine, or on a Dask cluster; each kept once finished."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from credo.errors import InvalidInput, TooLarge
from credo.evaluation import Split
from credo.numerics import one_blas_thread
from credo.study.candidates import Candidate
from credo.study.journal import Journal
from credo.study.plan import Plan
from credo.study.question import Question
from credo.study.sitting import Sitting, sit

__all__ = ["Task", "carry_out", "worth_it"]


#: Seconds of fits below which other processes are not worth starting: that takes a few, and while folds go on one by
#: one the native loops have every core.
PATIENCE = 20.0


class Task(NamedTuple):
    """A candidate, the rows it learns from and those it answers for, under a name that no other task has."""

    name: str
    candidate: Candidate
    split: Split


def carry_out(
    tasks: Iterable[Task], question: Question, plan: Plan, journal: Journal
) -> Generator[tuple[Task, Sitting], None, None]:
    """Every task with what came of it, in the order in which they finish; written to the journal before it is told.

    ``tasks`` are asked for one by one, when there is a core for them, so that what was told may decide what comes next.
    Matrix products run on one thread everywhere: on more of them the last digits could be others.
    """
    if not plan.parallel:
        with one_blas_thread():
            for task in tasks:
                sitting = sit(task.candidate, question, task.split)
                journal.keep(task.name, sitting)
                yield task, sitting
        return
    from joblib import Parallel, delayed

    with _somewhere(plan, question):
        work = Parallel(n_jobs=-1 if plan.dask else plan.jobs, return_as="generator_unordered", batch_size=1)
        asked: dict[str, Task] = {}

        def calls() -> Iterator[Any]:
            for task in tasks:
                asked[task.name] = task
                yield delayed(_apart)(task, question, _threads(plan))

        with _mourned(plan), _abandoned(work(calls())) as finished:
            for name, sitting in finished:
                journal.keep(name, sitting)
                yield asked.pop(name), sitting


def worth_it(plan: Plan, seconds: float) -> Plan:
    """The plan for work of so many seconds: without other processes where starting them would take longer.

    >>> worth_it(Plan(jobs=2), 1.0).jobs, worth_it(Plan(jobs=2), 100.0).jobs
    (1, 2)
    """
    return plan if plan.dask or seconds >= PATIENCE else replace(plan, jobs=1)


@contextmanager
def _mourned(plan: Plan) -> Iterator[None]:
    """Where a process died with a fold in hand, what that mostly means, and how to go on."""
    try:
        yield
    except BrokenExecutor:
        kept = (
            "" if plan.journal is None else f" What is finished is kept in {plan.journal}; --resume goes on from there."
        )
        raise TooLarge(
            f"one of {plan.jobs} processes was ended from outside, mostly because memory ran out: each has a copy of "
            f"the table. Let fewer folds go on at a time (--jobs 1).{kept}"
        ) from None


@contextmanager
def _abandoned(finished: Any) -> Iterator[Any]:
    """When nobody waits any longer, the others are stopped, without advice how that could have been avoided."""
    try:
        yield finished
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            finished.close()


def _apart(task: Task, question: Question, threads: int) -> tuple[str, Sitting]:
    """A task in a process of its own."""
    from credo import native

    native.set_threads(threads)
    with one_blas_thread():
        return task.name, sit(task.candidate, question, task.split)


def _threads(plan: Plan) -> int:
    """How many threads a process may have, so that all together do not quarrel about the cores."""
    from credo import native

    return 1 if plan.dask else max(native.threads() // plan.jobs, 1)


@contextmanager
def _somewhere(plan: Plan, question: Question) -> Iterator[None]:
    """The processes of this machine, or the workers of a cluster, to whom the table is sent once."""
    from joblib import parallel_config

    if plan.dask is None:
        with parallel_config("loky", inner_max_num_threads=1):
            yield
        return
    with _client(plan.dask), parallel_config("dask", scatter=[question]):
        yield


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise InvalidInput(
            "dask needs the package distributed, which is not installed; pip install 'credo-bayes[distributed]', or "
            "use jobs instead"
        ) from None
    try:
        connect: Any = Client
        return connect(address, timeout="10s", set_as_default=True)
    except (OSError, ValueError) as cause:
        raise InvalidInput(f"no Dask scheduler answers at {address!r} ({cause}). Is it running?") from None
