"""The evidence is the density of y, and its summit is a summit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.linear.axes import factor_rows
from credo.linear.evidence import Evidence, learn_precisions


def _problem(n, d, seed, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, 2 + X @ rng.normal(size=d) + noise * rng.normal(size=n)


def _brute(X, y, alpha, beta, *, intercept):
    """ln N(y | 0, I/β + XXᵀ/α), with the intercept integrated out by a prior so wide that it is flat."""
    n = len(y)
    cov = np.eye(n) / beta + X @ X.T / alpha
    if not intercept:
        return stats.multivariate_normal(np.zeros(n), cov).logpdf(y)
    # ∫ N(y | b1, C) db in closed form
    solved = np.linalg.solve(cov, np.column_stack([np.ones(n), y]))
    precision, best = solved[:, 0].sum(), solved[:, 1].sum() / solved[:, 0].sum()
    return stats.multivariate_normal(np.full(n, best), cov).logpdf(y) + 0.5 * np.log(2 * np.pi / precision)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    n=st.integers(1, 9),
    d=st.integers(1, 6),
    seed=st.integers(0, 999),
    alpha=st.floats(1e-3, 1e3),
    beta=st.floats(1e-3, 1e3),
    intercept=st.booleans(),
)
def test_it_is_the_density_of_the_targets(n, d, seed, alpha, beta, intercept):
    X, y = _problem(n, d, seed)
    axes = factor_rows(X, y, None, centred=intercept)
    found = learn_precisions(axes, intercept=intercept, alpha=alpha, beta=beta)
    assert found.log_evidence == pytest.approx(_brute(X, y, alpha, beta, intercept=intercept), rel=1e-8, abs=1e-8)
    assert (found.alpha, found.beta) == (alpha, beta)


def test_the_flat_intercept_is_the_limit_of_a_wide_one():
    X, y = _problem(8, 2, seed=5)
    wide = 1e4
    cov = np.eye(8) / 3 + X @ X.T / 2 + wide**2
    limit = stats.multivariate_normal(np.zeros(8), cov).logpdf(y) + np.log(wide) + 0.5 * np.log(2 * np.pi)
    assert _brute(X, y, 2.0, 3.0, intercept=True) == pytest.approx(limit, abs=1e-6)


@pytest.mark.parametrize(("alpha", "beta"), [(None, None), (0.7, None), (None, 5.0)])
@pytest.mark.parametrize(("n", "d"), [(30, 4), (7, 12), (200, 1)])
@pytest.mark.parametrize("intercept", [True, False])
def test_no_other_precisions_have_more_evidence(n, d, alpha, beta, intercept):
    X, y = _problem(n, d, seed=n + d)
    axes = factor_rows(X, y, None, centred=intercept)
    best = learn_precisions(axes, intercept=intercept, alpha=alpha, beta=beta)
    assert best.log_evidence == pytest.approx(_brute(X, y, best.alpha, best.beta, intercept=intercept), abs=1e-6)
    for da in (0, -0.01, 0.01, -1, 1, -4, 4):
        for db in (0, -0.01, 0.01, -1, 1, -4, 4):
            if (alpha is None or da == 0) and (beta is None or db == 0):
                a, b = best.alpha * np.exp(da), best.beta * np.exp(db)
                other = learn_precisions(axes, intercept=intercept, alpha=a, beta=b)
                assert other.log_evidence <= best.log_evidence + 1e-7


@pytest.mark.parametrize(("alpha", "beta"), [(None, None), (0.7, None), (None, 5.0)])
def test_the_slope_is_the_derivative(alpha, beta):
    axes = factor_rows(*_problem(9, 3, seed=1), None, centred=True)
    evidence = Evidence(axes, intercept=True, alpha=alpha, beta=beta)
    for t in (-6.0, -1.0, 0.5, 4.0):
        up, down = evidence.value(np.array([t + 1e-5, t - 1e-5]))
        assert evidence.slope(t) == pytest.approx((up - down) / 2e-5, rel=1e-6, abs=1e-8)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(n=st.integers(3, 12), d=st.integers(1, 6), seed=st.integers(0, 999), learns=st.sampled_from(["both", "a", "b"]))
def test_the_slope_is_zero_at_the_summit_or_the_summit_is_a_limit(n, d, seed, learns):
    axes = factor_rows(*_problem(n, d, seed, noise=2.0), None, centred=True)
    alpha, beta = (None if learns in ("both", "a") else 0.5), (None if learns in ("both", "b") else 2.0)
    best = learn_precisions(axes, intercept=True, alpha=alpha, beta=beta)
    evidence = Evidence(axes, intercept=True, alpha=alpha, beta=beta)
    assert best.outcome.good
    assert abs(evidence.slope(np.log(best.alpha / best.beta))) < 1e-6
    low, high = evidence.bounds()
    assert best.log_evidence >= evidence.value(np.linspace(low - 5, high + 5, 400)).max() - 1e-6
