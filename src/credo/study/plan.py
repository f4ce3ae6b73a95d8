"""How a study is to be worked: what is seldom said, in one value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from credo import checks
from credo.errors import BadParameter

__all__ = ["PLAIN", "Plan", "folds_of", "seconds_of"]

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
MOST_JOBS = 256  # each is a process with a copy of the table


def _unwatched(what: str, done: int, whole: int) -> None:
    """Nobody is looking."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study may do, how long, on how many cores, and what it must not mix.

    - ``candidates``: the names of those that take part (the guess always does); None for all.
    - ``groups``: a column whose equal values belong together (patients, households): no fold divides them.
    - ``time``: a column that orders the rows: every fold, and the hold-out, is judged by what came before it.
    - ``without``: columns that must not be used, such as those that are known only afterwards.
    - ``budget``: seconds, or a text like "10m"; candidates that would take more than there is are left out. Not with
      ``dask``.
    - ``jobs``: how many folds go on at a time; results do not depend on it. ``dask``: the address of a Dask scheduler,
      on whose workers they go on instead.
    - ``journal``: a file that keeps every finished fold; ``resume`` goes on from there and comes to the same result.
    - ``source``: what the report calls the data; None for the name of the file, if there is one.
    - ``watch`` is told ``(what, done, all)`` as the work proceeds.

    >>> Plan(groups="patient", budget="10m").budget
    600.0
    """

    candidates: tuple[str, ...] | None = None
    groups: str | None = None
    time: str | None = None
    without: tuple[str, ...] = ()
    budget: float | str | None = None
    jobs: int = 1
    dask: str | None = None
    journal: Path | None = None
    resume: bool = False
    source: str | None = None
    watch: Callable[[str, int, int], None] = _unwatched

    def __post_init__(self) -> None:
        checks.count("jobs", self.jobs, least=1, most=MOST_JOBS)
        if self.groups is not None and self.time is not None:
            raise BadParameter("groups and time cannot both deal the folds; give one of them")
        if self.resume and self.journal is None:
            raise BadParameter("resume needs the journal of the study that was interrupted; give journal")
        for name in ("candidates", "without"):
            held = getattr(self, name)
            if held is not None:
                object.__setattr__(self, name, checks.unique(name, (held,) if isinstance(held, str) else held))
        if self.dask is not None and not isinstance(self.dask, str):
            raise BadParameter(f"dask must be the address of a scheduler, as a text; got {checks.shown(self.dask)}")
        if not callable(self.watch):
            raise BadParameter(f"watch must be a function of (what, done, all); got {checks.shown(self.watch)}")
        if self.journal is not None:
            object.__setattr__(self, "journal", checks.path("journal", self.journal))
        if self.budget is not None:
            if self.dask is not None:
                raise BadParameter(
                    "budget and dask do not go together: how many cores a cluster has, and so how long a candidate "
                    "would take there, is not known. Leave one of them out"
                )
            object.__setattr__(self, "budget", seconds_of(self.budget))

    @property
    def parallel(self) -> bool:
        """Whether folds go on in other processes."""
        return self.jobs > 1 or self.dask is not None

    @property
    def seconds(self) -> float:
        """The budget; without one there is no end."""
        return float("inf") if self.budget is None else float(self.budget)


#: Everyone takes part, at random, one fold after another.
PLAIN = Plan()


def seconds_of(budget: float | str) -> float:
    """A time as a person writes it, in seconds.

    >>> seconds_of("90s"), seconds_of("1.5h"), seconds_of(20)
    (90.0, 5400.0, 20.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", str(budget).strip())
    seconds = float(found[1]) * UNITS[found[2]] if found else 0.0
    if seconds <= 0:
        raise BadParameter(f"budget must be a time above zero such as 90s, 10m or 1h; got {checks.shown(budget)}")
    return seconds


def folds_of(folds: Any) -> tuple[int, int]:
    """How often, and in how many folds: ``10`` is once in ten, ``"5x2"`` five times in two.

    >>> folds_of(10), folds_of("5x2")
    ((1, 10), (5, 2))
    """
    found = re.fullmatch(r"(?:(\d+)\s*[x×]\s*)?(\d+)", folds.strip()) if isinstance(folds, str) else None
    if isinstance(folds, str) and not found:
        raise BadParameter(f"folds must look like 10, or 10x10 for ten times ten; got {checks.shown(folds)}")
    times, k = (int(found[1] or 1), int(found[2])) if found else (1, folds)
    return checks.count("the times folds are dealt", times, least=1), checks.count("folds", k, least=2)
