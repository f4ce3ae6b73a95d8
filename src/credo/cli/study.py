"""``credo study``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from credo.cli.kinds import Types, kinds

__all__ = ["study"]

OUT = Path("credo-report")


def study(  # noqa: PLR0913 (one parameter for each option)
    data: Annotated[Path, typer.Argument(help="A table: CSV, Parquet, …", show_default=False)],
    target: Annotated[str, typer.Option(help="The column to predict.", show_default=False)],
    *,
    loss: Annotated[
        Path | None, typer.Option(help="CSV of losses: the classes in the first line, then an action in each.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.")] = 10,
    holdout: Annotated[float, typer.Option(help="Share of the rows that judges once, at the end.")] = 0.2,
    seed: Annotated[int, typer.Option(help="The same data and seed give the same result.")] = 0,
    types: Types = None,
    out: Annotated[
        Path | None,
        typer.Option(help=f"Folder for the report, its JSON and the model. [default: {OUT}; none with --json]"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON on standard output.")] = False,
) -> None:
    """Compare models on a table honestly: what predicts TARGET, how well, how surely, and what to do about it.

    Rows are set aside that judge once at the end; candidates and a naive guess are compared on the same folds of the
    others. The report is a web page for people who decide.
    """
    from credo.cli.output import emit_json
    from credo.study.folder import reserve, write
    from credo.study.run import run_study

    folder = out if out is not None or json else OUT
    if folder is not None:
        reserve(folder)
    with _Progress() as progress:
        found = run_study(
            data, target, loss=loss, folds=folds, holdout=holdout, seed=seed, types=kinds(types), watch=progress.show
        )
    page = write(found, folder) if folder is not None else None
    if json:
        emit_json(found.to_dict())
        return
    from credo.study.answer import answer, headline

    typer.echo("\n".join([headline(found), *answer(found), found.asked, *found.data.notes]))
    typer.echo(f"\nThe report: {page}")


class _Progress:
    """A bar on standard error where that is a terminal; and, when stopped by hand, a word about how far it came."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self._task = self._bar.add_task("reading the table", total=None)
        self._last = "reading the table"

    def show(self, what: str, done: int, whole: int) -> None:
        """What is being done, and how much of the whole is behind."""
        self._last = f"{what} ({done} of {whole} fits done)"
        self._bar.update(self._task, description=what, completed=done, total=whole)

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._bar.stop()
        if isinstance(error, KeyboardInterrupt):
            notes = vars(error).get("__notes__", [])
            typer.echo("; ".join([f"stopped during: {self._last}", *notes, "nothing was written"]), err=True)
