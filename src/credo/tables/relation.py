"""Columns inside DuckDB: what is in them, and the same values typed; the counterpart of ``arrays`` for files."""

# ruff: noqa: S608 (what goes into SQL is made here, but for texts, which are parameters or quoted by `literal`)

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from credo.errors import FormatError, TooLarge
from credo.tables.arrays import misfit, unknown
from credo.tables.cells import number
from credo.tables.engine import Engine, literal
from credo.tables.evidence import INFINITE, MANY_LABELS, NUMBER, TIME, TRUTHS, Evidence, as_labels, as_numbers, in_order
from credo.tables.schema import BLANKS, Column, Kind, State, label

__all__ = ["KEPT", "Cell", "Relation", "keep"]

#: A category forced upon more distinct values than this is a mistake, and would fill the memory with states.
MOST_STATES = 1_000_000

AT_A_TIME = 6

#: The rows that `keep` kept, as the base of a relation.
KEPT = "(SELECT *, rowid AS r FROM raw)"

_TRUE = ", ".join(literal(text) for text, value in TRUTHS.items() if value)
_FALSE = ", ".join(literal(text) for text, value in TRUTHS.items() if not value)


@dataclass(frozen=True, slots=True)
class Cell:
    """SQL for one cell of a column, in layers: DuckDB computes only those that are asked for.

    ``c<i>`` is the cell as it stands in the file. From it come ``n<i>``, the value as a finite number, ``t<i>``, as a
    time, and ``l<i>``, as its state is written, which is NULL only where the cell is missing; from those ``o<i>``, the
    label of what is no number. Most columns are numbers throughout, and labels cost more than numbers: ``l<i>`` is not
    to be asked for where ``n<i>`` and ``o<i>`` will do. The cells of text files are ``kept`` with their numbers.
    """

    name: str
    i: int
    form: str  # "text", "whole", "number", "truth" or "time"
    value: str  # the cell, stripped if it is a text, in terms of c<i>
    absent: frozenset[str] = frozenset()  # the texts that mean missing
    parse: bool = False  # from a text file: texts that look like numbers are numbers, and are kept as such
    careful: bool = True  # DuckDB may take texts for numbers that are none: see files.DOUBTFUL
    decimal: str = "."
    remark: str = ""  # what a person should know about its values

    @classmethod
    def of(cls, name: str, i: int, kind: str, tokens: frozenset[str]) -> Cell:
        """A cell of a column that DuckDB holds as ``kind``; ``TEXT`` is a text of a text file, to be parsed."""
        raw = f"c{i}"
        if kind.endswith("INT") or kind in ("INTEGER", "UINTEGER"):
            return cls(name, i, "whole", raw)
        if kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL"):
            return cls(name, i, "number", f"CASE WHEN NOT isnan(CAST({raw} AS DOUBLE)) THEN CAST({raw} AS DOUBLE) END")
        if kind == "BOOLEAN":
            return cls(name, i, "truth", raw)
        if kind == "TIMESTAMP WITH TIME ZONE":
            return cls(name, i, "time", f"timezone('UTC', {raw})")
        if kind == "DATE" or kind.startswith("TIMESTAMP"):
            return cls(name, i, "time", f"CAST({raw} AS TIMESTAMP)")
        if kind == "TEXT":
            value = f"CASE WHEN n{i} IS NULL THEN {raw} ELSE {_stripped(raw)} END"
            return cls(name, i, "text", value, tokens | {""}, parse=True)
        plain = kind in ("VARCHAR", "UUID", "TIME", '"NULL"') or kind.startswith("ENUM")
        remark = "" if plain else f"values of type {kind.partition('(')[0]} are written out as texts"
        return cls(name, i, "text", _stripped(raw), tokens | {""}, remark=remark)

    @property
    def layers(self) -> tuple[str, str]:
        """The definitions of ``n<i>``, ``t<i>`` and ``l<i>``, and that of ``o<i>``."""
        i = self.i
        first = f"{self._number()} AS n{i}, " * (not self.parse) + f"{self._time()} AS t{i}, {self._label()} AS l{i}"
        return first, f"CASE WHEN n{i} IS NULL THEN {self._label()} END AS o{i}"

    @property
    def kept(self) -> tuple[str, str]:
        """What is kept of a cell of a text file: ``n<i>``, and ``c<i>``, stripped where it is no number."""
        i = self.i
        return f"{self._number()} AS n{i}", f"CASE WHEN n{i} IS NULL THEN {_stripped(f'c{i}')} ELSE c{i} END AS c{i}"

    def _label(self) -> str:
        v = self.value
        if self.form == "number":  # 1.0 is the state 1: see schema.label
            whole = f"{v} = trunc({v}) AND abs({v}) < 9007199254740992"
            return f"CASE WHEN {whole} THEN CAST(CAST({v} AS BIGINT) AS VARCHAR) ELSE CAST({v} AS VARCHAR) END"
        return f"CASE WHEN {self._present(v)} THEN {v} END" if self.form == "text" else f"CAST({v} AS VARCHAR)"

    def _present(self, text: str) -> str:
        return f"{text} NOT IN ({', '.join(map(literal, sorted(self.absent)))})"

    def _number(self) -> str:
        if self.form == "time":
            return "CAST(NULL AS DOUBLE)"
        if self.form != "text":
            return f"CASE WHEN isfinite(CAST({self.value} AS DOUBLE)) THEN CAST({self.value} AS DOUBLE) END"
        # A cast ignores blanks at both ends, and few lists of missing tokens have a finite number in them.
        text, pattern = f"CAST(c{self.i} AS VARCHAR)", NUMBER.pattern
        if self.decimal == ",":
            text, pattern = f"replace({text}, ',', '.')", pattern.replace(r"\.", ",")
        wide = f"try_cast({text} AS DOUBLE)"
        tests = [f"isfinite({wide})"]
        if self.careful or self.decimal == ",":
            tests.append(f"regexp_full_match({_stripped(f'c{self.i}')}, {literal(pattern)})")
        if any(number(token, self.decimal) is not None for token in self.absent):
            tests.append(self._present(_stripped(f"c{self.i}")))
        return f"CASE WHEN {' AND '.join(tests)} THEN {wide} END"

    def _time(self) -> str:
        if self.form in ("time", "text"):
            v = self.value
            test = (
                f"{self._present(v)} AND regexp_full_match({v}, {literal(TIME.pattern)})" if self.form == "text" else ""
            )
            return f"CASE WHEN {test} THEN try_cast({v} AS TIMESTAMP) END" if test else v
        return "CAST(NULL AS TIMESTAMP)"

    def typed(self, kind: Kind, enum: str) -> str:
        """The value as a column of ``kind`` stores it, NULL where it is missing or is not of that kind."""
        label, number = f"l{self.i}", f"n{self.i}"
        if kind in (Kind.CATEGORY, Kind.ORDERED):
            return f"CAST(enum_code(try_cast({label} AS {enum})) AS INTEGER)" if enum else "CAST(NULL AS INTEGER)"
        if kind is Kind.BOOLEAN:
            text = f"CASE WHEN {number} IS NULL THEN lower({label}) END"
            true, false = f"{number} = 1 OR {text} IN ({_TRUE})", f"{number} = 0 OR {text} IN ({_FALSE})"
            return f"CASE WHEN {true} THEN 1.0::DOUBLE WHEN {false} THEN 0.0::DOUBLE END"
        if kind is Kind.COUNT:
            return f"CASE WHEN {number} >= 0 AND {number} = trunc({number}) THEN {number} END"
        return {Kind.TIME: f"t{self.i}", Kind.TEXT: label}.get(kind, number)


def keep(engine: Engine, source: str, cells: Iterable[Cell]) -> None:
    """Keep the cells of a text file, which ``source`` gives as ``c<i>``, in the table ``raw``."""
    kept = [cell.kept for cell in cells]
    numbers, texts = ", ".join(number for number, _ in kept), ", ".join(text for _, text in kept)
    names = ", ".join(f"n{cell.i}" for cell in cells)
    engine.run(f"CREATE OR REPLACE TABLE raw AS SELECT {names}, {texts} FROM (SELECT *, {numbers} FROM {source})")


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """Rows inside an engine: ``base`` gives them as ``c0``, ``c1``, ... with their number ``r``."""

    engine: Engine
    base: str
    cells: Mapping[str, Cell]

    def _rows(self, names: Sequence[str]) -> str:
        """The rows with all layers of these columns."""
        cells = [self.cells[name] for name in names]
        raw = ", ".join(["r", *(f"n{cell.i}, c{cell.i}" if cell.parse else f"c{cell.i}" for cell in cells)])
        first = ", ".join(cell.layers[0] for cell in cells)
        last = ", ".join(cell.layers[1] for cell in cells)
        return f"(SELECT *, {last} FROM (SELECT *, {first} FROM (SELECT {raw} FROM {self.base})))"

    def _ask(self, asked: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Any]]:
        """For each column the answers to what is asked: a key and an aggregate."""
        wanted = [aggregate for each in asked.values() for aggregate in each.values()]
        answers = iter(self.engine.row(f"SELECT {', '.join(wanted)} FROM {self._rows(list(asked))}") if wanted else ())
        return {name: {key: next(answers) for key in each} for name, each in asked.items()}

    def _distinct(self, wanted: Mapping[str, str]) -> dict[str, list[Any]]:
        """For each name the distinct values of an expression; one column at a time, as that takes the least memory."""
        lists = [
            f"(SELECT list(x) FROM (SELECT DISTINCT {value} AS x FROM {self._rows([name])} WHERE {value} IS NOT NULL))"
            for name, value in wanted.items()
        ]
        found = self.engine.row(f"SELECT {', '.join(lists)}") if lists else ()
        return {name: values or [] for name, values in zip(wanted, found, strict=True)}

    def evidence(self, names: Sequence[str]) -> dict[str, Evidence]:
        """What is seen in these columns, for the guess of their kinds; a few passes over each."""
        found: dict[str, Evidence] = {}
        for few in _few(names):
            found |= self._evidence_of([self.cells[name] for name in few])
        return found

    def _evidence_of(self, cells: Sequence[Cell]) -> dict[str, Evidence]:
        (rows,) = self.engine.row(f"SELECT count(*) FROM {self.base}")
        seen = self._ask({cell.name: _first(cell) for cell in cells})
        codes = {cell.name: _padded(cell) for cell in cells if cell.parse and _whole(cell, seen[cell.name])}
        for name, more in self._ask(codes).items():
            seen[name] |= more
        for name, more in self._ask({cell.name: _details(cell, seen[cell.name]) for cell in cells}).items():
            seen[name] |= more
        few = [cell for cell in cells if seen[cell.name].get("distinct", math.inf) <= 2 * MANY_LABELS]
        states = self._distinct(
            {cell.name: f"n{cell.i}" if _all_numbers(cell, seen[cell.name]) else f"l{cell.i}" for cell in few}
        )
        holed = [cell for cell in cells if cell.form == "text" and _present(seen[cell.name]) < rows]
        written = self._distinct(
            {
                cell.name: f"CASE WHEN {_label(cell, seen[cell.name])} IS NULL THEN coalesce({cell.value}, '') END"
                for cell in holed
            }
        )
        return {
            cell.name: self._evidence(cell, rows, seen[cell.name], states.get(cell.name), written.get(cell.name, ()))
            for cell in cells
        }

    def _evidence(
        self, cell: Cell, rows: int, seen: Mapping[str, Any], listed: list[Any] | None, written: Collection[str]
    ) -> Evidence:
        numbers, present, padded = seen["numbers"], _present(seen), seen.get("padded")
        where = seen.get("where") or {"r": 0, "v": ""}
        infinite = seen.get("infinite", 0)
        if infinite and infinite == seen["others"] and (numbers or cell.form == "number"):
            raise FormatError(
                f"column {cell.name!r}, row {where['r'] + 1}: {where['v']} is not finite. Remove the row, or "
                "list it in missing= if it means missing",
                file=self.engine.reading,
            )
        whole = _whole(cell, seen)
        states = None if listed is None else in_order(int(state) if whole else state for state in listed)
        return Evidence(
            rows,
            present,
            tokens=written,
            numbers=numbers if (cell.parse or cell.form in ("whole", "number")) and not padded else 0,
            whole=whole,
            low=seen["low"] or 0.0,
            high=seen["high"] or 0.0,
            truths=present if cell.form == "truth" else seen.get("truths", 0),
            times=present if cell.form == "time" else seen.get("times", 0),
            distinct=seen.get("distinct", 0) if states is None else len(states),
            states=states,
            oddity=where["v"],
            remark=as_labels(cell.name, padded)
            if padded
            else cell.remark
            or as_numbers(cell.name) * (cell.form == "text" and not cell.parse and 0 < numbers == present),
        )

    def states(self, name: str) -> tuple[State, ...]:
        """All distinct values of a column, in order, as the states of a category."""
        cell = self.cells[name]
        about = self._ask({name: {"about": f"approx_count_distinct(l{cell.i})"}})[name]["about"]
        if about > MOST_STATES:
            raise TooLarge(
                f"column {name!r} has about {about:,} distinct values, too many for the states of a category; "
                f"read it as text: types={{{name!r}: 'text'}}"
            )
        value = f"l{cell.i}" if cell.form in ("text", "time") else cell.value
        return in_order(self._distinct({name: value})[name])

    def selects(
        self, columns: Sequence[Column], said: Collection[str], *, unseen: str
    ) -> tuple[list[str], tuple[str, ...]]:
        """SQL for the typed values of ``columns``, a few columns each, and notes.

        What is ``said`` of a column is checked: what does not fit is refused, or noted where it becomes missing.
        """
        place = {column.name: i for i, column in enumerate(columns)}
        selects: list[str] = []
        notes: list[str] = []
        for few in _few([column.name for column in columns]):
            chosen = [columns[place[name]] for name in few]
            typed = {column.name: self._typed(place[column.name], column) for column in chosen}
            free = () if unseen == "refuse" else (Kind.CATEGORY, Kind.ORDERED)
            told = [column for column in chosen if column.name in said]
            self._check([column for column in told if column.kind not in free], typed)
            notes += self._lost([column for column in told if column.kind in free], typed)
            stored = [f"{_stored(column, typed[column.name])} AS v{place[column.name]}" for column in chosen]
            selects.append(f"SELECT {', '.join(stored)} FROM {self._rows(few)}")
        return selects, tuple(notes)

    def _typed(self, i: int, column: Column) -> str:
        enum = self._enum(i, column) if column.states and column.kind is not Kind.BOOLEAN else ""
        return self.cells[column.name].typed(column.kind, enum)

    def _check(self, columns: Sequence[Column], typed: Mapping[str, str]) -> None:
        """Refuse the first value that is present and not of the kind that its column is said to be."""
        wrong = {
            column.name: {"row": f"min(r) FILTER (WHERE l{self.cells[column.name].i} IS NOT NULL AND {sql} IS NULL)"}
            for column in columns
            for sql in (typed[column.name],)
        }
        found = self._ask(wrong)
        for column in columns:
            row = found[column.name]["row"]
            if row is not None:
                label = f"l{self.cells[column.name].i}"
                (shown,) = self.engine.row(f"SELECT {label} FROM {self._rows([column.name])} WHERE r = {row}")
                misfit(column, row, shown, str(self.engine.reading))

    def _lost(self, columns: Sequence[Column], typed: Mapping[str, str]) -> list[str]:
        """Notes of the values that become missing because they are none of the states."""
        asked = {}
        for column in columns:
            label = f"l{self.cells[column.name].i}"
            gone = f"FILTER (WHERE {label} IS NOT NULL AND {typed[column.name]} IS NULL)"
            asked[column.name] = {"count": f"count(*) {gone}", "first": f"arg_min({label}, r) {gone}"}
        return [unknown(name, seen["count"], seen["first"]) for name, seen in self._ask(asked).items() if seen["count"]]

    def _enum(self, i: int, column: Column) -> str:
        """A DuckDB type with the states of a column; their texts are parameters, never SQL."""
        labels = [label(state) for state in column.states]
        self.engine.run("CREATE OR REPLACE TABLE listed (i BIGINT, state VARCHAR)")
        self.engine.run("INSERT INTO listed SELECT unnest(?), unnest(?)", [list(range(len(labels))), labels])
        self.engine.run(f"CREATE TYPE enum{i} AS ENUM (SELECT state FROM listed ORDER BY i)")
        return f"enum{i}"


def _few(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """The names, a few at a time: the time and memory that DuckDB needs to plan grow with the square of the columns."""
    for start in range(0, len(names), AT_A_TIME):
        yield names[start : start + AT_A_TIME]


def _first(cell: Cell) -> dict[str, str]:
    """What is asked about every column."""
    value, other = f"n{cell.i}", f"o{cell.i}"
    return {
        "numbers": f"count({value})",
        "others": f"count({other})",
        "other": f"any_value({other})",
        "low": f"min({value})",
        "high": f"max({value})",
        "whole": f"bool_and({value} = trunc({value}))",
    }


def _padded(cell: Cell) -> dict[str, str]:
    """Whether whole numbers are written with zeros in front: as texts they lie between '00' and '0:'."""
    text = _stripped(f"c{cell.i}")
    return {"padded": f"min({text}) FILTER (WHERE {text} >= '00' AND {text} < '0:' AND n{cell.i} IS NOT NULL)"}


def _all_numbers(cell: Cell, first: Mapping[str, Any]) -> bool:
    return (
        not first["others"] and not first.get("padded") and cell.form != "truth" and (cell.form != "text" or cell.parse)
    )


def _whole(cell: Cell, first: Mapping[str, Any]) -> bool:
    return bool(first["whole"]) and cell.form != "number" and _all_numbers(cell, first)


def _present(first: Mapping[str, Any]) -> int:
    present: int = first["numbers"] + first["others"]
    return present


def _label(cell: Cell, first: Mapping[str, Any]) -> str:
    """SQL for the label of a cell, or for anything else that is NULL if it is missing: labels of numbers are costly."""
    alike = not first["others"] and not first.get("padded")
    return f"o{cell.i}" if not first["numbers"] else f"n{cell.i}" if alike else f"l{cell.i}"


def _details(cell: Cell, first: Mapping[str, Any]) -> dict[str, str]:
    """What else must be asked about a column, given the first answers."""
    other = f"o{cell.i}"
    asked = {}
    if _whole(cell, first):
        asked["distinct"] = f"approx_count_distinct(n{cell.i})"
    if not _present(first) or cell.form in ("truth", "time") or _all_numbers(cell, first):
        return asked
    if cell.form == "text":
        asked["distinct"] = f"approx_count_distinct({_label(cell, first)})"
    if cell.form == "number" or (cell.parse and first["numbers"]):
        asked["infinite"] = f"count(*) FILTER (WHERE regexp_full_match({other}, {literal(INFINITE.pattern)}))"
        asked["where"] = f"arg_min({{'r': r, 'v': {other}}}, r) FILTER (WHERE {other} IS NOT NULL)"
    elif cell.parse and first["other"].lower() in ("true", "false"):
        asked["truths"] = f"count(*) FILTER (WHERE lower({other}) IN ('true', 'false'))"
    elif cell.parse and TIME.fullmatch(first["other"]):
        asked["times"] = f"count(t{cell.i})"
    return asked


def _stripped(raw: str) -> str:
    """SQL for a text without blanks at its ends; trimming is slow, so only what may need it is trimmed."""
    text = f"CAST({raw} AS VARCHAR)"
    blank = f"left({text}, 1) <= ' ' OR right({text}, 1) <= ' '"
    return f"CASE WHEN {blank} THEN trim({text}, {literal(BLANKS)}) ELSE {text} END"


def _stored(column: Column, sql: str) -> str:
    """With the mark of the missing values: NaN among numbers, -1 among codes."""
    if column.kind.is_number:
        return f"coalesce({sql}, 'nan'::DOUBLE)"
    return f"coalesce({sql}, -1)" if column.kind.has_states else sql
