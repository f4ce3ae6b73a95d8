"""Text files row by row, strictly: the slow reader, for files that the fast one refuses or must not be trusted with.

It knows the line of every error, which the fast reader (DuckDB) does not when quoted fields hold line breaks.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from credo.errors import FormatError
from credo.tables.dialect import Dialect, reader
from credo.tables.files import LONGEST_LINE, Found, guarded, text_stream

__all__ = ["rows", "write_plain"]


def rows(found: Found, encoding: str, dialect: Dialect, width: int) -> Iterator[list[str]]:
    """The records below the header, each of ``width`` fields; empty lines are left out unless there is one column.

    Line breaks inside fields come as line feeds.
    """
    with guarded(found), text_stream(found, encoding) as stream:
        lines = itertools.islice(_lines(stream, found), dialect.skip, None)
        source = reader(lines, dialect.delimiter, dialect.quote, strict=True)
        start = dialect.skip + 1
        awaited = bool(dialect.header)
        while True:
            try:
                row = next(source)
            except StopIteration:
                return
            except csv.Error as cause:
                raise _broken(found, start, source.line_num + dialect.skip, cause) from None
            if not row and width == 1:
                row = [""]
            if row and awaited:
                awaited = False
            elif row:
                yield _fitted(row, width, found, start)
            start = source.line_num + dialect.skip + 1


def _lines(stream: IO[str], found: Found) -> Iterator[str]:
    """The lines, none of them longer than memory should hold."""
    for number in itertools.count(1):
        line = stream.readline(LONGEST_LINE)
        if not line:
            return
        if len(line) == LONGEST_LINE:
            raise FormatError(f"a line of more than {LONGEST_LINE >> 20} MiB", file=found.name, line=number)
        yield line


def _broken(found: Found, start: int, end: int, cause: csv.Error) -> FormatError:
    if "end of data" in str(cause) or "field larger" in str(cause):
        return FormatError(
            "a quote is opened in this record and not closed. If quotes are ordinary characters here, "
            "say dialect=Dialect(quote='')",
            file=found.name,
            line=start,
        )
    return FormatError(
        f"a quoted field goes on after its closing quote ({cause}). If quotes are ordinary characters here, "
        "say dialect=Dialect(quote='')",
        file=found.name,
        line=end,
    )


def _fitted(row: list[str], width: int, found: Found, line: int) -> list[str]:
    if len(row) == width + 1 and not row[-1]:  # a delimiter at the end of the line: nothing is lost
        row = row[:-1]
    if len(row) != width:
        fields = f"{len(row)} field{'s' * (len(row) != 1)}"
        remedy = "Put a field that holds the delimiter into quotes" if len(row) > width else "Complete or remove it"
        raise FormatError(f"{fields} where the first line has {width}. {remedy}", file=found.name, line=line)
    return [cell.replace("\r\n", "\n").replace("\r", "\n") if "\r" in cell else cell for cell in row]


def write_plain(source: Iterator[list[str]], target: Path) -> None:
    """Write records as plain CSV in UTF-8."""
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(source)
