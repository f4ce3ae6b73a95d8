"""Directed graphs without cycles, over named variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from credo import checks
from credo.beliefs.axes import Names, as_names
from credo.errors import InvalidInput
from credo.networks.readonly import ReadOnly

__all__ = ["Digraph"]

Neighbours = Mapping[str, tuple[str, ...]]

SHOWN_CYCLE = 12


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Digraph:
    """Which variables point at which: for each name its parents, in order. A cycle is refused, and named.

    ``order`` puts parents before their children; names that already stand so keep their places. Every question about
    the graph takes time in proportion to its size.

    >>> graph = Digraph({"rain": (), "sprinkler": (), "wet": ("rain", "sprinkler")})
    >>> graph.children["rain"], sorted(graph.ancestors("wet"))
    (('wet',), ['rain', 'sprinkler'])
    >>> Digraph({"hen": ("egg",), "egg": ("hen",)})
    Traceback (most recent call last):
    ...
    credo.errors.InvalidInput: the edges must not lead round in a circle; these do: hen → egg → hen
    """

    parents: Neighbours
    children: Neighbours
    order: tuple[str, ...]

    def __init__(self, parents: Mapping[str, Iterable[str]]) -> None:
        held = {name: checks.unique(f"the parents of {name!r}", each) for name, each in parents.items()}
        children: dict[str, list[str]] = {name: [] for name in held}
        for name, each in held.items():
            for parent in each:
                if parent not in children:
                    checks.known("variable", parent, held)
                children[parent].append(name)
        object.__setattr__(self, "parents", ReadOnly(held))
        object.__setattr__(self, "children", ReadOnly({name: tuple(each) for name, each in children.items()}))
        object.__setattr__(self, "order", _order(held))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in the order they were given."""
        return tuple(self.parents)

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """Every edge as (parent, child)."""
        return ((parent, name) for name, each in self.parents.items() for parent in each)

    def known(self, names: Names) -> tuple[str, ...]:
        """One name or several, each of which is a variable of the graph."""
        return tuple(checks.known("variable", name, self.parents) for name in as_names(names))

    def ancestors(self, names: Names) -> set[str]:
        """From where directed paths of at least one edge lead to one of ``names``."""
        return _reached(self.parents, self.known(names))

    def descendants(self, names: Names) -> set[str]:
        """Where directed paths of at least one edge lead from one of ``names``."""
        return _reached(self.children, self.known(names))

    def without_barren(self, names: Names) -> set[str]:
        """``names`` and their ancestors: the other variables are barren, their tables sum to one and say nothing."""
        return self.ancestors(names).union(as_names(names))

    def markov_blanket(self, name: str) -> set[str]:
        """Parents, children and the children's other parents: given these, nothing else tells about ``name``."""
        (name,) = self.known((name,))
        blanket = {*self.parents[name], *self.children[name]}
        for child in self.children[name]:
            blanket.update(self.parents[child])
        return blanket - {name}

    def only(self, names: Names) -> Digraph:
        """The graph of these variables and the edges among them, in the order of this graph."""
        kept = set(self.known(names))
        return Digraph({n: [p for p in each if p in kept] for n, each in self.parents.items() if n in kept})

    def __len__(self) -> int:
        return len(self.parents)

    def __contains__(self, name: object) -> bool:
        return name in self.parents

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Digraph):
            return NotImplemented
        return self.parents.keys() == other.parents.keys() and set(self.edges) == set(other.edges)

    def __hash__(self) -> int:
        return hash(frozenset(self.edges))

    def __repr__(self) -> str:
        edges = sum(map(len, self.parents.values()))
        return f"Digraph of {len(self):,} variables, {edges:,} edge{'s' if edges != 1 else ''}"


def _reached(step: Neighbours, start: Sequence[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        fresh = [name for name in step[waiting.pop()] if name not in found]
        found.update(fresh)
        waiting += fresh
    return found


def _order(parents: Neighbours) -> tuple[str, ...]:
    """Every name after its parents: a walk from each name up to those of its ancestors that have no place yet."""
    placed: dict[str, None] = {}
    for first in parents:
        if first in placed:
            continue
        path = {first: iter(parents[first])}  # each name is a parent of the one before it
        while path:
            name, rest = next(reversed(path.items()))
            above = next((parent for parent in rest if parent not in placed), None)
            if above is None:
                path.popitem()
                placed[name] = None
            elif above in path:
                _refuse_cycle(list(path), above)
            else:
                path[above] = iter(parents[above])
    return tuple(placed)


def _refuse_cycle(path: list[str], start: str) -> None:
    cycle = [start, *reversed(path[path.index(start) :])]
    if len(cycle) > SHOWN_CYCLE:
        cycle = [*cycle[: SHOWN_CYCLE - 3], "…", *cycle[-2:]]
    raise InvalidInput(f"the edges must not lead round in a circle; these do: {' → '.join(cycle)}")
