"""The command line: one command a file; text for people, ``--json`` for programs.

Each command module imports what it needs inside its function, so that ``credo --help`` stays quick. A ``CredoError``
becomes one line on standard error and exit code 2; with ``--json`` it becomes ``{"error": {"kind", "message"}}`` on
standard output. Ctrl-C exits with 130.
"""

from __future__ import annotations

from credo.cli.shell import app, main

__all__ = ["app", "main"]
