"""The contract of inference: what a network answers obeys the laws of probability, however it was computed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping

import numpy as np

from credo import checks
from credo.networks.model import GraphicalModel

__all__ = ["check_inference"]

TOLERANCE = 1e-9
MOST_CHECKED = 8  # variables that are looked at one by one


def check_inference(model: GraphicalModel, *, given: Mapping[str, Hashable] | None = None, rng: int = 0) -> None:
    """Ask a network in every way there is, and compare the answers; ``given`` are states that are possible together.

    Beliefs sum to one and agree with joints; log P(a, e) = log P(e) + log P(a | e); sets of states add up, likelihoods
    are weights; rows are answered as one by one; and no row is more probable than the most probable states.

    >>> from credo.networks import BayesianNetwork, Node
    >>> rain = Node.event("rain", 0.2)
    >>> wet = Node.event("wet", {True: 0.9, False: 0.1}, given=[rain])
    >>> check_inference(BayesianNetwork([rain, wet]), given={"wet": True})
    """
    found = dict(given or {})
    generator = checks.generator(rng)
    beliefs = model.posteriors(given=found)
    assert list(beliefs) == [name for name in model.variables if name not in found], (
        "posteriors must be of all the rest"
    )
    for name, belief in beliefs.items():
        assert belief.states == model.variables[name], f"the states of {name!r} are not those of the model"
        assert abs(belief.probs.sum() - 1) < TOLERANCE, f"the belief about {name!r} sums to {belief.probs.sum()}"
    some = [str(name) for name in generator.permutation(list(beliefs))[:MOST_CHECKED]]
    for name in some:
        _same(f"posterior({name!r})", model.posterior(name, given=found).probs, beliefs[name].probs)
        _check_chain_rule(model, name, found)
        _check_kinds(model, name, found)
    for a, b in itertools.pairwise(some):
        joint = model.joint([a, b], given=found)
        _same(f"the joint of {a!r} and {b!r}, {b!r} summed out,", joint.belief(a).probs, beliefs[a].probs)
        _same(f"the joint of {a!r} and {b!r}, {a!r} summed out,", joint.belief(b).probs, beliefs[b].probs)
    _check_rows(model, found)
    _check_most_probable(model, found, generator)


def _same(what: str, one: object, other: object) -> None:
    left, right = np.asarray(one), np.asarray(other)
    assert np.allclose(left, right, atol=TOLERANCE, rtol=TOLERANCE), f"{what} is {left}; another way it is {right}"


def _check_chain_rule(model: GraphicalModel, name: str, found: Mapping[str, Hashable]) -> None:
    """Log P(a, e) = log P(e) + log P(a | e) for every state a."""
    belief, log_evidence = model.posterior(name, given=found), model.log_evidence(given=found)
    for state, log_prob in zip(belief.states, belief.log_probs.tolist(), strict=True):
        together = model.log_evidence(given={**found, name: state})
        expected = log_evidence + log_prob
        assert together == expected or abs(together - expected) < TOLERANCE * max(1.0, abs(expected)), (
            f"log P({name}={state}, findings) is {together}; by the chain rule it is {expected}"
        )


def _check_kinds(model: GraphicalModel, name: str, found: Mapping[str, Hashable]) -> None:
    """A set of all states says nothing; a likelihood weighs the belief; a set is a likelihood of zeros and ones."""
    before = model.posterior(name, given=found)
    _same(
        f"the belief about {name!r}, which is one of its states,",
        model.posterior(name, given={**found, name: set(before.states)}).probs,
        before.probs,
    )
    weights = np.linspace(1, 3, len(before.states))
    weighed = model.posterior(name, given={**found, name: dict(zip(before.states, weights.tolist(), strict=True))})
    _same(
        f"the belief about {name!r} after a likelihood",
        weighed.probs,
        weights * before.probs / (weights @ before.probs),
    )
    possible = {state for state, prob in zip(before.states, before.probs.tolist(), strict=True) if prob > 0}
    kept = set(list(possible)[: max(1, len(possible) // 2)])
    inside = sum(before[state] for state in kept)
    among = model.posterior(name, given={**found, name: kept})
    _same(
        f"the belief about {name!r} among {kept}",
        [among[state] * inside for state in kept],
        [before[state] for state in kept],
    )


def _check_rows(model: GraphicalModel, found: Mapping[str, Hashable]) -> None:
    """An engine answers many rows as one by one."""
    if not found:
        return
    engine = model.compile(list(found))
    one = model.posteriors(given=found)
    many = engine.posteriors([found, dict.fromkeys(found), found])
    nothing = model.posteriors(given={})
    for name in one:
        _same(f"row 1 of {name!r}", many.probs(name)[0], one.probs(name))
        _same(f"row 2 of {name!r}, with nothing found,", many.probs(name)[1], nothing.probs(name))
        assert np.array_equal(many.probs(name)[0], many.probs(name)[2]), f"equal rows give {name!r} unequal beliefs"


def _check_most_probable(model: GraphicalModel, found: Mapping[str, Hashable], rng: np.random.Generator) -> None:
    """The most probable states have the probability they are said to have, and no row that is drawn has more."""
    best = model.most_probable(given=found)
    everything = {**found, **best}
    assert set(everything) == set(model.variables), "most_probable must name every variable"
    assert math.isfinite(best.log_product), "the most probable states are impossible"
    top = model.log_evidence(given=everything)
    drawn = model.sample(20, rng=rng, given=found).to_dict()
    for i in range(20):
        row = {name: column[i] for name, column in drawn.items()}
        assert all(row[name] == state for name, state in found.items()), "a row was drawn that denies the findings"
        other = model.log_evidence(given=row)
        assert other <= top + TOLERANCE * max(1.0, abs(top)), f"a row of log probability {other} beats {top}"
