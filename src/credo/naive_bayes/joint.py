"""The joint law of class and cells: what naive Bayes learns."""

from __future__ import annotations

from dataclasses import dataclass

from credo.checks import Floats
from credo.naive_bayes.categorical import CategoryColumns
from credo.naive_bayes.cells import Cells
from credo.naive_bayes.gaussian import GaussianColumns

__all__ = ["Joint"]


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """P(class) Π p(cell | class): the classes, the columns of numbers and those of categories."""

    log_prior: Floats
    numeric: GaussianColumns
    categorical: CategoryColumns

    def log_prob(self, cells: Cells) -> Floats:
        """log P(class) + Σ log p(cell | class), of shape (rows, classes)."""
        joint = self.log_prior + self.numeric.log_likelihood(cells.numbers)
        if cells.codes:
            joint += self.categorical.log_likelihood(cells.codes)
        return joint
