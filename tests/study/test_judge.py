from __future__ import annotations

import numpy as np
import pytest

from credo.decisions import Loss
from credo.errors import CredoWarning
from credo.evaluation import GoldenRule, folds
from credo.study.candidates import CANDIDATES
from credo.study.judge import judge
from credo.study.question import ask
from credo.study.record import Criterion
from credo.study.trial import Trial

LOSS = Loss([[0, 9], [1, 0], [0.4, 0.4]], actions=["wait", "treat", "ask"], states=["well", "ill"])


@pytest.fixture
def trial(two_classes):
    question = ask(two_classes(), "state", loss=LOSS, holdout=0.2, types=None)
    rows = np.arange(90)
    criterion = Criterion("expected loss", higher_is_better=False, reason="")
    return Trial(question, rows, folds(90, 3, rng=0), criterion, 0)


@pytest.fixture
def models(trial):
    made = [candidate.make() for candidate in CANDIDATES["classification"][:2]]
    for model in made:
        model.fit(trial.question.table.take(trial.rows), trial.question.y[trial.rows])
    return made


def test_a_second_look_at_the_hold_out_is_told(trial, models):
    guard = GoldenRule(np.arange(90, 120))
    judge(trial, guard, winner=models[1], baseline=models[0])
    with pytest.warns(CredoWarning, match="second time"):
        judge(trial, guard, winner=models[1], baseline=models[0])


def test_what_was_done_and_paid_is_counted_by_hand(trial, models):
    rows = np.arange(90, 120)
    found = judge(trial, GoldenRule(rows), winner=models[1], baseline=models[0])
    table, truth = trial.question.table.take(rows), trial.question.y[rows]
    states = trial.question.task.states
    loss = LOSS.over(states)
    probs = models[1].predict_proba(table)
    paid, counts = [], [0, 0, 0]
    for row, true in zip(probs, truth, strict=True):
        risks = [sum(p * cost for p, cost in zip(row, costs, strict=True)) for costs in loss.matrix]
        best = risks.index(min(risks))
        counts[best] += 1
        paid.append(loss.matrix[best, states.index(true)])
    done = found.actions
    assert list(done.counts) == counts
    assert done.loss.value == pytest.approx(np.mean(paid))
    learnt = trial.question.y[trial.rows]
    always = {a: np.mean([loss[a, y] for y in learnt]) for a in loss.actions}
    assert done.constant == min(always, key=always.get)
    constant = np.array([loss[done.constant, y] for y in truth])
    assert done.constant_loss.value == pytest.approx(constant.mean())
    assert done.saving.value == pytest.approx(np.mean(constant - paid))
    assert found.gain.value == pytest.approx(np.mean(constant - paid))  # the guess takes the constant action
    assert found.confusion.counts.sum() == 30
    assert sum(found.calibration.counts) == 30
    assert found.calibration_of == states[1]


def test_without_a_baseline_there_is_no_gain(trial, models):
    found = judge(trial, GoldenRule(np.arange(90, 120)), winner=models[0], baseline=None)
    assert found.gain is None
    assert found.baseline == ()
    assert found.actions.saving.value == 0


def test_of_many_rows_a_few_are_kept_for_the_picture(two_classes):
    question = ask(two_classes(n=1000), "state", loss=LOSS, holdout=0.2, types=None)
    criterion = Criterion("expected loss", higher_is_better=False, reason="")
    trial = Trial(question, np.arange(90), folds(90, 3, rng=0), criterion, 0)
    model = CANDIDATES["classification"][1].make()
    model.fit(question.table.take(trial.rows), question.y[trial.rows])
    found = judge(trial, GoldenRule(np.arange(90, 1000)), winner=model, baseline=None)
    assert found.rows == sum(found.actions.counts) == 910
    assert 200 < len(found.actions.probabilities) <= 300
