"""Splits, leaving one row out, and settings over folds, beside scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.evaluation import folds, leave_one_out
from credo.evaluation.searching import Grid, Real, Tuned
from credo.linear import Ridge

STRENGTHS = np.geomspace(1e-3, 1e3, 20)


def rows() -> Any:
    """Rows of a linear model with as much noise as signal."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 30))
    return X, X[:, 0] + rng.normal(size=500)


def visits() -> Any:
    """Visits of patients, of three kinds."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 4_000, 20_000), rng.integers(0, 3, 20_000)


def dealt(data: Any) -> object:
    groups, labels = data
    return folds(len(labels), 10, rng=0, labels=labels, groups=groups)


def peer_dealt(data: Any) -> object:
    from sklearn.model_selection import StratifiedGroupKFold

    groups, labels = data
    return list(StratifiedGroupKFold(10, shuffle=True, random_state=0).split(np.zeros(len(labels)), labels, groups))


def left_out(data: Any) -> object:
    return leave_one_out(Ridge(), *data)


def peer_left_out(data: Any) -> object:
    from sklearn.linear_model import Ridge as Peer
    from sklearn.model_selection import LeaveOneOut, cross_val_predict

    return cross_val_predict(Peer(), *data, cv=LeaveOneOut())


def tuned(data: Any) -> object:
    space = {"strength": Real(STRENGTHS[0], STRENGTHS[-1], log=True)}
    return Tuned(Ridge(), space, method=Grid(tries=20), by="squared error").fit(*data)


def peer_tuned(data: Any) -> object:
    from sklearn.model_selection import GridSearchCV

    # (the same model on both sides: what is compared is the search)
    return GridSearchCV(Ridge(), {"strength": STRENGTHS}, cv=5, scoring="neg_mean_squared_error").fit(*data)


CASES = [
    Case("ten stratified folds of 4,000 groups, 20,000 rows", "scikit-learn", visits, dealt, peer_dealt),
    Case("leave one out of ridge regression, 500 rows", "scikit-learn", rows, left_out, peer_left_out),
    Case("20 strengths over five folds, 500 rows", "scikit-learn", rows, tuned, peer_tuned),
]
