"""From a table and the name of a column to a question: what is asked, of which rows, by which columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.decisions import Loss
from credo.errors import InvalidInput
from credo.study.answers import ClassTask, NumberTask
from credo.study.plan import PLAIN, Plan
from credo.study.record import ColumnFacts, Task
from credo.study.words import listed, many
from credo.tables import Column, Kind, Table, as_table

__all__ = ["Question", "ask"]

FEWEST_ROWS = 10
FEWEST_TO_LEARN = 2
LARGEST = 1e150
ASIDE = "set aside: "
UNREAD = {Kind.TEXT, Kind.TIME}  # kinds that no candidate reads yet


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked: the columns to tell from, the target, and what was noticed while asking."""

    table: Table
    y: NDArray[Any]
    task: ClassTask | NumberTask
    source: str
    rows: int
    duplicates: int
    columns: tuple[ColumnFacts, ...]
    notes: tuple[str, ...]
    whole: Table  # every column that was read, of the same rows
    groups: NDArray[np.intp] | None = None  # rows of the same number stay together
    times: NDArray[Any] | None = None  # what orders the rows

    @property
    def kind(self) -> Task:
        """Classification or regression."""
        return "classification" if isinstance(self.task, ClassTask) else "regression"


def ask(
    data: Any,
    target: str,
    *,
    loss: Loss | None,
    holdout: float | None,
    types: Mapping[str, Any] | None,
    plan: Plan = PLAIN,
) -> Question:
    """Read the data, find out what kind of question the target asks, and set aside what cannot help to answer it.

    Where ``holdout`` is None nothing is judged, and all rows are there to learn from.
    """
    table = _read(data, types)
    checks.known("column", target, table.columns)
    column = table.schema[target]
    if column.kind in UNREAD:
        raise InvalidInput(
            f"the target {target!r} is read as {column.kind} ({column.reason}), which no candidate predicts. If it "
            f"holds classes, say so: types={{{target!r}: 'category'}}"
        )
    classes = column.kind.has_states
    answered = np.flatnonzero(~table.missing(target))
    notes = list(table.notes)
    if len(answered) < len(table):
        notes.append(f"{many(len(table) - len(answered), 'row')} without a value of {target} set aside.")
    task: ClassTask | NumberTask
    if classes:
        codes, labels = table.codes(target), np.asarray(table.states(target))
        answered, task, said = _classes(target, tuple(labels.tolist()), codes, answered, loss, holdout)
        notes += said
        y = labels[codes[answered]]
    else:
        if loss is not None:
            raise InvalidInput(
                f"loss is a table of actions by classes, but {target!r} is a number ({column.reason}). Leave the loss "
                f"out, or read the target as classes: types={{{target!r}: 'category'}}"
            )
        task, y = NumberTask(), table[target][answered]
    _enough(target, y, len(table), judged=holdout is not None)
    kept = table.take(answered)
    for name in plan.without:
        if checks.known("column", name, table.columns) == target:
            raise InvalidInput(f"without: {target!r} is the target, which cannot be left out. Name another column")
    facts = tuple(_facts(kept, column, target, plan) for column in table.schema)
    groups, times = _groups(kept, target, plan.groups), _times(kept, target, plan.time)
    used = [fact.name for fact in facts if fact.role == "used"]
    if not used:
        raise InvalidInput(
            f"no column is left to tell {target!r} from: {'; '.join(f'{f.name}: {f.role}' for f in facts[:8])}"
        )
    held = kept.select(used)
    duplicates = _duplicates(held, y)
    notes += _remarks(facts) if holdout is not None else _remarks_of_a_fit(facts, duplicates)
    source = plan.source or (Path(data).name if isinstance(data, (str, Path)) else "a table in memory")
    return Question(held, y, task, source, len(table), duplicates, facts, tuple(notes), kept, groups, times)


def _read(data: Any, types: Mapping[str, Any] | None) -> Table:
    if types is None:
        return as_table(data)
    return Table.read(data, types=types) if isinstance(data, (str, Path)) else Table(data, types=types)


def _classes(
    target: str,
    states: tuple[Any, ...],
    codes: NDArray[np.int32],
    rows: NDArray[np.intp],
    loss: Loss | None,
    holdout: float | None,
) -> tuple[NDArray[np.intp], ClassTask, list[str]]:
    """The rows whose class is frequent enough to be both learnt and judged, and those classes."""
    counts = np.bincount(codes[rows], minlength=len(states))
    # Two rows of every class must be left to learn from, so that no fold takes all of them.
    share = 0.0 if holdout is None else checks.level("holdout", holdout)
    least = math.ceil(2 / (1 - share))
    kept = [i for i, n in enumerate(counts) if n >= least]
    rare = [i for i, n in enumerate(counts) if 0 < n < least]
    notes = []
    if rare:
        names = listed([f"{states[i]} ({counts[i]})" for i in rare])
        few = "Too few rows to learn" if holdout is None else "Too few rows to learn and to judge"
        notes.append(
            f"{few}: {many(len(rare), 'class', 'classes')} with fewer than {least} rows set aside, "
            f"{many(int(counts[rare].sum()), 'row')} in all: {names}. The model will never answer with them."
        )
    if len(kept) < 2:
        found = ", ".join(f"{states[i]!r}: {n}" for i, n in enumerate(counts) if n) or "none"
        raise InvalidInput(
            f"the target {target!r} must have at least two classes with {least} rows each; its counts are "
            f"{found[:200]}. Gather more rows, or join rare classes to others"
        )
    if loss is not None:
        whole = loss.over([states[i] for i in np.flatnonzero(counts)])
        loss = whole.over([states[i] for i in kept], others=True)
    return rows[np.isin(codes[rows], kept)], ClassTask(tuple(states[i] for i in kept), loss), notes


def _enough(target: str, y: NDArray[Any], rows: int, *, judged: bool) -> None:
    what, why, least = "a model", "Nothing can be learnt from fewer", FEWEST_TO_LEARN
    if judged:
        what, why, least = "a study", "Nothing can be learnt and judged on fewer", FEWEST_ROWS
    if len(y) < least:
        raise InvalidInput(
            f"{what} needs at least {least} rows with a value of {target!r}; there are {len(y)} among {rows}. "
            f"{why}; gather more rows"
        )
    if y.dtype.kind == "f" and y.min() == y.max():
        raise InvalidInput(f"the target {target!r} is {y[0]:g} in every row: there is nothing to predict")
    if y.dtype.kind == "f" and np.abs(y).max() > LARGEST:
        raise InvalidInput(
            f"the target {target!r} has numbers as large as {np.abs(y).max():g}, whose squares no longer are numbers. "
            "Give it in a larger unit"
        )


def _groups(table: Table, target: str, name: str | None) -> NDArray[np.intp] | None:
    """The number of the group of each row; a row without a value is a group of its own."""
    if name is None:
        return None
    checks.known("column", name, table.columns)
    if name == target:
        raise InvalidInput(f"groups must be another column than the target {target!r}")
    absent = table.missing(name)
    values = np.where(absent, "", table[name].astype(str))
    codes: NDArray[np.intp] = np.unique(values, return_inverse=True)[1].astype(np.intp)
    codes[absent] = len(codes) + np.arange(int(absent.sum()))
    groups: NDArray[np.intp] = np.unique(codes, return_inverse=True)[1].astype(np.intp)
    if groups.max() < 2:
        raise InvalidInput(
            f"groups: {name!r} has {many(int(groups.max()) + 1, 'value')}, and whole groups must be set aside to judge "
            "by. Name a column with three values or more"
        )
    return groups


def _times(table: Table, target: str, name: str | None) -> NDArray[Any] | None:
    """What orders the rows: dates or numbers, all of them there."""
    if name is None:
        return None
    checks.known("column", name, table.columns)
    if name == target:
        raise InvalidInput(f"time must be another column than the target {target!r}")
    if not (table.kind(name) is Kind.TIME or table.kind(name).is_number):
        raise InvalidInput(
            f"time must be a column of dates or numbers; {name!r} is {table.kind(name)}. "
            f"If it is a date that was not recognised, say so: types={{{name!r}: 'time'}}"
        )
    absent = int(table.missing(name).sum())
    if absent:
        raise InvalidInput(f"time: {many(absent, 'row has', 'rows have')} no {name}. Leave them out, or fill them in")
    return table[name]


def _facts(table: Table, column: Column, target: str, plan: Plan) -> ColumnFacts:
    """What is to be said of a column, and whether it takes part."""
    absent = table.missing(column.name)
    missing = int(absent.sum())
    if column.name == target:
        role = "target"
    elif column.name == plan.groups:
        role = "says which rows stay together"
    elif column.name in plan.without:
        role = "set aside: as was asked"
    elif column.name == plan.time and column.kind in UNREAD:
        role = "orders the rows"
    elif column.kind in UNREAD:
        role = f"set aside: {column.kind.value} is not read by any candidate"
    elif missing == len(table):
        role = "set aside: no values"
    elif not missing and _alike(table, column.name):
        role = "set aside: always the same"
    else:
        role = "used"
    return ColumnFacts(column.name, column.kind.value, column.reason, missing, role)


def _alike(table: Table, name: str) -> bool:
    """Whether a column has the same value in every row."""
    values = table.codes(name) if table.kind(name).has_states else table[name]
    return bool((values == values[0]).all())


def _bits(table: Table, name: str) -> NDArray[np.uint64]:
    """A number for each cell of a column, the same for the same values; missing is one of them."""
    if table.kind(name).has_states:
        return table.codes(name).astype(np.uint64)
    values = table[name].astype(np.float64) + 0.0  # of the two zeros one
    values[np.isnan(values)] = np.nan
    return values.view(np.uint64)


def _duplicates(table: Table, y: NDArray[Any]) -> int:
    """How many rows repeat an earlier one, target and all."""
    mixed = np.unique(y, return_inverse=True)[1].astype(np.uint64)
    for name in table.columns:
        # A hash of 64 bits over all columns: two different rows meet with probability n²/2⁶⁵.
        cells = _bits(table, name) * np.uint64(0xD6E8FEB86659FD93)
        cells ^= cells >> np.uint64(32)
        mixed = (mixed * np.uint64(0x9E3779B97F4A7C15)) ^ (cells + np.uint64(0x632BE59BD9B4E019))
        mixed ^= mixed >> np.uint64(29)
    return len(mixed) - len(np.unique(mixed))


def _remarks(facts: tuple[ColumnFacts, ...]) -> list[str]:
    aside = [fact.name for fact in facts if fact.role.startswith("set aside")]
    if not aside:
        return []
    return [f"{many(len(aside), 'column')} set aside: {listed(aside)}; the table of columns says why."]


def _remarks_of_a_fit(facts: tuple[ColumnFacts, ...], duplicates: int) -> list[str]:
    notes = []
    if duplicates:
        repeated = many(duplicates, "row repeats an earlier row", "rows repeat earlier rows")
        notes.append(f"{repeated} exactly; each is learnt from.")
    aside = [f"{fact.name} ({fact.role.removeprefix(ASIDE)})" for fact in facts if fact.role.startswith(ASIDE)]
    if aside:
        notes.append(f"{many(len(aside), 'column')} set aside: {listed(aside)}.")
    return notes
