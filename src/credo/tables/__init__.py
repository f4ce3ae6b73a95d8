"""How data gets in: named, typed, possibly missing, possibly larger than memory.

A `Table` holds rows of named columns. It is read from a file (`Table.read`), or made of a mapping, a data frame or an
array (`Table`, or `as_table` for whatever there is). Each column has a `Kind`, guessed from its values unless it is
given, and `Column.reason` says in words why:

>>> from credo.tables import Table
>>> t = Table({"age": [31, 47, 52], "sex": ["f", "m", "?"]}, types={"age": "continuous"})
>>> t
Table of 3 rows and 2 columns
       age  sex
continuous  category
        31  f
        47  m
        52  ·
>>> print(t.schema["sex"].reason)
2 distinct labels in 2 values; 1 missing (written '?')

Missing is missing: NaN among numbers, -1 among the codes of states, None among texts, NaT among times. It is never a
state of its own.

The `Schema` of the training data is enforced on whatever comes later, whatever the order of its columns:

>>> t.schema.apply({"sex": ["m", "x"], "age": [20, 30]}).codes("sex")
array([ 1, -1], dtype=int32)

Models that only need sufficient statistics take `Table.counts` and `Table.moments`, or the table piece by piece
(`Table.batches`): those answer alike for a table in memory and for one that stays on disk. `Encoder` turns a table into
the matrix of numbers that other models want.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credo.tables.dialect import Dialect
from credo.tables.moments import Moments
from credo.tables.schema import MISSING, Column, Kind, Schema
from credo.tables.table import Table, as_table

if TYPE_CHECKING:
    from credo.tables.encoder import Encoder

__all__ = ["MISSING", "Column", "Dialect", "Encoder", "Kind", "Moments", "Schema", "Table", "as_table"]


def __getattr__(name: str) -> Any:
    # The encoder is a scikit-learn transformer, and importing scikit-learn takes a second: only when it is asked for.
    if name != "Encoder":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from credo.tables.encoder import Encoder

    return Encoder
