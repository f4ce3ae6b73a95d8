from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import folds, nested, repeated, set_aside, strata

LABELS = st.lists(st.sampled_from("aab"), min_size=4, max_size=60)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LABELS, st.integers(2, 12), st.integers(0, 5))
def test_folds_are_disjoint_cover_everything_and_spread_every_class(labels, k, seed):
    k = min(k, len(labels))
    dealt = folds(len(labels), k, rng=seed, labels=labels)
    assert sorted(np.concatenate([fold.test for fold in dealt])) == list(range(len(labels)))
    for fold in dealt:
        assert sorted([*fold.train, *fold.test]) == list(range(len(labels)))
    sizes = [len(fold.test) for fold in dealt]
    assert max(sizes) - min(sizes) <= 1
    for name in set(labels):
        held = [Counter(labels[i] for i in fold.test)[name] for fold in dealt]
        assert max(held) - min(held) <= 1


@settings(max_examples=60, deadline=None, derandomize=True)
@given(LABELS, st.floats(0.05, 0.95), st.integers(0, 5))
def test_a_like_share_of_every_class_is_set_aside(labels, share, seed):
    split = set_aside(len(labels), share, rng=seed, labels=labels)
    assert sorted([*split.train, *split.test]) == list(range(len(labels)))
    assert len(split.test) >= 1
    assert len(split.train) >= 1
    real = len(split.test) / len(labels)
    for name, n in Counter(labels).items():
        assert abs(Counter(labels[i] for i in split.test)[name] - n * real) <= 1


def test_the_seed_decides_and_nothing_else():
    assert all((a.test == b.test).all() for a, b in zip(folds(50, 5, rng=3), folds(50, 5, rng=3), strict=True))
    assert any((a.test != b.test).any() for a, b in zip(folds(50, 5, rng=3), folds(50, 5, rng=4), strict=True))


def test_scikit_learn_takes_the_folds():
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import cross_val_score

    y = np.repeat([0, 1], 10)
    scores = cross_val_score(DummyClassifier(), np.zeros((20, 1)), y, cv=folds(20, 5, rng=0, labels=y))
    assert scores.tolist() == [0.5] * 5


def test_repetitions_judge_every_row_once_each_and_differ():
    labels = np.repeat(["a", "b"], [30, 20])
    dealt = repeated(50, 5, 4, rng=0, labels=labels)
    assert len(dealt) == 20
    for start in range(0, 20, 5):
        judged = np.concatenate([fold.test for fold in dealt[start : start + 5]])
        assert sorted(judged) == list(range(50))
        assert all((labels[fold.test] == "a").sum() == 6 for fold in dealt[start : start + 5])
    assert len({tuple(fold.test) for fold in dealt}) == 20
    with pytest.raises(BadParameter, match="times"):
        repeated(50, 5, 0, rng=0)


def test_inner_splits_see_training_rows_alone():
    outer = folds(23, 4, rng=1)
    for split, inside in nested(outer, lambda rows: folds(len(rows), 3, rng=2)):
        assert len(inside) == 3
        for fold in inside:
            used = split.train[np.concatenate(fold)]
            assert sorted(used) == sorted(split.train)
            assert not set(used) & set(split.test)


def test_leave_one_out():
    assert sorted(fold.test.item() for fold in folds(7, 7, rng=0)) == list(range(7))


def test_strata_are_of_equal_size_and_ordered():
    values = np.random.default_rng(0).normal(size=103)
    cut = strata(values)
    sizes = np.bincount(cut)
    assert len(sizes) == 10
    assert sizes.max() - sizes.min() <= 1
    assert all(values[cut == i].max() < values[cut == i + 1].min() for i in range(9))


@pytest.mark.parametrize("k", [1, 0, 6, 2.5, "3"])
def test_impossible_folds_are_refused(k):
    with pytest.raises(BadParameter, match="folds"):
        folds(5, k, rng=0)


@pytest.mark.parametrize("share", [0, 1, -0.2, float("nan"), "half"])
def test_impossible_shares_are_refused(share):
    with pytest.raises(BadParameter, match="holdout"):
        set_aside(5, share, rng=0)


def test_labels_must_fit():
    with pytest.raises(BadShape, match="labels"):
        folds(5, 2, rng=0, labels=["a"])
    with pytest.raises(InvalidInput, match="one label a row"):
        folds(2, 2, rng=0, labels=[["a"], ["b"]])
