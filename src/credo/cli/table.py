"""``credo table``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from credo.cli.kinds import Missing, Types, Written, in_options, read_table

__all__ = ["table"]


def table(
    data: Annotated[Path, typer.Argument(help="CSV, TSV, JSON lines, Parquet or Arrow file.", show_default=False)],
    *,
    types: Types = None,
    missing: Missing = None,
    dialect: Written = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """What is in DATA: the kind of each column and why, how many values are missing, its states or its range."""
    from credo.cli import output
    from credo.tables.summary import summary

    held = read_table(data, types=types, missing=missing, dialect=dialect)
    found = summary(held)
    if json:
        columns = [
            {
                "name": one.column.name,
                "kind": one.column.kind.value,
                "reason": one.column.reason,
                "missing": one.missing,
                "states": list(one.column.states) if one.column.kind.has_states else None,
                "low": one.low,
                "high": one.high,
            }
            for one in found
        ]
        output.emit_json({"rows": len(held), "notes": list(held.notes), "columns": columns})
        return
    rows = [
        [one.column.name, one.column.kind.value, one.missing, _short(one.values), in_options(one.column.reason)]
        for one in found
    ]
    output.table(f"{len(held):,} row{'s' * (len(held) != 1)}", ["column", "kind", "missing", "values", "why"], rows)
    for note in held.notes:
        typer.echo(f"note: {in_options(note)}")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
