"""Coordinates and back: the same log odds, whatever was done to the columns."""

import numpy as np
import pytest
from scipy import sparse

from credo.linear.coordinates import prepare


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("full_rank", [True, False])
@pytest.mark.parametrize(("n", "d", "make"), [(30, 4, np.asarray), (5, 12, np.asarray), (30, 4, sparse.csr_array)])
def test_weights_mean_the_same_in_both(n, d, make, intercept, full_rank):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    X[:, 2] = 2 * X[:, 0] - X[:, 1]
    if make is np.asarray:
        X[:, 3] += 1e6
    names = [f"x{j}" for j in range(d)]
    weight = rng.uniform(0.5, 2, n)
    coordinates, gram = prepare(make(X), weight, names, intercept=intercept, full_rank=full_rank)
    design = coordinates.design(make(X), intercept=intercept)
    whole = design.dense()
    np.testing.assert_allclose(gram, (whole.T * weight) @ whole, rtol=1e-9, atol=1e-6)
    if full_rank:
        assert np.linalg.matrix_rank(whole) == design.width
        assert n < d or coordinates.left_out.tolist() == [2]
    V = rng.normal(size=(2, design.width))
    W = coordinates.original(V, intercept=intercept)
    again = X @ W[:, :d].T + (W[:, d] if intercept else 0.0)
    np.testing.assert_allclose(again.T, design.times(V), atol=1e-7)


def test_only_what_is_far_is_centred():
    X = np.random.default_rng(1).normal(size=(20, 2))
    near, _ = prepare(X, np.ones(20), ["a", "b"], intercept=True, full_rank=False)
    assert not near.centre.any()
    far, _ = prepare(X + 1e5, np.ones(20), ["a", "b"], intercept=True, full_rank=False)
    np.testing.assert_allclose(far.centre, (X + 1e5).mean(axis=0))
