from __future__ import annotations

import pytest

from credo.errors import BadParameter, InvalidInput
from credo.study.plan import PLAIN, Plan, folds_of, seconds_of


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1.5h", 5400), (20, 20), ("2", 2)])
def test_times_as_they_are_written(text, seconds):
    assert seconds_of(text) == seconds
    assert Plan(budget=text).seconds == seconds


@pytest.mark.parametrize("text", ["", "0", "-3m", "ten", "5d", "nan", "1e9"])
def test_what_is_no_time(text):
    with pytest.raises(BadParameter, match="budget must be a time above zero such as 90s"):
        seconds_of(text)


@pytest.mark.parametrize(("text", "times", "k"), [(10, 1, 10), ("10", 1, 10), ("10x5", 10, 5), ("5×2", 5, 2)])
def test_folds_as_they_are_written(text, times, k):
    assert folds_of(text) == (times, k)


@pytest.mark.parametrize("text", ["x10", "10x", "ten", 1, "3x1", "0x5", 2.5])
def test_what_are_no_folds(text):
    with pytest.raises(BadParameter, match="fold"):
        folds_of(text)


def test_a_plain_plan_has_no_end_and_needs_no_processes():
    assert PLAIN.seconds == float("inf")
    assert not PLAIN.parallel
    assert Plan(jobs=2).parallel
    assert Plan(dask="tcp://here:1").parallel
    assert Plan(candidates="naive Bayes").candidates == ("naive Bayes",)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"jobs": 0}, "jobs"),
        ({"groups": "a", "time": "b"}, "cannot both deal the folds"),
        ({"resume": True}, "resume needs the journal"),
        ({"without": ("x", "x")}, "without"),
        ({"jobs": 10**9}, "jobs must be between 1 and 256"),
        ({"dask": 8786}, "dask must be the address"),
        ({"watch": "me"}, "watch must be a function"),
        ({"journal": 5}, "journal must be a path"),
    ],
)
def test_what_cannot_be(settings, words):
    with pytest.raises(InvalidInput, match=words):
        Plan(**settings)


def test_what_a_cluster_would_take_is_not_known():
    with pytest.raises(BadParameter, match="budget and dask do not go together"):
        Plan(budget="10m", dask="tcp://localhost:8786")
