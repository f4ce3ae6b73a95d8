"""Scores: exact where the log evidence is a parabola, near the integral where it is not, and free of units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.gp import Evidence, Exact, Solver
from credo.gp.learning import Problem, learn
from credo.gp.scores import bic, laplace
from credo.gp.starts import scales_of, typical
from credo.kernels import SE, Noise

X = np.linspace(0, 10, 30)[:, None]
Y = np.random.default_rng(0).normal(size=30)
SCALES = scales_of(X, Y)


class Parabola(Solver):
    """A log evidence of −½ (θ − top)ᵀ A (θ − top)."""

    def __init__(self, top, A):
        self.top, self.A = top, A

    def refusal(self, kernel, X, noise):
        return None

    def factor(self, kernel, X, noise):
        raise NotImplementedError

    def slopes(self, kernel, X, noise, residual):
        away = kernel.theta - self.top
        return Evidence(-0.5 * float(away @ self.A @ away), 0.0, 0), -self.A @ away


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 1000), st.floats(-2, 2))
def test_laplace_is_exact_for_a_parabola(seed, log_size):
    kernel = 2.0 * SE(1.0) + Noise(0.5)
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, 3)) * 10**log_size
    A = root @ root.T + 1e-6 * np.eye(3)
    problem = Problem(X, Y, np.zeros(30), Parabola(kernel.theta, A))
    ranges = np.array(typical(kernel, SCALES))
    middle, variance = ranges.mean(axis=1), (0.5 * np.ptp(ranges, axis=1)) ** 2
    away, spread = kernel.theta - middle, np.linalg.inv(A) + np.diag(variance)
    # ∫ exp(−½ (θ − θ̂)ᵀA(θ − θ̂)) N(θ; middle, variance) dθ
    log_det = np.linalg.slogdet(np.eye(3) + A @ np.diag(variance))[1]
    expected = -0.5 * log_det - 0.5 * away @ np.linalg.solve(spread, away)
    assert laplace(kernel, 0.0, problem, SCALES) == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_laplace_is_near_the_integral():
    problem = Problem(X, Y, np.zeros(30), Exact())
    best = learn(Noise(1.0), problem, SCALES, starts=1, seed=0).best
    [(low, high)] = typical(best.kernel, SCALES)
    middle, sd = (low + high) / 2, (high - low) / 2
    theta = np.linspace(best.kernel.theta[0] - 3, best.kernel.theta[0] + 3, 400)
    values = [problem.solver.slopes(best.kernel.with_theta([t]), X, problem.noise, Y)[0].total for t in theta]
    prior = np.exp(-0.5 * ((theta - middle) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))
    whole = np.log(np.trapezoid(np.exp(np.array(values) - best.value) * prior, theta)) + best.value
    assert laplace(best.kernel, best.value, problem, SCALES) == pytest.approx(whole, abs=0.03)


def test_what_the_data_leave_open_costs_nothing():
    kernel = 2.0 * SE(1.0)
    flat = Problem(X, Y, np.zeros(30), Parabola(kernel.theta, np.zeros((2, 2))))
    assert laplace(kernel, -5.0, flat, SCALES) == pytest.approx(-5.0)
    assert bic(kernel, -5.0, flat, SCALES) == pytest.approx(-5.0 - np.log(30))
    hill = Problem(X, Y, np.zeros(30), Parabola(kernel.theta, -np.eye(2)))  # a saddle counts as open
    assert laplace(kernel, -5.0, hill, SCALES) == pytest.approx(-5.0)
