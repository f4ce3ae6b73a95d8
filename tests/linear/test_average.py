"""Averages of the sigmoid and the softmax against adaptive quadrature and many random draws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from credo.linear import average
from credo.linear.average import average_sigmoid, average_softmax
from credo.linear.classes import contrasts


@pytest.mark.parametrize("sd", [1e-9, 0.3, 0.99, 1.0, 1.01, 3.0, 30.0])
@pytest.mark.parametrize("mean", [-12.0, -1.0, 0.0, 0.3, 5.0])
def test_the_sigmoid_is_averaged_to_many_digits(mean, sd):
    ends = np.array([-12.0, -mean / sd, 0.0, 12.0])
    points = np.unique(np.clip(ends, -12, 12))
    exact = integrate.quad(
        lambda z: special.expit(mean + sd * z) * stats.norm.pdf(z), -12, 12, points=points, limit=500, epsabs=1e-14
    )[0]
    no, yes = np.exp(average_sigmoid(np.array([mean]), np.array([sd**2])))[0]
    assert yes == pytest.approx(exact, rel=1e-6, abs=1e-13)
    assert no + yes == pytest.approx(1, abs=1e-14)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(mean=st.floats(-1e4, 1e4), variance=st.floats(0, 1e8))
def test_doubt_moves_towards_a_half_and_never_past_it(mean, variance):
    log_no, log_yes = average_sigmoid(np.array([mean]), np.array([variance]))[0]
    assert np.isfinite([log_no, log_yes]).all()
    less = min(log_no, log_yes)
    assert special.log_expit(-abs(mean)) - 1e-9 <= less <= np.log(0.5) + 1e-12
    assert (log_yes >= log_no) == (mean >= 0) or log_yes == pytest.approx(log_no)
    other = average_sigmoid(np.array([-mean]), np.array([variance]))[0]
    np.testing.assert_allclose(other[::-1], [log_no, log_yes], atol=1e-12)


def test_a_wide_law_is_a_question_of_sign_alone():
    yes = np.exp(average_sigmoid(np.array([50.0]), np.array([1e8])))[0, 1]
    assert yes == pytest.approx(stats.norm.cdf(50 / 1e4), abs=1e-8)


@pytest.mark.parametrize("classes", [3, 4, 8])
@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_the_softmax_is_averaged_to_three_digits(classes, scale):
    m, basis = classes - 1, contrasts(classes)
    rng = np.random.default_rng(classes)
    errors = []
    for _ in range(8):
        eta, A = 2 * rng.normal(size=m), scale * rng.normal(size=(m, m)) / np.sqrt(m)
        draws = rng.normal(size=(40_000, m)) @ A.T
        exact = special.softmax((eta + np.concatenate([draws, -draws])) @ basis.T, axis=1).mean(axis=0)
        ours = np.exp(average_softmax(eta[None], (A @ A.T)[None], basis))[0]
        errors.append(np.abs(ours - exact).max())
    assert np.mean(errors) < 0.003 * max(1, scale)


def test_without_spread_the_softmax_is_itself():
    eta, basis = np.array([[1.0, -2.0], [300.0, 0.0]]), contrasts(3)
    found = average_softmax(eta, np.zeros((2, 2, 2)), basis)
    np.testing.assert_allclose(found, special.log_softmax(eta @ basis.T, axis=1), atol=1e-8)


def test_rows_are_averaged_a_few_at_a_time_and_far_out_nothing_is_lost(monkeypatch):
    rng = np.random.default_rng(0)
    eta, basis = np.array([[1.0, -2.0], [3e3, 0.0], [0.0, 900.0]]), contrasts(3)
    spread = np.stack([A @ A.T for A in rng.normal(size=(3, 2, 2))])
    found = average_softmax(eta, spread, basis)
    assert np.isfinite(found).all()
    assert found[1].min() < -1000
    monkeypatch.setattr(average, "BLOCK_CELLS", 1)
    np.testing.assert_allclose(average_softmax(eta, spread, basis), found, rtol=1e-12)
