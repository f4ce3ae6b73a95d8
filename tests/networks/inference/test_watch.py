"""Who watches is told how far long answers are, and Ctrl-C stops them."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

from credo.networks.inference import watch


class Slow:
    """An engine whose answer takes some steps; it may be stopped between two."""

    def __init__(self) -> None:
        self.progress = 0.0
        self.stopped = threading.Event()

    def cancel(self) -> None:
        self.stopped.set()

    def answer(self) -> str:
        for _ in range(20):
            self.progress += 5.0
            if self.stopped.wait(0.005):
                raise RuntimeError("cancelled")
        return "done"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LONG", 0.0)
    monkeypatch.setattr(watch, "TICK", 0.001)


def test_shares_rise_to_one() -> None:
    engine: Any = Slow()
    shares: list[float] = []
    with watch.watching(shares.append):
        assert watch.run(engine, 1.0, 100.0, engine.answer) == "done"
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5
    assert shares[-1] == 1


def test_who_watches_is_told_that_planning_has_begun() -> None:
    shares: list[float] = []
    with watch.watching(shares.append):
        assert watch.planned(lambda: time.sleep(0.05) or 7) == 7  # type: ignore[func-returns-value]
    assert set(shares) == {0.0, 1.0}
    assert shares[-1] == 1


def test_what_is_short_or_not_watched_is_not_handed_to_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LONG", 0.5)
    here = threading.current_thread()
    assert watch.planned(threading.current_thread) is here
    assert watch.run(SimpleNamespace(), 0.1, 1.0, threading.current_thread) is here  # type: ignore[arg-type]


def test_an_interrupt_stops_the_engine_and_what_failed_is_raised() -> None:
    engine: Any = Slow()

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watch.watching(interrupt):
        watch.run(engine, 1.0, 100.0, engine.answer)
    assert engine.stopped.is_set()
    with pytest.raises(ZeroDivisionError):
        watch.run(engine, 1.0, 100.0, lambda: 1 / 0)
