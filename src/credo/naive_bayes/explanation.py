"""Why a row was given its class: what each column said for it, and against each other class."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo.beliefs.layout import aligned
from credo.checks import Floats

__all__ = ["Explanation"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanation:
    """The log odds of the predicted class against each other class, taken apart by column.

    ``weights[i, j]`` is log p(cell | predicted) − log p(cell | others[j]) for the cell in ``columns[i]``, in nats: the
    weight of evidence, above zero where the cell speaks for the predicted class and zero where it is missing.
    ``prior`` is what the class frequencies say. Prior and weights add up to ``log_odds``.

    >>> from credo.naive_bayes import NaiveBayes
    >>> found = NaiveBayes().fit({"sky": ["red", "red", "grey"]}, ["dry", "dry", "wet"]).explain({"sky": "red"})
    >>> found.predicted, {other: round(weight, 3) for other, weight in found.table()["sky"].items()}
    ('dry', {'wet': 1.204})
    """

    predicted: Hashable
    others: tuple[Hashable, ...]
    columns: tuple[Hashable, ...]
    prior: Floats
    weights: Floats

    @property
    def log_odds(self) -> Floats:
        """log P(predicted | row) − log P(other | row) for each of the other classes."""
        total: Floats = self.prior + self.weights.sum(axis=0)
        return total

    def table(self) -> dict[Hashable, dict[Hashable, Any]]:
        """``{column: {other class: weight}}``, the columns that say most first."""
        order = np.argsort(-np.abs(self.weights).max(axis=1, initial=0.0), kind="stable")
        return {self.columns[i]: dict(zip(self.others, self.weights[i].tolist(), strict=True)) for i in order.tolist()}

    def __repr__(self) -> str:
        rows = {"(prior)": self.prior.tolist()}
        rows |= {str(column): list(row.values()) for column, row in self.table().items()}
        rows |= {"(log odds)": self.log_odds.tolist()}
        lines = [[f"for {self.predicted}", *(f"against {other}" for other in self.others)]]
        lines += [[name, *(f"{weight:+.3f}" for weight in weights)] for name, weights in rows.items()]
        return aligned(lines, right=[False] + [True] * len(self.others))
