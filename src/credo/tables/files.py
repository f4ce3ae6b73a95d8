"""Finding a file, telling what it is by its first bytes, and going once through a text file before it is trusted."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from credo import checks
from credo.errors import FormatError

__all__ = ["Found", "Scan", "find", "scan", "text_stream"]

#: A longer line is not a line of data, and reading it would need that much memory at once.
LONGEST_LINE = 64 * 2**20
SAMPLE = 2**20
CHUNK = 2**22

#: Where one of these stands below the header, DuckDB may take a text for a number that is none: 1_000, +-1, or one with
#: a blank other than those that are stripped.
DOUBTFUL = (b"_", b"+-", b"\v", b"\f")

MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF16_LE: "utf-16"}
MARKS[codecs.BOM_UTF16_BE] = "utf-16"

MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"FEA1": "arrow", b"\xff\xff\xff\xff": "stream"}
OTHERS = {
    b"PK\x03\x04": "a zip archive (or a spreadsheet): unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet: save it as CSV",
    b"SQLite format 3": "a SQLite database: write the table out as CSV or Parquet",
    b"\x89HDF": "an HDF5 file: write the table out as CSV or Parquet",
    b"BZh": "compressed with bzip2: unpack it, or use gzip",
    b"\xfd7zXZ": "compressed with xz: unpack it, or use gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: unpack it, or use gzip",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A file that is there: its form, whether it is gzipped, and its size in bytes."""

    path: Path
    form: str  # "text", "json", "list" (in one JSON list), "parquet", "arrow" or "stream" (Arrow's other form)
    zipped: bool
    size: int

    @property
    def name(self) -> str:
        """The name in error messages."""
        return str(self.path)

    @property
    def suffix(self) -> str:
        """The suffix that speaks of the content, ``.csv`` for ``a.csv.gz``."""
        return (Path(self.path.stem) if self.zipped else self.path).suffix.lower()


def find(path: str | os.PathLike[str]) -> Found:
    """The file at ``path``, if it can be read and may hold a table."""
    place = checks.path("path", path)
    try:
        state = place.stat()
        if stat.S_ISDIR(state.st_mode):
            raise FormatError(f"this is a directory; name a file in it.{_beside(place)}", file=place)
        if not stat.S_ISREG(state.st_mode):
            raise FormatError("this is not a regular file; copy its content into one", file=place)
        with place.open("rb") as file:
            start = file.read(64)
        zipped = start.startswith(b"\x1f\x8b")
        if zipped:
            with gzip.open(place) as unzipped:
                start = unzipped.read(64)
    except FileNotFoundError:
        raise FormatError(f"there is no such file.{checks.nearest_file(place)}", file=place) from None
    except PermissionError:
        raise FormatError("the permissions of this file do not let it be read", file=place) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as cause:
        raise FormatError(f"the gzip data are truncated or damaged ({cause})", file=place) from None
    except OSError as cause:
        raise FormatError(f"this file cannot be read ({cause.strerror or cause})", file=place) from None
    return Found(place, _form(place, start, zipped=zipped), zipped, state.st_size)


def _beside(place: Path) -> str:
    try:
        return checks.nearest("", sorted(entry.name for entry in place.iterdir()))
    except OSError:
        return ""


def _form(place: Path, start: bytes, *, zipped: bool) -> str:
    if not start:
        raise FormatError("the file is empty", file=place)
    for magic, what in OTHERS.items():
        if start.startswith(magic):
            raise FormatError(f"this is {what}", file=place)
    for magic, form in MAGIC.items():
        if start.startswith(magic):
            if zipped:
                raise FormatError(f"a gzipped {form} file cannot be read in pieces: unpack it first", file=place)
            return form
    suffix = (Path(place.stem) if zipped else place).suffix.lower()
    if suffix in (".parquet", ".feather", ".arrow"):
        raise FormatError(f"this is no {suffix[1:]} file: it starts with {start[:4]!r}", file=place)
    text = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if suffix == ".json" and text.startswith(b"["):
        return "list"
    return "json" if suffix in (".jsonl", ".ndjson", ".json") or text.startswith(b'{"') else "text"


@dataclass(frozen=True, slots=True)
class Scan:
    """What one pass over a text file told: its size when unpacked, encoding, first lines, longest line and notes."""

    size: int
    encoding: str
    sample: str
    longest: int
    returns: bool  # there are carriage returns
    plain: bool  # UTF-8 with one kind of line ending: the fast reader can be trusted with it
    doubtful: bool = True  # what the fast reader takes for a number may be none
    notes: tuple[str, ...] = ()


def scan(found: Found) -> Scan:
    """Go through a text file once: no NUL bytes, no endless lines, whole gzip data, and the encoding known."""
    with guarded(found), _binary(found) as file:
        start = file.read(4)
        marked = next((encoding for mark, encoding in MARKS.items() if start.startswith(mark)), None)
    encoding, size, longest, returns, plain, doubtful = marked or "utf-8-sig", found.size, 0, False, False, True
    notes: tuple[str, ...] = ()
    if marked is None:
        size, longest, returns, plain, doubtful, wrong = _bytes(found)
        if wrong:
            encoding, plain = "latin-1", False
            notes = (f"not UTF-8 (first on line {wrong}): read as Latin-1, in which every byte is some letter",)
    with guarded(found), text_stream(found, encoding) as stream:
        sample = stream.read(SAMPLE)
    whole = sample if len(sample) < SAMPLE else sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    return Scan(size, encoding, whole, longest, returns, plain, doubtful, notes)


def _bytes(found: Found) -> tuple[int, int, bool, bool, bool, int]:
    """Size, longest line, carriage returns?, plain?, doubtful?, and the first line that is not UTF-8 (or 0)."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    size = longest = current = lines = returns = pairs = wrong = 0
    doubtful, last = False, b""
    with guarded(found), _binary(found) as file:
        while chunk := file.read(CHUNK):
            if b"\0" in chunk:
                line = lines + chunk[: chunk.index(b"\0")].count(b"\n") + 1
                raise FormatError("a NUL byte: this is not a text file", file=found.name, line=line)
            if not wrong:
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError as cause:
                    wrong = lines + chunk[: max(0, cause.start)].count(b"\n") + 1
            ends = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == ord("\n"))
            if len(ends):
                longest = max(longest, current + int(ends[0]), int(np.diff(ends).max(initial=0)))
                current = len(chunk) - int(ends[-1]) - 1
            else:
                current += len(chunk)
            longest = max(longest, current)
            if longest > LONGEST_LINE:
                raise FormatError(
                    f"a line of more than {LONGEST_LINE >> 20} MiB: is this a text file with one row a line?",
                    file=found.name,
                    line=lines + len(ends) + 1 if not len(ends) else None,
                )
            body = last + chunk if size else chunk[chunk.find(b"\n") + 1 :]
            doubtful = doubtful or any(mark in body for mark in DOUBTFUL)
            size += len(chunk)
            lines += len(ends)
            returned = chunk.count(b"\r")
            returns += returned
            pairs += (returned and chunk.count(b"\r\n")) + (last == b"\r" and chunk[:1] == b"\n")
            last = chunk[-1:]
    if not wrong:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            wrong = lines + 1
    return size, longest, returns > 0, returns == 0 or returns == pairs == lines, doubtful, wrong


def _binary(found: Found) -> IO[bytes]:
    return gzip.open(found.path, "rb") if found.zipped else found.path.open("rb")  # type: ignore[return-value]


@contextlib.contextmanager
def text_stream(found: Found, encoding: str) -> Iterator[io.TextIOWrapper]:
    """The file as text, its line endings as they are."""
    with _binary(found) as binary, io.TextIOWrapper(binary, encoding=encoding, newline="") as stream:
        yield stream


@contextlib.contextmanager
def guarded(found: Found) -> Iterator[Any]:
    """Damage that shows only while reading becomes a ``FormatError``."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as cause:
        raise FormatError(f"the gzip data are truncated or damaged ({cause})", file=found.name) from None
    except UnicodeError as cause:
        raise FormatError(f"the text cannot be decoded ({cause})", file=found.name) from None
    except OSError as cause:
        raise FormatError(f"this file cannot be read ({cause.strerror or cause})", file=found.name) from None
