"""GeNIe's older DSL: the same as XDSL, in braces."""

from __future__ import annotations

import re
from collections.abc import Mapping

from credo.beliefs.states import States
from credo.checks import shown
from credo.errors import FormatError
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.assembly import DECISIONS, Draft, Expanding, add, assemble, certain, listed
from credo.networks.formats.braces import ESCAPED_OR_OPEN, Block, blocks
from credo.networks.formats.noisy import noisy_max
from credo.networks.formats.numbers import place
from credo.networks.formats.text import LONG_COMMENT, Text, words

__all__ = ["read"]

HASH_COMMENT = LONG_COMMENT.replace(r"\*", "#").replace("[^*]", "[^#]")  # from /# to #/
COMMENTS = re.compile(rf"{ESCAPED_OR_OPEN}|//[^\r\n]*+|{LONG_COMMENT}|{HASH_COMMENT}", re.DOTALL)
DECISION_TYPES = {"LIST", "DECISION", "TABLE", "UTILITY", "MAU"}


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in a DSL file.

    >>> coin = b"node coin { TYPE = CPT; DEFINITION = { NAMESTATES = (h, t); PROBABILITIES = (0.5, 0.5); }; };"
    >>> read("coin.dsl", b"net all { " + coin + b" };").variables
    {'coin': ('h', 't')}
    """
    text = Text.of(file, data).without(COMMENTS, "//", "/*", "/#")
    outer = blocks(text)
    if len(outer) != 1 or outer[0].head.split()[:1] != ["net"]:
        raise text.expected("`net name { … }`", 0)
    variables: dict[str, States] = {}
    nodes = [block for block in outer[0].blocks if block.head.split()[:1] == ["node"]]
    for node in nodes:
        kind = node.value("TYPE")
        if kind.content.strip() in DECISION_TYPES:
            raise kind.fail(DECISIONS)
        if kind.content.strip() not in ("CPT", "TRUTHTABLE", "NOISY_MAX"):
            raise kind.fail(
                f"nodes of type {shown(kind.content.strip())} are not read; write this one as a table (CPT)"
            )
        add(variables, _name(node), node.block("DEFINITION").value("NAMESTATES").names, node.fail)
    expanding = Expanding()
    name = " ".join(words(outer[0].head, 2)[1:])
    return assemble(file, variables, (_draft(node, variables, expanding) for node in nodes), name=name)


def _name(node: Block) -> str:
    return " ".join(words(node.head, 2)[1:])


def _draft(node: Block, variables: Mapping[str, States], expanding: Expanding) -> Draft:
    name, definition = _name(node), node.block("DEFINITION")
    parents = node.values["PARENTS"].names if "PARENTS" in node.values else []
    kind = node.value("TYPE").content.strip()
    if kind != "TRUTHTABLE":
        held = definition.value("PROBABILITIES")
        if kind == "CPT":
            return listed(variables, name, parents, held.plain, held.fail)
        strengths = definition.value("STRENGTHS").names
        return noisy_max(variables, name, parents, strengths, held.plain, held.fail, expanding)
    chosen = definition.value("RESULTINGSTATES")

    def refuse(message: str, row: int | None) -> FormatError:
        return chosen.fail(message, place(chosen.plain, row or 0))

    return certain(variables, name, parents, chosen.names, refuse, expanding)
