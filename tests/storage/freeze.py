"""Small models of every family as files of the present version, with what they say: ``python tests/storage/freeze.py``.

Each file was written once and is never written again: whatever is changed later, it must still open and say the same.
Run this for a family that is new, or into a new folder when the format has a new version; files that exist are kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from credo import kernels, storage
from credo.beliefs import Categorical
from credo.decisions import Loss
from credo.evaluation import believe
from credo.evaluation.searching import Grid, Real, Tuned
from credo.gp import GaussianProcessRegressor
from credo.linear import (
    BayesianRegression,
    BumpBasis,
    FourierBasis,
    LinearRegression,
    LinearSeparator,
    LogisticRegression,
    Perceptron,
    PolynomialBasis,
    Ridge,
    SplineBasis,
)
from credo.naive_bayes import NaiveBayes
from credo.study.guesses import ClassFrequencies, TargetMean
from credo.study.rules import OneRule, OneRuleRegressor
from credo.svm import SupportVectorClassifier
from credo.tables import Encoder, Table

FOLDER = Path(__file__).with_name("version1")
ROWS, ASKED = 24, 5


def columns() -> dict[str, list[Any]]:
    """Numbers with a gap, labels, truths, and an answer of either kind."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=ROWS).round(3)
    c = rng.choice(["red", "green", "blue"], ROWS)
    b = rng.random(ROWS) < 0.5
    y = (2 * x + (c == "red") + rng.normal(size=ROWS) / 2).round(3)
    state = np.where(y > 0.5, "high", "low")
    return {
        "x": [None, *x[1:].tolist()],
        "c": c.tolist(),
        "b": [bool(value) for value in b],
        "y": y.tolist(),
        "state": state.tolist(),
    }


def families() -> dict[str, tuple[Any, list[str], str]]:
    """A model of each family, the columns it learns from, and the one it predicts."""
    mixed, plain = ["x", "c", "b"], ["b", "y"]

    def encoded(model: Any) -> Any:
        return Pipeline([("encoder", Encoder()), ("model", model)])

    strengths = {"strength": Real(0.1, 10, log=True), "fit_intercept": [True, False]}
    tuned = Tuned(Ridge(), strengths, method=Grid(tries=4), folds=2, combine="average")
    kernel = kernels.kernel("2 * SE(1.5) + Linear(0.5).fixed('variance')")
    return {
        "naive-bayes": (NaiveBayes(confidence="learnt"), mixed, "state"),
        "logistic": (encoded(LogisticRegression()), mixed, "state"),
        "support-vectors": (encoded(SupportVectorClassifier(probability=True)), mixed, "state"),
        "perceptron": (Perceptron(), plain, "state"),
        "separator": (LinearSeparator(), plain, "state"),
        "class-frequencies": (ClassFrequencies(), mixed, "state"),
        "bayesian-regression": (encoded(BayesianRegression()), mixed, "y"),
        "splines": (Pipeline([("basis", SplineBasis(4)), ("model", BayesianRegression())]), ["y"], "y"),
        "bumps": (Pipeline([("basis", BumpBasis(4)), ("model", BayesianRegression())]), ["y"], "y"),
        "powers": (Pipeline([("basis", PolynomialBasis(2)), ("model", Ridge(0.1))]), ["y", "b"], "y"),
        "waves": (Pipeline([("basis", FourierBasis(2, period=3.0)), ("model", LinearRegression())]), ["y"], "y"),
        "least-squares": (LinearRegression(), ["b"], "y"),
        "ridge": (Ridge(), ["b"], "y"),
        "gaussian-process": (encoded(GaussianProcessRegressor(starts=1)), mixed, "y"),
        "gaussian-process-of-a-kernel": (GaussianProcessRegressor(kernel, starts=1), ["b"], "y"),
        "tuned": (tuned, ["b"], "y"),
        "target-mean": (TargetMean(), mixed, "y"),
        "one-rule": (OneRule(), mixed, "state"),
        "one-rule-for-numbers": (OneRuleRegressor(), mixed, "y"),
    }


def rows_for(model: Any, table: Table) -> Any:
    """The table, or the array of its numbers for what knows no names."""
    named = not isinstance(model, Pipeline) or isinstance(model[0], Encoder)
    return table if named else np.column_stack([table[name] for name in table.columns])


def says(model: Any, table: Table) -> dict[str, list[Any]]:
    """What the model says of the rows, as JSON holds it."""
    belief = believe(model, rows_for(model, table))
    if isinstance(belief, Categorical):
        return {"classes": list(belief.states), "probabilities": belief.probs.tolist()}
    return {"mean": belief.mean.tolist(), "low": belief.quantile(0.1).tolist(), "high": belief.quantile(0.9).tolist()}


def main() -> None:
    """Write what is not there yet."""
    FOLDER.mkdir(exist_ok=True)
    held = columns()
    for name, (model, used, target) in families().items():
        path = FOLDER / f"{name}.credo"
        if path.exists():
            continue
        table = Table({column: held[column] for column in used})
        model.fit(rows_for(model, table), np.array(held[target]))
        loss = Loss.zero_one(["high", "low"]).with_reject(0.2)
        storage.save(model, path, about={"target": target, "loss": loss, "schema": table.schema})
        asked = {column: held[column][:ASKED] for column in used}
        kinds = {column: table.kind(column).value for column in used}
        answer = {"columns": asked, "types": kinds, "says": says(model, table.take(range(ASKED)))}
        path.with_suffix(".json").write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
