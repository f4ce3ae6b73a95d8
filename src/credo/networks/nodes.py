"""A variable of a Bayesian network: its states, its parents, and its law given them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.layout import aligned
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import BadProbability, InvalidInput, TooLarge
from credo.networks.factors.contraction import marginal, product
from credo.networks.factors.factor import Factor, as_name, as_variables, cells_of, counted, flat
from credo.networks.readonly import ReadOnly

__all__ = ["MOST_CELLS", "SHOWN_ROWS", "Given", "Node", "as_parents"]

Given = Mapping[str, Iterable[Hashable]] | Iterable["Node"]  # the parents: as nodes, or as names with their states

SUM_TOLERANCE = 1e-8
SHOWN_ROWS = 16
MOST_CELLS = 2**24  # of a table that is written out although it is held in parts: 128 MiB


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Node:
    """P(variable | parents): a row of probabilities for each combination of the parents' states.

    ``probs`` is given nested by parent, the variable itself last; or as a mapping from the parents' states (a tuple of
    them, if there are several) to a row or to ``{state: probability}``. It is held with shape (rows, states), the last
    parent changing fastest.

    A law with many parents may be held in ``parts`` instead (see ``of_parts``); ``probs`` is then written out when it
    is asked for, if it fits. ``factors`` are the tables that are held in either case. ``text`` is shown in the place of
    the table, if there is any.

    >>> rain = Node("rain", ["yes", "no"], [0.2, 0.8])
    >>> Node("coat", ["on", "off"], {"yes": [0.9, 0.1], "no": [0.3, 0.7]}, given=[rain])
    rain  coat=on  coat=off
    yes       0.9       0.1
    no        0.3       0.7
    """

    name: str
    states: States
    parents: Mapping[str, States]
    parts: tuple[Node, ...]
    text: str
    _probs: Floats | None

    def __init__(self, name: str, states: Iterable[Hashable], probs: Any, *, given: Given = (), text: str = "") -> None:
        object.__setattr__(self, "name", as_name("a node", name))
        object.__setattr__(self, "states", as_states(f"states of {name!r}", states))
        parents = ReadOnly(as_parents(given))
        if name in parents:
            raise InvalidInput(f"{name!r} cannot be its own parent")
        object.__setattr__(self, "parents", parents)
        what = f"probs of {name!r}"
        table = flat(what, _unconditional(probs, parents), parents, {name: self.states})
        object.__setattr__(self, "_probs", _rows(what, table.reshape(-1, len(self.states))))
        object.__setattr__(self, "parts", ())
        object.__setattr__(self, "text", text)

    @classmethod
    def event(cls, name: str, p: Any, *, given: Given = ()) -> Node:
        """A variable that is True or False; ``p`` is the probability of True (for each combination of the parents).

        >>> fire = Node.event("fire", 0.01)
        >>> Node.event("alarm", {True: 0.95, False: 0.02}, given=[fire])
        fire   alarm=True  alarm=False
        True         0.95         0.05
        False        0.02         0.98
        """
        parents = as_parents(given)
        chance = checks.floats(f"p of {name!r}", flat(f"p of {name!r}", _unconditional(p, parents), parents, {}))
        return cls(name, (True, False), np.stack([chance, 1 - chance], axis=-1), given=parents)

    @classmethod
    def of_parts(cls, parts: Iterable[Node], *, given: Given, text: str = "") -> Node:
        """A law held as several small tables: their product, the auxiliary variables in it summed out.

        The last part is the node itself. The others are auxiliary variables, whose names start with that of the node
        and a ``·``; each part may depend on those before it and on the parents in ``given``.

        >>> cause = Node.event("cause", 0.5)
        >>> through = Node.event("effect·1", {True: 0.8, False: 0}, given=[cause])
        >>> last = Node.event("effect", {True: 0.5, False: 0}, given=[through])
        >>> Node.of_parts([through, last], given=[cause]).probs
        array([[0.4, 0.6],
               [0. , 1. ]])
        """
        held, parents = tuple(parts), ReadOnly(as_parents(given))
        if not held or not all(isinstance(part, Node) and not part.parts for part in held):
            raise InvalidInput(f"parts must be nodes, each with a table; got {checks.shown(held)}")
        last, known = held[-1], dict(parents)
        for part in held:
            for name, states in part.parents.items():
                if known.get(checks.known(f"parent of the part {part.name!r}", name, known)) != states:
                    raise InvalidInput(f"the part {part.name!r} expects other states of {name!r} than it has")
            if part.name in known or (part is not last and not part.name.startswith(f"{last.name}·")):
                raise InvalidInput(f"the name of a part must be new and start with '{last.name}·'; got {part.name!r}")
            known[part.name] = part.states
        shown = text or f"{last.name} given {', '.join(parents)}: held in {len(held)} parts"
        node = cls.__new__(cls)
        fields = {"name": last.name, "states": last.states, "parents": parents, "parts": held, "text": shown}
        for field, value in {**fields, "_probs": None}.items():
            object.__setattr__(node, field, value)
        return node

    @property
    def probs(self) -> Floats:
        """The whole table, with shape (rows, states), the last parent changing fastest."""
        if self._probs is not None:
            return self._probs
        probs = _written_out(self)
        object.__setattr__(self, "_probs", probs)
        return probs

    @property
    def variables(self) -> dict[str, States]:
        """The parents and then the variable itself, each with its states: the axes of its table."""
        return {**self.parents, self.name: self.states}

    @property
    def factor(self) -> Factor:
        """The table as a factor over the parents and the variable."""
        return Factor(self.variables, self.probs.ravel())

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The tables that are held; their product, all but the ``variables`` summed out, is ``factor``."""
        return tuple(part.factor for part in self.parts) or (self.factor,)

    @property
    def tables(self) -> list[tuple[Mapping[str, States], Floats]]:
        """The axes of each table that is held, and its cells in one row."""
        return [(part.variables, part.probs.ravel()) for part in self.parts or (self,)]

    @property
    def cells(self) -> int:
        """How many numbers are held."""
        return sum(cells_of(part.variables) for part in self.parts) or cells_of(self.variables)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        same = (self.name, self.states, list(self.parents.items())) == (
            other.name,
            other.states,
            list(other.parents.items()),
        )
        if not same or self.parts or other.parts:
            return same and self.parts == other.parts
        return np.array_equal(self.probs, other.probs)

    def __hash__(self) -> int:
        return hash((self.name, self.states, tuple(self.parents)))

    def __repr__(self) -> str:
        if self.text:
            return self.text
        lines = [[*self.parents, *(f"{self.name}={state}" for state in self.states)]]
        sizes = [len(states) for states in self.parents.values()]
        for row, probs in enumerate(self.probs[:SHOWN_ROWS].tolist()):
            label = []
            for size, states in zip(reversed(sizes), reversed(list(self.parents.values())), strict=True):
                row, code = divmod(row, size)
                label.append(str(states[code]))
            lines.append([*reversed(label), *(f"{p:.4g}" for p in probs)])
        more = len(self.probs) - SHOWN_ROWS
        right = [False] * len(sizes) + [True] * len(self.states)
        return aligned(lines, right=right) + (f"\n… and {more:,} more rows" if more > 0 else "")


def as_parents(given: Given) -> dict[str, States]:
    """The parents' names, each with its states."""
    if isinstance(given, Mapping):
        return as_variables("given", given)
    if isinstance(given, (str, Node)):
        raise InvalidInput(f"given must be a list of nodes, or names with their states; got {checks.shown(given)}")
    nodes = list(given)
    if not all(isinstance(node, Node) for node in nodes):
        raise InvalidInput(f"given must be a list of nodes, or names with their states; got {checks.shown(nodes)}")
    names = checks.unique("the parents in given", [node.name for node in nodes])
    return dict(zip(names, (node.states for node in nodes), strict=True))


def _unconditional(probs: Any, parents: Mapping[str, States]) -> Any:
    """A node without parents may be given as one mapping from state to probability."""
    return {(): probs} if isinstance(probs, Mapping) and not parents and () not in probs else probs


def _written_out(node: Node) -> Floats:
    """The table of a node that is held in parts; each auxiliary variable is summed out after its last part."""
    cells = cells_of(node.variables)
    if cells > MOST_CELLS:
        raise TooLarge(
            f"the whole table of {node.name!r} has {counted(cells)}, more than {MOST_CELLS:,}; use its parts, "
            f"{node.cells:,} cells in all"
        )
    used = {name for part in node.parts for name in part.parents}
    table = product(
        Factor({name: states}, np.ones(len(states))) for name, states in node.parents.items() if name not in used
    )
    for i, part in enumerate(node.parts):
        table = product([table, part.factor])
        needed = {*node.variables, *(name for later in node.parts[i + 1 :] for name in later.parents)}
        table = marginal(table, [name for name in table.variables if name in needed])
    probs = marginal(table, node.variables).values.reshape(-1, len(node.states))
    probs.flags.writeable = False
    return probs


def _rows(what: str, table: ArrayLike) -> Floats:
    """Rows that each sum to one; the first that does not is named."""
    rows = checks.floats(what, table)
    if rows.size and rows.min() < 0:
        raise BadProbability(f"{what} must lie between 0 and 1; got {rows.min():g}")
    totals = rows.sum(axis=1)
    off = np.abs(totals - 1)
    if (off > SUM_TOLERANCE).any():
        row = int(off.argmax())
        raise BadProbability(
            f"{what} must sum to 1; row {row} sums to {totals[row]:.10g}. Divide by the sum if that is meant"
        )
    # What sums to one as nearly as rounding allows is left alone, so that a table written and read stays the same.
    if (off > len(rows[0]) * np.finfo(np.float64).eps).any():
        rows = np.divide(rows, totals[:, np.newaxis])
    rows.flags.writeable = False
    return rows
