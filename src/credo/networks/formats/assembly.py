"""From what a file says to a network: every name known, every table of the right size, every row summing to one."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from credo import checks
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import CredoWarning, FormatError, InvalidInput, TooLarge
from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors.factor import MOST_CELLS
from credo.networks.formats.numbers import complaint, numbers, place
from credo.networks.nodes import Node

__all__ = [
    "DECISIONS",
    "Draft",
    "Expanding",
    "Fail",
    "Refuse",
    "add",
    "assemble",
    "bayesian",
    "certain",
    "hint",
    "labels",
    "listed",
    "rows_of",
]

#: Makes an error of a message and of the row of the table that is wrong, or None for the table as a whole.
Refuse = Callable[[str, int | None], FormatError]

#: Makes an error of a message and of a place in the text of a table.
Fail = Callable[[str, int], FormatError]

DECISIONS = "decision networks, with decisions or utilities, are not read yet"

#: A row whose sum is off by more than SAID is normalised and said; by more than WRONG, it is a mistake.
SAID, WRONG = 1e-8, 1e-2
MOST_HINTS, LONGEST_HINT = 2000, 60


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The table of one variable as a file gives it: ``rows`` by the parents' states, the last changing fastest."""

    name: str
    parents: Sequence[str]
    rows: Floats
    refuse: Refuse
    text: str = ""


def rows_of(variables: Mapping[str, States], name: str, parents: Sequence[str], refuse: Refuse) -> int:
    """How many rows the table of a variable has; refused unless every name is known and stands once."""
    for each in (name, *parents):
        if each not in variables:
            raise refuse(f"there is no variable {checks.shown(each)}.{hint(each, variables)}", None)
    if len({name, *parents}) != 1 + len(parents):
        raise refuse(f"the variables of a table must all differ; got {checks.shown([name, *parents])}", None)
    rows = 1
    for parent in parents:
        rows *= len(variables[parent])
        if rows * len(variables[name]) > MOST_CELLS:
            message = f"the table of {checks.shown(name)} would have more than {MOST_CELLS:,} cells. Remove parents"
            raise TooLarge(str(refuse(message, None)))
    return rows


def hint(name: str, names: Collection[Hashable]) -> str:
    """A hint at the name that was meant, unless looking for it would take long.

    >>> hint("rian", ["rain"])
    " Did you mean 'rain'?"
    """
    few = [str(each) for each in islice(names, MOST_HINTS) if len(str(each)) <= LONGEST_HINT]
    return checks.nearest(name, few) if len(name) <= LONGEST_HINT and len(few) == len(names) else ""


class Expanding:
    """Keeps the tables that a file gives in fewer numbers than they hold from outgrowing the memory together."""

    def __init__(self) -> None:
        self.cells = 0

    def allow(self, cells: int, refuse: Refuse) -> None:
        """Count the cells of another such table; refused if the file then has too many."""
        self.cells += cells
        if self.cells > MOST_CELLS:
            message = f"with this one, the tables that are given in short have more than {MOST_CELLS:,} cells"
            raise TooLarge(str(refuse(message, None)))


def add(variables: dict[str, States], name: str, states: Sequence[str], fail: Callable[[str], FormatError]) -> None:
    """Put another variable among ``variables``."""
    if not name:
        raise fail("expected the name of a variable; it has none")
    if name in variables:
        raise fail(f"this is a second variable called {checks.shown(name)}")
    if not states:
        raise fail(f"expected the states of {checks.shown(name)}; it has none")
    if len(set(states)) != len(states):
        raise fail(f"the states of {checks.shown(name)} must all differ")
    variables[name] = tuple(states)


def listed(variables: Mapping[str, States], name: str, parents: Sequence[str], text: str, fail: Fail) -> Draft:
    """The table in a text that lists its numbers, those of the first row first."""

    def refuse(message: str, row: int | None) -> FormatError:
        return fail(message, 0 if row is None else place(text, row * len(variables[name])))

    cells = rows_of(variables, name, parents, refuse) * len(variables[name])
    found = numbers([text], cells)
    if found is None:
        raise fail(*complaint(text, cells))
    return Draft(name, parents, found.reshape(-1, len(variables[name])), refuse)


def certain(
    variables: Mapping[str, States],
    name: str,
    parents: Sequence[str],
    chosen: Sequence[str],
    refuse: Refuse,
    expanding: Expanding,
) -> Draft:
    """The table of a variable that is a function of its parents: a state for each row."""
    rows, states = rows_of(variables, name, parents, refuse), variables[name]
    if len(chosen) != rows:
        raise refuse(f"expected {rows:,} states, one for each row; found {len(chosen):,}", None)
    expanding.allow(rows * len(states), refuse)
    codes = {state: code for code, state in enumerate(states)}
    table = np.zeros((rows, len(states)))
    for row, state in enumerate(chosen):
        if state not in codes:
            raise refuse(f"{checks.shown(name)} has no state {checks.shown(state)}.{hint(state, states)}", row)
        table[row, codes[state]] = 1
    return Draft(name, parents, table, refuse)


def assemble(
    file: str,
    variables: Mapping[str, States],
    drafts: Iterable[Draft],
    *,
    made: Mapping[str, Node] | None = None,
    name: str = "",
) -> BayesianNetwork:
    """The network of all ``variables``, in their order; says once how many rows had to be normalised.

    Each variable has a draft, or is among the nodes that are ``made`` already.
    """
    nodes = dict(made or {})
    held: dict[str, Draft] = {}
    for draft in drafts:
        if draft.name in held:
            raise draft.refuse(f"this is a second table for {checks.shown(draft.name)}", None)
        held[draft.name] = draft
    bare = [each for each in variables if each not in held and each not in nodes]
    if bare:
        raise FormatError(f"there is no table for {checks.shown(bare[0])}", file=file)
    if not variables:
        raise FormatError("there is no variable in this file", file=file)
    _normalise(file, list(held.values()))
    for each, draft in held.items():
        given = {parent: variables[parent] for parent in draft.parents}
        nodes[each] = Node(each, variables[each], draft.rows, given=given, text=draft.text)
    return BayesianNetwork([nodes[each] for each in variables], name=name)


def _normalise(file: str, drafts: Sequence[Draft]) -> None:
    """Divide rows by their sums, in place, where these are a little off."""
    sums = [draft.rows.sum(axis=1) for draft in drafts]
    off = np.abs(np.concatenate([*sums, [1.0]]) - 1)
    largest = float(off.max())
    if not largest > SAID:
        return
    for draft, totals in zip(drafts, sums, strict=True):
        away = np.abs(totals - 1)
        if not (away <= WRONG).all():
            row = int(away.argmax())
            message = (
                f"expected probabilities of {checks.shown(draft.name)} that sum to 1; they sum to {totals[row]:.10g}"
            )
            raise draft.refuse(message, row)
        (some,) = np.nonzero(away > SAID)
        if some.size:
            draft.rows[some] /= totals[some, np.newaxis]
    count = int((off > SAID).sum())
    rows = (
        f"{count:,} rows of probabilities did not sum to 1 and were" if count > 1 else "a row did not sum to 1 and was"
    )
    message = f"{file}: {rows} normalised; the largest deviation is {largest:.2g}"
    warnings.warn(message, CredoWarning, stacklevel=_outside())


def _outside() -> int:
    """How many calls up the caller's own code is: readers call each other."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("credo."):
        frame, level = frame.f_back, level + 1
    return level


# -- what writers share


def bayesian(network: object, what: str) -> BayesianNetwork:
    """``network``, unless it is of the kind that the format does not hold."""
    if not isinstance(network, BayesianNetwork):
        raise InvalidInput(f"{what} holds Bayesian networks only; write a Markov network as UAI or JSON")
    return network


def labels(name: str, states: States) -> list[str]:
    """The states as texts, which must still differ."""
    held = [str(state) for state in states]
    if len(set(held)) != len(held):
        raise InvalidInput(f"the states of {name!r} are not told apart by their texts: {checks.shown(held)}. Use JSON")
    return held
