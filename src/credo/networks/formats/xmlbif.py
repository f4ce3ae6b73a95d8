"""XMLBIF 0.3, and aGrUM's BIFXML, which is the same but for its properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

from credo.beliefs.states import States
from credo.checks import shown
from credo.errors import FormatError, InvalidInput
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats import xdsl
from credo.networks.formats.assembly import DECISIONS, Draft, add, assemble, bayesian, labels, listed
from credo.networks.formats.guarded_xml import BLANKS, Element, parse
from credo.networks.markov import MarkovNetwork

__all__ = ["read", "write"]

FORBIDDEN = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")  # by XML itself


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in an XMLBIF or BIFXML file, or in an XML file that turns out to be GeNIe's.

    >>> coin = b"<VARIABLE TYPE='nature'><NAME>coin</NAME><OUTCOME>heads</OUTCOME><OUTCOME>tails</OUTCOME></VARIABLE>"
    >>> table = b"<DEFINITION><FOR>coin</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>"
    >>> read("coin.xml", b"<BIF><NETWORK>" + coin + table + b"</NETWORK></BIF>").variables
    {'coin': ('heads', 'tails')}
    """
    root = parse(file, data)
    if root.tag == "smile":
        return xdsl.from_tree(root)
    if root.tag != "bif":
        raise root.fail(f"expected <BIF> of XMLBIF or <smile> of GeNIe; found <{root.tag[:40]}>")
    network = root.one("network")
    variables: dict[str, States] = {}
    for each in network.all("variable"):
        kind = each.attributes.get("type", "nature")
        if kind != "nature":
            raise each.fail(
                DECISIONS if kind in ("decision", "utility") else f"expected TYPE nature; found {kind[:40]!r}"
            )
        states = [state.text for state in each.all("outcome", "value")]
        add(variables, each.one("name").text, states, each.fail)
    name = next((each.text for each in network.all("name")), "")
    tables = (_draft(each, variables) for each in network.all("definition", "probability"))
    return assemble(file, variables, tables, name=name)


def _draft(definition: Element, variables: Mapping[str, States]) -> Draft:
    table = definition.one("table")
    parents = [each.text for each in definition.all("given")]

    def fail(message: str, _: int) -> FormatError:
        return table.fail(message)

    return listed(variables, definition.one("for").text, parents, table.text, fail)


def write(network: BayesianNetwork | MarkovNetwork) -> str:
    """A Bayesian network as XMLBIF 0.3.

    >>> from credo.networks import Node
    >>> print(write(BayesianNetwork([Node("coin", ["heads", "tails"], [0.5, 0.5])])))
    <?xml version="1.0" encoding="UTF-8"?>
    <BIF VERSION="0.3">
    ...
    <DEFINITION>
      <FOR>coin</FOR>
      <TABLE>
        0.5 0.5
      </TABLE>
    </DEFINITION>
    ...
    """
    nodes = bayesian(network, "XMLBIF").nodes
    # Without a document type: it adds nothing, and readers of small means, aGrUM's for one, stumble over it.
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append(f"<NAME>{_escaped(network.name)}</NAME>")
    for name, node in nodes.items():
        lines += ['<VARIABLE TYPE="nature">', f"  <NAME>{_escaped(name)}</NAME>"]
        lines += [f"  <OUTCOME>{_escaped(state)}</OUTCOME>" for state in labels(name, node.states)]
        lines.append("</VARIABLE>")
    for name, node in nodes.items():
        lines += ["<DEFINITION>", f"  <FOR>{_escaped(name)}</FOR>"]
        lines += [f"  <GIVEN>{_escaped(parent)}</GIVEN>" for parent in node.parents]
        rows = [f"    {' '.join(map(repr, row))}" for row in node.probs.tolist()]
        lines += ["  <TABLE>", *rows, "  </TABLE>", "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"


def _escaped(name: str) -> str:
    if FORBIDDEN.search(name) or name != name.strip(BLANKS):
        raise InvalidInput(f"XMLBIF cannot hold names with blanks around them or control characters; got {shown(name)}")
    return escape(name, {"\r": "&#13;"})
