import numpy as np
import pytest

from credo.beliefs import Binomial, Poisson
from credo.beliefs.whole import whole_quantile


@pytest.mark.parametrize("law", [Poisson(0.001), Poisson(7.3), Binomial(40, 0.02), Binomial(40, 0.999)], ids=repr)
def test_against_counting_up(law):
    counts = np.arange(60)
    for q in np.linspace(0.001, 0.999, 25):
        first = counts[np.argmax(law.cdf(counts) >= q)]
        assert whole_quantile(law, np.array(q), np.array(0.0), np.array(np.inf)) == first


def test_a_probability_that_was_reached_exactly_is_reached():
    law, counts = Poisson(5), np.arange(12.0)
    np.testing.assert_array_equal(law.quantile(law.cdf(counts)), counts)


def test_far_out():
    law = Poisson([1e-9, 3, 1e12])
    x = law.quantile([1e-15, 1 - 1e-15])
    assert (law.cdf(x[1]) >= 1 - 1e-15).all()
    assert (x[0] <= x[1]).all()


def test_the_largest_counts_come_to_an_end():
    low, high = Poisson(2.0**53).interval()
    assert high - low == pytest.approx(2 * 1.96 * 2**26.5, rel=1e-3)
