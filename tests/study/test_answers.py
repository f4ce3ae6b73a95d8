from __future__ import annotations

import numpy as np
import pytest

from credo.beliefs import Categorical, Normal
from credo.decisions import Loss
from credo.evaluation import auc_interval, hand_till
from credo.study.answers import ClassTask, NumberTask, join

LOSS = Loss([[0, 10], [1, 0]], actions=["wait", "treat"], states=["well", "ill"])


def test_classes_are_read_by_name_whatever_their_order():
    task = ClassTask(("well", "ill"), None)
    found = task.read(Categorical([[0.7, 0.3], [0.2, 0.8]], states=["ill", "well"]), np.array(["ill", "ill"]))
    assert found.probabilities.tolist() == [[pytest.approx(0.3), pytest.approx(0.7)], [0.8, pytest.approx(0.2)]]
    assert found.truth.tolist() == [1, 1]
    assert found.answers.tolist() == [1, 0]
    assert found.criterion == pytest.approx(np.log([0.7, 0.2]))


def test_a_class_the_model_never_met_has_probability_zero():
    task = ClassTask(("a", "b", "c"), None)
    found = task.read(Categorical([[0.5, 0.5]], states=["a", "c"]), np.array(["b"]))
    assert found.probabilities.tolist() == [[0.5, 0.0, 0.5]]
    assert found.criterion[0] == -np.inf


def test_with_losses_the_cheapest_action_is_taken_and_paid_for():
    task = ClassTask(("well", "ill"), LOSS)
    beliefs = Categorical([[0.95, 0.05], [0.85, 0.15], [0.95, 0.05]], states=["well", "ill"])
    found = task.read(beliefs, np.array(["well", "well", "ill"]))
    assert found.actions.tolist() == [0, 1, 0]
    assert found.criterion.tolist() == [0, 1, 10]
    assert found.scores(0)[0].name == "expected loss"
    assert found.scores(0)[0].interval.value == pytest.approx(11 / 3)


def test_two_classes_have_one_area_and_many_the_mean_over_pairs():
    rng = np.random.default_rng(0)
    for states, name, area in ((("a", "b"), "AUC", auc_interval), (("a", "b", "c"), "AUC over pairs", hand_till)):
        truth = rng.choice(states, 60)
        given = rng.dirichlet(np.ones(len(states)), 60)
        found = ClassTask(states, None).read(Categorical(given, states=states), truth)
        said = (found.probabilities[:, 1], found.truth) if name == "AUC" else (found.probabilities, found.truth)
        assert {score.name: score.interval for score in found.scores(0)}[name] == area(*said)


def test_numbers_are_read_with_their_interval():
    found = NumberTask().read(Normal([0.0, 0.0], [1.0, 1.0]), np.array([0.0, 3.0]))
    assert found.low == pytest.approx([-1.6449, -1.6449], abs=1e-4)
    assert found.criterion == pytest.approx([-0.9189, -5.4189], abs=1e-4)
    scores = {score.name: score.interval.value for score in found.scores(0)}
    assert scores["coverage of the 90 % interval"] == 0.5
    assert scores["mean absolute error"] == 1.5
    assert scores["CRPS"] == pytest.approx((0.2337 + 2.4366) / 2, abs=1e-4)  # of a standard normal law at 0 and 3


def test_folds_are_joined_in_order():
    parts = [NumberTask().read(Normal([m], [1.0]), np.array([m])) for m in (1.0, 2.0)]
    assert join(parts).truth.tolist() == [1.0, 2.0]
