import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Normal, StudentT
from credo.errors import BadParameter
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-1e3, 1e3)
size = st.floats(1e-3, 1e3)


@few
@given(st.floats(1.01, 1e3), real, size)
def test_agrees_with_scipy(agrees, df, loc, scale):
    agrees(StudentT(df, loc, scale), stats.t(df, loc, scale), loc + scale * np.linspace(-9, 9, 7), rtol=1e-8)


def test_moments_that_do_not_exist():
    law = StudentT([0.5, 1, 1.5, 2, 4], 3, 1)
    np.testing.assert_array_equal(law.mean, [np.nan, np.nan, 3, 3, 3])
    np.testing.assert_array_equal(law.var, [np.nan, np.nan, np.inf, np.inf, 2])


def test_with_one_degree_of_freedom_it_is_the_cauchy_law_to_the_ends_of_the_floats():
    law = StudentT(1, 0, 1)
    x = np.array([-1e300, -1e200, -1e100, -1.0])
    np.testing.assert_allclose(law.cdf(x), -np.arctan(1 / x) / np.pi, rtol=1e-12)
    np.testing.assert_allclose(
        law.quantile([1e-300, 1e-100, 0.25]), -1 / np.tan(np.pi * np.array([1e-300, 1e-100, 0.25]))
    )
    np.testing.assert_allclose(law.log_prob(1e300), -np.log(np.pi) - 2 * np.log(1e300))


def test_many_degrees_of_freedom_are_a_normal_law():
    law, normal = StudentT(1e12, 0, 1), Normal(0, 1)
    x = np.linspace(-5, 5, 11)
    np.testing.assert_allclose(law.log_prob(x), normal.log_prob(x), rtol=1e-9)
    assert law.entropy() == pytest.approx(normal.entropy(), rel=1e-9)
    assert law.kl(normal) == pytest.approx(0, abs=1e-9)


def test_divergence_between_heavy_tails():
    # Of one Cauchy law from another: log(((s + t)² + (m − l)²) / (4 s t)).
    assert StudentT(1, 0, 2).kl(StudentT(1, 3, 1)) == pytest.approx(np.log((3**2 + 3**2) / (4 * 2)), rel=1e-9)
    assert StudentT(2, 0, 1).kl(Normal(0, 1)) == np.inf  # its variance is infinite
    by_hand = -StudentT(3, 0, 1).entropy() + np.log(2 * np.pi) / 2 + 3 / 2
    assert StudentT(3, 0, 1).kl(Normal(0, 1)) == pytest.approx(by_hand, rel=1e-9)


@pytest.mark.parametrize(("df", "scale"), [(0, 1), (-1, 1), (1, 0)])
def test_bad_parameters(df, scale):
    with pytest.raises(BadParameter):
        StudentT(df, 0, scale)


def test_contract():
    check_belief(StudentT(5, 1, 2))
    check_belief(StudentT([0.5, 1, 1.5], [0, 1, 2], 2))
    check_belief(StudentT([2, 3, 300], 0, 1e-3))
