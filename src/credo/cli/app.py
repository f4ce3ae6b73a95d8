"""The application that the commands hang on, and what happens to their errors."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from credo.cli import bayes, predict, study, table
from credo.errors import CredoError

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
app.command("predict")(predict.predict)
app.command("table")(table.table)
app.command("bayes")(bayes.bayes)


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
    """Run the command line: errors that Credo foresees become one line, and Ctrl-C is not a crash."""
    try:
        app()
    except CredoError as error:
        _report(error)
        sys.exit(2)
    except KeyboardInterrupt:  # before or after a command; typer answers the same while one runs
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _report(error: CredoError) -> None:
    if "--json" in sys.argv:
        import json

        typer.echo(json.dumps({"error": {"kind": type(error).__name__, "message": str(error)}}))
    else:
        typer.secho(f"credo: {error}", err=True, fg=typer.colors.RED)
