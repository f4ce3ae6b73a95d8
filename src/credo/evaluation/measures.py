"""The measures of one class against the rest: every one a ratio of sums of four counts.

What is called precision in one tradition is the positive predictive value in another; every measure here goes by
all its names. A ratio whose denominator is zero does not exist: it is NaN, with the reason, and never 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats

__all__ = ["MEASURES", "Cells", "Measure", "measured", "named", "quotient", "reason"]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The four counts, each a number or an array of them: right and wrong, for the class and against it.

    >>> cells = Cells(8, 2, 1, 9)
    >>> cells.true, cells.false, cells.said, cells.unsaid
    (10, 10, 9, 11)
    """

    tp: Any
    fn: Any
    fp: Any
    tn: Any

    @property
    def true(self) -> Any:
        """Rows that are of the class."""
        return self.tp + self.fn

    @property
    def false(self) -> Any:
        """Rows that are not."""
        return self.fp + self.tn

    @property
    def said(self) -> Any:
        """Rows taken for the class."""
        return self.tp + self.fp

    @property
    def unsaid(self) -> Any:
        """Rows taken for anything else."""
        return self.fn + self.tn

    @property
    def involved(self) -> Any:
        """Rows that are of the class or were taken for it."""
        return self.tp + self.fn + self.fp

    @property
    def varied(self) -> Any:
        """What the chance of disagreement is proportional to: zero when all rows are in one right cell."""
        return self.said * self.false + self.true * self.unsaid

    @property
    def lead(self) -> Any:
        """TP·TN − FP·FN, which is zero when truth and answer have nothing to do with each other."""
        return self.tp * self.tn - self.fp * self.fn

    @property
    def rows(self) -> Any:
        """All rows."""
        return self.true + self.false


# Why a denominator is zero; {0} is the class. The first that holds is given.
REASONS = {
    "rows": "there are no rows",
    "involved": "no row is {0} or was taken for it",
    "varied": "truth and answers never vary",
    "true": "no row is {0}",
    "false": "every row is {0}",
    "said": "no row was taken for {0}",
    "unsaid": "every row was taken for {0}",
    "fp": "no row was wrongly taken for {0}",
    "fn": "no row that is {0} was missed",
    "tn": "no row was rightly taken for anything but {0}",
}
Ratio = Callable[[Cells], tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Measure:
    """A ratio of counts, its other names, and which sums must not be zero."""

    name: str
    also: tuple[str, ...]
    formula: str
    ratio: Ratio
    needs: tuple[str, ...]
    kind: str = "share"  # share, f1, difference, ratio or resampled: how its interval is made


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("accuracy", (), "(TP + TN)/all", lambda c: (c.tp + c.tn, c.rows), ("rows",)),
        Measure("prevalence", (), "(TP + FN)/all", lambda c: (c.true, c.rows), ("rows",)),
        Measure(
            "recall", ("sensitivity", "TPR", "hit rate"), "TP/(TP + FN)", lambda c: (c.tp, c.true), ("rows", "true")
        ),
        Measure("specificity", ("TNR", "selectivity"), "TN/(TN + FP)", lambda c: (c.tn, c.false), ("rows", "false")),
        Measure("precision", ("PPV",), "TP/(TP + FP)", lambda c: (c.tp, c.said), ("rows", "said")),
        Measure("npv", ("negative predictive value",), "TN/(TN + FN)", lambda c: (c.tn, c.unsaid), ("rows", "unsaid")),
        Measure("fpr", ("fall-out",), "FP/(FP + TN)", lambda c: (c.fp, c.false), ("rows", "false")),
        Measure("fnr", ("miss rate",), "FN/(FN + TP)", lambda c: (c.fn, c.true), ("rows", "true")),
        Measure("fdr", ("false discovery rate",), "FP/(FP + TP)", lambda c: (c.fp, c.said), ("rows", "said")),
        Measure("for", ("false omission rate",), "FN/(FN + TN)", lambda c: (c.fn, c.unsaid), ("rows", "unsaid")),
        Measure(
            "f1",
            ("Dice",),
            "2 TP/(2 TP + FP + FN)",
            lambda c: (2 * c.tp, c.tp + c.involved),
            ("rows", "involved"),
            "f1",
        ),
        Measure("jaccard", ("threat score",), "TP/(TP + FP + FN)", lambda c: (c.tp, c.involved), ("rows", "involved")),
        Measure(
            "balanced accuracy",
            (),
            "(TPR + TNR)/2",
            lambda c: (c.tp * c.false + c.tn * c.true, 2 * c.true * c.false),
            ("rows", "true", "false"),
            "difference",
        ),
        Measure(
            "informedness",
            ("Youden's J",),
            "TPR + TNR − 1",
            lambda c: (c.lead, c.true * c.false),
            ("rows", "true", "false"),
            "difference",
        ),
        Measure(
            "markedness",
            (),
            "PPV + NPV − 1",
            lambda c: (c.lead, c.said * c.unsaid),
            ("rows", "said", "unsaid"),
            "difference",
        ),
        Measure(
            "mcc",
            ("Matthews' correlation", "phi"),
            "(TP·TN − FP·FN)/√((TP + FN)(FP + TN)(TP + FP)(FN + TN))",
            # The roots one by one: the product of four counts of millions of rows is beyond whole numbers.
            lambda c: (c.lead, np.sqrt(c.true) * np.sqrt(c.false) * np.sqrt(c.said) * np.sqrt(c.unsaid)),
            ("rows", "true", "false", "said", "unsaid"),
            "resampled",
        ),
        Measure(
            "kappa",
            ("Cohen's kappa",),
            "(accuracy − chance)/(1 − chance)",
            lambda c: (2 * c.lead, c.varied),
            ("rows", "varied"),
            "resampled",
        ),
        Measure(
            "lr+", (), "TPR/FPR", lambda c: (c.tp * c.false, c.fp * c.true), ("rows", "true", "false", "fp"), "ratio"
        ),
        Measure(
            "lr-", (), "FNR/TNR", lambda c: (c.fn * c.false, c.tn * c.true), ("rows", "true", "false", "tn"), "ratio"
        ),
        Measure(
            "odds ratio",
            ("diagnostic odds",),
            "TP·TN/(FP·FN)",
            lambda c: (c.tp * c.tn, c.fp * c.fn),
            ("rows", "fp", "fn"),
            "ratio",
        ),
    )
}
NAMES = {name.lower(): measure for measure in MEASURES.values() for name in (measure.name, *measure.also)}


def named(name: str) -> Measure:
    """The measure that goes by this name, in either tradition.

    >>> named("PPV").name, named("sensitivity").formula
    ('precision', 'TP/(TP + FN)')
    """
    key = name.lower() if isinstance(name, str) else name
    return NAMES[checks.known("measure", key, NAMES)]


def measured(measure: Measure, cells: Cells) -> Floats:
    """The measure of arrays of counts; NaN where its denominator is zero.

    >>> measured(named("recall"), Cells(np.array([8, 0]), np.array([2, 0]), 0, 5))
    array([0.8, nan])
    """
    return quotient(*measure.ratio(cells))


def quotient(above: ArrayLike, below: ArrayLike) -> Floats:
    """One array divided by another; NaN where the other is zero.

    >>> quotient([1, 2], [4, 0])
    array([0.25,  nan])
    """
    over, under = np.broadcast_arrays(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    found: Floats = np.divide(over, under, out=np.full(over.shape, np.nan), where=under != 0)
    return found


def reason(measure: Measure, cells: Cells, state: Any) -> str:
    """Why the measure does not exist for these counts; nothing if it does.

    >>> reason(named("precision"), Cells(0, 2, 0, 3), "ill")
    'no row was taken for ill'
    """
    empty = [need for need in measure.needs if not getattr(cells, need)]
    return REASONS[empty[0]].format(state) if empty else ""
