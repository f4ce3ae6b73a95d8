"""Measures each side of each case in a process of its own, and shows the ratios."""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

ROUNDS = 3  # processes a side, taken by turns, so that a busy moment of the machine does not fall on one side alone
LEAST_RUNS = 3  # in each process,
LEAST_SECONDS = 0.3  # and as many more as fit in this time
ENOUGH = 15.0  # seconds: a side whose calls have taken as long together is not begun again


@dataclass(frozen=True)
class Case:
    """The same work done by Credo and by a peer; what is ``slow`` is done once in each process, without a rehearsal."""

    name: str
    peer_name: str
    setup: Callable[[], Any]
    ours: Callable[[Any], object]
    peer: Callable[[Any], object]
    slow: bool = False


@dataclass(frozen=True)
class Row:
    """What was measured: medians and bests in seconds; the peer's are None where it is not installed."""

    module: str
    name: str
    peer_name: str
    ours: float
    ours_best: float
    peer: float | None
    peer_best: float | None

    @property
    def ratio(self) -> float | None:
        """How many times faster Credo is, by the medians."""
        return None if self.peer is None else self.peer / self.ours


def names(parser: argparse.ArgumentParser, given: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names that were given, if all are known; all, if none was given."""
    there = list(known)
    unknown = sorted(set(given) - set(there))
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(there)}")
    return list(given) or there


def compare(module: str) -> list[Row]:
    """Measure every case of a module."""
    rows = []
    for i, case in enumerate(_cases(module)):
        seconds: dict[str, list[float]] = {"ours": [], "peer": []}
        for _ in range(ROUNDS):
            for side, runs in seconds.items():
                if sum(runs) < ENOUGH:
                    runs += _in_a_process(module, i, side)
        ours, peer = seconds["ours"], seconds["peer"]
        medians = statistics.median(ours), statistics.median(peer) if peer else None
        rows.append(Row(module, case.name, case.peer_name, medians[0], min(ours), medians[1], min(peer, default=None)))
    return rows


def show(module: str, rows: list[Row]) -> None:
    """Print the rows of a module as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=module, title_justify="left")
    table.add_column("case, and beside which peer")
    for heading in ("ours", "peer", "ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        ours, peer = (None if t is None else f"{1e3 * t:,.1f} ms" for t in (row.ours, row.peer))
        ratio = "not installed" if row.ratio is None else f"{row.ratio:.1f}×"
        table.add_row(f"{row.name}\n  {row.peer_name}", ours, peer, ratio)
    Console().print(table)


def _cases(module: str) -> list[Case]:
    cases: list[Case] = importlib.import_module(f"benchmarks.{module}").CASES
    return cases


def _in_a_process(module: str, case: int, side: str) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.harness", module, str(case), side]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{module}, case {case}, {side}:\n{done.stderr}")
    runs: list[float] = json.loads(done.stdout.splitlines()[-1])
    return runs


def _measure(case: Case, side: str) -> list[float]:
    data = case.setup()
    work = case.ours if side == "ours" else case.peer
    try:
        first = _seconds(work, data)
    except ModuleNotFoundError:
        if side == "peer":
            return []
        raise
    if case.slow:
        return [first]
    runs: list[float] = []
    while len(runs) < LEAST_RUNS or sum(runs) < LEAST_SECONDS:
        runs.append(_seconds(work, data))
    return runs


def _seconds(work: Callable[[Any], object], data: Any) -> float:
    start = time.perf_counter()
    work(data)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(json.dumps(_measure(_cases(sys.argv[1])[int(sys.argv[2])], sys.argv[3])))
