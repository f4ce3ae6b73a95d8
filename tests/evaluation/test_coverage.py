from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from credo.beliefs import Bernoulli, MultivariateNormal, Normal, Poisson, Samples, StudentT
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import coverage_by_level, pit

RNG = np.random.default_rng(0)


def test_the_share_covered_is_counted():
    truth = RNG.standard_t(3, size=200)
    found = coverage_by_level(Normal(np.zeros(200), 1), truth, levels=[0.5, 0.8])
    for level, share, width in zip(found.levels, found.covered, found.widths, strict=True):
        reach = stats.norm.ppf(0.5 + level / 2)
        assert share.value == (abs(truth) <= reach).mean()
        assert width == pytest.approx(2 * reach)


def test_right_beliefs_cover_what_they_say_and_narrow_ones_less():
    truth = RNG.standard_t(4, size=5000)
    assert coverage_by_level(StudentT(np.full(5000, 4.0), 0, 1), truth).error < 0.015
    narrow = coverage_by_level(StudentT(np.full(5000, 4.0), 0, 0.5), truth)
    assert narrow.error > 0.1
    assert all(share.value < level for share, level in zip(narrow.covered, narrow.levels, strict=True))


def test_the_transform_is_the_cdf_and_its_departure_that_of_scipy():
    truth = RNG.normal(size=300)
    found = pit(Normal(np.full(300, 0.2), 1.1), truth)
    assert found.values == pytest.approx(stats.norm.cdf(truth, 0.2, 1.1))
    assert found.counts.tolist() == np.histogram(found.values, found.edges)[0].tolist()
    reference = stats.kstest(found.values, "uniform")
    assert found.distance == pytest.approx(reference.statistic)
    assert found.p_value == pytest.approx(reference.pvalue, abs=0.01)


def test_the_band_is_that_of_the_binomial_law():
    found = pit(Normal(np.zeros(50), 1), RNG.normal(size=50), bins=7, level=0.9)
    assert (found.low, found.high) == stats.binom.interval(0.9, 50, 1 / 7)


@pytest.mark.parametrize(
    "belief", [Poisson(np.full(4000, 2.5)), Bernoulli(np.full(4000, 0.3))], ids=["counts", "events"]
)
def test_the_randomised_transform_of_right_beliefs_is_even(belief):
    truth = belief.sample(1, rng=1)[0]
    found = pit(belief, truth, rng=0)
    assert found.p_value > 0.01
    assert ((found.low <= found.counts) & (found.counts <= found.high)).sum() >= 8
    lower, upper = belief.cdf(truth - 1), belief.cdf(truth)
    assert ((lower <= found.values) & (found.values <= upper)).all()


def test_draws_of_a_sampler_are_randomised_too():
    draws = RNG.normal(size=(500, 2000))
    assert pit(Samples(draws), RNG.normal(size=2000), rng=0).p_value > 0.01
    assert pit(Samples(draws), RNG.normal(size=2000) + 0.3, rng=0).p_value < 1e-6


def test_records_can_be_written_as_json():
    belief, truth = Normal(np.zeros(9), 1), RNG.normal(size=9)
    assert len(json.loads(json.dumps(pit(belief, truth).to_dict()))["counts"]) == 10
    assert len(json.loads(json.dumps(coverage_by_level(belief, truth).to_dict()))["covered"]) == 20


def test_bad_input_is_refused():
    with pytest.raises(BadParameter, match="rng"):
        pit(Poisson([1.0]), [1])
    with pytest.raises(BadShape, match="same number of rows"):
        pit(Normal([0, 1], 1), [0.0])
    with pytest.raises(BadShape, match="each row"):
        coverage_by_level(Normal(0, 1), [0.0])
    with pytest.raises(BadShape, match="one number"):
        coverage_by_level(MultivariateNormal(np.zeros((2, 2)), np.eye(2)), [0.0, 1.0])
    with pytest.raises(InvalidInput, match="belief"):
        pit([0.0], [0.0])
    with pytest.raises(BadParameter, match="level"):
        coverage_by_level(Normal([0], 1), [0.0], levels=[95.0])
