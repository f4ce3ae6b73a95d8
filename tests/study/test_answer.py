from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from credo.evaluation import Interval, Verdict
from credo.study import run_study
from credo.study.answer import answer, chances, headline, rivals


@pytest.fixture(scope="module")
def good(two_classes):
    return run_study(two_classes(), "state", folds=4)


def with_gain(study, low, high):
    gain = Interval((low + high) / 2, low, high, 0.95, "t")
    return replace(study, judgement=replace(study.judgement, gain=gain))


def test_what_the_hold_out_confirms_is_said_plainly(good):
    assert headline(with_gain(good, 0.1, 0.3)).endswith("predicts state, and beats a guess.")


def test_what_the_hold_out_does_not_confirm_is_not(good):
    assert "but not clearly on the rows set aside" in headline(with_gain(good, -0.1, 0.3))


def test_better_probabilities_are_not_called_better_answers(good):
    rare = replace(good.judgement, baseline=good.judgement.scores)
    told = headline(with_gain(replace(good, judgement=rare), 0.1, 0.3))
    assert told.endswith("tells how probable each state is better than a guess, but names it right no more often.")


def test_what_the_hold_out_alone_shows_is_called_open(two_classes):
    weak = run_study(two_classes(gap=0.5), "state", folds=3)
    assert not weak.chosen.beats(weak.criterion)
    assert not weak.chosen.baseline
    assert "did better than a guess at state on the rows set aside; whether" in headline(with_gain(weak, 0.1, 0.3))


def with_pairs(study, better, same=0.0):
    gap = Interval(0.1, -1.0, 1.0, 0.95, "t")
    names = [run.name for run in study.runs if run.name != study.best]
    worse = 1 - better - same
    pairs = [Verdict(study.best, name, better, same, worse, gap, 0.01, "t", "…") for name in names]
    return replace(study, pairwise=tuple(pairs))


def test_rivals_that_are_as_good_are_named(good):
    others = [run.name for run in good.runs if run.name != good.best]
    sure, unsure, as_good = with_pairs(good, 0.99), with_pairs(good, 0.8, 0.15), with_pairs(good, 0.01, 0.98)
    assert rivals(sure) == ([], [])
    assert rivals(unsure) == ([], others)
    assert rivals(as_good) == (others, [])
    assert answer(unsure)[-1].startswith("Whether it is better than ")
    assert answer(as_good)[-1].endswith(" are as good in practice.")
    for told in (unsure, as_good):
        assert "frequencies" not in answer(told)[-1]  # the guess is spoken of before
    assert answer(sure)[-1].startswith("In cross-validation")
    assert chances(unsure)[others[0], good.best] == pytest.approx((0.05, 0.15))


def test_so_few_folds_that_more_would_tell_more(good):
    few = {**good.method, "folds": 2}
    said = "With 2 folds, differences must be large"
    assert answer(replace(with_pairs(good, 0.8), method=few))[-1].startswith(said)
    assert not answer(replace(with_pairs(good, 0.99), method=few))[-1].startswith(said)
    assert not answer(replace(with_pairs(good, 0.8), method={**few, "repeats": 5}))[-1].startswith(said)
    assert not answer(replace(with_pairs(good, 0.8), method={**few, "groups": "patient"}))[-1].startswith(said)


def test_noise_is_hardly_ever_praised():
    praised = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        found = run_study({"x": rng.normal(size=90).tolist(), "y": ["a", "b", "c"] * 30}, "y", folds=4)
        assert "beats" not in headline(found)
        praised += not headline(found).startswith(("It is open", "Nothing that was tried"))
    assert praised <= 1
