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
MOST_DECLARED = 2**12  # characters of the attributes that a DTD declares
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
    tree = Tree(file, parser, above)
    parser.buffer_text = True
    parser.specified_attributes = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.characters
    parser.EntityDeclHandler = tree.entity
    parser.ExternalEntityRefHandler = tree.reference
    parser.SkippedEntityHandler = tree.reference
    parser.AttlistDeclHandler = tree.attribute
    try:
        parser.Parse(body, True)
    except expat.ExpatError as cause:
        what, line = expat.ErrorString(cause.code), above + cause.lineno
        raise FormatError(f"this is not XML ({what})", file=file, line=line, column=cause.offset + 1) from None
    except (LookupError, ValueError) as cause:
        if isinstance(cause, FormatError):
            raise
        raise FormatError(f"this XML is in an encoding that is not known ({cause})", file=file, line=1) from None
    return tree.top.children[0]


class Tree:
    """What the parser calls as it goes through a file."""

    def __init__(self, file: str, parser: expat.XMLParserType, above: int) -> None:
        self.file, self.parser, self.above = file, parser, above
        self.top = Element(file, "", {}, 1, 1, [], [])
        self.open = [self.top]
        self.elements = self.declared = 0

    @property
    def place(self) -> tuple[int, int]:
        """The line and column where the parser is."""
        return self.above + self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def refuse(self, what: str) -> FormatError:
        """What to raise for something at the present place."""
        line, column = self.place
        return FormatError(what, file=self.file, line=line, column=column)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            raise TooLarge(f"{self.file}: more than {MOST_ELEMENTS:,} elements; split the file")
        if len(self.open) > MOST_DEPTH:
            raise self.refuse(f"expected elements within each other at most {MOST_DEPTH} deep")
        lower = {name.lower(): value for name, value in attributes.items()}
        made = Element(self.file, tag.lower(), lower, *self.place, [], [])
        self.open[-1].children.append(made)
        self.open.append(made)

    def end(self, _: str) -> None:
        """An element ends."""
        self.open.pop()

    def characters(self, piece: str) -> None:
        """There is text in an element."""
        self.open[-1].pieces.append(piece)

    def entity(self, name: str, *_: object) -> None:
        """An entity is declared."""
        raise self.refuse(f"declarations of entities (here {shown(name)}) are not read")

    def reference(self, name: str | None, *_: object) -> int:
        """Something is referred to that is not in the file."""
        raise self.refuse(f"references to what is not in the file (here {shown(name)}) are not read")

    def attribute(self, element: str, name: str, kind: str, default: str | None, *_: object) -> None:
        """An attribute is declared; if it has a value of its own, it would be multiplied by every element."""
        self.declared += len(element) + len(name) + len(kind) + len(default or "")
        if self.declared > MOST_DECLARED:
            raise self.refuse(f"declarations of attributes beyond {MOST_DECLARED:,} characters are not read")


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
