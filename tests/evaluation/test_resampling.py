from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from credo.errors import BadParameter, BadShape
from credo.evaluation import auc, bootstrap, mean

RNG = np.random.default_rng(0)
SKEWED = RNG.lognormal(size=60)


def average(values):
    return lambda rows: float(values[rows].mean())


@pytest.mark.parametrize(("statistic", "name"), [(np.mean, "mean"), (np.std, "sd"), (np.median, "median")])
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_the_ends_agree_with_scipy(statistic, name, method):
    found = bootstrap(lambda rows: float(statistic(SKEWED[rows])), 60, rng=0, draws=4000, method=method)
    reference = stats.bootstrap((SKEWED,), statistic, n_resamples=4000, method=method, rng=1).confidence_interval
    assert found.value == pytest.approx(statistic(SKEWED))
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), rel=0.03)


def test_strata_agree_with_scipys_two_samples():
    other = RNG.exponential(size=30)
    both, strata = np.concatenate([SKEWED, other]), np.repeat(["a", "b"], [60, 30])
    mixed = RNG.permutation(90)
    both, strata = both[mixed], strata[mixed]

    def difference(rows):
        first = strata[rows] == "a"
        return float(both[rows][first].mean() - both[rows][~first].mean())

    found = bootstrap(difference, 90, rng=0, draws=4000, strata=strata)
    reference = stats.bootstrap(
        (SKEWED, other), lambda x, y, axis: x.mean(axis) - y.mean(axis), n_resamples=4000, method="BCa", rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=0.06)


def test_groups_left_out_do_as_well_as_single_rows():
    values = np.sort(RNG.lognormal(size=1500))
    exact = bootstrap(average(values), 1500, rng=0, draws=1500)
    groups = bootstrap(average(values), 1500, rng=0, draws=1499)
    assert (groups.low, groups.high) == pytest.approx((exact.low, exact.high), rel=0.01)
    assert exact.high - exact.value > exact.value - exact.low  # the long tail is above


def test_it_repeats_itself_and_is_near_the_t_interval():
    values = RNG.normal(size=300)
    found = bootstrap(average(values), 300, rng=0)
    assert (found.low, found.high) == pytest.approx((mean(values).low, mean(values).high), abs=0.02)
    assert found == bootstrap(average(values), 300, rng=0)
    assert "BCa" in found.method


def test_strata_keep_rare_classes():
    positive = np.arange(40) < 2
    scores = RNG.normal(size=40) + positive
    seen = []

    def area(rows):
        seen.append(int(positive[rows].sum()))
        return auc(scores[rows], positive[rows])

    found = bootstrap(area, 40, rng=0, draws=300, strata=positive)
    assert set(seen) == {1, 2}  # one is left out for the acceleration
    assert found.low <= found.value <= found.high


def test_percentiles_stand_in_with_the_reason():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    same = bootstrap(lambda rows: 2.0, 4, rng=0)
    assert (same.low, same.high) == (2, 2)
    assert "same number" in same.why
    one_side = bootstrap(lambda rows: len(set(rows.tolist())) + rows.mean() / 100, 30, rng=0)
    assert one_side.value == pytest.approx(30.145)
    assert one_side.high < 30
    assert "one side" in one_side.why
    fragile = bootstrap(lambda rows: values[rows].mean() if len(rows) == 4 else math.nan, 4, rng=0)
    assert fragile.method.startswith("bootstrap (percentile)")
    assert "undefined" in fragile.why


def test_what_does_not_exist_has_no_interval():
    nowhere = bootstrap(lambda rows: math.nan, 9, rng=0)
    assert not nowhere.defined
    rarely = bootstrap(lambda rows: 1.0 if len(set(rows.tolist())) == len(rows) else math.nan, 9, rng=0)
    assert (rarely.value, rarely.bounded) == (1, False)
    assert "resamples" in rarely.why
    assert "one row" in bootstrap(lambda rows: 2.0, 1, rng=0).why


def test_bad_input_is_refused():
    for level in (0, 1, 95):
        with pytest.raises(BadParameter, match="level"):
            bootstrap(lambda rows: 1.0, 3, rng=0, level=level)
    with pytest.raises(BadParameter, match="method"):
        bootstrap(lambda rows: 1.0, 3, rng=0, method="bc")
    with pytest.raises(BadShape, match="strata"):
        bootstrap(lambda rows: 1.0, 3, rng=0, strata=[1, 2])


@pytest.mark.parametrize("strata", [None, np.arange(60) % 3])
def test_many_resamples_at_once_say_the_same(strata, monkeypatch):
    values = np.random.default_rng(1).gamma(2.0, size=60)
    alone = bootstrap(lambda rows: values[rows].std(), 60, rng=2, strata=strata)
    together = bootstrap(lambda rows: values[rows].std(axis=-1), 60, rng=2, strata=strata, batched=True)
    if strata is None:  # the same numbers are drawn
        np.testing.assert_allclose([together.low, together.high], [alone.low, alone.high], rtol=1e-12)
        monkeypatch.setattr("credo.evaluation.resampling.CELLS", 700)
        pieces = bootstrap(lambda rows: values[rows].std(axis=-1), 60, rng=2, batched=True)
        assert (pieces.low, pieces.high) == (together.low, together.high)
    assert together.value == alone.value
    assert together.low == pytest.approx(alone.low, abs=0.1)
    assert together.high == pytest.approx(alone.high, abs=0.1)
    assert together.method == alone.method
