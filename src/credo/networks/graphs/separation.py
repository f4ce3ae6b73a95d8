"""What findings make irrelevant in a directed graph: d-separation, and the tables a question needs."""

from __future__ import annotations

from credo.beliefs.axes import Names
from credo.errors import BadParameter
from credo.networks.graphs.digraph import Digraph

__all__ = ["d_separated", "different", "requisite"]


def d_separated(graph: Digraph, a: Names, b: Names, *, given: Names = ()) -> bool:
    """Whether every path between ``a`` and ``b`` is blocked by ``given``: then they are independent given it.

    >>> graph = Digraph({"rain": (), "sprinkler": (), "wet": ("rain", "sprinkler")})
    >>> d_separated(graph, "rain", "sprinkler"), d_separated(graph, "rain", "sprinkler", given="wet")
    (True, False)
    """
    one, other, known = different(graph.known(a), graph.known(b), graph.known(given))
    _, below = _bayes_ball(graph, one, set(known), set())
    return below.isdisjoint(other)


def requisite(graph: Digraph, query: Names, *, given: Names = (), hinted: Names = ()) -> set[str]:
    """The variables whose tables can matter for P(query | given); all other tables may be left out.

    Left out are the tables of variables that are barren, and of those that ``given`` separates from the query. About
    the variables in ``hinted`` something was found that leaves more than one state possible.

    >>> graph = Digraph({"a": (), "b": ("a",), "c": ("b",), "d": ("c",)})
    >>> sorted(requisite(graph, "c", given="b")), sorted(requisite(graph, "c", given="b", hinted="d"))
    (['c'], ['c', 'd'])
    """
    above, _ = _bayes_ball(graph, graph.known(query), set(graph.known(given)), set(graph.known(hinted)))
    return above


def different(a: tuple[str, ...], b: tuple[str, ...], given: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Three groups of names that have none in common; the first two are not empty."""
    if not a or not b:
        raise BadParameter("a and b must each name at least one variable; got none")
    seen: set[str] = set()
    for group in (a, b, given):
        both = seen.intersection(group)
        if both:
            raise BadParameter(f"a, b and given must be different variables; {min(both)!r} stands twice")
        seen.update(group)
    return a, b, given


def _bayes_ball(graph: Digraph, start: tuple[str, ...], known: set[str], hinted: set[str]) -> tuple[set[str], set[str]]:
    """Where a ball can go that rolls from ``start`` along every path that is not blocked (Shachter, 1998).

    The variables it leaves towards their parents (their tables matter), and those it leaves towards their children.
    """
    above: set[str] = set()
    below: set[str] = set()
    rising = list(start)  # visits that come from a child
    falling: list[str] = []  # visits that come from a parent
    while rising or falling:
        if rising:
            name = rising.pop()
            up = down = name not in known
        else:
            name = falling.pop()
            down = name not in known
            up = not down or name in hinted
        if up and name not in above:
            above.add(name)
            rising += graph.parents[name]
        if down and name not in below:
            below.add(name)
            falling += graph.children[name]
    return above, below
