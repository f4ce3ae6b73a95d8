"""What answering a question will cost, before anything is allocated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from credo.networks.inference.limits import as_bytes, as_time

__all__ = ["Plan"]

SHOWN = 8


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """A junction tree and its cost: what ``plan`` returns, and what printing it says.

    ``cliques`` are sets of variables, each with the index of its parent in ``parents`` (-1 for a root); ``entries`` is
    how many combinations of states they have in all, which the time is proportional to. No clique is written out: what
    is held is messages, ``message_entries`` each way.
    """

    question: str
    cliques: tuple[tuple[str, ...], ...]
    parents: tuple[int, ...]
    sizes: Mapping[str, int]
    entries: float
    message_entries: float
    bytes: float
    seconds: float
    order: tuple[str, ...]
    orders_tried: int

    @property
    def width(self) -> int:
        """The largest number of variables in a clique, less one."""
        return max(map(len, self.cliques), default=1) - 1

    @property
    def widest(self) -> tuple[str, ...]:
        """The clique of most entries."""
        return max(self.cliques, key=self.clique_entries, default=())

    def clique_entries(self, clique: tuple[str, ...]) -> float:
        """How many combinations of states the variables of a clique have."""
        return float(math.prod(self.sizes[name] for name in clique))

    def __repr__(self) -> str:
        widest = self.widest
        shown = ", ".join(widest[:SHOWN]) + (", …" if len(widest) > SHOWN else "")
        return "\n".join(
            [
                f"{self.question}, by messages in a junction tree",
                f"  cliques  {len(self.cliques):,}, of width {self.width}",
                f"  widest   {self.clique_entries(widest):,.6g} entries: {shown or 'none'}",
                f"  entries  {self.entries:,.6g} in all; {self.message_entries:,.6g} in messages",
                f"  memory   {as_bytes(self.bytes)}",
                f"  time     about {as_time(self.seconds)}",
                f"  order    the best of {self.orders_tried:,} that were tried",
            ]
        )


def asked(names: tuple[str, ...] | None, given: tuple[str, ...], variables: int) -> str:
    """A question in words.

    >>> asked(("A",), ("B",), 2)
    'P(A | B)'
    """
    if names is None:
        about = f"P of each of {variables - len(given):,} variables"
        return f"{about}, given {_listed(given)}" if given else about
    return f"P({_listed(names)} | {_listed(given)})" if given else f"P({_listed(names)})"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:SHOWN]) + (f", … ({len(names)} in all)" if len(names) > SHOWN else "")
