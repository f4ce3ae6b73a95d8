import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.beliefs import (
    Beta,
    Binomial,
    Gamma,
    HalfCauchy,
    Mixture,
    MultivariateNormal,
    Normal,
    Point,
    Poisson,
    Samples,
    StudentT,
    Uniform,
)
from credo.errors import BadProbability, BadShape, InvalidInput
from credo.testing import check_belief

few = settings(max_examples=40, deadline=None, derandomize=True)
real = st.floats(-100, 100)
size = st.floats(1e-4, 100)


@few
@given(st.floats(0.001, 0.999), real, size, real, size, st.floats(1e-9, 1 - 1e-9))
def test_quantile_inverts_the_cdf(weight, m1, s1, m2, s2, q):
    law = Mixture([weight, 1 - weight], [Normal(m1, s1), Normal(m2, s2)])
    x = law.quantile(q)
    # As near as a float: the cdf crosses q between the neighbours of x.
    step = 1e-14 * max(abs(x), 1e-3)
    assert law.cdf(x - step) <= q + 1e-15
    assert law.cdf(x + step) >= q - 1e-15


@few
@given(st.floats(0, 1), st.floats(0, 50), st.integers(0, 50), st.floats(0, 1))
def test_discrete_quantile_is_the_first_value_that_reaches_q(weight, rate, n, q):
    law = Mixture([weight, 1 - weight], [Poisson(rate), Binomial(n, 0.5)])
    x = law.quantile(q)
    if 0 < q < 1:
        assert law.cdf(x) >= q
        assert law.cdf(x - 1) < q or x == 0


def test_moments_by_hand():
    law = Mixture([0.2, 0.3, 0.5], [Normal(0, 1), Normal(2, 3), Gamma(4, 2)])
    assert law.mean == pytest.approx(0.3 * 2 + 0.5 * 2)
    assert law.var == pytest.approx(0.2 + 0.3 * 9 + 0.5 * 1 + 0.2 * 1.6**2 + 0.8 * 0.4**2)


def test_a_part_of_no_weight_does_not_count():
    law = Mixture([1, 0], [Normal(3, 2), HalfCauchy(1)])
    assert law.mean == 3
    assert law.var == pytest.approx(4)
    np.testing.assert_allclose(law.quantile([0, 0.2, 1]), Normal(3, 2).quantile([0, 0.2, 1]))
    assert law.kl(Normal(3, 2)) == pytest.approx(0, abs=1e-12)
    assert law.entropy() == pytest.approx(Normal(3, 2).entropy())
    assert Mixture([0.5, 0.5], [Normal(3, 2), HalfCauchy(1)]).var == np.inf


def test_quantiles_at_other_points_than_whole_numbers():
    law = Mixture([0.25, 0.25, 0.5], [Point(0.1), Point(-0.0), Point(1e-9)])
    np.testing.assert_array_equal(law.quantile([0, 0.2, 0.25, 0.3, 0.75, 0.8, 1]), [0, 0, 0, 1e-9, 1e-9, 0.1, 0.1])


def test_modes():
    assert Mixture([0.4, 0.6], [Normal(0, 1), Normal(10, 1)]).mode == pytest.approx(10, abs=1e-6)
    assert Mixture([0.5, 0.5], [Normal(-0.5, 1), Normal(0.5, 1)]).mode == pytest.approx(0, abs=1e-6)
    assert Mixture([0.6, 0.4], [Normal(0, 100), Normal(50, 0.01)]).mode == pytest.approx(50, abs=1e-4)
    assert Mixture([0.5, 0.5], [Beta(0.5, 2), Uniform(0, 1)]).mode == 0
    assert Mixture([0.3, 0.7], [Point(0), Poisson(3)]).mode == 0
    assert Mixture([0.1, 0.9], [Point(0), Poisson(3.5)]).mode == 3


def test_modes_of_many_rows():
    law = Mixture([0.2, 0.8], [Normal(0, 1), Normal(np.linspace(5, 9, 20_001), 1)])
    np.testing.assert_allclose(law.mode[[0, -1]], [law[0].mode, law[-1].mode])


def test_batches_and_nesting():
    inner = Mixture([0.5, 0.5], [Normal([0, 1], 1), StudentT(3, 0, 1)])
    outer = Mixture([[0.2, 0.8], [0.6, 0.4]], [inner, Normal(5, 1)])
    flat = Mixture([[0.1, 0.1, 0.8], [0.3, 0.3, 0.4]], [Normal([0, 1], 1), StudentT(3, 0, 1), Normal(5, 1)])
    x = np.linspace(-3, 6, 7)[:, None]
    np.testing.assert_allclose(outer.log_prob(x), flat.log_prob(x))
    np.testing.assert_allclose(outer.quantile([0.1, 0.6]), flat.quantile([0.1, 0.6]))
    np.testing.assert_allclose(outer.entropy(), flat.entropy())
    np.testing.assert_allclose(outer[1].kl(flat[1]), 0, atol=1e-10)


def test_each_row_draws_for_itself():
    draws = Mixture([0.5, 0.5], [Normal([0, 0], 1), Normal(9, 1)]).sample(2000, 0)
    assert abs(np.corrcoef(draws.T)[0, 1]) < 0.1


def test_vectors():
    parts = [MultivariateNormal([0, 0], np.eye(2)), MultivariateNormal([3, 1], 2 * np.eye(2))]
    law = Mixture([0.25, 0.75], parts)
    x = np.array([[0.5, 0.2], [3, 3]])
    by_hand = np.log(0.25 * np.exp(parts[0].log_prob(x)) + 0.75 * np.exp(parts[1].log_prob(x)))
    np.testing.assert_allclose(law.log_prob(x), by_hand)
    np.testing.assert_allclose(law.mean, [2.25, 0.75])
    for ask in (lambda: law.mode, lambda: law.quantile(0.5), law.entropy, lambda: law.kl(law), lambda: law.cdf([0, 0])):
        with pytest.raises(InvalidInput):
            ask()
    check_belief(law)


def test_draws_as_parts():
    law = Mixture([0.5, 0.5], [Samples([1.0, 2]), Samples([3.0, 4])])
    assert law.mean == 2.5
    np.testing.assert_array_equal(law.quantile([0.25, 0.5, 0.75, 1]), [1, 2, 3, 4])
    with pytest.raises(InvalidInput, match="density"):
        law.log_prob(1)


@pytest.mark.parametrize(
    ("weights", "parts", "error"),
    [
        ([0.5, 0.6], [Normal(0, 1), Normal(1, 1)], BadProbability),
        ([1.0], [Normal(0, 1), Normal(1, 1)], BadShape),
        ([0.5, 0.5], [Normal(0, 1), Poisson(1)], InvalidInput),
        ([0.5, 0.5], [Normal(0, 1), MultivariateNormal([0], [[1]])], InvalidInput),
        ([0.5, 0.5], [Normal(0, 1), 3], InvalidInput),
        ([0.5, 0.5], None, InvalidInput),
        ([0.5, 0.5], [Normal([0, 1], 1), Normal([0, 1, 2], 1)], BadShape),
        (np.full((3, 2), 0.5), [Normal([0, 1], 1), Normal(0, 1)], BadShape),
        ([], [], BadShape),
        (1.0, [Normal(0, 1)], BadShape),
    ],
)
def test_bad_parameters(weights, parts, error):
    with pytest.raises(error):
        Mixture(weights, parts)


def test_contract():
    check_belief(Mixture([0.3, 0.7], [Normal(0, 1), Normal(3, 0.1)]))
    check_belief(Mixture([[0.3, 0.7], [1, 0]], [Normal([0, 1], 1), Gamma(3, 1)]))
    check_belief(Mixture([0.3, 0.7], [Point(0.5), Poisson([3, 1])]))
    check_belief(Mixture([0.3, 0.7], [Uniform(0, 1), Uniform(2, 4)]))
