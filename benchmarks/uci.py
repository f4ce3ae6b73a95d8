"""Regression on the UCI sets that everyone reports: ``python -m benchmarks.uci [set …] [--splits N]``.

For each of 20 given splits a Gaussian process learns from the training rows and is judged by the others: root mean
squared error and mean log density, in the units of the target, averaged with their standard error. Two ways are shown:
the default kernel, with nothing chosen at all; and the kernel of larger evidence, of the default and of a rough
function plus a smooth one. Beside them stand the published figures for the same splits: probabilistic backpropagation,
Monte Carlo dropout and deep ensembles, and the later runs of dropout with its settings searched for.

The sets are those of the folder that ``CREDO_UCI`` names: for each ``data/data.txt`` and the rows of its splits, and
beside them two tables ``published_*.csv``.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import re
import time
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case, names
from credo.gp import GaussianProcessRegressor
from credo.kernels import SE, Constant, Exponential, Kernel

FOLDER = Path(os.environ.get("CREDO_UCI", Path(__file__).parents[2] / "shared" / "data" / "uci"))
SETS = ("yacht", "energy", "bostonHousing", "concrete", "power-plant")
SPLITS = 20
FEW = 2000  # rows that hyperparameters are learnt from, where there are more
WAYS = ("default kernel", "kernel by evidence")
Scores = tuple[float, float]  # root mean squared error, mean log density


def read(name: str, split: int) -> tuple[Any, ...]:
    """The rows to learn from and their targets, and those to judge by."""
    place = FOLDER / name / "data"
    data = np.loadtxt(place / "data.txt")
    X = data[:, np.loadtxt(place / "index_features.txt", dtype=int)]
    y = data[:, int(np.loadtxt(place / "index_target.txt"))]
    train, test = (np.loadtxt(place / f"index_{part}_{split}.txt", dtype=int) for part in ("train", "test"))
    return X[train], y[train], X[test], y[test]


def rough_and_smooth(columns: int) -> Kernel:
    lengths = np.full(columns, 2.0)
    return Constant(1.0) * Exponential(lengths) + Constant(1.0) * SE(lengths)


def learn(X: Any, y: Any, kernel: Kernel | None) -> GaussianProcessRegressor:
    few = FEW if len(X) > FEW else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # (that some columns hardly matter is known here)
        return GaussianProcessRegressor(kernel, standardise=True, starts=1, learn_from=few).fit(X, y)


def score(model: GaussianProcessRegressor, X: Any, y: Any) -> Scores:
    belief = model.predictive(X)
    return math.sqrt(float(np.mean((belief.mean - y) ** 2))), float(np.mean(belief.log_prob(y)))


def judge(name: str, split: int) -> tuple[Scores, Scores]:
    """The scores of one split: by the default kernel, and by the kernel of larger evidence."""
    X, y, asked, truth = read(name, split)
    plain = learn(X, y, None)
    other = learn(X, y, rough_and_smooth(X.shape[1]))
    chosen = max(plain, other, key=lambda model: model.log_evidence_)
    return score(plain, asked, truth), score(chosen, asked, truth)


def published(name: str) -> list[tuple[str, float, float]]:
    """Who, root mean squared error, and mean log density, as printed."""
    found = []
    for path in sorted(FOLDER.glob("published_*.csv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row.get("dataset") == name and "metric" not in row:
                    found += _in_row(row)
    return found


def _in_row(row: dict[str, str]) -> list[tuple[str, float, float]]:
    found = []
    for column, printed in row.items():
        if column.startswith("rmse_"):
            who = column.removeprefix("rmse_")
            sign, density = (-1, f"nll_{who}") if f"nll_{who}" in row else (1, f"loglik_{who}")
            label = who if sign < 0 else f"MC dropout, {who}"
            found.append((label, _number(printed), sign * _number(row[density])))
    return found


def _number(printed: str) -> float:
    return float(re.split("±", printed)[0])


def show(name: str, scores: Sequence[tuple[Scores, Scores]], seconds: float) -> None:
    """The two ways beside what is published."""
    print(f"\n{name}: {len(scores)} splits, {seconds:.0f} s")
    for way, held in zip(WAYS, zip(*scores, strict=True), strict=True):
        error, density = np.array(held).T
        print(f"  {way:28} RMSE {_spread(error)}   log density {_spread(density)}")
    for who, error, density in published(name):
        print(f"  {who:28} RMSE {error:7.3f}           log density {density:7.3f}")


def _spread(values: Any) -> str:
    return f"{values.mean():7.3f} ± {values.std(ddof=min(1, len(values) - 1)) / math.sqrt(len(values)):.3f}"


def run(sets: Sequence[str], splits: int) -> None:
    """Every set, under a progress bar; Ctrl-C shows what was done."""
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        for name in sets:
            scores: list[tuple[Scores, Scores]] = []
            begun = time.monotonic()
            try:  # (what is finished is in the list, if the rest is interrupted)
                scores.extend(judge(name, split) for split in bar.track(range(splits), description=name))
            finally:
                if scores:
                    show(name, scores, time.monotonic() - begun)


def ours(data: Any) -> object:
    X, y, asked, truth = data
    return score(learn(X, y, None), asked, truth)


def peer(data: Any) -> object:
    """The same kernel, likewise from one start, in the same units."""
    from sklearn.gaussian_process import GaussianProcessRegressor as Peer
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    X, y, asked, _ = data
    scale = X.std(axis=0)
    kernel = ConstantKernel(1.0) * Matern(np.full(X.shape[1], 2.0), nu=2.5) + WhiteKernel(0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Peer(kernel, normalize_y=True).fit(X / scale, y)
    return model.predict(asked / scale, return_std=True)


CASES = [
    Case(
        f"{name}, first split: learn and predict",
        "scikit-learn GaussianProcessRegressor",
        partial(read, name, 0),
        ours,
        peer,
        slow=True,
    )
    for name in ("yacht", "bostonHousing", "concrete")
]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uci", description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="set", help=f"of {', '.join(SETS)}")
    parser.add_argument("--splits", type=int, default=SPLITS, help="how many of the 20 splits")
    options = parser.parse_args()
    run(names(parser, options.sets, SETS), min(options.splits, SPLITS))


if __name__ == "__main__":
    main()
