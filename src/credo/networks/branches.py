"""Trees of questions about the parents of a variable, with a row of probabilities below each: tables with contexts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.networks.nodes import Node

__all__ = ["Branch", "read_branch"]


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """The state of ``parent`` decides: ``below`` holds for each of its states a row of probabilities, or a branch."""

    parent: str
    states: States
    below: tuple[Branch | Floats, ...]

    def lines(self, own: States, indent: str = "") -> Iterator[str]:
        """The tree as text, a line for each question and each row; ``own`` are the states of the variable."""
        for state, each in zip(self.states, self.below, strict=True):
            if isinstance(each, Branch):
                yield f"{indent}{self.parent}={state}"
                yield from each.lines(own, indent + "  ")
            else:
                row = ", ".join(f"{label} {p:.4g}" for label, p in zip(own, each, strict=True))
                yield f"{indent}{self.parent}={state}: {row}"

    def table(self, parents: Mapping[str, States], own: States) -> Floats:
        """The whole table, with an axis for each of the parents and one for the states of the variable."""
        probs = np.empty([*map(len, parents.values()), len(own)])
        self._fill(probs, {name: slice(None) for name in parents})
        return probs

    def _fill(self, probs: Floats, where: dict[str, Any]) -> None:
        for code, each in enumerate(self.below):
            here = {**where, self.parent: slice(code, code + 1)}
            if isinstance(each, Branch):
                each._fill(probs, here)
            else:
                probs[tuple(here.values())] = each

    def parts(self, name: str, own: States, names: Iterator[str]) -> Iterator[Node]:
        """Small tables that make up the law of ``name``; ``names`` are those of the auxiliary variables.

        Each branch below is a variable of its own. One after the other is taken over, if the parent has its state.
        """
        k = len(own)
        inner = []
        for code, each in enumerate(self.below):
            if isinstance(each, Branch):
                auxiliary = next(names)
                yield from each.parts(auxiliary, own, names)
                inner.append((code, auxiliary))
        # What a branch will decide is uniform until it does.
        rows = np.array([np.full(k, 1 / k) if isinstance(each, Branch) else each for each in self.below])
        so_far: dict[str, States] = {}
        for i, (code, auxiliary) in enumerate(inner):
            rows = np.repeat(rows[:, np.newaxis], k, axis=1)  # axes: parent, the branch, (what was so far,) variable
            rows[code] = np.eye(k).reshape(k, *[1] * len(so_far), k)
            given = {self.parent: self.states, auxiliary: own, **so_far}
            so_far = {name if i == len(inner) - 1 else next(names): own}
            yield Node(next(iter(so_far)), own, rows, given=given)
            rows = np.broadcast_to(np.eye(k), (len(self.states), k, k))
        if not inner:
            yield Node(name, own, rows, given={self.parent: self.states})


def read_branch(name: str, own: States, parents: Mapping[str, States], rule: Any) -> Branch:
    """The tree that ``rule`` describes: pairs ``(parent, {state: rule})``, with rows at the ends.

    >>> read_branch("wet", ("yes", "no"), {"rain": (True, False)}, ("rain", {True: [1, 0], False: [0, 1]})).parent
    'rain'
    """
    read = _read(name, own, parents, rule, ())
    if not isinstance(read, Branch):
        raise InvalidInput(f"rule must be a pair, (parent, {{state: rule}}); got {checks.shown(rule)}")
    return read


def _read(name: str, own: States, parents: Mapping[str, States], rule: Any, above: tuple[str, ...]) -> Branch | Floats:
    if not (isinstance(rule, (tuple, list)) and len(rule) == 2 and isinstance(rule[1], Mapping)):
        return np.asarray(Node(name, own, rule).probs[0])
    parent, below = rule
    checks.known("parent in rule", parent, parents)
    if parent in above:
        raise InvalidInput(f"rule asks about {parent!r} twice on the same way down: {', '.join([*above, parent])}")
    for state in below:
        checks.known(f"state of {parent!r}", state, parents[parent])
    for state in parents[parent]:
        if state not in below:
            raise InvalidInput(f"rule says nothing for {parent!r} = {checks.shown(state)}")
    states = parents[parent]
    read = tuple(_read(name, own, parents, below[state], (*above, parent)) for state in states)
    return Branch(parent, states, read)
