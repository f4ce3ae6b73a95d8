"""The evidence by order: brute force, Occam's hill, and Occam's asymptote."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.linear import BayesianRegression, FourierBasis, PolynomialBasis, evidence_by_order


def _cubic(n=60, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-1, 1, n))
    return x, 0.3 + x - 2 * x**3 + 0.1 * rng.normal(size=n)


def _with_constant(order):
    return PolynomialBasis(order, constant=True)


def test_with_the_constant_under_the_prior_it_is_the_density_of_the_targets():
    """y = a₀ + a₁x + … + aₖxᵏ + noise with a ~ N(0, 1/α): y ~ N(0, I/β + Φ Φᵀ/α)."""
    x, y = _cubic()
    found = evidence_by_order(x, y, range(6), alpha=0.7, beta=50.0, basis=_with_constant, fit_intercept=False)
    for order, value in zip(found.orders, found.log_evidence, strict=True):
        powers = x[:, None] ** np.arange(order + 1)
        law = stats.multivariate_normal(np.zeros(60), np.eye(60) / 50 + powers @ powers.T / 0.7)
        assert value == pytest.approx(law.logpdf(y), rel=1e-9)
    line = x[:2, None] ** np.arange(2)
    np.testing.assert_allclose(line @ line.T, 1 + np.outer(x[:2], x[:2]))  # the covariance of a₀ + a₁x


@pytest.mark.parametrize("prior", ["shared", "each"])
@pytest.mark.parametrize("intercept", [True, False])
def test_each_order_is_a_bayesian_regression(prior, intercept):
    x, y = _cubic()
    settings = {"prior": prior, "fit_intercept": intercept}
    found = evidence_by_order(x, y, (1, 2, 4), **settings)
    for i, order in enumerate(found.orders):
        model = BayesianRegression(basis=PolynomialBasis(order), **settings).fit(x[:, None], y)
        assert found.log_evidence[i] == pytest.approx(model.log_evidence_, abs=1e-6)
        assert found.noise[i] == pytest.approx(model.beta_**-0.5, rel=1e-4)
        assert found.effective[i] == pytest.approx(model.effective_parameters_, abs=1e-3)


def test_the_hill_and_the_asymptote():
    x, y = _cubic(seed=3)
    hill, asymptote = evidence_by_order(x, y), evidence_by_order(x, y, prior="each")
    assert hill.orders == tuple(range(11))
    assert hill.best == asymptote.best == 3
    assert (np.diff(hill.log_evidence[3:10]) < 0).all()  # downhill
    assert np.ptp(asymptote.log_evidence[3:]) < 0.5  # level
    assert (asymptote.log_evidence >= hill.log_evidence - 1e-9).all()
    assert hill.posterior.mode == 3
    assert hill.posterior.probs.sum() == pytest.approx(1.0)
    assert float(hill.posterior.probs[3] / hill.posterior.probs[4]) == pytest.approx(
        np.exp(hill.log_evidence[3] - hill.log_evidence[4])
    )


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), n=st.integers(15, 40), intercept=st.booleans())
def test_with_a_prior_for_each_weight_a_larger_model_never_has_less(seed, n, intercept):
    x, y = _cubic(n, seed)
    found = evidence_by_order(x, y, range(0 if intercept else 1, 8), prior="each", fit_intercept=intercept)
    assert (np.diff(found.log_evidence) >= -1e-7).all()


def test_other_bases_and_more_columns():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 1, (80, 1))
    y = np.sin(4 * np.pi * x[:, 0]) + 0.1 * rng.normal(size=80)
    assert evidence_by_order(x, y, range(6), basis=FourierBasis).best == 2
    two = rng.normal(size=(80, 2))
    found = evidence_by_order(two, two[:, 0] * two[:, 1] + 0.1 * rng.normal(size=80), range(4))
    assert found.best == 2


def test_the_table_is_read():
    found = evidence_by_order(*_cubic(), [0, 3])
    head, zero, three = str(found).splitlines()
    assert head.split() == ["order", "log", "evidence", "probability", "weights", "noise"]
    assert zero.split()[0] == "0"
    assert float(three.split()[1]) == pytest.approx(found.log_evidence[1], rel=1e-3)


def test_bad_questions_are_refused():
    x, y = _cubic()
    with pytest.raises(BadParameter, match="orders must be a whole number"):
        evidence_by_order(x, y, [1.5])
    with pytest.raises(InvalidInput, match="orders must all differ; 2 stands twice"):
        evidence_by_order(x, y, [2, 2])
    with pytest.raises(InvalidInput, match="at least one order"):
        evidence_by_order(x, y, [])
    with pytest.raises(BadParameter, match="prior must be one of 'shared', 'each'"):
        evidence_by_order(x, y, prior="any")
    with pytest.raises(BadShape, match="x and y must have the same number of rows"):
        evidence_by_order(x, y[1:])
    with pytest.raises(BadShape, match="x must be a list of numbers or a table"):
        evidence_by_order(x.reshape(3, 4, 5), y)
    with pytest.raises(BadParameter, match="degree must be at least 1"):
        evidence_by_order(x, y, [0], fit_intercept=False)
    with pytest.raises(BadParameter, match="alpha must be positive"):
        evidence_by_order(x, y, alpha=-1.0)
