"""From what a classifier is given, an array, data frame, table or sparse matrix, to rows, classes and weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.estimators import classes_of, refuse_infinite, remember_columns, validated
from credo.linear import reading
from credo.tables import Table

__all__ = ["count_rows", "learn", "names_of", "read"]

Codes = NDArray[np.int32]


def learn(model: BaseEstimator, X: Any, y: Any, *, sparse_rows: bool = True) -> tuple[Any, Codes, NDArray[Any]]:
    """The rows to fit, dense or, if allowed, sparse (CSR), the code of the class of each, and the classes."""
    X = Table(X) if isinstance(X, Mapping) else X
    if isinstance(y, str):
        if not isinstance(X, Table):
            raise InvalidInput(
                f"y is the text {y!r}: the name of a column, which goes with a Table as X. Give the classes themselves"
            )
        checks.known("column", y, X.columns)
        X, y = X.drop(y), X[y]
    classes, codes = classes_of(model, y)
    if isinstance(X, Table):
        remember_columns(model, X.columns)
    else:
        validated(model, X, dtype=np.float64, remedy=reading.REMEDY, sparse=sparse_rows)
    rows = read(model, X)
    checks.rows_match("X", rows.shape[0], "y", len(codes))
    if len(classes) < 2:
        raise InvalidInput(f"y must hold at least two classes to tell apart; got one class, {classes.tolist()[0]!r}")
    return rows, codes, classes


def read(model: BaseEstimator, X: Any) -> Any:
    """The rows to predict, their columns those of ``fit``; the columns of a table may stand in any order."""
    if not sparse.issparse(X):
        return reading.read(model, X)
    return refuse_infinite(model, validated(model, X, reset=False, dtype=np.float64, sparse=True), missing=False)


def names_of(model: BaseEstimator) -> list[str]:
    """The names of the columns, or x0, x1, …"""
    known = vars(model).get("feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
    return [str(name) for name in known]


def count_rows(
    codes: Codes,
    classes: NDArray[Any],
    sample_weight: ArrayLike | None,
    class_weight: Mapping[Any, float] | str | None,
) -> Floats:
    """How much each row counts.

    >>> count_rows(np.array([0, 1, 1], dtype=np.int32), np.array(["a", "b"]), None, "balanced")
    array([1.5 , 0.75, 0.75])
    """
    n, states = len(codes), classes.tolist()
    weight = np.ones(n) if sample_weight is None else checks.weights("sample_weight", sample_weight, n)
    total = np.bincount(codes, weights=weight, minlength=len(states))
    if isinstance(class_weight, Mapping):
        for state in class_weight:
            checks.known("class", state, states)
        each = np.array([class_weight.get(state, 1.0) for state in states])
        each = checks.positive("class_weight", each, zero=True)
    elif class_weight is not None:
        checks.choice("class_weight, unless it is a mapping from class to weight,", class_weight, ("balanced",))
        each = np.divide(total.sum(), len(states) * total, out=np.zeros_like(total), where=total > 0)
    else:
        each = np.ones(len(states))
    if (total * each == 0).any():
        state = states[int((total * each).argmin())]
        raise InvalidInput(
            f"the rows of each class must count for something; all weights of the class {state!r} are zero. Leave its "
            "rows out"
        )
    return np.asarray(weight * each[codes])
