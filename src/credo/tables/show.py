"""How a table shows itself: its size, and its first rows under the names and kinds of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credo.beliefs.layout import aligned, html_table
from credo.tables.schema import BLANKS

if TYPE_CHECKING:
    from credo.tables.table import Table

__all__ = ["as_html", "as_text"]

ROWS = 6
COLUMNS = 12
WIDTH = 24


def as_text(table: Table) -> str:
    """The table as aligned text."""
    names, kinds, rows = _cells(table)
    if not names:
        return _title(table)
    right = [kind in ("continuous", "count") for kind in kinds]
    return "\n".join([_title(table), aligned([names, kinds, *rows], right=right), *_more(table)])


def as_html(table: Table) -> str:
    """The same for a notebook."""
    names, kinds, rows = _cells(table)
    return html_table([names, kinds, *rows], above=[_title(table), *_more(table)])


def _title(table: Table) -> str:
    rows, columns = table.shape
    return (
        f"Table of {rows:,} row{'s' * (rows != 1)} and {columns:,} column{'s' * (columns != 1)}"
        f"{'' if table.in_memory else ', on disk'}"
    )


def _more(table: Table) -> list[str]:
    rows, columns = len(table) - ROWS, len(table.columns) - COLUMNS
    lines = [f"… {rows:,} more row{'s' * (rows != 1)}"] if rows > 0 else []
    lines += [f"… {columns:,} more column{'s' * (columns != 1)}"] if columns > 0 else []
    return lines + [f"note: {note}" for note in table.notes]


def _cells(table: Table) -> tuple[list[str], list[str], list[list[str]]]:
    shown = table.select(table.columns[:COLUMNS])
    head = shown.head(ROWS).to_dict()
    rows = [[_text(value) for value in row] for row in zip(*head.values(), strict=True)]
    return [_short(name) for name in shown.columns], [column.kind.value for column in shown.schema], rows


def _text(value: Any) -> str:
    if value is None:
        return "·"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return _short(str(value))


def _short(text: str) -> str:
    line = " ".join(text.split(None)) if any(blank in text for blank in BLANKS) else text
    line = "".join(character if character.isprintable() else "\ufffd" for character in line)
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
