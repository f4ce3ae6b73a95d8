"""Complete rows of data under a Bayesian network: their states as codes, and the log of their probability."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.networks.nodes import Node
from credo.tables.build import Parts
from credo.tables.memory import Memory
from credo.tables.schema import Column, Kind, Schema, label
from credo.tables.table import Table

__all__ = ["CHUNK", "Codes", "Law", "as_rows", "as_schema", "found_codes", "log_prob", "place"]

#: For each variable the position of its state, in each row.
Codes = Mapping[str, NDArray[np.integer[Any]]]

#: How many rows are worked on at a time, so that what is made on the way stays in the cache.
CHUNK = 2**15


def log_prob(nodes: Mapping[str, Node], rows: Any) -> Floats:
    """Log of the probability of each row under the product of the laws of all ``nodes``."""
    variables = {name: node.states for name, node in nodes.items()}
    table = _as_table(variables, rows)
    laws = [Law(node) for node in nodes.values()]
    total = np.zeros(len(table))
    start = 0
    for part in table.batches(CHUNK):
        codes = {name: _codes(part, name, states, start) for name, states in variables.items()}
        for law in laws:
            total[start : start + len(part)] += law.log_probs(codes)
        start += len(part)
    return total


def found_codes(variables: Mapping[str, States], rows: Any) -> NDArray[np.int32]:
    """The positions of the states in each row, a column for each variable; -1 where a cell is missing.

    >>> found_codes({"rain": ("yes", "no")}, {"rain": ["no", None]})
    array([[ 1],
           [-1]], dtype=int32)
    """
    table = _as_table(variables, rows)
    codes = np.empty((len(table), len(variables)), dtype=np.int32)
    for column, (name, states) in enumerate(variables.items()):
        codes[:, column] = _codes(table, name, states, 0, gaps=True)
    return codes


def place(variables: Mapping[str, States], codes: Codes) -> NDArray[np.intp]:
    """Which cell of a table over ``variables``, held in one row, each row is about."""
    where = np.zeros((), dtype=np.intp)
    for name, states in variables.items():
        where = where * len(states) + codes[name]
    return where


class Law:
    """The law of a node, prepared to be looked up row by row.

    >>> law = Law(Node("coat", ["on", "off"], [[0.9, 0.1], [0.3, 0.7]], given={"rain": ("yes", "no")}))
    >>> np.exp(law.log_probs({"rain": np.array([0, 1]), "coat": np.array([0, 1])})).round(4)
    array([0.9, 0.7])
    """

    def __init__(self, node: Node) -> None:
        with np.errstate(divide="ignore"):
            self._logs = None if node.parts else np.log(node.probs.ravel())
        self._variables = node.variables
        self._parts = list(_parts(node))

    def log_probs(self, codes: Codes) -> Floats:
        """Log of P(own state | parents' states) in each row."""
        if self._logs is not None:
            logs: Floats = self._logs[place(self._variables, codes)]
            return logs
        # How likely the auxiliary variables that are still needed have each state: an axis for each after the rows'.
        weights: Floats = np.ones(len(codes[next(reversed(self._variables))]))
        for part in self._parts:
            seen = np.broadcast_to(place(part.seen, codes), len(weights))
            weights = np.einsum(part.formula, weights, part.table[seen])
        with np.errstate(divide="ignore"):
            np.log(weights, out=weights)
        return weights


class _Part(NamedTuple):
    """A part of a law: a table with a row for each combination of the states that can be seen in the data."""

    seen: Mapping[str, States]
    table: Floats
    formula: str  # how it is multiplied with what there is so far, and what is summed out then


def _parts(node: Node) -> Iterator[_Part]:
    auxiliary = {part.name for part in node.parts[:-1]}
    before: list[str] = []
    for i, part in enumerate(node.parts):
        names = list(part.variables)
        seen, hidden = [n for n in names if n not in auxiliary], [n for n in names if n in auxiliary]
        turned = part.factor.array.transpose([names.index(name) for name in (*seen, *hidden)])
        table = turned.reshape(-1, *(len(part.variables[name]) for name in hidden))
        needed = {name for later in node.parts[i + 1 :] for name in later.parents}
        both = list(dict.fromkeys([*before, *hidden]))
        after = [name for name in both if name in needed]
        letter = dict(zip(both, string.ascii_letters, strict=False))
        axes = ["".join(letter[name] for name in each) for each in (before, hidden, after)]
        yield _Part({n: part.variables[n] for n in seen}, table, "...{},...{}->...{}".format(*axes))
        before = after


def as_schema(variables: Mapping[str, States]) -> Schema:
    """The columns of rows about these variables: categories, their states in the order of the network."""
    columns = []
    for name, states in variables.items():
        plain = tuple(state for state in states if isinstance(state, (str, int, float)))
        if len(plain) < len(states):
            raise InvalidInput(f"a table has texts and numbers as states, not {checks.shown(states)} as {name!r} has")
        columns.append(Column(name, Kind.CATEGORY, plain, "a variable of a network"))
    return Schema(tuple(columns), missing=())


def as_rows(variables: Mapping[str, States], codes: Mapping[str, NDArray[np.int32]], n: int) -> Table:
    """A table of ``n`` rows of these codes, its columns categories with the states of the variables."""
    return Table.of(Parts(as_schema(variables), Memory(n, dict(codes))))


def _as_table(variables: Mapping[str, States], rows: Any) -> Table:
    """``rows`` as a table in which every variable has a column."""
    if isinstance(rows, Table):
        columns = rows.columns
        for name in variables:
            checks.known("column", name, columns)
        return rows
    if isinstance(rows, (list, tuple)) and rows and all(isinstance(row, Mapping) for row in rows):
        rows = {name: [_said(row, name, i) for i, row in enumerate(rows)] for name in variables}
    return as_schema(variables).apply(rows, unseen="refuse")


def _said(row: Mapping[str, Any], name: str, which: int) -> Any:
    if name not in row:
        raise InvalidInput(f"row {which + 1} says nothing about {name!r}.{checks.nearest(name, row)}")
    return row[name]


def _codes(table: Table, name: str, states: States, start: int, *, gaps: bool = False) -> NDArray[np.integer[Any]]:
    """The positions of a column's values among ``states``; ``start`` is the number of the first row.

    A missing cell is refused, or with ``gaps`` has the code -1.
    """
    found: Sequence[Any]
    where: NDArray[np.integer[Any]]
    if table.kind(name).has_states:
        found, where = table.states(name), table.codes(name)
    else:
        present = ~table.missing(name)
        distinct, inverse = np.unique(table[name][present], return_inverse=True)
        found = distinct.tolist()
        where = np.full(len(table), -1)
        where[present] = inverse
    if tuple(found) != states:
        known = {label(state): code for code, state in enumerate(states)}
        where = np.array([*(known.get(label(state), -2 - i) for i, state in enumerate(found)), -1])[where]
    refused = where < (-1 if gaps else 0)
    if refused.any():
        row = int(refused.argmax())
        place, code = f"row {start + row + 1}, column {name!r}", where[row]
        if code == -1:
            raise InvalidInput(f"{place}: nothing is said; every row must be complete")
        state = found[-2 - code]
        raise InvalidInput(f"{place}: {checks.shown(state)} is not a state of {name!r}.{checks.nearest(state, states)}")
    return where
