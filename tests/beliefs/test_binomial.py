import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Binomial, Poisson
from credo.errors import BadParameter, BadProbability
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)


@few
@given(st.integers(1, 300), st.floats(0.01, 0.99))
def test_agrees_with_scipy(agrees, n, p):
    x = np.unique([-1.0, 0, 1, 2.5, n // 2, n, n + 1])
    agrees(Binomial(n, p), stats.binom(n, p), x, rtol=1e-7)


def test_certain_laws():
    law = Binomial([10, 10, 0], [0, 1, 0.3])
    np.testing.assert_array_equal(law.mode, [0, 10, 0])
    np.testing.assert_array_equal(law.quantile([0, 0.5, 1]), [[0, 10, 0]] * 3)
    np.testing.assert_allclose(law.log_prob(law.mode), 0, atol=1e-13)
    np.testing.assert_array_equal(law.log_prob(5), -np.inf)
    np.testing.assert_allclose(law.entropy(), 0, atol=1e-12)
    np.testing.assert_array_equal(law.cdf([9.0, 9, 0]), [1, 0, 1])


def test_divergence():
    p, q = Binomial(10, 0.3), Binomial(10, 0.6)
    mass = stats.binom(10, 0.3).pmf(np.arange(11))
    by_hand = (mass * np.log(mass / stats.binom(10, 0.6).pmf(np.arange(11)))).sum()
    assert p.kl(q) == pytest.approx(by_hand)
    more = stats.binom(12, 0.3).pmf(np.arange(11))
    assert p.kl(Binomial(12, 0.3)) == pytest.approx((mass * np.log(mass / more)).sum())
    assert Binomial(12, 0.3).kl(p) == np.inf
    assert p.kl(Binomial(10, 0)) == np.inf
    assert p.kl(Poisson(3)) == pytest.approx((mass * np.log(mass / stats.poisson(3).pmf(np.arange(11)))).sum())


def test_many_tries_keep_their_digits():
    n = np.array([1e6, 1e10, 1e14])
    law = Binomial(n, 0.5)
    np.testing.assert_allclose(law.log_prob(n / 2), -np.log(np.pi * n / 2) / 2, rtol=1e-6)
    np.testing.assert_allclose(law.entropy(), np.log(np.pi * np.e * n / 2) / 2, rtol=1e-6)
    assert Binomial(10**12, 1e-12).log_prob(0) == pytest.approx(-1, rel=1e-9)


@few
@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 1))
def test_quantile_is_the_first_count_that_reaches_q(n, p, q):
    law = Binomial(n, p)
    x = law.quantile(q)
    if 0 < q < 1:
        assert law.cdf(x) >= q
        assert x == 0 or law.cdf(x - 1) < q


@pytest.mark.parametrize(
    ("n", "p", "error"), [(-1, 0.5, BadParameter), (2.5, 0.5, BadParameter), (3, 1.1, BadProbability)]
)
def test_bad_parameters(n, p, error):
    with pytest.raises(error):
        Binomial(n, p)


def test_contract():
    check_belief(Binomial(10, 0.3))
    check_belief(Binomial([10, 0, 1000], [0, 0.3, 0.99]))
