from __future__ import annotations

import numpy as np
import pytest

from credo.study.leaks import leaks
from credo.study.question import ask

RNG = np.random.default_rng(0)
N = 300


def found(target, **columns):
    held = ask({**{name: list(values) for name, values in columns.items()}}, target, loss=None, holdout=0.2, types=None)
    return [leak.column for leak in leaks(held)]


def test_what_gives_classes_away():
    y = RNG.choice(["ill", "well", "dead"], N)
    code = np.searchsorted(["dead", "ill", "well"], y)
    assert found(
        "y",
        y=y,
        noise=RNG.normal(size=N),
        strong=code + RNG.normal(0, 0.4, N),  # telling, and honestly so
        code=(code * 7.5 - 3) ** 2,  # in no order of the classes
        discharge=np.where(y == "dead", "none", np.where(y == "ill", "ward", "home")),
        missing=[None if state == "dead" else 1.0 for state in y],  # tells one class of three
    ) == ["code", "discharge"]


def test_that_a_cell_is_missing_can_give_the_class_away():
    y = RNG.choice(["a", "b"], N)
    assert found(
        "y", y=y, x=[value if state == "a" else None for value, state in zip(RNG.normal(size=N), y, strict=True)]
    ) == ["x"]


def test_what_gives_a_number_away():
    y = RNG.normal(size=N)
    assert found("y", y=y, x=RNG.normal(size=N), half=y / 2 + 1, near=y + RNG.normal(0, 0.2, N)) == ["half"]


def test_a_rare_class_is_not_given_away_by_nothing():
    y = np.where(np.arange(N) < 3, "rare", "usual")
    assert found("y", y=y, x=RNG.normal(size=N)) == []


@pytest.mark.parametrize("n", [12, 25])
def test_few_rows_are_no_reason_to_suspect(n):
    y = ["a", "b", "c"] * (n // 3)
    assert found("y", y=y, x=RNG.normal(size=len(y))) == []


def test_numbers_far_off_make_no_leak_of_noise():
    y = np.random.default_rng(0).normal(size=500)
    y[7] = 1e4
    table = {"a": np.random.default_rng(1).normal(size=500), "b": np.random.default_rng(2).normal(size=500), "y": y}
    assert leaks(ask(table, "y", loss=None, holdout=0.2, types=None)) == ()
