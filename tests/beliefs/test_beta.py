import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Beta
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(st.floats(0.1, 1e3), st.floats(0.1, 1e3))
def test_agrees_with_scipy(agrees, a, b):
    x = np.array([-0.1, 1e-9, 0.01, 0.4, 0.5, 0.9, 0.999999, 1.1])
    agrees(Beta(a, b), stats.beta(a, b), x, rtol=1e-7)


def test_mode_at_the_edges():
    law = Beta([2, 1, 0.5, 3, 0.5, 0.5, 1, 1], [3, 1, 3, 0.5, 0.7, 0.5, 2, 0.5])
    np.testing.assert_allclose(law.mode, [1 / 3, 0.5, 0, 1, 0, 1, 0, 1])


def test_ends_of_the_support():
    np.testing.assert_array_equal(Beta([0.5, 1, 2], [2, 2, 2]).log_prob(0), [np.inf, np.log(2), -np.inf])
    np.testing.assert_allclose(Beta(1, 1).log_prob([0, 0.3, 1]), 0, atol=1e-14)
    np.testing.assert_array_equal(Beta(2, 3).quantile([0, 1]), [0, 1])
    np.testing.assert_array_equal(Beta(2, 3).log_prob([-np.inf, np.inf, -1e-300]), -np.inf)


def test_large_parameters_keep_their_digits():
    n = np.array([1e6, 1e10, 1e14])
    law = Beta(n, n)
    np.testing.assert_allclose(law.log_prob(0.5), np.log(4 * n / np.pi) / 2, rtol=1e-7)
    np.testing.assert_allclose(law.entropy(), np.log(2 * np.pi * np.e / (8 * n)) / 2, rtol=1e-6)


def test_upper_tail_is_as_exact_as_the_lower():
    low, high = Beta(2, 5).interval(1 - 1e-12)
    mirrored_low, mirrored_high = Beta(5, 2).interval(1 - 1e-12)
    assert 1 - high == pytest.approx(mirrored_low, rel=1e-9)
    assert 1 - mirrored_high == pytest.approx(low, abs=1e-15)


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (-1, 1)])
def test_bad_parameters(a, b):
    with pytest.raises(BadParameter):
        Beta(a, b)


def test_contract():
    check_belief(Beta(2, 3))
    check_belief(Beta([0.5, 1, 2], [0.5, 1, 300]))


def test_quantiles_far_out():
    law = Beta(2, 300)
    q = np.array([1e-300, 1e-200, 1e-100, 1e-20, 1e-3])
    np.testing.assert_allclose(law.cdf(law.quantile(q)), q, rtol=1e-9)
    assert Beta(0.01, 1).quantile(1e-3) == pytest.approx(1e-300)
