import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Poisson
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)


@few
@given(st.floats(0.01, 200))
def test_agrees_with_scipy(agrees, rate):
    x = np.array([-1.0, 0, 1, 2.5, np.floor(rate), np.floor(3 * rate) + 1])
    agrees(Poisson(rate), stats.poisson(rate), x, rtol=1e-8)


def test_a_rate_of_zero_is_certain():
    law = Poisson(0)
    np.testing.assert_array_equal(law.log_prob([0, 1]), [0, -np.inf])
    np.testing.assert_array_equal(law.quantile([0, 0.5, 1]), 0)
    assert law.entropy() == 0
    assert law.kl(Poisson(3)) == 3
    assert Poisson(3).kl(law) == np.inf


def test_ends_of_the_support():
    np.testing.assert_array_equal(Poisson(3).quantile([0, 1]), [0, np.inf])
    np.testing.assert_array_equal(Poisson(3).log_prob([-1, 0.5, np.inf, -np.inf]), -np.inf)
    np.testing.assert_array_equal(Poisson(3).cdf([-0.5, np.inf]), [0, 1])


@few
@given(st.floats(0, 1e6), st.floats(0, 1))
def test_quantile_is_the_first_count_that_reaches_q(rate, q):
    law = Poisson(rate)
    x = law.quantile(q)
    if q < 1:
        assert law.cdf(x) >= q
        assert x == 0 or law.cdf(x - 1) < q


def test_large_rates_keep_their_digits():
    rate = np.array([1e6, 1e10, 1e14])
    law = Poisson(rate)
    np.testing.assert_allclose(law.log_prob(rate), -np.log(2 * np.pi * rate) / 2, rtol=1e-7)
    np.testing.assert_allclose(law.entropy(), np.log(2 * np.pi * np.e * rate) / 2 - 1 / (12 * rate), rtol=1e-10)
    np.testing.assert_allclose(law.kl(Poisson(rate * 1.001)), rate * (1e-3 - np.log1p(1e-3)), rtol=1e-9)


@pytest.mark.parametrize("rate", [0.3, 5.0, 300.0])
def test_entropy_by_brute_force(rate):
    p = stats.poisson(rate).pmf(np.arange(2000))
    assert Poisson(rate).entropy() == pytest.approx(-(p[p > 0] * np.log(p[p > 0])).sum(), rel=1e-10)


def test_bad_parameters():
    with pytest.raises(BadParameter):
        Poisson(-1)
    with pytest.raises(BadParameter, match="cannot be told apart"):
        Poisson(1e16)


def test_contract():
    check_belief(Poisson(3))
    check_belief(Poisson([0, 0.2, 1e5]))
