"""The first look at the data: what a careful reader must know before any result."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.study.leaks import leaks
from credo.study.plan import Plan
from credo.study.question import Question
from credo.study.record import FEW_ROWS, Concern
from credo.study.words import listed, many
from credo.tables import Kind

__all__ = ["survey"]

RARE = 0.05  # the share of a class below which the share of right answers says little
EMPTY = 0.5  # the share of missing cells above which a column is named
ALIKE = 0.3  # the correlation of neighbours above which an order is suspected
COPIES = 0.05  # the share of repeated rows above which they matter
SHARED = 0.01  # the share of rows that repeat a name above which names are shared

#: The last word of a column's name says what it holds. These name somebody or something, if need be with a label after
#: them (customer_number); those say when; and with others a name is a rate, a place in a cycle, or a date of birth.
NAMED = {
    "id", "ids", "uid", "uuid", "key", "patient", "subject", "person", "user", "customer", "client", "participant",
    "household", "family", "student", "school", "hospital", "site", "center", "centre", "account", "device", "session",
}  # fmt: skip
LABELS = {"id", "no", "nr", "number", "num", "code", "name", "key"}
WHEN = {"date", "time", "timestamp", "datetime", "year", "month", "day", "week", "hour", "quarter"}
BORN = {"birth", "born"}
BUT = {"per", "of", "in", *BORN}
YEARS = (1700, 2200)
STAMPS = 10_000_000  # the least number that may be a day as 20240131, or seconds since 1970


def survey(question: Question, plan: Plan, *, development: int) -> tuple[Concern, ...]:
    """What there is to be concerned about, what may be done about it, and how serious it is; the serious ones first.

    >>> from credo.study.plan import PLAIN
    >>> from credo.study.question import ask
    >>> sizes = [float(i) for i in range(30)]
    >>> held = ask({"size": sizes, "kind": ["a", "b"] * 15}, "kind", loss=None, holdout=0.2, types=None)
    >>> [concern.kind for concern in survey(held, PLAIN, development=24)]
    ['few rows']
    """
    found = [
        *_few(question, development),
        *_leaks(question),
        *_groups(question, plan),
        *_copies(question, plan),
        *_times(question, plan),
        *_order(question, plan),
        *_classes(question),
        *_numbers(question),
        *_holes(question),
    ]
    return tuple(sorted(found, key=lambda concern: not concern.serious))


def _few(question: Question, development: int) -> Iterator[Concern]:
    if development < FEW_ROWS:
        words = f"{many(development, 'row')} to learn from are too few to conclude anything, whatever the numbers say."
        yield Concern("few rows", (), words, f"Gather more: {FEW_ROWS} at the very least.", serious=True)
    columns = len(question.table.columns)
    if columns > development:
        words = (
            f"There are more columns ({columns:,}) than rows to learn from ({development:,}): some will look telling "
            "by chance alone, and only rows left out can say which."
        )
        yield Concern("few rows", (), words, "Trust nothing but the folds and the hold-out.", serious=False)
    if question.kind == "classification":
        states, counts = np.unique(question.y, return_counts=True)
        least = int(counts.min())
        if least < 10 <= len(question.y) // 4:
            names = listed(
                [f"{state} ({n})" for state, n in zip(states.tolist(), counts.tolist(), strict=True) if n < 10]
            )
            words = f"Classes with fewer than ten rows: {names}. How well they are recognised stays unknown."
            yield Concern("rare classes", (), words, "Gather more of them, or join them to others.", serious=False)


def _leaks(question: Question) -> Iterator[Concern]:
    for leak in leaks(question):
        told = (
            f"tells the number nearly exactly in {100 * leak.share:.1f} % of the rows left out"
            if question.kind == "regression"
            else f"names the class rightly in {100 * leak.share:.1f} % of the rows left out"
        )
        yield Concern(
            "leak",
            (leak.column,),
            f"{leak.column} alone {told}. A column like that is often known only after the target is, or made from it.",
            f"If so, leave it out (--without {_said(leak.column)}): the result is worth nothing with it.",
            serious=True,
        )


def _groups(question: Question, plan: Plan) -> Iterator[Concern]:
    if plan.groups is not None or plan.time is not None:
        return
    whole = question.whole
    n = len(whole)
    target = next(fact.name for fact in question.columns if fact.role == "target")
    for name in whole.columns:
        kind = whole.kind(name)
        if name == target or kind in (Kind.TIME, Kind.BOOLEAN) or not _names_somebody(name):
            continue
        values = whole[name][~whole.missing(name)]
        if kind.is_number and (values != np.floor(values)).any():
            continue
        distinct = len(np.unique(values.astype(str)))
        if distinct == len(values) and len(values):
            words = f"{name} is different in every row: it names rows and can tell nothing about new ones."
            yield Concern("identifier", (name,), words, f"Leave it out (--without {_said(name)}).", serious=False)
        elif max(3, n // 100) <= distinct <= n // 2 or (distinct > n // 2 and len(values) - distinct > SHARED * n):
            words = (
                f"{name} has {distinct:,} values in {n:,} rows. If rows of the same {name} are alike, folds at random "
                "put them on both sides, and the result is better than it will be for a new one."
            )
            yield Concern("groups", (name,), words, f"Keep them together: --groups {_said(name)}.", serious=True)


def _copies(question: Question, plan: Plan) -> Iterator[Concern]:
    if question.duplicates and plan.groups is None:
        words = (
            f"{many(question.duplicates, 'row repeats an earlier row', 'rows repeat earlier rows')} exactly. Where a "
            "copy is learnt from and another is judged, the result flatters."
        )
        remedy = "If they are the same case twice, remove the copies; if cases are just alike, nothing is wrong."
        # Where there are only categories and counts, cases may well be alike without being the same.
        measured = any(question.table.kind(name) is Kind.CONTINUOUS for name in question.table.columns)
        many_of_them = question.duplicates > COPIES * len(question.y)
        yield Concern("duplicates", (), words, remedy, serious=measured and many_of_them)


def _times(question: Question, plan: Plan) -> Iterator[Concern]:
    if plan.time is not None or plan.groups is not None:
        return
    for fact in question.columns:
        if fact.role != "target" and _says_when(question, fact.name):
            words = (
                f"{fact.name} looks like a time. Folds at random learn from later rows to judge earlier ones, which "
                "nobody can do who predicts what is to come."
            )
            remedy = f"If that is what it is for, say --time {_said(fact.name)}."
            yield Concern("time", (fact.name,), words, remedy, serious=fact.kind == Kind.TIME)


def _says_when(question: Question, name: str) -> bool:
    """Whether a column orders the rows: dates; or numbers named so that the rows follow, or that are calendar times."""
    table, words = question.whole, _words(name)
    kind = table.kind(name)
    if kind is Kind.TIME:
        return not BORN & {*words}
    if not kind.is_number or not words or words[-1] not in WHEN or BUT & {*words}:
        return False
    values = table[name][~table.missing(name)]
    steps = np.diff(values)
    if steps.any() and (bool((steps >= 0).all()) or bool((steps <= 0).all())):
        return True
    low, high = YEARS if words[-1] == "year" else (STAMPS, math.inf)
    return len(values) > 0 and bool(((values >= low) & (values <= high) & (values == np.floor(values))).all())


def _names_somebody(name: str) -> bool:
    """Whether equal values of a column of this name would be the same person, or thing.

    >>> _names_somebody("PatientID"), _names_somebody("customer_number"), _names_somebody("account_balance")
    (True, True, False)
    """
    words = _words(name)
    if not words or BUT & {*words}:
        return False
    return words[-1] in NAMED or (words[-1] in LABELS and bool(NAMED & {*words}))


def _order(question: Question, plan: Plan) -> Iterator[Concern]:
    """Whether rows that stand beside each other have like targets."""
    if plan.time is not None or plan.groups is not None or len(question.y) < FEW_ROWS:
        return
    y = question.y
    values = y if question.kind == "regression" else np.unique(y, return_inverse=True)[1]
    changes = int((values[1:] != values[:-1]).sum())
    states = len(np.unique(values))
    if question.kind == "classification" and changes == states - 1:
        words = (
            "The rows are sorted by class. Folds are dealt at random with every class in each, so it does no harm here."
        )
        yield Concern("order", (), words, "Never cut such a file into a first and a last part.", serious=False)
        return
    alike = _neighbours(values, question.kind == "regression")
    if alike > max(ALIKE, 4 / math.sqrt(len(y))):
        words = (
            f"Rows that stand beside each other have like targets (a correlation of {alike:.2f}). If that is because "
            "they were taken one after another, or belong together, folds at random flatter."
        )
        remedy = (
            "Then say --time or --groups with the column that tells; if the file was merely sorted, nothing is wrong."
        )
        yield Concern("order", (), words, remedy, serious=False)


def _classes(question: Question) -> Iterator[Concern]:
    if question.kind != "classification":
        return
    states, counts = np.unique(question.y, return_counts=True)
    share = counts / counts.sum()
    if share.max() > 1 - RARE or (len(states) == 2 and share.min() < RARE):
        most, least = int(counts.argmax()), int(counts.argmin())
        words = (
            f"{100 * share[most]:.1f} % of the rows are {states[most]} and {100 * share[least]:.1f} % {states[least]} "
            f"({counts[least]:,}): always saying {states[most]} is right that often and worth nothing."
        )
        remedy = "Look at the log score and at what is recognised, not at the share of right answers; or give losses."
        yield Concern("imbalance", (), words, remedy, serious=False)


def _numbers(question: Question) -> Iterator[Concern]:
    """A target of few whole numbers that may be classes, or with values far from all others."""
    if question.kind == "classification":
        return
    y = question.y
    low, middle, high = np.quantile(y, [0.25, 0.5, 0.75])
    far = int((np.abs(y - middle) > 20 * max(high - low, 1e-300)).sum()) if high > low else 0
    if far:
        words = f"{many(far, 'value')} of the target lie far from all others (more than twenty times the usual spread)."
        yield Concern(
            "outliers", (), words, "Look at them: a few such rows decide every score of a number.", serious=False
        )


def _holes(question: Question) -> Iterator[Concern]:
    n = len(question.y)
    empty = [fact.name for fact in question.columns if fact.role == "used" and fact.missing > EMPTY * n]
    if empty:
        words = f"More than half of the cells are missing in {listed(empty)}."
        remedy = "Ask why: where a cell is missing for a reason, that it is missing may tell more than what it holds."
        yield Concern("missing", tuple(empty), words, remedy, serious=False)


def _neighbours(values: NDArray[np.generic], numeric: bool) -> float:  # noqa: FBT001 (private)
    """The correlation of neighbours: of ranks for numbers; for classes, how much oftener they agree than by chance."""
    if numeric:
        ranks: Floats = np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float64)
        return float(np.corrcoef(ranks[1:], ranks[:-1])[0, 1])
    share = np.unique(values, return_counts=True)[1] / len(values)
    chance = float((share**2).sum())
    agree = float((values[1:] == values[:-1]).mean())
    return (agree - chance) / (1 - chance)


def _words(name: str) -> list[str]:
    """The words a name is made of, in order.

    >>> _words("PatientID"), _words("visit_date")
    (['patient', 'id'], ['visit', 'date'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _said(name: str) -> str:
    """A name as a shell takes it."""
    return name if re.fullmatch(r"[\w.-]+", name) else f"'{name}'"
