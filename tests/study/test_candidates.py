from __future__ import annotations

import numpy as np
import pytest

from credo.evaluation import believe
from credo.study.candidates import CANDIDATES
from credo.tables import Table


def test_every_task_has_one_guess_and_it_stands_first():
    for candidates in CANDIDATES.values():
        assert [candidate.baseline for candidate in candidates] == [True, *[False] * (len(candidates) - 1)]
        assert len({candidate.name for candidate in candidates}) == len(candidates)
        assert all(candidate.how and not candidate.how.endswith(".") for candidate in candidates)


@pytest.mark.parametrize("task", sorted(CANDIDATES))
def test_every_candidate_has_a_belief_for_every_row(task):
    x = np.random.default_rng(0).normal(size=40)
    table = Table({"x": x, "c": np.where(x > 0, "up", "down")})
    signal = x + np.random.default_rng(2).normal(size=40)
    y = np.where(signal > 0, "a", "b") if task == "classification" else 2 * x + np.random.default_rng(1).normal(size=40)
    for candidate in CANDIDATES[task]:
        model = candidate.make()
        model.fit(table, y)
        belief = believe(model, table.take([0, 1, 2]))
        assert len(belief) == 3
        assert np.isfinite(belief.log_prob(y[:3])).all()


def test_a_guess_and_one_family_take_part_whatever_the_size():
    assert all(candidate.most is None for candidates in CANDIDATES.values() for candidate in candidates[:2])
