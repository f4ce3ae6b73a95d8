"""Steps along the axes are the steps that would be taken along the columns."""

import numpy as np
import pytest

from credo.errors import BadParameter, Outcome
from credo.linear.axes import factor_rows
from credo.linear.descent import descend


def test_they_are_the_steps_of_the_rule_itself():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    axes = factor_rows(X, y, None, centred=False)
    along, trace, outcome = descend(axes, step=0.01, steps=25, tolerance=1e-12)
    w, errors = np.zeros(3), []
    for _ in range(25):
        errors.append(0.5 * np.sum((y - X @ w) ** 2))
        w = w + 0.01 * X.T @ (y - X @ w)
    errors.append(0.5 * np.sum((y - X @ w) ** 2))
    np.testing.assert_allclose(along @ axes.directions, w, rtol=1e-10)
    np.testing.assert_allclose(trace, errors, rtol=1e-10)
    assert outcome is Outcome.OUT_OF_STEPS


def test_by_its_own_step_the_error_always_falls():
    rng = np.random.default_rng(1)
    axes = factor_rows(rng.normal(size=(50, 4)) * [1, 2, 5, 10], rng.normal(size=50), None, centred=True)
    along, trace, outcome = descend(axes, step=None, steps=5000, tolerance=1e-8)
    assert outcome is Outcome.CONVERGED
    assert (np.diff(trace) <= 1e-12).all()
    np.testing.assert_allclose(along, axes.target / axes.singular, rtol=1e-7)


def test_a_step_that_overshoots_is_refused_with_the_bound():
    axes = factor_rows(np.array([[1.0], [2.0]]), np.array([1.0, 2.0]), None, centred=False)  # the curvature is 5
    with pytest.raises(BadParameter, match=r"step must be below 0\.4"):
        descend(axes, step=0.4, steps=10, tolerance=1e-8)
    assert descend(axes, step=0.39, steps=5000, tolerance=1e-8)[2] is Outcome.CONVERGED


def test_nothing_varies():
    axes = factor_rows(np.ones((3, 2)), np.ones(3), None, centred=True)
    along, trace, outcome = descend(axes, step=None, steps=10, tolerance=1e-8)
    assert along.shape == (0,)
    assert len(trace) == 1
    assert outcome is Outcome.CONVERGED
