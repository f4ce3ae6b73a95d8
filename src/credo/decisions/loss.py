"""What each action costs in each state of the world."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo.beliefs.layout import html_table
from credo.checks import Floats, floats, known, positive, shown, unique
from credo.decisions.labels import Labels, align, named_matrix, nested, table_lines, text_table
from credo.decisions.regions import Region, regions
from credo.errors import InvalidInput

__all__ = ["Loss"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Loss:
    """λ(action, state): what an action costs when the world is in a state. Both have names.

    >>> Loss([[0, 9], [1, 1]], actions=["wait", "treat"], states=["well", "ill"])
    Loss   well  ill
    wait      0    9
    treat     1    1
    """

    matrix: Floats
    actions: Labels
    states: Labels

    def __init__(self, matrix: ArrayLike, *, actions: Iterable[Hashable], states: Iterable[Hashable]) -> None:
        held = named_matrix("the losses", matrix, ("actions", actions), ("states", states))
        for name, value in zip(("matrix", "actions", "states"), held, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def zero_one(cls, states: Iterable[Hashable]) -> Loss:
        """Naming the wrong state costs 1: the best action is the most probable state, its risk the chance of error.

        >>> Loss.zero_one(["well", "ill"])
        Loss  well  ill
        well     0    1
        ill      1    0
        """
        names = unique("states", states)
        return cls(1 - np.eye(len(names)), actions=names, states=names)

    @classmethod
    def asymmetric(
        cls, *, positive: Hashable, negative: Hashable, false_negative: float, false_positive: float
    ) -> Loss:
        """Two states, where missing the positive one and crying wolf cost differently.

        >>> Loss.asymmetric(positive="ill", negative="well", false_negative=5, false_positive=1)
        Loss  well  ill
        well     0    5
        ill      1    0
        """
        names = (negative, positive)
        return cls(
            [[0, _cost("false_negative", false_negative)], [_cost("false_positive", false_positive), 0]],
            actions=names,
            states=names,
        )

    @classmethod
    def from_mapping(cls, losses: Mapping[Any, Mapping[Any, float]]) -> Loss:
        """Losses written as ``{action: {state: loss}}``.

        >>> Loss.from_mapping({"wait": {"well": 0, "ill": 9}, "treat": {"well": 1, "ill": 1}})["wait", "ill"]
        9.0
        """
        matrix, actions, states = nested("the losses", losses)
        return cls(matrix, actions=actions, states=states)

    @classmethod
    def from_function(
        cls, function: Callable[[Any, Any], float], *, actions: Iterable[Hashable], states: Iterable[Hashable]
    ) -> Loss:
        """Losses computed as ``function(action, state)``.

        >>> Loss.from_function(lambda order, demand: abs(order - demand), actions=[0, 5], states=[0, 2, 9])[5, 9]
        4.0
        """
        rows, columns = unique("actions", actions), unique("states", states)
        return cls([[function(action, state) for state in columns] for action in rows], actions=rows, states=columns)

    @classmethod
    def from_utility(cls, matrix: ArrayLike, *, actions: Iterable[Hashable], states: Iterable[Hashable]) -> Loss:
        """The losses −U(action, state): the least risk is then the greatest expected utility, with its sign turned.

        >>> Loss.from_utility([[8, -2], [0, 0]], actions=["drill", "sell"], states=["oil", "dry"])["drill", "dry"]
        2.0
        """
        return cls(-floats("the utilities", matrix), actions=actions, states=states)

    @classmethod
    def read(cls, path: str | Path) -> Loss:
        """Losses from a CSV file: the states in the first line, then an action and its losses in each line.

        The first field of the first line may hold anything. What cannot be understood raises ``FormatError`` with its
        line and column.
        """
        from credo.decisions.files import read_table

        matrix, actions, states = read_table(path)
        return cls(matrix, actions=actions, states=states)

    def with_reject(self, cost: float, name: Hashable = "refuse") -> Loss:
        """The same losses and one more action, which costs the same whatever the state: to refuse, to ask, to test.

        >>> Loss.zero_one(["well", "ill"]).with_reject(0.1).actions
        ('well', 'ill', 'refuse')
        """
        row = np.full((1, len(self.states)), _cost("cost", cost))
        return Loss(np.vstack([self.matrix, row]), actions=(*self.actions, name), states=self.states)

    def over(self, states: Sequence[Hashable], *, others: bool = False) -> Loss:
        """The same losses with the states as given: in that order, and ``"1"`` from a file standing for the number 1.

        With ``others`` the loss may speak of more states, which are then left out.

        >>> Loss.zero_one(["well", "ill"]).over(["ill", "well"]).states
        ('ill', 'well')
        >>> Loss([[0, 9, 99]], actions=["eat"], states=["ripe", "raw", "rotten"]).over(["raw", "ripe"], others=True)
        Loss  raw  ripe
        eat     9     0
        """
        states = unique("states", states)
        if self.states == states:
            return self
        places = align("the loss", self.states, states, others=others)
        return Loss(self.matrix[:, places], actions=self.actions, states=states)

    def regions(self, positive: Hashable = None) -> tuple[Region, ...]:
        """The best action for every probability p of the ``positive`` state, of two; the last state unless it is named.

        The expected loss of an action is the line (1 − p) λ(action, negative) + p λ(action, positive), and the best
        actions are the lowest lines. Where two meet both are equally good, and ``decide`` takes the one listed first.

        >>> for region in Loss.zero_one(["well", "ill"]).with_reject(0.2).regions():
        ...     print(region)
        Region(action='well', low=0.0, high=0.2)
        Region(action='refuse', low=0.2, high=0.8)
        Region(action='ill', low=0.8, high=1.0)
        """
        if len(self.states) != 2:
            raise InvalidInput(f"this needs a loss over two states; this one has {len(self.states)}. Use decide")
        state = self.states[1] if positive is None else known("state", positive, self.states)
        return regions(self.matrix, self.actions, self.states.index(state))

    def threshold(self, positive: Hashable = None) -> float:
        """The t such that one action is best when P(positive) < t and another when P(positive) > t.

        If being right costs nothing, t = false_positive / (false_positive + false_negative).

        >>> Loss.asymmetric(positive="ill", negative="well", false_negative=4, false_positive=1).threshold()
        0.2
        """
        found = self.regions(positive)
        if len(found) == 2:
            return found[1].low
        raise InvalidInput(
            f"a threshold parts two actions; here {len(found)} are best somewhere: "
            f"{', '.join(repr(region.action) for region in found)}. Use regions(), which gives each its probabilities"
        )

    def __getitem__(self, key: tuple[Hashable, Hashable]) -> float:
        if not (isinstance(key, tuple) and len(key) == 2):
            raise InvalidInput(f"ask for a loss as loss[action, state]; got {shown(key)}")
        row, column = known("action", key[0], self.actions), known("state", key[1], self.states)
        return float(self.matrix[self.actions.index(row), self.states.index(column)])

    def __repr__(self) -> str:
        return text_table("Loss", self.actions, self.states, self.matrix)

    def _repr_html_(self) -> str:
        return html_table(table_lines("Loss", self.actions, self.states, self.matrix))


def _cost(name: str, value: float) -> float:
    return float(positive(name, value, zero=True, ndim=0))
