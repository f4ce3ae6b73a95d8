"""Each basis is the functions it says, and a transformer by scikit-learn's contract."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import polynomial
from sklearn.base import clone
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from credo import storage
from credo.errors import BadParameter, BadShape, InvalidInput, NotFitted, TooLarge
from credo.linear import BumpBasis, FourierBasis, PolynomialBasis, Ridge, SplineBasis

BASES = [
    PolynomialBasis(3),
    PolynomialBasis(2, interactions=False, constant=True),
    BumpBasis(4),
    BumpBasis(1, width=2.0, constant=True),
    SplineBasis(4),
    SplineBasis(2, degree=1, constant=True),
    FourierBasis(2, period=3.0),
]


@pytest.mark.parametrize("basis", BASES, ids=str)
def test_it_keeps_the_contract_of_transformers(basis):
    failed = [
        result
        for result in check_estimator(basis, legacy=True, on_skip=None, on_fail=None)
        if result["status"] == "failed"
    ]
    assert not failed, [(result["check_name"], result["exception"]) for result in failed]


@pytest.mark.parametrize("basis", BASES, ids=str)
def test_names_files_and_the_rows_one_by_one(basis, tmp_path):
    frame = pd.DataFrame({"age": np.linspace(-1, 1, 9), "height": np.linspace(0, 5, 9) ** 2})
    fitted = clone(basis).fit(frame)
    made = fitted.transform(frame)
    names = fitted.get_feature_names_out().tolist()
    assert len(names) == len(set(names)) == made.shape[1]
    assert all("age" in name or "height" in name or name == "1" for name in names)
    assert ("1" in names) == basis.constant == bool((made[:, 0] == 1).all())
    np.testing.assert_array_equal(np.vstack([fitted.transform(frame[i : i + 1]) for i in range(9)]), made)
    storage.save(fitted, tmp_path / "basis.credo")
    assert storage.load(tmp_path / "basis.credo").transform(frame).tobytes() == made.tobytes()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(d=st.integers(1, 4), degree=st.integers(1, 5), seed=st.integers(0, 99))
def test_polynomials_are_those_of_scikit_learn(d, degree, seed):
    X = np.random.default_rng(seed).normal(size=(5, d))
    peer = PolynomialFeatures(degree).fit(X)
    ours = PolynomialBasis(degree, constant=True).fit(X)
    np.testing.assert_allclose(ours.transform(X), peer.transform(X), rtol=1e-12)
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
    alone = PolynomialBasis(degree, interactions=False).fit_transform(X[:, :1])
    np.testing.assert_allclose(alone, polynomial.polyvander(X[:, 0], degree)[:, 1:], rtol=1e-12)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(pieces=st.integers(1, 6), degree=st.integers(1, 4), seed=st.integers(0, 99))
def test_splines_span_those_of_scikit_learn(pieces, degree, seed):
    X = np.random.default_rng(seed).normal(size=(60, 1))
    ours = SplineBasis(pieces, degree=degree, constant=True).fit(X)
    knots = ours.knots_[0][degree:-degree, None]
    inside, outside = np.linspace(knots[0], knots[-1], 50), np.array([[-9.0], [9.0]])
    peer = SplineTransformer(degree=degree, knots=knots, extrapolation="linear").fit(X)
    rows = np.vstack([inside, outside])
    back = np.linalg.lstsq(ours.transform(inside), peer.transform(inside), rcond=None)[0]
    np.testing.assert_allclose(ours.transform(rows) @ back, peer.transform(rows), atol=1e-6)
    assert ours.transform(rows).shape[1] == pieces + degree


def test_pieces_hold_equally_many_rows_and_weights_count_rows():
    X = np.random.default_rng(0).exponential(size=(100, 1))
    weight = np.random.default_rng(1).integers(0, 4, 100).astype(float)
    by_weight, by_row = (
        SplineBasis(4).fit(X, sample_weight=weight),
        SplineBasis(4).fit(np.repeat(X, weight.astype(int), 0)),
    )
    np.testing.assert_array_equal(by_weight.knots_[0], by_row.knots_[0])
    knots = SplineBasis(4).fit(X).knots_[0][3:-3]
    assert np.histogram(X, knots)[0] == pytest.approx([25, 25, 25, 25], abs=1)
    np.testing.assert_array_equal(
        BumpBasis(3).fit(X, sample_weight=weight).centres_, BumpBasis(3).fit(X[weight > 0]).centres_
    )


def test_bumps_and_waves_are_their_formulas():
    X = np.array([[0.0, 2.0], [1.0, 4.0], [3.0, 8.0]])
    bumps = BumpBasis(3, width=[0.5, 2.0]).fit(X)
    np.testing.assert_allclose(bumps.centres_, [[0, 2], [1.5, 5], [3, 8]])
    assert bumps.transform(X)[1, 4] == pytest.approx(np.exp(-0.5 * ((4 - 5) / 2) ** 2))
    np.testing.assert_allclose(BumpBasis(3).fit(X).widths_, [1.5, 3.0])
    waves = FourierBasis(2, period=[4.0, 7.0]).fit_transform(X)
    np.testing.assert_allclose(waves[:, 7], np.cos(2 * np.pi * 2 * X[:, 1] / 7), atol=1e-14)
    far = FourierBasis(1, period=1.0).fit(X).transform([[1e9 + 0.25, 0.0]])
    assert far[0, 0] == pytest.approx(1.0, abs=1e-6)  # not lost to the size of the angle


@pytest.mark.parametrize("basis", BASES, ids=str)
def test_constant_columns_and_a_single_row_are_no_trouble(basis):
    made = clone(basis).fit(np.full((1, 2), 3.0)).transform([[3.0, 4.0]])
    assert np.isfinite(made).all()


@pytest.mark.parametrize(
    ("basis", "kind", "complaint"),
    [
        (PolynomialBasis(0), BadParameter, "degree must be at least 1; got 0"),
        (PolynomialBasis(1.5), BadParameter, "degree must be a whole number"),
        (PolynomialBasis(30, interactions=True), TooLarge, r"makes .* columns.*interactions=False"),
        (PolynomialBasis(interactions="no"), BadParameter, "interactions must be one of"),
        (PolynomialBasis(constant="yes"), BadParameter, "constant must be one of"),
        (BumpBasis(0), BadParameter, "count must be at least 1"),
        (BumpBasis(width=0.0), BadParameter, "width must be positive"),
        (BumpBasis(width=[1.0, 2.0]), BadShape, r"width must be one number, or one for each of 5 columns; got \(2,\)"),
        (SplineBasis(0), BadParameter, "pieces must be at least 1"),
        (SplineBasis(degree=0), BadParameter, "degree must be at least 1"),
        (FourierBasis(0), BadParameter, "count must be at least 1"),
        (FourierBasis(period=-1.0), BadParameter, "period must be positive"),
    ],
)
def test_bad_settings_are_refused(basis, kind, complaint):
    with pytest.raises(kind, match=complaint):
        basis.fit(np.random.default_rng(0).normal(size=(6, 5)))


def test_what_overflows_and_what_is_missing_is_refused_by_name():
    with pytest.raises(InvalidInput, match=r"'x0\^2' overflows"):
        PolynomialBasis(2).fit_transform([[1e200], [1.0]])
    with pytest.raises(InvalidInput, match="column 0 holds nan in row 1"):
        BumpBasis().fit([[1.0], [np.nan]])
    for ask in (lambda b: b.transform([[1.0]]), lambda b: b.get_feature_names_out()):
        with pytest.raises(NotFitted, match="Call fit"):
            ask(SplineBasis())


def test_any_transformer_and_any_function_will_do_as_a_basis():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) * [1, 100]
    y = X @ [1.0, 0.01] + 0.1 * rng.normal(size=30)
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_allclose(Ridge(basis=StandardScaler()).fit(X, y).coef_, Ridge().fit(scaled, y).coef_)
    assert Ridge(basis=lambda rows: rows[:, :1] ** 2).fit(X, y).coef_.shape == (1,)
    for basis, complaint in (
        (lambda rows: rows[:, 0], "what basis returns must be a table of rows and columns"),
        (lambda rows: rows[1:], "X and what basis returns must have the same number of rows; got 30 and 29"),
        (lambda rows: rows * np.nan, "must be finite"),
        (lambda rows: rows[:, :0], "at least one column"),
    ):
        with pytest.raises(InvalidInput, match=complaint):
            Ridge(basis=basis).fit(X, y)


def test_a_basis_in_weight_space_is_a_kernel():
    """f = a₀ + a₁x with a ~ N(0, 1) has covariance 1 + x·x′."""
    x = np.linspace(-2, 2, 7)[:, None]
    columns = PolynomialBasis(1, constant=True).fit_transform(x)
    np.testing.assert_allclose(columns @ columns.T, 1 + x * x.T)
