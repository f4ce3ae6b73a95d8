"""Drawing rows from a Bayesian network: each variable after its parents."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import ImpossibleEvidence
from credo.networks.evidence import Evidence
from credo.networks.graphs import Digraph
from credo.networks.nodes import Node
from credo.networks.rows import CHUNK, Codes, Law, place

__all__ = ["forwards", "sample"]


def forwards(graph: Digraph, evidence: Evidence) -> bool:
    """Whether drawing each variable after its parents is exact: what points at a finding must itself be found."""
    if evidence.likelihoods or evidence.beliefs:
        return False
    return all(parent in evidence.hard for name in evidence.hard for parent in graph.parents[name])


def sample(
    nodes: Mapping[str, Node], graph: Digraph, n: int, rng: np.random.Generator, found: Mapping[str, int]
) -> dict[str, NDArray[np.int32]]:
    """The codes of ``n`` rows of P(all variables | found), for findings that ``forwards`` allows."""
    _refuse_impossible(nodes, found)
    drawn = {name: np.full(n, found.get(name, 0), dtype=np.int32) for name in nodes}
    order = [nodes[name] for name in graph.order if name not in found]
    draws = [(node.name, [_Draw(part) for part in node.parts or (node,)]) for node in order]
    for start in range(0, n, CHUNK):
        codes: dict[str, NDArray[np.int32]] = {name: each[start : start + CHUNK] for name, each in drawn.items()}
        size = min(CHUNK, n - start)
        for name, parts in draws:
            own: dict[str, NDArray[np.int32]] = {}  # of a node in parts, the auxiliary variables too
            for part in parts:
                own[part.name] = part({**codes, **own} if own else codes, rng.random(size))
            codes[name][:] = own[name]
    return drawn


class _Draw:
    """The law of a node, prepared to turn uniform numbers into states.

    For each row of the table the sums of its first one, two, … probabilities; the state is how many of these a number
    has passed, which is found by halving. They are infinite from the last state that is possible on, so that rounding
    never leads to one that is not, and fill up to a power of two.
    """

    def __init__(self, node: Node) -> None:
        rows, states = node.probs.shape
        self.name = node.name
        self._parents = node.parents
        self._width = 1 << (states - 1).bit_length()
        edges = np.full((rows, self._width), np.inf)
        last = states - 1 - (node.probs[:, ::-1] > 0).argmax(axis=1)
        passed = np.arange(states) < last[:, np.newaxis]
        edges[:, :states] = np.where(passed, node.probs.cumsum(axis=1), np.inf)
        self._edges = edges.ravel()

    def __call__(self, codes: Codes, uniform: checks.Floats) -> NDArray[np.int32]:
        first = place(self._parents, codes) * self._width
        state = np.zeros(len(uniform), dtype=np.int32)
        step = self._width // 2
        while step:
            state += (uniform >= self._edges[first + (state + (step - 1))]) * np.int32(step)
            step //= 2
        return state


def _refuse_impossible(nodes: Mapping[str, Node], found: Mapping[str, int]) -> None:
    codes = {name: np.array([code]) for name, code in found.items()}
    for name in found:
        if Law(nodes[name]).log_probs(codes)[0] == -np.inf:
            said = {name: nodes[name].states[code] for name, code in found.items()}
            raise ImpossibleEvidence(f"the findings {checks.shown(said)} have probability zero together")
