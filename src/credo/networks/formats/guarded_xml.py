"""A tree of XML elements, read by a parser that declares no entities and opens no other file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.parsers import expat

from credo.checks import shown
from credo.errors import FormatError, TooLarge

__all__ = ["BLANKS", "Element", "parse"]

MOST_ELEMENTS, MOST_DEPTH = 2**20, 64
MOST_DEFAULT = 2**12  # characters of attribute values that a DTD gives
BLANKS = " \t\r\n"
LEAD = re.compile(rb"\s++(?=<\?xml\s)")
DECLARED = re.compile(rb"""<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)""")


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element: its tag and the names of its attributes in small letters, what is in it, and where it stands."""

    file: str
    tag: str
    attributes: Mapping[str, str]
    line: int
    column: int
    children: list[Element]
    pieces: list[str]

    @property
    def text(self) -> str:
        """The text directly within the element, without the blanks around it."""
        return "".join(self.pieces).strip(BLANKS)

    def fail(self, message: str) -> FormatError:
        """What to raise for something wrong in this element."""
        return FormatError(message, file=self.file, line=self.line, column=self.column)

    def all(self, *tags: str) -> Iterator[Element]:
        """The elements directly within this one that have one of the ``tags``."""
        return (child for child in self.children if child.tag in tags)

    def one(self, *tags: str) -> Element:
        """The one element directly within this one that has one of the ``tags``."""
        found = list(self.all(*tags))
        if len(found) != 1:
            raise self.fail(f"expected one <{tags[0]}> in <{self.tag}>; found {len(found)}")
        return found[0]


def parse(file: str, data: bytes) -> Element:
    """The root of the tree in an XML file.

    >>> parse("a.xml", b"<A><B>one</B><B>two</B></A>").children[1].text
    'two'
    """
    lead = LEAD.match(data)  # blanks before the declaration are a mistake that is made
    body, above = (data[lead.end() :], lead[0].count(b"\n")) if lead else (data, 0)
    parser = expat.ParserCreate(_encoding(body))
    parser.buffer_text = True
    parser.specified_attributes = True
    top = Element(file, "", {}, 1, 1, [], [])
    open_elements, counts = [top], {"elements": 0, "default": 0}

    def start(tag: str, attributes: dict[str, str]) -> None:
        counts["elements"] += 1
        if counts["elements"] > MOST_ELEMENTS:
            raise TooLarge(f"{file}: more than {MOST_ELEMENTS:,} elements; split the file")
        line, column = above + parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        if len(open_elements) > MOST_DEPTH:
            message = f"expected elements within each other at most {MOST_DEPTH} deep"
            raise FormatError(message, file=file, line=line, column=column)
        lower = {name.lower(): value for name, value in attributes.items()}
        made = Element(file, tag.lower(), lower, line, column, [], [])
        open_elements[-1].children.append(made)
        open_elements.append(made)

    def characters(piece: str) -> None:
        open_elements[-1].pieces.append(piece)

    def refuse(what: str) -> FormatError:
        return FormatError(f"{what} are not read", file=file, line=above + parser.CurrentLineNumber)

    def entity(name: str, *_: object) -> None:
        raise refuse(f"declarations of entities (here {shown(name)})")

    def reference(name: str | None, *_: object) -> int:
        raise refuse(f"references to what is not in the file (here {shown(name)})")

    def attribute(element: str, name: str, kind: str, default: str | None, *_: object) -> None:
        counts["default"] += len(element) + len(name) + len(kind) + len(default or "")
        if counts["default"] > MOST_DEFAULT:
            raise refuse(f"declarations of attributes beyond {MOST_DEFAULT:,} characters")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = reference
    parser.SkippedEntityHandler = reference
    parser.AttlistDeclHandler = attribute
    try:
        parser.Parse(body, True)
    except expat.ExpatError as cause:
        what = expat.ErrorString(cause.code)
        place = {"line": above + cause.lineno, "column": cause.offset + 1}
        raise FormatError(f"this is not XML ({what})", file=file, **place) from None
    except (LookupError, ValueError) as cause:
        if isinstance(cause, FormatError):
            raise
        raise FormatError(f"this XML is in an encoding that is not known ({cause})", file=file, line=1) from None
    return top.children[0]


def _encoding(data: bytes) -> str | None:
    """Latin-1, if it is not UTF-8 and does not say what it is; else None, and the parser finds out."""
    declared = DECLARED.match(data[:200])
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or (declared and declared[1].lower() not in (b"utf-8", b"utf8")):
        return None
    try:
        data.decode()
    except UnicodeDecodeError:
        return "iso-8859-1"
    return None
