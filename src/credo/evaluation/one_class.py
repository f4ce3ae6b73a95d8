"""One class against all others: four counts, and everything that is made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from credo import checks
from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats
from credo.evaluation.intervals import Interval, undefined, wilson
from credo.evaluation.measures import MEASURES, Cells, measured, named, quotient, reason
from credo.evaluation.tallies import resampled_counts

__all__ = ["OneClass", "f_score"]


@dataclass(frozen=True, slots=True, repr=False)
class OneClass:
    """One class against all others: four counts, and every measure of them with its interval.

    Shares of rows have Wilson's interval; F1 has the same one transformed, because TP is a share of the rows that are
    of the class or were taken for it; differences of two shares (informedness, markedness) have Newcombe's, ratios the
    normal one of their logarithm, MCC and κ the bootstrap of the counts. Every measure goes by the names of both
    traditions: ``recall``, ``sensitivity`` and ``tpr`` are one.

    >>> found = OneClass("ill", tp=81, fn=9, fp=30, tn=180)
    >>> print(found.sensitivity, "|", found.ppv)
    0.900 (0.821 to 0.946) | 0.730 (0.640 to 0.804)
    >>> print(OneClass("ill", tp=0, fn=5, fp=0, tn=9).precision)
    undefined: no row was taken for ill
    """

    state: Any
    tp: int
    fn: int
    fp: int
    tn: int
    level: float = 0.95

    def __post_init__(self) -> None:
        for name in ("tp", "fn", "fp", "tn"):
            object.__setattr__(self, name, checks.count(name, getattr(self, name)))
        checks.level("level", self.level)

    def measure(self, name: str) -> Interval:
        """The measure of this name, in either tradition: ``"PPV"``, ``"precision"``, ``"Youden's J"``, …

        >>> print(OneClass("ill", tp=8, fn=2, fp=1, tn=9).measure("Youden's J"))
        0.700 (0.266 to 0.865)
        """
        held, cells = named(name), self._cells
        why = reason(held, cells, self.state)
        if why:
            return undefined(why, level=self.level)
        above, below = held.ratio(cells)
        if held.kind == "share":
            return wilson(int(above), int(below), level=self.level)
        if held.kind == "resampled":
            return resampled_counts(lambda tables: measured(held, _apart(tables)), self._table, level=self.level)
        if held.kind == "f1":
            share = wilson(self.tp, cells.involved, level=self.level)
            value, low, high = (2 * end / (1 + end) for end in (share.value, share.low, share.high))
            return Interval(value, low, high, self.level, "Wilson, transformed")
        if held.kind == "ratio":
            return self._ratio(above / below, held.name)
        return self._difference(held.name)

    def f_beta(self, beta: float) -> Interval:
        """(1 + β²) TP / ((1 + β²) TP + β² FN + FP): recall counts β times as much as precision.

        >>> round(OneClass("ill", tp=8, fn=2, fp=1, tn=9).f_beta(2).value, 4)
        0.8163
        """
        square = float(checks.positive("beta", beta, ndim=0)) ** 2
        if square == 1:
            return self.f1
        why = reason(MEASURES["f1"], self._cells, self.state)
        if why:
            return undefined(why, level=self.level)
        return resampled_counts(lambda tables: f_score(_apart(tables), square), self._table, level=self.level)

    @property
    def accuracy(self) -> Interval:
        """The share of right answers, (TP + TN)/all."""
        return self.measure("accuracy")

    @property
    def prevalence(self) -> Interval:
        """The share of rows that are of the class, (TP + FN)/all."""
        return self.measure("prevalence")

    @property
    def recall(self) -> Interval:
        """The share of the class that was recognised, TP/(TP + FN)."""
        return self.measure("recall")

    sensitivity = recall
    tpr = recall

    @property
    def specificity(self) -> Interval:
        """The share of the rest that was recognised as such, TN/(TN + FP)."""
        return self.measure("specificity")

    tnr = specificity

    @property
    def precision(self) -> Interval:
        """The share of rows taken for the class that are, TP/(TP + FP)."""
        return self.measure("precision")

    ppv = precision

    @property
    def npv(self) -> Interval:
        """The share of rows taken for the rest that are, TN/(TN + FN)."""
        return self.measure("npv")

    @property
    def fpr(self) -> Interval:
        """The share of the rest taken for the class, FP/(FP + TN)."""
        return self.measure("fpr")

    fall_out = fpr

    @property
    def fnr(self) -> Interval:
        """The share of the class that was missed, FN/(FN + TP)."""
        return self.measure("fnr")

    miss_rate = fnr

    @property
    def fdr(self) -> Interval:
        """The share of rows taken for the class that are not, FP/(FP + TP)."""
        return self.measure("fdr")

    @property
    def false_omission_rate(self) -> Interval:
        """The share of rows taken for the rest that are of the class, FN/(FN + TN)."""
        return self.measure("for")

    @property
    def f1(self) -> Interval:
        """The harmonic mean of precision and recall, 2 TP/(2 TP + FP + FN)."""
        return self.measure("f1")

    @property
    def jaccard(self) -> Interval:
        """Of the rows that are of the class or were taken for it, the share that is both."""
        return self.measure("jaccard")

    threat_score = jaccard

    @property
    def balanced_accuracy(self) -> Interval:
        """The mean of recall and specificity: one half for answers that know nothing."""
        return self.measure("balanced accuracy")

    @property
    def informedness(self) -> Interval:
        """Recall + specificity − 1: zero for answers that know nothing."""
        return self.measure("informedness")

    youden_j = informedness

    @property
    def markedness(self) -> Interval:
        """Precision + negative predictive value − 1."""
        return self.measure("markedness")

    @property
    def mcc(self) -> Interval:
        """Matthews' correlation of truth and answer, from −1 to 1."""
        return self.measure("mcc")

    correlation = mcc

    @property
    def kappa(self) -> Interval:
        """Cohen's κ: how far the accuracy is above that of chance, on the way to 1."""
        return self.measure("kappa")

    @property
    def positive_likelihood_ratio(self) -> Interval:
        """TPR/FPR: by how much being taken for the class raises the odds of being it."""
        return self.measure("lr+")

    @property
    def negative_likelihood_ratio(self) -> Interval:
        """FNR/TNR: by how much being taken for the rest lowers the odds of the class."""
        return self.measure("lr-")

    @property
    def odds_ratio(self) -> Interval:
        """The diagnostic odds ratio, TP·TN/(FP·FN)."""
        return self.measure("odds ratio")

    def to_dict(self) -> dict[str, Any]:
        """The counts and every measure, as JSON holds them."""
        held: dict[str, Any] = checks.plain_json(self)
        return held | {name: checks.plain_json(self.measure(name)) for name in MEASURES}

    @property
    def _cells(self) -> Cells:
        return Cells(self.tp, self.fn, self.fp, self.tn)

    @property
    def _table(self) -> Any:
        return np.array([[self.tp, self.fn], [self.fp, self.tn]])

    def _ratio(self, value: float, name: str) -> Interval:
        """exp(log value ± z sd), the variance of a log share k/n being 1/k − 1/n, that of log odds a/b 1/a + 1/b."""
        c = self._cells
        parts = {"lr+": (c.tp, c.fp), "lr-": (c.fn, c.tn), "odds ratio": (c.tp, c.fn, c.fp, c.tn)}[name]
        if not all(parts):
            why = "the logarithm of a count of zero is infinite"
            return Interval(float(value), -math.inf, math.inf, self.level, "none", why)
        variance = sum(1 / part for part in parts) - (0 if len(parts) == 4 else 1 / c.true + 1 / c.false)
        factor = math.exp(float(ndtri(0.5 + self.level / 2)) * math.sqrt(variance))
        return Interval(float(value), value / factor, value * factor, self.level, "normal on the logarithm")

    def _difference(self, name: str) -> Interval:
        """A share less another one of other rows, by Newcombe's method from the ends of both (1998, method 10)."""
        c = self._cells
        pairs = ((c.tp, c.said), (c.fn, c.unsaid)) if name == "markedness" else ((c.tp, c.true), (c.fp, c.false))
        one, other = (wilson(k, n, level=self.level) for k, n in pairs)
        gap = one.value - other.value
        low = gap - math.hypot(one.value - one.low, other.high - other.value)
        high = gap + math.hypot(one.high - one.value, other.value - other.low)
        ends = (gap, low, high)
        if name == "balanced accuracy":
            ends = ((1 + gap) / 2, (1 + low) / 2, (1 + high) / 2)
        return Interval(*ends, self.level, "Newcombe, from Wilson's")

    def _lines(self) -> list[list[str]]:
        rows = []
        for measure in MEASURES.values():
            found = self.measure(measure.name)
            rows.append([measure.name, ", ".join(measure.also), measure.formula, str(found)])
        return rows

    def __repr__(self) -> str:
        return f"{self._counted()}\n{aligned(self._lines(), right=[False] * 4)}"

    def _repr_html_(self) -> str:
        return html_table([["measure", "also", "formula", "value"], *self._lines()], title=self._counted())

    def _counted(self) -> str:
        return f"{self.state} against the rest: TP {self.tp:,}, FN {self.fn:,}, FP {self.fp:,}, TN {self.tn:,}"


def f_score(cells: Cells, square: float) -> Floats:
    """F-beta of arrays of counts, ``square`` being β²; NaN where no row is of the class or taken for it.

    >>> float(f_score(Cells(8, 2, 1, 9), 4.0).round(4))
    0.8163
    """
    above = (1 + square) * cells.tp
    return quotient(above, above + square * cells.fn + cells.fp)


def _apart(tables: Floats) -> Cells:
    return Cells(tables[..., 0, 0], tables[..., 0, 1], tables[..., 1, 0], tables[..., 1, 1])
