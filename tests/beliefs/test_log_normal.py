import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import LogNormal, Normal
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(st.floats(-10, 10), st.floats(0.01, 5))
def test_agrees_with_scipy(agrees, mu, sigma):
    x = np.exp(mu) * np.array([-1.0, 0, 0.1, 1, 5, 100])
    agrees(LogNormal(mu, sigma), stats.lognorm(sigma, scale=np.exp(mu)), x, rtol=1e-7)


def test_edges():
    law = LogNormal(0, 2)
    np.testing.assert_array_equal(law.log_prob([-1, 0, np.inf]), -np.inf)
    np.testing.assert_array_equal(law.quantile([0, 1]), [0, np.inf])
    assert law.mode == pytest.approx(np.exp(-4))
    assert LogNormal(0, 100).mean == np.inf  # too large for a float, and no warning


def test_divergence_is_that_of_the_logarithms():
    assert LogNormal(1, 2).kl(LogNormal(0, 3)) == Normal(1, 2).kl(Normal(0, 3))


def test_bad_parameters():
    with pytest.raises(BadParameter):
        LogNormal(0, 0)


def test_contract():
    check_belief(LogNormal(0, 1))
    check_belief(LogNormal([0, 1, -5], [0.1, 2, 0.01]))
