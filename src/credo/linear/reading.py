"""From what ``fit`` and ``predict`` are given, an array, a data frame or a table, to rows of finite numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.estimators import numbers, refuse_infinite, remember_columns, validated
from credo.linear.axes import Axes, Sums, factor_rows, factor_sums
from credo.linear.bases import begin, expand
from credo.tables import Table

__all__ = ["learn", "read"]

REMEDY = "Encode columns of labels by tables.Encoder"


def learn(
    model: BaseEstimator, X: Any, y: Any, sample_weight: ArrayLike | None, *, centred: bool, squared: bool = True
) -> Axes:
    """The axes of the rows to fit, in the basis of ``model``, which remembers the columns."""
    X = _table(X)
    if isinstance(y, str):
        if not isinstance(X, Table) or sample_weight is not None:
            raise InvalidInput(
                f"y is the text {y!r}: the name of a column, which goes with a Table as X and without sample_weight. "
                "Give the targets themselves"
            )
        checks.known("column", y, X.columns)
        if not X.in_memory:
            if model.basis is not None:
                raise InvalidInput(
                    "a table on disk is read by its sums, and basis needs the rows. Read the table with in_memory=True"
                )
            model.basis_ = None
            return factor_sums(_sums(model, X, y), centred=centred)
        X, y = X.drop(y), _numbers(X, (y,))[:, 0]
    if isinstance(X, Table):
        targets = validated(model, y=y)
        checks.rows_match("X", len(X), "y", len(targets))
        remember_columns(model, X.columns)
        X = _numbers(X, X.columns)
    else:
        X, targets = validated(model, X, y, dtype=np.float64, remedy=REMEDY)
    rows = refuse_infinite(model, X, missing=False)
    targets = checks.floats("y", targets, ndim=1)
    weights = None if sample_weight is None else checks.weights("sample_weight", sample_weight, len(rows))
    model.basis_ = begin(model.basis, rows, weights)
    rows = expand(model.basis_, rows)
    return factor_rows(rows, targets, weights, centred=centred, squared=squared)


def read(model: BaseEstimator, X: Any) -> Floats:
    """The rows to predict, in the basis of ``model``; columns are those of ``fit``, those of a table in any order."""
    X, basis = _table(X), vars(model).get("basis_")
    if isinstance(X, Table):
        columns = tuple(vars(model).get("feature_names_in_", X.columns))
        if len(columns) == model.n_features_in_:
            return expand(basis, refuse_infinite(model, _numbers(X, columns), missing=False))
        X = _numbers(X, columns)
    return expand(basis, numbers(model, X, reset=False, missing=False, remedy=REMEDY))


def _table(X: Any) -> Any:
    """Columns by name are a table; anything else is left as it is."""
    return Table(X) if isinstance(X, Mapping) else X


def _sums(model: BaseEstimator, table: Table, target: str) -> Sums:
    """The sums of a table that is larger than memory."""
    columns = table.drop(target).columns
    remember_columns(model, columns)
    _refuse_labels(table, (*columns, target))
    found = table.moments((*columns, target))
    if found.complete < len(table):
        names = [name for name, count in zip(found.names, found.count, strict=True) if count < len(table)]
        raise InvalidInput(
            f"{len(table) - int(found.complete)} rows have missing values, in the columns "
            f"{', '.join(map(repr, names))}. Leave those rows out, or encode the table by tables.Encoder"
        )
    total = float(found.complete)
    return Sums(total, found.centre, found.cov * total)


def _numbers(table: Table, columns: tuple[str, ...]) -> Floats:
    _refuse_labels(table, columns)
    return np.column_stack([table[name] for name in columns])


def _refuse_labels(table: Table, columns: tuple[str, ...]) -> None:
    for name in columns:
        if not table.kind(name).is_number:
            raise InvalidInput(
                f"column {name!r} is {table.kind(name)} and no number. Encode the table by tables.Encoder, or drop it"
            )
