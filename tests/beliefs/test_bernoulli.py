"""The law of an event, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from credo.beliefs import Bernoulli
from credo.errors import BadProbability, BadShape
from credo.testing import check_belief


@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 1.0, [0.1, 0.9, 1.0], 1e-300])
def test_the_contract(p: object) -> None:
    check_belief(Bernoulli(p))


def test_it_is_that_of_scipy() -> None:
    p = np.array([0.0, 0.2, 0.5, 0.9, 1.0])
    law, reference = Bernoulli(p), stats.bernoulli(p)
    for x in (0, 1, 2, 0.5, -1):
        np.testing.assert_allclose(law.log_prob(x), reference.logpmf(x) if x in (0, 1) else -np.inf)
        np.testing.assert_allclose(law.cdf(x), reference.cdf(x))
    np.testing.assert_allclose(law.entropy(), reference.entropy(), atol=1e-15)
    np.testing.assert_allclose(law.var, reference.var())
    assert Bernoulli(0.0).kl(Bernoulli(0.5)) == pytest.approx(np.log(2))
    assert Bernoulli(0.5).kl(Bernoulli(0.0)) == np.inf


def test_what_is_no_probability_is_refused() -> None:
    for p in (-0.1, 1.1):
        with pytest.raises(BadProbability):
            Bernoulli(p)
    with pytest.raises(BadShape):
        Bernoulli([[0.5]])
