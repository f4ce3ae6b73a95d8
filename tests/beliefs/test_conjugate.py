"""Conjugate models of counts against quadrature, one-step predictions and scipy's laws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from credo.beliefs import Beta, BetaBinomial, DirichletCategorical, Gamma, GammaPoisson
from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName

# ---------------------------------------------------------------- coins


@pytest.mark.parametrize(("a", "b", "s", "f"), [(1, 1, 3, 4), (2.5, 0.7, 0, 6), (5, 5, 11, 2)])
def test_a_coin_agrees_with_quadrature(a: float, b: float, s: int, f: int) -> None:
    model = BetaBinomial(a, b).given(successes=s, failures=f)

    def joint(p: float) -> float:
        return float(p**s * (1 - p) ** f * stats.beta.pdf(p, a, b))

    evidence = integrate.quad(joint, 0, 1)[0]
    mean = integrate.quad(lambda p: p * joint(p), 0, 1)[0] / evidence
    assert model.log_evidence == pytest.approx(math.log(evidence), rel=1e-6)
    assert model.mean == pytest.approx(mean, rel=1e-6)
    assert model.predictive().p == pytest.approx(mean, rel=1e-6)
    grid = np.linspace(0, 1, 20_001)[1:-1]
    assert model.map == pytest.approx(grid[stats.beta.pdf(grid, a + s, b + f).argmax()], abs=1e-4)
    assert model.ml == pytest.approx(s / (s + f))
    assert isinstance(model.posterior, Beta)


def test_coins_may_be_tossed_one_at_a_time_or_all_at_once() -> None:
    step, log_p = BetaBinomial(0.5, 2), 0.0
    for toss in [1, 0, 0, 1, 1, 1]:
        log_p += step.predictive().log_prob(toss)
        step = step.given(successes=toss, failures=1 - toss)
    whole = BetaBinomial(0.5, 2).given(successes=4, failures=2)
    assert step.log_evidence == pytest.approx(log_p)
    assert step.log_evidence == pytest.approx(whole.log_evidence)
    assert (step.posterior.a, step.posterior.b) == (whole.posterior.a, whole.posterior.b)


def test_all_three_answers_meet_as_data_grow() -> None:
    gaps = []
    for n in (10, 100, 1000, 10_000):
        model = BetaBinomial(4, 4).given(successes=0.7 * n, failures=0.3 * n)
        gaps.append(max(model.ml, model.map, model.mean) - min(model.ml, model.map, model.mean))
    assert all(late < early / 5 for early, late in itertools.pairwise(gaps))


def test_before_any_data_there_is_no_ml() -> None:
    model = BetaBinomial()
    assert model.ml is None
    assert model.log_evidence == 0
    assert model.table().splitlines()[1].split() == ["p", "–", "0.5", "0.5"]
    assert DirichletCategorical(["a", "b"]).ml is None
    assert GammaPoisson(2, 1).ml is None


# ---------------------------------------------------------------- dice


def test_a_die_agrees_with_the_coin_and_with_scipy() -> None:
    die = DirichletCategorical(["heads", "tails"], alpha=[0.5, 2]).given({"tails": 2}).given([4, 0])
    coin = BetaBinomial(0.5, 2).given(successes=4, failures=2)
    assert die.log_evidence == pytest.approx(coin.log_evidence)
    assert die.predictive()["heads"] == pytest.approx(coin.mean)
    counts, alpha = np.array([3, 0, 2, 5]), np.array([0.5, 1, 2, 3])
    model = DirichletCategorical(range(4), alpha=alpha).given(counts)
    ways = stats.multinomial.logpmf(counts, counts.sum(), np.full(4, 0.25)) - counts.sum() * math.log(0.25)
    expected = stats.dirichlet_multinomial.logpmf(counts, alpha, counts.sum()) - ways
    assert model.log_evidence == pytest.approx(expected)
    np.testing.assert_allclose(model.mean, (counts + alpha) / (counts + alpha).sum())
    np.testing.assert_allclose(model.ml, counts / 10)


def test_the_m_estimate_is_the_mean_under_a_prior_worth_m_samples() -> None:
    m, p = 5.0, np.array([0.2, 0.3, 0.5])
    model = DirichletCategorical(["a", "b", "c"], alpha=m * p).given([4, 0, 1])
    np.testing.assert_allclose(model.mean, (np.array([4, 0, 1]) + m * p) / (5 + m))


# ---------------------------------------------------------------- events in time


def test_rates_agree_with_quadrature_and_predict_as_they_should() -> None:
    counts = [3, 0, 5, 2]
    model = GammaPoisson(2.5, 1.5).given(counts)

    def joint(rate: float) -> float:
        return float(np.prod(stats.poisson.pmf(counts, rate)) * stats.gamma.pdf(rate, 2.5, scale=1 / 1.5))

    evidence = integrate.quad(joint, 0, np.inf)[0]
    assert model.log_evidence == pytest.approx(math.log(evidence), rel=1e-7)
    assert model.mean == pytest.approx(integrate.quad(lambda r: r * joint(r), 0, np.inf)[0] / evidence)
    assert model.ml == 2.5
    assert isinstance(model.posterior, Gamma)
    x = np.arange(30)
    expected = stats.nbinom.logpmf(x, 2.5 + 10, 5.5 / 6.5)
    np.testing.assert_allclose(model.predictive().log_prob(x), expected, rtol=1e-10)
    step, log_p = GammaPoisson(2.5, 1.5), 0.0
    for each in counts:
        log_p += step.predictive().log_prob(each)
        step = step.given(each)
    assert step.log_evidence == pytest.approx(log_p)
    assert step.log_evidence == pytest.approx(model.log_evidence)


# ---------------------------------------------------------------- what is refused, and what people see


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadParameter, match="a must be positive"):
        BetaBinomial(0, 1)
    with pytest.raises(BadParameter, match="failures"):
        BetaBinomial().given(failures=-1)
    with pytest.raises(BadShape, match="single number"):
        BetaBinomial().given(successes=[1, 2])
    with pytest.raises(UnknownName, match="'c'"):
        DirichletCategorical(["a", "b"]).given({"c": 1})
    with pytest.raises(BadParameter, match="counts"):
        DirichletCategorical(["a", "b"]).given([-1, 2])
    with pytest.raises(BadShape, match="counts"):
        DirichletCategorical(["a", "b"]).given([1, 2, 3])
    with pytest.raises(BadShape, match="alpha"):
        DirichletCategorical(["a", "b"], alpha=[1, 2, 3])
    with pytest.raises(BadParameter, match="whole"):
        GammaPoisson(1, 1).given([1.5])
    with pytest.raises(InvalidInput, match="numbers"):
        GammaPoisson(1, 1).given("many")


def test_the_model_that_was_conditioned_stays_as_it_was() -> None:
    model = DirichletCategorical(["a", "b"])
    model.given([1, 2])
    np.testing.assert_array_equal(model.counts, 0)
    with pytest.raises(ValueError, match="read-only"):
        model.counts[0] = 1
