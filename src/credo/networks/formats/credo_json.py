"""Credo's own JSON: whatever a network holds, exactly; one variable or potential a line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from credo.beliefs.states import States
from credo.checks import Floats, shown
from credo.errors import FormatError, InvalidInput, TooLarge
from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors.factor import Factor
from credo.networks.formats.assembly import Draft, add, assemble, hint, rows_of
from credo.networks.formats.text import Text
from credo.networks.markov import MarkovNetwork
from credo.networks.nodes import Node

__all__ = ["read", "write"]

VERSION = 1
MOST_BYTES = 2**26  # parsed, JSON may take some twenty times as much memory as the file


def read(file: str, data: bytes) -> BayesianNetwork | MarkovNetwork:
    """The network in a JSON file that ``write`` has written.

    >>> coin = '{"name": "coin", "states": ["heads", "tails"], "parents": [], "probs": [0.5, 0.5]}'
    >>> read("a.json", ('{"credo": "network", "version": 1, "nodes": [' + coin + "]}").encode()).variables
    {'coin': ('heads', 'tails')}
    """
    if len(data) > MOST_BYTES:
        raise TooLarge(f"{file}: {len(data):,} bytes of JSON; at most {MOST_BYTES:,} are read. Write it as BIF")
    reader = Reader(file)
    held = reader.parsed(data)
    if held.get("credo") != "network" or held.get("version") != VERSION:
        raise reader.fail(f'expected "credo": "network" and "version": {VERSION}, as Credo writes them')
    name = reader.name(held, "name") if "name" in held else ""
    if "nodes" in held:
        nodes = reader.records(held, "nodes")
        variables = reader.variables(nodes)
        drafts = [reader.draft(node, variables) for node in nodes if "parts" not in node]
        made = {node["name"]: reader.of_parts(node, variables) for node in nodes if "parts" in node}
        return assemble(file, variables, drafts, made=made, name=name)
    variables = reader.variables(reader.records(held, "variables"))
    potentials = [reader.potential(each, variables) for each in reader.records(held, "potentials")]
    return MarkovNetwork(potentials, variables=variables, name=name)


class Reader:
    """Takes apart what a JSON file holds, and trusts none of it."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, message: str) -> FormatError:
        """What to raise; JSON does not say where its values stand."""
        return FormatError(message, file=self.file)

    def parsed(self, data: bytes) -> Mapping[str, Any]:
        """The object that the file holds."""
        try:
            held = json.loads(
                Text.of(self.file, data).content, parse_constant=self.constant, object_pairs_hook=self.pairs
            )
        except json.JSONDecodeError as cause:
            raise FormatError(
                f"this is not JSON ({cause.msg})", file=self.file, line=cause.lineno, column=cause.colno
            ) from None
        except RecursionError:
            raise self.fail("expected lists within each other a few deep; these are nested too deeply") from None
        except ValueError as cause:  # a whole number of thousands of digits
            raise cause if isinstance(cause, FormatError) else self.fail(f"a number cannot be read ({cause})") from None
        if not isinstance(held, dict):
            raise self.fail(f"expected an object in braces; found {shown(held)}")
        return held

    def constant(self, name: str) -> None:
        """Refuse NaN and Infinity, which are no JSON."""
        raise self.fail(f"expected numbers that are finite; found {name}")

    def pairs(self, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """An object, unless a name stands in it twice."""
        held = dict(pairs)
        if len(held) != len(pairs):
            raise self.fail(f"a name stands twice in one object: {shown([name for name, _ in pairs])}")
        return held

    def records(self, held: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
        """The list of objects called ``name``."""
        records = held.get(name)
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise self.fail(f"expected {name!r} to be a list of objects; found {shown(records)}")
        return records

    def name(self, record: Mapping[str, Any], name: str) -> str:
        """The text called ``name``."""
        text = record.get(name)
        if not isinstance(text, str):
            raise self.fail(f"expected {name!r} to be a text; found {shown(text)} in {shown(record)}")
        return text

    def names(self, record: Mapping[str, Any], name: str) -> Sequence[str]:
        """The list of texts called ``name``."""
        names = record.get(name)
        if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
            raise self.fail(f"expected {name!r} to be a list of texts; found {shown(names)} in {shown(record)}")
        return names

    def variables(self, records: Iterable[Mapping[str, Any]]) -> dict[str, States]:
        """The variables, each with its states."""
        variables: dict[str, States] = {}
        for record in records:
            states = record.get("states")
            if not isinstance(states, list) or not all(_plain(state) for state in states):
                raise self.fail(f"expected states that are texts, numbers, true, false or null; found {shown(states)}")
            add(variables, self.name(record, "name"), states, self.fail)
        return variables

    def draft(self, node: Mapping[str, Any], variables: Mapping[str, States]) -> Draft:
        """The table of a node."""
        name, parents = self.name(node, "name"), self.names(node, "parents")

        def refuse(message: str, row: int | None) -> FormatError:
            return self.fail(message if row is None else f"row {row} of the table of {name!r}: {message}")

        cells = rows_of(variables, name, parents, refuse) * len(variables[name])
        rows = self.numbers(node, "probs", cells).reshape(-1, len(variables[name]))
        return Draft(name, parents, rows, refuse, self.name(node, "text") if "text" in node else "")

    def of_parts(self, node: Mapping[str, Any], variables: Mapping[str, States]) -> Node:
        """A node whose law is held in parts."""
        records = self.records(node, "parts")
        known = dict(variables)
        for record in records[:-1]:
            known |= self.variables([record])
        drafts = [self.draft(record, known) for record in records]
        parts = [
            Node(draft.name, known[draft.name], draft.rows, given={each: known[each] for each in draft.parents})
            for draft in drafts
        ]
        if not parts or parts[-1].name != node["name"]:
            raise self.fail(f"expected the last part to be the node itself in {shown(node)}")
        unknown = [each for each in self.names(node, "parents") if each not in variables]
        if unknown:
            raise self.fail(f"there is no variable {shown(unknown[0])}.{hint(unknown[0], variables)}")
        given = {each: variables[each] for each in node["parents"]}
        return Node.of_parts(parts, given=given, text=self.name(node, "text"))

    def potential(self, record: Mapping[str, Any], variables: Mapping[str, States]) -> Factor:
        """A potential."""
        scope = self.names(record, "variables")
        if scope:
            rows_of(variables, scope[-1], scope[:-1], lambda message, _: self.fail(message))
        cells = math.prod(len(variables[name]) for name in scope)
        return Factor({name: variables[name] for name in scope}, self.numbers(record, "values", cells))

    def numbers(self, record: Mapping[str, Any], name: str, cells: int) -> Floats:
        """The numbers called ``name``, in one row; they may stand in a list for each row."""
        held = record.get(name)
        if isinstance(held, list) and held and all(isinstance(row, list) for row in held):
            if len({len(row) for row in held}) != 1:
                raise self.fail(f"expected rows of equal length in {name!r}; found {shown(held)}")
            held = list(chain.from_iterable(held))
        if not isinstance(held, list) or not set(map(type, held)) <= {int, float}:
            raise self.fail(f"expected {name!r} to be a list of numbers; found {shown(held)}")
        if len(held) != cells:
            raise self.fail(f"expected {cells:,} numbers in {name!r}; found {len(held):,} in {shown(record)}")
        try:
            found = np.array(held, dtype=np.float64)
        except OverflowError:
            found = np.array([np.inf])
        if not np.isfinite(found).all() or found.min() < 0:
            raise self.fail(f"expected numbers that are finite and not negative in {name!r}; found {shown(held)}")
        return found


def _plain(state: object) -> bool:
    return state is None or isinstance(state, (str, bool, int)) or (isinstance(state, float) and math.isfinite(state))


def write(network: BayesianNetwork | MarkovNetwork) -> str:
    """The network as JSON; its states must be texts, numbers, truth values or None.

    >>> print(write(MarkovNetwork([Factor({"A": (0, 1)}, [3, 1])])))
    {"credo": "network", "version": 1, "name": "",
     "variables": [
      {"name": "A", "states": [0, 1]}
     ],
     "potentials": [
      {"variables": ["A"], "values": [3.0, 1.0]}
     ]}
    <BLANKLINE>
    """
    if isinstance(network, BayesianNetwork):
        records = {"nodes": [_record(node) for node in network.nodes.values()]}
    else:
        records = {
            "variables": [
                {"name": name, "states": _states(name, states)} for name, states in network.variables.items()
            ],
            "potentials": [
                {"variables": list(each.names), "values": each.values.tolist()} for each in network.potentials
            ],
        }
    head = json.dumps({"credo": "network", "version": VERSION, "name": network.name}, ensure_ascii=False)
    parts = [
        f' "{name}": [\n' + ",\n".join(f"  {json.dumps(record, ensure_ascii=False)}" for record in held) + "\n ]"
        for name, held in records.items()
    ]
    text = ",\n".join([head[:-1], *parts]) + "}\n"
    if len(text) > MOST_BYTES // 4:  # a character may take four bytes
        raise TooLarge(f"{len(text):,} characters of JSON; at most {MOST_BYTES // 4:,} are written. Write it as BIF")
    return text


def _record(node: Node) -> dict[str, Any]:
    record = {"name": node.name, "states": _states(node.name, node.states), "parents": list(node.parents)}
    if node.text:
        record["text"] = node.text
    if node.parts:
        return record | {"parts": [_record(part) for part in node.parts]}
    return record | {"probs": node.probs.tolist()}


def _states(name: str, states: States) -> list[object]:
    held = [state.item() if isinstance(state, np.generic) else state for state in states]
    for state in held:
        if not _plain(state):
            raise InvalidInput(
                f"JSON holds states that are texts, numbers, truth values or None; {name!r} has {shown(state)}"
            )
    return held
