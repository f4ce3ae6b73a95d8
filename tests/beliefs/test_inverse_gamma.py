import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Gamma, InverseGamma
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
size = st.floats(1e-3, 1e3)


@few
@given(st.floats(2.1, 1e3), size)
def test_agrees_with_scipy(agrees, shape, scale):
    law = InverseGamma(shape, scale)
    agrees(law, stats.invgamma(shape, scale=scale), law.mode * np.array([-1.0, 0, 0.2, 1, 3, 30]), rtol=1e-8)


def test_moments_that_are_infinite():
    law = InverseGamma([0.5, 1, 1.5, 2, 3], 4)
    np.testing.assert_array_equal(law.mean, [np.inf, np.inf, 8, 4, 2])
    np.testing.assert_array_equal(law.var, [np.inf, np.inf, np.inf, np.inf, 4])


def test_it_is_the_law_of_the_reciprocal():
    law, other = InverseGamma(2.5, 3), Gamma(2.5, 3)
    x = np.array([0.1, 1, 7])
    np.testing.assert_allclose(law.log_prob(x), other.log_prob(1 / x) - 2 * np.log(x))
    np.testing.assert_allclose(law.cdf(x), 1 - other.cdf(1 / x), atol=1e-15)
    assert law.kl(InverseGamma(1, 1)) == other.kl(Gamma(1, 1))


def test_edges_of_the_support():
    law = InverseGamma(2, 3)
    np.testing.assert_array_equal(law.log_prob([-1, 0, np.inf]), -np.inf)
    np.testing.assert_array_equal(law.quantile([0, 1]), [0, np.inf])
    np.testing.assert_array_equal(law.cdf([-1, 0, np.inf]), [0, 0, 1])


def test_contract():
    check_belief(InverseGamma(5, 3))
    check_belief(InverseGamma([0.8, 1.5, 2, 3.5], [1, 2, 3, 1e-6]))
