import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Normal
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(real, size)
def test_agrees_with_scipy(agrees, mean, sd):
    agrees(Normal(mean, sd), stats.norm(mean, sd), mean + sd * np.linspace(-8, 8, 9))


def test_a_batch_agrees_with_scipy(agrees):
    mean, sd = np.array([0.0, -3, 1e6]), np.array([1.0, 0.1, 1e-3])
    agrees(Normal(mean, sd), stats.norm(mean, sd), mean + np.array([[-2.0], [0], [0.5]]) * sd)


def test_far_tails():
    law = Normal(0, 1)
    assert law.log_prob(1e150) == pytest.approx(-0.5e300)
    np.testing.assert_array_equal(law.log_prob([np.inf, -np.inf]), -np.inf)
    assert law.quantile(1e-300) == pytest.approx(-37.0471, abs=1e-4)
    np.testing.assert_array_equal(law.quantile([0, 1]), [-np.inf, np.inf])
    low, high = law.interval(1 - 1e-10)
    assert low == -high


@few
@given(real, size, real, size)
def test_divergence(mean, sd, other_mean, other_sd):
    p, q = Normal(mean, sd), Normal(other_mean, other_sd)
    by_hand = np.log(other_sd / sd) + (sd**2 + (mean - other_mean) ** 2) / (2 * other_sd**2) - 0.5
    assert p.kl(q) == pytest.approx(by_hand, rel=1e-9, abs=1e-12)


def test_divergence_of_close_laws_keeps_its_digits():
    assert Normal(0, 1).kl(Normal(0, 1 + 1e-7)) == pytest.approx(1e-14, rel=1e-5)


def test_divergence_of_laws_of_very_different_width():
    assert Normal(0, 1e-200).kl(Normal(0, 1)) == pytest.approx(200 * np.log(10) - 0.5)
    assert Normal(0, 1e100).kl(Normal(0, 1)) == pytest.approx(0.5e200)


@pytest.mark.parametrize(
    ("mean", "sd", "error"),
    [
        (0, 0, BadParameter),
        (0, -1, BadParameter),
        (np.nan, 1, InvalidInput),
        (0, np.inf, InvalidInput),
        ("a", 1, InvalidInput),
        (1j, 1, InvalidInput),
        ([1, 2], [1, 2, 3], BadShape),
        ([[1, 2]], 1, BadShape),
    ],
)
def test_bad_parameters(mean, sd, error):
    with pytest.raises(error):
        Normal(mean, sd)


def test_contract():
    check_belief(Normal(0, 1))
    check_belief(Normal([-1, 0, 1e6], [1, 1e-9, 1e3]))
