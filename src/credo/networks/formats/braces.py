"""What Hugin's and GeNIe's text formats share: blocks in braces that hold ``name = value;`` and further blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from credo.errors import FormatError
from credo.networks.formats.text import Text, words

__all__ = ["ESCAPED_OR_OPEN", "Block", "Value", "blocks"]

MOST_DEPTH = 32

ESCAPED = r'"(?:[^"\\]++|\\.)*+"'
#: The same where comments are looked for: what is never closed reaches to the end, so that it is gone through once.
ESCAPED_OR_OPEN = rf"{ESCAPED}?+"
VALUE = re.compile(rf'\s*+([^\s{{}}=;"]++)\s*+=\s*+([^;"{{}}]*+(?:{ESCAPED}[^;"{{}}]*+)*+);', re.ASCII | re.DOTALL)
OPEN = re.compile(rf'\s*+([^{{}}=;"]*+(?:{ESCAPED}[^{{}}=;"]*+)*+)=?+\s*+\{{', re.ASCII | re.DOTALL)
CLOSE = re.compile(r"[\s;]*+\}[\s;]*+", re.ASCII)
PARENTHESES = str.maketrans("()", "  ")


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a name, as it is written, and where."""

    text: Text
    content: str
    at: int

    @property
    def plain(self) -> str:
        """The value without parentheses, however they are nested; each character stays where it was."""
        return self.content.translate(PARENTHESES)

    @property
    def names(self) -> list[str]:
        """The names in a list."""
        return words(self.plain, 0)

    def fail(self, message: str, at: int | None = None) -> FormatError:
        """What to raise for something wrong at a place in the value."""
        return self.text.fail(message, self.at + (at or 0))


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """What stands before the braces, and what within."""

    text: Text
    head: str
    at: int
    values: dict[str, Value]
    blocks: list[Block]

    def fail(self, message: str) -> FormatError:
        """What to raise for something wrong with this block."""
        return self.text.fail(message, self.at)

    def value(self, name: str) -> Value:
        """The value of a name; refused if it has none."""
        if name not in self.values:
            raise self.fail(f"expected `{name} = …;` in this block")
        return self.values[name]

    def block(self, name: str) -> Block:
        """The block with this head; refused unless there is one."""
        found = [block for block in self.blocks if block.head == name]
        if len(found) != 1:
            raise self.fail(f"expected one block `{name} = {{ … }}`; found {len(found)}")
        return found[0]


def blocks(text: Text) -> list[Block]:
    """The outermost blocks of a text.

    >>> [block] = blocks(Text("a.net", 'node rain { states = ("yes" "no"); }'))
    >>> block.head, block.values["states"].names
    ('node rain', ['yes', 'no'])
    """
    top = Block(text, "", 0, {}, [])
    held, at = [top], 0
    content = text.content
    while True:
        if found := VALUE.match(content, at):
            if held[-1] is top:
                raise text.expected("a block in braces", at)
            held[-1].values[found[1]] = Value(text, found[2], found.start(2))
        elif found := CLOSE.match(content, at):
            if held.pop() is top:
                raise text.expected("a block; this brace closes none", at)
        elif found := OPEN.match(content, at):
            if len(held) > MOST_DEPTH:
                raise text.fail(f"expected blocks within each other at most {MOST_DEPTH} deep", found.start(1))
            made = Block(text, found[1].strip(), found.start(1), {}, [])
            held[-1].blocks.append(made)
            held.append(made)
        else:
            break
        at = found.end()
    if content[at:].strip(" \t\r\n;"):
        raise text.expected("`name = value;`, or a block in braces", at)
    if held[-1] is not top:
        raise held[-1].fail("this block is never closed")
    return top.blocks
