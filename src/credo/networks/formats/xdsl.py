"""GeNIe's XDSL: tables, functions of the parents, and noisy-MAX."""

from __future__ import annotations

from collections.abc import Mapping

from credo.beliefs.states import States
from credo.errors import FormatError
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.assembly import DECISIONS, Draft, Expanding, add, assemble, certain, listed
from credo.networks.formats.guarded_xml import Element, parse
from credo.networks.formats.noisy import noisy_max

__all__ = ["from_tree", "read"]

DECISION_NODES = {"decision", "utility", "mau"}
#: The kinds of nodes that are read, and where each holds its law.
HELD = {"cpt": "probabilities", "deterministic": "resultingstates", "noisymax": "parameters"}


def read(file: str, data: bytes) -> BayesianNetwork:
    """The network in an XDSL file.

    >>> coin = b"<cpt id='coin'><state id='heads'/><state id='tails'/><probabilities>0.5 0.5</probabilities></cpt>"
    >>> read("coin.xdsl", b"<smile><nodes>" + coin + b"</nodes></smile>").variables
    {'coin': ('heads', 'tails')}
    """
    return from_tree(parse(file, data))


def from_tree(root: Element) -> BayesianNetwork:
    """The network in a tree whose root is <smile>."""
    if root.tag != "smile":
        raise root.fail(f"expected <smile>; found <{root.tag[:40]}>")
    if any(each.children for each in root.all("dynamic")):
        raise root.fail("networks that unroll over time are not read; unroll this one first")
    nodes = root.one("nodes").children
    variables: dict[str, States] = {}
    for node in nodes:
        if node.tag in DECISION_NODES:
            raise node.fail(DECISIONS)
        if node.tag not in HELD:
            raise node.fail(f"nodes of kind <{node.tag[:40]}> are not read; write this one as a table (<cpt>)")
        states = [state.attributes.get("id", "") for state in node.all("state")]
        add(variables, node.attributes.get("id", ""), states, node.fail)
    expanding = Expanding()
    drafts = (_draft(node, variables, expanding) for node in nodes)
    return assemble(root.file, variables, drafts, name=root.attributes.get("id", ""))


def _draft(node: Element, variables: Mapping[str, States], expanding: Expanding) -> Draft:
    name = node.attributes["id"]
    parents = [parent for each in node.all("parents") for parent in each.text.split()]
    held = node.one(HELD[node.tag])

    def fail(message: str, _: int | None) -> FormatError:
        return held.fail(message)

    if node.tag == "cpt":
        return listed(variables, name, parents, held.text, fail)
    if node.tag == "noisymax":
        strengths = node.one("strengths").text.split()
        return noisy_max(variables, name, parents, strengths, held.text, fail, expanding)
    return certain(variables, name, parents, held.text.split(), fail, expanding)
