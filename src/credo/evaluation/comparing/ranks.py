"""Many algorithms on many data sets: their ranks, and which differences of ranks chance explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc

from credo import checks
from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats
from credo.errors import BadShape
from credo.evaluation.comparing.verdict import Significance

__all__ = ["Ranking", "rank"]

NULL = "all rank equally in the mean"
ASSUMES = "the data sets are drawn independently from those that count"
WIDTH = 48  # letters of the picture


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """Mean ranks (1 is best) over data sets, the best first, and what tells them apart.

    ``friedman`` and ``iman_davenport`` ask whether any differ at all. By Nemenyi's test two differ where their mean
    ranks are further apart than ``critical_difference``; ``p`` has a row and a column for each algorithm, and
    ``groups`` are the largest sets that are not told apart.

    >>> found = rank([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.8, 0.6], [0.7, 0.6, 0.5]], names=("A", "B", "C"))
    >>> print(found)
    A and C differ; A and B, B and C are not told apart (Nemenyi, 5 %, over 4 data sets)
    Friedman χ², 2 degrees of freedom = 8, p = 0.018 (all rank equally in the mean, if the data sets are drawn ...)
    ...
    """

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    data_sets: int
    friedman: Significance
    iman_davenport: Significance
    critical_difference: float
    alpha: float
    p: Floats
    groups: tuple[tuple[str, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        held = checks.plain_json(self)
        assert isinstance(held, dict)  # noqa: S101 (a record becomes a dictionary)
        return held | {"sentence": self.sentence}

    @property
    def sentence(self) -> str:
        """Which pairs differ, and which groups are not told apart."""
        apart = [
            f"{one} and {self.names[j]}"
            for i, one in enumerate(self.names)
            for j in range(i + 1, len(self.names))
            if self.mean_ranks[j] - self.mean_ranks[i] > self.critical_difference
        ]
        differ = f"{', '.join(apart)} differ" if apart else "no two differ by more than chance explains"
        together = ", ".join(" and ".join(group) for group in self.groups)
        alike = f"; {together} are not told apart" if together and apart else ""
        return f"{differ}{alike} (Nemenyi, {100 * self.alpha:g} %, over {self.data_sets} data sets)"

    def picture(self) -> str:
        """The critical difference diagram in letters: a mark at each mean rank, a line under those not told apart.

        >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.8, 0.6], [0.7, 0.6, 0.5]]
        >>> print(rank(scores, names=("A", "B", "C")).picture())
                 1                                              3
                 ├───────────────────────┼──────────────────────┤
        A  1.00  ●
        B  2.00                          ●
        C  3.00                                                 ●
                 ━━━━━━━━━━━━━━━━━━━━━━━━━
                                         ━━━━━━━━━━━━━━━━━━━━━━━━
        critical difference 1.657
        """
        k = len(self.names)

        def place(value: float) -> int:
            return round((value - 1) / (k - 1) * (WIDTH - 1))

        ticks = {place(value) for value in range(1, k + 1)}
        scale = f"1{k:>{WIDTH - 1}}"
        axis = "".join("┼" if i in ticks else "─" for i in range(WIDTH))
        lines = [["", "", scale], ["", "", f"├{axis[1:-1]}┤"]]
        lines += [
            [name, f"{value:.2f}", " " * place(value) + "●"]
            for name, value in zip(self.names, self.mean_ranks, strict=True)
        ]
        where = dict(zip(self.names, map(place, self.mean_ranks), strict=True))
        for group in self.groups:
            start, end = where[group[0]], where[group[-1]]
            lines.append(["", "", " " * start + "━" * (end - start + 1)])
        drawn = aligned(lines, right=[False, True, False])
        return f"{drawn}\ncritical difference {self.critical_difference:.4g}"

    def __str__(self) -> str:
        return "\n".join([self.sentence, str(self.friedman), str(self.iman_davenport), "", self.picture()])

    def __repr__(self) -> str:
        return f"<Ranking: {self.sentence}>"

    def _repr_html_(self) -> str:
        rows = [
            [name, f"{value:.2f}", *(f"{p:.3g}" for p in line)]
            for name, value, line in zip(self.names, self.mean_ranks, self.p, strict=True)
        ]
        above = [self.sentence, str(self.friedman), str(self.iman_davenport)]
        head = ["", "mean rank", *(f"p against {name}" for name in self.names)]
        return html_table([head, *rows], above=above)


def rank(scores: ArrayLike, *, names: Sequence[str], higher_is_better: bool = True, alpha: float = 0.05) -> Ranking:
    """Rank algorithms (a column each) within each data set (a row each); Friedman's test, then Nemenyi's (Demšar 2006).

    Equal scores share their ranks. With N data sets, k algorithms and mean ranks R, Friedman's
    ``χ² = 12 N/(k (k + 1)) Σ (R − (k + 1)/2)²`` (corrected for ties) has k − 1 degrees of freedom, and Iman and
    Davenport's ``(N − 1) χ²/(N (k − 1) − χ²)`` is a sharper F. Nemenyi's critical difference is
    ``q √(k (k + 1)/(6 N))`` with q the studentised range over √2.

    >>> found = rank([[0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [0.1, 0.2, 0.2]], names="ABC", higher_is_better=False)
    >>> found.names, [round(r, 3) for r in found.mean_ranks]
    (('A', 'B', 'C'), [1.333, 1.833, 2.833])
    """
    from scipy.stats import rankdata, studentized_range

    table = checks.floats("scores", scores, ndim=2)
    n, k = table.shape
    held = tuple(str(name) for name in checks.unique("names", list(names)))
    if len(held) != k:
        raise BadShape(f"names must name each of the {k} columns of scores; got {len(held)}")
    if k < 3 or n < 2:
        raise BadShape(
            f"scores must have three or more algorithms (columns) and two or more data sets (rows); got {k} and {n}. "
            "Two algorithms are compared by signed_rank"
        )
    level = 1 - checks.level("alpha", alpha)
    equal = np.round(table, 12)  # scores that are equal on paper must be tied here
    ranks = rankdata(-equal if higher_is_better else equal, axis=1)
    means = ranks.mean(axis=0)
    order = np.argsort(means, kind="stable")
    means = means[order]
    unit = math.sqrt(k * (k + 1) / (6 * n))
    critical = float(studentized_range.ppf(level, k, np.inf)) / math.sqrt(2) * unit
    gaps = np.abs(means[:, None] - means[None, :])
    p = studentized_range.sf(gaps / unit * math.sqrt(2), k, np.inf)
    np.fill_diagonal(p, 1.0)
    names_in_order = tuple(held[i] for i in order)
    friedman, iman = _friedman(ranks)
    return Ranking(
        names=names_in_order,
        mean_ranks=tuple(means.tolist()),
        data_sets=n,
        friedman=friedman,
        iman_davenport=iman,
        critical_difference=critical,
        alpha=alpha,
        p=p,
        groups=_groups(names_in_order, means, critical),
    )


def _friedman(ranks: Floats) -> tuple[Significance, Significance]:
    n, k = ranks.shape
    names = (
        f"Friedman χ², {k - 1} degrees of freedom",
        f"Iman–Davenport F, {k - 1} and {(k - 1) * (n - 1)} degrees of freedom",
    )
    spread = float(np.square(ranks - (k + 1) / 2).sum())  # n k (k² − 1)/12 where there are no ties
    if spread == 0:
        none = [Significance(name, math.nan, math.nan, NULL, ASSUMES, missing="every score is tied") for name in names]
        return none[0], none[1]
    between = n**2 * float(np.square(ranks.mean(axis=0) - (k + 1) / 2).sum())
    chi2 = (k - 1) * between / spread
    first = Significance(names[0], chi2, float(chdtrc(k - 1, chi2)), NULL, ASSUMES)
    rest = n * (k - 1) - chi2
    if rest <= 1e-9 * n:  # every data set has the same order
        return first, Significance(names[1], math.inf, 0.0, NULL, ASSUMES)
    f = (n - 1) * chi2 / rest
    return first, Significance(names[1], f, float(fdtrc(k - 1, (k - 1) * (n - 1), f)), NULL, ASSUMES)


def _groups(names: tuple[str, ...], means: Floats, critical: float) -> tuple[tuple[str, ...], ...]:
    """The largest runs of mean ranks, in order, that span no more than the critical difference."""
    found: list[tuple[int, int]] = []
    for start in range(len(names)):
        end = int(np.searchsorted(means, means[start] + critical, side="right"))
        if end - start > 1 and (not found or end > found[-1][1]):
            found.append((start, end))
    return tuple(names[start:end] for start, end in found)
