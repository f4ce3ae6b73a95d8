"""The Bayesian interchange format, BIF: blocks for variables and for their tables, in text."""

from __future__ import annotations

import functools
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from credo.beliefs.states import States
from credo.checks import Floats, shown
from credo.errors import FormatError, InvalidInput
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.assembly import Draft, Expanding, add, assemble, bayesian, hint, labels, rows_of
from credo.networks.formats.numbers import complaint, numbers
from credo.networks.formats.text import C_COMMENTS, QUOTED, Text, words
from credo.networks.markov import MarkovNetwork

__all__ = ["read", "write"]

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
IN_PARENTHESES = rf'[^();"]*+(?:{QUOTED}[^();"]*+)*+'
SCOPE = re.compile(rf'\s*+\(([^()|"]*+(?:{QUOTED}[^()|"]*+)*+)(?:\|({IN_PARENTHESES}))?+\)\s*+', re.ASCII)
STATEMENT = re.compile(rf'\s*+(?:{PROPERTY}|(?:(table|default)\b|\(({IN_PARENTHESES})\))([^;"]*+);)', re.ASCII)

PLAIN = re.compile(r"[^\s,;|=\[\](){}\"]+", re.ASCII)

#: So many statements are looked at together.
CHUNK = 2**15

UNNAMED = "unknown"  # what others call a network without a name

Match = re.Match[str]


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in a BIF file.

    >>> read("a.bif", b"variable coin {type discrete[2] {heads, tails};} probability (coin) {table .5 .5;}").variables
    {'coin': ('heads', 'tails')}
    """
    text = Text.of(file, data).without(C_COMMENTS, "//", "/*")
    variables: dict[str, States] = {}
    tables, name = [], ""
    for block in _blocks(text):
        if block[1] == "variable":
            add(variables, *_variable(text, block), functools.partial(text.fail, at=block.start(1)))
        elif block[1] == "probability":
            tables.append(block)
        else:
            name = "" if block[2].strip() == UNNAMED else " ".join(words(block[2], 1))
    expanding = Expanding()
    return assemble(file, variables, (_draft(text, variables, block, expanding) for block in tables), name=name)


def _blocks(text: Text) -> Iterator[Match]:
    at = 0
    while block := BLOCK.match(text.content, at):
        yield block
        at = block.end()
    if text.content[at:].strip(" \t\r\n;"):
        raise text.expected("a whole block: `network`, `variable` or `probability`, { … }", at)


def _variable(text: Text, block: Match) -> tuple[str, list[str]]:
    found = VARIABLE.fullmatch(text.content, *block.span(3))
    if not found:
        raise text.expected("`type discrete [ number ] { states };` and properties only", block.start(3))
    names = words(block[2], 1)
    if len(names) != 1:
        raise text.fail(f"expected a name; found {shown(block[2].strip())}", block.start(1))
    claimed = found[1]
    states = words(found[2], int(claimed) if claimed and len(claimed) < 10 else 0)
    if claimed and claimed.lstrip("0") != str(len(states)):
        raise text.fail(f"expected {claimed[:18]} states; found {len(states)}", found.start(2))
    return names[0], states


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
            statements = list(self.statements())
            given = [each for each in statements if each[1] is None]
            found = np.nonzero(self.places(given) == row)[0]
            # What is in no row is in the `table`, or the `default`.
            at = given[found[0]].start(2) if found.size else max(each.start(1) for each in statements)
        return self.text.fail(message, at)

    def statements(self) -> Iterator[Match]:
        """Each row, `table` or `default`; refused if there is anything else but properties."""
        start, end = self.block.span(3)
        while found := STATEMENT.match(self.text.content, start, end):
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
        wrong = ((complaint(each[3], width), each.start(3)) for each in statements)
        (message, at), start = next(found for found in wrong if found[0][0])
        raise self.text.fail(message, start + at)

    def places(self, rows: Sequence[Match]) -> NDArray[np.int64]:
        """At which row of the table each row in the file belongs."""
        codes = [dict(zip(states, range(len(states)), strict=True)) for states in self.parents.values()]
        held = _columns(";".join([row[2] for row in rows]) + ";", len(codes))
        try:
            if held is not None:
                places = np.zeros(len(rows), dtype=np.int64)
                for i, each in enumerate(codes):
                    places *= len(each)
                    places += np.fromiter(map(each.__getitem__, held[i :: len(codes)]), np.int64, len(rows))
                return places
        except KeyError:
            pass
        return np.array([self.place(row, codes) for row in rows], dtype=np.int64)

    def place(self, row: Match, codes: Sequence[Mapping[Hashable, int]]) -> int:
        """At which row of the table one row in the file belongs."""
        held, place = words(row[2], len(codes)), 0
        if len(held) != len(codes):
            message = f"expected a state of each of {len(codes)} parents; found {len(held)}"
            raise self.text.fail(message, row.start(2))
        for state, (parent, states), each in zip(held, self.parents.items(), codes, strict=True):
            if state not in each:
                message = f"{shown(parent)} has no state {shown(state)}.{hint(state, states)}"
                raise self.text.fail(message, row.start(2))
            place = place * len(each) + each[state]
        return place


@functools.lru_cache(maxsize=64)
def _keys(count: int) -> re.Pattern[str]:
    return re.compile(rf"(?:(?:[\s,]*+[^\s,;]++){{{count}}}+[\s,]*+;)*+", re.ASCII)


def _columns(keys: str, count: int) -> list[str] | None:
    """The names in rows of ``count`` each, closed by semicolons; None if some row has another number, or quotes."""
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
        if len(place) or "default" in single:
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


# -- writing


def write(network: BayesianNetwork | MarkovNetwork) -> str:
    """A Bayesian network as BIF; names with blanks or marks in them are quoted.

    >>> from credo.networks import Node
    >>> print(write(BayesianNetwork([Node("coin", ["heads", "not heads"], [0.5, 0.5])])))
    network unknown {
    }
    variable coin {
      type discrete [ 2 ] { heads, "not heads" };
    }
    probability ( coin ) {
      table 0.5, 0.5;
    }
    <BLANKLINE>
    """
    nodes = bayesian(network, "BIF").nodes
    name = f'"{UNNAMED}"' if network.name == UNNAMED else _quoted(network.name or UNNAMED)
    states = {each: [_quoted(state) for state in labels(each, node.states)] for each, node in nodes.items()}
    lines = [f"network {name} {{", "}"]
    for each, held in states.items():
        lines += [f"variable {_quoted(each)} {{", f"  type discrete [ {len(held)} ] {{ {', '.join(held)} }};", "}"]
    for each, node in nodes.items():
        given = f" | {', '.join(map(_quoted, node.parents))}" if node.parents else ""
        lines.append(f"probability ( {_quoted(each)}{given} ) {{")
        keys = product(*(states[parent] for parent in node.parents))
        starts = (f"({', '.join(key)})" for key in keys) if node.parents else ["table"]
        rows = node.probs.tolist()
        lines += [f"  {start} {', '.join(map(repr, row))};" for start, row in zip(starts, rows, strict=True)]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    """A name as it stands in the file: quoted if it would not be one word."""
    if PLAIN.fullmatch(name) and "//" not in name and "/*" not in name:
        return name
    if '"' in name:
        raise InvalidInput(f"BIF cannot hold names with a quotation mark in them; got {shown(name)}. Use JSON")
    return f'"{name}"'
