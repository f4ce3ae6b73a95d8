"""All marginals of whole networks beside pyAgrum and pgmpy: ``python -m benchmarks.networks [name …] [--json]``.

Each network of the folder that ``CREDO_NETWORKS`` names, with nothing found and with findings on a tenth of the
variables (sampled from the network, so that they are possible). The time is from a loaded network to the last marginal:

- *first*: ``net.posteriors(given=findings)`` on a network that was never asked before, the plan included;
- *compiled*: ``engine.posteriors(findings)``, once ``engine = net.compile(given=names)`` is there;
- *pyAgrum*: a ``LazyPropagation`` on a network made of our tables (one that was asked before is no faster);
- *pgmpy*: ``VariableElimination``, a query for each variable, on small networks.

Every measurement has a process of its own with limited memory and time, so that what does not fit is said and harms
nobody. Answers are compared in the same run. ``python -m benchmarks networks`` measures the small examples only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.errors import TooLarge
from credo.networks import BayesianNetwork
from credo.networks.formats import read_network

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "networks"
MEMORY = 10 * 2**30
SECONDS = 300
FOUND = 0.1  # of the variables
ROUNDS = 3  # processes a side,
SLOW = 10.0  # one for what takes so many seconds
LEAST_SECONDS = 0.3
PGMPY_CELLS = 2_000

Findings = dict[str, Hashable]
Marginals = dict[str, Any]
Query = Callable[[Findings], Marginals]

# ---------------------------------------------------------------- the four who answer


def first(net: BayesianNetwork, _names: list[str]) -> Query:
    return lambda findings: {name: belief.probs for name, belief in net.posteriors(given=findings).items()}


def compiled(net: BayesianNetwork, names: list[str]) -> Query:
    engine = net.compile(given=names)
    return lambda findings: {name: belief.probs for name, belief in engine.posteriors(findings).items()}


def agrum(net: BayesianNetwork, names: list[str]) -> Query:
    import pyagrum

    made = agrum_network(net)
    wanted = unobserved(net, names)

    def query(findings: Findings) -> Marginals:
        inference = pyagrum.LazyPropagation(made)
        inference.setEvidence(codes_of(net, findings))
        inference.makeInference()
        return {name: inference.posterior(name).toarray() for name in wanted}

    return query


def pgmpy(net: BayesianNetwork, names: list[str]) -> Query:
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    made = DiscreteBayesianNetwork(list(net.graph.edges))
    made.add_nodes_from(net.nodes)
    for node in net.nodes.values():
        sizes = [len(states) for states in node.parents.values()]
        table = node.probs.T.tolist()
        made.add_cpds(TabularCPD(node.name, len(node.states), table, list(node.parents) or None, sizes or None))
    inference, wanted = VariableElimination(made), unobserved(net, names)

    def query(findings: Findings) -> Marginals:
        codes = codes_of(net, findings)
        return {name: inference.query([name], codes, show_progress=False).values for name in wanted}

    return query


SIDES = {"first": first, "compiled": compiled, "pyAgrum": agrum, "pgmpy": pgmpy}


def agrum_network(net: BayesianNetwork) -> Any:
    """The same network for pyAgrum, where the variable itself and then its last parent change fastest."""
    import pyagrum

    made = pyagrum.BayesNet()
    for node in net.nodes.values():
        made.add(pyagrum.LabelizedVariable(node.name, "", [str(state) for state in node.states]))
    for node in net.nodes.values():
        for parent in reversed(node.parents):
            made.addArc(parent, node.name)
        made.cpt(node.name).fillWith(node.probs.ravel().tolist())
    return made


def unobserved(net: BayesianNetwork, names: Iterable[str]) -> list[str]:
    return [name for name in net.nodes if name not in set(names)]


def codes_of(net: BayesianNetwork, findings: Findings) -> dict[str, int]:
    return {name: net.nodes[name].states.index(state) for name, state in findings.items()}


def observed(net: BayesianNetwork, share: float) -> list[str]:
    """A share of the variables."""
    count = max(1, round(share * len(net.nodes))) if share else 0
    names: list[str] = np.random.default_rng(0).choice(list(net.nodes), count, replace=False).tolist()
    return names


def sampled(net: BayesianNetwork, names: list[str], seed: int) -> Findings:
    """The states of some variables in one draw from the network."""
    rng = np.random.default_rng(seed)
    drawn: dict[str, int] = {}
    for name in net.graph.order:
        node = net.nodes[name]
        row = 0
        for parent, states in node.parents.items():
            row = row * len(states) + drawn[parent]
        drawn[name] = int(rng.choice(len(node.states), p=node.probs[row]))
    return {name: net.nodes[name].states[drawn[name]] for name in names}


def load(path: Path) -> BayesianNetwork:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that sum to one to six digits only
        return read_network(path)


# ---------------------------------------------------------------- a measurement, in a process of its own


@dataclass(frozen=True)
class Measured:
    """What came of one side on one network: the median seconds, or why there are none; and the peak of memory."""

    seconds: float | None
    failure: str = ""
    gib: float | None = None


def measure(path: Path, share: float, side: str, out: Path) -> Measured:
    """In this process: the marginals go to ``out``."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        prepare(load(EXAMPLES / "asia.bif"), share, side)[0]()  # what is imported late is not a part of the query
        runs, answers = [], []
        queries = prepare(load(path), share, side)
        while sum(runs) < LEAST_SECONDS:
            if side == "first" and runs:
                queries = prepare(load(path), share, side)  # one that was never asked
            start = time.perf_counter()
            answers.append(queries[len(runs) % 2]())
            runs.append(time.perf_counter() - start)
            del answers[1:]
    except (MemoryError, TooLarge) as cause:
        return Measured(None, "too large" if isinstance(cause, TooLarge) else "out of memory")
    np.save(out, np.concatenate([np.ravel(answers[0][name]) for name in sorted(answers[0])]))
    return Measured(statistics.median(runs), gib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def prepare(net: BayesianNetwork, share: float, side: str) -> list[Callable[[], Marginals]]:
    """The query with the findings of two draws, taken by turns: nobody may answer from memory."""
    names = observed(net, share)
    query = SIDES[side](net, names)
    return [partial(query, sampled(net, names, seed)) for seed in (0, 1)]


def in_a_process(path: Path, share: float, side: str, out: Path) -> Measured:
    command = [sys.executable, "-m", "benchmarks.networks", "--measure", str(path), str(share), side, str(out)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return Measured(None, f"more than {SECONDS} s")
    if done.returncode == 0:
        return Measured(**json.loads(done.stdout.splitlines()[-1]))
    last = done.stderr.strip().splitlines()[-1:] or [f"ended with {done.returncode}"]
    if any(sign in done.stderr for sign in ("bad_alloc", "MemoryError", "not enough memory")) or done.returncode == -9:
        return Measured(None, "out of memory")
    return Measured(None, "not installed" if "ModuleNotFoundError" in last[0] else last[0])


# ---------------------------------------------------------------- all of them


@dataclass(frozen=True)
class Row:
    """One network, with or without findings: what each side measured, and how far the answers are apart."""

    network: str
    variables: int
    found: int
    sides: dict[str, Measured]
    difference: float | None

    def ratio(self, peer: str, ours: str) -> float | None:
        """How many times faster ``ours`` is."""
        theirs, mine = (self.sides[side].seconds if side in self.sides else None for side in (peer, ours))
        return None if theirs is None or mine is None else theirs / mine


RATIOS = {
    "pyAgrum / first": ("pyAgrum", "first"),
    "pyAgrum / compiled": ("pyAgrum", "compiled"),
    "pgmpy / first": ("pgmpy", "first"),
}


def compare(path: Path, share: float) -> Row:
    net = load(path)
    cells = sum(node.probs.size for node in net.nodes.values())
    sides = [side for side in SIDES if side != "pgmpy" or cells <= PGMPY_CELLS]
    runs: dict[str, list[Measured]] = {side: [] for side in sides}
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):  # by turns, so that a busy moment of the machine does not fall on one side alone
            for side, before in runs.items():
                if before and (before[0].seconds is None or before[0].seconds > SLOW):
                    continue
                out = Path(folder, f"{side}.npy")
                before.append(in_a_process(path, share, side, out))
                if len(before) == 1 and out.exists():
                    answers.append(np.load(out))
    medians = {side: sorted(each, key=lambda m: m.seconds or math.inf)[len(each) // 2] for side, each in runs.items()}
    apart = max((float(np.abs(each - answers[0]).max()) for each in answers[1:]), default=None)
    return Row(name_of(path), len(net.nodes), len(observed(net, share)), medians, apart)


def name_of(path: Path) -> str:
    return path.name.split(".")[0]


def shown(side: Measured | None) -> str:
    if side is None:
        return "–"
    return side.failure[:16] if side.seconds is None else f"{1e3 * side.seconds:,.2f}"


def show(rows: Iterable[Row]) -> None:
    """Print each row when it is known, and the geometric means in the end."""
    heads = ["network", "found", *(f"{side} ms" for side in SIDES), *RATIOS, "apart"]
    widths = [12, 9, *(max(13, len(head)) for head in heads[2:])]
    print("  ".join(head.rjust(width) for head, width in zip(heads, widths, strict=True)))
    ratios: dict[tuple[bool, str], list[float]] = {}
    for row in rows:
        cells = [row.network, f"{row.found}/{row.variables}", *(shown(row.sides.get(side)) for side in SIDES)]
        for name, (peer, ours) in RATIOS.items():
            ratio = row.ratio(peer, ours)
            cells.append("–" if ratio is None else f"{ratio:,.1f}×")
            if ratio is not None:
                ratios.setdefault((row.found > 0, name), []).append(ratio)
        cells.append("–" if row.difference is None else f"{row.difference:.1e}")
        print("  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)), flush=True)
    for (found, name), values in ratios.items():
        print(
            f"{'a tenth found' if found else 'nothing found'}, {name}: geometric mean "
            f"{statistics.geometric_mean(values):,.1f}×, least {min(values):,.1f}×, over {len(values)} networks"
        )


def paths(names: list[str]) -> list[Path]:
    folder = Path(os.environ.get("CREDO_NETWORKS", ROOT.parent / "shared" / "data" / "networks"))
    if not folder.is_dir():
        print(f"{folder} is not there: skipped, and the examples taken. CREDO_NETWORKS names a folder of BIF files")
        folder = EXAMPLES
    found = sorted(path for path in folder.iterdir() if path.name.endswith((".bif", ".bif.gz")))
    return [path for path in found if not names or name_of(path) in names]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.networks")
    parser.add_argument("names", nargs="*", metavar="name", help="of networks; all unless told which")
    parser.add_argument("--json", action="store_true", help="for programs: seconds, and how far the answers are apart")
    options = parser.parse_args()
    rows = (compare(path, share) for path in paths(options.names) for share in (0.0, FOUND))
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        show(rows)


# ---------------------------------------------------------------- small ones for `python -m benchmarks`


def example(name: str, share: float) -> Callable[[], Any]:
    def setup() -> Any:
        net = load(EXAMPLES / f"{name}.bif")
        return {"net": net, "share": share, "ours": prepare(net, share, "compiled")[0]}

    return setup


def ask_ours(data: Any) -> object:
    return data["ours"]()


def ask_agrum(data: Any) -> object:
    if "peer" not in data:  # made in the call that is not counted, as it may not be installed
        data["peer"] = prepare(data["net"], data["share"], "pyAgrum")[0]
    return data["peer"]()


CASES = [
    Case(f"all marginals of {name}, {words}", "pyAgrum LazyPropagation", example(name, share), ask_ours, ask_agrum)
    for name in ("asia", "alarm")
    for share, words in ((0.0, "nothing found"), (FOUND, "a tenth found"))
]

if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(asdict(measure(Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4], Path(sys.argv[5])))))
    else:
        main()
