"""Dense and sparse rows give the same products, with an intercept or without, however they are cut into pieces."""

import numpy as np
import pytest
from scipy import sparse

from credo import native
from credo.linear import design as module
from credo.linear.design import Design


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_the_products_are_those_of_the_matrix(monkeypatch, make, intercept):
    monkeypatch.setattr(module, "BLOCK_CELLS", 20)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(23, 4)) * (rng.random((23, 4)) < 0.5)
    whole = np.column_stack([X, np.ones(23)]) if intercept else X
    design = Design(make(X), intercept)
    V, R, w = rng.normal(size=(2, whole.shape[1])), rng.normal(size=(2, 23)), rng.random(23)
    np.testing.assert_allclose(design.times(V), V @ whole.T, atol=1e-14)
    np.testing.assert_allclose(design.pull(R), R @ whole, atol=1e-14)
    np.testing.assert_allclose(design.gram(w), (whole.T * w) @ whole, atol=1e-13)
    np.testing.assert_array_equal(design.dense(), whole)
    A = rng.normal(size=(2 * whole.shape[1], 2 * whole.shape[1]))
    C = (A @ A.T).reshape(2, whole.shape[1], 2, whole.shape[1]).transpose(0, 2, 1, 3)
    np.testing.assert_allclose(design.spreads(C), np.einsum("ni,abij,nj->nab", whole, C, whole), atol=1e-12)


def test_the_gram_matrix_is_the_same_on_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_CELLS", 50)
    rng = np.random.default_rng(0)
    design, w = Design(rng.normal(size=(999, 5)), intercept=True), rng.random(999)
    before, found = native.threads(), []
    try:
        for threads in (1, 2, 5):
            native.set_threads(threads)
            found.append(design.gram(w))
    finally:
        native.set_threads(before)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_many_sums_and_forms_are_those_of_each_alone(monkeypatch, make, intercept, count):
    monkeypatch.setattr(module, "BLOCK_CELLS", 20)
    monkeypatch.setattr(module, "LEAST_ROWS", 4)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(23, 5)) * (rng.random((23, 5)) < 0.5)
    whole = np.column_stack([X, np.ones(23)]) if intercept else X
    design, weights = Design(make(X), intercept), rng.random((count, 23))
    assert design.folds(count) == (count == 7)
    found = design.grams(lambda rows: weights[:, rows], count)
    np.testing.assert_allclose(found, np.einsum("kn,ni,nj->kij", weights, whole, whole), atol=1e-13)
    C = rng.normal(size=(count, whole.shape[1], whole.shape[1]))
    forms = np.full((count, 23), np.nan)
    for rows, part in design.forms(C):
        assert np.isnan(forms[:, rows]).all()
        forms[:, rows] = part
    np.testing.assert_allclose(forms, np.einsum("ni,kij,nj->kn", whole, C, whole), atol=1e-12)
