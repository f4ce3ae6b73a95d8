"""From what ``fit`` and ``predict`` are given, an array, a data frame, a table or a mapping, to cells.

An array of numbers is worked on as it is. Everything else has typed columns, and a schema that ``fit`` learns.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from credo import checks
from credo.errors import CredoWarning, InvalidInput
from credo.estimators import numbers, remember_columns, validated
from credo.naive_bayes.cells import Cells, split
from credo.tables import Schema, Table

__all__ = ["learn", "learn_schema", "names_of", "one", "read"]

REMEDY = "Name the columns that are categories by categories="


def learn(model: BaseEstimator, X: Any, categories: Collection[str | int] | None) -> tuple[Cells, Schema | None]:
    """The cells of the rows to fit, and the schema of their columns, or None for an array of numbers."""
    if isinstance(X, Table) and categories is not None:
        raise InvalidInput("categories are for arrays and data frames; give the kinds of a Table when it is made")
    named = None if categories is None else checks.unique("categories", categories)
    if not _has_kinds(X):
        if named is None:
            return Cells(numbers(model, X, reset=True, missing=True, remedy=REMEDY)), None
        columns = _columns(model, X, reset=True)
        chosen = {checks.count("a position in categories", j, most=len(columns) - 1) for j in named}
        kinds = {name: "category" if j in chosen else "continuous" for j, name in enumerate(columns)}
        table = Table(columns, types=kinds)
        return Cells.of_table(table), table.schema
    table = X if isinstance(X, Table) else Table(X, types={str(name): "category" for name in named or ()})
    schema = learn_schema(model, X, table.schema)
    if not len(table):
        raise InvalidInput("X must have at least one row; got a table with 0 sample(s)")
    return Cells.of_table(schema.apply(table)), schema


def learn_schema(model: BaseEstimator, X: Any, schema: Schema) -> Schema:
    """The columns naive Bayes has laws for; texts and times are left out, with a warning that names them."""
    _remember(model, X, schema.names)
    skipped = [column.name for column in schema if not (column.kind.has_states or column.kind.is_number)]
    if skipped:
        warnings.warn(
            f"naive Bayes has no law for columns of texts or times and leaves out {', '.join(map(repr, skipped))}. "
            "Where they are labels, say so by categories=, or by types= when the table is made",
            CredoWarning,
            stacklevel=5,
        )
    return schema.select([name for name in schema.names if name not in skipped])


def read(model: BaseEstimator, X: Any, schema: Schema | None, unseen: str) -> Cells:
    """The cells of rows to predict, of the columns that were there in ``fit``."""
    if schema is None:
        if isinstance(X, (Table, Mapping)):
            raise InvalidInput(
                "the model was fitted to an array, whose columns have no names; give an array to predict"
            )
        return Cells(numbers(model, X, reset=False, missing=True, remedy=REMEDY))
    if isinstance(X, (Table, Mapping)):
        return Cells.of_table(schema.apply(X, unseen=unseen))
    if _has_kinds(X):
        validated(model, X, reset=False, look_inside=False)
        return Cells.of_table(schema.apply(X, unseen=unseen))
    return Cells.of_table(schema.apply(_columns(model, X, reset=False), unseen=unseen))


def one(row: Any) -> Any:
    """A single row, given as a mapping from column to cell or as a list of cells, as rows of which there is one."""
    if nw.dependencies.is_pandas_series(row):  # what a data frame's .iloc[3] is
        row = row.to_dict()
    if isinstance(row, Mapping):
        return {name: cell if isinstance(cell, (list, np.ndarray)) else [cell] for name, cell in row.items()}
    return (
        [list(row)] if isinstance(row, (list, tuple, np.ndarray)) and all(np.ndim(cell) == 0 for cell in row) else row
    )


def names_of(schema: Schema | None, columns: int) -> tuple[str | int, ...]:
    """The names of the columns in the order of the laws, or their positions in an array."""
    return tuple(range(columns)) if schema is None else sum(split(schema), ())


def _has_kinds(X: Any) -> bool:
    return isinstance(X, (Table, Mapping)) or nw.dependencies.is_into_dataframe(X)


def _remember(model: BaseEstimator, X: Any, names: tuple[str, ...]) -> None:
    if isinstance(X, (Table, Mapping)):  # scikit-learn knows the names of data frames only
        remember_columns(model, names)
    else:
        validated(model, X, look_inside=False)


def _columns(model: BaseEstimator, X: Any, *, reset: bool) -> dict[str, NDArray[Any]]:
    """The columns of an array that may hold anything, named as they were in ``fit``, or else x0, x1, …"""
    array = validated(model, X, reset=reset)
    names = vars(model).get("feature_names_in_", [f"x{j}" for j in range(array.shape[1])])
    return dict(zip(names, array.T, strict=True))
