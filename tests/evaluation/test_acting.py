from __future__ import annotations

import json

import numpy as np
import pytest

from credo.beliefs import Categorical
from credo.decisions import Loss
from credo.errors import BadShape, UnknownName
from credo.evaluation import decision_loss

RNG = np.random.default_rng(0)
LOSS = Loss([[0, 9], [2, 0], [1, 1]], actions=["wait", "treat", "test"], states=["well", "ill"])


def test_every_row_pays_for_its_own_action():
    p = RNG.random(300)
    truth = np.where(RNG.random(300) < p, "ill", "well")
    found = decision_loss(Categorical(np.column_stack([p, 1 - p]), ["ill", "well"]), truth, LOSS)
    risks = {"wait": 9 * p, "treat": 2 * (1 - p), "test": np.ones(300)}
    best = [min(risks, key=lambda action, row=row: risks[action][row]) for row in range(300)]
    assert [found.actions[i] for i in found.taken] == best
    paid = [LOSS[action, state] for action, state in zip(best, truth.tolist(), strict=True)]
    assert found.losses.tolist() == paid
    assert found.paid.value == pytest.approx(np.mean(paid))
    assert found.risks == pytest.approx(np.min(list(risks.values()), axis=0))
    assert found.surprise.value == pytest.approx(np.mean(paid) - found.expected)
    assert sum(found.counts.values()) == 300
    assert set(found.counts) == {"wait", "treat", "test"}


def test_right_beliefs_keep_their_promise_and_sure_ones_do_not():
    p = RNG.random(5000)
    truth = np.where(RNG.random(5000) < p, "ill", "well")
    right = decision_loss(Categorical(np.column_stack([1 - p, p]), ["well", "ill"]), truth, LOSS)
    assert right.surprise.low < 0 < right.surprise.high
    sure = p**4 / (p**4 + (1 - p) ** 4)
    wrong = decision_loss(Categorical(np.column_stack([1 - sure, sure]), ["well", "ill"]), truth, LOSS)
    assert wrong.surprise.low > 0
    assert wrong.paid.value > right.paid.value


def test_states_that_are_numbers_and_json():
    found = decision_loss(Categorical([[0.2, 0.8]], [0, 1]), np.array([1]), Loss.zero_one([0, 1]))
    assert found.losses.tolist() == [0]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["actions"] == [0, 1]


def test_bad_input_is_refused():
    belief = Categorical([[0.2, 0.8]], ["well", "ill"])
    with pytest.raises(UnknownName, match="state"):
        decision_loss(belief, ["sick"], LOSS)
    with pytest.raises(BadShape, match="same number of rows"):
        decision_loss(belief, ["ill", "ill"], LOSS)
    with pytest.raises(BadShape, match="each row"):
        decision_loss(belief[0], ["ill"], LOSS)
