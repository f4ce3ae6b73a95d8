"""``credo study``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from credo.cli.kinds import Missing, Types, Written, in_options, read_table
from credo.cli.saved import digest

if TYPE_CHECKING:
    from credo.study import Study

__all__ = ["study"]

OUT = Path("credo-report")

Loss = Annotated[
    Path | None, typer.Option(help="CSV of losses: the classes in the first line, then an action in each.")
]
Candidates = Annotated[
    str | None, typer.Option(help="Who takes part, by name and with commas between. [default: all]", show_default=False)
]
Folds = Annotated[str, typer.Option(help="Folds of the cross-validation; 10x10 deals ten folds ten times.")]
HoldOut = Annotated[float, typer.Option(help="Share of the rows that judges once, at the end.")]
Groups = Annotated[
    str | None, typer.Option(help="Column whose equal values stay together, such as a patient.", show_default=False)
]
Time = Annotated[
    str | None, typer.Option(help="Column that orders the rows: what came before judges no more.", show_default=False)
]
Without = Annotated[
    list[str] | None, typer.Option(help="Column that must not be used; once for each.", show_default=False)
]
Budget = Annotated[
    str | None, typer.Option(help="Time, such as 10m; candidates that need more are left out.", show_default=False)
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="How many folds go on at a time; the result is the same. [default: all cores]", show_default=False
    ),
]
Dask = Annotated[str | None, typer.Option(help="Address of a Dask scheduler that takes the folds.", show_default=False)]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the study that was interrupted in --out.")]
Seed = Annotated[int, typer.Option(help="The same data and seed give the same result.")]
Out = Annotated[
    Path | None, typer.Option(help=f"Folder for the report, its JSON and the model. [default: {OUT}; none with --json]")
]


def study(  # noqa: PLR0913 (one parameter for each option)
    data: Annotated[Path, typer.Argument(help="A table: CSV, Parquet, …", show_default=False)],
    target: Annotated[str, typer.Option(help="The column to predict.", show_default=False)],
    *,
    loss: Loss = None,
    candidates: Candidates = None,
    folds: Folds = "10",
    holdout: HoldOut = 0.2,
    groups: Groups = None,
    time: Time = None,
    without: Without = None,
    budget: Budget = None,
    jobs: Jobs = None,
    dask: Dask = None,
    resume: Resume = False,
    seed: Seed = 0,
    types: Types = None,
    missing: Missing = None,
    dialect: Written = None,
    out: Out = None,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON on standard output.")] = False,
) -> None:
    """Compare models on a table honestly: what predicts TARGET, how well, how surely, and what to do about it.

    Rows are set aside that judge once at the end; candidates and a naive guess are compared on the same folds of the
    others. The report is a web page for people who decide. Every finished fold is kept, so that a study that was
    interrupted can go on.
    """
    from credo.cli.output import emit_json
    from credo.errors import BadParameter
    from credo.study.folder import JOURNAL, reserve, write
    from credo.study.plan import Plan
    from credo.study.run import run_study

    folder = out if out is not None or json else OUT
    if folder is not None:
        reserve(folder)
    elif resume:
        raise BadParameter("--resume needs the folder of the study that was interrupted; name it with --out")
    with _Progress() as progress:
        plan = Plan(
            candidates=None if candidates is None else tuple(name.strip() for name in candidates.split(",")),
            groups=groups,
            time=time,
            without=tuple(without or ()),
            budget=budget,
            jobs=_jobs(jobs, dask),
            dask=dask,
            journal=None if folder is None else folder / JOURNAL,
            resume=resume,
            source=data.name,
            watch=progress.show,
        )
        table = read_table(data, types=types, missing=missing, dialect=dialect)
        found = run_study(table, target, loss=loss, folds=folds, holdout=holdout, seed=seed, plan=plan)
    page = write(found, folder, about={"made_from": digest(data)}) if folder is not None else None
    if json:
        emit_json(found.to_dict())
    else:
        _show(found, page)


def _jobs(asked: int | None, dask: str | None) -> int:
    """As many folds at a time as there are cores; a cluster has its own."""
    from credo.native import threads

    return asked if asked is not None else 1 if dask is not None else threads()


def _show(found: Study, page: Path | None) -> None:
    from credo.study.answer import answer, headline

    typer.echo("\n".join([headline(found), *answer(found), *map(in_options, [found.asked, *found.data.notes])]))
    for concern in found.concerns:
        typer.echo(f"{'BEWARE' if concern.serious else 'note'}: {concern.words} {concern.remedy}")
    if found.learning_curve is not None:
        typer.echo(found.learning_curve.words)
    typer.echo(f"\nThe report: {page}")


class _Progress:
    """A bar on standard error where that is a terminal; and, when stopped by hand, a word about how far it came."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not sys.stderr.isatty(),
        )
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
            typer.echo("; ".join([f"stopped during: {self._last}", *notes, "no report was written"]), err=True)
