from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve

from credo.errors import BadProbability, BadShape
from credo.evaluation import reliability

RNG = np.random.default_rng(0)


def test_groups_agree_with_scikit_learn():
    said = RNG.random(500)
    came = RNG.random(500) < said**2
    observed, expected = calibration_curve(came, said, n_bins=10)
    found = reliability(said, came)
    assert found.said == pytest.approx(expected)
    assert [group.value for group in found.happened] == pytest.approx(observed)
    assert sum(found.counts) == 500
    assert found.error == pytest.approx(np.average(abs(observed - expected), weights=found.counts))


def test_a_calibrated_forecaster_lies_within_the_intervals():
    said = RNG.random(20_000)
    found = reliability(said, RNG.random(20_000) < said)
    assert sum(g.low <= p <= g.high for p, g in zip(found.said, found.happened, strict=True)) >= 8
    assert found.error < 0.02


def test_zero_and_one_have_their_groups_and_empty_groups_are_left_out():
    found = reliability([0.0, 1.0, 1.0], [False, True, False])
    assert found.counts == (1, 2)
    assert found.error == pytest.approx(1 / 3)


def test_bad_input_is_refused():
    with pytest.raises(BadProbability):
        reliability([1.5], [True])
    with pytest.raises(BadShape):
        reliability([0.5], [True, False])
