"""Work that takes long: how far it is, when it is to end, and how it is stopped."""

from __future__ import annotations

import math
import sys
import time

__all__ = ["Budget", "Line"]

PATIENCE = 2.0  # seconds before progress is worth showing
TICK = 0.2
WIDTH = 78


class Line:
    """A line for whoever waits at a terminal: after two seconds, and not too often.

    >>> line = Line()
    >>> line.due
    False
    """

    def __init__(self) -> None:
        self.begun = self.shown = time.monotonic()

    @property
    def due(self) -> bool:
        """Whether somebody waits for another word."""
        now = time.monotonic()
        return now - self.begun > PATIENCE and now - self.shown > TICK and sys.stderr.isatty()

    def tell(self, text: str) -> None:
        """Say how far it is, if that is due."""
        if self.due:
            self.shown = time.monotonic()
            print(f"\r{text[:WIDTH]:{WIDTH}}", end="", file=sys.stderr, flush=True)  # noqa: T201

    def close(self) -> None:
        """Clear the line."""
        if self.shown > self.begun:
            print(f"\r{'':{WIDTH}}\r", end="", file=sys.stderr, flush=True)  # noqa: T201


class Budget:
    """What the threads of one piece of work share: when it is to end, whether it was stopped, and a ``line``.

    >>> budget = Budget(seconds=1000.0)
    >>> budget.over
    False
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds, self.stopped, self.line = seconds, False, Line()

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() - self.line.begun >= self.seconds

    @property
    def over(self) -> bool:
        """Whether nothing more is to be begun."""
        return self.stopped or self.late

    def stop(self) -> None:
        """End the work as soon as can be."""
        self.stopped = True
