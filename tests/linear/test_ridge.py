"""Ridge regression against scikit-learn, its own formulas, and the laws it claims."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Ridge as Peer
from sklearn.pipeline import Pipeline

from credo.errors import BadParameter, InvalidInput, NotFitted
from credo.linear import BayesianRegression, BumpBasis, LinearRegression, Ridge
from credo.tables import Encoder
from credo.testing import check_estimator


def _problem(n=40, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 2 + 1
    return X, 2 + X @ rng.normal(size=d) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(40, 3), (4, 9), (30_000, 5), (2, 1)])
@pytest.mark.parametrize("strength", [1e-3, 1.0, 50.0])
def test_it_agrees_with_scikit_learn(n, d, intercept, strength):
    X, y = _problem(n, d)
    ours, peer = Ridge(strength, fit_intercept=intercept), Peer(strength, fit_intercept=intercept)
    weight = np.random.default_rng(1).uniform(0.5, 2, n)
    for given in (None, weight):
        ours.fit(X, y, given)
        peer.fit(X, y, given)
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-8, atol=1e-11)
        assert ours.intercept_ == pytest.approx(peer.intercept_, abs=1e-9)


@pytest.mark.parametrize(("n", "d"), [(12, 3), (5, 8)])
def test_the_predictive_is_the_integral_over_weights_and_noise(n, d):
    """σ² by its density ∝ p(y | σ²) / σ², on a grid; given σ², the precisions are known."""
    X, y = _problem(n, d)
    model, new = Ridge(2.0).fit(X, y), np.full((1, d), 0.3)
    sigma = np.exp(np.linspace(-7, 7, 4001))
    fits = [BayesianRegression(alpha=2 / s**2, beta=1 / s**2).fit(X, y) for s in sigma[::20]]
    logs = np.array([fit.log_evidence_ for fit in fits])
    share = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()  # even in ln σ: the flat prior
    for noise in (True, False):
        laws = [fit.predictive(new, noise=noise) for fit in fits]
        belief = model.predictive(new, noise=noise)
        for q in (0.05, 0.5, 0.8):
            at = belief.quantile(q)
            assert sum(s * float(law.cdf(at)[0]) for s, law in zip(share, laws, strict=True)) == pytest.approx(
                q, abs=1e-4
            )


def test_it_says_which_prior_and_what_it_came_to():
    X, y = _problem()
    model = Ridge(10.0).fit(X, y)
    misfit = np.sum((y - model.predict(X)) ** 2) + 10 * model.coef_ @ model.coef_
    assert model.noise_sd_ == pytest.approx(np.sqrt(misfit / 39))
    assert float(model.prior_.sd) == pytest.approx(model.noise_sd_ / np.sqrt(10))
    Z = X - X.mean(axis=0)
    cov = model.noise_sd_**2 * np.linalg.inv(Z.T @ Z + 10 * np.eye(3))
    np.testing.assert_allclose(model.posterior_.scale[:3], np.sqrt(np.diag(cov)), rtol=1e-9)
    np.testing.assert_allclose(model.posterior_.mode, [*model.coef_, model.intercept_])
    low, high = model.posterior_.interval(0.9)
    reach = stats.t(39).ppf(0.95) * np.sqrt(cov[0, 0])
    assert (low[0], high[0]) == pytest.approx((model.coef_[0] - reach, model.coef_[0] + reach))


def test_a_weak_prior_is_maximum_likelihood_and_a_strong_one_is_the_mean():
    X, y = _problem()
    np.testing.assert_allclose(Ridge(1e-10).fit(X, y).coef_, LinearRegression().fit(X, y).coef_, rtol=1e-9)
    strong = Ridge(1e12).fit(X, y)
    np.testing.assert_allclose(strong.predict(X), y.mean(), atol=1e-9)


def test_where_the_data_say_nothing_the_prior_stands():
    X, y = _problem(50, 1)
    model = Ridge(4.0).fit(np.column_stack([X, X, np.ones(50)]), y)
    assert model.coef_[0] == pytest.approx(model.coef_[1])
    assert model.coef_[2] == 0
    assert model.posterior_.scale[2] == pytest.approx(float(model.prior_.sd))


def test_bad_settings_and_a_single_row_are_refused():
    for strength in (0.0, -1.0):
        with pytest.raises(BadParameter, match="strength must be positive"):
            Ridge(strength).fit(*_problem())
    with pytest.raises(InvalidInput, match=r"one row.*n_samples=1"):
        Ridge().fit([[1.0]], [2.0])
    assert Ridge(fit_intercept=False).fit([[1.0]], [2.0]).coef_ == pytest.approx([1.0])
    for ask in ("prior_", "posterior_"):
        with pytest.raises(NotFitted, match="Call fit"):
            getattr(Ridge(), ask)


def test_behind_the_encoder_of_a_table():
    X, y = _problem()
    piped = Pipeline([("encoder", Encoder()), ("ridge", Ridge())]).fit({"a": X[:, 0], "sex": ["f", "m"] * 20}, y)
    assert np.isfinite(piped.predict({"a": [1.0], "sex": ["f"]})).all()


@pytest.mark.parametrize("model", [Ridge(), Ridge(fit_intercept=False, basis=BumpBasis(3))])
def test_it_keeps_the_contract_of_estimators(model):
    check_estimator(model)
