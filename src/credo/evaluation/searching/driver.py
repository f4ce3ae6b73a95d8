"""One driver for every method: proposes, has judged, keeps the history, and ends in time."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, NumericalFailure, Outcome
from credo.evaluation.searching.history import Tried, Tuning, why
from credo.evaluation.searching.methods import (
    Grid,
    Halving,
    Method,
    Random,
    drawn,
    fewest,
    method_of,
    promising,
    spread,
)
from credo.evaluation.searching.space import Settings, Space
from credo.numerics import Budget

__all__ = ["Judge", "attempt", "maximise", "seek"]

KEPT = "the best so far was kept"

# Judges several settings, each by a share of what there is; answers in their order.
Judge = Callable[[Sequence[Settings], float], list[Tried]]


def maximise(
    score: Callable[[Settings], float],
    space: Mapping[str, Any],
    *,
    method: str | Method = "bayes",
    rng: Any = 0,
    n_jobs: int | None = None,
) -> Tuning:
    """The settings of the highest score, as far as a search finds them, and everything that was tried.

    ``space`` says what each setting may be: ``Real(low, high)``, ``Whole(low, high)``, or a list of options. ``method``
    is ``"grid"``, ``"random"``, ``"bayes"``, or one of these as ``Bayes(tries=50, seconds=600)``. A score that fails or
    is not finite counts as the worst, with its reason in the history. When the time is up, or by Ctrl-C, the search
    ends, keeps the best so far, and says so in a warning. ``n_jobs`` judges settings at the same time, with the same
    answer but for where the time runs out; ``Bayes`` chooses as many at a time as its ``batch`` says.

    >>> from credo.evaluation.searching import Bayes, Real, maximise
    >>> found = maximise(lambda at: -((at["x"] - 0.3) ** 2), {"x": Real(0, 1)}, method=Bayes(tries=12))
    >>> round(found.best.settings["x"], 2)
    0.3
    """
    made = method_of(method)
    if isinstance(made, Halving):
        raise BadParameter("method must be 'grid', 'random' or 'bayes': a function has no rows to take a share of")
    from joblib import Parallel, delayed, effective_n_jobs

    def judge(settings: Sequence[Settings], share: float) -> list[Tried]:  # noqa: ARG001
        work = (delayed(attempt)(score, one) for one in settings)
        answers: list[Tried] = Parallel(n_jobs=n_jobs, prefer="threads")(work)
        return answers

    found = seek(judge, Space.of(space), made, rng=rng, at_once=effective_n_jobs(n_jobs))
    if found.early:
        warnings.warn(f"the search for settings ended early: {found.ended}", CredoWarning, stacklevel=2)
    return found


def attempt(score: Callable[[Settings], float], settings: Settings) -> Tried:
    """One setting judged; where that fails, the reason.

    >>> attempt(lambda at: 1 / at["x"], {"x": 0}).error
    'ZeroDivisionError: division by zero'
    """
    start = time.perf_counter()
    try:
        value, error = float(score(settings)), None
    except Exception as failure:  # noqa: BLE001 (settings that break a model must not end the search)
        value, error = math.nan, why(failure)
    if error is None and not math.isfinite(value):
        error = f"the score is {value}"
    return Tried(dict(settings), math.nan if error else value, time.perf_counter() - start, error=error)


def seek(judge: Judge, space: Space, method: Method, *, rng: Any, at_once: int = 1) -> Tuning:
    """The search itself; ``at_once`` settings are handed to ``judge`` at a time, which changes no answer.

    >>> found = seek(lambda settings, share: [attempt(lambda at: at["x"], s) for s in settings],
    ...              Space.of({"x": [1, 3, 2]}), Grid(), rng=0)
    >>> found.best.settings, found.ended
    ({'x': 3}, 'all 3 settings of the grid were tried')
    """
    search = _Search(judge, space, method, checks.generator(rng), at_once)
    try:
        outcome, ended = search.run()
    finally:
        search.budget.line.close()
    tried = tuple(search.tried)
    if all(held.failed for held in tried):
        if outcome is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        raise NumericalFailure(f"all {len(tried)} settings that were tried failed, the first because: {tried[0].error}")
    return Tuning(tried, outcome, ended, search.early)


@dataclass(frozen=True, slots=True, eq=False)
class _Round:
    """Points to judge by a share of the rows."""

    points: Floats
    share: float = 1.0


class _Search:
    """What one search has tried, and how much time it has left."""

    def __init__(self, judge: Judge, space: Space, method: Method, rng: np.random.Generator, at_once: int) -> None:
        self.judge, self.space, self.method, self.rng, self.at_once = judge, space, method, rng, max(at_once, 1)
        self.budget = Budget(math.inf if method.seconds is None else float(method.seconds))
        self.tried: list[Tried] = []
        self.points = np.empty((0, len(space.axes)))
        self.whole = 0  # settings that will be judged, as far as is known
        self.early = False  # whether time or patience ended it

    def run(self) -> tuple[Outcome, str]:
        """How it ended, once it has."""
        try:
            for following in self._rounds():
                points = following.points
                while len(points):
                    if self.budget.over and any(not held.failed for held in self.tried):
                        raise KeyboardInterrupt
                    self._judge(points[: self.at_once], following.share)
                    points = points[self.at_once :]
        except KeyboardInterrupt:
            self.early = True
            if self.budget.late:
                return Outcome.OUT_OF_STEPS, f"the time of {self.budget.seconds:g} seconds was up; {KEPT}"
            return Outcome.INTERRUPTED, f"stopped by hand; {KEPT}"
        return self._ended()

    def _rounds(self) -> Iterator[_Round]:
        """What is to be tried, once all before it was."""
        method, space, rng = self.method, self.space, self.rng
        self.whole = method.tries
        if isinstance(method, (Grid, Random)):
            points = space.grid(method.tries) if isinstance(method, Grid) else drawn(space, method.tries, rng)
            self.whole = len(points)
            yield _Round(points)
        elif isinstance(method, Halving):
            points = drawn(space, method.tries, rng)
            self.whole = sum(min(count, len(points)) for count, _ in method.rounds)
            for count, share in method.rounds:
                points = points[:count]
                yield _Round(points, share)
                points = points[self._order(len(points))]
        else:
            yield _Round(spread(space, fewest(method, space), rng))
            while len(self.tried) < method.tries:
                scores = np.array([held.score for held in self.tried])
                count = min(method.batch, method.tries - len(self.tried))
                points = promising(space, self.points, scores, count, rng)
                if not len(points):
                    return
                yield _Round(points)

    def _judge(self, points: Floats, share: float) -> None:
        self.tried += self.judge([self.space.at(point) for point in points], share)
        self.points = np.concatenate([self.points, points])
        good = [held.score for held in self.tried if not held.failed]
        best = f"; best score so far: {max(good):.4g}" if good else ""
        self.budget.line.tell(f"{len(self.tried)} of {self.whole} settings tried{best}")

    def _order(self, last: int) -> list[int]:
        """The settings of the round before from the best on, failures at the end."""
        scores = [held.score for held in self.tried[-last:]]
        return sorted(range(last), key=lambda i: (math.isnan(scores[i]), -scores[i] if scores[i] == scores[i] else 0.0))

    def _ended(self) -> tuple[Outcome, str]:
        if isinstance(self.method, Grid):
            return Outcome.CONVERGED, f"all {len(self.tried)} settings of the grid were tried"
        if len(self.tried) >= self.space.size and not isinstance(self.method, Halving):
            return Outcome.CONVERGED, f"all {len(self.tried)} settings that there are were tried"
        return Outcome.OUT_OF_STEPS, f"{len(self.tried)} tries were made, and more may score higher"
