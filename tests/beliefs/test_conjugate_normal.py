"""Conjugate models of measurements against quadrature, scipy's laws and one-step predictions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from credo.beliefs import Measurements, NormalInverseGamma, NormalNormal
from credo.errors import BadParameter, InvalidInput

X = np.array([1.3, 0.2, 2.7, 1.1])


def _density(mean: np.ndarray, variance: np.ndarray, m: float, w: float, a: float, b: float) -> np.ndarray:
    """The joint density of the measurements X, their mean and their variance."""
    prior = stats.invgamma.logpdf(variance, a, scale=b) + stats.norm.logpdf(mean, m, np.sqrt(variance / w))
    return np.exp(prior + sum(stats.norm.logpdf(each, mean, np.sqrt(variance)) for each in X))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=12), st.data())
def test_measurements_may_come_in_any_pieces(values: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(values)))
    pieces = Measurements().and_also(values[:cut]).and_also(values[cut:])
    assert pieces.n == len(values)
    assert pieces.average == pytest.approx(np.mean(values), abs=1e-9)
    assert pieces.squares == pytest.approx(np.var(values) * len(values), abs=1e-6)


def test_far_from_zero_nothing_is_lost() -> None:
    seen = Measurements()
    for value in 1e9 + X:
        seen = seen.and_also(value)
    assert seen.squares == pytest.approx(np.var(X) * len(X), rel=1e-6)


def test_known_noise_agrees_with_scipy() -> None:
    model = NormalNormal(prior_mean=0.5, prior_sd=2.0, noise=0.7).given(X)
    covariance = 0.7**2 * np.eye(4) + 2.0**2 * np.ones((4, 4))
    assert model.log_evidence == pytest.approx(stats.multivariate_normal.logpdf(X, np.full(4, 0.5), covariance))
    precision = 1 / 4 + 4 / 0.49
    assert model.mean == pytest.approx((0.5 / 4 + X.sum() / 0.49) / precision)
    assert model.posterior.sd == pytest.approx(precision**-0.5)
    assert model.map == model.mean
    assert model.ml == pytest.approx(X.mean())
    assert model.predictive().sd == pytest.approx(math.sqrt(1 / precision + 0.49))


def test_unknown_noise_agrees_with_quadrature() -> None:
    m, w, a, b = 0.5, 2.0, 3.0, 1.5
    model = NormalInverseGamma(m, w, a, b).given(X)

    mean, log_variance = np.meshgrid(np.linspace(-4, 6, 401), np.linspace(-4, 5, 401))
    density = _density(mean, np.exp(log_variance), m, w, a, b)
    weight = density * np.exp(log_variance)  # d variance = variance d log variance
    cell = (mean[0, 1] - mean[0, 0]) * (log_variance[1, 0] - log_variance[0, 0])
    evidence = weight.sum() * cell
    assert model.log_evidence == pytest.approx(math.log(evidence), abs=1e-6)
    assert model.mean.mean == pytest.approx((mean * weight).sum() * cell / evidence, abs=1e-6)
    assert model.mean.variance == pytest.approx((np.exp(log_variance) * weight).sum() * cell / evidence, rel=1e-4)
    best = np.unravel_index(density.argmax(), density.shape)
    assert model.map.mean == pytest.approx(mean[best], abs=0.03)
    assert model.map.variance == pytest.approx(np.exp(log_variance[best]), rel=0.03)
    assert model.ml == pytest.approx((X.mean(), X.var()))


@pytest.mark.parametrize("model", [NormalNormal(1.0, 2.0, 0.5), NormalInverseGamma(1.0, 0.5, 2.0, 1.0)])
def test_one_prediction_after_another_is_the_evidence(model: NormalNormal | NormalInverseGamma) -> None:
    step, log_p = model, 0.0
    for value in X:
        log_p += step.predictive().log_prob(value)
        step = step.given(value)
    assert step.log_evidence == pytest.approx(log_p)
    assert model.given(X).log_evidence == pytest.approx(log_p)
    assert model.given([]).log_evidence == 0
    assert model.ml is None


def test_the_marginals_are_those_of_the_joint_density() -> None:
    model = NormalInverseGamma(0.0, 2.0, 3.0, 4.0).given(X)
    variance = model.variance
    for mean in (-1.0, 0.7, 2.0):
        weight = 2.0 + len(X)

        def given_variance(v: float, mean: float = mean, weight: float = weight) -> float:
            at = stats.norm.pdf(mean, float(model.posterior.loc), math.sqrt(v / weight))
            return float(at * np.exp(variance.log_prob(v)))

        assert np.exp(model.posterior.log_prob(mean)) == pytest.approx(
            integrate.quad(given_variance, 0, 200)[0], rel=1e-5
        )


def test_vague_priors_have_no_mean_and_print_a_dash() -> None:
    model = NormalInverseGamma(0.0, 1.0, 0.5, 1.0)
    assert math.isnan(model.mean.mean)
    assert math.isinf(model.mean.variance)
    assert model.table().splitlines()[1].split() == ["μ", "–", "0", "–"]


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadParameter, match="noise"):
        NormalNormal(0, 1, 0)
    with pytest.raises(BadParameter, match="weight"):
        NormalInverseGamma(0, -1, 1, 1)
    with pytest.raises(InvalidInput, match="x must be finite"):
        NormalNormal(0, 1, 1).given([1.0, math.nan])
    with pytest.raises(InvalidInput, match="prior_mean"):
        NormalNormal(math.inf, 1, 1)
