"""Brute force for graphical models, and random ones to try it on.

Every answer is read off the full joint table, in logarithms, so that nothing underflows. Nothing here is shared with
the library but the values that describe a network. A finding is a state, a set of states, or a likelihood: an array
with a number for each state.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node

Network = BayesianNetwork | MarkovNetwork
Floats = NDArray[np.float64]
Assignment = dict[str, Hashable]
Findings = Mapping[str, Any]

NOTHING: Findings = {}

# ---------------------------------------------------------------- answers


def factors_of(net: Network) -> list[Factor]:
    """The factors whose product is the joint."""
    return [node.factor for node in net.nodes.values()] if isinstance(net, BayesianNetwork) else list(net.potentials)


def likelihood_of(states: tuple[Hashable, ...], finding: Any) -> Floats:
    """What a finding says about each state."""
    if isinstance(finding, np.ndarray):
        return finding.astype(float)
    if isinstance(finding, (set, frozenset)):
        return np.array([float(state in finding) for state in states])
    return np.array([float(state == finding) for state in states])


def log_joint(net: Network, given: Findings = NOTHING) -> Floats:
    """Log of the product of all factors and findings, an axis for each variable."""
    names = list(net.variables)
    index = np.indices([len(states) for states in net.variables.values()])
    table = np.zeros(index.shape[1:])
    with np.errstate(divide="ignore"):
        for factor in factors_of(net):
            table += np.log(factor.array[tuple(index[names.index(name)] for name in factor.variables)])
        for name, finding in given.items():
            table += np.log(likelihood_of(net.variables[name], finding)[index[names.index(name)]])
    return table


def log_sum(table: Floats, axis: tuple[int, ...]) -> Floats:
    """Log of the sum of exponentials; of none above zero, minus infinity."""
    top = table.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(np.exp(table - top).sum(axis=axis)) + top.squeeze(axis)
    return logs


def log_marginal(net: Network, names: Iterable[str], given: Findings = NOTHING) -> Floats:
    """Log of the joint of ``names`` and the findings, not normalised; axes in the order of ``names``."""
    known, wanted = list(net.variables), list(names)
    summed = log_sum(log_joint(net, given), tuple(i for i, name in enumerate(known) if name not in wanted))
    kept = [name for name in known if name in wanted]
    return summed.transpose([kept.index(name) for name in wanted])


def log_partition(net: Network, given: Findings = NOTHING) -> float:
    """Log of the sum of the joint, findings included; for a Bayesian network that is log P(findings)."""
    return float(log_marginal(net, [], given))


def log_evidence(net: Network, given: Findings = NOTHING) -> float:
    """Log P(findings)."""
    return log_partition(net, given) - log_partition(net)


def joint(net: Network, names: Iterable[str], given: Findings = NOTHING) -> Floats:
    """P(names | findings)."""
    logs = log_marginal(net, names, given)
    return np.exp(logs - log_sum(logs, tuple(range(logs.ndim))))


def posteriors(net: Network, given: Findings = NOTHING) -> dict[str, Floats]:
    """P(variable | findings) for every variable."""
    return {name: joint(net, [name], given) for name in net.variables}


def log_score(net: Network, assignment: Assignment, given: Findings = NOTHING) -> float:
    """Log P(assignment, findings), the other variables summed out; not normalised."""
    codes = tuple(net.variables[name].index(state) for name, state in assignment.items())
    return float(log_marginal(net, assignment, given)[codes])


def most_probable(
    net: Network, names: Iterable[str] | None = None, given: Findings = NOTHING
) -> tuple[Assignment, float]:
    """The assignment to ``names`` (to all variables unless told which) with the highest ``log_score``, and that."""
    wanted = list(net.variables) if names is None else list(names)
    logs = log_marginal(net, wanted, given)
    codes = np.unravel_index(int(logs.argmax()), logs.shape)
    best = {name: net.variables[name][int(code)] for name, code in zip(wanted, codes, strict=True)}
    return best, float(logs[codes])


# ---------------------------------------------------------------- random networks

LABELS: tuple[tuple[Hashable, ...], ...] = (
    ("only",),
    (False, True),
    ("low", "middle", "high"),
    (0, 1, 2, 3),
)


def _numbers(rng: np.random.Generator, shape: tuple[int, ...], zeros: float) -> Floats:
    """Positive numbers of several magnitudes, each zero with probability ``zeros``, but not a whole row of them."""
    numbers = rng.exponential(size=shape) ** 2 + 1e-3
    numbers[rng.random(shape) < zeros] = 0.0
    empty = ~numbers.any(axis=-1)
    numbers[empty, rng.integers(shape[-1], size=int(empty.sum()))] = 1.0
    return numbers


@st.composite
def bayesian_networks(
    draw: st.DrawFn, *, least: int = 1, most: int = 8, states: int = 4, parents: int = 3
) -> BayesianNetwork:
    """Any directed acyclic graph; the nodes are listed in any order, the parents of a node too."""
    kinds = draw(st.lists(st.sampled_from(LABELS[:states]), min_size=least, max_size=most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    zeros = draw(st.sampled_from([0.0, 0.3, 0.7]))
    nodes: list[Node] = []
    for i, labels in enumerate(kinds):
        above = draw(st.lists(st.sampled_from(nodes), max_size=parents, unique_by=lambda n: n.name)) if nodes else []
        table = _numbers(rng, (*(len(node.states) for node in above), len(labels)), zeros)
        nodes.append(Node(f"v{i}", labels, table / table.sum(axis=-1, keepdims=True), given=above))
    return BayesianNetwork(draw(st.permutations(nodes)))


@st.composite
def markov_networks(
    draw: st.DrawFn, *, least: int = 1, most: int = 6, states: int = 4, scope: int = 3, potentials: int = 7
) -> MarkovNetwork:
    """Any potentials on any subsets of the variables, the empty one and repeated ones too."""
    kinds = draw(st.lists(st.sampled_from(LABELS[:states]), min_size=least, max_size=most))
    variables = {f"v{i}": labels for i, labels in enumerate(kinds)}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    zeros = draw(st.sampled_from([0.0, 0.3]))
    scopes = st.lists(st.sampled_from(list(variables)), max_size=scope, unique=True)
    factors = []
    for names in draw(st.lists(scopes, max_size=potentials)):
        numbers = _numbers(rng, (*(len(variables[name]) for name in names), 1), zeros)
        factors.append(Factor({name: variables[name] for name in names}, numbers.squeeze(-1)))
    return MarkovNetwork(factors, variables=variables)


@st.composite
def hard_findings(draw: st.DrawFn, net: Network, *, most: int = 4) -> dict[str, Hashable]:
    """A state for each of some variables; they may contradict the network."""
    names = draw(st.lists(st.sampled_from(list(net.variables)), max_size=most, unique=True))
    return {name: draw(st.sampled_from(net.variables[name])) for name in names}


@st.composite
def any_findings(draw: st.DrawFn, net: Network, *, most: int = 5) -> dict[str, Any]:
    """States, sets of states and likelihoods for some variables; they may contradict the network."""
    found: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(list(net.variables)), max_size=most, unique=True)):
        states = net.variables[name]
        subsets = st.sets(st.sampled_from(states), min_size=1)
        numbers = st.lists(st.sampled_from([0.0, 1e-9, 0.1, 0.5, 1.0, 7.0]), min_size=len(states), max_size=len(states))
        likelihoods = numbers.filter(any).map(np.array)
        found[name] = draw(st.one_of(st.sampled_from(states), subsets, likelihoods))
    return found
