"""Scores that compare kernels with different numbers of hyperparameters, all in nats, the more the better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from credo.checks import Floats
from credo.gp.learning import Problem
from credo.gp.starts import Scales, typical
from credo.kernels import Kernel

__all__ = ["SCORES", "Score", "bic", "laplace"]

STEP = 1e-3  # of a difference of the gradient, on the scale of theta


def bic(kernel: Kernel, log_evidence: float, problem: Problem, scales: Scales) -> float:
    """log p(y|θ̂) − ½ k log n: the Bayesian information criterion, for k hyperparameters and n rows.

    >>> from credo.gp.solvers import Exact
    >>> from credo.gp.starts import scales_of
    >>> from credo.kernels import SE
    >>> X, y = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
    >>> bic(SE(1.0), -3.0, Problem(X, y, np.ones(2), Exact()), scales_of(X, y))
    -3.346...
    """
    del scales
    return log_evidence - 0.5 * len(kernel.free) * float(np.log(len(problem.X)))


def laplace(kernel: Kernel, log_evidence: float, problem: Problem, scales: Scales) -> float:
    """log ∫ p(y|θ) p(θ) dθ by Laplace's method: log p(y|θ̂) − ½ Σ log(1 + λ) − ½ Σ λ/(1 + λ) δ².

    The prior of θ is normal about the middle of what is typical for the data, with half of that range as its standard
    deviation. In its units λ are the curvatures of −log p(y|θ) at θ̂ and δ is how far θ̂ is from the middle along each.
    Where log p(y|θ) is a parabola this is exact, and what the data say nothing about costs nothing; a curvature that is
    negative, which there is at a bound, counts as none.

    >>> from credo.gp.solvers import Exact
    >>> from credo.gp.starts import scales_of
    >>> from credo.kernels import SE
    >>> X, y = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
    >>> laplace(SE(1.0).fixed(), -3.0, Problem(X, y, np.ones(2), Exact()), scales_of(X, y))
    -3.0
    """
    if not kernel.free:
        return log_evidence
    ranges = np.array(typical(kernel, scales))
    middle, spread = ranges.mean(axis=1), 0.5 * np.ptp(ranges, axis=1)
    curvature = -_slopes_of_slopes(kernel, problem) * np.outer(spread, spread)
    values, axes = np.linalg.eigh(0.5 * (curvature + curvature.T))
    values = np.maximum(values, 0.0)
    away = axes.T @ ((kernel.theta - middle) / spread)
    return log_evidence - 0.5 * float(np.log1p(values).sum() + (values / (1 + values) * away**2).sum())


def _slopes_of_slopes(kernel: Kernel, problem: Problem) -> Floats:
    """The second derivatives of the log evidence, by differences of its gradient."""

    def slopes(theta: Floats) -> Floats:
        return problem.solver.slopes(kernel.with_theta(theta), problem.X, problem.noise, problem.residual)[1]

    theta, steps = kernel.theta, STEP * np.eye(len(kernel.theta))
    return np.array([(slopes(theta + step) - slopes(theta - step)) / (2 * STEP) for step in steps])


Score = Callable[[Kernel, float, Problem, Scales], float]
SCORES: Mapping[str, Score] = MappingProxyType({"bic": bic, "laplace": laplace})
