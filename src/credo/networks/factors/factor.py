"""A table of non-negative numbers over named variables."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput, TooLarge
from credo.networks.readonly import ReadOnly

__all__ = ["MOST_CELLS", "Factor", "as_variables", "cells_of", "flat"]

MOST_CELLS = 2**27  # of a table that is written out: a gibibyte
NUMPY_AXES = 64


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Factor:
    """A potential: a number, zero or above, for each combination of the states of some variables.

    ``values`` are held in one row, the last variable changing fastest, so that there may be any number of variables;
    ``array`` shows them with an axis for each.

    >>> Factor({"A": ("a0", "a1"), "B": ("b0", "b1")}, [[30, 5], [1, 10]])
    Factor over A, B: 4 cells
    """

    variables: Mapping[str, States]
    values: Floats

    def __init__(self, variables: Mapping[str, Iterable[Hashable]], values: ArrayLike) -> None:
        held = as_variables("variables", variables)
        table = checks.positive("values", flat("values", values, held, {}), zero=True)
        table.flags.writeable = False
        object.__setattr__(self, "variables", ReadOnly(held))
        object.__setattr__(self, "values", table)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the axes."""
        return tuple(self.variables)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many states each variable has."""
        return tuple(len(states) for states in self.variables.values())

    @property
    def array(self) -> Floats:
        """The values with an axis for each variable (at most 64, as NumPy has no more)."""
        if len(self.variables) > NUMPY_AXES:
            raise TooLarge(f"NumPy has {NUMPY_AXES} axes and this factor {len(self.variables)}; use .values, one row")
        return self.values.reshape(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Factor):
            return NotImplemented
        return list(self.variables.items()) == list(other.variables.items()) and np.array_equal(
            self.values, other.values
        )

    def __hash__(self) -> int:
        return hash((self.names, self.sizes))

    def __repr__(self) -> str:
        cells = len(self.values)
        return f"Factor over {', '.join(self.names) or 'nothing'}: {cells:,} cell{'s' if cells != 1 else ''}"


def as_variables(what: str, variables: Mapping[str, Iterable[Hashable]]) -> dict[str, States]:
    """Checked names, each with its states."""
    if not isinstance(variables, Mapping):
        raise InvalidInput(
            f"{what} must map each name to its states, {{'A': ('yes', 'no')}}; got {checks.shown(variables)}"
        )
    return {as_name(what, name): as_states(f"states of {name!r}", states) for name, states in variables.items()}


def as_name(what: str, name: Any) -> str:
    """A name, which is a text that is not empty."""
    if not isinstance(name, str) or not name:
        raise InvalidInput(f"{what} must be named by text that is not empty; got {checks.shown(name)}")
    return name


def cells_of(variables: Mapping[str, States]) -> int:
    """How many combinations of states there are."""
    return math.prod(map(len, variables.values()))


def counted(cells: int) -> str:
    """A number of cells in words that stay short.

    >>> counted(4096), counted(2**200)
    ('4,096 cells', 'about 2^200 cells')
    """
    return f"{cells:,} cells" if cells < 2**50 else f"about 2^{cells.bit_length() - 1} cells"


def flat(what: str, values: Any, variables: Mapping[str, States], last: Mapping[str, States]) -> NDArray[Any]:
    """``values`` in one row: they are nested by variable, are in one row already, or map states to numbers or rows.

    ``last`` are the variables of a row, where a mapping holds rows.
    """
    if isinstance(values, Mapping):
        return _from_mapping(what, values, variables, last)
    array = np.array(values, dtype=np.float64) if isinstance(values, np.ndarray) else checks.floats(what, values).copy()
    sizes = tuple(len(states) for states in (*variables.values(), *last.values()))
    cells = math.prod(sizes)
    if array.shape == sizes or array.shape == (cells,):
        return array.reshape(cells)
    if last and array.shape == (cells // sizes[-1], sizes[-1]):  # a row for each combination
        return array.reshape(cells)
    axes = f", an axis for each of {', '.join([*variables, *last])}" if sizes else ""
    raise BadShape(f"{what} must have shape {sizes}{axes}, or be one row of {cells:,}; got shape {array.shape}")


def _from_mapping(
    what: str, values: Mapping[Any, Any], variables: Mapping[str, States], last: Mapping[str, States]
) -> NDArray[Any]:
    inner, outer = cells_of(last), cells_of(variables)
    if inner * outer > MOST_CELLS:
        raise TooLarge(f"{what} would have {counted(inner * outer)}, more than {MOST_CELLS:,}")
    table = np.full((outer, inner), np.nan)
    codes = [{state: code for code, state in enumerate(states)} for states in variables.values()]
    for key, row in values.items():
        states = key if isinstance(key, tuple) and len(variables) != 1 else (key,)
        if len(states) != len(variables):
            raise BadShape(f"each key of {what} must name a state of {', '.join(variables)}; got {checks.shown(key)}")
        place = 0
        for (name, known), code, state in zip(variables.items(), codes, states, strict=True):
            place = place * len(known) + code[checks.known(f"state of {name!r}", state, known)]
        if isinstance(row, Mapping):
            (labels,) = last.values()
            for state in row:
                checks.known(f"state of {next(iter(last))!r}", state, labels)
            row = [row.get(state, 0.0) for state in labels]
        cells = checks.floats(what, row).ravel()
        if cells.size != inner:
            raise BadShape(f"{what} must hold {inner} numbers for {checks.shown(key)}; got {cells.size}")
        table[place] = cells
    if np.isnan(table).any():
        missing = int(np.isnan(table).any(axis=1).argmax())
        names = np.unravel_index(missing, [len(states) for states in variables.values()])
        shown = tuple(states[int(i)] for states, i in zip(variables.values(), names, strict=True))
        raise InvalidInput(f"{what} must say something for every combination of states; nothing for {shown}")
    return table.ravel()
