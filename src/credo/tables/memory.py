"""The backing that holds its columns as NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from credo import native
from credo.tables.schema import Column

__all__ = ["Backing", "Memory", "Stored"]

#: Columns as stored: floats with NaN (numbers, booleans), int32 codes with -1 (categories), texts with None, moments.
Stored = dict[str, NDArray[Any]]


class Backing(Protocol):
    """Where the values of a table are. Both backings answer alike; only what they cost differs."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        ...

    def read(self, names: Sequence[str], start: int, stop: int) -> Stored:
        """These columns of the rows from ``start`` up to ``stop``."""
        ...

    def take(self, names: Sequence[str], rows: NDArray[np.intp]) -> Stored:
        """These columns of the given rows, in the given order."""
        ...

    def counts(self, columns: Sequence[Column]) -> NDArray[np.int64]:
        """How often each combination of states stands in the rows where none of the columns is missing."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """Columns as read-only arrays."""

    rows: int
    stored: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        for values in self.stored.values():
            values.setflags(write=False)

    def read(self, names: Sequence[str], start: int, stop: int) -> Stored:
        """These columns of the rows from ``start`` up to ``stop``, without copying."""
        return {name: self.stored[name][start:stop] for name in names}

    def take(self, names: Sequence[str], rows: NDArray[np.intp]) -> Stored:
        """These columns of the given rows, in the given order."""
        return {name: self.stored[name][rows] for name in names}

    def counts(self, columns: Sequence[Column]) -> NDArray[np.int64]:
        """How often each combination of states stands in the rows where none of the columns is missing."""
        codes = [as_codes(self.stored[column.name]) for column in columns]
        counted: NDArray[np.int64] = native.contingency(codes, [len(column.states) for column in columns])
        return counted


def as_codes(values: NDArray[Any]) -> NDArray[np.int32]:
    """Stored states as codes: booleans are stored as the numbers they also are."""
    if values.dtype == np.int32:
        return values
    return np.where(np.isnan(values), -1, values).astype(np.int32)
