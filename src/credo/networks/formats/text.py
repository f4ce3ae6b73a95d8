"""The contents of a file: unpacked within bounds, decoded, and the line and column of any place in it."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import zlib
from dataclasses import dataclass

from credo.checks import shown
from credo.errors import FormatError, TooLarge
from credo.tables.files import find

__all__ = ["C_COMMENTS", "LONG_COMMENT", "QUOTED", "Text", "contents", "words"]

#: What is read of a file at most, once it is unpacked; and how far gzip may have packed what exceeds the first MiB.
MOST_BYTES = 2**28
MOST_RATIO, FREE = 1000, 2**20

QUOTED = '"[^"]*+"'
#: From /* to */ or, if it is never closed, to the end of the file.
LONG_COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+"
#: Comments, and quoted names, in which there are none.
C_COMMENTS = re.compile(rf"{QUOTED}|//[^\r\n]*+|{LONG_COMMENT}")
NOT_A_BREAK = re.compile(r"[^\r\n]")
PLAIN = re.compile(r"[^\s,]+", re.ASCII)
WORD = re.compile(r'"([^"]*)"|([^\s,"]+)', re.ASCII)
MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}


def contents(path: str | os.PathLike[str]) -> tuple[str, bytes]:
    """The name of a file for messages, and its bytes, unpacked if it is gzipped."""
    found = find(path)
    try:
        if not found.zipped:
            if found.size > MOST_BYTES:
                raise TooLarge(f"{found.name}: {found.size:,} bytes; at most {MOST_BYTES:,} are read")
            return found.name, found.path.read_bytes()
        return found.name, _unpacked(found.path, found.size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as cause:
        raise FormatError(f"the gzip data are truncated or damaged ({cause})", file=found.name) from None
    except OSError as cause:
        raise FormatError(f"this file cannot be read ({cause.strerror or cause})", file=found.name) from None


def _unpacked(path: os.PathLike[str], packed: int) -> bytes:
    pieces, size = [], 0
    with gzip.open(path) as file:
        while piece := file.read(FREE):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_BYTES or (size > FREE and size > MOST_RATIO * packed):
                raise TooLarge(
                    f"{path}: {packed:,} bytes unpack to {size:,} or more; at most {MOST_BYTES:,} are read, and "
                    f"{MOST_RATIO} times what is packed. If the file can be trusted, unpack it first"
                )
    return b"".join(pieces)


@dataclass(frozen=True, slots=True)
class Text:
    """The decoded contents of a file."""

    file: str
    content: str

    @classmethod
    def of(cls, file: str, data: bytes) -> Text:
        """Decode UTF-8, UTF-16 with its mark, or else Latin-1, in which any byte means something.

        >>> Text.of("a.bif", "Bär".encode("latin-1")).content
        'Bär'
        """
        encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8")
        try:
            return cls(file, data.decode(encoding))
        except UnicodeDecodeError:
            return cls(file, data.decode("latin-1"))

    def fail(self, message: str, at: int) -> FormatError:
        """What to raise for something wrong ``at`` a place in the content.

        >>> print(Text("a.bif", "one\\ntwo").fail("expected 2", 4))
        a.bif, line 2, column 1: expected 2
        """
        before = self.content[:at]
        line_break = "\n" if "\n" in self.content else "\r"
        line = before.count(line_break) + 1
        return FormatError(message, file=self.file, line=line, column=at - before.rfind(line_break))

    def expected(self, what: str, at: int) -> FormatError:
        """What to raise where something else stands at the first character from ``at`` on that is not blank."""
        at = len(self.content) - len(self.content[at:].lstrip())
        found = re.compile(r"\w+|.").match(self.content, at)
        return self.fail(f"expected {what}; found {shown(found[0]) if found else 'the end of the file'}", at)

    def without(self, comments: re.Pattern[str], *marks: str) -> Text:
        """The text with comments, if any of the ``marks`` is in it, replaced by blanks: every place stays where it is.

        >>> Text("a.bif", "a // b").without(C_COMMENTS, "//", "/*").content
        'a     '
        """
        some = any(mark in self.content for mark in marks)
        return Text(self.file, comments.sub(_blank, self.content)) if some else self


def _blank(found: re.Match[str]) -> str:
    held = found[0]
    return held if held.startswith('"') else NOT_A_BREAK.sub(" ", held)


def words(text: str, count: int) -> list[str]:
    """The names in a list, quoted or not; unless they are ``count``, commas may set them apart.

    >>> words('yes, "not yet"', 2), words("not yet, yes", 2)
    (['yes', 'not yet'], ['not yet', 'yes'])
    """
    if '"' in text:
        return [quoted or plain for quoted, plain in WORD.findall(text)]
    found: list[str] = PLAIN.findall(text)
    if len(found) != count:
        apart = [piece.strip() for piece in text.split(",")]
        if len(apart) == count and all(apart):
            return apart
    return found
