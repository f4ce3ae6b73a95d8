"""From what a file says to a network: every name known, every table of the right size, every row summing to one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from credo import checks
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import CredoWarning, FormatError, InvalidInput, TooLarge
from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors.factor import MOST_CELLS
from credo.networks.nodes import Node

__all__ = ["Draft", "Expanding", "Refuse", "assemble", "rows_of"]

#: Makes an error of a message and of the row of the table that is wrong, or None for the table as a whole.
Refuse = Callable[[str, int | None], FormatError]

#: A row whose sum is off by more than SAID is normalised and said; by more than WRONG, it is a mistake.
SAID, WRONG = 1e-8, 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """The table of one variable as a file gives it: ``rows`` by the parents' states, the last changing fastest."""

    name: str
    parents: Sequence[str]
    rows: Floats
    refuse: Refuse


def rows_of(variables: Mapping[str, States], name: str, parents: Sequence[str], refuse: Refuse) -> int:
    """How many rows the table of a variable has; refused unless every name is known and stands once."""
    for each in (name, *parents):
        if each not in variables:
            raise refuse(f"there is no variable {checks.shown(each)}.{checks.nearest(each, variables)}", None)
    if len({name, *parents}) != 1 + len(parents):
        raise refuse(f"the variables of a table must all differ; got {checks.shown([name, *parents])}", None)
    rows = 1
    for parent in parents:
        rows *= len(variables[parent])
        if rows * len(variables[name]) > MOST_CELLS:
            message = f"the table of {checks.shown(name)} would have more than {MOST_CELLS:,} cells. Remove parents"
            raise TooLarge(str(refuse(message, None)))
    return rows


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


def assemble(file: str, variables: Mapping[str, States], drafts: Iterable[Draft], *, name: str = "") -> BayesianNetwork:
    """The network of all ``variables``, in their order; says once how many rows had to be normalised."""
    held: dict[str, Draft] = {}
    for draft in drafts:
        if draft.name in held:
            raise draft.refuse(f"this is a second table for {draft.name!r}", None)
        held[draft.name] = draft
    bare = [each for each in variables if each not in held]
    if bare:
        raise FormatError(f"there is no table for {checks.shown(bare[0])}", file=file)
    if not held:
        raise FormatError("there is no variable in this file", file=file)
    _normalise(file, list(held.values()))
    try:
        nodes = []
        for each, states in variables.items():
            draft = held[each]
            nodes.append(Node(each, states, draft.rows, given={parent: variables[parent] for parent in draft.parents}))
        return BayesianNetwork(nodes, name=name)
    except InvalidInput as cause:
        raise FormatError(str(cause), file=file) from None


def _normalise(file: str, drafts: Sequence[Draft]) -> None:
    """Divide rows by their sums, in place, where these are a little off."""
    sums = [draft.rows.sum(axis=1) for draft in drafts]
    off = np.abs(np.concatenate(sums) - 1)
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
    warnings.warn(message, CredoWarning, stacklevel=5)
