"""What a search tried, and what came of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from credo.beliefs.layout import aligned
from credo.checks import Floats
from credo.errors import CredoError, Outcome
from credo.evaluation.searching.space import Settings

__all__ = ["Tried", "Tuning", "why"]

SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """Settings that were tried, and their score; more is better. Where they failed, ``error`` says why.

    ``folds`` are the scores that ``score`` is the mean of, where it is one; ``share`` is the part of the training rows
    (or whatever else may be scarce) that it was measured with.

    >>> Tried({"strength": 1.0}, score=-0.5, seconds=0.1).failed
    False
    """

    settings: Settings
    score: float
    seconds: float
    share: float = 1.0
    folds: tuple[float, ...] = ()
    error: str | None = None

    @property
    def failed(self) -> bool:
        """Whether there is no score."""
        return self.error is not None


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """A whole search: everything that was tried, in its order, how it ended, and whether time or patience ended it.

    >>> tried = Tried({"x": 1}, 2.0, 0.1), Tried({"x": 2}, 3.0, 0.1)
    >>> found = Tuning(tried, Outcome.OUT_OF_STEPS, "2 tries were made")
    >>> found.best.settings, found.trace.tolist()
    ({'x': 2}, [2.0, 3.0])
    >>> print(found)
    score  seconds  x
        3      0.1  2
        2      0.1  1
    2 tries were made
    """

    tried: tuple[Tried, ...]
    outcome: Outcome
    ended: str
    early: bool = False

    @property
    def best(self) -> Tried:
        """The highest score, the first of them where there are several, among those with the largest share."""
        good = [held for held in self.tried if not held.failed]
        most = max(held.share for held in good)
        return max((held for held in good if held.share == most), key=lambda held: held.score)

    @property
    def failures(self) -> tuple[Tried, ...]:
        """The settings that have no score."""
        return tuple(held for held in self.tried if held.failed)

    @property
    def trace(self) -> Floats:
        """The best score so far after each try; of tries with the whole share where shares differ."""
        scores = [held.score if held.share == 1 and not held.failed else -math.inf for held in self.tried]
        return np.maximum.accumulate(np.array(scores))

    def __str__(self) -> str:
        """The best of what was tried, the number of failures, and how it ended."""
        good = sorted((held for held in self.tried if not held.failed), key=lambda held: (-held.share, -held.score))
        names = list(self.tried[0].settings)
        shares = any(held.share != 1 for held in self.tried)
        rows = [("score", "seconds", *(["share"] if shares else []), *names)]
        for held in good[:SHOWN]:
            share = [f"{held.share:.3g}"] if shares else []
            rows.append((f"{held.score:.4g}", f"{held.seconds:.2g}", *share, *(_text(held.settings[n]) for n in names)))
        lines = [aligned(rows, right=[True] * len(rows[0]))]
        more = [f"{len(good) - SHOWN} others scored less"] if len(good) > SHOWN else []
        if self.failures:
            more.append(f"{len(self.failures)} failed, the first because: {self.failures[0].error}")
        return "\n".join([*lines, "; ".join([*more, self.ended])])


def why(failure: Exception) -> str:
    """Why settings failed, as the history keeps it.

    >>> why(KeyError("age"))
    "KeyError: 'age'"
    """
    return str(failure) if isinstance(failure, CredoError) else f"{type(failure).__name__}: {failure}"


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
