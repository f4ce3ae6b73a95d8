from __future__ import annotations

import numpy as np
import pytest

from credo.evaluation import Interval, Verdict, folds
from credo.study import run_study
from credo.study.learning import _order, _worth
from credo.study.plan import Plan
from credo.study.question import ask
from credo.study.record import Criterion, CurvePoint
from credo.study.trial import Trial

LOG = Criterion("log score", higher_is_better=True, reason="", trifle=1e-3)
LOSS = Criterion("expected loss", higher_is_better=False, reason="")
RNG = np.random.default_rng(0)


def trial(plan=None, **columns):
    held = {name: list(values) for name, values in columns.items()}
    plan = plan or Plan()
    question = ask(held, "y", loss=None, holdout=0.2, types=None, plan=plan)
    rows = np.arange(len(question.y))
    return Trial(question, rows, folds(len(rows), 5, rng=0), LOG, 0, plan)


def step(value, half):
    gap = Interval(value, value - half, value + half, level=0.95, method="t")
    return Verdict("all", "half", 0.5, 0.0, 0.5, gap, 0.0, "t", "…")


POINTS = tuple(CurvePoint(rows, Interval(-1.0, -2.0, 0.0, level=0.95, method="t")) for rows in (100, 200))


@pytest.mark.parametrize(
    ("gain", "criterion", "words"),
    [
        (
            step(0.2, 0.1),
            LOG,
            "More rows would help: learning from twice as many, from 100 to 200, changed its log score",
        ),
        (step(-0.2, 0.1), LOSS, "More rows would help"),
        (step(-0.2, 0.1), LOG, "More rows did not help"),
        (step(0.001, 0.002), LOG, "More rows of this kind are worth little"),
        (step(0.1, 0.4), LOG, "What more rows are worth is open"),
        (None, LOG, "There are too few rows to say"),
    ],
)
def test_what_more_rows_are_worth_in_words(gain, criterion, words):
    assert _worth(gain, POINTS, criterion).startswith(words)


def test_any_beginning_has_every_class():
    held = trial(x=RNG.normal(size=200), y=np.repeat(["common", "rare"], [194, 6]))
    order = _order(held.rows, held, 1)
    assert sorted(order.tolist()) == list(range(200))
    assert set(held.question.y[order[:4]]) == {"common", "rare"}
    assert (order != _order(held.rows, held, 2)).any()


def test_groups_stay_whole_and_the_latest_come_first():
    groups = np.repeat(np.arange(20), 5)
    held = trial(Plan(groups="g"), g=groups, x=RNG.normal(size=100), y=RNG.choice(["a", "b"], 100))
    order = _order(held.rows, held, 1)
    assert all(len(set(groups[order[i : i + 5]])) == 1 for i in range(0, 100, 5))
    days = RNG.permutation(100)
    held = trial(Plan(time="day"), day=days, x=RNG.normal(size=100), y=RNG.choice(["a", "b"], 100))
    assert days[_order(held.rows, held, 1)].tolist() == list(range(99, -1, -1))


def test_more_rows_help_until_they_do_not(line):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 50))
    data = {f"x{i}": x[:, i].tolist() for i in range(50)}
    data["y"] = (x @ rng.normal(size=50) + 0.3 * rng.normal(size=200)).tolist()
    plan = Plan(candidates=("Bayesian linear regression",))
    found = run_study(data, "y", folds=4, plan=plan).learning_curve
    assert [point.rows for point in found.points] == [15, 30, 60, 120]
    scores = [point.score.value for point in found.points]
    assert scores == sorted(scores)
    assert found.gain.difference.value == pytest.approx(scores[-1] - scores[-2])
    assert found.words.startswith("More rows would help")
    simple = run_study(line(2000), "y", folds=5, plan=plan).learning_curve
    assert simple.words.startswith("More rows of this kind are worth little")


def test_a_guess_has_no_curve():
    x = RNG.normal(size=60)
    found = run_study(
        {"x": x.tolist(), "y": RNG.normal(size=60).tolist()}, "y", plan=Plan(candidates=("a single rule",))
    )
    assert (found.learning_curve is None) == found.chosen.baseline
