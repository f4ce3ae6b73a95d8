"""Drawing rows from a Bayesian network: each variable after its parents."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import ImpossibleEvidence, InvalidInput
from credo.networks.graphs import Digraph
from credo.networks.nodes import Node
from credo.networks.rows import CHUNK, Codes, Law, as_schema, place
from credo.tables.build import Parts
from credo.tables.memory import Memory
from credo.tables.table import Table

__all__ = ["sample"]


def sample(
    nodes: Mapping[str, Node],
    graph: Digraph,
    n: int,
    *,
    rng: int | np.random.Generator,
    given: Mapping[str, Hashable],
) -> Table:
    """``n`` rows of P(all variables | given).

    Drawing each variable after its parents is exact when whatever points at a finding is itself found.
    """
    generator, rows = checks.generator(rng), checks.count("n", n)
    found = _found(nodes, graph, given)
    schema = as_schema({name: node.states for name, node in nodes.items()})
    drawn = {name: np.full(rows, found.get(name, 0), dtype=np.int32) for name in nodes}
    order = [nodes[name] for name in graph.order if name not in found]
    draws = [(node.name, [_Draw(part) for part in node.parts or (node,)]) for node in order]
    for start in range(0, rows, CHUNK):
        codes: dict[str, NDArray[np.int32]] = {name: each[start : start + CHUNK] for name, each in drawn.items()}
        size = min(CHUNK, rows - start)
        for name, parts in draws:
            own: dict[str, NDArray[np.int32]] = {}  # of a node in parts, the auxiliary variables too
            for part in parts:
                own[part.name] = part({**codes, **own} if own else codes, generator.random(size))
            codes[name][:] = own[name]
    return Table.of(Parts(schema, Memory(rows, drawn)))


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


def _found(nodes: Mapping[str, Node], graph: Digraph, given: Mapping[str, Hashable]) -> dict[str, int]:
    """The code of each finding; refused where rows could not be drawn forwards."""
    if not isinstance(given, Mapping):
        raise InvalidInput(f"given must map names to states, {{'A': 'yes'}}; got {checks.shown(given)}")
    found: dict[str, int] = {}
    for name, state in given.items():
        states = nodes[checks.known("variable", name, nodes)].states
        found[name] = states.index(checks.known(f"state of {name!r}", state, states))
    for name in found:
        for parent in graph.parents[name]:
            if parent not in found:
                raise InvalidInput(
                    f"rows given {name!r} cannot be drawn forwards unless its parent {parent!r} is given too; "
                    "posteriors(given=…) and joint(…, given=…) answer exactly"
                )
    codes = {name: np.array([code]) for name, code in found.items()}
    for name in found:
        if Law(nodes[name]).log_probs(codes)[0] == -np.inf:
            raise ImpossibleEvidence(f"the findings {checks.shown(dict(given))} have probability zero together")
    return found
