"""The evidence with a precision for each weight is the density of y, and its summit is a summit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import Outcome
from credo.linear.axes import factor_rows
from credo.linear.evidence import learn_precisions
from credo.linear.relevance import Relevance, search_relevances
from credo.testing import check_gradient


def _problem(n, d, seed, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ (rng.normal(size=d) * (rng.random(d) < 0.5)) + noise * rng.normal(size=n)


def _density(X, y, alpha, beta):
    """ln N(y | 0, I/β + X diag(1/α) Xᵀ)."""
    cov = np.eye(len(y)) / beta + (X / alpha) @ X.T
    return stats.multivariate_normal(np.zeros(len(y)), cov).logpdf(y)


def _relevance(X, y, beta=None):
    return Relevance(factor_rows(X, y, None, centred=False), intercept=False, beta=beta)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(n=st.integers(1, 8), d=st.integers(1, 6), seed=st.integers(0, 999), beta=st.floats(1e-2, 1e2))
def test_it_is_the_density_of_the_targets(n, d, seed, beta):
    X, y = _problem(n, d, seed)
    alpha = np.random.default_rng(seed).uniform(0.1, 10, d)
    out = np.random.default_rng(seed + 1).random(d) < 0.3  # weights that are known to be zero
    problem = _relevance(X, y)
    at = problem.at(np.where(out, 0.0, beta * problem.length**2 / alpha), beta)
    assert at.value == pytest.approx(_density(X, y, np.where(out, np.inf, alpha), beta), rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(
        problem.precisions(at, Outcome.CONVERGED, []).alpha, np.where(out, np.inf, alpha), rtol=1e-12
    )


def test_what_a_weight_gains_alone_is_what_moving_it_gains():
    X, y = _problem(12, 5, seed=3)
    for beta in (None, 3.0):
        problem = _relevance(X, y, beta)
        at = problem.at(np.array([0.0, 1.0, 5.0, 0.0, 100.0]))
        best, gain = problem.alone(at)
        for j in range(5):
            moved = at.width.copy()
            moved[j] = best[j]
            assert problem.at(moved).value - at.value == pytest.approx(gain[j], abs=1e-9)
            for other in (best[j] * 0.99, best[j] * 1.01 + 1e-3):
                moved[j] = other
                assert problem.at(moved).value <= at.value + gain[j] + 1e-12


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    n=st.integers(12, 40),
    d=st.integers(1, 8),
    seed=st.integers(0, 999),
    beta=st.none() | st.just(2.0),
    twin=st.booleans(),
)
def test_no_other_precision_has_more_evidence_and_a_shared_one_never_has(n, d, seed, beta, twin):
    X, y = _problem(n, d, seed)
    if twin:
        X = np.column_stack([X, X[:, 0] * 3])
    axes = factor_rows(X, y, None, centred=True)
    shared = learn_precisions(axes, intercept=True, alpha=None, beta=beta)
    problem = Relevance(axes, intercept=True, beta=beta)
    found = search_relevances(problem, [shared.alpha / shared.beta])
    assert found.outcome.good
    assert found.log_evidence >= shared.log_evidence - 1e-9
    assert (np.diff(found.trace) >= 0).all()
    width = np.where(np.isfinite(found.alpha), found.beta * problem.length**2 / found.alpha, 0.0)
    for j in range(X.shape[1]):
        for other in (width[j] * 0.9, width[j] * 1.1 + 1e-3, 10.0):
            moved = width.copy()
            moved[j] = other
            assert problem.at(moved).value <= found.log_evidence + 1e-8


def test_the_slope_along_every_width_is_the_derivative():
    problem = _relevance(*_problem(9, 4, seed=1))

    def objective(logs):
        at = problem.at(np.exp(logs))
        return at.value, 0.5 * at.width * (at.beta * at.q**2 - at.s)

    check_gradient(objective, [-1.0, 0.5, 2.0, 4.0])


def test_columns_that_are_of_no_use_are_left_out_and_units_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12))
    y = 2 * X[:, 3] - X[:, 7] + 0.3 * rng.normal(size=400)
    found = []
    for scale in (np.ones(12), 10.0 ** rng.integers(-6, 6, 12)):
        axes = factor_rows(X * scale, y, None, centred=True)
        shared = learn_precisions(axes, intercept=True, alpha=None, beta=None)
        precisions = search_relevances(Relevance(axes, intercept=True, beta=None), [shared.alpha / shared.beta])
        found.append((precisions.alpha / scale**2, precisions.log_evidence))
    kept = np.isfinite(found[0][0])
    assert kept[[3, 7]].all()
    assert kept.sum() < 8
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-3)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-6)


def test_it_goes_on_from_what_was_found_for_fewer_columns():
    X, y = _problem(30, 6, seed=8)
    few = factor_rows(X[:, :3], y, None, centred=True)
    shared = learn_precisions(few, intercept=True, alpha=None, beta=None)
    less = search_relevances(Relevance(few, intercept=True, beta=None), [shared.alpha / shared.beta])
    many = Relevance(factor_rows(X, y, None, centred=True), intercept=True, beta=None)
    start = np.append(less.alpha / less.beta, np.full(3, np.inf))
    assert many.at(many.length**2 / start).value == pytest.approx(less.log_evidence, abs=1e-9)
    assert search_relevances(many, [1e6, start]).log_evidence >= less.log_evidence - 1e-9
