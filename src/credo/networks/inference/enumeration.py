"""The two ways to answer a query that need no idea: write the joint out, or walk through it depth first.

Both take time that doubles with every variable that is not observed, and are here to be read, and to test other methods
against. Elimination avoids what they compute again and again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from credo import checks
from credo.beliefs import Categorical
from credo.errors import ImpossibleEvidence, TooLarge
from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors.contraction import marginal, product
from credo.networks.factors.factor import Factor
from credo.networks.factors.semiring import LOG_SUM
from credo.networks.nodes import Node
from credo.numerics import log_sum_exp

__all__ = ["enumerate_joint", "enumeration_ask"]

MOST_CELLS = 2**24  # of a joint that is written out
MOST_ASSIGNMENTS = 2**20  # that are walked through one by one
MOST_VARIABLES = 500  # each is a level of the recursion


def enumerate_joint(net: BayesianNetwork, name: str, hard: Mapping[str, Hashable]) -> Categorical:
    """P(name | hard) from the full joint table: all that contradicts the findings is struck out, the rest is summed.

    O(2ⁿ) time and space for n variables of two states.

    >>> rain = Node.event("rain", 0.2)
    >>> coat = Node.event("coat", {True: 0.9, False: 0.3}, given=[rain])
    >>> enumerate_joint(BayesianNetwork([rain, coat]), "rain", {"coat": True})
    Categorical({True: 0.4286, False: 0.5714})
    """
    codes = _codes(net, name, hard)
    findings = [
        Factor({found: net.variables[found]}, np.arange(len(net.variables[found])) == code)
        for found, code in codes.items()
    ]
    factors = [node.factor for node in net.nodes.values()]
    joint = product([*factors, *findings], semiring=LOG_SUM, limit=MOST_CELLS)
    return _normalised(net, name, hard, marginal(joint, [name], semiring=LOG_SUM).values)


def enumeration_ask(net: BayesianNetwork, name: str, hard: Mapping[str, Hashable]) -> Categorical:
    """P(name | hard) by depth-first recursion over the variables, parents first, that writes no table down.

    O(2ⁿ) time and O(n) space for n unobserved variables of two states.

    >>> rain = Node.event("rain", 0.2)
    >>> coat = Node.event("coat", {True: 0.9, False: 0.3}, given=[rain])
    >>> enumeration_ask(BayesianNetwork([rain, coat]), "rain", {"coat": True})
    Categorical({True: 0.4286, False: 0.5714})
    """
    codes = _codes(net, name, hard)
    assignments = math.prod(len(states) for other, states in net.variables.items() if other not in codes)
    if assignments > MOST_ASSIGNMENTS or len(net.nodes) > MOST_VARIABLES:
        raise TooLarge(
            f"{assignments:,} assignments to {len(net.nodes):,} variables would be walked through one by one; at most "
            f"{MOST_ASSIGNMENTS:,} to {MOST_VARIABLES} are. Use elimination or a junction tree"
        )
    parents_first = [net.nodes[each] for each in net.graph.order]
    logs = [
        _log_sum_of_the_rest(parents_first, {**codes, name: code}) if codes.get(name, code) == code else -math.inf
        for code in range(len(net.variables[name]))
    ]
    return _normalised(net, name, hard, logs)


def _log_sum_of_the_rest(nodes: Sequence[Node], codes: Mapping[str, int]) -> float:
    """Log of the sum, over all states of the nodes that have no code, of the product of all nodes' probabilities."""
    if not nodes:
        return 0.0
    node, *rest = nodes
    if node.name in codes:
        log_prob = _log_prob(node, codes)
        return log_prob + _log_sum_of_the_rest(rest, codes) if log_prob > -math.inf else log_prob
    branches = ({**codes, node.name: code} for code in range(len(node.states)))
    return float(log_sum_exp([_log_prob(node, each) + _log_sum_of_the_rest(rest, each) for each in branches]))


def _log_prob(node: Node, codes: Mapping[str, int]) -> float:
    """Log P(node's state | its parents' states)."""
    row = 0
    for parent, states in node.parents.items():
        row = row * len(states) + codes[parent]
    prob = float(node.probs[row, codes[node.name]])
    return math.log(prob) if prob else -math.inf


def _codes(net: BayesianNetwork, name: str, hard: Mapping[str, Hashable]) -> dict[str, int]:
    variables = net.variables
    checks.known("variable", name, variables)
    return {
        found: variables[found].index(checks.known(f"state of {found!r}", state, variables[found]))
        for found, state in hard.items()
        if checks.known("variable", found, variables)
    }


def _normalised(
    net: BayesianNetwork, name: str, hard: Mapping[str, Hashable], logs: Sequence[float] | checks.Floats
) -> Categorical:
    if max(logs) == -math.inf:
        raise ImpossibleEvidence(f"the findings {checks.shown(dict(hard))} have probability zero together")
    return Categorical.from_log(logs, net.variables[name])
