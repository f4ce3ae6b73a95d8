from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, InvalidInput
from credo.evaluation import time_ordered

TIMES = st.lists(st.integers(0, 30), min_size=4, max_size=60).filter(lambda times: len(set(times)) > 3)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(TIMES, st.integers(1, 6))
def test_all_that_teaches_came_before_all_that_judges(times, k):
    k = min(k, len(set(times)) - 1)
    held = np.array(times)
    splits = time_ordered(held, k)
    assert len(splits) == k
    for i, (train, test) in enumerate(splits):
        assert set(train) == {row for row in range(len(held)) if held[row] < held[test].min()}
        assert held[train].max() < held[test].min()
        if i:
            assert held[test].min() > held[splits[i - 1].test].max()
    judged = np.concatenate([test for _, test in splits])
    assert sorted([*splits[0].train, *judged]) == list(range(len(held)))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(TIMES, st.integers(1, 3), st.integers(0, 3), st.integers(1, 10))
def test_gap_and_window_say_how_long_before(times, k, gap, window):
    held = np.array(times)
    try:
        splits = time_ordered(held, k, gap=gap, window=window)
    except BadParameter:
        starts = [held[test].min() for _, test in time_ordered(held, k)]
        assert any(not ((held < start - gap) & (held >= start - gap - window)).any() for start in starts)
        return
    for (train, test), (_, same) in zip(splits, time_ordered(held, k), strict=True):
        assert test.tolist() == same.tolist()
        start = held[test].min()
        wanted = [row for row in range(len(held)) if start - gap - window <= held[row] < start - gap]
        assert train.tolist() == wanted


@pytest.mark.parametrize(("n", "k", "gap"), [(20, 4, 0), (21, 4, 0), (24, 4, 2), (100, 7, 3)])
def test_it_is_scikit_learns_scheme_when_rows_are_in_order(n, k, gap):
    from sklearn.model_selection import TimeSeriesSplit

    ours = time_ordered(n, k, gap=gap)
    sizes = [len(split.test) for split in ours]
    assert max(sizes) - min(sizes) <= 1
    if n % (k + 1) == 0:  # elsewhere theirs puts all that is left over into the first stretch
        for (train, test), (their_train, their_test) in zip(
            ours, TimeSeriesSplit(k, gap=gap).split(np.zeros(n)), strict=True
        ):
            assert (train.tolist(), test.tolist()) == (their_train.tolist(), their_test.tolist())


def test_dates_are_times_whatever_order_the_rows_are_in():
    rng = np.random.default_rng(0)
    days = rng.permutation(30)
    dates = np.datetime64("2024-01-01") + days
    ours = time_ordered(dates, 4, gap=np.timedelta64(2, "D"), window=dt.timedelta(days=7))
    plain = time_ordered(days, 4, gap=2, window=7)
    lists = time_ordered([dt.datetime(2024, 1, 1) + dt.timedelta(days=int(d)) for d in days], 4)
    for (train, test), (same_train, same_test), (_, listed) in zip(ours, plain, lists, strict=True):
        assert train.tolist() == same_train.tolist()
        assert test.tolist() == same_test.tolist() == listed.tolist()


def test_months_can_be_apart_by_days():
    months = np.arange("2024-01", "2024-07", dtype="M8[M]")
    assert time_ordered(months, 2, gap=np.timedelta64(31, "D"))[1].train.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("times", "options", "error", "words"),
    [
        (5, {"gap": -1}, BadParameter, "gap must be zero or positive"),
        (5, {"window": 0}, BadParameter, "window must be positive"),
        (5, {"gap": 5}, BadParameter, "leave rows to learn from"),
        ([1, 1, 2, 2], {}, BadParameter, "fewer than the different times; got 2 folds and 2"),
        ([1, np.nan, 2], {}, InvalidInput, "times must be finite"),
        (["monday", "tuesday", "friday"], {}, InvalidInput, "times must be numbers"),
        (np.array(["2024-01-01", "NaT", "2024-01-03"], dtype="M8[D]"), {}, InvalidInput, "none of them missing"),
        (np.arange("2024-01", "2024-07", dtype="M8[M]"), {"gap": 3}, BadParameter, "gap must be a span of time"),
        (np.arange("2024-01", "2024-07", dtype="M8[M]"), {"window": 0}, BadParameter, "window must be a span of time"),
    ],
)
def test_what_is_no_time_is_refused(times, options, error, words):
    with pytest.raises(error, match=words):
        time_ordered(times, 2, **options)
