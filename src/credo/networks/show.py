"""How networks show themselves: a line for each variable, and only the first ones of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from credo.beliefs.layout import aligned, html_table
from credo.beliefs.states import States
from credo.networks.factors.factor import Factor
from credo.networks.nodes import Node

__all__ = ["as_html", "as_text", "counted", "node_lines", "potential_lines"]

SHOWN_LINES = 30
SHOWN_NAMES = 4
WIDTH = 24

Lines = Sequence[Sequence[str]]


def counted(number: int, thing: str) -> str:
    """How many of a thing there are.

    >>> counted(1, "edge"), counted(2000, "edge")
    ('1 edge', '2,000 edges')
    """
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def node_lines(nodes: Mapping[str, Node]) -> list[list[str]]:
    """A line for each node, with how many numbers its law holds, under a head; as many as are shown."""
    lines = [["variable", "states", "parents", "numbers"]]
    return lines + [
        [_short(node.name), _states(node.states), _listed(node.parents), f"{node.cells:,}"]
        for node in list(nodes.values())[:SHOWN_LINES]
    ]


def potential_lines(potentials: Sequence[Factor]) -> list[list[str]]:
    """A line for each potential under a head, as many as are shown."""
    lines = [["potential over", "numbers"]]
    return lines + [[_listed(each.variables), f"{len(each.values):,}"] for each in potentials[:SHOWN_LINES]]


def as_text(title: str, lines: Lines, of: int, last: str) -> str:
    """The lines under a title; ``of`` is how many there would be, ``last`` stands below them."""
    right = [head == "numbers" for head in lines[0]]
    return "\n".join([title, aligned(lines, right=right), *_more(lines, of), last])


def as_html(title: str, lines: Lines, of: int, last: str) -> str:
    """The same for a notebook."""
    return html_table(lines, title=title, below=[*_more(lines, of), last])


def _more(lines: Lines, of: int) -> list[str]:
    left = of - (len(lines) - 1)
    return [f"… and {left:,} more"] if left > 0 else []


def _states(states: States) -> str:
    return (f"{len(states)}: " if len(states) > SHOWN_NAMES else "") + _listed(map(str, states))


def _listed(names: Iterable[str]) -> str:
    held = [_short(name) for name in names]
    return ", ".join(held[:SHOWN_NAMES]) + (f", … {len(held) - SHOWN_NAMES:,} more" if len(held) > SHOWN_NAMES else "")


def _short(name: str) -> str:
    return name if len(name) <= WIDTH else name[: WIDTH - 1] + "…"
