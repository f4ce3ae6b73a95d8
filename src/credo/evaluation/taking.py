"""Rows by their numbers, from data of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from credo.evaluation.dealing import Rows
from credo.tables import Table

__all__ = ["shape_of", "take"]


def take(data: Any, rows: Rows) -> Any:
    """These rows of an array, a sparse matrix, a list, a data frame or series, a mapping of columns, or a ``Table``.

    >>> take([3.0, 1.0, 4.0], np.array([2, 0]))
    array([4., 3.])
    """
    held = _held(data)
    if isinstance(held, Table):
        return held.take(rows)
    return held[rows].to_native() if isinstance(held, (nw.DataFrame, nw.Series)) else held[rows]


def shape_of(data: Any) -> tuple[int, ...]:
    """How many rows there are and, where there are columns, how many.

    >>> shape_of({"x": [1, 2, 3], "y": [4, 5, 6]})
    (3, 2)
    """
    shape: tuple[int, ...] = tuple(_held(data).shape)
    return shape


def _held(data: Any) -> Any:
    """``data`` as something that has rows."""
    if isinstance(data, Mapping):
        return Table(data)
    if isinstance(data, (Table, np.ndarray)):
        return data
    if sparse.issparse(data):
        return cast(Any, data).tocsr()  # not every format can be asked for rows
    frame = nw.from_native(data, eager_only=True, allow_series=True, pass_through=True)
    return frame if isinstance(frame, (nw.DataFrame, nw.Series)) else np.asarray(data)
