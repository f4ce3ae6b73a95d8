"""Structure only, no numbers: who points at whom, and what follows about independence.

Everything here takes time in proportion to the size of the graph, unless it says otherwise, and no recursion.
"""

from __future__ import annotations

from credo.networks.graphs.digraph import Digraph
from credo.networks.graphs.separation import d_separated, requisite

__all__ = ["Digraph", "d_separated", "requisite"]
