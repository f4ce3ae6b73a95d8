"""The twins against brute force and against references that nobody here wrote."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import norm

from credo.native import reference


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_contingency_counts(rng: np.random.Generator) -> None:
    columns = [rng.integers(-1, size, 50, dtype=np.int32) for size in (2, 3, 2)]
    weights = rng.random(50)
    counts = reference.contingency(columns, [2, 3, 2], None).reshape(2, 3, 2)
    sums = reference.contingency(columns, [2, 3, 2], weights).reshape(2, 3, 2)
    for cell in product(range(2), range(3), range(2)):
        rows = [i for i in range(50) if tuple(column[i] for column in columns) == cell]
        assert counts[cell] == len(rows)
        assert sums[cell] == pytest.approx(weights[rows].sum())


def test_log_sum_exp_agrees_with_scipy(rng: np.random.Generator) -> None:
    a = rng.normal(0, 300, (4, 9, 3))
    a[0, 2, 1] = -np.inf
    np.testing.assert_allclose(reference.log_sum_exp(a), logsumexp(a, axis=1), rtol=1e-15)
    assert (reference.log_sum_exp(np.full((1, 3, 2), -np.inf)) == -np.inf).all()


def test_moments_agree_with_numpy(rng: np.random.Generator) -> None:
    X = rng.normal(size=(60, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    groups = rng.integers(-1, 3, 60, dtype=np.int32)
    count, mean, variance = reference.grouped_moments(X, groups, 3)
    for k in range(3):
        np.testing.assert_array_equal(count[k], (~np.isnan(X[groups == k])).sum(axis=0))
        np.testing.assert_allclose(mean[k], np.nanmean(X[groups == k], axis=0), rtol=1e-13)
        np.testing.assert_allclose(variance[k], np.nanvar(X[groups == k], axis=0), rtol=1e-12)


def test_gaussian_log_joint_agrees_with_scipy(rng: np.random.Generator) -> None:
    X, mean, variance = rng.normal(size=(7, 3)), rng.normal(size=(2, 3)), rng.gamma(2.0, size=(2, 3))
    X[0, 1] = np.nan
    log_prior = np.log([0.25, 0.75])
    terms = norm(mean, np.sqrt(variance)).logpdf(X[:, None, :])
    np.testing.assert_allclose(
        reference.gaussian_log_joint(X, mean, variance, log_prior), log_prior + np.nansum(terms, axis=2), rtol=1e-13
    )
