import numpy as np
import pytest

from credo.beliefs import Normal, Point, Poisson
from credo.errors import BadShape, InvalidInput
from credo.testing import check_belief


def test_it_is_certain():
    law = Point([1, 2.5])
    np.testing.assert_array_equal(law.log_prob(2.5), [-np.inf, 0])
    np.testing.assert_array_equal(law.cdf([[0.0, 2], [1, 3]]), [[0, 0], [1, 1]])
    np.testing.assert_array_equal(law.quantile([0, 0.3, 1]), [[1, 2.5]] * 3)
    np.testing.assert_array_equal(law.sample(2, 0), [[1, 2.5]] * 2)
    np.testing.assert_array_equal(law.sd, 0)


def test_divergence():
    assert Point(2).kl(Point(2)) == 0
    assert Point(2).kl(Point(3)) == np.inf
    assert Point(2).kl(Poisson(2)) == pytest.approx(-Poisson(2).log_prob(2))
    assert Poisson(2).kl(Point(2)) == np.inf
    assert Point(2).kl(Normal(2, 1)) == np.inf
    assert Normal(2, 1).kl(Point(2)) == np.inf


@pytest.mark.parametrize(("value", "error"), [(np.nan, InvalidInput), ("a", InvalidInput), ([[1.0]], BadShape)])
def test_bad_parameters(value, error):
    with pytest.raises(error):
        Point(value)


def test_contract():
    check_belief(Point(3))
    check_belief(Point([-1, 0, 2.5]))
