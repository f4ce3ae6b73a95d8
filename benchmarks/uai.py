"""Markov networks of the UAI 2014 competition beside the official answers: ``python -m benchmarks.uai [name …]``.

The problems are those of the folder that ``CREDO_UAI`` names: for each a ``.uai.gz``, a ``.uai.evid``, the official
marginals ``.uai.MAR.gz`` and the log10 of the partition function ``.uai.PR``, both with six digits. The seconds are
those from a network that was read to the last marginal, and to the partition function, planning included.
"""

from __future__ import annotations

import argparse
import gzip
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.networks import MarkovNetwork, read_evidence, read_network

FOLDER = Path(os.environ.get("CREDO_UAI", Path(__file__).parents[2] / "shared" / "data" / "uai"))
DIGITS = 1e-6  # what is wrong by less may be due to the six digits
PEERS = ("Grids_12", "CSP_12", "Pedigree_11", "Segmentation_11")  # that fit into the peer's memory


def read(name: str) -> tuple[MarkovNetwork, dict[str, Any]]:
    net = read_network(FOLDER / f"{name}.uai.gz")
    assert isinstance(net, MarkovNetwork)
    return net, read_evidence(FOLDER / f"{name}.uai.evid")


def official(name: str) -> tuple[list[np.ndarray], float]:
    """The marginals of all variables, and log10 Z."""
    with gzip.open(FOLDER / f"{name}.uai.MAR.gz", "rt") as file:
        numbers = iter(file.read().split()[1:])
    marginals = [np.array([float(next(numbers)) for _ in range(int(next(numbers)))]) for _ in range(int(next(numbers)))]
    return marginals, float((FOLDER / f"{name}.uai.PR").read_text().split()[1])


def names() -> list[str]:
    return sorted(path.name.split(".")[0] for path in FOLDER.glob("*.uai.gz"))


def show(chosen: list[str]) -> None:
    """Print how far each answer is from the official one, and how long it took."""
    print(f"{'problem':20}{'entries':>10}{'MAR s':>9}{'apart':>10}{'PR s':>9}{'log10 Z':>14}{'official':>12}  within")
    for name in chosen:
        net, found = read(name)
        expected, log10_z = official(name)
        start = time.perf_counter()
        beliefs = net.posteriors(given=found)
        between = time.perf_counter()
        mine = net.log_partition(given=found) / math.log(10)
        end = time.perf_counter()
        apart = max(float(np.abs(expected[i] - held).max()) for i, held in enumerate(each_of(net, found, beliefs)))
        fine = apart <= DIGITS and abs(mine - log10_z) <= max(1e-4, 10.0 ** (math.floor(math.log10(abs(log10_z))) - 5))
        entries = net.plan(given=list(found)).entries
        print(
            f"{name:20}{entries:10.3g}{between - start:9.2f}{apart:10.1e}{end - between:9.2f}{mine:14.6f}{log10_z:12g}"
            f"  {'yes' if fine else 'NO'}",
            flush=True,
        )


def each_of(net: MarkovNetwork, found: dict[str, Any], beliefs: Any) -> Iterator[np.ndarray]:
    for name, states in net.variables.items():
        yield beliefs.probs(name) if name in beliefs else np.eye(len(states))[states.index(found[name])]


def problem(name: str) -> Any:
    """The network and findings for us; made in the call that is not counted for the peer."""

    def setup() -> Any:
        net, found = read(name)
        return {"name": name, "net": net, "found": found}

    return setup


def ask_ours(data: Any) -> object:
    return MarkovNetwork(data["net"].potentials).posteriors(given=data["found"])  # one that was never asked


def ask_agrum(data: Any) -> object:
    import pyagrum

    if "peer" not in data:
        net = data["net"]
        data["peer"] = made = pyagrum.MarkovRandomField()
        for name, states in net.variables.items():
            made.add(pyagrum.RangeVariable(name, "", 0, len(states) - 1))
        together: dict[frozenset[str], np.ndarray] = {}  # of the potentials over the same variables it takes one
        for potential in net.potentials:
            axes = sorted(potential.names)
            turned = potential.array.transpose([potential.names.index(each) for each in axes])
            key = frozenset(axes)
            together[key] = together[key] * turned if key in together else turned
        for key, array in together.items():
            axes = sorted(key)
            if axes:
                made.addFactor(set(axes)).fillWith(pyagrum_tensor(made, axes, array))
    inference = pyagrum.ShaferShenoyMRFInference(data["peer"])
    inference.setEvidence({name: int(state) for name, state in data["found"].items()})
    inference.makeInference()
    return [inference.posterior(name).toarray() for name in data["net"].variables if name not in data["found"]]


def pyagrum_tensor(made: Any, axes: list[str], array: np.ndarray) -> Any:
    import pyagrum

    tensor = pyagrum.Tensor()
    for name in reversed(axes):  # its first variable changes fastest
        tensor.add(made.variable(name))
    return tensor.fillWith(array.ravel().tolist())


CASES = [
    Case(f"all marginals of {name}", "pyAgrum ShaferShenoyMRFInference", problem(name), ask_ours, ask_agrum)
    for name in PEERS
    if name in names()
]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uai")
    parser.add_argument("names", nargs="*", metavar="name", help="of problems; all unless told which")
    options = parser.parse_args()
    if not names():
        print(f"there are no problems in {FOLDER}: skipped. CREDO_UAI names a folder of them")
        return
    show(options.names or names())


if __name__ == "__main__":
    main()
