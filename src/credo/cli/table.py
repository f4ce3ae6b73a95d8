"""``credo table``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["table"]


def table(
    data: Annotated[Path, typer.Argument(help="CSV, TSV, JSON lines, Parquet or Arrow file.", show_default=False)],
    *,
    types: Annotated[
        list[str] | None,
        typer.Option(help="What a column is: age=category, or size=S,M,L for states in order.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """What is in DATA: the kind of each column and why, how many values are missing, its states or its range."""
    from credo.cli import output
    from credo.tables import Table
    from credo.tables.summary import summary

    held = Table.read(data, types=_types(types or []))
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
        [one.column.name, one.column.kind.value, one.missing, _short(one.values), one.column.reason] for one in found
    ]
    output.table(f"{len(held):,} rows", ["column", "kind", "missing", "values", "why"], rows)
    for note in held.notes:
        typer.echo(f"note: {note}")


def _types(given: Sequence[str]) -> dict[str, str | list[str]]:
    """``age=category`` and ``size=S,M,L`` as the types of ``Table.read``."""
    from credo.errors import BadParameter

    types: dict[str, str | list[str]] = {}
    for text in given:
        name, equals, kind = text.rpartition("=")
        if not equals or not name or not kind:
            raise BadParameter(f"--types must look like age=category or size=S,M,L; got {text!r}")
        types[name] = kind.split(",") if "," in kind else kind
    return types


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
