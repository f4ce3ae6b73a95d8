from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn import metrics

from credo.errors import BadShape, UnknownName
from credo.evaluation import confusion

RNG = np.random.default_rng(0)
TRUTH = RNG.choice(["a", "b", "c"], size=80)
ANSWERS = np.where(RNG.random(80) < 0.6, TRUTH, RNG.choice(["a", "b", "c"], size=80))


def test_counts_and_measures_agree_with_scikit_learn():
    found = confusion(TRUTH, ANSWERS)
    assert (found.counts == metrics.confusion_matrix(TRUTH, ANSWERS)).all()
    assert found.accuracy.value == pytest.approx(metrics.accuracy_score(TRUTH, ANSWERS))
    assert found.correlation == pytest.approx(metrics.matthews_corrcoef(TRUTH, ANSWERS))
    for i, state in enumerate("abc"):
        assert found.recall(state).value == pytest.approx(metrics.recall_score(TRUTH, ANSWERS, average=None)[i])
        assert found.precision(state).value == pytest.approx(metrics.precision_score(TRUTH, ANSWERS, average=None)[i])


def test_what_was_never_seen_or_said_has_no_measure():
    found = confusion(["a", "a"], ["a", "a"], ("a", "b"))
    assert found.recall("b") is None
    assert found.precision("b") is None
    assert math.isnan(found.correlation)


def test_unknown_states_and_unequal_lists_are_refused():
    with pytest.raises(UnknownName, match="'c'"):
        confusion(["a"], ["c"], ("a", "b"))
    with pytest.raises(UnknownName, match="state"):
        confusion(["a"], ["a"]).recall("z")
    with pytest.raises(BadShape, match="same number of rows"):
        confusion(["a"], ["a", "a"])
