from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn import metrics

from credo.beliefs import Gamma, Mixture, Normal, Poisson, Samples, StudentT
from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput
from credo.evaluation import crps, interval_score, log_density, mean, pinball

RNG = np.random.default_rng(0)
LAWS = {
    "normal": Normal([0.2], 1.3),
    "student": StudentT([3.5], 0.1, 2.0),
    "nearly normal": StudentT([500.0], 0.1, 2.0),
    "mixture": Mixture([[0.3, 0.5, 0.2]], [Normal([0.0], 1), Normal([2.0], 0.5), Normal([-1.0], 2.0)]),
}


def by_integral(belief, y):
    """∫ (F − 1[x ≥ y])² dx by adaptive quadrature."""
    low, high = -400.0, 400.0
    below = integrate.quad(lambda x: float(belief.cdf([x])[0]) ** 2, low, y, limit=400, points=[-6, y - 1])[0]
    above = integrate.quad(lambda x: (1 - float(belief.cdf([x])[0])) ** 2, y, high, limit=400, points=[y + 1, 6])[0]
    return below + above


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("y", [-2.5, 0.3, 3.0])
def test_closed_forms_are_the_integral(name, y):
    assert crps(LAWS[name], [y])[0] == pytest.approx(by_integral(LAWS[name], y), rel=1e-6)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=1, max_size=8), st.floats(-6, 6), st.booleans()
)
def test_draws_are_scored_as_all_their_pairs(draws, y, weighted):
    values, weights = map(np.array, zip(*draws, strict=True))
    share = weights / weights.sum() if weighted else np.full(len(values), 1 / len(values))
    pairs = share @ np.abs(values[:, None] - values) @ share
    expected = share @ np.abs(values - y) - pairs / 2
    found = crps(Samples(values[:, None], weights if weighted else None), [y])
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_draws_agree_with_scipys_energy_distance():
    values = RNG.normal(size=(40, 1))
    distance = stats.energy_distance(values[:, 0], [0.7])
    assert crps(Samples(values), [0.7])[0] == pytest.approx(distance**2 / 2)


def test_any_other_law_is_estimated_without_bias():
    law = Gamma(np.full(3000, 3.0), 2.0)
    truth = np.full(3000, 1.0)
    found = mean(crps(law, truth, draws=20, rng=0))
    exact = by_integral(law[:1], 1.0)
    assert found.low <= exact <= found.high
    counts = crps(Poisson(np.full(5, 2.0)), [0, 1, 2, 3, 9], draws=4000, rng=0)
    k = np.arange(60)
    expected = [((stats.poisson(2).cdf(k) - (k >= y)) ** 2).sum() for y in (0, 1, 2, 3, 9)]
    assert counts == pytest.approx(expected, abs=0.06)


def test_many_rows_are_drawn_in_pieces():
    law = Gamma(np.full(50, 3.0), 2.0)
    assert crps(law, np.full(50, 1.0), draws=100_000, rng=0) == pytest.approx(by_integral(law[:1], 1.0), rel=0.05)


def test_the_truth_scores_best_on_average():
    truth = RNG.normal(1, 2, size=4000)
    right = crps(Normal(np.full(4000, 1.0), 2.0), truth).mean()
    for centre, sd in ((1.5, 2.0), (1.0, 1.2), (1.0, 3.0)):
        assert right < crps(Normal(np.full(4000, centre), sd), truth).mean()
        assert (
            log_density(Normal(np.full(4000, 1.0), 2.0), truth).mean()
            > log_density(Normal(np.full(4000, centre), sd), truth).mean()
        )
    ends = Normal(1, 2).interval(0.9)
    best = interval_score(np.full(4000, ends[0]), np.full(4000, ends[1]), truth, level=0.9).mean()
    for low, high in ((-1, 3), (-4, 6), (-3, 4)):
        assert best < interval_score(np.full(4000, low), np.full(4000, high), truth, level=0.9).mean()


def test_log_density_agrees_with_scipy():
    assert log_density(StudentT([3.0], 1, 2), [0.5])[0] == pytest.approx(stats.t(3, 1, 2).logpdf(0.5))


@pytest.mark.parametrize("q", [0.1, 0.5, 0.95])
def test_pinball_agrees_with_scikit_learn(q):
    truth, guess = RNG.normal(size=(2, 50))
    assert pinball(guess, truth, q).mean() == pytest.approx(metrics.mean_pinball_loss(truth, guess, alpha=q))


def test_pinball_over_all_levels_is_half_the_crps():
    law, truth = Normal([0.0, 1.0], [1.0, 2.0]), np.array([0.4, -1.0])
    levels = (np.arange(4000) + 0.5) / 4000
    assert 2 * pinball(law.quantile(levels), truth, levels).mean(axis=0) == pytest.approx(crps(law, truth), rel=1e-3)


def test_the_interval_score_is_two_pinball_losses():
    law, truth = Normal([0.0, 1.0, 5.0], 1.0), np.array([0.4, -3.0, 9.0])
    low, high = law.interval(0.8)
    both = pinball(law.quantile([0.1, 0.9]), truth, [0.1, 0.9]).sum(axis=0)
    assert interval_score(low, high, truth, level=0.8) == pytest.approx(both / 0.1)


def test_bad_input_is_refused():
    with pytest.raises(BadParameter, match="rng"):
        crps(Gamma([1.0], 1.0), [1.0])
    with pytest.raises(InvalidInput, match="df above 1"):
        crps(StudentT([1.0], 0, 1), [1.0])
    with pytest.raises(BadShape, match="rows"):
        crps(Normal([0, 1], 1), [1.0])
    with pytest.raises(BadShape, match="axes of q"):
        pinball([1.0, 2.0], [1.0, 2.0], [0.1, 0.9])
    with pytest.raises(BadProbability):
        pinball([1.0], [1.0], 90)
    with pytest.raises(InvalidInput, match="high"):
        interval_score([1.0], [0.0], [0.5], level=0.9)
