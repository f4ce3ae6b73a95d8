"""Imports are cheap, and each room pays only for what it is about."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest


def cpu_seconds(*command: str) -> float:
    """The least CPU time of a few runs: the machine may be busy, the command is not."""
    best = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def test_import_credo_is_cheap() -> None:
    assert cpu_seconds(sys.executable, "-c", "import credo") <= 0.25


def test_help_is_cheap() -> None:
    assert (
        cpu_seconds(sys.executable, "-c", "import sys; sys.argv = ['credo', '--help']; import credo.cli as c; c.main()")
        <= 0.35
    )


HEAVY = {"scipy.stats", "sklearn", "pandas", "matplotlib", "duckdb", "pyarrow", "polars"}
SKLEARN = {"sklearn", "scipy.stats", "pandas", "pyarrow"}  # it loads the last two itself, if they are there


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("credo", set()),
        ("credo.errors", set()),
        ("credo.checks", set()),
        ("credo.native", set()),
        ("credo.numerics", set()),
        ("credo.beliefs", set()),
        ("credo.kernels", set()),
        ("credo.tables", set()),
        ("credo.decisions", set()),
        ("credo.cli", set()),
        ("credo.naive_bayes", SKLEARN),
        ("credo.gp", set()),
        ("credo.linear", SKLEARN),
        ("credo.pictures", SKLEARN),
        ("credo.svm", SKLEARN),
    ],
)
def test_a_room_loads_only_what_it_is_about(room: str, allowed: set[str]) -> None:
    code = f"import {room}, sys; print(*[m for m in {sorted(HEAVY)!r} if m in sys.modules])"
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout.split()
    assert set(loaded) <= allowed
