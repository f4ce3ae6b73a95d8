"""Random directed graphs."""

from __future__ import annotations

from hypothesis import strategies as st

from credo.networks.graphs import Digraph


@st.composite
def digraphs(draw: st.DrawFn, *, least: int = 1, most: int = 6) -> Digraph:
    """Any directed graph without cycles, its names in any order."""
    names = "ABCDEFGH"[: draw(st.integers(least, most))]
    parents = {name: [p for p in names[:i] if draw(st.booleans())] for i, name in enumerate(names)}
    return Digraph({name: parents[name] for name in draw(st.permutations(names))})
