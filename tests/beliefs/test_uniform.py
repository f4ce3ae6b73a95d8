import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Uniform
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(real, size)
def test_agrees_with_scipy(agrees, low, width):
    x = low + width * np.array([-1.0, 0.25, 0.5, 0.99, 2])
    agrees(Uniform(low, low + width), stats.uniform(low, (low + width) - low), x)


def test_edges():
    law = Uniform(2, 6)
    np.testing.assert_allclose(law.log_prob([2, 6]), -np.log(4))
    np.testing.assert_array_equal(law.log_prob([1.999, 6.001, np.inf]), -np.inf)
    np.testing.assert_array_equal(law.quantile([0, 1]), [2, 6])
    assert law.kl(Uniform(0, 8)) == pytest.approx(np.log(2))
    assert law.kl(Uniform(3, 8)) == np.inf


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 1), (-1e308, 1e308)])
def test_bad_parameters(low, high):
    with pytest.raises(BadParameter, match="Point"):
        Uniform(low, high)


def test_contract():
    check_belief(Uniform(0, 1))
    check_belief(Uniform([0, -5, 1e6], [1e-3, 9, 2e6]))
