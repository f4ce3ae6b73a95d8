"""The named axes that tables of probabilities and tables of counts share: finding, summing out, printing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs.layout import aligned, html_table
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, TooLarge

__all__ = ["Axes", "Findings", "Names", "as_names"]

Names = str | Iterable[str]
Form = Callable[[Any], str]  # how a number is written
Findings = Mapping[str, Any]  # from each name to a state, or to a set of states of which one is the case

MOST_AXES = 32
MOST_CELLS = 2**27  # a gibibyte of float64
SHOWN_ROWS = 24

Number = TypeVar("Number", bound="np.number[Any]")


def as_names(names: Names) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    return (names,) if isinstance(names, str) else checks.unique("names", names)


@dataclass(frozen=True, slots=True)
class Axes:
    """The names of the variables of a table, in the order of its axes, and the states of each."""

    names: tuple[str, ...]
    states: tuple[States, ...]

    @classmethod
    def of(cls, names: Iterable[str], states: Iterable[Iterable[Hashable]]) -> Axes:
        """Checked axes: different names, and for each of them different states."""
        held = checks.unique("names", names)
        if not all(isinstance(name, str) for name in held):
            raise InvalidInput(f"names must be text; got {checks.shown(held)}")
        given = [] if not isinstance(states, Iterable) else list(states)
        if len(given) != len(held):
            raise BadShape(f"states must hold a list for each of the {len(held)} names; got {checks.shown(states)}")
        if len(held) > MOST_AXES:
            raise TooLarge(f"a table has at most {MOST_AXES} variables; got {len(held)}. Take a marginal first")
        return cls(held, tuple(as_states(f"states of {name!r}", each) for name, each in zip(held, given, strict=True)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states along each axis."""
        return tuple(len(each) for each in self.states)

    def zeros(self) -> Floats:
        """An empty table, if it fits."""
        cells = math.prod(self.shape)
        if cells > MOST_CELLS:
            raise TooLarge(
                f"a table over {', '.join(self.names)} has {cells:,} cells, {cells * 8 / 2**30:,.1f} GiB; the limit "
                f"is {MOST_CELLS:,} cells. Use fewer variables, or a network, which never writes the table out"
            )
        return np.zeros(self.shape)

    def check(self, what: str, array: NDArray[np.number[Any]]) -> None:
        """Refuse an array that has another shape than these axes."""
        if array.shape != self.shape:
            raise BadShape(f"{what} must have shape {self.shape}, one axis for each name; got {array.shape}")

    def positions(self, names: Names) -> tuple[int, ...]:
        """Which axes are called ``names``, in that order."""
        return tuple(self.names.index(checks.known("variable", name, self.names)) for name in as_names(names))

    def only(self, names: Names) -> Axes:
        """The axes called ``names``, in that order."""
        where = self.positions(names)
        return Axes(tuple(self.names[i] for i in where), tuple(self.states[i] for i in where))

    def without(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of the other axes."""
        dropped = set(names)
        return tuple(name for name in self.names if name not in dropped)

    def code(self, name: str, state: Hashable) -> int:
        """The position of a state on the axis called ``name``."""
        states = self.states[self.positions(name)[0]]
        return states.index(checks.known(f"state of {name!r}", state, states))

    def margin(self, array: NDArray[Number], names: Names) -> NDArray[Number]:
        """The array with all other axes summed out, and these in the order of ``names``."""
        where = self.positions(names)
        summed = array.sum(axis=tuple(i for i in range(len(self.names)) if i not in where))
        ranks = {axis: rank for rank, axis in enumerate(sorted(where))}
        return np.transpose(summed, [ranks[axis] for axis in where])

    def groups(self, array: NDArray[Number], a: Names, b: Names, given: Names) -> NDArray[Number]:
        """The array as (states of ``given`` together, of ``a`` together, of ``b`` together); all else summed out."""
        sets = [as_names(given), as_names(a), as_names(b)]
        if not sets[1] or not sets[2]:
            raise BadParameter("a and b must each name at least one variable; got none")
        together = tuple(itertools.chain(*sets))
        if len(set(together)) < len(together):
            raise BadParameter(f"a, b and given must be different variables; got {checks.shown(together)}")
        sizes = [math.prod(self.only(names).shape) for names in sets]
        return self.margin(array, together).reshape(sizes)

    def found(self, findings: Findings) -> dict[int, list[int]]:
        """Which states remain on each axis that something was found about."""
        if not isinstance(findings, Mapping):
            raise InvalidInput(f"findings must be a mapping such as {{'name': state}}; got {checks.shown(findings)}")
        remaining = {}
        for name, finding in findings.items():
            wanted = finding if isinstance(finding, set) else [finding]
            codes = sorted(self.code(name, state) for state in wanted)
            if not codes:
                raise InvalidInput(f"the finding about {name!r} is an empty set; name at least one state")
            remaining[self.positions(name)[0]] = codes
        return remaining

    def text(self, array: NDArray[np.number[Any]], form: Form) -> str:
        """The array as lines of text: the last variable runs across, all others downward."""
        if not self.names:
            return form(array.item())
        right = [False] * (len(self.names) - 1) + [True] * len(self.states[-1])
        return "\n".join([aligned(self._lines(array, form), right=right), *self._more()])

    def html(self, array: NDArray[np.number[Any]], form: Form) -> str:
        """The same for a notebook."""
        if not self.names:
            return html_table([[""], [form(array.item())]])
        return html_table(self._lines(array, form), below=self._more())

    def _lines(self, array: NDArray[np.number[Any]], form: Form) -> list[list[str]]:
        *down, across = self.names
        rows = array.reshape(-1, array.shape[-1])
        lines = [[*down, *(f"{across}={state}" for state in self.states[-1])]]
        lines += [
            [*map(str, label), *map(form, row)]
            for label, row in zip(itertools.product(*self.states[:-1]), rows[:SHOWN_ROWS].tolist(), strict=False)
        ]
        return lines

    def _more(self) -> list[str]:
        more = math.prod(self.shape[:-1]) - SHOWN_ROWS
        return [f"… and {more:,} more rows"] if more > 0 else []
