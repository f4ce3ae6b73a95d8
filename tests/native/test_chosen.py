"""Which loops run, and what is said about it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from credo import native
from credo.errors import BadParameter


def described(**environment: str) -> str:
    """What a fresh process says, with the environment changed."""
    return subprocess.run(
        [sys.executable, "-c", "from credo import native; print(native.description(), native.available)"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()


def test_the_environment_can_force_the_twins() -> None:
    assert described(CREDO_NATIVE="0") == "NumPy twins, because CREDO_NATIVE is 0 False"


@pytest.mark.skipif(not native.available, reason=native.description())
def test_the_environment_can_set_the_threads() -> None:
    assert described(CREDO_THREADS="3") == "native loops, 3 threads True"
    assert described(CREDO_THREADS="1") == "native loops, 1 thread True"


@pytest.mark.parametrize("value", ["none", "0", "-1", "1.5", ""])
def test_a_bad_number_of_threads_in_the_environment_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDO_THREADS", value)
    with pytest.raises(BadParameter, match="CREDO_THREADS must be a whole number from 1 to 1024"):
        native.chosen._default_threads()


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "2", 10**9])
def test_a_bad_number_of_threads_is_refused(value: object) -> None:
    before = native.threads()
    with pytest.raises(BadParameter, match="n must be"):
        native.set_threads(value)  # type: ignore[arg-type]
    assert native.threads() == before
