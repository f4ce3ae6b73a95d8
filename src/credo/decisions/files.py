"""A table of losses in a CSV file."""

from __future__ import annotations

import csv
import math
import zlib
from pathlib import Path

from credo.errors import FormatError
from credo.tables.files import find, text_stream

__all__ = ["read_table"]


def read_table(path: str | Path) -> tuple[list[list[float]], list[str], list[str]]:
    """The numbers of the file, the names of its rows and the names of its columns."""
    found = find(path)
    header: list[str] | None = None
    rows: list[list[float]] = []
    names: list[str] = []
    try:
        with text_stream(found, "utf-8-sig") as file:
            reader = csv.reader(file, strict=True, skipinitialspace=True)
            for fields in reader:
                if not any(field.strip() for field in fields):
                    continue
                if header is None:
                    header = _names(fields[1:], path, reader.line_num)
                    continue
                rows.append(_numbers(fields, header, path, reader.line_num))
                if fields[0].strip() in names:
                    raise FormatError(f"the row {fields[0]!r} stands twice", file=path, line=reader.line_num, column=1)
                names.append(fields[0].strip())
    except UnicodeDecodeError:
        raise FormatError("losses must be a CSV file in UTF-8; save it so", file=path) from None
    except (OSError, EOFError, zlib.error, csv.Error) as cause:
        raise FormatError(f"cannot be read as a CSV file of losses ({cause})", file=path) from None
    if header is None or not rows:
        raise FormatError(
            "the first line must name the states, and each line after it an action and its losses", file=path, line=1
        )
    return rows, names, header


def _names(fields: list[str], path: str | Path, line: int) -> list[str]:
    names = [field.strip() for field in fields]
    for column, name in enumerate(names, start=2):
        if not name or name in names[: column - 2]:
            problem = f"the state {name!r} stands twice" if name else "a state without a name"
            raise FormatError(problem, file=path, line=line, column=column)
    if not names:
        raise FormatError(
            "no states; the first line must be a free field and then the names of the states", file=path, line=line
        )
    return names


def _numbers(fields: list[str], header: list[str], path: str | Path, line: int) -> list[float]:
    if not fields[0].strip():
        raise FormatError("an action without a name", file=path, line=line, column=1)
    if len(fields) != len(header) + 1:
        raise FormatError(f"{len(fields)} fields where the first line has {len(header) + 1}", file=path, line=line)
    numbers = []
    for column, (field, state) in enumerate(zip(fields[1:], header, strict=True), start=2):
        try:
            number = float(field)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise FormatError(
                f"the loss of {fields[0].strip()!r} when it is {state!r} must be a finite number; got {field!r}",
                file=path,
                line=line,
                column=column,
            )
        numbers.append(number)
    return numbers
