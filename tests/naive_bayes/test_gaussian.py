import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo import native
from credo.naive_bayes.gaussian import GaussianColumns, weighted_moments


@st.composite
def groups_of_rows(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d, k = draw(st.integers(1, 20)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    X = rng.normal(size=(n, d)) * 10.0 ** draw(st.integers(-3, 3)) + draw(st.sampled_from([0.0, 1e6]))
    X[rng.random((n, d)) < 0.2] = np.nan
    return X, rng.integers(0, k, n).astype(np.int32), k, rng.integers(0, 4, n)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(groups_of_rows())
def test_weighted_moments_are_those_of_repeated_rows(problem):
    X, groups, k, times = problem
    count, mean, variance = weighted_moments(X, groups, k, times.astype(float))
    n, m, v = native.grouped_moments(np.repeat(X, times, axis=0), np.repeat(groups, times), k)
    np.testing.assert_allclose(count, n)
    np.testing.assert_allclose(mean[n > 0], m[n > 0], rtol=1e-12)
    np.testing.assert_allclose(
        variance[n > 0], v[n > 0], rtol=1e-8, atol=1e-20 + 1e-26 * np.nanmax(np.abs(X), initial=0) ** 2
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(groups_of_rows())
def test_the_likelihood_is_the_sum_over_columns_and_scipys(problem):
    X, groups, k, _ = problem
    law = GaussianColumns.fit(*native.grouped_moments(X, groups, k), floor=1e-9)
    assert np.isfinite(law.mean).all()
    assert (law.variance > 0).all()
    parts = law.by_column(X)
    assert parts.shape == (X.shape[1], len(X), k)
    np.testing.assert_allclose(parts.sum(axis=0), law.log_likelihood(X), rtol=1e-9, atol=1e-9)
    expected = stats.norm.logpdf(X[0], law.mean, np.sqrt(law.variance))
    np.testing.assert_allclose(parts[:, 0].T, np.where(law.varies, np.nan_to_num(expected), 0.0), rtol=1e-9, atol=1e-9)


def test_the_floor_is_a_part_of_the_variance_of_the_whole_column():
    X = np.array([[0.0], [0.0], [2.0], [4.0]])
    moments = native.grouped_moments(X, np.array([0, 0, 1, 1], dtype=np.int32), 2)
    law = GaussianColumns.fit(*moments, floor=0.01)
    assert law.variance.ravel() == pytest.approx([0.01 * X.var(), 1.0])


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e150, 1e-300, -7.0])
def test_a_constant_column_is_the_same_in_every_class(constant):
    moments = native.grouped_moments(np.full((7, 1), constant), np.array([0, 1, 1, 2, 2, 2, 2], dtype=np.int32), 3)
    law = GaussianColumns.fit(*moments, floor=1e-9)
    likelihood = law.log_likelihood(np.array([[constant], [constant + 3]]))
    assert np.isfinite(likelihood).all()
    assert (likelihood == likelihood[:, :1]).all()
