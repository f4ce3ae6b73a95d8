from __future__ import annotations

import numpy as np
import pytest

from credo.errors import InvalidInput
from credo.study import run_study
from credo.study.dealing import deal
from credo.study.plan import Plan
from credo.study.question import ask

RNG = np.random.default_rng(0)


def question(plan, **columns):
    held = {name: list(values) for name, values in columns.items()}
    return ask(held, "y", loss=None, holdout=0.2, types=None, plan=plan)


def test_sorted_rows_are_dealt_with_every_class_in_every_fold():
    """Sorted by class, as many public tables are: plain blocks of rows would hold a single class."""
    asked = question(Plan(), x=RNG.normal(size=200), y=np.repeat(["acc", "good", "unacc", "vgood"], 50))
    dealt = deal(asked, times=1, k=10, holdout=0.2, seed=0)
    for rows in [dealt.split.test, *(dealt.split.train[fold.test] for fold in dealt.folds)]:
        counts = np.unique(asked.y[rows], return_counts=True)[1]
        assert len(counts) == 4
        assert np.ptp(counts) <= 1


def test_the_order_of_the_rows_does_not_decide():
    """A study of sorted rows comes to what a study of the same rows shuffled comes to, within chance."""
    y = np.repeat(["a", "b", "c"], 60)
    x = np.searchsorted(["a", "b", "c"], y) + RNG.normal(0, 0.3, 180)
    shuffled = RNG.permutation(180)
    plan = Plan(candidates=("naive Bayes",))
    one = run_study({"x": x.tolist(), "y": y.tolist()}, "y", folds=5, plan=plan)
    other = run_study({"x": x[shuffled].tolist(), "y": y[shuffled].tolist()}, "y", folds=5, plan=plan)
    assert one.best == other.best == "naive Bayes"
    assert abs(one.chosen.value - other.chosen.value) < one.chosen.mean.half_width
    assert any("sorted by class" in concern.words for concern in one.concerns)


def test_groups_are_never_divided():
    patients = np.repeat(np.arange(40), 6)
    asked = question(Plan(groups="patient"), patient=patients, x=RNG.normal(size=240), y=RNG.choice(["a", "b"], 240))
    dealt = deal(asked, times=2, k=5, holdout=0.2, seed=0)
    assert dealt.once == 5
    assert len(dealt.folds) == 10
    assert not set(patients[dealt.split.train]) & set(patients[dealt.split.test])
    left = patients[dealt.split.train]
    for fold in dealt.folds:
        assert not set(left[fold.train]) & set(left[fold.test])
    assert "patient" not in asked.table.columns


def test_groups_matter_where_rows_of_one_patient_are_alike():
    """Each patient has a street and an outcome that have nothing to do with each other: folds at random learn both."""
    streets, outcome = RNG.permutation(60), RNG.choice(["a", "b"], 60)
    patients = np.repeat(np.arange(60), 6)
    data = {"patient": patients.tolist(), "y": outcome[patients].tolist()}
    data["street"] = [f"street {streets[patient]}" for patient in patients]
    machine = Plan(candidates=("logistic regression",), without=("patient",))
    together = Plan(candidates=("logistic regression",), groups="patient")
    naive = run_study(data, "y", folds=3, plan=machine)
    honest = run_study(data, "y", folds=3, plan=together)
    right = {found: found.runs[1].scores[0].interval.value for found in (naive, honest)}
    assert right[naive] > 0.95
    assert right[honest] < 0.75
    assert any(concern.kind == "groups" for concern in naive.concerns)
    assert honest.method["groups"] == "patient"


def test_what_came_later_judges_and_never_teaches():
    days = RNG.permutation(100)
    asked = question(Plan(time="day"), day=days, x=RNG.normal(size=100), y=RNG.normal(size=100))
    dealt = deal(asked, times=1, k=4, holdout=0.2, seed=0)
    assert days[dealt.split.train].max() < days[dealt.split.test].min()
    assert len(dealt.split.test) == 20
    left = days[dealt.split.train]
    for fold in dealt.folds:
        assert left[fold.train].max() < left[fold.test].min()


def test_dates_order_the_rows_too():
    days = np.datetime64("2024-01-01") + np.repeat(np.arange(30), 4)
    asked = question(Plan(time="day"), day=days, x=RNG.normal(size=120), y=RNG.choice(["a", "b"], 120))
    dealt = deal(asked, times=1, k=3, holdout=0.25, seed=0)
    assert days[dealt.split.train].max() < days[dealt.split.test].min()
    assert next(column.role for column in asked.columns if column.name == "day") == "orders the rows"


def test_a_study_in_order_of_time(line):
    data = {**line(150), "day": list(range(150))}
    found = run_study(data, "y", folds=4, plan=Plan(time="day"))
    assert found.best == "Bayesian linear regression"
    assert found.method["time"] == "day"
    assert "in order of time" in found.method["dealt"]
    with pytest.raises(InvalidInput, match="in one way only"):
        run_study(data, "y", folds="2x4", plan=Plan(time="day"))


@pytest.mark.parametrize(
    ("plan", "columns", "words"),
    [
        (Plan(groups="nobody"), {}, "nobody"),
        (Plan(groups="y"), {}, "another column than the target"),
        (Plan(groups="g"), {"g": ["a", "b"] * 20}, "2 values"),
        (Plan(time="c"), {"c": ["a", "b"] * 20}, "dates or numbers"),
        (Plan(time="t"), {"t": [None, *range(39)]}, "1 row has no t"),
        (Plan(time="t"), {"t": [1.5, 2.5] * 20}, "only 2 different times"),
        (Plan(without=("z",)), {}, "'z'"),
    ],
)
def test_what_is_refused(plan, columns, words):
    x = RNG.normal(size=40)
    with pytest.raises(InvalidInput, match=words):
        deal(question(plan, x=x, y=["a", "b"] * 20, **columns), times=1, k=3, holdout=0.2, seed=0)


def test_a_row_without_a_group_is_a_group_of_its_own():
    groups = [None if i < 10 else f"g{i % 7}" for i in range(60)]
    asked = question(Plan(groups="g"), g=groups, x=RNG.normal(size=60), y=["a", "b"] * 30)
    assert len(np.unique(asked.groups)) == 17
