"""The textbook's two ways come to the summit that the search finds."""

import numpy as np
import pytest

from credo.linear import BayesianRegression
from credo.linear.ascent import Ascent
from credo.linear.axes import factor_rows
from credo.linear.relevance import Relevance
from credo.testing import check_gradient


def _problem(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, 2 + X @ np.array([1.5, -1.0, 0.5, 0.8])[:d] + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("method", ["fixed-point", "gradient"])
@pytest.mark.parametrize("prior", ["shared", "each"])
@pytest.mark.parametrize(("alpha", "beta"), [(None, None), (0.7, None), (None, 5.0), (0.7, 5.0)])
def test_both_ways_come_to_the_summit(method, prior, alpha, beta):
    X, y = _problem()
    settings = {"prior": prior, "alpha": alpha, "beta": beta}
    best = BayesianRegression(**settings).fit(X, y)
    other = BayesianRegression(**settings, method=method).fit(X, y)
    assert other.outcome_.good
    assert other.log_evidence_ == pytest.approx(best.log_evidence_, abs=1e-6)
    assert other.trace_[-1] == pytest.approx(other.log_evidence_)
    np.testing.assert_allclose(other.coef_, best.coef_, rtol=1e-4)
    np.testing.assert_allclose(other.alpha_, best.alpha_, rtol=1e-2)
    assert other.beta_ == pytest.approx(best.beta_, rel=1e-4)
    if alpha is None:
        assert np.diff(other.trace_).min() > -1e-9


@pytest.mark.parametrize("method", ["fixed-point", "gradient"])
def test_a_weight_of_no_use_is_switched_off(method):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3))
    noise = rng.normal(size=200)
    y = X[:, 0] + noise - X @ np.linalg.lstsq(X - X.mean(0), noise - noise.mean(), rcond=None)[0]  # not even by chance
    model = BayesianRegression(prior="each", method=method).fit(X, y)
    assert np.abs(model.coef_[1:]).max() < 1e-5
    assert model.log_evidence_ == pytest.approx(BayesianRegression(prior="each").fit(X, y).log_evidence_, abs=1e-4)


def test_at_the_summit_the_formulas_of_re_estimation_hold():
    X, y = _problem()
    model = BayesianRegression(prior="each").fit(X, y)
    cov = model.posterior_.cov
    determined = 1 - model.alpha_ * np.diag(cov)[:-1]
    np.testing.assert_allclose(model.alpha_, determined / model.coef_**2, rtol=1e-3)
    misfit = np.sum((y - model.predict(X)) ** 2)
    assert model.beta_ == pytest.approx((len(y) - 1 - determined.sum()) / misfit, rel=1e-6)
    assert model.effective_parameters_ == pytest.approx(determined.sum(), rel=1e-6)


@pytest.mark.parametrize("tied", [True, False])
def test_the_slopes_are_the_derivatives(tied):
    X, y = _problem(n=9)
    problem = Relevance(factor_rows(X, y, None, centred=True), intercept=True, beta=None)
    ascent = Ascent(problem, tied=tied, learns_alpha=True, learns_beta=True)

    def objective(logs):
        beta = np.exp(logs[-1])
        at = problem.at(beta * problem.length**2 / np.exp(logs[:-1]), beta)
        slopes, slope = ascent.slopes(at)
        return at.value, np.append(slopes, slope)

    check_gradient(objective, [0.3, 0.7] if tied else [0.3, -1.0, 2.0, 0.0, 0.7])
