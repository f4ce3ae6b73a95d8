"""``credo predict``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Written
from credo.cli.saved import Lines, Model, Out, Rows, beliefs, check_out, table_for, write_rows

if TYPE_CHECKING:
    from credo.beliefs import Belief

__all__ = ["predict"]


def predict(
    model: Model,
    data: Rows,
    *,
    level: Annotated[float, typer.Option(help="How sure intervals are.")] = 0.9,
    missing: Missing = None,
    dialect: Written = None,
    out: Out = None,
    json: Lines = False,
) -> None:
    """Predict every row of DATA with MODEL: classes and probabilities, or means, deviations and intervals.

    The columns of DATA are known by their names and may stand in any order; others are ignored. A table that does not
    fit into memory is read piece by piece. What to do about a prediction is said by `credo decide`.
    """
    from credo import checks
    from credo.cli.output import note
    from credo.storage import load

    check_out(out, model, data)
    checks.level("level", level)
    fitted = load(model)
    table = table_for(fitted, data, missing=missing, dialect=dialect)
    for remark in table.notes:
        note(remark)
    write_rows((row for belief in beliefs(fitted, table) for row in _rows(belief, level)), out, json=json)


def _rows(belief: Belief, level: float) -> Iterator[dict[str, Any]]:
    """A row of output, by column, for each belief."""
    from credo.beliefs import Categorical

    if isinstance(belief, Categorical):
        columns = {"prediction": belief.mode} | {f"P({s})": belief.probs[:, i] for i, s in enumerate(belief.states)}
    else:
        low, high = belief.interval(level)
        columns = {"mean": belief.mean, "sd": belief.sd, "low": low, "high": high}
    for cells in zip(*(column.tolist() for column in columns.values()), strict=True):
        yield dict(zip(columns, cells, strict=True))
