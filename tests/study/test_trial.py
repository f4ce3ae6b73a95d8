from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from credo.evaluation import folds
from credo.naive_bayes import NaiveBayes
from credo.study.candidates import CANDIDATES, Candidate
from credo.study.question import ask
from credo.study.record import Criterion
from credo.study.trial import Trial, learn_again, try_out

LOG = Criterion("log score", higher_is_better=True, reason="")


@pytest.fixture
def trial(two_classes):
    data = two_classes(gap=1.0)
    del data["colour"]
    question = ask(data, "state", loss=None, holdout=0.2, types=None)
    rows = np.arange(20, 120)
    return Trial(question, rows, folds(100, 5, rng=0, labels=question.y[rows]), LOG, 0, lambda *what: None)


def test_scores_are_those_of_scikit_learns_cross_validation(trial):
    guess, bayes = try_out(CANDIDATES["classification"][:2], trial)
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

    (run,) = try_out([Candidate("worried", Worried)], trial)
    assert run.remarks == ("I am not sure",)
    assert run.error is None
    assert run.gain is None  # there was no guess to compare with


def test_the_winner_learns_from_every_development_row_and_no_other(trial):
    (run,) = try_out(CANDIDATES["classification"][:1], trial)
    model = learn_again(run, CANDIDATES["classification"], trial)
    y = trial.question.y[trial.rows]
    again = CANDIDATES["classification"][0].make().fit(trial.question.table.take(trial.rows), y)
    assert model.shares_.tolist() == again.shares_.tolist()


@pytest.mark.parametrize("most", [(99, 5), (100, 1)])
def test_a_candidate_that_would_take_too_long_is_left_out_and_says_so(two_classes, trial, most):
    def never():
        raise AssertionError("it was asked to learn")

    data = two_classes(gap=1.0)  # a column of numbers and one of two colours or more, which counts for each
    trial = dataclasses.replace(trial, question=ask(data, "state", loss=None, holdout=0.2, types=None))
    (run,) = try_out([Candidate("slow", never, most=most)], trial)
    columns = 1 + len(trial.question.table.states("colour"))
    assert run.error == (
        f"it would take too long, and is left out where more than {most[0]} rows or {most[1]} columns are learnt from; "
        f"here it is 100 and {columns}"
    )
    (run,) = try_out([dataclasses.replace(CANDIDATES["classification"][0], most=(100, columns))], trial)
    assert run.error is None
