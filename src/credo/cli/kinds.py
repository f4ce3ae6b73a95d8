"""The option that says what columns are, for every command that reads a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

__all__ = ["Types", "kinds"]

Types = Annotated[
    list[str] | None,
    typer.Option(
        help="What a column is: age=category, or size=S,M,L for states in order; once for each.", show_default=False
    ),
]


def kinds(given: Sequence[str] | None) -> dict[str, str | list[str]]:
    """``age=category`` and ``size=S,M,L`` as the types of ``Table.read``.

    >>> kinds(["age=category", "size=S,M,L"])
    {'age': 'category', 'size': ['S', 'M', 'L']}
    """
    from credo.errors import BadParameter

    found: dict[str, str | list[str]] = {}
    for text in given or ():
        name, equals, kind = text.rpartition("=")
        if not equals or not name or not kind:
            raise BadParameter(f"--types must look like age=category or size=S,M,L; got {text!r}")
        found[name] = kind.split(",") if "," in kind else kind
    return found
