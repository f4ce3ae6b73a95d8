"""Bayes' rule, densities, intervals and decisions for a million rows at once, beside SciPy and plain NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.beliefs import Belief, Beta, Categorical, Gamma, Normal
from credo.decisions import Loss, decide

ROWS, STATES = 1_000_000, 10


def observed() -> Any:
    """A prior, and the log likelihood of every state in every row."""
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.ones(STATES)), rng.normal(-20, 5, size=(ROWS, STATES))


def given(data: Any) -> object:
    prior, logs = data
    return Categorical(prior).given(logs, log=True).probs


def softmax(data: Any) -> object:
    from scipy.special import softmax

    prior, logs = data
    return softmax(np.log(prior) + logs, axis=1)


def believed() -> Any:
    """A batch of beliefs and a loss."""
    rng = np.random.default_rng(0)
    loss = Loss(rng.uniform(size=(STATES, STATES)), actions=range(STATES), states=range(STATES))
    return Categorical(rng.dirichlet(np.ones(STATES), ROWS)), loss


def decided(data: Any) -> object:
    return decide(*data).action


def least(data: Any) -> object:
    belief, loss = data
    risks = belief.probs @ loss.matrix.T
    best = risks.argmin(axis=1)
    return np.array(loss.actions)[best], np.take_along_axis(risks, best[:, None], axis=1)


def parameters(low: float, high: float) -> Callable[[], Any]:
    """Parameters between two numbers, spread evenly over the orders of magnitude, and points between 0 and 1."""

    def setup() -> Any:
        rng = np.random.default_rng(0)
        a, b = np.exp(rng.uniform(np.log(low), np.log(high), (2, ROWS)))
        return a, b, rng.uniform(size=ROWS)

    return setup


def law_cases(kind: type[Belief], low: float, high: float) -> list[Case]:
    """The density and the interval of one law; the law is made anew from its parameters each time."""
    make: Callable[[Any, Any], Belief] = kind

    def peer(a: Any, b: Any) -> Any:
        from scipy import stats

        return {Normal: stats.norm(a, b), Beta: stats.beta(a, b), Gamma: stats.gamma(a, scale=1 / b)}[kind]

    name, setup = f"{kind.__name__}, parameters {low:g} to {high:g}", parameters(low, high)
    return [
        Case(
            f"log density, {name}",
            "scipy.stats logpdf",
            setup,
            lambda data: make(data[0], data[1]).log_prob(data[2]),
            lambda data: peer(data[0], data[1]).logpdf(data[2]),
        ),
        Case(
            f"interval, {name}",
            "scipy.stats interval",
            setup,
            lambda data: make(data[0], data[1]).interval(0.9),
            lambda data: peer(data[0], data[1]).interval(0.9),
        ),
    ]


CASES = [
    Case(f"Bayes' rule, 1e6 rows × {STATES} states", "scipy.special.softmax", observed, given, softmax),
    Case(f"decide, 1e6 rows × {STATES} actions", "NumPy: matmul, argmin", believed, decided, least),
    *law_cases(Normal, 0.5, 50),
    *law_cases(Gamma, 0.5, 50),
    *law_cases(Gamma, 50, 5000),
    *law_cases(Beta, 0.5, 50),
    *law_cases(Beta, 50, 5000),
]
