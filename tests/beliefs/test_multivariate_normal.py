import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.beliefs import MultivariateNormal, Normal
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.testing import check_belief

few = settings(max_examples=30, deadline=None, derandomize=True)


def covariance(d, seed):
    factor = np.random.default_rng(seed).normal(size=(d, d + 2))
    return factor @ factor.T


@few
@given(st.integers(1, 6), st.integers(0, 1000))
def test_agrees_with_scipy(d, seed):
    mean, cov = np.random.default_rng(seed).normal(size=d), covariance(d, seed)
    law, reference = MultivariateNormal(mean, cov), stats.multivariate_normal(mean, cov)
    x = np.random.default_rng(seed + 1).normal(size=(4, d))
    np.testing.assert_allclose(law.log_prob(x), reference.logpdf(x), rtol=1e-8)
    assert law.entropy() == pytest.approx(reference.entropy())


def test_one_covariance_a_row_or_one_for_all():
    means, covs = np.arange(6.0).reshape(3, 2), np.stack([covariance(2, seed) for seed in range(3)])
    x = np.random.default_rng(0).normal(size=(5, 3, 2))
    law = MultivariateNormal(means, covs)
    alone = [MultivariateNormal(m, c) for m, c in zip(means, covs, strict=True)]
    np.testing.assert_allclose(law.log_prob(x), np.stack([b.log_prob(x[:, i]) for i, b in enumerate(alone)], axis=1))
    np.testing.assert_allclose(law.kl(alone[0]), [b.kl(alone[0]) for b in alone], atol=1e-12)
    shared = MultivariateNormal(means, covs[0])
    np.testing.assert_allclose(shared[1].log_prob(x[:, 1]), shared.log_prob(x)[:, 1])
    np.testing.assert_allclose(shared.entropy(), [alone[0].entropy()] * 3)
    assert MultivariateNormal(means[0], covs).batch_shape == (3,)


def test_divergence_by_the_textbook():
    p, q = MultivariateNormal([0, 1, 2], covariance(3, 0)), MultivariateNormal([1, 1, 0], covariance(3, 1))
    inverse, shift = np.linalg.inv(q.cov), q.mean - p.mean
    ratio = np.log(np.linalg.det(q.cov) / np.linalg.det(p.cov))
    assert p.kl(q) == pytest.approx((np.trace(inverse @ p.cov) + shift @ inverse @ shift - 3 + ratio) / 2)


def test_of_one_coordinate_it_is_a_normal_law():
    law, normal = MultivariateNormal([3], [[4]]), Normal(3, 2)
    assert law.log_prob([5]) == pytest.approx(normal.log_prob(5))
    assert law.entropy() == pytest.approx(normal.entropy())
    np.testing.assert_allclose(law.interval(0.9), np.array(normal.interval(0.9))[:, None])


def test_marginal_times_conditional_is_the_joint():
    law = MultivariateNormal([0, 1, 2, 3], covariance(4, 3))
    x = np.array([0.3, -1, 2, 5])
    for known in ([0], [3, 1], [2, 0, 1]):
        rest = [i for i in range(4) if i not in known]
        split = law.marginal(known).log_prob(x[known]) + law.given(known, x[known]).log_prob(x[rest])
        assert split == pytest.approx(law.log_prob(x))
    assert isinstance(law.marginal(-1), Normal)
    assert law.marginal(-1).mean == 3


def test_conditioning_a_batch():
    law = MultivariateNormal([0, 1, 2], covariance(3, 3))
    values = np.array([[1.0, 2], [3, 4]])
    many = law.given([0, 2], values)
    assert many.batch_shape == (2,)
    for row, value in zip(many, values, strict=True):
        np.testing.assert_allclose(row.mean, law.given([0, 2], value).mean)
    batch = MultivariateNormal([[0, 1, 2], [5, 5, 5]], covariance(3, 3))
    np.testing.assert_allclose(batch.given([0, 2], values)[1].mean, batch[1].given([0, 2], values[1]).mean)
    np.testing.assert_allclose(batch.given(0, [1.0, 3])[1].mean, batch[1].given(0, 3).mean)
    with pytest.raises(BadShape, match="same number of rows"):
        batch.given([0, 2], np.zeros((3, 2)))


def test_draws_have_the_covariance():
    cov = covariance(3, 5)
    draws = MultivariateNormal([1, 2, 3], cov).sample(100_000, 0)
    np.testing.assert_allclose(np.cov(draws.T), cov, atol=0.03 * cov.max())


@pytest.mark.parametrize(
    ("mean", "cov", "error"),
    [
        ([0, 0], [[1, 2], [2, 1]], BadParameter),
        ([0, 0], [[1, 1], [1, 1]], BadParameter),
        ([0, 0], [[1, 0.5], [0, 1]], BadParameter),
        ([0, 0], np.eye(3), BadShape),
        (0, [[1]], BadShape),
        ([], np.zeros((0, 0)), BadShape),
        (np.zeros((3, 2)), np.stack([np.eye(2)] * 2), BadShape),
        ([0, np.nan], np.eye(2), InvalidInput),
    ],
)
def test_bad_parameters(mean, cov, error):
    with pytest.raises(error):
        MultivariateNormal(mean, cov)


@pytest.mark.parametrize("at", [2, -3, [0, 0], [0, -2], [], "a", 0.5, [[0]], [True, False]])
def test_bad_coordinates(at):
    law = MultivariateNormal([0, 0], np.eye(2))
    with pytest.raises(InvalidInput):
        law.marginal(at)


def test_bad_values():
    law = MultivariateNormal([0, 0], np.eye(2))
    with pytest.raises(BadShape, match="unknown"):
        law.given([0, 1], [1, 2])
    with pytest.raises(BadShape, match="values must hold 1"):
        law.given([0], [1, 2])


def test_contract():
    check_belief(MultivariateNormal([0, 1], [[1, 0.5], [0.5, 2]]))
    check_belief(MultivariateNormal([[0, 1], [3, 4], [5, 6]], [[1, 0.5], [0.5, 2]]))
    check_belief(MultivariateNormal([[0, 1], [3, 4]], [[[1, 0.5], [0.5, 2]], [[1e-6, 0], [0, 1e6]]]))
