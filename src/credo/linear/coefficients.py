"""What a fit says of each coefficient: how large, how precisely known, and whether it might be zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats

__all__ = ["Coefficients", "tabulated"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Coefficients:
    """One line for each coefficient; the intercept, if there is one, stands last. Prints as a table.

    ``error`` is the standard error, ``low`` and ``high`` the ends of the interval of the ``level``; ``t`` is estimate
    by error, and ``p`` how often a coefficient that is zero would give a t so far from it, on either side. A
    coefficient that the rows do not determine has an infinite error.

    >>> from credo.linear import LinearRegression
    >>> LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [1.1, 1.9, 3.2, 3.9]).coefficients()
               estimate    error      t         p      low   high
    x0             0.97  0.07937  12.22  0.006629   0.6285  1.312
    intercept       0.1   0.2174   0.46    0.6907  -0.8353  1.035
    """

    names: tuple[str, ...]
    estimate: Floats
    error: Floats
    t: Floats
    p: Floats
    low: Floats
    high: Floats
    level: float

    def _lines(self) -> list[list[str]]:
        columns = {"estimate": self.estimate, "error": self.error, "t": self.t, "p": self.p}
        columns |= {"low": self.low, "high": self.high}
        rows = zip(self.names, *([f"{value:.4g}" for value in column] for column in columns.values()), strict=True)
        return [["", *columns], *map(list, rows)]

    def __repr__(self) -> str:
        return aligned(self._lines(), right=[False] + [True] * 6)

    def _repr_html_(self) -> str:
        return html_table(self._lines())


def tabulated(names: list[str], estimate: Floats, error: Floats, df: float, level: float) -> Coefficients:
    """The table, when (estimate − true) / error follows Student's t law with ``df`` degrees of freedom."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(np.isinf(error), 0.0, estimate / error)
    reach = float(-scipy.special.stdtrit(df, (1 - level) / 2)) * error
    p = np.asarray(2 * scipy.special.stdtr(df, -np.abs(t)), dtype=np.float64)
    return Coefficients(tuple(names), estimate, error, t, p, estimate - reach, estimate + reach, level)
