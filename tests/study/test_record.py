from __future__ import annotations

import math

import pytest

from credo.evaluation import Interval, Verdict
from credo.study.record import Criterion, Run, Timing


def run(low, high):
    gap = Interval((low + high) / 2, low, high, level=0.95, method="t")
    verdict = Verdict("model", "guess", 0.5, 0.0, 0.5, gap, 0.0, "t", "…")
    return Run("model", baseline=False, folds=(1.0, 2.0), mean=gap, gain=verdict)


def test_to_beat_is_to_leave_zero_on_the_right_side():
    more, less = (Criterion("score", higher, "") for higher in (True, False))
    assert run(0.1, 0.3).beats(more)
    assert not run(0.1, 0.3).beats(less)
    assert run(-0.3, -0.1).beats(less)
    assert not run(-0.1, 0.1).beats(more)
    assert not run(-0.1, 0.1).beats(less)
    failed = Run("failed", baseline=False, error="no")
    assert not failed.beats(more)
    assert math.isnan(failed.value)


def test_what_a_study_takes_beyond_its_fits_leaves_loading_out():
    assert Timing(wall=12.0, fits=10.0, loading=1.0).overhead == pytest.approx(0.1)
    assert math.isnan(Timing().overhead)
