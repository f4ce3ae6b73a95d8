"""Write the command line's reference from the commands themselves: ``python tools/cli_reference.py docs/commands.md``.

A test compares the file with what this prints, so the page cannot lie.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import typer.main

from credo.cli import app

HEAD = """# The commands

Made from the commands themselves by `make docs`; do not edit. Every command answers `--help`. An error is one line on
standard error with exit code 2; with `--json` it is `{"error": {"kind": ..., "message": ...}}` on standard output.
"""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
    plain = isinstance(parameter.default, str | int | float) and not isinstance(parameter.default, bool)
    default = f" Default: {parameter.default}." if plain else ""
    needed = " Required." if parameter.required else ""
    return f"| `{name}` | {_cell(parameter.help or '')}{default}{needed} |"


def reference() -> str:
    """The whole page as Markdown."""
    group: Any = typer.main.get_command(app)
    parts = [HEAD]
    for name in sorted(group.commands):
        command = group.commands[name]
        parts.append(f"## `credo {name}`\n\n{inspect.cleandoc(command.help or '')}\n")
        shown = [_parameter(p) for p in command.params if p.name != "help"]
        parts.append("\n".join(["| argument | meaning |", "|---|---|", *shown]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
