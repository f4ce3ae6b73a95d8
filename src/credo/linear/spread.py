"""How far a line that was learnt may be off: the covariance of its weights and its variance at any row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credo.checks import Floats

__all__ = ["Spread"]

BLOCK_CELLS = 2**20  # large enough for matrix products on all cores, small enough not to hold the rows many times over
OUTSIDE = 1e-16  # of a row's squared length; a smaller part outside the rows of the fit is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The covariance of weights that are ``scale`` times weights known along ``directions`` with ``precisions``.

    Where no direction leads the data say nothing, and the variance is ``elsewhere``: that of a prior, or infinity.
    ``level`` is the variance of the line at ``centre``, none if the line has no intercept.
    """

    directions: Floats
    precisions: Floats
    scale: Floats
    elsewhere: float
    centre: Floats
    level: float | None

    def covariance(self) -> Floats:
        """Of the weights and, where there is one, of the intercept at the end."""
        d = len(self.scale)
        covariance = (self.directions.T / self.precisions) @ self.directions
        if len(self.directions) < d:
            covariance += (np.eye(d) - self.directions.T @ self.directions) * self.elsewhere
        covariance *= self.scale * self.scale[:, None]
        if self.level is None:
            return covariance
        slope = covariance @ self.centre
        whole = np.empty((d + 1, d + 1))
        whole[:d, :d] = covariance
        whole[:d, d] = whole[d, :d] = -slope
        whole[d, d] = self.level + self.centre @ slope
        return whole

    def variance(self, rows: Floats) -> Floats:
        """Of the line at each row."""
        scaled = self.directions.T / np.sqrt(self.precisions)
        variance = np.full(len(rows), self.level or 0.0)
        step = max(1, BLOCK_CELLS // len(self.scale))
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            off = (rows[block] - self.centre) * self.scale
            variance[block] += _squares(off @ scaled)
            if len(self.directions) < len(self.scale):
                outside = _squares(off - off @ self.directions.T @ self.directions)
                if np.isinf(self.elsewhere):
                    variance[block][outside > OUTSIDE * _squares(off)] = np.inf
                else:
                    variance[block] += outside * self.elsewhere
        return variance


def _squares(rows: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))
