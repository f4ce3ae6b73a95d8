"""The likelihood of classes: two of them by a short cut, and derivatives."""

import numpy as np
import pytest
from scipy import special

from credo.linear.classes import Classes, contrasts
from credo.testing import check_gradient


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_contrasts_sum_to_zero_and_have_length_one(classes):
    basis = contrasts(classes)
    np.testing.assert_allclose(basis.sum(axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(basis.T @ basis, np.eye(classes - 1) * (0.5 if classes == 2 else 1), atol=1e-15)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_loss_and_probabilities_are_those_of_the_softmax(classes):
    rng = np.random.default_rng(0)
    held = Classes(rng.integers(classes, size=40), rng.random(40), contrasts(classes))
    eta = 20 * rng.normal(size=(classes - 1, 40))
    logs = special.log_softmax(held.basis @ eta, axis=0)
    np.testing.assert_allclose(held.probabilities(eta), np.exp(logs), rtol=1e-12)
    assert held.loss(eta) == pytest.approx(-held.weight @ logs[held.codes, np.arange(40)])
    check_gradient(
        lambda v: (held.loss(v.reshape(eta.shape)), held.residuals(held.probabilities(v.reshape(eta.shape))).ravel()),
        eta.ravel() / 20,
    )


def test_far_out_nothing_overflows():
    held = Classes(np.array([0, 1]), np.ones(2), contrasts(2))
    eta = np.array([[1e4, -1e4]])
    assert held.loss(eta) == 2e4
    assert np.isfinite(held.probabilities(eta)).all()


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_pairs_of_classes_make_the_curvature(classes):
    rng = np.random.default_rng(0)
    held, m = Classes(rng.integers(classes, size=20), rng.random(20), contrasts(classes)), classes - 1
    eta = 2 * rng.normal(size=(m, 20))
    probs = held.probabilities(eta)
    doubts = held.doubts(probs, slice(0, 20))
    assert len(doubts) == held.pairs
    np.testing.assert_allclose(held.doubts(probs, slice(5, 9)), doubts[:, 5:9])
    found = held.combined(doubts.reshape(-1, 4, 5))  # (whatever the matrices are, rows may stand in them)
    np.testing.assert_allclose(found, np.swapaxes(found, 0, 1), rtol=1e-12, atol=1e-15)
    step = 1e-6
    for a in range(m):
        up, down = eta.copy(), eta.copy()
        up[a] += step
        down[a] -= step
        slopes = (held.residuals(held.probabilities(up)) - held.residuals(held.probabilities(down))) / (2 * step)
        np.testing.assert_allclose(found[a].reshape(m, 20), slopes, atol=1e-8)


def test_the_curvature_of_rows_that_are_sure_keeps_its_digits():
    held = Classes(np.array([0]), np.ones(1), contrasts(3))
    logits = np.array([[0.0], [-50.0], [-120.0]])
    found = held.combined(held.doubts(held.probabilities(held.basis.T @ logits), slice(0, 1)).reshape(3, 1, 1))
    away = held.basis.T @ np.array([1.0, -1.0, 0.0])
    assert away @ found[:, :, 0, 0] @ away == pytest.approx(4 * np.exp(-50), rel=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_differences_are_covariances_of_log_odds_between_two_classes(classes):
    rng = np.random.default_rng(0)
    held, m = Classes(np.zeros(1, dtype=int), np.ones(1), contrasts(classes)), classes - 1
    A = rng.normal(size=(m * 4, m * 4))
    blocks = (A @ A.T).reshape(m, 4, m, 4).transpose(0, 2, 1, 3)
    pairs = [(k, j) for k in range(classes) for j in range(k + 1, classes)]
    found = held.differences(blocks)
    assert found.shape == (held.pairs, 4, 4)
    for (k, j), C in zip(pairs, found, strict=True):
        b = held.basis[j] - held.basis[k]
        np.testing.assert_allclose(C, np.einsum("a,b,abij->ij", b, b, blocks), atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_gradient_of_the_curvature_is_its_derivative(classes):
    rng = np.random.default_rng(0)
    held = Classes(rng.integers(classes, size=12), rng.random(12), contrasts(classes))
    variances, rows = rng.random((held.pairs, 12)), slice(3, 10)

    def at(v):
        probs = held.probabilities(v.reshape(classes - 1, 12))
        gradient = np.zeros((classes - 1, 12))
        gradient[:, rows] = held.curvature_gradient(probs, rows, variances[:, rows])
        return float(0.5 * (held.doubts(probs, rows) * variances[:, rows]).sum()), gradient.ravel()

    check_gradient(at, rng.normal(size=(classes - 1) * 12))
