"""``credo predict``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from credo.cli.saved import check_out, schema_of, table_for

if TYPE_CHECKING:
    from credo.beliefs import Belief
    from credo.decisions import Loss
    from credo.tables import Table

__all__ = ["predict"]

PATIENCE = 2.0  # seconds before progress is worth showing


def predict(
    model: Annotated[Path, typer.Argument(help="A model, such as the winner.credo of a study.", show_default=False)],
    data: Annotated[Path, typer.Argument(help="A table with the columns the model learnt from.", show_default=False)],
    *,
    loss: Annotated[
        Path | None, typer.Option(help="CSV of losses: adds the action of least expected loss, and its risk.")
    ] = None,
    level: Annotated[float, typer.Option(help="How sure intervals are.")] = 0.9,
    out: Annotated[
        Path | None, typer.Option(help="Write to this file instead of standard output.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object for each row instead of CSV.")] = False,
) -> None:
    """Predict every row of DATA with MODEL: classes and probabilities, or means, deviations and intervals.

    The columns of DATA are known by their names and may stand in any order; others are ignored. A table that does not
    fit into memory is read piece by piece.
    """
    from credo import checks
    from credo.decisions import Loss
    from credo.storage import load
    from credo.storage.files import whole_file

    check_out(out, model, data, loss)
    checks.level("level", level)
    losses = None if loss is None else Loss.read(loss)
    fitted = load(model)
    table = table_for(fitted, data)
    for note in table.notes:
        typer.echo(f"note: {note}", err=True)
    rows = (row for belief in _beliefs(fitted, table) for row in _rows(belief, losses, level))
    if out is None:
        _write(rows, sys.stdout, json=json)
    else:
        with whole_file(out) as part, part.open("w", encoding="utf-8", newline="") as file:
            _write(rows, file, json=json)


def _beliefs(model: Any, table: Table) -> Iterator[Belief]:
    import numpy as np

    from credo.study.candidates import believe

    # A model that learnt from a plain array knows its columns by their places only.
    nameless = schema_of(model) is None and "feature_names_in_" not in vars(model)
    start, done = time.monotonic(), 0
    for batch in table.batches():
        X: Any = np.column_stack([batch[name] for name in batch.columns]) if nameless else batch
        yield believe(model, X)
        done += len(batch)
        if time.monotonic() - start > PATIENCE and sys.stderr.isatty():
            typer.echo(f"\r{done:,} of {len(table):,} rows", err=True, nl=done == len(table))


def _rows(belief: Belief, loss: Loss | None, level: float) -> Iterator[dict[str, Any]]:
    """A row of output, by column, for each belief."""
    from credo.beliefs import Categorical
    from credo.decisions import decide
    from credo.errors import InvalidInput

    if isinstance(belief, Categorical):
        columns = {"prediction": belief.mode} | {f"P({s})": belief.probs[:, i] for i, s in enumerate(belief.states)}
        if loss is not None:
            decision = decide(belief, loss)
            columns |= {"action": decision.action, "risk": decision.risk}
    elif loss is None:
        low, high = belief.interval(level)
        columns = {"mean": belief.mean, "sd": belief.sd, "low": low, "high": high}
    else:
        raise InvalidInput("loss is a table of actions by classes, but this model predicts numbers. Leave it out")
    for cells in zip(*(column.tolist() for column in columns.values()), strict=True):
        yield dict(zip(columns, cells, strict=True))


def _write(rows: Iterator[dict[str, Any]], file: TextIO, *, json: bool) -> None:
    import csv
    from json import dumps

    from credo.checks import plain_json

    lines = csv.writer(file, lineterminator="\n")
    for i, row in enumerate(rows):
        if json:
            file.write(dumps(plain_json(row), ensure_ascii=False, allow_nan=False) + "\n")
            continue
        if i == 0:
            lines.writerow(row)
        lines.writerow(row.values())
    file.flush()
