import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import Beta, Dirichlet
from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName
from credo.testing import check_belief

few = settings(max_examples=30, deadline=None, derandomize=True)


@few
@given(st.lists(st.floats(0.1, 1e3), min_size=2, max_size=5))
def test_agrees_with_scipy(alpha):
    law, reference = Dirichlet(alpha), stats.dirichlet(alpha)
    x = Dirichlet(np.ones(len(alpha))).sample(5, 0)
    np.testing.assert_allclose(law.log_prob(x), reference.logpdf(x.T), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(law.mean, reference.mean())
    np.testing.assert_allclose(law.var, reference.var())
    np.testing.assert_allclose(law.entropy(), reference.entropy(), rtol=1e-8, atol=1e-8)


def test_of_two_states_it_is_a_beta_law():
    law, beta = Dirichlet([2, 3]), Beta(2, 3)
    assert law.log_prob([0.3, 0.7]) == pytest.approx(beta.log_prob(0.3))
    assert law.entropy() == pytest.approx(beta.entropy())
    assert law.kl(Dirichlet([1, 5])) == pytest.approx(beta.kl(Beta(1, 5)))
    np.testing.assert_allclose(law.quantile([0.1, 0.9])[:, 0], beta.quantile([0.1, 0.9]))
    np.testing.assert_allclose(law.mode, [beta.mode, 1 - beta.mode])


def test_mode():
    np.testing.assert_allclose(Dirichlet([2, 3, 1]).mode, [1 / 3, 2 / 3, 0])
    np.testing.assert_allclose(Dirichlet([1, 1, 1]).mode, [1 / 3] * 3)
    np.testing.assert_allclose(Dirichlet([0.2, 0.9, 0.5]).mode, [0, 1, 0])


def test_off_the_simplex():
    law = Dirichlet([2, 3, 4])
    np.testing.assert_array_equal(law.log_prob([[0.5, 0.5, 0.5], [-0.1, 0.6, 0.5], [np.inf, 0, 0]]), -np.inf)


def test_draws_of_tiny_parameters_are_probabilities():
    draws = Dirichlet([1e-4, 1e-4, 1e-4]).sample(500, 0)
    np.testing.assert_allclose(draws.sum(axis=1), 1)
    np.testing.assert_allclose(draws.max(axis=1), 1, atol=0.5)
    assert (draws.max(axis=1) > 1 - 1e-9).mean() > 0.9


def test_marginals():
    law = Dirichlet([[1, 2, 3], [4, 5, 6]], states=["a", "b", "c"])
    np.testing.assert_array_equal(law.marginal("b").a, [2, 5])
    np.testing.assert_array_equal(law.marginal("b").b, [4, 10])
    assert law[1].states == ("a", "b", "c")
    with pytest.raises(UnknownName, match="state 'd'"):
        law.marginal("d")
    with pytest.raises(UnknownName):
        Dirichlet([1, 2]).marginal(2)


@pytest.mark.parametrize(
    ("alpha", "states", "error"),
    [
        (1, None, BadShape),
        ([1], None, BadShape),
        ([0, 1], None, BadParameter),
        ([1, 2], ["a"], BadShape),
        ([1, 2], ["a", "a"], InvalidInput),
        (np.ones((2, 2, 2)), None, BadShape),
    ],
)
def test_bad_parameters(alpha, states, error):
    with pytest.raises(error):
        Dirichlet(alpha, states)


def test_contract():
    check_belief(Dirichlet([2, 3, 0.5]))
    check_belief(Dirichlet([[2, 3, 0.5], [1, 1, 1]], states=["a", "b", "c"]))
