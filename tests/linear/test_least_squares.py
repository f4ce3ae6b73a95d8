"""Maximum likelihood against formulas, scikit-learn, SciPy, and data that are out to break it."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from credo import storage
from credo.errors import BadParameter, CredoWarning, InvalidInput, NotFitted, NumericalFailure, Outcome
from credo.linear import BumpBasis, FourierBasis, LinearRegression, PolynomialBasis, SplineBasis
from credo.tables import Table
from credo.testing import check_estimator


def _problem(n=40, d=3, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 2 + 1
    return X, 2 + X @ rng.normal(size=d) + noise * rng.normal(size=n)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "d"), [(40, 3), (30_000, 5), (5, 3)])
def test_it_agrees_with_scikit_learn(n, d, intercept):
    X, y = _problem(n, d)
    ours, peer = LinearRegression(fit_intercept=intercept).fit(X, y), Peer(fit_intercept=intercept).fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-10)
    assert ours.intercept_ == pytest.approx(peer.intercept_, abs=1e-12)
    likelihood = stats.norm(ours.predict(X), np.sqrt(np.mean((y - ours.predict(X)) ** 2))).logpdf(y).sum()
    assert ours.log_likelihood_ == pytest.approx(likelihood, rel=1e-10)
    assert ours.trace_[-1] == pytest.approx(0.5 * np.sum((y - ours.predict(X)) ** 2))


def test_errors_and_intervals_are_those_of_a_line_in_scipy():
    X, y = _problem(25, 1)
    line = stats.linregress(X[:, 0], y)
    table = LinearRegression().fit(X, y).coefficients(level=0.9)
    np.testing.assert_allclose(table.estimate, [line.slope, line.intercept], rtol=1e-10)
    np.testing.assert_allclose(table.error, [line.stderr, line.intercept_stderr], rtol=1e-10)
    assert table.p[0] == pytest.approx(line.pvalue, rel=1e-9)
    reach = stats.t(23).ppf(0.95) * line.stderr
    assert (table.low[0], table.high[0]) == pytest.approx((line.slope - reach, line.slope + reach))
    assert table.names == ("x0", "intercept")
    assert str(table).splitlines()[2].startswith("intercept")


def test_the_predictive_is_students_and_covers_what_it_says():
    X, y = _problem(12, 2)
    F = np.column_stack([X, np.ones(12)])
    model = LinearRegression().fit(X, y)
    variance = np.sum((y - model.predict(X)) ** 2) / 9
    belief = model.predictive([[3.0, -1.0]], noise=False)
    at = np.array([3.0, -1.0, 1.0])
    assert belief.df[0] == 9
    assert belief.scale[0] == pytest.approx(np.sqrt(variance * at @ np.linalg.solve(F.T @ F, at)))
    wide = model.predictive([[3.0, -1.0]])
    assert wide.scale[0] ** 2 == pytest.approx(belief.scale[0] ** 2 + variance)
    rng, hits = np.random.default_rng(3), 0
    for _ in range(300):
        X = rng.normal(size=(6, 2))
        y = X @ rng.normal(size=2) * 10 + rng.normal(size=6)
        low, high = LinearRegression().fit(X[:5], y[:5]).predictive(X[5:]).interval(0.8)
        hits += low[0] < y[5] < high[0]
    assert stats.binomtest(hits, 300, 0.8).pvalue > 1e-3


LONGLEY = """
60323  83.0 234289 2356 1590 107608 1947
61122  88.5 259426 2325 1456 108632 1948
60171  88.2 258054 3682 1616 109773 1949
61187  89.5 284599 3351 1650 110929 1950
63221  96.2 328975 2099 3099 112075 1951
63639  98.1 346999 1932 3594 113270 1952
64989  99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962
"""


def test_nearly_collinear_columns_of_a_statistical_reference():
    """The certified answers of the Statistical Reference Datasets of NIST (public domain)."""
    data = np.array(LONGLEY.split(), dtype=float).reshape(16, 7)
    model = LinearRegression().fit(data[:, 1:], data[:, 0])
    certified = [15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359, -0.0511041056535807]
    np.testing.assert_allclose(model.coef_, [*certified, 1829.15146461355], rtol=1e-9)
    assert model.intercept_ == pytest.approx(-3482258.63459582, rel=1e-9)
    assert model.noise_sd_ == pytest.approx(304.854073561965, rel=1e-9)
    errors = [84.9149257747669, 0.0334910077722432, 0.488399681651699, 0.214274163161675, 0.226073200069370]
    np.testing.assert_allclose(model.coefficients().error, [*errors, 455.478499142212, 890420.383607373], rtol=1e-9)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(n=st.integers(2, 10), d=st.integers(1, 12), seed=st.integers(0, 999), twin=st.booleans())
def test_of_equally_good_weights_the_shortest_are_taken(n, d, seed, twin):
    X, y = _problem(n, d, seed)
    if twin:
        X = np.column_stack([X, X[:, 0] * 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)
        model = LinearRegression(fit_intercept=False).fit(X, y)
    best, _, rank, _ = np.linalg.lstsq(X, y, rcond=1e-12)
    np.testing.assert_allclose(model.coef_, best, rtol=1e-6, atol=1e-8)
    assert model.rank_ == rank


def test_a_qr_keeps_the_digits_that_squares_lose():
    """Columns that differ by 1e-7 of their length; the normal equations have a condition of 1e14."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=60_000)
    X = np.column_stack([x, x + 1e-7 * rng.normal(size=60_000)])
    model = LinearRegression().fit(X, X @ [3.0, -2.0] + 5 + 1e-9 * rng.normal(size=60_000))
    assert model.rank_ == 2
    np.testing.assert_allclose(model.coef_, [3, -2], atol=1e-3)


def test_what_is_not_determined_is_said():
    X, y = _problem(50, 2)
    twice = np.column_stack([X[:, 0], X[:, 0], X[:, 1], np.full(50, 3.0)])
    with pytest.warns(CredoWarning, match=r"4 columns of rank 2.*Ridge or BayesianRegression"):
        model = LinearRegression().fit(twice, y)
    plain = LinearRegression().fit(X, y)
    assert model.coef_[0] == pytest.approx(model.coef_[1]) == pytest.approx(plain.coef_[0] / 2)
    table = model.coefficients()
    assert np.isinf(table.error[[0, 1, 3, 4]]).all()  # the intercept cannot be told from the constant column
    assert table.error[2] == pytest.approx(plain.coefficients().error[1])
    np.testing.assert_allclose(model.predictive(twice).scale, plain.predictive(X).scale, rtol=1e-9)
    with pytest.raises(NumericalFailure, match="row 1 of X differs from the rows of fit"):
        model.predictive([[1.0, 1.0, 1.0, 3.0], [1.0, 2.0, 1.0, 3.0]])
    twins = np.column_stack([X[:, 0], X[:, 0]])
    with pytest.warns(CredoWarning, match="rank 1"):
        error = LinearRegression().fit(twins, y).coefficients().error
    assert np.isfinite(error).tolist() == [False, False, True]  # but from copies it can


@pytest.mark.parametrize(("n", "d"), [(1, 1), (3, 2), (4, 9)])
def test_rows_that_are_fitted_exactly_tell_nothing_of_the_noise(n, d):
    X, y = _problem(n, d)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = LinearRegression().fit(X, y)
    assert any("fitted exactly" in str(warning.message) for warning in said)
    np.testing.assert_allclose(model.predict(X), y)
    for ask in (lambda: model.predictive(X), model.coefficients):
        with pytest.raises(NumericalFailure, match="Fit more rows, or take Ridge"):
            ask()


@pytest.mark.parametrize("constant", [True, False])
def test_targets_without_noise_are_said_to_be(constant):
    X, y = _problem(noise=0.0)
    with pytest.warns(CredoWarning, match="no noise to learn from"):
        model = LinearRegression().fit(X, np.full(40, 7.0) if constant else y)
    assert np.isfinite(model.predictive(X).scale).all()
    assert np.isfinite(model.log_likelihood_)


def test_a_weight_counts_rows():
    X, y = _problem()
    weight = np.arange(40) % 4
    by_weight, by_row = (
        LinearRegression().fit(X, y, weight),
        LinearRegression().fit(*(np.repeat(a, weight, 0) for a in (X, y))),
    )
    np.testing.assert_allclose(by_weight.coefficients().error, by_row.coefficients().error, rtol=1e-9)
    assert by_weight.df_ == by_row.df_
    assert by_weight.log_likelihood_ == pytest.approx(by_row.log_likelihood_)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_change_nothing_but_units(scale):
    X, y = _problem()
    plain, other = LinearRegression().fit(X, y), LinearRegression().fit(X * [1, scale, 1 / scale], y * scale)
    np.testing.assert_allclose(other.coef_ * [1, scale, 1 / scale] / scale, plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(other.coefficients().t, plain.coefficients().t, rtol=1e-7)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"method": "newton"}, "method must be one of 'qr', 'gradient'; got 'newton'"),
        ({"step": 0.1}, "step goes with method='gradient'"),
        ({"step": -0.1, "method": "gradient"}, "step must be positive"),
        ({"step": 1e9, "method": "gradient"}, r"step must be below .* two over the steepest curvature"),
        ({"steps": 0, "method": "gradient"}, "steps must be at least 1"),
        ({"tolerance": 2.0}, "tolerance must lie strictly between 0 and 1"),
        ({"fit_intercept": "no"}, "fit_intercept must be one of True, False"),
        ({"basis": "cubic"}, r"basis must be a transformer, such as PolynomialBasis\(3\), or a function.*'cubic'"),
        ({"basis": PolynomialBasis}, "basis must be a transformer"),
    ],
)
def test_bad_settings_are_refused(settings, complaint):
    with pytest.raises(BadParameter, match=complaint):
        LinearRegression(**settings).fit(*_problem())


def test_asking_before_fit():
    for ask in (lambda m: m.predict([[1.0]]), lambda m: m.predictive([[1.0]]), lambda m: m.coefficients()):
        with pytest.raises(NotFitted, match="Call fit"):
            ask(LinearRegression())


def test_any_basis_inside_and_before_and_in_a_search(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 80)[:, None]
    y = np.sin(x[:, 0]) + 0.1 * rng.normal(size=80)
    for basis in (PolynomialBasis(5), BumpBasis(8), SplineBasis(4), FourierBasis(1, period=2 * np.pi), np.sin):
        model = LinearRegression(basis=basis).fit(x, y)
        assert np.sqrt(np.mean((model.predict(x) - np.sin(x[:, 0])) ** 2)) < 0.06
        assert len(model.coefficients().names) == len(model.coef_) + 1
        if basis is not np.sin:
            piped = Pipeline([("basis", basis), ("line", LinearRegression())]).fit(x, y)
            np.testing.assert_allclose(piped.predict(x), model.predict(x), atol=1e-9)
            storage.save(piped, tmp_path / "piped.credo")
            storage.save(model, tmp_path / "model.credo")
            assert (
                storage.load(tmp_path / "model.credo").predictive(x).scale.tobytes()
                == model.predictive(x).scale.tobytes()
            )
            assert storage.load(tmp_path / "piped.credo").predict(x).tobytes() == piped.predict(x).tobytes()
    with pytest.raises(InvalidInput, match="cannot be stored"):
        storage.save(model, tmp_path / "function.credo")
    grid = GridSearchCV(LinearRegression(basis=PolynomialBasis()), {"basis__degree": [1, 5]}, cv=4).fit(x, y)
    assert grid.best_params_ == {"basis__degree": 5}
    assert LinearRegression(basis=PolynomialBasis(2)).fit(Table({"t": x[:, 0], "y": y}), "y").coefficients().names == (
        "t",
        "t^2",
        "intercept",
    )


def test_a_basis_needs_the_rows_of_a_table(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("t,y\n" + "".join(f"{t},{2 * t + t % 3}\n" for t in range(20)))
    table = Table.read(path, in_memory=False)
    plain = LinearRegression().fit(table, "y")
    assert plain.coef_[0] == pytest.approx(2.0, abs=0.05)
    with pytest.raises(InvalidInput, match="basis needs the rows"):
        LinearRegression(basis=PolynomialBasis(2)).fit(table, "y")


def test_gradient_descent_comes_to_the_same_line():
    X, y = _problem()
    best, model = LinearRegression().fit(X, y), LinearRegression(method="gradient").fit(X, y)
    assert model.outcome_ is Outcome.CONVERGED
    np.testing.assert_allclose(model.coef_, best.coef_, rtol=1e-7)
    np.testing.assert_allclose(model.coefficients().error, best.coefficients().error)
    with pytest.warns(CredoWarning, match="gradient descent: the step limit was reached first"):
        early = LinearRegression(method="gradient", steps=3).fit(X, y)
    assert early.outcome_ is Outcome.OUT_OF_STEPS
    np.testing.assert_allclose(early.trace_, model.trace_[:4])


@pytest.mark.parametrize(
    "model", [LinearRegression(), LinearRegression(method="gradient"), LinearRegression(basis=SplineBasis(3))]
)
def test_it_keeps_the_contract_of_estimators(model):
    check_estimator(model)
