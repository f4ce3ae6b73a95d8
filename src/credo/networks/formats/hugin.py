"""Hugin's NET: nodes, and potentials whose numbers stand in parentheses nested by parent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from credo.beliefs.states import States
from credo.checks import shown
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.assembly import DECISIONS, Draft, add, assemble, listed
from credo.networks.formats.braces import ESCAPED_OR_OPEN, Block, blocks
from credo.networks.formats.text import Text, words

__all__ = ["read"]

COMMENTS = re.compile(rf"{ESCAPED_OR_OPEN}|%[^\r\n]*+", re.DOTALL)
SCOPE = re.compile(r"potential\s*+\(([^()|]*+)(?:\|([^()|]*+))?+\)", re.ASCII)
NODE = {"node", "discrete node", "chance node", "discrete chance node"}


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in a NET file.

    >>> read("coin.net", b'net {} node coin { states = ("h" "t"); } potential (coin) { data = (0.5 0.5); }').variables
    {'coin': ('h', 't')}
    """
    text = Text.of(file, data).without(COMMENTS, "%")
    variables: dict[str, States] = {}
    potentials = []
    for block in _parts(blocks(text)):
        *kind, name = block.head.split() or [""]
        if block.head.startswith("potential"):
            potentials.append(block)
        elif " ".join(kind) in NODE:
            add(variables, "".join(words(name, 1)), block.value("states").names, block.fail)
        elif {"decision", "utility"} & {*kind, name}:
            raise block.fail(DECISIONS)
        elif block.head.split()[:1] != ["net"]:
            raise block.fail(f"expected `net`, `node` or `potential`; found {shown(block.head)}")
    return assemble(file, variables, (_draft(block, variables) for block in potentials))


def _parts(outer: Iterable[Block]) -> Iterable[Block]:
    """The blocks, and in place of a `class` those within it."""
    for block in outer:
        yield from block.blocks if block.head.split()[:1] == ["class"] else [block]


def _draft(block: Block, variables: Mapping[str, States]) -> Draft:
    scope = SCOPE.fullmatch(block.head)
    names = words(scope[1], 0) if scope else []
    if scope is None or len(names) != 1:
        raise block.fail("expected `potential (variable | parents)`, with one variable")
    if "data" not in block.values and "model_data" in block.values:
        raise block.fail("expressions are not read: let Hugin write this table out as numbers")
    data = block.value("data")
    return listed(variables, names[0], words(scope[2] or "", 0), data.plain, data.fail)
