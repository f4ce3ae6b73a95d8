from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import folds, leave_one_group_out, repeated, set_aside

GROUPS = st.lists(st.integers(0, 12), min_size=6, max_size=80).filter(lambda groups: len(set(groups)) > 1)
SEEDS = st.integers(0, 5)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(GROUPS, st.integers(2, 6), SEEDS)
def test_groups_stay_whole_and_folds_differ_by_one_group_at_most(groups, k, seed):
    k = min(k, len(set(groups)))
    held = np.array(groups)
    dealt = folds(len(held), k, rng=seed, groups=groups)
    assert sorted(np.concatenate([fold.test for fold in dealt])) == list(range(len(held)))
    for fold in dealt:
        assert not set(held[fold.train]) & set(held[fold.test])
        assert len(fold.train) + len(fold.test) == len(held)
    sizes = [len(fold.test) for fold in dealt]
    assert min(sizes) > 0
    assert max(sizes) - min(sizes) <= max(Counter(groups).values())


@settings(max_examples=80, deadline=None, derandomize=True)
@given(GROUPS, st.integers(2, 6), SEEDS, st.data())
def test_with_labels_too_no_group_is_on_both_sides(groups, k, seed, data):
    k = min(k, len(set(groups)))
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=len(groups), max_size=len(groups)))
    held = np.array(groups)
    dealt = folds(len(held), k, rng=seed, labels=labels, groups=groups)
    assert sorted(np.concatenate([fold.test for fold in dealt])) == list(range(len(held)))
    assert all(len(fold.test) and not set(held[fold.train]) & set(held[fold.test]) for fold in dealt)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(GROUPS, st.floats(0.05, 0.95), SEEDS)
def test_whole_groups_are_set_aside_in_about_the_share(groups, share, seed):
    held = np.array(groups)
    split = set_aside(len(held), share, rng=seed, groups=groups)
    assert sorted([*split.train, *split.test]) == list(range(len(held)))
    assert len(split.train)
    assert len(split.test)
    assert not set(held[split.train]) & set(held[split.test])
    assert abs(len(split.test) - share * len(held)) <= max(Counter(groups).values())


def test_classes_are_spread_as_evenly_as_scikit_learn_spreads_them():
    from sklearn.model_selection import StratifiedGroupKFold

    rng = np.random.default_rng(0)
    groups = rng.integers(0, 60, 600)
    labels = (rng.random(60)[groups] < 0.3).astype(int)  # each group has one class throughout

    def unevenness(splits):
        return np.std([[np.mean(labels[test]), len(test) / 600] for _, test in splits], axis=0)

    theirs = unevenness(StratifiedGroupKFold(5, shuffle=True, random_state=0).split(groups, labels, groups))
    ours = np.mean([unevenness(folds(600, 5, rng=seed, labels=labels, groups=groups)) for seed in range(5)], axis=0)
    assert (ours <= theirs + 0.01).all()
    assert (ours < 0.03).all()


def test_groups_are_dealt_anew_by_each_seed_although_the_large_ones_come_first():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    dealt = repeated(len(groups), 3, 6, rng=0, groups=groups)
    assert len({tuple(fold.test) for fold in dealt}) > 12
    aside = {tuple(np.unique(groups[set_aside(len(groups), 0.3, rng=seed, groups=groups).test])) for seed in range(6)}
    assert len(aside) > 3


def test_leave_one_group_out_is_folds_with_a_fold_for_each_group():
    groups = np.array(["c", "a", "b", "a", "c", "c"])
    ours = leave_one_group_out(groups)
    assert [sorted(set(groups[fold.test])) for fold in ours] == [["a"], ["b"], ["c"]]
    dealt = {tuple(fold.test) for fold in folds(6, 3, rng=0, groups=groups)}
    assert dealt == {tuple(fold.test) for fold in ours}


@pytest.mark.parametrize(
    ("groups", "error", "words"),
    [
        (["a", "a", "a"], BadParameter, "groups must be two at least"),
        (["a", None, "b"], InvalidInput, "row 1 has none"),
        ([1.0, np.nan, 2.0], InvalidInput, "row 1 has none"),
        (["a", "b"], BadShape, "groups"),
        ([["a"], ["b"], ["c"]], InvalidInput, "one group a row"),
    ],
)
def test_groups_that_cannot_be_kept_apart_are_refused(groups, error, words):
    with pytest.raises(error, match=words):
        folds(3, 2, rng=0, groups=groups)


def test_more_folds_than_groups_are_refused():
    with pytest.raises(BadParameter, match="2 groups for 3 folds"):
        folds(4, 3, rng=0, groups=["a", "a", "b", "b"])
