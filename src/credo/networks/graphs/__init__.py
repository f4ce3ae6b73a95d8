"""Structure only, no numbers: who points at whom, and what follows about independence.

A `Digraph` is the graph of a Bayesian network, a `Graph` that of a Markov network; `moral_graph` leads from the first
to the second. Everything here takes time in proportion to the size of the graph unless it says otherwise, and no
recursion, so that a hundred thousand variables are no trouble.
"""

from __future__ import annotations

from credo.networks.graphs.digraph import Digraph
from credo.networks.graphs.equivalence import Pattern, equivalent, essential_graph, v_structures
from credo.networks.graphs.independencies import (
    LocalIndependence,
    local_independencies,
    minimal_separators,
    pairwise_independencies,
)
from credo.networks.graphs.separation import d_separated, requisite
from credo.networks.graphs.undirected import Graph, moral_graph

__all__ = [
    "Digraph",
    "Graph",
    "LocalIndependence",
    "Pattern",
    "d_separated",
    "equivalent",
    "essential_graph",
    "local_independencies",
    "minimal_separators",
    "moral_graph",
    "pairwise_independencies",
    "requisite",
    "v_structures",
]
