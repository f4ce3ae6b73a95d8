import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Gamma
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(st.floats(0.05, 1e3), size)
def test_agrees_with_scipy(agrees, shape, rate):
    law = Gamma(shape, rate)
    agrees(law, stats.gamma(shape, scale=1 / rate), law.mean * np.array([-1.0, 0.01, 0.5, 1, 2, 9]), rtol=1e-8)


def test_edges_of_the_support():
    np.testing.assert_allclose(Gamma([0.5, 1, 2], 3).log_prob(0), [np.inf, np.log(3), -np.inf])
    np.testing.assert_array_equal(Gamma(2, 3).log_prob([-1, np.inf, -np.inf]), -np.inf)
    np.testing.assert_array_equal(Gamma(2, 3).quantile([0, 1]), [0, np.inf])
    np.testing.assert_array_equal(Gamma([0.5, 1, 3], 2).mode, [0, 0, 1])


def test_large_shapes_keep_their_digits():
    # Near its mean the law is normal: its density at the mean is 1/sqrt(2 pi shape) up to 1/(12 shape).
    shape = np.array([1e6, 1e10, 1e14])
    law = Gamma(shape, 1)
    np.testing.assert_allclose(law.log_prob(shape), -np.log(2 * np.pi * shape) / 2, rtol=1e-7)
    np.testing.assert_allclose(law.entropy(), np.log(2 * np.pi * np.e * shape) / 2, rtol=1e-7)
    np.testing.assert_allclose(law.kl(Gamma(shape, 1 + 1e-3)), shape * (1e-3 - np.log1p(1e-3)), rtol=1e-9)


def test_divergence_by_the_textbook():
    from scipy.special import digamma, gammaln

    k, r, j, s = 3.0, 2.0, 1.5, 0.7
    by_hand = (k - j) * digamma(k) - gammaln(k) + gammaln(j) + j * np.log(r / s) + k * (s - r) / r
    assert Gamma(k, r).kl(Gamma(j, s)) == pytest.approx(by_hand, rel=1e-12)


@pytest.mark.parametrize(("shape", "rate"), [(0, 1), (1, 0), (-1, 1), (1, -1)])
def test_bad_parameters(shape, rate):
    with pytest.raises(BadParameter):
        Gamma(shape, rate)


def test_contract():
    check_belief(Gamma(2, 3))
    check_belief(Gamma([0.3, 1, 3, 1e4], [2, 1, 1e-3, 1]))
