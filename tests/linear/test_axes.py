"""The axes reproduce the problem they were taken from, whichever way they were found."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import InvalidInput
from credo.linear import axes as module
from credo.linear.axes import factor_rows, factor_sums, sum_rows


def _by_sums(X, y, weight, *, centred):
    return factor_sums(sum_rows(X, y, weight), centred=centred)


WAYS = pytest.mark.parametrize("way", [factor_rows, _by_sums])


def _centred(X, y, weight, centred):
    w = np.ones(len(y)) if weight is None else weight
    if centred:
        X, y = X - w @ X / w.sum(), y - w @ y / w.sum()
    return np.sqrt(w)[:, None] * X, np.sqrt(w) * y


@WAYS
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    n=st.integers(1, 12),
    d=st.integers(1, 7),
    seed=st.integers(0, 999),
    centred=st.booleans(),
    weighted=st.booleans(),
    twin=st.booleans(),
)
def test_the_axes_hold_every_product_of_the_rows(way, n, d, seed, centred, weighted, twin):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)) + 5, rng.normal(size=n) - 3
    if twin and d > 1:
        X[:, -1] = 2 * X[:, 0]
    weight = rng.uniform(0.5, 3, n) if weighted else None
    axes = way(X, y, weight, centred=centred)
    Z, z = _centred(X, y, weight, centred)
    V, s = axes.directions, axes.singular
    np.testing.assert_allclose(V @ V.T, np.eye(len(s)), atol=1e-12)
    np.testing.assert_allclose((V.T * s**2) @ V, Z.T @ Z, atol=1e-10)
    np.testing.assert_allclose((s * axes.target) @ V, Z.T @ z, atol=1e-10)
    assert axes.rest + axes.target @ axes.target == pytest.approx(z @ z, abs=1e-9 + axes.resolution)
    assert axes.total == pytest.approx(n if weight is None else weight.sum())


@WAYS
def test_columns_sixteen_orders_of_magnitude_apart_are_all_kept(way):
    rng = np.random.default_rng(1)
    Z, y = rng.normal(size=(300, 20)), rng.normal(size=300)
    scale = 10.0 ** np.linspace(-8, 8, 20)
    axes = way(Z * scale, y, None, centred=True)
    weights = (axes.target / axes.singular) @ axes.directions * scale
    np.testing.assert_allclose(
        weights, np.linalg.lstsq(Z - Z.mean(0), y - y.mean(), rcond=None)[0], rtol=1e-9, atol=1e-12
    )


@WAYS
def test_columns_far_from_zero_lose_no_digits(way):
    rng = np.random.default_rng(2)
    X = 1e8 + rng.integers(0, 100, size=(5000, 3)).astype(float)
    X[0] += 50  # the first rows do not stand for the rest
    y = X @ [1.0, 2.0, 3.0] - 6e8 + rng.normal(size=5000)
    axes = way(X, y, None, centred=True)
    Z = X - X.mean(axis=0)
    np.testing.assert_allclose((axes.directions.T * axes.singular**2) @ axes.directions, Z.T @ Z, rtol=1e-9, atol=1e-4)


@WAYS
def test_constant_and_repeated_columns_make_no_direction(way):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4000, 2))
    X = np.column_stack([x, np.full(4000, 0.1), x[:, 0] * 1e6, x.sum(axis=1), np.full(4000, -1e9)])
    axes = way(X, rng.normal(size=4000), None, centred=True)
    assert len(axes.singular) == 2
    assert (axes.directions[:, [2, 5]] == 0).all()


@WAYS
def test_nothing_varies(way):
    axes = way(np.full((5, 2), 3.0), np.full(5, 7.0), None, centred=True)
    assert axes.singular.shape == (0,)
    assert axes.rest == axes.resolution > 0


def test_many_rows_are_summed_and_few_are_factored(monkeypatch):
    called = []
    monkeypatch.setattr(module, "factor_sums", lambda *_, **__: called.append("sums"))
    factor_rows(np.ones((4, 2)), np.ones(4), None, centred=True)
    assert not called
    factor_rows(np.ones((60_000, 2)), np.ones(60_000), None, centred=True)
    assert called == ["sums"]


@WAYS
@pytest.mark.parametrize("size", [1e31, 1e200, 1e-31])
def test_numbers_whose_squares_overflow_are_refused(way, size):
    small, wild = np.arange(3.0), np.array([1.0, 2.0, 4.0]) * size
    with pytest.raises(InvalidInput, match=r"column 1 of X .* between 1e-30 and 1e\+30.*Change its unit"):
        way(np.column_stack([small, wild]), small, None, centred=True)
    with pytest.raises(InvalidInput, match="y must be of a size"):
        way(small[:, None], wild, None, centred=False)
