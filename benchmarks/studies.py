"""Whole studies, from a raw file to a report, by the command line alone: ``python -m benchmarks.studies [name …]``.

The files are those of the folder that ``CREDO_DATA`` names; the options are what a person would say who has looked at
``credo table`` once, and a budget of eight minutes leaves out what a machine cannot do in time. Printed are the seconds
of the whole command, those of loading code, what it took beyond fits and predictions, who won and how, in
cross-validation and on the rows that nothing had seen.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.harness import Case, names

FOLDER = Path(os.environ.get("CREDO_DATA", Path(__file__).parents[2] / "shared" / "data"))
MOST = 600.0  # seconds

STUDIES = {
    "Pima": ("tables/MASS__Pima.tr2.csv.gz", "type"),
    "HouseVotes84": ("tables/mlbench__HouseVotes84.csv.gz", "Class"),
    "yacht": ("uci/yacht/data/data.txt", "column_7"),
    "energy": ("uci/energy/data/data.txt", "column_9"),
    "mushroom": ("tables/mushrooms.csv.gz", "class"),
    "adult": ("tables/adult.data.gz", "column_15"),
    "letter": ("tables/mlbench__LetterRecognition.csv.gz", "lettr"),
}


def study(name: str, jobs: int) -> tuple[float, dict[str, Any]]:
    """The seconds of the command, and what it found."""
    path, target = STUDIES[name]
    source = FOLDER / path
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report"
        options = ["--jobs", str(jobs), "--budget", "8m"]
        command = [sys.executable, "-m", "credo", "study", str(source), "--target", target, *options]
        start = time.perf_counter()
        subprocess.run([*command, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        found: dict[str, Any] = json.loads((out / "study.json").read_text(encoding="utf-8"))
    return seconds, found


def show(name: str, seconds: float, found: dict[str, Any]) -> None:
    timing, criterion = found["timing"], found["criterion"]["name"]
    beyond = (timing["wall"] - timing["loading"]) / timing["fits"] - 1
    best = next(run for run in found["runs"] if run["name"] == found["best"])
    unseen = found["judgement"]["scores"][0]
    print(f"{name:13} {seconds:6.1f} s, {timing['loading']:.1f} s of them loading, ", end="")
    print(f"{100 * beyond:3.1f} % beyond fits   {found['best']}: ", end="")
    print(f"{criterion} {best['mean']['value']:.3f} in cross-validation, ", end="")
    print(f"{unseen['name']} {unseen['interval']['value']:.3f} on unseen rows", flush=True)
    for run in found["runs"]:
        said = f"{run['mean']['value']:10.4f}" if run["mean"] else f"{run['status']:>10}"
        print(f"    {run['name']:30} {said} {run['seconds']:8.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(STUDIES)}")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    late = []
    for name in names(parser, options.names, STUDIES):
        seconds, found = study(name, options.jobs)
        show(name, seconds, found)
        if seconds > MOST:
            late.append(name)
    if late:
        raise SystemExit(f"longer than {MOST:.0f} seconds: {', '.join(late)}")


CASES: list[Case] = []  # nobody else makes such a report

if __name__ == "__main__":
    main()
