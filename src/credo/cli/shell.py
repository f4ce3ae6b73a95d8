"""The application that the commands hang on, and what happens to their errors."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from typing import Annotated, TextIO

import typer

from credo.cli import bayes, compare, decide, evaluate, fit, network, plot, predict, query, study, table
from credo.cli.kinds import in_options
from credo.errors import CredoError, CredoWarning

__all__ = ["app", "main"]

app = typer.Typer(
    name="credo",
    help="Bayesian learning, inference and decision.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("study")(study.study)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("decide")(decide.decide)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(compare.compare)
app.command("plot")(plot.plot)
app.command("table")(table.table)
app.command("bayes")(bayes.bayes)
app.command("query")(query.query)
app.command("network")(network.network)


def _version(wanted: bool) -> None:  # noqa: FBT001 (typer calls it with the flag's value)
    if not wanted:
        return
    from credo import __version__, native

    typer.echo(f"credo {__version__} ({native.description()})")
    raise typer.Exit


@app.callback()
def _credo(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Version, and how loops run.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line: errors that can be foreseen become one line."""
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed; redirect it to a file, or to /dev/null")
        _speak_every_language()
        with warnings.catch_warnings():
            warnings.showwarning = _note
            app()
    except CredoError as error:
        _report(error)
        sys.exit(2)
    except OSError as error:  # a disk that is full, a folder that may not be written
        _report(error)
        sys.exit(2)


def _speak_every_language() -> None:
    """Files and pipes get UTF-8 whatever the locale, and what a terminal has no letter for is written out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _note(
    message: Warning | str,
    category: type[Warning],
    filename: str,  # noqa: ARG001 (what warnings call it with)
    lineno: int,  # noqa: ARG001
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    """A warning as a person wants to read it: what there is to know, not where in the code it was said."""
    said = in_options(str(message))
    typer.echo(f"note: {said}" if issubclass(category, CredoWarning) else f"{category.__name__}: {said}", err=True)


def _report(error: CredoError | OSError) -> None:
    message = in_options(str(error))
    if "--json" in sys.argv and sys.stdout is not None:
        import json

        with contextlib.suppress(OSError):  # what is wrong may be standard output itself
            typer.echo(json.dumps({"error": {"kind": type(error).__name__, "message": message}}))
            return
    typer.secho(f"credo: {message}", err=True, fg=typer.colors.RED)
