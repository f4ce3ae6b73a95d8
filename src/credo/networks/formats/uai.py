"""The format of the UAI inference competitions: numbers only; variables and states are called by theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import FormatError
from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors.factor import Factor
from credo.networks.formats.assembly import Draft, assemble
from credo.networks.formats.numbers import complaint, numbers, place
from credo.networks.formats.text import Text
from credo.networks.markov import MarkovNetwork

__all__ = ["evidence", "read", "write"]

COMMENTS = re.compile(r"(?:#|(?<![^\r\n])c(?!\S))[^\r\n]*+")  # lines that begin with a c alone, or from # on
PREAMBLE = re.compile(r"\s*+([A-Za-z]++)(?=\s)", re.ASCII)

#: States of variables that are in no function, all together: nothing else bounds what a file may claim of them.
MOST_IDLE = 2**20


@dataclass(frozen=True, slots=True)
class Numbers:
    """All the numbers of a file, and where they start in it."""

    text: Text
    start: int
    values: Floats

    @classmethod
    def of(cls, text: Text, start: int) -> Numbers:
        """The numbers from ``start`` on; refused if there is anything else."""
        rest = text.content[start:]
        found = numbers([rest])
        if found is None:
            message, at = complaint(rest)
            raise text.fail(message, start + at)
        return cls(text, start, found)

    def fail(self, message: str, index: int) -> FormatError:
        """An error at the number that is ``index``-th."""
        return self.text.fail(message, self.start + place(self.text.content[self.start :], index))

    def counts(self, index: int, count: int, what: str, below: float = np.inf) -> list[int]:
        """``count`` whole numbers from ``index`` on, each less than ``below``."""
        held = self.values[index : index + count]
        if len(held) < count:
            raise self.fail(f"expected {what}; found the end of the file", len(self.values))
        wrong = np.nonzero((held != np.floor(held)) | (held >= min(below, 2**53)))[0]
        if wrong.size:
            limit = f", below {below:,}" if below < np.inf else ""
            raise self.fail(f"expected {what}{limit}; found {held[wrong[0]]:g}", index + int(wrong[0]))
        return [int(value) for value in held.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of a UAI file: its variables, its table, and at which numbers the two begin."""

    scope: Sequence[int]
    index: int
    table: Floats
    start: int


def read(file: str, data: bytes) -> BayesianNetwork | MarkovNetwork:
    """The network in a UAI file, called BAYES (the last variable of each function is the child) or MARKOV.

    >>> read("a.uai", b"MARKOV 2  2 2  1  2 0 1  4  30 5 1 10")
    MarkovNetwork of 2 variables, 1 potential
    """
    text = Text.of(file, data).without(COMMENTS, "#", "c")
    kind = PREAMBLE.match(text.content)
    if not kind or kind[1].upper() not in ("BAYES", "MARKOV"):
        raise text.expected("BAYES or MARKOV", 0)
    held = Numbers.of(text, kind.end())
    (count,) = held.counts(0, 1, "the number of variables")
    sizes = held.counts(1, count, "the number of states of each variable")
    if 0 in sizes:
        raise held.fail("expected at least one state of each variable; found 0", 1 + sizes.index(0))
    functions = _functions(held, sizes)
    variables = _variables(held, sizes, functions)
    if kind[1].upper() == "BAYES":
        return assemble(file, variables, [_draft(held, variables, function) for function in functions])
    names = list(variables)
    scopes = [{names[i]: variables[names[i]] for i in function.scope} for function in functions]
    potentials = [Factor(scope, function.table) for scope, function in zip(scopes, functions, strict=True)]
    return MarkovNetwork(potentials, variables=variables)


def evidence(file: str, data: bytes) -> dict[str, str]:
    """The findings in a UAI evidence file.

    >>> evidence("a.evid", b"1 2 0 1 7 0")
    {'0': '1', '7': '0'}
    """
    held = Numbers.of(Text.of(file, data).without(COMMENTS, "#", "c"), 0)
    whole = held.counts(0, len(held.values), "whole numbers")
    # Older files begin with the number of samples, and then as many lines; the parity tells them apart.
    start = 1 if whole and len(whole) % 2 == 0 else 0
    if start and whole[0] != 1:
        raise held.fail(f"expected one set of findings; found {whole[0]:,}", 0)
    if len(whole) <= start or len(whole) != start + 1 + 2 * whole[start]:
        raise held.fail("expected the number of findings, and then a variable and a state for each", start)
    names = [str(each) for each in whole[start + 1 :: 2]]
    if len(set(names)) != len(names):
        raise held.fail("a variable is observed twice", start)
    return dict(zip(names, (str(each) for each in whole[start + 2 :: 2]), strict=True))


def _functions(held: Numbers, sizes: Sequence[int]) -> list[Function]:
    """The scopes, which stand together, each with its table; nothing is made that the file has no numbers for."""
    (number,) = held.counts(1 + len(sizes), 1, "the number of functions")
    index = 2 + len(sizes)
    scopes: list[tuple[int, list[int]]] = []
    for _ in range(number):
        (length,) = held.counts(index, 1, "the number of variables of a function")
        scope = held.counts(index + 1, length, "the variables of a function", len(sizes))
        if len(set(scope)) != len(scope):
            raise held.fail("the variables of a function must all differ", index)
        scopes.append((index, scope))
        index += 1 + length
    functions = []
    for start, scope in scopes:
        (claimed,) = held.counts(index, 1, "the number of cells of a table")
        cells = 1
        for each in scope:
            cells = min(cells * sizes[each], len(held.values) + 1)
        if cells != claimed:
            limit = "more than the file has" if cells > len(held.values) else f"{cells:,}"
            raise held.fail(f"expected the number of cells of a table, {limit}; found {claimed:,}", index)
        table = held.values[index + 1 : index + 1 + cells]
        if len(table) < cells:
            raise held.fail(f"expected {cells:,} numbers of a table; found {len(table):,}", len(held.values))
        functions.append(Function(scope, start, table, index + 1))
        index += 1 + cells
    if index != len(held.values):
        raise held.fail("expected the end of the file after the last table", index)
    return functions


def _variables(held: Numbers, sizes: Sequence[int], functions: Sequence[Function]) -> dict[str, States]:
    """The names of the states; refused before they are made where a variable in no function claims too many."""
    used = {each for function in functions for each in function.scope}
    named: dict[int, States] = {}
    idle = 0
    for i, size in enumerate(sizes):
        idle += 0 if i in used else size
        if idle > MOST_IDLE:
            raise held.fail(f"variable {i} cannot have {size:,} states: no function is of it", 1 + i)
        if size not in named:
            named[size] = tuple(map(str, range(size)))
    return {str(i): named[size] for i, size in enumerate(sizes)}


def _draft(held: Numbers, variables: Mapping[str, States], function: Function) -> Draft:
    if not function.scope:
        raise held.fail("expected the child of this function; it has no variables", function.index)
    *parents, name = (str(each) for each in function.scope)
    width = len(variables[name])

    def refuse(message: str, row: int | None) -> FormatError:
        return held.fail(message, function.index if row is None else function.start + row * width)

    return Draft(name, parents, function.table.reshape(-1, width), refuse)


def write(network: BayesianNetwork | MarkovNetwork) -> str:
    """A network as UAI: variables and states in their order, without their names.

    >>> print(write(MarkovNetwork([Factor({"A": ("a0", "a1"), "B": ("b0", "b1")}, [[30, 5], [1, 10]])])))
    MARKOV
    2
    2 2
    1
    2 0 1
    <BLANKLINE>
    4
     30.0 5.0
     1.0 10.0
    <BLANKLINE>
    """
    tables: list[tuple[Sequence[str], Floats]]
    if isinstance(network, BayesianNetwork):
        kind, tables = "BAYES", [(tuple(node.variables), node.probs) for node in network.nodes.values()]
    else:
        kind, tables = "MARKOV", [(each.names, each.values) for each in network.potentials]
    index = {name: i for i, name in enumerate(network.variables)}
    sizes = " ".join(str(len(states)) for states in network.variables.values())
    lines = [kind, str(len(index)), sizes, str(len(tables))]
    lines += [" ".join(map(str, [len(scope), *(index[name] for name in scope)])) for scope, _ in tables]
    for scope, values in tables:
        rows = values.reshape(-1, len(network.variables[scope[-1]])) if scope else values.reshape(1, 1)
        lines += ["", str(values.size), *(" " + " ".join(map(repr, row)) for row in rows.tolist())]
    return "\n".join(lines) + "\n"
