"""What a classifier learnt about its weights, as a table to read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtri

from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats

__all__ = ["Summary"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Summary:
    """Estimate, standard error, z, p and interval of each weight; ``heading`` stands above the table, line by line.

    ``names`` are of columns, with the class in front where there are more than two. ``z`` is estimate / se, and ``p``
    the probability of a larger |z| if the weight were zero. The standard error is infinite where a weight has no
    estimate because it grows without end, and NaN where its column repeats others.

    >>> Summary(("Two columns.",), ("x", "twin of x"), np.array([2.0, 0.0]), np.array([1.0, np.nan]), 0.95)
    Two columns.
                estimate  se     z       p  95% interval
    x              2.000   1  2.00  0.0455  0.040, 3.960
    twin of x      0.000   –     –       –             –
    """

    heading: tuple[str, ...]
    names: tuple[str, ...]
    estimate: Floats
    se: Floats
    level: float

    @property
    def z(self) -> Floats:
        """estimate / se."""
        return self.estimate / self.se

    @property
    def p(self) -> Floats:
        """P(|Z| > |z|) for a standard normal Z."""
        return np.asarray(2 * np.exp(log_ndtr(-np.abs(self.z))))

    @property
    def low(self) -> Floats:
        """The lower end of each interval."""
        return np.asarray(self.estimate - self.se * ndtri((1 + self.level) / 2))

    @property
    def high(self) -> Floats:
        """The upper end of each interval."""
        return np.asarray(self.estimate + self.se * ndtri((1 + self.level) / 2))

    def table(self) -> dict[str, dict[str, float]]:
        """``{name: {"estimate": …, "se": …, "z": …, "p": …, "low": …, "high": …}}``."""
        columns = {
            "estimate": self.estimate,
            "se": self.se,
            "z": self.z,
            "p": self.p,
            "low": self.low,
            "high": self.high,
        }
        return {name: {key: float(column[i]) for key, column in columns.items()} for i, name in enumerate(self.names)}

    def _lines(self) -> list[list[str]]:
        lines = [["", "estimate", "se", "z", "p", f"{100 * self.level:g}% interval"]]
        for name, row in self.table().items():
            digits = _decimals(row["se"])
            known = [f"{row['estimate']:.{digits}f}", f"{row['se']:.3g}", f"{row['z']:.2f}", _small(row["p"])]
            known.append(f"{row['low']:.{digits}f}, {row['high']:.{digits}f}")
            if math.isnan(row["se"]):
                known[1:] = ["–"] * 4
            lines.append([name, *known])
        return lines

    def __repr__(self) -> str:
        return "\n".join([*self.heading, aligned(self._lines(), right=[False, *[True] * 5])])

    def _repr_html_(self) -> str:
        return html_table(self._lines(), above=self.heading)


def _decimals(se: float) -> int:
    """So many decimals that the first three digits of the standard error are seen."""
    if not math.isfinite(se) or se <= 0:
        return 3
    return min(max(3 - math.ceil(math.log10(se)), 0), 12)


def _small(p: float) -> str:
    return f"{p:.4f}" if p >= 1e-4 else f"{p:.1e}"
