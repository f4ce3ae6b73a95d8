"""Multiplying tables over named variables, summing variables out of them, and fixing a variable's state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs.states import States
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput, TooLarge
from credo.networks.factors.factor import MOST_CELLS, Factor, cells_of, counted
from credo.networks.factors.semiring import SUM, Semiring

__all__ = ["Choice", "Table", "as_table", "best", "marginal", "product", "restrict"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Numbers of a semiring, in one row as in a factor: what factors become while they are multiplied and summed."""

    variables: Mapping[str, States]
    values: Floats
    semiring: Semiring

    @property
    def factor(self) -> Factor:
        """The table as a factor, in plain numbers."""
        return Factor(self.variables, self.semiring.decode(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Which state of ``name`` was the best, as a code for each combination of the states of ``variables``."""

    name: str
    variables: Mapping[str, States]
    codes: NDArray[np.intp]

    def code(self, codes: Mapping[str, int]) -> int:
        """The best state's code where the other variables have the states with these ``codes``."""
        place = 0
        for name, states in self.variables.items():
            place = place * len(states) + codes[name]
        return int(self.codes[place])


def as_table(factor: Factor | Table, semiring: Semiring) -> Table:
    """A factor in the numbers of ``semiring``; a table must be in these already."""
    if isinstance(factor, Factor):
        return Table(factor.variables, semiring.encode(factor.values), semiring)
    if factor.semiring != semiring:
        raise InvalidInput(f"a table of the {factor.semiring.name} semiring cannot be used in the {semiring.name} one")
    return factor


def product(factors: Iterable[Factor | Table], *, semiring: Semiring = SUM, limit: int = MOST_CELLS) -> Table:
    """All factors multiplied; the variables in the order in which they are met. At most ``limit`` cells are made.

    >>> f = Factor({"A": ("a", "¬a"), "B": ("b", "¬b")}, [[0.3, 0.9], [0.4, 0.1]])
    >>> g = Factor({"B": ("b", "¬b"), "C": ("c", "¬c")}, [[0.1, 0.8], [0.8, 0.3]])
    >>> product([f, g]).factor.array[0].round(2)
    array([[0.03, 0.24],
           [0.72, 0.27]])
    """
    tables = [as_table(factor, semiring) for factor in factors]
    variables = union(tables)
    cells = cells_of(variables)
    if cells > limit:
        raise TooLarge(
            f"the product of {len(tables)} factors over {checks.shown(list(variables))} would have {counted(cells)}; "
            f"the limit is {limit:,} cells. Multiply fewer at a time and sum variables out between, in another order, "
            "or give more findings"
        )
    out = np.full(wide(variables), semiring.one)
    for table in tables:
        semiring.times(out, _lined_up(table, variables), out=out)
    return Table(variables, out.reshape(-1), semiring)


def marginal(factor: Factor | Table, keep: Iterable[str], *, semiring: Semiring = SUM) -> Table:
    """The factor over the variables ``keep`` alone, in that order; the others summed (or maximised) out.

    >>> f = Factor({"A": ("a", "¬a"), "B": ("b", "¬b")}, [[0.3, 0.9], [0.4, 0.1]])
    >>> marginal(f, ["B"]).values
    array([0.7, 1. ])
    """
    table = as_table(factor, semiring)
    variables = _some("keep", keep, table.variables)
    rows = _rows(table, variables)
    return Table(variables, semiring.total(rows) if rows.shape[1] > 1 else rows.reshape(-1), semiring)


def best(factor: Factor | Table, name: str, *, semiring: Semiring) -> tuple[Table, Choice]:
    """The factor with one variable maximised out, and which of its states was the best, the first of equals.

    >>> from credo.networks.factors.semiring import MAX
    >>> f = Factor({"A": ("a", "¬a"), "B": ("b", "¬b")}, [[0.3, 0.9], [0.4, 0.1]])
    >>> left, choice = best(f, "B", semiring=MAX)
    >>> left.values, choice.codes
    (array([0.9, 0.4]), array([1, 0]))
    """
    if not semiring.chooses:
        raise BadParameter(f"semiring must be one that maximises; got the {semiring.name} semiring")
    table = as_table(factor, semiring)
    checks.known("variable", name, table.variables)
    variables = {other: states for other, states in table.variables.items() if other != name}
    rows = _rows(table, variables)
    codes = rows.argmax(axis=1)
    return Table(variables, rows[np.arange(len(rows)), codes], semiring), Choice(name, variables, codes)


def restrict(factor: Factor, codes: Mapping[str, int]) -> Factor:
    """The factor where some variables have the states with these ``codes``; they leave it. Others are no matter.

    >>> f = Factor({"A": ("a", "¬a"), "B": ("b", "¬b")}, [[0.3, 0.9], [0.4, 0.1]])
    >>> restrict(f, {"B": 1, "Z": 0}).values
    array([0.9, 0.1])
    """
    settled = [name for name in factor.variables if name in codes]
    if not settled:
        return factor
    rest = {name: states for name, states in factor.variables.items() if name not in codes}
    sizes = [len(factor.variables[name]) for name in settled]
    places = [
        checks.count(f"code of {name!r}", codes[name], most=size - 1) for name, size in zip(settled, sizes, strict=True)
    ]
    column = 0
    for place, size in zip(places, sizes, strict=True):
        column = column * size + place
    return Factor(rest, _rows(factor, rest)[:, column])


def union(tables: Iterable[Factor | Table]) -> dict[str, States]:
    """The variables of all tables, in the order in which they are met; each must have the same states everywhere."""
    variables: dict[str, States] = {}
    for table in tables:
        for name, states in table.variables.items():
            if variables.setdefault(name, states) != states:
                raise InvalidInput(
                    f"{name!r} has the states {checks.shown(variables[name])} in one factor and "
                    f"{checks.shown(states)} in another"
                )
    return variables


def wide(variables: Mapping[str, States]) -> tuple[int, ...]:
    """The sizes of those variables that have more than one state.

    NumPy has 64 axes, and a table that fits into memory has fewer that are longer than one.
    """
    return tuple(len(states) for states in variables.values() if len(states) > 1)


def _lined_up(table: Table, variables: Mapping[str, States]) -> Floats:
    """The values with an axis for each of ``variables`` that is wide, of length one where the table has it not."""
    shape = [len(states) if name in table.variables else 1 for name, states in variables.items() if len(states) > 1]
    order = [name for name in variables if name in table.variables]
    return _turned(table, order).reshape(shape)


def _rows(table: Factor | Table, keep: Mapping[str, Any]) -> Floats:
    """The values with a row for each combination of the states of ``keep``, and a column for each of the others."""
    others = [name for name in table.variables if name not in keep]
    columns = cells_of({name: table.variables[name] for name in others})
    return _turned(table, [*keep, *others]).reshape(-1, columns)


def _turned(table: Factor | Table, order: list[str]) -> Floats:
    """The values with the wide variables as axes, in this order."""
    axes = {name: i for i, name in enumerate(name for name, states in table.variables.items() if len(states) > 1)}
    return table.values.reshape(wide(table.variables)).transpose([axes[name] for name in order if name in axes])


def _some(what: str, names: Iterable[str], variables: Mapping[str, States]) -> dict[str, States]:
    held = checks.unique(what, names)
    return {name: variables[checks.known("variable", name, variables)] for name in held}
