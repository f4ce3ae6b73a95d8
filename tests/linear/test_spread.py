"""The spread is the covariance that is written out."""

import numpy as np
import pytest

from credo.linear import axes as module
from credo.linear.axes import factor_rows, rescaled
from credo.linear.spread import Spread


@pytest.mark.parametrize("level", [None, 0.3])
@pytest.mark.parametrize("k", [2, 4])
def test_the_variance_of_a_row_is_that_of_the_covariance(level, k):
    rng = np.random.default_rng(k)
    directions = np.linalg.qr(rng.normal(size=(4, 4)))[0][:k]
    centre = np.zeros(4) if level is None else rng.normal(size=4)
    spread = Spread(directions, rng.uniform(1, 5, k), rng.uniform(0, 2, 4), 0.7, centre, level)
    inside = directions.T @ np.diag(1 / spread.precisions) @ directions
    outside = 0.7 * (np.eye(4) - directions.T @ directions)
    weights = np.diag(spread.scale) @ (inside + outside) @ np.diag(spread.scale)
    np.testing.assert_allclose(spread.covariance()[:4, :4], weights, atol=1e-14)
    rows = rng.normal(size=(5000, 4))  # several blocks
    at = rows if level is None else np.column_stack([rows, np.ones(5000)])
    direct = np.einsum("ij,jk,ik->i", at, spread.covariance(), at)
    np.testing.assert_allclose(spread.variance(rows), direct, rtol=1e-9, atol=1e-12)


def test_outside_the_rows_nothing_is_known():
    spread = Spread(np.array([[0.6, 0.8]]), np.ones(1), np.ones(2), np.inf, np.zeros(2), None)
    assert spread.variance(np.array([[6.0, 8.0], [6e8, 8e8], [0.0, 0.0], [6.0, 8.001]])).tolist() == pytest.approx(
        [100, 1e18, 0, np.inf]
    )


def test_columns_in_other_units_are_the_same_rows():
    rng = np.random.default_rng(0)
    X, y, scale = rng.normal(size=(9, 4)), rng.normal(size=9), np.array([1e-6, 0.0, 3.0, 1e6])
    ours = rescaled(factor_rows(X, y, None, centred=True), scale)
    direct = factor_rows(X * scale, y, None, centred=True)
    np.testing.assert_allclose(
        (ours.directions.T * ours.singular**2) @ ours.directions,
        (direct.directions.T * direct.singular**2) @ direct.directions,
        rtol=1e-9,
        atol=1e-12,
    )
    explained = ours.target**2 @ (ours.singular > 1e-12)
    assert explained == pytest.approx(direct.target @ direct.target)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("centred", [True, False])
def test_blocks_by_qr_are_the_rows_at_once(monkeypatch, weighted, centred):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(5000, 3)) * [1e-6, 1.0, 1e6] + [1.0, 50.0, 1e7], rng.normal(size=5000)
    weight = rng.integers(0, 3, 5000).astype(float) if weighted else None
    whole = factor_rows(X, y, weight, centred=centred)
    monkeypatch.setattr(module, "DIRECT_CELLS", 0)
    blocks = factor_rows(X, y, weight, centred=centred, squared=False)
    np.testing.assert_allclose(blocks.singular, whole.singular, rtol=1e-9)
    np.testing.assert_allclose(np.abs(blocks.target), np.abs(whole.target), rtol=1e-6, atol=1e-9)
    assert blocks.rest == pytest.approx(whole.rest, rel=1e-10)
    np.testing.assert_allclose(blocks.mean, whole.mean, rtol=1e-13, atol=1e-15)
