"""The options that say how a table is to be read, for every command that reads one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from credo.tables import Dialect, Table

__all__ = ["Missing", "Types", "Written", "dialect_of", "in_options", "kinds", "missing_texts", "read_table"]

Types = Annotated[
    list[str] | None,
    typer.Option(
        help="What a column is: age=category, or size=S,M,L for states in order; once for each.", show_default=False
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        help="How else a missing value is written, besides an empty cell, NA, ? and null; once for each.",
        show_default=False,
    ),
]
Written = Annotated[
    list[str] | None,
    typer.Option(
        "--dialect",
        help="How a text file is written, where that is guessed wrong: delimiter=';', decimal=',', header=no, quote='' "
        "or skip=3 (lines); once for each.",
        show_default=False,
    ),
]

ANSWERS = {"yes": True, "no": False}

# How the house says something in Python, and how a command says the same.
SPOKEN = (
    (re.compile(r"types=\{'([^']*)': '([^']*)'\}"), r"--types \1=\2"),
    (re.compile(r"types=\{\"([^\"]*)\": '([^']*)'\}"), r"--types '\1=\2'"),
    (re.compile(r"dialect=Dialect\((\w+)=('[^']*'|\"[^\"]*\"|\w+)\)"), r"--dialect \1=\2"),
    (re.compile(r"\bheader=True\b"), "--dialect header=yes"),
    (re.compile(r"\bheader=False\b"), "--dialect header=no"),
    (re.compile(r"\blist (it|them) in missing=(?=\W|$)"), r"name \1 by --missing"),
)


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


def missing_texts(given: Sequence[str] | None, known: Sequence[str] | None = None) -> tuple[str, ...]:
    """How missing values are written: as always (or as is ``known``), and as was ``given``.

    >>> missing_texts(["-999"], known=("", "NA"))
    ('', 'NA', '-999')
    """
    from credo.tables import MISSING

    return tuple(dict.fromkeys([*(MISSING if known is None else known), *(given or ())]))


def dialect_of(given: Sequence[str] | None) -> Dialect:
    r"""``decimal=,`` and ``skip=2`` as the dialect of ``Table.read``.

    >>> dialect_of(["decimal=,", r"delimiter=\t", "header=no"])
    Dialect(delimiter='\t', header=False, decimal=',', quote='"', skip=0)
    """
    from dataclasses import fields

    from credo import checks
    from credo.errors import BadParameter
    from credo.tables import Dialect

    found: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise BadParameter(f"--dialect must look like decimal=, or skip=2; got {text!r}")
        checks.known("part of a dialect", name, [field.name for field in fields(Dialect)])
        if name in found:
            raise BadParameter(f"--dialect says {name} twice; say it once")
        found[name] = value
    if "skip" in found:
        if not found["skip"].isdecimal():
            raise BadParameter(f"--dialect skip must be a number of lines; got {found['skip']!r}")
        found["skip"] = int(found["skip"])
    if found.get("header", "auto") != "auto":
        found["header"] = ANSWERS[checks.choice("--dialect header", found["header"], tuple(ANSWERS))]
    if found.get("delimiter") == "\\t":
        found["delimiter"] = "\t"
    return Dialect(**found)


def read_table(
    data: Path,
    *,
    types: Sequence[str] | None = None,
    missing: Sequence[str] | None = None,
    dialect: Sequence[str] | None = None,
) -> Table:
    """The table in a file, read as the options say."""
    from credo.tables import Table

    return Table.read(data, types=kinds(types), missing=missing_texts(missing), dialect=dialect_of(dialect))


def in_options(message: str) -> str:
    """A message of the house as a command says it: where it names an argument, the option.

    >>> in_options("kept as a count; say types={'age': 'category'} if they are labels")
    'kept as a count; say --types age=category if they are labels'
    """
    for pattern, option in SPOKEN:
        message = pattern.sub(option, message)
    return message
