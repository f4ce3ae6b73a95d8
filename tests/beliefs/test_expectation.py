import numpy as np
import pytest
from scipy import integrate, stats

from credo.beliefs import (
    Beta,
    Binomial,
    Dirichlet,
    Gamma,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    LogNormal,
    Mixture,
    MultivariateNormal,
    Normal,
    Poisson,
    StudentT,
    Uniform,
)
from credo.beliefs.expectation import divergence, entropy, expect
from credo.errors import InvalidInput, NumericalFailure, TooLarge

CLOSED = [
    (Normal([0, 5], [1, 1e-6]), Normal(1, 2)),
    (Gamma([0.3, 4, 1e5], [2, 1, 1e4]), Gamma(3, 1)),
    (InverseGamma([0.8, 3], 2), InverseGamma(2, 3)),
    (Beta([0.5, 3, 200], [2, 1.5, 100]), Beta(3, 2)),
    (LogNormal([0, 1], [2, 0.1]), LogNormal(0, 1)),
    (HalfNormal([2, 0.1]), HalfNormal(1)),
    (HalfCauchy([2, 1e-3]), HalfCauchy(1)),
    (Uniform([1, 0], [2, 3]), Uniform(0, 3)),
    (Poisson([0, 0.3, 7, 1e6]), Poisson([1, 5, 6, 1.001e6])),
    (Binomial([0, 10, 1000], [0.3, 0.1, 0.999]), Binomial([0, 10, 1000], 0.5)),
]


@pytest.mark.parametrize(("p", "q"), CLOSED, ids=lambda law: type(law).__name__)
def test_closed_forms_agree_with_the_integral(p, q):
    np.testing.assert_allclose(divergence(p, q), p.kl(q), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(entropy(p), p.entropy(), rtol=1e-9, atol=1e-10)


def test_against_adaptive_quadrature():
    p, q = Normal(1, 0.5), StudentT(3, 0, 2)
    by_hand, _ = integrate.quad(lambda x: np.exp(p.log_prob(x)) * (p.log_prob(x) - q.log_prob(x)), -8, 10)
    assert p.kl(q) == pytest.approx(by_hand, rel=1e-8)
    mixed = Mixture([0.4, 0.6], [Gamma(2, 1), LogNormal(0, 0.3)])
    q = Gamma(1, 1)
    by_hand, _ = integrate.quad(lambda x: np.exp(mixed.log_prob(x)) * (mixed.log_prob(x) - q.log_prob(x)), 0, 60)
    assert mixed.kl(q) == pytest.approx(by_hand, rel=1e-7)


def test_a_needle_in_a_haystack_is_found():
    needle, hay = Normal(100, 1e-6), Normal(0, 1)
    apart = Mixture([0.3, 0.7], [needle, hay])
    by_hand = -0.3 * np.log(0.3) - 0.7 * np.log(0.7) + 0.3 * needle.entropy() + 0.7 * hay.entropy()
    assert apart.entropy() == pytest.approx(by_hand, rel=1e-9)
    assert hay.kl(Mixture([0.5, 0.5], [hay, needle])) == pytest.approx(np.log(2), rel=1e-9)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        (Normal(0, 1), Gamma(1, 1)),
        (Uniform(0, 1), Mixture([0.5, 0.5], [Uniform(-1, 0.4), Uniform(0.5, 2)])),
        (Poisson(3), Binomial(10, 0.3)),
        (StudentT(2, 0, 1), Normal(0, 1)),
        (HalfCauchy(1), Gamma(1, 1)),
        (Gamma(1, 1), InverseGamma(1, 1)),
        (Poisson(3), Normal(3, 2)),
        (Normal(3, 2), Poisson(3)),
    ],
    ids=repr,
)
def test_infinite(p, q):
    assert p.kl(q) == np.inf


def test_heavy_tails_whose_expectation_is_finite():
    # E[x²] = df / (df − 2) enters the divergence from a normal law.
    for df in (2.1, 3, 50):
        p = StudentT(df, 0, 1)
        by_hand = -p.entropy() + np.log(2 * np.pi) / 2 + df / (df - 2) / 2
        assert p.kl(Normal(0, 1)) == pytest.approx(by_hand, rel=1e-8)


def test_what_cannot_be_computed_is_refused():
    with pytest.raises(NumericalFailure, match="draws"):
        StudentT(2.001, 0, 1).kl(Normal(0, 1))
    with pytest.raises(NumericalFailure, match="draws"):
        Gamma(0.001, 1).kl(LogNormal(0, 1))  # most of its mass lies below the smallest float
    with pytest.raises(InvalidInput, match="draws"):
        MultivariateNormal([0, 0], np.eye(2)).kl(Mixture([1.0], [MultivariateNormal([0, 0], np.eye(2))]))
    with pytest.raises(InvalidInput, match="draws"):
        Mixture([1.0], [Dirichlet([1, 2])]).entropy()
    with pytest.raises(TooLarge, match="draw a sample"):
        Mixture([0.5, 0.5], [Poisson(1e15), Binomial(1, 0.5)]).entropy()


def test_rows_in_groups_are_the_rows_alone():
    p = Normal(np.linspace(-5, 5, 1000), 1)
    q = StudentT(3, 0, 2)
    whole = p.kl(q)
    np.testing.assert_allclose(whole[[0, 980, -1]], [p[i].kl(q) for i in (0, 980, 999)], rtol=1e-12)


def test_expectations():
    law = Gamma([1, 2, 3], 1)
    np.testing.assert_allclose(expect(law, lambda x, _: x**2, (law,)), law.var + law.mean**2)
    p = Poisson(2.5)
    assert expect(p, lambda x, _: x * (x - 1), (p,)) == pytest.approx(2.5**2)


def test_discrete_laws_far_wider_than_their_steps():
    # The sum over a million values is taken in strides; scipy's own probabilities say the same.
    p, q = Poisson(1e8), Mixture([0.5, 0.5], [Poisson(1e8), Poisson(1.0002e8)])
    k = np.arange(1e8 - 2e5, 1e8 + 2e5)
    mass = stats.poisson(1e8).pmf(k)
    other = (mass + stats.poisson(1.0002e8).pmf(k)) / 2
    assert p.kl(q) == pytest.approx((mass * np.log(mass / other)).sum(), rel=1e-5)
