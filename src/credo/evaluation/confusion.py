"""What was taken for what, and every measure made from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats
from credo.errors import BadShape
from credo.evaluation.intervals import Interval, undefined, wilson
from credo.evaluation.measures import Cells, Measure, measured, named, quotient
from credo.evaluation.one_class import OneClass
from credo.evaluation.reading import classes
from credo.evaluation.tallies import resampled_counts

__all__ = ["Confusion", "confusion"]

FEW = 12  # classes whose table is shown whole
BY_CLASS = ("recall", "precision", "f1", "specificity")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion:
    """Counts of truth (a row each) against answer (a column each), and every measure of them with its interval.

    ``of(state)`` is one class against the rest, with all measures under the names of both traditions; ``average`` is
    their macro, micro or weighted mean. A measure that does not exist is NaN and says why.

    >>> c = confusion(["ill", "ill", "well", "well"], ["ill", "well", "well", "well"])
    >>> c
    truth \\ answer  ill  well  rows  recall  precision     f1  specificity
    ill               1     1     2   0.500      1.000  0.667        1.000
    well              0     2     2   1.000      0.667  0.800        0.500
    answers           1     3     4
    accuracy 0.750 (0.301 to 0.954), balanced accuracy 0.750, MCC 0.577, κ 0.500
    >>> print(c.recall("ill"), "|", c.of("ill").ppv)
    0.500 (0.095 to 0.905) | 1.000 (0.207 to 1.000)
    """

    states: tuple[Any, ...]
    counts: NDArray[np.int64]
    level: float = 0.95

    def of(self, state: Hashable) -> OneClass:
        """One class against all others.

        >>> confusion(["a", "b", "c"], ["a", "a", "c"]).of("a").fdr.value
        0.5
        """
        i = self.states.index(checks.known("state", state, self.states))
        tp, true, said = int(self.counts[i, i]), int(self.counts[i].sum()), int(self.counts[:, i].sum())
        return OneClass(state, tp, true - tp, said - tp, int(self.counts.sum()) - true - said + tp, self.level)

    def recall(self, state: Hashable) -> Interval:
        """The share of the rows truly in ``state`` that were recognised (sensitivity)."""
        return self.of(state).recall

    def precision(self, state: Hashable) -> Interval:
        """The share of the answers ``state`` that were right (positive predictive value)."""
        return self.of(state).precision

    @property
    def accuracy(self) -> Interval:
        """The share of right answers."""
        n = int(self.counts.sum())
        return wilson(int(np.trace(self.counts)), n, level=self.level) if n else self._undefined("there are no rows")

    @property
    def balanced_accuracy(self) -> Interval:
        """The mean recall of the classes: 1/k for answers that know nothing, however rare a class is."""
        return self.average("recall")

    @property
    def mcc(self) -> Interval:
        """Matthews' correlation of truth and answer, 1 for perfect, 0 for chance (Gorodkin's for many classes)."""
        truth, answers = self.counts.sum(axis=1), self.counts.sum(axis=0)
        for what, margin in (("the truth is", truth), ("the answer is", answers)):
            if np.count_nonzero(margin) < 2:
                only = f"{what} always {self.states[int(margin.argmax())]}" if margin.any() else "there are no rows"
                return self._undefined(only)
        return resampled_counts(_correlation, self.counts, level=self.level)

    correlation = mcc

    def kappa(self, weights: str | ArrayLike = "equal") -> Interval:
        """Cohen's κ: 1 − (disagreement seen)/(disagreement of chance with the same margins).

        ``weights`` says how much it counts to take one class for another: ``"equal"``; for classes in order
        ``"linear"`` or ``"quadratic"`` in their distance; or a table of your own, truth × answer.

        >>> c = confusion(["low", "mid", "high"] * 9, ["low", "high", "high"] * 9, ("low", "mid", "high"))
        >>> round(c.kappa().value, 3), round(c.kappa("quadratic").value, 3)
        (0.5, 0.8)
        """
        table = self._weights(weights)
        if not self.counts.any():
            return self._undefined("there are no rows")
        if math.isnan(float(_kappa(self.counts.astype(np.float64), table))):
            return self._undefined("chance would agree as well: truth and answers are all alike")
        return resampled_counts(lambda tables: _kappa(tables, table), self.counts, level=self.level)

    def average(self, measure: str, how: str = "macro", *, skip_undefined: bool = False) -> Interval:
        """The mean of a measure over the classes.

        ``"macro"`` counts every class alike, ``"weighted"`` by its rows, ``"micro"`` adds the counts of all classes up
        first. Where the measure does not exist for a class neither does the mean, unless ``skip_undefined``.

        >>> c = confusion(["a", "a", "b"], ["a", "a", "a"], ("a", "b", "c"))
        >>> print(c.average("recall"))
        undefined: no row is c
        >>> c.average("recall", skip_undefined=True).value, c.average("recall", "weighted", skip_undefined=True).value
        (0.5, 0.6666666666666666)
        """
        held, how = named(measure), checks.choice("how", how, ("macro", "micro", "weighted"))
        if how == "micro" and held.name in {"recall", "precision", "f1"}:
            return self.accuracy  # every wrong answer is one false positive and one false negative
        if not self.counts.any():
            return self._undefined("there are no rows")
        mean = _mean_of(held, how, skip=skip_undefined)
        if math.isnan(float(mean(self.counts.astype(np.float64)))):
            whys = [self.of(state).measure(measure).why for state in self.states]
            return self._undefined("; ".join(dict.fromkeys(filter(None, whys))))
        return resampled_counts(mean, self.counts, level=self.level)

    def to_dict(self) -> dict[str, Any]:
        """The counts, the measures of the whole, and those of every class, as JSON holds them."""
        whole = {"accuracy": self.accuracy, "balanced_accuracy": self.balanced_accuracy, "mcc": self.mcc}
        held: dict[str, Any] = checks.plain_json(
            {"states": self.states, "counts": self.counts, **whole, "kappa": self.kappa()}
        )
        return held | {"classes": [self.of(state).to_dict() for state in self.states]}

    def _undefined(self, why: str) -> Interval:
        return undefined(why, level=self.level)

    def _weights(self, weights: str | ArrayLike) -> Floats:
        place = np.arange(len(self.states), dtype=np.float64)
        apart = np.abs(place[:, None] - place)
        if isinstance(weights, str):
            name = checks.choice("weights", weights, ("equal", "linear", "quadratic"))
            return {"equal": np.sign(apart), "linear": apart, "quadratic": apart**2}[name]
        table = checks.positive("weights", weights, zero=True, ndim=2)
        if table.shape != apart.shape:
            raise BadShape(f"weights must have a row and a column for each class, {apart.shape}; got {table.shape}")
        return table

    def _lines(self) -> list[list[str]]:
        head = ["truth \\ answer", *map(str, self.states), "rows", *BY_CLASS]
        cells = _by_class(self.counts.astype(np.float64))
        columns = [measured(named(name), cells) for name in BY_CLASS]
        lines = [
            [str(state), *(f"{n:,}" for n in counts), f"{counts.sum():,}", *map(_figure, values)]
            for state, counts, *values in zip(self.states, self.counts, *columns, strict=True)
        ]
        totals = self.counts.sum(axis=0)
        return [head, *lines, ["answers", *(f"{n:,}" for n in totals), f"{totals.sum():,}", *("" for _ in BY_CLASS)]]

    def _summary(self) -> str:
        counts = self.counts.astype(np.float64)
        recalls = measured(named("recall"), _by_class(counts))
        rest = {
            "balanced accuracy": float(np.mean(recalls)),
            "MCC": float(_correlation(counts)),
            "κ": float(_kappa(counts, self._weights("equal"))),
        }
        shown = ", ".join(f"{name} {_figure(value)}" for name, value in rest.items())
        return f"accuracy {self.accuracy}, {shown}"

    def __repr__(self) -> str:
        if len(self.states) > FEW:
            return f"Confusion of {len(self.states)} classes, {int(self.counts.sum()):,} rows\n{self._summary()}"
        lines = self._lines()
        return f"{aligned(lines, right=[False] + [True] * (len(lines[0]) - 1))}\n{self._summary()}"

    def _repr_html_(self) -> str:
        return html_table(self._lines(), title=self._summary())


def confusion(
    truth: ArrayLike, answers: ArrayLike, states: Iterable[Hashable] | None = None, *, level: float = 0.95
) -> Confusion:
    """The confusion table of two lists of names; ``states`` gives the order, and names that never occur.

    >>> confusion(["a", "b"], ["a", "a"]).counts.tolist()
    [[1, 0], [1, 0]]
    """
    rows, columns = classes("truth", truth), classes("answers", answers)
    checks.rows_match("truth", len(rows), "answers", len(columns))
    seen = {*rows, *columns}
    names = checks.unique("states", states if states is not None else _in_order(seen))
    for name in seen:
        checks.known("state", name, names)
    place = {name: i for i, name in enumerate(names)}
    k = len(names)
    true, said = (np.fromiter(map(place.__getitem__, held), np.intp, len(held)) for held in (rows, columns))
    return Confusion(names, np.bincount(true * k + said, minlength=k * k).reshape(k, k), checks.level("level", level))


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _in_order(names: set[Any]) -> list[Any]:
    try:
        return sorted(names)
    except TypeError:  # numbers among texts
        return sorted(names, key=str)


def _by_class(tables: Floats) -> Cells:
    """The four counts of every class, the classes along the last axis."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    true, said = tables.sum(axis=-1), tables.sum(axis=-2)
    return Cells(right, true - right, said - right, true.sum(axis=-1)[..., None] - true - said + right)


def _mean_of(measure: Measure, how: str, *, skip: bool) -> Callable[[Floats], Floats]:
    """The mean of a measure over the classes, for any number of tables."""

    def mean(tables: Floats) -> Floats:
        cells = _by_class(tables)
        if how == "micro":
            whole = Cells(*(part.sum(axis=-1) for part in (cells.tp, cells.fn, cells.fp, cells.tn)))
            return measured(measure, whole)
        values = measured(measure, cells)
        weights = cells.true if how == "weighted" else np.ones_like(values)
        weights = np.where(np.isnan(values), 0.0, weights) if skip else weights
        return quotient(np.where(weights > 0, values * weights, 0.0).sum(axis=-1), weights.sum(axis=-1))

    return mean


def _correlation(tables: Floats) -> Floats:
    n, truth, answers = tables.sum(axis=(-2, -1)), tables.sum(axis=-1), tables.sum(axis=-2)
    right = np.trace(tables, axis1=-2, axis2=-1)
    spread = (n**2 - (truth**2).sum(axis=-1)) * (n**2 - (answers**2).sum(axis=-1))
    above = n * right - (truth * answers).sum(axis=-1)
    return quotient(above, np.sqrt(spread))


def _kappa(tables: Floats, weights: Floats) -> Floats:
    n, truth, answers = tables.sum(axis=(-2, -1)), tables.sum(axis=-1), tables.sum(axis=-2)
    chance = ((truth @ weights) * answers).sum(axis=-1)
    seen = n * (tables * weights).sum(axis=(-2, -1))
    return 1 - quotient(seen, chance)
