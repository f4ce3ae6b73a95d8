from __future__ import annotations

import numpy as np
import pytest

from credo.decisions import Loss
from credo.errors import InvalidInput, UnknownName
from credo.study.answers import ClassTask, NumberTask
from credo.study.plan import Plan
from credo.study.question import ask


def question(data, target, *, loss=None, holdout=0.2, types=None):
    return ask(data, target, loss=loss, holdout=holdout, types=types)


def columns(**held):
    return {name: list(values) for name, values in held.items()}


def test_the_kind_of_the_target_decides_and_can_be_overridden():
    data = columns(x=np.arange(30.0), y=np.arange(30) % 3 + 0.5)
    assert isinstance(question(data, "y").task, NumberTask)
    found = question(data, "y", types={"y": "category"})
    assert isinstance(found.task, ClassTask)
    assert found.task.names == ("0.5", "1.5", "2.5")
    assert set(found.y.tolist()) == {0.5, 1.5, 2.5}


def test_a_boolean_target_is_two_classes():
    found = question(columns(x=np.arange(20.0), y=[True, False] * 10), "y")
    assert found.task.states == (False, True)
    assert found.y.dtype == bool


def test_a_misspelt_target_is_answered_with_the_nearest_name():
    with pytest.raises(UnknownName, match="Did you mean 'diagnosis'"):
        question(columns(x=[1.0] * 12, diagnosis=["a", "b"] * 6), "diagnosys")


def test_rows_without_a_target_are_set_aside_and_said():
    found = question(columns(x=np.arange(40.0), y=[None, *["a", "b", "b"] * 13]), "y")
    assert len(found.y) == len(found.table) == 39
    assert "1 row without a value of y set aside." in found.notes
    assert found.table["x"][0] == 1.0


def test_a_class_too_rare_to_be_learnt_and_judged_is_set_aside_and_said():
    found = question(columns(x=np.arange(61.0), y=[*["a", "b"] * 30, "odd"]), "y")
    assert found.task.states == ("a", "b")
    assert any("Too few rows" in note and "odd (1)" in note for note in found.notes)


def test_the_loss_of_a_rare_class_goes_with_it():
    loss = Loss.zero_one(["a", "b", "odd"])
    found = question(columns(x=np.arange(61.0), y=[*["a", "b"] * 30, "odd"]), "y", loss=loss)
    assert found.task.loss.states == ("a", "b")
    assert found.task.loss.actions == ("a", "b", "odd")


def test_columns_that_say_nothing_are_set_aside_and_said():
    data = columns(
        x=np.arange(40.0),
        same=["s"] * 40,
        none=[None] * 40,
        words=[f"a sentence of its own, number {i}" for i in range(40)],
        gaps=[None, *["g"] * 39],
        y=["a", "b"] * 20,
    )
    found = question(data, "y")
    roles = {fact.name: fact.role for fact in found.columns}
    assert roles == {
        "x": "used",
        "same": "set aside: always the same",
        "none": "set aside: no values",
        "words": "set aside: text is not read by any candidate",
        "gaps": "used",  # whether it is missing may tell something
        "y": "target",
    }
    assert found.table.columns == ("x", "gaps")
    assert any("3 columns set aside" in note for note in found.notes)


def test_repeated_rows_are_counted():
    data = columns(
        x=[1.0, 1.0, 2.0, 2.0, *range(3, 23)], c=["u", "u", "u", "v", *["u"] * 20], y=["a", "a", "b", "b"] * 6
    )
    found = question(data, "y")
    assert found.duplicates == 1


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (["a"] * 20, "at least two classes"),
        ([None] * 20, "at least 10 rows|at least two classes"),
        ([2.5] * 20, "2.5 in every row"),
        ([f"text {i}, all different" for i in range(2000)], "no candidate predicts"),
        (["a", "b", "a"], "at least two classes"),
        ([1.5, 2.5, 3.5], "at least 10 rows"),
        ([1.5], "at least 10 rows"),
        (["a"], "at least two classes"),
    ],
)
def test_what_cannot_be_studied_is_refused_with_the_reason(y, said):
    with pytest.raises(InvalidInput, match=said):
        question(columns(x=np.arange(float(len(y))), y=y), "y")


def test_no_column_to_tell_from():
    with pytest.raises(InvalidInput, match="no column is left"):
        question(columns(y=["a", "b"] * 10), "y")
    with pytest.raises(InvalidInput, match="always the same"):
        question(columns(x=["s"] * 20, y=["a", "b"] * 10), "y")


def test_the_target_is_neither_left_out_nor_a_time():
    data = columns(x=np.arange(30.0), y=np.arange(30.0))
    for plan, words in ((Plan(without="y"), "without: 'y' is the target"), (Plan(time="y"), "another column than")):
        with pytest.raises(InvalidInput, match=words):
            ask(data, "y", loss=None, holdout=0.2, types=None, plan=plan)


def test_numbers_that_cannot_be_squared_are_refused():
    with pytest.raises(InvalidInput, match="as large as 2"):
        question(columns(x=np.arange(30.0), y=np.arange(30.0) * 1e199), "y")


def test_rows_that_repeat_others_are_counted():
    x, z = np.array([0.0, -0.0, 1.5, np.nan, np.nan, 2.5] * 2), ["a", "a", None, None, "b", "b"] * 2
    x[-1] = 2.5000000001
    data = columns(x=x, z=z, y=["u", "u", "v", "v", "u", "v"] * 2)
    assert question(data, "y").duplicates == 12 - 6  # the two zeros are the same


def test_rows_that_differ_anywhere_are_no_copies():
    rng, n = np.random.default_rng(0), 2000
    data = columns(a=rng.integers(0, 3, n), b=rng.choice([0.5, 1, 2, 4], n), c=rng.choice([1e-300, 1e300], n))
    data["y"] = ["u", "v"] * (n // 2)
    different = len(set(zip(*data.values(), strict=True)))
    assert different == 3 * 4 * 2 * 2
    assert question(data, "y").duplicates == n - different
