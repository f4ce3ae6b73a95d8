import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import HalfNormal
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(size)
def test_agrees_with_scipy(agrees, scale):
    agrees(HalfNormal(scale), stats.halfnorm(scale=scale), scale * np.array([-1.0, 0, 0.1, 1, 8]))


def test_edges():
    law = HalfNormal(2)
    np.testing.assert_array_equal(law.log_prob([-1e-300, np.inf]), -np.inf)
    np.testing.assert_array_equal(law.quantile([0, 1]), [0, np.inf])
    assert law.quantile(1e-200) == pytest.approx(2e-200 * np.sqrt(np.pi / 2))
    with pytest.raises(BadParameter):
        HalfNormal(0)


def test_contract():
    check_belief(HalfNormal(1))
    check_belief(HalfNormal([1e-3, 2, 1e6]))
