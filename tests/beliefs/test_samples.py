import numpy as np
import pytest

from credo.beliefs import Normal, Samples
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.testing import check_belief


def test_moments_and_quantiles():
    values = np.random.default_rng(0).normal(size=(200, 3))
    law = Samples(values)
    np.testing.assert_allclose(law.mean, values.mean(axis=0))
    np.testing.assert_allclose(law.sd, values.std(axis=0))
    q = np.array([0.01, 0.333, 0.5, 0.9])
    np.testing.assert_array_equal(law.quantile(q), np.quantile(values, q, axis=0, method="inverted_cdf"))
    np.testing.assert_array_equal(law.quantile([0, 1]), [values.min(axis=0), values.max(axis=0)])
    np.testing.assert_allclose(law.cdf(0), (values <= 0).mean(axis=0))
    np.testing.assert_allclose(law.cdf([[-9.0], [9]]), [[0] * 3, [1] * 3])


def test_weights_stand_for_copies():
    weighted, copied = Samples([3, 1, 2], [1, 2, 5]), Samples([3, 1, 1, 2, 2, 2, 2, 2])
    assert weighted.mean == pytest.approx(copied.mean)
    assert weighted.var == pytest.approx(copied.var)
    q = np.linspace(0, 1, 18)
    np.testing.assert_array_equal(weighted.quantile(q), copied.quantile(q))
    np.testing.assert_allclose(weighted.cdf([0, 1, 1.5, 2, 3]), copied.cdf([0, 1, 1.5, 2, 3]))


def test_a_draw_of_no_weight_is_never_seen():
    law = Samples([1, 2, 3], [0, 1, 0])
    np.testing.assert_array_equal(law.quantile([0, 0.5, 1]), 2)
    np.testing.assert_array_equal(law.sample(50, 0), 2)


def test_rows_that_were_drawn_together_stay_together():
    draws = Samples([[1, 10], [2, 20], [3, 30]]).sample(100, 0)
    np.testing.assert_array_equal(draws[:, 1], 10 * draws[:, 0])


def test_there_is_no_density():
    law = Samples([1, 2, 3])
    for ask in (
        lambda: law.log_prob(1),
        lambda: law.mode,
        law.entropy,
        lambda: law.kl(Normal(0, 1)),
        lambda: law.kl(law),
        lambda: Normal(0, 1).kl(law),
    ):
        with pytest.raises(InvalidInput, match="fit a law to them"):
            ask()


def test_printed():
    assert repr(Samples([1, 2, 3], [1, 1, 2])) == "Samples(3 draws, weighted, mean=2.25, sd=0.829156)"
    assert repr(Samples([[1, 2]] * 4)) == "Samples(4 draws, mean=[1 2], sd=[0 0]) × 2 rows"
    assert "<table" in Samples([1, 2, 3])._repr_html_()


@pytest.mark.parametrize(
    ("values", "weights", "error"),
    [
        ([], None, BadShape),
        (1.0, None, BadShape),
        (np.zeros((2, 2, 2)), None, BadShape),
        ([1, np.nan], None, InvalidInput),
        ([1, 2], [1], BadShape),
        ([1, 2], [1, -1], BadParameter),
        ([1, 2], [0, 0], BadParameter),
    ],
)
def test_bad_parameters(values, weights, error):
    with pytest.raises(error):
        Samples(values, weights)


def test_contract():
    values = np.random.default_rng(1).normal(size=(100, 3))
    check_belief(Samples(values))
    check_belief(Samples(values[:, 0], np.arange(100.0)))
