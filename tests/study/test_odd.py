"""Tables nobody would choose: each gives an honest report or a clear refusal."""

from __future__ import annotations

import json

import numpy as np
import pytest

from credo.errors import CredoError
from credo.study import run_study
from credo.study.answer import answer, headline
from credo.study.plan import Plan

RNG = np.random.default_rng(0)


def told(found):
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.report().startswith("<!DOCTYPE html>")
    return " ".join([headline(found), *answer(found), *found.data.notes])


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_too_few_rows_are_refused(n):
    for y in (["a", "b"] * 5, list(RNG.normal(size=10))):
        with pytest.raises(CredoError, match="at least"):
            run_study({"x": list(RNG.normal(size=n)), "y": y[:n]}, "y")


@pytest.mark.parametrize("y", [["a", "b"] * 6, list(RNG.normal(size=12))], ids=["classes", "numbers"])
def test_a_dozen_rows_conclude_nothing(y):
    assert "too few rows to say" in told(run_study({"x": list(RNG.normal(size=12)), "y": y}, "y"))


def test_an_empty_table_is_refused():
    with pytest.raises(CredoError):
        run_study({"x": [], "y": []}, "y")


def test_a_thousand_columns():
    data = {f"x{i}": list(RNG.normal(size=60)) for i in range(1000)}
    found = run_study({**data, "y": ["a", "b", "c"] * 20}, "y", folds=3)
    assert found.data.used == 1000
    assert "beats" not in told(found)


def test_of_many_columns_a_page_shows_the_first():
    data = {f"x{i}": RNG.integers(0, 9, 40).tolist() for i in range(1_500)}
    found = run_study({**data, "y": ["a", "b"] * 20}, "y", folds=3)
    assert "The first 1,000 columns (501 more in study.json)" in found.report()


@pytest.mark.parametrize("classes", [2, 3, 5, 10])
def test_equal_shares_of_classes_are_not_beaten_by_noise(classes):
    y = [f"class {i % classes}" for i in range(20 * max(classes, 3))]
    for seed in range(6 if classes < 10 else 2):
        rng = np.random.default_rng(seed)
        plan = Plan() if classes < 5 else Plan(candidates=("a single rule", "naive Bayes", "logistic regression"))
        found = run_study({"a": rng.normal(size=len(y)), "b": rng.normal(size=len(y)), "y": y}, "y", plan=plan)
        assert "beats" not in told(found)


def test_a_class_with_a_single_member_is_set_aside():
    found = run_study({"x": list(RNG.normal(size=61)), "y": [*["a", "b"] * 30, "lonely"]}, "y", folds=3)
    assert "lonely (1)" in told(found)
    assert found.judgement.confusion.states == ("a", "b")


def test_a_rare_class_is_kept_in_every_training_fold():
    found = run_study({"x": list(RNG.normal(size=63)), "y": [*["a", "b"] * 30, *["rare"] * 3]}, "y", folds=10)
    assert all(run.error is None for run in found.runs)
    told(found)


def test_columns_without_values_or_with_one_value():
    y = ["a", "b"] * 30
    data = {"x": [1.0 if v == "a" else -1.0 for v in y], "none": [None] * 60, "same": [7.5] * 60, "y": y}
    found = run_study(data, "y", folds=3)
    assert found.data.used == 1
    assert "2 columns set aside: none and same" in told(found)
    assert found.judgement.scores[0].interval.value == 1.0


def test_texts_and_times_are_set_aside():
    texts = [f"a text of its own, number {i} of many" for i in range(60)]
    times = list(np.datetime64("2020-01-01") + np.arange(60))
    found = run_study({"x": list(RNG.normal(size=60)), "t": texts, "when": times, "y": ["a", "b"] * 30}, "y", folds=3)
    assert "2 columns set aside: t and when" in told(found)


def test_missing_cells_everywhere():
    def holes(values):
        return [None if RNG.random() < 0.3 else value for value in values]

    y = ["a", "b"] * 50
    data = {"x": holes([float(v == "a") + RNG.normal() / 9 for v in y]), "c": holes(y), "n": holes(range(100))}
    assert "predicts y" in told(run_study({**data, "y": y}, "y", folds=3))


def test_a_column_that_gives_the_target_away_leaves_nothing_to_learn_from_noise():
    y = list(RNG.normal(size=80))
    found = run_study({"copy": y, "y": y}, "y", folds=4)
    assert found.judgement.scores[2].interval.value > 0.99
    told(found)


def test_many_classes():
    names = [f"class {i}" for i in range(40)]
    data = {"x": list(np.repeat(np.arange(40.0), 10)), "y": list(np.repeat(names, 10))}
    found = run_study(data, "y", folds=3, plan=Plan(candidates=("naive Bayes",)))
    assert found.judgement.confusion.counts.shape == (40, 40)
    assert "40 classes; " in found.report()  # a picture, and the counts as a table
    assert "truly class 39" in found.report()


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_very_small_and_very_large_numbers(scale):
    x = RNG.normal(size=80)
    found = run_study({"x": list(x * scale), "y": list((3 * x + RNG.normal(size=80)) * scale)}, "y", folds=4)
    assert "0 (0 to 0)" not in told(found)
    assert found.chosen.beats(found.criterion)


def test_a_large_hold_out():
    found = run_study({"x": list(RNG.normal(size=80)), "y": ["a", "b"] * 40}, "y", holdout=0.9, folds=3)
    assert found.data.holdout == 72
    told(found)
