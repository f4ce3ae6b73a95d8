from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput
from credo.evaluation import brier_parts, calibration_error, reliability

RNG = np.random.default_rng(0)
ROWS = st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=1, max_size=40)


def test_groups_agree_with_scikit_learn():
    said = RNG.random(500)
    came = RNG.random(500) < said**2
    for by, strategy in (("width", "uniform"), ("count", "quantile")):
        observed, expected = calibration_curve(came, said, n_bins=10, strategy=strategy)
        found = reliability(said, came, by=by)
        assert found.said == pytest.approx(expected)
        assert [group.value for group in found.happened] == pytest.approx(observed)
        assert sum(found.counts) == 500
        assert found.error == pytest.approx(np.average(abs(observed - expected), weights=found.counts))
        assert found.by == by


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ROWS)
def test_isotonic_groups_are_those_of_isotonic_regression(rows):
    tenths, came = zip(*rows, strict=True)
    said = np.array(tenths) / 10
    found = reliability(said, came, by="isotonic")
    reference = np.unique(IsotonicRegression().fit_transform(said, np.array(came, float)).round(9))
    shares = [group.value for group in found.happened]
    assert np.unique(np.round(shares, 9)) == pytest.approx(reference)
    assert shares == sorted(shares)


def test_a_calibrated_forecaster_lies_within_the_intervals():
    said = RNG.random(20_000)
    found = reliability(said, RNG.random(20_000) < said)
    assert sum(g.low <= p <= g.high for p, g in zip(found.said, found.happened, strict=True)) >= 8
    assert found.corrected <= found.error < 0.02


def test_zero_and_one_have_their_groups_and_empty_groups_are_left_out():
    found = reliability([0.0, 1.0, 1.0], [False, True, False])
    assert found.counts == (1, 2)
    assert found.error == pytest.approx(1 / 3)


@pytest.mark.parametrize("correct", ["debiased", "sweep"])
def test_corrections_take_away_what_chance_adds(correct):
    plain, corrected = [], []
    for _ in range(60):
        said = RNG.random(300)
        came = RNG.random(300) < said
        plain.append(calibration_error(said, came, correct="none").value)
        corrected.append(calibration_error(said, came, correct=correct).value)
    assert np.mean(corrected) < 0.65 * np.mean(plain)


@pytest.mark.parametrize("norm", [1, 2])
def test_a_real_error_is_found_and_its_interval_covers_it(norm):
    # Said is one of four numbers, each off by a known amount: four groups are exact.
    law, truth = np.array([0.2, 0.4, 0.6, 0.8]), np.array([0.3, 0.3, 0.7, 0.9])
    real = (np.abs(law - truth) ** norm).mean() ** (1 / norm)
    covered, values = 0, []
    for _ in range(200):
        rows = RNG.integers(4, size=800)
        found = calibration_error(law[rows], RNG.random(800) < truth[rows], bins=4, by="width", norm=norm, level=0.9)
        values.append(found.value)
        covered += found.low <= real <= found.high
    assert np.mean(values) == pytest.approx(real, abs=0.005)
    assert 0.84 <= covered / 200 <= 0.96


def test_the_square_is_corrected_as_published():
    said = RNG.random(400)
    came = RNG.random(400) < said**2
    found = reliability(said, came, bins=8)
    total = 0.0
    for p, share, n in zip(found.said, found.happened, found.counts, strict=True):
        total += n / 400 * ((p - share.value) ** 2 - share.value * (1 - share.value) / (n - 1))
    assert calibration_error(said, came, bins=8, by="width", norm=2).value == pytest.approx(math.sqrt(max(total, 0)))


def test_the_expected_distance_is_that_of_the_folded_normal_law():
    # One group: the correction is E|N(gap, sd)| − |gap|.
    came = np.arange(50) < 20
    gap, sd = 0.05, math.sqrt(0.4 * 0.6 / 49)
    expected = stats.foldnorm(gap / sd, scale=sd).mean()
    found = reliability(np.full(50, 0.45), came)
    assert found.error == pytest.approx(gap)
    assert found.corrected == pytest.approx(gap - (expected - gap))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(ROWS, st.sampled_from(["width", "count", "isotonic"]), st.integers(1, 12))
def test_the_parts_of_the_brier_score_add_up(rows, by, bins):
    tenths, came = zip(*rows, strict=True)
    said, came = np.array(tenths) / 10, np.array(came)
    found = brier_parts(said, came, by=by, bins=bins)
    assert found.score.value == pytest.approx(((said - came) ** 2).mean())
    total = found.reliability - found.resolution + found.uncertainty + found.within
    assert total == pytest.approx(found.score.value)
    assert min(found.reliability, found.resolution, found.uncertainty) >= -1e-12
    if by == "isotonic":
        again = IsotonicRegression().fit_transform(said, came.astype(float))
        assert found.reliability == pytest.approx(found.score.value - ((again - came) ** 2).mean())


def test_within_vanishes_where_groups_hold_one_probability():
    said = RNG.choice([0.15, 0.55, 0.95], size=200)
    came = RNG.random(200) < said
    found = brier_parts(said, came, by="width")
    assert found.within == pytest.approx(0)
    assert found.score.value == pytest.approx(brier_score_loss(came, said))
    assert found.skill == pytest.approx(1 - found.score.value / (came.mean() * (1 - came.mean())))
    assert math.isnan(brier_parts([0.5], [1]).skill)


def test_a_sweep_stops_before_the_shares_fall():
    said = np.linspace(0.01, 0.99, 400)
    rising = calibration_error(said, said > 0.5, correct="sweep")
    assert "400 groups" in rising.method
    falling = calibration_error(said, said < 0.5, correct="sweep")
    assert "1 groups" in falling.method


def test_many_right_rows_leave_next_to_no_error():
    said = RNG.random(200_000)
    came = RNG.random(200_000) < said
    for correct in ("debiased", "sweep", "none"):
        assert calibration_error(said, came, correct=correct).value < 0.01


def test_records_can_be_written_as_json():
    held = json.loads(json.dumps(brier_parts([0.2, 0.8], [0, 1]).to_dict(), allow_nan=False))
    assert held["score"]["value"] == pytest.approx(0.04)


def test_bad_input_is_refused():
    with pytest.raises(BadProbability):
        reliability([1.5], [True])
    with pytest.raises(BadShape):
        reliability([0.5], [True, False])
    with pytest.raises(InvalidInput, match="happened"):
        reliability([0.5], ["yes"])
    with pytest.raises(BadParameter, match="by"):
        reliability([0.5], [True], by="size")
    with pytest.raises(BadParameter, match="correct"):
        calibration_error([0.5], [True], correct="jackknife")
    with pytest.raises(BadParameter, match="norm"):
        calibration_error([0.5], [True], norm=3)
    with pytest.raises(BadParameter, match="rows"):
        brier_parts([], [])
    assert calibration_error([], []).why == "there are no rows"
