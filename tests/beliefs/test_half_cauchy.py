import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import HalfCauchy
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(size)
def test_agrees_with_scipy(agrees, scale):
    agrees(HalfCauchy(scale), stats.halfcauchy(scale=scale), scale * np.array([-1.0, 0, 0.1, 1, 8]), entropy=False)


def test_edges():
    law = HalfCauchy(2)
    assert law.mean == np.inf
    assert law.sd == np.inf
    assert law.mode == 0
    assert law.entropy() == pytest.approx(np.log(4 * np.pi))
    np.testing.assert_array_equal(law.log_prob([-1e-300, np.inf]), -np.inf)
    np.testing.assert_array_equal(law.quantile([0, 1]), [0, np.inf])
    assert law.log_prob(1e300) == pytest.approx(np.log(4 / np.pi) - 2 * np.log(1e300))
    assert HalfCauchy(1).kl(HalfCauchy(4)) == pytest.approx(np.log(25 / 16))
    with pytest.raises(BadParameter):
        HalfCauchy(0)


def test_contract():
    check_belief(HalfCauchy(1))
    check_belief(HalfCauchy([1e-3, 2, 1e6]))
