"""Matrices whose rows and columns have names: making them, finding one set of names in another, showing them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from credo.beliefs.layout import aligned
from credo.checks import Floats, floats, known, nearest, shown, unique
from credo.errors import BadShape, InvalidInput, UnknownName
from credo.tables.schema import label as written

__all__ = ["Labels", "align", "named_matrix", "nested", "table_lines", "text_table"]

Labels = tuple[Hashable, ...]

# How else files write true and false: a table reads a column of 0 and 1 as truths.
TRUTHS = {"false": "0", "true": "1"}


def named_matrix(
    name: str, value: ArrayLike, rows: tuple[str, Iterable[Hashable]], columns: tuple[str, Iterable[Hashable]]
) -> tuple[Floats, Labels, Labels]:
    """A read-only copy of ``value`` and the names of its rows and columns; each pair says what is named, and the names.

    >>> named_matrix("losses", [[0, 1]], ("actions", ["wait"]), ("states", ["well", "ill"]))
    (array([[0., 1.]]), ('wait',), ('well', 'ill'))
    """
    row_names, column_names = unique(*rows), unique(*columns)
    matrix = floats(name, value, ndim=2).copy()
    if matrix.shape != (len(row_names), len(column_names)) or not matrix.size:
        raise BadShape(
            f"{name} must have a row for each of the {len(row_names)} {rows[0]} and a column for each of the "
            f"{len(column_names)} {columns[0]}, at least one of each; got shape {matrix.shape}"
        )
    matrix.flags.writeable = False
    return matrix, row_names, column_names


def nested(name: str, table: Mapping[Any, Mapping[Any, float]]) -> tuple[list[list[float]], Labels, Labels]:
    """The rows of a mapping of mappings, their names and those of the columns, which are the same in every row.

    >>> nested("losses", {"wait": {"well": 0, "ill": 9}, "treat": {"ill": 1, "well": 1}})
    ([[0, 9], [1, 1]], ('wait', 'treat'), ('well', 'ill'))
    """
    if not isinstance(table, Mapping) or not table or not all(isinstance(row, Mapping) for row in table.values()):
        raise InvalidInput(f"{name} must be a mapping of mappings, one for each row; got {shown(table)}")
    columns = tuple(next(iter(table.values())))
    for label, row in table.items():
        for column in row:
            known(f"column in the first row of {name}", column, columns)
        for column in columns:
            if column not in row:
                raise InvalidInput(f"{name} says nothing about {shown(column)} in the row {shown(label)}. Add it")
    return [[row[column] for column in columns] for row in table.values()], tuple(table), columns


def align(holder: str, held: Sequence[Hashable], wanted: Collection[Hashable], *, others: bool = False) -> list[int]:
    """Where each of the ``wanted`` states stands among those ``held``; none may be left over, unless ``others`` may be.

    A text stands for whatever a file would write so: ``"1"`` for 1, for 1.0 and for True.

    >>> align("the loss", ["1", "0"], [0, 1]), align("the loss", ["1", "0"], [False, True])
    ([1, 0], [1, 0])
    """
    exact = {label: place for place, label in enumerate(held)}
    texts = {_text(label): place for place, label in enumerate(held)}
    places: list[int] = []
    for label in wanted:
        place = exact.get(label, texts.get(_text(label)))
        if place is None or place in places:
            raise UnknownName(f"{holder} has no state {shown(label)}, which the belief has.{nearest(label, held)}")
        places.append(place)
    spare = [label for place, label in enumerate(held) if place not in places]
    if spare and not others:
        raise UnknownName(f"the belief has no state {shown(spare[0])}, which {holder} has.{nearest(spare[0], wanted)}")
    return places


def _text(label: Hashable) -> str:
    text = written(label)
    return TRUTHS.get(text.lower(), text)


def text_table(corner: str, rows: Iterable[Hashable], columns: Iterable[Hashable], cells: Floats) -> str:
    """Named numbers as aligned text."""
    lines = table_lines(corner, rows, columns, cells)
    return aligned(lines, right=[False] + [True] * (len(lines[0]) - 1))


def table_lines(corner: str, rows: Iterable[Hashable], columns: Iterable[Hashable], cells: Floats) -> list[list[str]]:
    """Named numbers as lines of cells, the first with the names of the columns."""
    numbers = [[str(label), *(f"{cell:.4g}" for cell in row)] for label, row in zip(rows, cells, strict=True)]
    return [[corner, *map(str, columns)], *numbers]
