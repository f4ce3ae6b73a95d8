from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, NumericalFailure, Outcome
from credo.evaluation import stop_early


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(1, 5), st.integers(1, 40))
def test_it_ends_after_the_first_drought_and_keeps_the_best_before_it(scores, patience, steps):
    found = stop_early(enumerate(scores), lambda state: state[1], patience=patience, steps=steps)
    seen = scores[:steps]
    ends = [i for i in range(len(seen)) if i - seen[: i + 1].index(max(seen[: i + 1])) >= patience]
    seen = seen[: ends[0] + 1] if ends else seen
    assert found.scores.tolist() == seen
    assert found.step == seen.index(max(seen))
    assert found.best == (found.step, max(seen))
    assert found.outcome is (Outcome.CONVERGED if ends else Outcome.OUT_OF_STEPS)


def test_learning_without_end_is_ended():
    found = stop_early(itertools.count(), lambda step: -abs(step - 12), patience=3)
    assert (found.best, found.step, len(found.scores)) == (12, 12, 16)
    assert len(stop_early(itertools.count(), float, steps=50).scores) == 50


def test_a_score_that_is_no_number_ends_it():
    found = stop_early([1.0, 3.0, np.nan, 5.0], float)
    assert (found.best, found.outcome) == (3.0, Outcome.NOT_FINITE)
    for states in ([], [np.nan, 1.0]):
        with pytest.raises(NumericalFailure, match="no state could be judged"):
            stop_early(states, float)


def test_ctrl_c_keeps_the_best_so_far():
    def states(before):
        yield from range(before)
        raise KeyboardInterrupt

    found = stop_early(states(4), float)
    assert (found.best, found.outcome) == (3, Outcome.INTERRUPTED)
    with pytest.raises(KeyboardInterrupt):
        stop_early(states(0), float)


def test_impossible_patience_is_refused():
    with pytest.raises(BadParameter, match="patience"):
        stop_early([1], float, patience=0)
    with pytest.raises(BadParameter, match="steps"):
        stop_early([1], float, steps=0)
