from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

from credo.study.candidates import CANDIDATES, believe
from credo.tables import Table

TABLE = Table({"x": [1.0, 2.5, 3.0, 4.0, 5.5]})


def guess(task):
    return next(candidate for candidate in CANDIDATES[task] if candidate.baseline).make()


def test_every_task_has_one_guess_and_it_stands_first():
    for candidates in CANDIDATES.values():
        assert [candidate.baseline for candidate in candidates] == [True, *[False] * (len(candidates) - 1)]
        assert len({candidate.name for candidate in candidates}) == len(candidates)


def test_class_frequencies_are_those_of_scikit_learn():
    y = np.array(["b", "a", "b", "b", "a"])
    belief = believe(guess("classification").fit(TABLE, y), TABLE)
    reference = DummyClassifier(strategy="prior").fit(np.zeros((5, 1)), y)
    assert belief.states == tuple(reference.classes_)
    assert belief.probs == pytest.approx(reference.predict_proba(np.zeros((5, 1))))


def test_the_mean_is_predicted_as_one_more_normal_row():
    y = np.array([1.0, 2.0, 4.0, 8.0, 9.0])
    low, high = believe(guess("regression").fit(TABLE, y), TABLE).interval(0.9)
    reference = stats.t(4, loc=y.mean(), scale=y.std(ddof=1) * np.sqrt(1 + 1 / 5)).interval(0.9)
    assert (low[0], high[0]) == pytest.approx(reference)
    assert len(low) == 5


@pytest.mark.parametrize("task", sorted(CANDIDATES))
def test_every_candidate_has_a_belief_for_every_row(task):
    x = np.random.default_rng(0).normal(size=40)
    table = Table({"x": x, "c": np.where(x > 0, "up", "down")})
    y = np.where(x > 0, "a", "b") if task == "classification" else 2 * x + np.random.default_rng(1).normal(size=40)
    for candidate in CANDIDATES[task]:
        model = candidate.make()
        model.fit(table, y)
        belief = believe(model, table.take([0, 1, 2]))
        assert len(belief) == 3
        assert np.isfinite(belief.log_prob(y[:3])).all()
