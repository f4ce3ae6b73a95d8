"""What naive Bayes learns from: counts and moments. Two tables with the same ones give the same model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import native
from credo.beliefs.states import as_array
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.naive_bayes.cells import Examples, split
from credo.naive_bayes.gaussian import weighted_moments
from credo.tables import Schema, Table

__all__ = ["Statistics"]

Moments = tuple[NDArray[Any], Floats, Floats]  # count, mean and variance, each of shape (classes, columns)


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """How many rows each class has; how often each state occurs in it; and the moments of the numeric columns in it."""

    classes: NDArray[Any]
    counts: tuple[NDArray[Any], ...]
    moments: Moments

    @classmethod
    def of_examples(cls, examples: Examples) -> Statistics:
        """The statistics of rows in memory."""
        cells, y, k, weights = examples.cells, examples.y, examples.classes, examples.weights
        counts = [
            native.contingency([codes, y], [size, k], weights)
            for codes, size in zip(cells.codes, cells.sizes, strict=True)
        ]
        moments: Moments = (
            native.grouped_moments(cells.numbers, y, k)
            if weights is None
            else weighted_moments(cells.numbers, y, k, weights)
        )
        return cls(native.contingency([y], [k], weights), tuple(counts), moments)

    @classmethod
    def of_table(cls, table: Table, schema: Schema, target: str) -> tuple[NDArray[Any], Statistics]:
        """The classes that occur in the column ``target``, and the statistics of the columns in ``schema``.

        They are made by the table, wherever its rows are; rows without a class are left out.
        """
        rows = table.counts(target).counts
        states = as_array(table.states(target))
        order = np.argsort(states)
        order = order[rows[order] > 0]
        if not len(order):
            raise InvalidInput(f"column {target!r} has no class in any row")
        numbers, categories = split(schema)
        counts = [
            table.counts([name, target]).counts[:, order] if table.states(name) else np.zeros((0, len(order)))
            for name in categories
        ]
        none = np.zeros((len(order), 0))
        moments: Moments = (none, none, none)
        if numbers:
            held = table.moments(numbers, by=target)
            moments = held.count[order], held.mean[order], held.var[order]
        return states[order], cls(rows[order], tuple(counts), moments)
