"""Which rows judge at the end, and how the others are dealt into folds."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credo.errors import InvalidInput
from credo.evaluation import Split, repeated, set_aside, strata, time_ordered
from credo.study.question import Question

__all__ = ["Deal", "deal"]


class Deal(NamedTuple):
    """The hold-out; the folds of the other rows, numbered among those; how many of them make a round; and in words."""

    split: Split
    folds: tuple[Split, ...]
    once: int
    words: str


def deal(question: Question, *, times: int, k: int, holdout: float, seed: int) -> Deal:
    """At random and balanced by the target; whole groups where there are groups; in order where there is a time."""
    if question.times is not None:
        return _in_order(question.times, times, k, holdout)
    y, groups = question.y, question.groups
    regression = question.kind == "regression"
    split = set_aside(
        len(y), holdout, rng=np.random.default_rng([seed, 0]), labels=strata(y) if regression else y, groups=groups
    )
    left = y[split.train]
    together = None if groups is None else groups[split.train]
    most = len(left) if together is None else len(np.unique(together))
    if most < 2:
        raise InvalidInput(
            "groups: fewer than two groups are left to learn from once others are set aside. Set less aside (holdout)"
        )
    once = min(k, most)
    folds = repeated(
        len(left),
        once,
        times,
        rng=np.random.default_rng([seed, 1]),
        labels=strata(left) if regression else left,
        groups=together,
    )
    spread = "high and low values" if regression else "every class"
    whole = "whole groups, " if groups is not None else ""
    return Deal(split, folds, once, f"at random, {whole}{spread} in like shares")


def _in_order(times: NDArray[Any], repeats: int, k: int, holdout: float) -> Deal:
    """The latest rows judge at the end; rows of one time are not divided."""
    if repeats > 1:
        raise InvalidInput("folds in order of time can be dealt in one way only; give folds as a single number")
    distinct, which, counts = np.unique(times, return_inverse=True, return_counts=True)
    if len(distinct) < 4:
        raise InvalidInput(f"time: there are only {len(distinct)} different times, too few to learn and to judge by")
    after = np.cumsum(counts[::-1])[::-1]  # rows at each time or later
    first = int(np.argmin(np.abs(after[3:] - math.floor(holdout * len(times))))) + 3
    late = which >= first
    split = Split(np.flatnonzero(~late), np.flatnonzero(late))
    folds = time_ordered(times[split.train], min(k, first - 1))
    return Deal(split, folds, len(folds), "in order of time, each fold judged by what came before it")
