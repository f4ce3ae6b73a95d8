"""What networks cost beside the answers themselves: ``python -m benchmarks.network_costs``.

- Nanoseconds for an entry of a clique, in both passes together, on networks of more than a million entries;
- rows that one core answers in a second: all marginals of 100,000 rows of findings in alarm;
- one row of findings once an engine is compiled; a large file that is read; a query from a cold process.

The large networks are those of the folder that ``CREDO_NETWORKS`` names (see `benchmarks.networks`).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Case
from benchmarks.networks import EXAMPLES, FOUND, agrum_network, codes_of, load, observed, paths, sampled
from credo import native
from credo.networks import BayesianNetwork

LARGE = 1e6
ROUNDS = 5
ROWS, FEW_ROWS = 100_000, 1_000
FILE = next(iter(paths(["munin"])), EXAMPLES / "alarm.bif")
ASIA = str(EXAMPLES / "asia.bif")


def best_of(run: Callable[[int], object]) -> float:
    """The least seconds of some runs, the first not counted."""
    seconds = []
    for i in range(ROUNDS + 1):
        start = time.perf_counter()
        run(i)
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:])


def show_entries() -> None:
    print(f"{'network':12}{'found':>7}{'entries':>12}{'ms':>10}{'ns an entry':>13}")
    for path in paths([]):
        net = load(path)
        for share in (0.0, FOUND):
            names = observed(net, share)
            engine = net.compile(given=names)
            entries = engine.plan.entries
            if entries < LARGE:
                continue
            findings = [sampled(net, names, seed) for seed in (0, 1)]
            seconds = best_of(lambda i, engine=engine, findings=findings: engine.posteriors(findings[i % 2]))  # type: ignore[misc]
            name = path.name.split(".")[0]
            print(
                f"{name:12}{len(names):7}{entries:12.4g}{1e3 * seconds:10.2f}{1e9 * seconds / entries:13.2f}",
                flush=True,
            )


def rows_of(net: BayesianNetwork, n: int) -> dict[str, Any]:
    """Findings on a tenth of the variables, by column."""
    drawn = net.sample(n, rng=0)
    return {name: drawn[name] for name in observed(net, FOUND)}


def show_rows() -> None:
    net = load(EXAMPLES / "alarm.bif")
    found = rows_of(net, ROWS)
    engine = net.compile(given=list(found))
    one = {name: states[0] for name, states in found.items()}
    print(f"\nalarm, all marginals: one row {1e6 * best_of(lambda _: engine.posteriors(one)):.0f} µs")
    threads = native.threads()
    for count in sorted({1, threads}):
        native.set_threads(count)
        rate = ROWS / best_of(lambda _: engine.posteriors(found))
        print(f"alarm, {ROWS:,} rows, threads: {count}: {rate:,.0f} rows/s, {rate / count:,.0f} for each")
    native.set_threads(threads)


def alarm_rows() -> Any:
    net = load(EXAMPLES / "alarm.bif")
    found = rows_of(net, FEW_ROWS)
    return {"net": net, "found": found, "engine": net.compile(given=list(found))}


def rows_ours(data: Any) -> object:
    return data["engine"].posteriors(data["found"])


def rows_agrum(data: Any) -> object:
    import pyagrum

    net, found = data["net"], data["found"]
    if "peer" not in data:
        data["peer"] = pyagrum.LazyPropagation(agrum_network(net))
    inference, answers = data["peer"], []
    for row in zip(*found.values(), strict=True):
        inference.setEvidence(codes_of(net, dict(zip(found, row, strict=True))))
        inference.makeInference()
        answers.append(np.concatenate([inference.posterior(name).toarray() for name in net if name not in found]))
    return answers


def unzipped() -> Any:
    """The text of the file: a path that both can read."""
    import gzip
    import tempfile
    from pathlib import Path

    text = gzip.decompress(FILE.read_bytes()) if FILE.name.endswith(".gz") else FILE.read_bytes()
    folder = tempfile.mkdtemp()
    path = Path(folder, FILE.name.removesuffix(".gz"))
    path.write_bytes(text)
    return path


def read_agrum(path: Any) -> object:
    import pyagrum

    return pyagrum.loadBN(str(path))


def cold(*arguments: str) -> Callable[[Any], object]:
    return lambda _: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


AGRUM_QUERY = f"import pyagrum; net = pyagrum.loadBN({ASIA!r}); print(pyagrum.LazyPropagation(net).posterior(0))"

CASES = [
    Case(f"alarm, {FEW_ROWS:,} rows of findings", "pyAgrum, row by row", alarm_rows, rows_ours, rows_agrum),
    Case(f"read {FILE.name.removesuffix('.gz')}", "pyAgrum loadBN", unzipped, load, read_agrum),
    Case(
        "a query of asia.bif from a cold process",
        "pyAgrum",
        lambda: None,
        cold("-m", "credo", "query", ASIA),
        cold("-c", AGRUM_QUERY),
    ),
]

if __name__ == "__main__":
    show_entries()
    show_rows()
