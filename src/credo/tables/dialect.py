"""How a text file is written: its delimiter, its header, its decimal sign."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from credo import checks
from credo.errors import BadParameter, FormatError
from credo.tables.cells import number
from credo.tables.evidence import INFINITE, NUMBER
from credo.tables.schema import BLANKS

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

__all__ = ["AUTOMATIC", "Dialect", "reader"]

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

#: Lines of a format that would come out as one column of text.
SPARSE = re.compile(r"[+-]?[0-9.]+( +[0-9]+:[-+0-9.eE]+)+")

#: What may be a whole number with its thousands apart as well as one with a decimal comma: 1,250 but not 0,250.
GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")

#: How many records the delimiter, the header and the decimal sign are told from.
LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text file is written; what is "auto" is told from its first lines.

    ``delimiter`` is one character, " " for any run of blanks and tabs; ``header`` says whether the first line names the
    columns, ``decimal`` is "." or ",", ``quote`` the character that fields may be quoted with ("" for none), ``skip``
    how many lines come before the data. A decimal comma is told from a column of which all first numbers are whole or
    have one, unless each of them may as well be written with its thousands apart, and is noted.

    >>> Dialect(decimal=",").delimiter
    'auto'
    """

    delimiter: str = "auto"
    header: bool | str = "auto"
    decimal: str = "auto"
    quote: str = '"'
    skip: int = 0

    def __post_init__(self) -> None:
        if self.delimiter != "auto" and (
            not isinstance(self.delimiter, str) or len(self.delimiter) != 1 or self.delimiter in "\r\n" + self.quote
        ):
            raise BadParameter(f"delimiter must be 'auto' or one character; got {checks.shown(self.delimiter)}")
        if not isinstance(self.header, bool):
            checks.choice("header", self.header, ("auto", True, False))
        checks.choice("decimal", self.decimal, ("auto", ".", ","))
        checks.choice("quote", self.quote, ('"', "'", ""))
        checks.count("skip", self.skip)

    def settled(self, sample: str, file: str) -> tuple[Dialect, list[str], tuple[str, ...]]:
        """The dialect with nothing left automatic, the cells of the first record, and notes for a person.

        ``sample`` is the beginning of the file, made of whole lines.
        """
        lines = sample.splitlines(keepends=True)[self.skip :]
        empty = next((i for i, line in enumerate(lines) if line.strip(BLANKS)), len(lines))
        if empty == len(lines):
            raise FormatError("there is nothing but empty lines", file=file)
        if self.delimiter == "auto" and SPARSE.fullmatch(lines[empty].strip(BLANKS)):
            raise FormatError(
                "this looks like LIBSVM's sparse format: sklearn.datasets.load_svmlight_file reads it into a matrix",
                file=file,
                line=self.skip + empty + 1,
            )
        delimiter = self.delimiter if self.delimiter != "auto" else _delimiter(lines, file, self)
        rows = records(lines, delimiter, self.quote)
        # (a delimiter at the end of a line is let pass: nothing is lost)
        common = _common([len(row) - (len(row) == len(rows[0]) + 1 and not row[-1].strip(BLANKS)) for row in rows])
        if len(rows[0]) != common and self.delimiter == "auto":
            raise FormatError(
                f"{len(rows[0])} field{'s' * (len(rows[0]) != 1)} where the lines below have {common}; if this is a "
                f"remark, leave it out with dialect=Dialect(skip={self.skip + empty + 1})",
                file=file,
                line=self.skip + empty + 1,
            )
        first = [cell.strip(BLANKS) for cell in rows[0]]
        below = [[cell.strip(BLANKS) for cell in row] for row in rows[1:] if len(row) == len(first)]
        notes = []
        decimal = self.decimal
        if decimal == "auto":
            decimal = _decimal(first, below)
            if decimal == ",":
                notes.append("numbers have a decimal comma; say dialect=Dialect(decimal='.') if those are texts")
        header = self.header
        if header == "auto":
            header = _is_header(first, below, decimal)
            if not header:
                notes.append(
                    "no header line: columns are named column_1, column_2, ...; say header=True if there is one"
                )
        settled = replace(self, delimiter=delimiter, header=header, decimal=decimal, skip=self.skip + empty)
        return settled, first, tuple(notes)


def records(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """The first records in ``lines``, without empty lines; never empty."""
    rows = []
    try:
        for row in reader(lines, delimiter, quote):
            if row:
                rows.append(row)
            if len(rows) == LOOKED_AT:
                break
    except csv.Error:
        pass  # the file is read strictly later on, and then the error has its line
    return rows or [[""]]


def reader(lines: Iterable[str], delimiter: str, quote: str, *, strict: bool = False) -> CsvReader:
    """Python's own reader of such files; an error has its line in ``line_num``."""
    if (
        delimiter == " "
    ):  # of a run of blanks, the first ends a field and the others come before the next, and are skipped
        lines = (line.replace("\t", " ").strip(" \r\n") + "\n" for line in lines)
    return csv.reader(
        lines,
        delimiter=delimiter,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=True,
        strict=strict,
    )


def _common(widths: Sequence[int]) -> int:
    """The most frequent number of fields; of equally frequent ones the largest."""
    return max(set(widths), key=lambda width: (widths.count(width), width))


def _delimiter(lines: Sequence[str], file: str, dialect: Dialect) -> str:
    """The delimiter that cuts most of the first records, and the very first, into the same number of fields.

    Of several, the one that leaves the most numbers: "1,5;2,5" is two of them, not three fields.
    """
    first = [line.strip(BLANKS) for line in lines[:LOOKED_AT] if line.strip(BLANKS)][:2]
    if any(" " in line and len(line.split()) > 1 and all(map(NUMBER.fullmatch, line.split())) for line in first):
        return " "
    best, candidate = (0.0, False, 0.0, 0), ","
    for delimiter in DELIMITERS:
        if delimiter == dialect.decimal:
            continue
        rows = records(lines, delimiter, dialect.quote)
        widths = [len(row) for row in rows]
        common = _common(widths)
        if common == 1:
            continue
        hint = delimiter == "\t" and ".tsv" in file.lower()
        agreement = (
            round(widths.count(common) / len(widths), 1) + hint,
            widths[0] == common,
            _numeric([cell.strip(BLANKS) for row in rows[:20] for cell in row[:50]]),
            common,
        )
        if agreement > best:
            best, candidate = agreement, delimiter
    return candidate


def _numeric(cells: Sequence[str]) -> float:
    """The share of the cells that are numbers with either decimal sign."""
    return sum(number(cell) is not None or number(cell, ",") is not None for cell in cells) / len(cells)


def _decimal(first: Sequence[str], below: Sequence[Sequence[str]]) -> str:
    """A comma, if only that makes numbers of some column; what has no digit, such as "NA", speaks neither way."""
    for j in range(len(first)):
        cells = [row[j] for row in below if any(map(str.isdigit, row[j]))]
        odd = [cell for cell in cells if "," in cell]
        if odd and all(number(cell, ",") is not None for cell in cells) and not all(map(GROUPED.fullmatch, odd)):
            return ","
    return "."


def _is_header(first: Sequence[str], below: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether the first record names the columns.

    Names are texts and differ. If the column of some name holds numbers it is a name; if a would-be name stands again
    in its own column it is a label.
    """
    if any(number(cell, decimal) is not None or INFINITE.fullmatch(cell) for cell in first):
        return False
    if _over_numbers(first, below, decimal):
        return True
    return len(set(first)) == len(first) and not any(row[j] == cell for j, cell in enumerate(first) for row in below)


def _over_numbers(first: Sequence[str], below: Sequence[Sequence[str]], decimal: str) -> bool:
    """Whether some column is all numbers below its first cell, which is not one."""
    return bool(below) and any(all(number(row[j], decimal) is not None for row in below) for j in range(len(first)))


AUTOMATIC = Dialect()
