"""The negative binomial law, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from credo.beliefs import NegativeBinomial, Poisson
from credo.errors import BadParameter, TooLarge
from credo.testing import check_belief


@pytest.mark.parametrize(("shape", "rate"), [(6, 2), (0.5, 0.1), ([1, 40], [3, 0.5])])
def test_the_contract(shape: object, rate: object) -> None:
    check_belief(NegativeBinomial(shape, rate))


def test_it_is_that_of_scipy() -> None:
    x = np.arange(-1, 60)
    for shape, rate in ((6.0, 2.0), (0.3, 0.05), (1.0, 10.0)):
        law, reference = NegativeBinomial(shape, rate), stats.nbinom(shape, rate / (1 + rate))
        np.testing.assert_allclose(law.log_prob(x), reference.logpmf(x), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(law.cdf(x), reference.cdf(x), rtol=1e-10)
        np.testing.assert_allclose(law.quantile([0.01, 0.5, 0.99]), reference.ppf([0.01, 0.5, 0.99]))
        assert law.var == pytest.approx(reference.var())
    assert (law.log_prob([0.5, np.inf]) == -np.inf).all()


def test_a_rate_that_is_known_well_gives_a_poisson_law() -> None:
    x = np.arange(12)
    np.testing.assert_allclose(NegativeBinomial(3e9, 1e9).log_prob(x), Poisson(3.0).log_prob(x), atol=1e-6)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(BadParameter, match="rate"):
        NegativeBinomial(1, 0)


@pytest.mark.parametrize(("shape", "rate"), [(1e308, 1.0), (1.0, 1e-320)])
def test_an_entropy_beyond_summing_is_refused(shape: float, rate: float) -> None:
    with pytest.raises(TooLarge, match="draw a sample"):
        NegativeBinomial(shape, rate).entropy()
