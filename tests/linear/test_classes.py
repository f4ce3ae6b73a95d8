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
