"""Bayesian regression against direct formulas, scikit-learn, and data that is out to break it."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import ARDRegression, BayesianRidge

from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NotFitted, Outcome
from credo.linear import BayesianRegression, PolynomialBasis
from credo.testing import check_estimator


def _problem(n=40, d=3, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 2 + 1
    return X, 2 + X @ rng.normal(size=d) + noise * rng.normal(size=n)


def _direct(X, y, alpha, beta, weight=None):
    """Mean and covariance of (weights, intercept) from the normal equations, the intercept's prior being flat."""
    F = np.column_stack([X, np.ones(len(X))])
    W = np.eye(len(X)) if weight is None else np.diag(weight)
    A = beta * F.T @ W @ F + alpha * np.diag([1.0] * X.shape[1] + [0.0])
    return np.linalg.solve(A, beta * F.T @ W @ y), np.linalg.inv(A)


@pytest.mark.parametrize(("n", "d"), [(40, 3), (4, 9), (1, 2), (2, 1)])
def test_the_posterior_and_predictive_are_those_of_the_normal_equations(n, d):
    X, y = _problem(n, d)
    model = BayesianRegression(alpha=0.7, beta=3.0).fit(X, y)
    mean, cov = _direct(X, y, 0.7, 3.0)
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.posterior_.mean, mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.posterior_.cov, cov, rtol=1e-8, atol=1e-12)
    new = np.column_stack([_problem(6, d, seed=9)[0], np.ones(6)])
    line, variance = new @ mean, np.einsum("ij,jk,ik->i", new, cov, new)
    belief = model.predictive(new[:, :-1], noise=False)
    np.testing.assert_allclose(belief.mean, line, rtol=1e-9)
    np.testing.assert_allclose(belief.sd, np.sqrt(variance), rtol=1e-8)
    guess, sd = model.predict(new[:, :-1], return_std=True)
    np.testing.assert_allclose(guess, line, rtol=1e-9)
    np.testing.assert_allclose(sd, np.sqrt(variance + 1 / 3), rtol=1e-8)


def test_through_the_origin():
    X, y = _problem()
    model = BayesianRegression(alpha=0.7, beta=3.0, fit_intercept=False).fit(X, y)
    cov = np.linalg.inv(0.7 * np.eye(3) + 3 * X.T @ X)
    np.testing.assert_allclose(model.posterior_.cov, cov, rtol=1e-9)
    np.testing.assert_allclose(model.coef_, 3 * cov @ X.T @ y, rtol=1e-9)
    assert model.intercept_ == 0
    assert model.predictive([[0, 0, 0]], noise=False).sd[0] < 1e-100


@pytest.mark.parametrize(("n", "d"), [(60, 4), (500, 20), (30_000, 5)])
def test_it_agrees_with_scikit_learn_on_centred_data(n, d):
    X, y = _problem(n, d)
    X, y = X - X.mean(axis=0), y - y.mean()
    ours = BayesianRegression(fit_intercept=False).fit(X, y)
    flat = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0}
    theirs = BayesianRidge(**flat, fit_intercept=False, tol=1e-12, max_iter=10_000, compute_score=True).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
    assert ours.alpha_ == pytest.approx(theirs.lambda_, rel=1e-5)
    assert ours.beta_ == pytest.approx(theirs.alpha_, rel=1e-6)
    assert ours.log_evidence_ == pytest.approx(theirs.scores_[-1], rel=1e-9)
    np.testing.assert_allclose(
        ours.predict(X[:5], return_std=True)[1], theirs.predict(X[:5], return_std=True)[1], rtol=1e-5
    )


def test_many_rows_give_what_few_give(monkeypatch):
    X, y = _problem(3000, 4)
    weight = np.random.default_rng(1).integers(0, 3, 3000).astype(float)
    few = BayesianRegression().fit(X, y, weight)
    monkeypatch.setattr("credo.linear.axes.DIRECT_CELLS", 0)
    many = BayesianRegression().fit(X, y, weight)
    np.testing.assert_allclose(many.coef_, few.coef_, rtol=1e-10)
    assert many.log_evidence_ == pytest.approx(few.log_evidence_, rel=1e-10)
    np.testing.assert_allclose(many.predictive(X).sd, few.predictive(X).sd, rtol=1e-9)


def test_a_weight_counts_rows_and_scales_precision():
    X, y = _problem()
    weight = np.arange(40) % 4
    twice = np.repeat(np.arange(40), weight)
    by_weight = BayesianRegression().fit(X, y, weight)
    by_row = BayesianRegression().fit(X[twice], y[twice])
    np.testing.assert_allclose(by_weight.coef_, by_row.coef_, rtol=1e-8)
    assert by_weight.log_evidence_ == pytest.approx(by_row.log_evidence_)
    mean, _ = _direct(X, y, 0.7, 3.0, weight)
    fixed = BayesianRegression(alpha=0.7, beta=3.0).fit(X, y, weight)
    np.testing.assert_allclose(np.append(fixed.coef_, fixed.intercept_), mean, rtol=1e-9)


def test_the_predictive_covers_what_it_says():
    hits, rng = 0, np.random.default_rng(3)
    for _ in range(300):
        w, b = rng.normal(size=2), rng.normal()
        X = rng.normal(size=(8, 2))
        y = X @ w + b + rng.normal(size=8) / 2
        low, high = BayesianRegression(alpha=1.0, beta=4.0).fit(X[:7], y[:7]).predictive(X[7:]).interval(0.8)
        hits += low[0] < y[7] < high[0]
    assert stats.binomtest(hits, 300, 0.8).pvalue > 1e-3


def test_useless_columns_are_shrunk_away():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    y -= X @ np.linalg.lstsq(X - X.mean(0), y, rcond=None)[0]  # not even by chance
    model = BayesianRegression().fit(X, y)
    assert np.abs(model.coef_).max() < 1e-8
    assert model.effective_parameters_ < 1e-6
    assert model.beta_ == pytest.approx(1 / y.var(ddof=1), rel=1e-6)


def test_evidence_prefers_the_polynomial_that_made_the_data():
    x = np.linspace(-1, 1, 60)
    y = x - 2 * x**3 + 0.1 * np.random.default_rng(0).normal(size=60)
    evidence = [BayesianRegression().fit(x[:, None] ** np.arange(1, k + 1), y).log_evidence_ for k in range(1, 9)]
    assert int(np.argmax(evidence)) + 1 == 3


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_of_y_and_of_all_columns_change_nothing_but_units(scale):
    X, y = _problem()
    plain, other = BayesianRegression().fit(X, y), BayesianRegression().fit(X * scale, y / scale)
    np.testing.assert_allclose(other.predict(X * scale) * scale, plain.predict(X), rtol=1e-7)
    np.testing.assert_allclose(other.predictive(X * scale).sd * scale, plain.predictive(X).sd, rtol=1e-7)
    assert other.log_evidence_ == pytest.approx(plain.log_evidence_ + 39 * np.log(scale), rel=1e-7)


@pytest.mark.parametrize("rows", [40, 60_000])
def test_noise_free_targets_are_said_to_be(rows):
    X, y = _problem(rows, noise=0.0)
    with pytest.warns(CredoWarning, match="no noise to learn from"):
        model = BayesianRegression().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-6)
    assert np.isfinite([model.log_evidence_, model.beta_]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BayesianRegression(beta=1e6).fit(X, y)


@pytest.mark.parametrize("value", [0.0, 5.0, 1e12])
def test_a_constant_target_is_predicted(value):
    X, _ = _problem()
    with pytest.warns(CredoWarning, match="no noise to learn from"):
        model = BayesianRegression().fit(X, np.full(40, value))
    np.testing.assert_allclose(model.predict(X), value, rtol=1e-12, atol=1e-100)
    assert np.isfinite(model.predictive(X).sd).all()


def test_collinear_and_constant_columns_share_and_vanish():
    X, y = _problem(50, 1)
    model = BayesianRegression().fit(np.column_stack([X, X, np.ones(50)]), y)
    assert model.coef_[0] == pytest.approx(model.coef_[1])
    assert model.coef_[2] == 0
    assert model.outcome_ is Outcome.CONVERGED
    away = model.predictive([[1.0, 1.0, 1.0], [1.0, 1.0, 3.0]], noise=False).sd
    assert away[1] ** 2 - away[0] ** 2 == pytest.approx(4 / model.alpha_, rel=1e-6)  # the prior stands


def test_one_row():
    model = BayesianRegression(fit_intercept=False).fit([[2.0]], [3.0])
    assert model.predictive([[2.0]]).sd[0] == pytest.approx(3.0, rel=1e-6)  # all of it may as well be noise
    with pytest.raises(InvalidInput, match=r"n_samples=1.*Give alpha and beta"):
        BayesianRegression().fit([[2.0]], [3.0])
    assert BayesianRegression(alpha=1.0, beta=1.0).fit([[2.0]], [3.0]).predict([[2.0]]) == pytest.approx([3.0])


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"alpha": 0.0}, "alpha must be positive"),
        ({"alpha": -1.0}, "alpha must be positive"),
        ({"beta": 1e99}, "beta must lie between"),
        ({"beta": float("nan")}, "beta must be finite"),
        ({"beta": "high"}, "beta must be numbers"),
        ({"fit_intercept": "no"}, "fit_intercept must be one of True, False; got 'no'"),
        ({"alpha": [1.0, 2.0]}, "alpha must be a single number"),
        ({"alpha": [1.0, 2.0], "prior": "each"}, r"alpha must be one number, or one for each of 3 weights; got \(2,\)"),
        ({"alpha": [1.0, 2.0, 0.0], "prior": "each"}, "alpha must be positive"),
        ({"prior": "every"}, "prior must be one of 'shared', 'each'; got 'every'"),
        ({"method": "newton"}, "method must be one of 'search', 'fixed-point', 'gradient'"),
    ],
)
def test_bad_settings_are_refused(settings, complaint):
    with pytest.raises(InvalidInput, match=complaint):
        BayesianRegression(**settings).fit(*_problem())


@pytest.mark.parametrize(
    ("weight", "kind", "complaint"),
    [
        (np.ones(3), BadShape, "sample_weight"),
        (-np.ones(40), BadParameter, "sample_weight"),
        (np.zeros(40), InvalidInput, "every weight is zero"),
        (np.full(40, np.nan), InvalidInput, "sample_weight must be finite"),
    ],
)
def test_bad_weights_are_refused(weight, kind, complaint):
    with pytest.raises(kind, match=complaint):
        BayesianRegression().fit(*_problem(), sample_weight=weight)


def test_the_posterior_needs_a_fit():
    with pytest.raises(NotFitted, match="Call fit"):
        _ = BayesianRegression().posterior_


@pytest.mark.parametrize(("n", "d"), [(40, 3), (4, 9)])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_given_precision_for_each_weight(n, d, intercept):
    X, y = _problem(n, d)
    alpha = np.random.default_rng(1).uniform(0.1, 10, d)
    model = BayesianRegression(prior="each", alpha=alpha, beta=3.0, fit_intercept=intercept).fit(X, y)
    F = np.column_stack([X, np.ones(n)]) if intercept else X
    A = 3.0 * F.T @ F + np.diag([*alpha, 0.0] if intercept else alpha)
    mean, cov = np.linalg.solve(A, 3.0 * F.T @ y), np.linalg.inv(A)
    np.testing.assert_allclose(model.posterior_.mean, mean, rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(model.posterior_.cov, cov, rtol=1e-7, atol=1e-11)
    new = np.random.default_rng(2).normal(size=(5, d))
    at = np.column_stack([new, np.ones(5)]) if intercept else new
    belief = model.predictive(new)
    np.testing.assert_allclose(belief.mean, at @ mean, rtol=1e-8)
    np.testing.assert_allclose(belief.var, np.einsum("ij,jk,ik->i", at, cov, at) + 1 / 3, rtol=1e-8)
    if not intercept:
        law = stats.multivariate_normal(np.zeros(n), np.eye(n) / 3 + (X / alpha) @ X.T)
        assert model.log_evidence_ == pytest.approx(law.logpdf(y), rel=1e-9)
    one = BayesianRegression(prior="each", alpha=0.7, beta=3.0).fit(X, y)
    np.testing.assert_allclose(one.coef_, BayesianRegression(alpha=0.7, beta=3.0).fit(X, y).coef_, rtol=1e-12)
    noise = BayesianRegression(prior="each", alpha=alpha, fit_intercept=intercept).fit(X, y)
    assert noise.log_evidence_ >= model.log_evidence_ - 1e-9


def test_relevance_is_that_of_scikit_learn_where_nothing_is_pruned():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 5))
    X, y = X - X.mean(axis=0), X @ [2.0, -1.0, 0.5, 3.0, 1.0] + rng.normal(size=300)
    y -= y.mean()
    ours = BayesianRegression(prior="each", fit_intercept=False).fit(X, y)
    flat = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0}
    theirs = ARDRegression(**flat, fit_intercept=False, tol=1e-12, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
    np.testing.assert_allclose(ours.alpha_, theirs.lambda_, rtol=1e-5)
    assert ours.beta_ == pytest.approx(theirs.alpha_, rel=1e-6)


def test_a_weight_that_is_out_is_known_to_be_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = 4 + 2 * X[:, 1] - X[:, 4] + 0.3 * rng.normal(size=200)
    y -= X[:, [0, 5]] @ np.linalg.lstsq(X[:, [0, 5]], y, rcond=None)[0] * 0.9
    model = BayesianRegression(prior="each").fit(X, y)
    out = np.isinf(model.alpha_)
    assert 1 <= out.sum() <= 4
    assert (model.coef_[out] == 0).all()
    assert (model.posterior_.sd[:6][out] < 1e-100).all()
    kept = BayesianRegression(prior="each", alpha=model.alpha_[~out], beta=model.beta_).fit(X[:, ~out], y)
    np.testing.assert_allclose(kept.predictive(X[:, ~out]).sd, model.predictive(X).sd, rtol=1e-9)
    np.testing.assert_allclose(kept.predict(X[:, ~out]), model.predict(X), rtol=1e-9)
    assert kept.log_evidence_ == pytest.approx(model.log_evidence_, abs=1e-8)


def test_relevances_do_not_depend_on_units_and_weights_count_rows():
    X, y = _problem(60, 4)
    scale = np.array([1e-8, 1.0, 1e8, 10.0])
    plain, other = (BayesianRegression(prior="each").fit(Z, y) for Z in (X, X * scale))
    np.testing.assert_allclose(other.predict(X * scale), plain.predict(X), atol=1e-6)
    assert other.log_evidence_ == pytest.approx(plain.log_evidence_, abs=1e-9)
    weight = np.arange(60) % 4
    rows = np.repeat(np.arange(60), weight)
    by_weight = BayesianRegression(prior="each").fit(X, y, weight)
    assert by_weight.log_evidence_ == pytest.approx(
        BayesianRegression(prior="each").fit(X[rows], y[rows]).log_evidence_
    )


def test_so_many_precisions_that_they_learn_the_noise_away_are_said_to():
    rng = np.random.default_rng(60)
    X, y = rng.normal(size=(60, 80)), rng.normal(size=60)
    with pytest.warns(CredoWarning, match=r"learn any noise away. Give beta, or take prior='shared'"):
        BayesianRegression(prior="each").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert BayesianRegression(prior="each", beta=1.0).fit(X, y).effective_parameters_ < 30


@pytest.mark.parametrize(
    "model",
    [
        BayesianRegression(),
        BayesianRegression(alpha=1.0, fit_intercept=False),
        BayesianRegression(prior="each"),
        BayesianRegression(prior="each", basis=PolynomialBasis(2)),
        BayesianRegression(method="fixed-point"),
        BayesianRegression(prior="each", method="gradient"),
    ],
)
def test_it_keeps_the_contract_of_estimators(model):
    check_estimator(model)
