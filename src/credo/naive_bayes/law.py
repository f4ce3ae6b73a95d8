"""What the law of some columns given the class must be able to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from credo.checks import Floats

__all__ = ["ColumnsLaw"]


class ColumnsLaw(ABC):
    """p(cells | class) for columns of one kind, taken to be independent of each other within a class.

    A missing cell says nothing: it adds 0 to every class. For a new kind of column, write one of these.
    """

    __slots__ = ()

    @abstractmethod
    def log_likelihood(self, cells: Any) -> Floats:
        """Σ over the columns of log p(cell | class), of shape (rows, classes)."""

    @abstractmethod
    def by_column(self, cells: Any) -> Floats:
        """log p(cell | class) of each cell, of shape (columns, rows, classes): ``log_likelihood`` before the sum."""
