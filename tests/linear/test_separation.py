"""Separation is found when there is some, of either kind, by a direction that can be checked; and not otherwise."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

from credo.errors import CredoWarning, Outcome
from credo.linear import LogisticRegression


def fitted(X, y, **options):
    with pytest.warns(CredoWarning, match="separation"):
        return LogisticRegression(alpha=0, **options).fit(X, y)


def margins(model, X, y):
    """ℓ_y − ℓ_k along the direction, for every row and every other class."""
    found = model.separation_
    logits = np.asarray(X) @ found.coef.T + found.intercept
    logits = np.hstack([0 * logits, logits]) if len(model.classes_) == 2 else logits
    own = np.searchsorted(model.classes_, y)
    gaps = logits[np.arange(len(own)), own][:, None] - logits
    return np.array([np.delete(row, k) for row, k in zip(gaps, own, strict=True)])


@pytest.mark.parametrize("classes", [2, 3])
def test_complete_separation_is_said(classes):
    x = np.arange(12.0)[:, None]
    y = np.arange(12) * classes // 12
    X = np.column_stack([x, x**2]) if classes == 3 else x
    model = fitted(X, y)
    assert model.outcome_ is Outcome.UNBOUNDED
    assert model.separation_.kind == "complete"
    assert model.separation_.on_plane == 0
    assert margins(model, X, y).min() > 0
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.deviance_ < 1e-3
    assert np.isinf(model.summary().se).any()
    assert "grow without end" in repr(model.summary())


@pytest.mark.parametrize("classes", [2, 3])
def test_quasi_complete_separation_is_said(classes):
    rng = np.random.default_rng(0)
    y = rng.integers(classes, size=90)
    X = np.column_stack([rng.normal(size=90) + 0.5 * y, y == 1]) * 1.0
    X[40:, 1] = 0  # the flag is raised for class 1 alone, but not always
    with pytest.warns(CredoWarning, match=r"quasi-complete separation: a plane in 'x1' .*but for \d+ rows.*alpha=None"):
        model = LogisticRegression(alpha=0).fit(X, y)
    assert model.separation_.kind == "quasi-complete"
    assert model.separation_.on_plane == int((X[:, 1] == 0).sum())
    gaps = margins(model, X, y)
    assert gaps.min() > -1e-6
    assert gaps.max() > 0.1
    # The rows on the plane do have a best fit, and the others do not disturb it.
    rest = LogisticRegression(alpha=0).fit(X[X[:, 1] == 0][:, :1], y[X[:, 1] == 0])
    if classes == 2:
        np.testing.assert_allclose(model.coef_[:, 0], rest.coef_[:, 0], rtol=1e-5)
        table = model.summary().table()
        assert np.isinf(table["x1"]["se"])
        assert table["x0"]["se"] == pytest.approx(rest.summary().se[0], rel=1e-4)


def test_a_wall_of_equal_rows_is_quasi_complete():
    x = np.array([0.0, 1, 2, 3, 3, 4, 5])[:, None]
    model = fitted(x, [0, 0, 0, 0, 1, 1, 1])
    assert model.separation_.kind == "quasi-complete"
    assert model.separation_.on_plane == 2


def test_through_the_origin_only_the_direction_counts():
    x = np.array([[1.0], [2.0], [-1.0], [-3.0]])
    model = fitted(x, [1, 1, 0, 0], fit_intercept=False)
    assert model.separation_.intercept.tolist() == [0.0]
    LogisticRegression(alpha=0, fit_intercept=False).fit(x, [1, 0, 0, 0])  # a row on the wrong side


def exists(X, y):
    """By one linear program over all rows, whether any direction separates."""
    F = np.column_stack([X, np.ones(len(X))]) * np.where(y == 1, 1, -1)[:, None]
    found = optimize.linprog(-F.sum(axis=0), A_ub=-F, b_ub=np.zeros(len(X)), bounds=(-1, 1))
    return -found.fun > 1e-7


@settings(max_examples=60, deadline=None, derandomize=True)
@given(n=st.integers(4, 14), d=st.integers(1, 3), seed=st.integers(0, 9999))
def test_what_one_large_linear_program_says(n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, d)).astype(float)
    y = rng.integers(0, 2, n)
    assume(0 < y.sum() < n)
    centred = X - X.mean(axis=0)
    assume(np.linalg.matrix_rank(centred) == d)
    if exists(X, y):
        assert margins(fitted(X, y), X, y).min() > -1e-6
    else:
        model = LogisticRegression(alpha=0).fit(X, y)  # a warning would be an error
        assert model.separation_ is None
        assert model.outcome_ is Outcome.CONVERGED


def test_a_prior_needs_no_warning():
    x = np.arange(12.0)[:, None]
    assert LogisticRegression(alpha=1.0).fit(x, x[:, 0] > 5).separation_ is None
