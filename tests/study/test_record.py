from __future__ import annotations

import json
import math

import numpy as np

from credo.decisions import Region
from credo.evaluation import Comparison, Interval
from credo.study.record import Criterion, Run, _plain


def run(low, high):
    gain = Interval((low + high) / 2, low, high, level=0.95, method="t")
    return Run("model", baseline=False, folds=(1.0, 2.0), mean=gain, gain=Comparison(gain, 0.5))


def test_records_become_plain_json():
    held = {"a": (np.float64(math.nan), np.int64(3)), 1: np.array([[1.0, math.inf]]), "r": Region("wait", 0.0, 0.5)}
    plain = _plain(held)
    assert plain == {"a": [None, 3], "1": [[1.0, None]], "r": {"action": "wait", "low": 0.0, "high": 0.5}}
    json.dumps(plain, allow_nan=False)


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
