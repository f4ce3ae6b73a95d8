from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from credo.evaluation import Comparison, Interval
from credo.study import run_study
from credo.study.answer import answer, chances, headline, undecided
from credo.study.record import Pair


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


def with_pairs(study, chance, gap=0.1):
    pair = Comparison(Interval(gap, -1.0, 1.0, 0.95, "t"), chance)
    names = [run.name for run in study.runs if run.name != study.best]
    return replace(study, pairwise=tuple(Pair(study.best, name, pair) for name in names))


def test_rivals_that_are_as_good_are_named(good):
    assert undecided(with_pairs(good, 0.99)) == []
    sure, unsure, trifling = with_pairs(good, 0.99), with_pairs(good, 0.8), with_pairs(good, 0.99, gap=1e-4)
    others = [run.name for run in good.runs if run.name != good.best]
    assert undecided(unsure) == undecided(trifling) == others
    assert answer(unsure)[-1].startswith("Whether it is better than ")
    assert "frequencies" not in answer(unsure)[-1]  # the guess is spoken of before
    assert not answer(sure)[-1].startswith("Whether")
    assert chances(unsure)[others[0], good.best] == pytest.approx(0.2)


def test_noise_is_hardly_ever_praised():
    praised = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        found = run_study({"x": rng.normal(size=90).tolist(), "y": ["a", "b", "c"] * 30}, "y", folds=4)
        assert "beats" not in headline(found)
        praised += not headline(found).startswith(("It is open", "Nothing that was tried"))
    assert praised <= 1
