"""A command called as a person would, for its text, and as a program would, for its document."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner

from credo.cli import app


def text_of(command: str, *arguments: object) -> str:
    """What the command prints."""
    result = CliRunner().invoke(app, [command, *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def document_of(command: str, *arguments: object) -> dict[str, Any]:
    """What the command prints with --json."""
    document = json.loads(text_of(command, *arguments, "--json"))
    assert isinstance(document, dict)
    return document
