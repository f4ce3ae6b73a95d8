"""How the commands print: tables for people, JSON for programs.

On a terminal a table is drawn by ``rich``; anywhere else (a pipe, a file) it is plain aligned text of any width, so
that nothing is cut off and ``grep`` and ``awk`` still work.
"""

from __future__ import annotations

import json
import numbers
import sys
from collections.abc import Iterable, Sequence

import typer

__all__ = ["emit_json", "note", "table"]


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print ``rows`` under ``columns``; numbers stand to the right, fractions with four digits.

    >>> table("Tests", ["name", "detects"], [["T1", 1.0], ["T2", 0.9]])
    Tests
    name  detects
    T1          1
    T2        0.9
    """
    held = [list(row) for row in rows]
    right = [bool(held) and all(_is_number(row[i]) for row in held) for i in range(len(columns))]
    texts = [[_text(cell) for cell in row] for row in held]
    if sys.stdout.isatty():
        _draw(title, columns, texts, right)
        return
    from credo.beliefs.layout import aligned

    typer.echo(title)
    typer.echo(aligned([list(columns), *texts], right=right))


def emit_json(value: object) -> None:
    """Print ``value`` as one JSON document: NumPy numbers and arrays are understood, NaN and infinity become null.

    >>> emit_json({"p": 0.5, "missing": float("nan")})
    {"p": 0.5, "missing": null}
    """
    from credo.checks import plain_json

    typer.echo(json.dumps(plain_json(value), ensure_ascii=False, allow_nan=False))


def note(message: object) -> None:
    """A remark on standard error, in the words of the command line."""
    from credo.cli.kinds import in_options

    typer.echo(f"note: {in_options(str(message))}", err=True)


def _draw(title: str, columns: Sequence[str], texts: list[list[str]], right: list[bool]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text  # a name such as "[red]" is printed, not obeyed

    drawn = Table(title=Text(title), title_justify="left")
    for name, number in zip(columns, right, strict=True):
        drawn.add_column(Text(name), justify="right" if number else "left")
    for row in texts:
        drawn.add_row(*(Text(text) for text in row))
    Console().print(drawn)


def _is_number(cell: object) -> bool:
    return isinstance(cell, numbers.Real) and not isinstance(cell, bool)


def _text(cell: object) -> str:
    if not _is_number(cell):  # a line break in a label must not break the table, nor a control code reach a terminal
        return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(cell))
    return f"{cell:.4g}" if isinstance(cell, float) else f"{cell:,}"
