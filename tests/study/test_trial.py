from __future__ import annotations

import dataclasses
import re
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from credo.evaluation import folds
from credo.naive_bayes import NaiveBayes
from credo.study.candidates import CANDIDATES, Candidate
from credo.study.journal import Journal
from credo.study.plan import Plan
from credo.study.question import ask
from credo.study.record import Criterion
from credo.study.sitting import learn
from credo.study.trial import Contest, Trial

BOTH = (CANDIDATES["classification"][0], CANDIDATES["classification"][2])  # the guess and naive Bayes
LOG = Criterion("log score", higher_is_better=True, reason="")


def held(candidates, trial):
    """What is to be said of each candidate."""
    return Contest(candidates, trial, Journal(None, {}, trial.question.task, resume=False)).hold()


@pytest.fixture
def trial(two_classes):
    data = two_classes(gap=1.0)
    del data["colour"]
    question = ask(data, "state", loss=None, holdout=0.2, types=None)
    rows = np.arange(20, 120)
    return Trial(question, rows, folds(100, 5, rng=0, labels=question.y[rows]), LOG, 0)


def test_scores_are_those_of_scikit_learns_cross_validation(trial):
    guess, bayes = held(BOTH, trial)
    x, y = trial.question.table["size"][trial.rows, None], trial.question.y[trial.rows]
    model = NaiveBayes(confidence="learnt")
    reference = cross_val_score(model, x, y, cv=trial.folds, scoring="neg_log_loss")
    assert bayes.folds == pytest.approx(reference)
    assert bayes.right == pytest.approx(cross_val_score(NaiveBayes(), x, y, cv=trial.folds))
    assert bayes.gain.difference.value == pytest.approx(np.mean(reference) - guess.mean.value)
    assert trial.share == pytest.approx(1 / 4)


def test_a_warning_is_passed_on_once(trial):
    class Worried(NaiveBayes):
        def fit(self, X, y):
            warnings.warn("I am not sure", UserWarning, stacklevel=2)
            return super().fit(X, y)

    (run,) = held([Candidate("worried", Worried)], trial)
    assert run.remarks == ("I am not sure",)
    assert run.error is None
    assert run.gain is None  # there was no guess to compare with


def test_the_winner_learns_from_every_development_row_and_no_other(trial):
    model, _ = learn(CANDIDATES["classification"][0], trial.question, trial.rows)
    y = trial.question.y[trial.rows]
    again = CANDIDATES["classification"][0].make().fit(trial.question.table.take(trial.rows), y)
    assert model.shares_.tolist() == again.shares_.tolist()


@pytest.mark.parametrize("most", [(99, 5), (100, 1)])
def test_a_candidate_that_would_take_too_long_is_left_out_and_says_so(two_classes, trial, most):
    def never():
        raise AssertionError("it was asked to learn")

    data = two_classes(gap=1.0)  # a column of numbers and one of two colours or more, which counts for each
    trial = dataclasses.replace(trial, question=ask(data, "state", loss=None, holdout=0.2, types=None))
    (run,) = held([Candidate("slow", never, most=most)], trial)
    columns = 1 + len(trial.question.table.states("colour"))
    assert run.error == (
        f"it would take too long, and is left out where more than {most[0]} rows or {most[1]} columns are learnt from; "
        f"here it is 100 and {columns}"
    )
    (run,) = held([dataclasses.replace(CANDIDATES["classification"][0], most=(100, columns))], trial)
    assert run.error is None


class Slow:
    """Says what the guess says, and claims to have taken long."""

    def __init__(self):
        self.inner = CANDIDATES["classification"][0].make()

    def fit(self, X, y):
        self.inner.fit(X, y)
        return self

    def predictive(self, X):
        return self.inner.predictive(X)


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a slow candidate learns."""
    now = [0.0]
    fit = Slow.fit
    monkeypatch.setattr("credo.study.sitting.time.perf_counter", lambda: now[0])
    monkeypatch.setattr(Slow, "fit", lambda self, X, y: (now.__setitem__(0, now[0] + 10.0), fit(self, X, y))[1])


def test_a_candidate_that_would_take_more_than_the_budget_is_stopped_and_says_so(trial, clock):
    guess = CANDIDATES["classification"][0]
    three = (guess, Candidate("slow", Slow), Candidate("quick", guess.make))
    short = dataclasses.replace(trial, plan=Plan(budget=59))
    runs = held(three, short)
    assert [run.status for run in runs] == ["finished", "out of time", "finished"]
    assert runs[1].error == (
        "a fold of it takes 10 seconds, and 5 folds would take 60: more than is left to it of the budget of 59 seconds"
    )
    assert runs[1].seconds == 10.0
    enough = dataclasses.replace(trial, plan=Plan(budget=60))
    assert [run.status for run in held(three, enough)] == ["finished"] * 3


def test_a_budget_counts_on_other_processes_only_where_they_are_worth_starting(trial, clock, monkeypatch):
    monkeypatch.setattr("credo.study.work.PATIENCE", 1e9)
    two = (CANDIDATES["classification"][0], Candidate("slow", Slow))
    runs = held(two, dataclasses.replace(trial, plan=Plan(budget=59, jobs=2)))
    assert [run.status for run in runs] == ["finished", "out of time"]


def test_of_two_that_are_slow_the_slower_one_is_stopped(trial, clock):
    class Slower(Slow):
        def fit(self, X, y):
            super().fit(X, y)
            return super().fit(X, y)

    guess = CANDIDATES["classification"][0]
    three = (guess, Candidate("slow", Slow), Candidate("slower", Slower))
    runs = held(three, dataclasses.replace(trial, plan=Plan(budget=100)))
    assert [run.status for run in runs] == ["finished", "finished", "out of time"]


def test_folds_dealt_again_count_each_row_once_in_the_scores(trial):
    once = folds(100, 5, rng=0)
    twice = dataclasses.replace(trial, folds=once + folds(100, 5, rng=1), once=5)
    guess = CANDIDATES["classification"][:1]
    (run,) = held(guess, twice)
    (first,) = held(guess, dataclasses.replace(trial, folds=once))
    assert len(run.folds) == 10
    assert run.folds[:5] == first.folds
    assert run.scores == first.scores
    assert run.mean.half_width < first.mean.half_width


def test_how_far_it_came_is_said_when_it_is_stopped(trial):
    contest = Contest(BOTH, trial, Journal(None, {}, trial.question.task, resume=False))
    assert contest.so_far() == "no fold is finished"
    contest.hold()
    assert re.fullmatch(
        r"log score so far: always the class frequencies −0\.\d+ over 5 of 5 folds; "
        r"naive Bayes −0\.\d+ over 5 of 5 folds",
        contest.so_far(),
    )
