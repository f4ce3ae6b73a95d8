"""The Bayesian interchange format, BIF: blocks for variables and for their tables, in text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from credo.beliefs.states import States
from credo.checks import Floats, nearest, shown
from credo.errors import FormatError
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.assembly import Draft, Expanding, assemble, rows_of
from credo.networks.formats.numbers import complaint, numbers
from credo.networks.formats.text import C_COMMENTS, QUOTED, Text, words

__all__ = ["read"]

# Each pattern takes a whole block or statement; its quantifiers are possessive, so none looks at a character twice.
INSIDE = rf'[^{{}}"]*+(?:{QUOTED}[^{{}}"]*+)*+'
BLOCK = re.compile(
    rf"[\s;]*+\b(network|variable|probability)\b({INSIDE})\{{({INSIDE}(?:\{{{INSIDE}\}}{INSIDE})*+)\}}", re.ASCII
)
PROPERTY = rf'property\b[^;"]*+(?:{QUOTED}[^;"]*+)*+;'
VARIABLE = re.compile(
    rf"(?:\s*+{PROPERTY})*+\s*+type\s++discrete\s*+(?:\[\s*+([0-9]++)\s*+\]\s*+)?+"
    rf"\{{({INSIDE})\}}[\s;]*+(?:{PROPERTY}[\s;]*+)*+",
    re.ASCII,
)
IN_PARENTHESES = rf'[^()"]*+(?:{QUOTED}[^()"]*+)*+'
SCOPE = re.compile(rf'\s*+\(([^()|"]*+(?:{QUOTED}[^()|"]*+)*+)(?:\|({IN_PARENTHESES}))?+\)\s*+', re.ASCII)
STATEMENT = re.compile(rf'\s*+(?:{PROPERTY}|(?:(table|default)\b|\(({IN_PARENTHESES})\))([^;"]*+);)', re.ASCII)

#: So many statements are looked at together.
CHUNK = 2**15

Match = re.Match[str]


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in a BIF file.

    >>> read("a.bif", b"variable coin {type discrete[2] {heads, tails};} probability (coin) {table .5 .5;}").variables
    {'coin': ('heads', 'tails')}
    """
    text = Text.of(file, data).without(C_COMMENTS)
    variables: dict[str, States] = {}
    tables, name = [], ""
    for block in _blocks(text):
        if block[1] == "variable":
            each, states = _variable(text, block)
            if each in variables:
                raise text.fail(f"this is a second variable called {shown(each)}", block.start(1))
            variables[each] = states
        elif block[1] == "probability":
            tables.append(block)
        else:
            name = " ".join(words(block[2], 1))
            name = "" if block[2].strip() == "unknown" else name
    expanding = Expanding()
    return assemble(file, variables, (_draft(text, variables, block, expanding) for block in tables), name=name)


def _blocks(text: Text) -> Iterator[Match]:
    at = 0
    while block := BLOCK.match(text.content, at):
        yield block
        at = block.end()
    if text.content[at:].strip(" \t\r\n;"):
        raise text.expected("a whole block: `network`, `variable` or `probability`, { … }", at)


def _variable(text: Text, block: Match) -> tuple[str, States]:
    found = VARIABLE.fullmatch(text.content, *block.span(3))
    if not found:
        raise text.expected("`type discrete [ number ] { states };` and properties only", block.start(3))
    names = words(block[2], 1)
    if len(names) != 1 or not names[0]:
        raise text.fail(f"expected a name; found {shown(block[2].strip())}", block.start(1))
    claimed = found[1]
    states = words(found[2], int(claimed) if claimed and len(claimed) < 10 else 0)
    if not states or (claimed and claimed.lstrip("0") != str(len(states))):
        raise text.fail(f"expected {claimed or 'some'} states; found {len(states)}", found.start(2))
    if len(set(states)) != len(states):
        raise text.fail(f"the states of {shown(names[0])} must all differ", found.start(2))
    return names[0], tuple(states)


# -- tables


@dataclass(frozen=True, slots=True)
class Table:
    """A `probability` block: where it stands, and what it is about."""

    text: Text
    block: Match
    name: str
    states: States
    parents: Mapping[str, States]

    def refuse(self, message: str, row: int | None) -> FormatError:
        """An error at one row of the table, or at the table."""
        at = self.block.start(1)
        if row is not None:
            given = (each for each in self.statements() if each[1] != "default" or not self.parents)
            at = next((each.start(2) for each in given if each[2] is None or self.places([each])[0] == row), at)
        return self.text.fail(message, at)

    def statements(self) -> Iterator[Match]:
        """Each row, `table` or `default`; refused if there is anything else but properties."""
        start, end = self.block.span(3)
        for found in STATEMENT.finditer(self.text.content, start, end):
            if found.start() != start:
                break
            start = found.end()
            if found[3] is not None:
                yield found
        if self.text.content[start:end].strip():
            raise self.text.expected("`table numbers;`, `(states) numbers;` or `default numbers;`", start)

    def numbers(self, statements: Sequence[Match], width: int) -> Floats:
        """The numbers of some statements, ``width`` in each."""
        found = numbers([each[3] for each in statements], width)
        if found is not None:
            return found
        wrong, at = next((wrong, each.start(3)) for each in statements if (wrong := complaint(each[3], width)))
        raise self.text.fail(wrong[0], at + wrong[1])

    def places(self, rows: Sequence[Match]) -> NDArray[np.int64]:
        """At which row of the table each row in the file belongs."""
        count = len(self.parents)
        held = _columns(";".join([row[2] for row in rows]) + ";", count)
        try:
            if held is not None:
                places = np.zeros(len(rows), dtype=np.int64)
                for i, states in enumerate(self.parents.values()):
                    codes = dict(zip(states, range(len(states)), strict=True))
                    places *= len(states)
                    places += np.fromiter(map(codes.__getitem__, held[i::count]), np.int64, len(rows))
                return places
        except KeyError:
            pass
        return np.array([self.place(row) for row in rows], dtype=np.int64)

    def place(self, row: Match) -> int:
        """At which row of the table one row in the file belongs."""
        held, place = words(row[2], len(self.parents)), 0
        if len(held) != len(self.parents):
            raise self.text.fail(
                f"expected a state of each of {len(self.parents)} parents; found {len(held)}", row.start(2)
            )
        for state, (parent, states) in zip(held, self.parents.items(), strict=True):
            if state not in states:
                hint = nearest(state, states)
                raise self.text.fail(f"{shown(parent)} has no state {shown(state)}.{hint}", row.start(2))
            place = place * len(states) + states.index(state)
        return place


@functools.lru_cache(maxsize=64)
def _keys(count: int) -> re.Pattern[str]:
    return re.compile(rf'(?:(?:[\s,]*+(?:{QUOTED}|[^\s,;"]++)){{{count}}}+[\s,]*+;)*+', re.ASCII)


def _columns(keys: str, count: int) -> list[str] | None:
    """The names in rows of ``count`` each, which are closed by semicolons; None if some row has another number."""
    return words(keys.replace(";", " "), 0) if '"' not in keys and _keys(count).fullmatch(keys) else None


def _draft(text: Text, variables: Mapping[str, States], block: Match, expanding: Expanding) -> Draft:
    scope = SCOPE.fullmatch(block[2])
    if not scope:
        raise text.expected("`( variable | parents )`", block.end(1))
    name, *parents = [*words(scope[1], 0), *words(scope[2] or "", 0)] or [""]
    rows = rows_of(variables, name, parents, lambda message, _: text.fail(message, block.start(1)))
    table = Table(text, block, name, variables[name], {parent: variables[parent] for parent in parents})
    return Draft(name, parents, _filled(table, rows, expanding), table.refuse)


def _filled(table: Table, rows: int, expanding: Expanding) -> Floats:
    width, statements = len(table.states), table.statements()
    places, cells = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    single: dict[str, Match] = {}
    while chunk := list(islice(statements, CHUNK)):
        given = [each for each in chunk if each[1] is None]
        if given:
            places.append(table.places(given))
            cells.append(table.numbers(given, width))
        for each in chunk:
            if each[1] and single.setdefault(each[1], each) is not each:
                raise table.text.fail(f"this is a second `{each[1]}`", each.start(1))
    place, held = np.concatenate(places), np.concatenate(cells).reshape(-1, width)
    if "table" in single:
        if len(place):
            raise table.refuse("expected a `table` or rows, not both", None)
        # In a whole table the variable itself changes slowest.
        return table.numbers([single["table"]], rows * width).reshape(width, rows).T.copy()
    order = np.argsort(place, kind="stable")
    twice = np.nonzero(np.diff(place[order]) == 0)[0]
    if twice.size:
        raise table.refuse("this row is given twice", int(place[order[twice[0]]]))
    if len(place) == rows:
        return held[order]
    if "default" not in single:
        raise table.refuse(
            f"expected {rows:,} rows, one for each combination of the parents; found {len(place):,}", None
        )
    if len(place) + 1 < rows:
        expanding.allow(rows * width, table.refuse)
    filled = np.tile(table.numbers([single["default"]], width), (rows, 1))
    filled[place] = held
    return filled
