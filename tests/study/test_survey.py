from __future__ import annotations

import numpy as np
import pytest

from credo.study.plan import PLAIN, Plan
from credo.study.question import ask
from credo.study.survey import survey

RNG = np.random.default_rng(0)
N = 400


def look(target="y", *, plan=PLAIN, development=320, **columns):
    held = {name: list(values) for name, values in columns.items()}
    question = ask(held, target, loss=None, holdout=0.2, types=None, plan=plan)
    return {concern.kind: concern for concern in survey(question, plan, development=development)}


def numbers(n=N):
    return RNG.normal(size=n)


def classes(n=N):
    return RNG.choice(["a", "b"], n)


def test_an_ordinary_table_gives_no_concern():
    assert look(x=numbers(), z=numbers(), y=classes()) == {}
    assert look(x=numbers(), z=numbers(), y=numbers()) == {}


def test_too_few_rows():
    found = look(x=numbers(24), y=classes(24), development=19)
    assert found["few rows"].serious
    assert "19 rows to learn from are too few" in found["few rows"].words


def test_more_columns_than_rows():
    wide = {f"x{i}": numbers(60) for i in range(70)}
    found = look(**wide, y=["a", "b"] * 30, development=48)["few rows"]
    assert not found.serious
    assert "more columns (70) than rows to learn from (48)" in found.words


def test_a_column_that_gives_the_answer_away_is_named_and_can_be_left_out():
    y = classes()
    columns = {"x": numbers(), "code of outcome": np.where(y == "a", 1.5, 2.5), "y": y}
    found = look(**columns)["leak"]
    assert found.serious
    assert found.columns == ("code of outcome",)
    assert "--without 'code of outcome'" in found.remedy
    assert "leak" not in look(**columns, plan=Plan(without=("code of outcome",)))


@pytest.mark.parametrize("name", ["patient", "PatientID", "user_id", "customer-number", "schoolCode"])
def test_rows_of_the_same_patient_are_noticed_until_they_are_kept_together(name):
    columns = {name: np.repeat(np.arange(80), 5), "x": numbers(), "y": classes()}
    found = look(**columns)["groups"]
    assert found.serious
    assert f"{name} has 80 values in 400 rows" in found.words
    assert found.remedy == f"Keep them together: --groups {name}."
    assert look(**columns, plan=Plan(groups=name)) == {}


def test_a_number_of_its_own_for_every_row_tells_nothing():
    found = look(id=RNG.permutation(N), x=numbers(), y=classes())
    assert list(found) == ["identifier"]


def test_a_few_hospitals_are_a_column_like_any_other():
    assert look(hospital=RNG.choice(["north", "south"], N), x=numbers(), y=classes()) == {}


def test_time_is_noticed_by_its_kind_and_by_its_name():
    dates = np.datetime64("2020-01-01") + RNG.permutation(N)
    found = look(when=dates, x=numbers(), y=classes())["time"]
    assert found.serious
    assert found.remedy == "If that is what it is for, say --time when."
    for name, values in {
        "year": RNG.integers(1990, 2020, N),
        "saleYear": RNG.integers(1990, 2020, N),
        "Time": np.cumsum(RNG.integers(0, 9, N)),  # seconds since the first row
        "order_date": 20240000 + RNG.integers(101, 1231, N),
        "timestamp": 1_700_000_000 + RNG.integers(0, 10**6, N),
        "week": np.repeat(np.arange(N // 4), 4)[::-1],  # the latest first
    }.items():
        assert not look(**{name: values}, x=numbers(), y=classes())["time"].serious
    assert look(when=dates, x=numbers(), y=classes(), plan=Plan(time="when")) == {}


@pytest.mark.parametrize(
    "name",
    [
        "hours-per-week",
        "hours.per.week",
        "time_in_hospital",
        "reaction_time",
        "days",
        "hour",
        "day_of_week",
        "month",
        "birth_year",
        "year_built",
        "Age (day)",
        "monthly_income",
        "timeliness",
        "weekday",
    ],
)
def test_what_merely_sounds_like_a_time_is_none(name):
    assert look(**{name: RNG.integers(1, 99, N)}, x=numbers(), y=classes()) == {}
    assert look(**{name: RNG.choice(["mon", "tue", "wed"], N)}, x=numbers(), y=classes()) == {}


@pytest.mark.parametrize("name", ["account_balance", "family_size", "visits_per_patient", "site_area", "usercount"])
def test_what_is_said_of_somebody_names_nobody(name):
    assert look(**{name: RNG.integers(0, 80, N)}, x=numbers(), y=classes()) == {}
    assert look(site=np.round(RNG.normal(size=N), 1), x=numbers(), y=classes()) == {}  # a measurement


def test_a_date_of_birth_orders_nothing():
    dates = np.datetime64("1950-01-01") + RNG.permutation(N)
    assert look(date_of_birth=dates, x=numbers(), y=classes()) == {}


def test_rows_sorted_by_class_are_named_and_harmless():
    found = look(x=numbers(), y=np.repeat(["a", "b"], N // 2))["order"]
    assert "sorted by class" in found.words
    assert not found.serious


def test_neighbours_that_are_alike_are_noticed():
    walk = np.cumsum(numbers())
    assert "like targets (a correlation of 0.9" in look(x=numbers(), y=walk)["order"].words
    assert "like targets" in look(x=numbers(), y=np.repeat(RNG.choice(["a", "b"], N // 10), 10))["order"].words


def test_copies_are_serious_when_they_are_many():
    x, y = numbers(), classes()
    assert not look(x=[*x, *x[:3]], y=[*y, *y[:3]])["duplicates"].serious
    assert look(x=[*x, *x[:50]], y=[*y, *y[:50]])["duplicates"].serious
    assert not look(c=RNG.choice(["u", "v"], N), y=y)["duplicates"].serious  # categories are alike by themselves


def test_a_rare_class_makes_the_share_of_right_answers_useless():
    found = look(x=numbers(), y=np.where(np.arange(N) % 40 == 0, "fraud", "fine"))["imbalance"]
    assert "97.5 % of the rows are fine and 2.5 % fraud (10)" in found.words


def test_classes_of_very_few_rows_are_named():
    y = np.array(["a", "b"] * 198 + ["c"] * 4)
    assert "c (4)" in look(x=numbers(), y=RNG.permutation(y))["rare classes"].words


def test_values_far_from_all_others():
    y = numbers()
    y[7] = 1e6
    assert "1 value of the target" in look(x=numbers(), y=y)["outliers"].words.replace("lies", "lie")


def test_a_column_that_is_mostly_missing():
    found = look(x=[None if i % 3 else float(i % 7) for i in range(N)], z=numbers(), y=classes())["missing"]
    assert found.columns == ("x",)


def test_the_serious_ones_come_first():
    y = classes()
    x = numbers()
    x[RNG.permutation(N)[:300]] = np.nan
    question = ask(
        {"x": list(x), "z": list(numbers()), "copy": list(np.where(y == "a", 1.5, 2.5)), "y": list(y)},
        "y",
        loss=None,
        holdout=0.2,
        types=None,
    )
    assert [concern.serious for concern in survey(question, PLAIN, development=320)] == [True, False]
