"""Long runs of an engine: how far they are, and how they are stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from credo.native import NetworkEngine

__all__ = ["planned", "run", "watching"]

Answer = TypeVar("Answer")

LONG = 0.5  # seconds; what is predicted to take longer can be stopped and is watched
TICK = 0.1

_watcher: ContextVar[Callable[[float], None] | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(show: Callable[[float], None]) -> Iterator[None]:
    """While this lasts, ``show`` is told now and then which share of a long run is done.

    >>> with watching(print):
    ...     pass
    """
    token = _watcher.set(show)
    try:
        yield
    finally:
        _watcher.reset(token)


def run(engine: NetworkEngine, seconds: float, entries: float, ask: Callable[[], Answer]) -> Answer:
    """``ask()``, which is predicted to take so long; Ctrl-C stops it, though the interpreter does not run meanwhile."""
    if seconds < LONG:
        return ask()
    return _waited_for(ask, lambda: min(engine.progress / entries, 1.0), engine.cancel)


def planned(make: Callable[[], Answer]) -> Answer:
    """``make()``, which plans; if somebody watches, they are told that it has begun when it takes long."""
    return make() if _watcher.get() is None else _waited_for(make, lambda: 0.0, lambda: None)


def _waited_for(ask: Callable[[], Answer], share: Callable[[], float], stop: Callable[[], None]) -> Answer:
    if threading.current_thread() is not threading.main_thread():
        return ask()
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(ask())
        except BaseException as cause:  # noqa: BLE001  # handed to the thread that waits
            failure.append(cause)

    worker = threading.Thread(target=work, name="credo-networks", daemon=True)
    begun, shown = time.monotonic(), False
    worker.start()
    show = _watcher.get()
    try:
        while worker.is_alive():
            worker.join(TICK)
            if show is not None and time.monotonic() > begun + LONG:
                shown = True
                show(share())
    except BaseException:
        stop()
        worker.join()
        raise
    finally:
        if show is not None and shown:
            show(1.0)
    if failure:
        raise failure[0]
    answer: Answer = outcome[0]
    return answer
