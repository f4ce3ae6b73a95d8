"""``credo plot``."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Written, read_table
from credo.cli.saved import Rows, check_out, schema_of, table_for

if TYPE_CHECKING:
    from credo.checks import Floats
    from credo.tables import Table

__all__ = ["plot"]

PLACES = 600  # along the column
LINE = 110  # letters below the picture


def plot(
    model: Annotated[Path, typer.Argument(help="A model that predicts numbers.", show_default=False)],
    data: Rows,
    out: Annotated[Path, typer.Option(help="The picture: .png, .svg or .pdf.", show_default=False)],
    *,
    column: Annotated[
        str | None, typer.Option(help="The column to draw along. [default: the first that holds numbers]")
    ] = None,
    level: Annotated[float, typer.Option(help="How sure the band is.")] = 0.95,
    missing: Missing = None,
    dialect: Written = None,
    json: Annotated[bool, typer.Option("--json", help="What is drawn, as JSON on standard output too.")] = False,
) -> None:
    """Draw what MODEL says against one column of DATA, with its uncertainty and the data.

    The column goes from its least to its greatest value in DATA: rows without a target, further out, show how the model
    goes on. Other columns are held at their median, or their most frequent state.
    """
    from credo import checks
    from credo.storage import load_with_about

    check_out(out, model, data)
    checks.level("level", level)
    ax = _axes(out)
    saved = load_with_about(model)
    table = table_for(saved.model, data, missing=missing, dialect=dialect)
    target = str(saved.about.get("target", ""))
    along = _along(saved.model, table, column, target)
    grid, others = _grid(saved.model, table, along)
    at = grid[along].astype(float)
    belief = _belief(saved.model, grid)
    _draw(ax, at, belief, _data(read_table(data, missing=missing, dialect=dialect), along, target), level)
    ax.set(xlabel=along, ylabel=target or "prediction")
    if others:
        said = f"The line is for {', '.join(others)}; the rows of the data differ in these."
        ax.set_xlabel("\n".join([along, *wrap(said, LINE)]), fontsize="small")
    _write(ax, out)
    if json:
        from credo.cli.output import emit_json

        low, high = belief.interval(level)
        shown = {"at": at, "mean": belief.mean, "low": low, "high": high}
        emit_json({"column": along, "target": target, "held": others, "level": level, **shown, "file": str(out)})
        return
    typer.echo(f"The picture: {out}")


def _axes(out: Path) -> Any:
    """Axes of a figure that can be written as ``out`` wants it; matplotlib is needed from here on."""
    from credo.errors import InvalidInput

    os.environ.setdefault("MPLBACKEND", "Agg")  # a file is drawn on no screen
    from credo.pictures.canvas import axes_for

    ax = axes_for(None, size=(7.2, 4.0))
    known = ax.figure.canvas.get_supported_filetypes()
    if out.suffix[1:].lower() not in known:
        raise InvalidInput(f"out must end in .png, .svg or .pdf; got {str(out)!r}. Name another with --out")
    return ax


def _along(model: Any, table: Table, column: str | None, target: str) -> str:
    """The column to draw along: one of numbers that the model knows."""
    from credo import checks
    from credo.errors import InvalidInput

    names = [name for name in _columns(model, table) if name != target]
    if column is not None:
        checks.known("column", column, names)
        if not table.kind(column).is_number:
            raise InvalidInput(
                f"column {column!r} is {table.kind(column)}, and is drawn along by no line. Name another"
            )
    numbers = [name for name in names if table.kind(name).is_number]
    if not numbers:
        raise InvalidInput("the model has no column of numbers to draw along")
    return numbers[0] if column is None else column


def _columns(model: Any, table: Table) -> list[str]:
    from credo import checks
    from credo.errors import InvalidInput

    schema = schema_of(model)
    names = [one.name for one in schema] if schema is not None else vars(model).get("feature_names_in_")
    if names is None:
        raise InvalidInput("the model learnt from a plain array and knows no columns by name. Fit it by credo fit")
    return [checks.known("column", str(name), table.columns) for name in names]


def _grid(model: Any, table: Table, along: str) -> tuple[Table, list[str]]:
    """Rows along the column, and what the others are held at, in words."""
    import numpy as np

    from credo.errors import InvalidInput
    from credo.tables import Kind, Table

    there = table[along][~table.missing(along)]
    if not len(there):
        raise InvalidInput(f"column {along!r} has no values to draw along")
    at = np.linspace(there.min(), there.max(), PLACES)
    columns: dict[str, Any] = {along: np.unique(at.round()) if table.kind(along) is Kind.COUNT else at}
    types: dict[str, Any] = {along: table.kind(along)}
    held = []
    for name in _columns(model, table):
        if name == along:
            continue
        typical, types[name] = _typical(table, name)
        columns[name] = [typical] * len(columns[along])
        held.append(f"{name} {typical:.4g}" if isinstance(typical, float) else f"{name} {typical}")
    return Table(columns, types=types), held


def _typical(table: Table, name: str) -> tuple[Any, Any]:
    """The median or the most frequent state of a column, and what it is."""
    import numpy as np

    there = ~table.missing(name)
    kind = table.kind(name)
    if not there.any():
        return None, kind
    if kind.has_states:
        states = list(table.states(name))
        most = int(np.bincount(table.codes(name)[there]).argmax())
        return states[most], states
    values = table[name][there]
    return float(np.sort(values)[len(values) // 2]), kind  # (a value that is there, so that a count stays whole)


def _belief(model: Any, grid: Table) -> Any:
    from credo.beliefs import Categorical
    from credo.errors import InvalidInput
    from credo.evaluation import believe

    belief = believe(model, grid)
    if isinstance(belief, Categorical):
        raise InvalidInput(
            "the model predicts classes, and the picture is one of numbers. For classes there are the report of credo "
            "study, and credo.pictures.decision_regions"
        )
    return belief


def _data(table: Table, along: str, target: str) -> tuple[Floats, Floats] | None:
    """Where the rows with a target stand, if the data have it."""
    if target not in table.columns or not table.kind(target).is_number:
        return None
    there = ~(table.missing(target) | table.missing(along))
    return table[along][there].astype(float), table[target][there].astype(float)


def _draw(ax: Any, at: Floats, belief: Any, data: tuple[Floats, Floats] | None, level: float) -> None:
    from credo.pictures import belief_band

    if data is None or not len(data[0]):
        belief_band(at, belief, ax=ax, level=level)
    else:
        belief_band(at, belief, *data, ax=ax, level=level)


def _write(ax: Any, out: Path) -> None:
    from matplotlib import pyplot as plt

    from credo.storage.files import whole_file

    with whole_file(out) as part:
        ax.figure.savefig(part, dpi=130, format=out.suffix[1:].lower())
    plt.close(ax.figure)
