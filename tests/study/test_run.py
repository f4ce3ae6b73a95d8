from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from credo.decisions import Loss
from credo.errors import BadParameter, InvalidInput, NumericalFailure, UnknownName
from credo.study import run_study
from credo.study.candidates import CANDIDATES, Candidate
from credo.study.plan import Plan

LOSS = Loss([[0, 10], [1, 0], [0.6, 0.6]], actions=["wait", "treat", "ask"], states=["well", "ill"])


@pytest.fixture(scope="module")
def classified(two_classes):
    return run_study(two_classes(), "state", folds=5)


@pytest.fixture(scope="module")
def measured(line):
    return run_study(line(), "y", folds=5)


def test_classes_are_told_apart(classified):
    assert classified.task == "classification"
    assert classified.best == "naive Bayes"
    assert classified.chosen.beats(classified.criterion)
    assert "naive Bayes beats “always the class frequencies”: log score higher by" in classified.verdict
    assert [score.name for score in classified.judgement.scores] == ["accuracy", "log score", "Brier score", "AUC"]
    assert classified.judgement.confusion.counts.sum() == classified.data.holdout == 24
    assert classified.data.development == 96


def test_numbers_are_predicted(measured):
    assert measured.task == "regression"
    assert measured.best == "Bayesian linear regression"
    scores = {score.name: score.interval for score in measured.judgement.scores}
    assert 0.7 < scores["RMSE"].value < 1.4
    assert scores["R²"].value > 0.7
    assert scores["coverage of the 90 % interval"].high > 0.9


def test_the_winner_is_fitted_and_predicts(classified, measured):
    new = {"size": [-3.0, 5.0], "colour": ["blue", "red"]}
    assert classified.winner.predict(new_table(new)).tolist() == ["well", "ill"]
    low, high = measured.winner.predict(new_table({"x": [-1.0, 1.0], "z": [0.0, 0.0]}))
    assert low < 0 < high


def new_table(columns):
    from credo.tables import Table

    return Table(columns)


def test_it_repeats_itself_to_the_last_digit(classified, two_classes, timeless):
    again, classified = timeless(run_study(two_classes(), "state", folds=5)), timeless(classified)
    assert again.to_dict() == classified.to_dict()
    assert again.report() == classified.report()
    other = run_study(two_classes(), "state", folds=5, seed=1)
    assert other.to_dict() != classified.to_dict()


def test_every_two_candidates_are_compared(classified):
    names = [run.name for run in classified.runs]
    assert len(classified.pairwise) == len(names) * (len(names) - 1) / 2
    first = classified.pairwise[0]
    assert (first.first, first.second) == (names[0], names[1])
    assert first.difference.value == pytest.approx(-classified.runs[1].gain.difference.value)
    assert first.rope == classified.criterion.rope
    assert sum(first.probabilities) == pytest.approx(1)


def test_what_makes_no_difference_in_practice_is_one_in_a_hundred(classified, measured, two_classes):
    table = classified.judgement.confusion
    learnt = [
        two_classes()["state"].count(state) - n for state, n in zip(table.states, table.counts.sum(axis=1), strict=True)
    ]
    shares = np.array(learnt) / sum(learnt)
    assert classified.criterion.rope == pytest.approx(-0.01 * shares @ np.log(shares))
    assert measured.criterion.rope == 0.01
    loss = Loss([[0, 10], [1, 0]], actions=["treat", "wait"], states=["ill", "well"])
    found = run_study(two_classes(), "state", loss=loss, folds=2, plan=Plan(candidates=("a single rule",)))
    assert found.criterion.rope == pytest.approx(0.01 * min(10 * shares[1], shares[0]))
    assert all(pair.rope == found.criterion.rope for pair in found.pairwise)


def test_evidence_stands_beside_cross_validation(classified):
    known = {run.name: run.log_evidence for run in classified.runs if run.log_evidence is not None}
    assert "logistic regression" in known
    assert "support vector machine" not in known
    assert -math.log(2) < known["logistic regression"] < 0


def test_it_says_where_the_time_went(classified):
    assert 0 < classified.timing.fits <= classified.timing.wall
    assert classified.timing.fits > sum(run.seconds for run in classified.runs)
    assert 0 < classified.timing.loading < classified.timing.wall - classified.timing.fits


def test_it_is_strict_json(classified, measured):
    for found in (classified, measured):
        text = json.dumps(found.to_dict(), allow_nan=False)
        assert json.loads(text)["target"] == found.target
        assert "winner" not in found.to_dict()


def test_the_repr_says_what_came_out(classified):
    assert repr(classified).startswith("Study of 'state' (classification; 96 rows to learn from, 24 to judge)\n  naive")


def test_losses_choose_and_are_reported(two_classes):
    found = run_study(two_classes(), "state", folds=5, loss=LOSS)
    done = found.judgement.actions
    assert found.criterion.name == "expected loss"
    assert sum(done.counts) == 24
    assert done.refusals == ("ask",)
    assert done.constant == "ask"
    assert [str(region.action) for region in done.ranges] == ["treat", "ask", "wait"]  # by P(well)
    assert done.saving.value == pytest.approx(done.constant_loss.value - done.loss.value)
    assert found.judgement.scores[0].name == "expected loss"
    taken = np.repeat(LOSS.matrix[:, 0], done.counts)
    assert len(taken) == 24


def test_losses_in_another_order_of_states_say_the_same(two_classes, timeless):
    turned = Loss(LOSS.matrix[:, ::-1], actions=LOSS.actions, states=["ill", "well"])
    one, other = (run_study(two_classes(), "state", folds=5, loss=loss) for loss in (LOSS, turned))
    assert timeless(one).to_dict() == timeless(other).to_dict()


def test_losses_must_name_the_classes(two_classes, line):
    with pytest.raises(UnknownName, match="sick"):
        run_study(two_classes(), "state", loss=Loss.zero_one(["well", "sick"]))
    with pytest.raises(InvalidInput, match="is a number"):
        run_study(line(), "y", loss=Loss.zero_one(["a", "b"]))


def test_no_signal_is_not_called_a_success():
    rng = np.random.default_rng(0)
    noise = {"x": rng.normal(size=200).tolist(), "y": rng.normal(size=200).tolist()}
    found = run_study(noise, "y")
    assert "beats" not in found.verdict
    classes = {"x": noise["x"], "state": rng.choice(["a", "b"], 200).tolist()}
    assert "beats" not in run_study(classes, "state").verdict


def test_when_the_guess_wins_it_is_said_and_there_is_no_gain():
    rng = np.random.default_rng(1)
    found = run_study(
        {"x": rng.normal(size=60).tolist(), "y": rng.choice(["a", "b"], 60).tolist()}, "y", folds=5, seed=2
    )
    if found.chosen.baseline:
        assert "nothing was better" in found.verdict
        assert found.judgement.gain is None
        assert found.judgement.baseline == ()
    assert found.report()


class Broken:
    def fit(self, X, y):
        raise ZeroDivisionError("oh dear")


class Impossible:
    """Certain, and wrong."""

    def fit(self, X, y):
        self.states = sorted(set(y.tolist()))
        return self

    def predictive(self, X):
        from credo.beliefs import Categorical

        return Categorical(np.tile([1.0, *[0.0] * (len(self.states) - 1)], (len(X), 1)), states=self.states)


def test_a_candidate_that_fails_is_reported_and_the_others_go_on(monkeypatch, two_classes):
    extra = (Candidate("broken", Broken), Candidate("impossible", Impossible))
    monkeypatch.setitem(CANDIDATES, "classification", CANDIDATES["classification"] + extra)
    found = run_study(two_classes(), "state", folds=5)
    runs = {run.name: run for run in found.runs}
    assert runs["broken"].error == "ZeroDivisionError: oh dear"
    assert "probability zero to what was observed" in runs["impossible"].error
    assert found.best == "naive Bayes"
    assert "oh dear" in found.report()


def test_when_all_fail_it_is_said_why(monkeypatch, two_classes):
    monkeypatch.setitem(CANDIDATES, "classification", (Candidate("broken", Broken, baseline=True),))
    with pytest.raises(NumericalFailure, match="oh dear"):
        run_study(two_classes(), "state", folds=5)


def test_the_hold_out_has_no_say(monkeypatch, two_classes):
    """Shuffling the labels of the hold-out rows changes neither the choice nor anything the model has learnt."""
    import credo.study.run as run

    data = two_classes()
    dealt = None
    ordinary = run.deal

    def remembered(question, **settings):
        nonlocal dealt
        dealt = dealt or ordinary(question, **settings)
        return dealt

    monkeypatch.setattr(run, "deal", remembered)
    first = run_study(data, "state", folds=5)
    states = np.array(data["state"])
    aside = dealt.split.test
    states[aside] = np.random.default_rng(9).permutation(states[aside])
    assert (states != data["state"]).any()
    second = run_study({**data, "state": states.tolist()}, "state", folds=5)
    assert [run.folds for run in first.runs] == [run.folds for run in second.runs]
    assert first.best == second.best
    table = new_table({name: data[name] for name in ("size", "colour")})
    assert (first.winner.predict_proba(table) == second.winner.predict_proba(table)).all()
    assert first.judgement.scores != second.judgement.scores


def test_every_candidate_meets_the_same_rows_and_none_it_is_judged_on(monkeypatch, two_classes):
    met = {}
    guess = CANDIDATES["classification"][0].make

    class Witness:
        def __init__(self, name):
            self.name, self.rows, self.inner = name, None, guess()

        def fit(self, X, y):
            self.rows = set(X["size"].tolist())
            self.inner.fit(X, y)
            return self

        def predictive(self, X):
            assert not self.rows & set(X["size"].tolist())
            met.setdefault(self.name, []).append((self.rows, X["size"].tolist()))
            return self.inner.predictive(X)

    pair = (Candidate("one", lambda: Witness("one"), baseline=True), Candidate("two", lambda: Witness("two")))
    monkeypatch.setitem(CANDIDATES, "classification", pair)
    found = run_study(two_classes(), "state", folds=4)
    assert met["one"][:4] == met["two"][:4]
    assert found.best == "one"  # on equal terms the guess wins
    assert "is the same" in found.verdict
    assert len(met["one"]) == 5
    judged = set(met["one"][4][1])
    assert all(not judged & (rows | set(seen)) for rows, seen in met["two"])


def test_progress_is_told(two_classes):
    told = []
    run_study(two_classes(), "state", folds=3, plan=Plan(watch=lambda *what: told.append(what)))
    assert [done for _, done, _ in told[:15]] == list(range(15))
    assert all(whole == 15 for _, _, whole in told[:15])
    assert [what for what, *_ in told[:6]] == [
        "always the class frequencies, fold 1 of 3",
        "a single rule, fold 1 of 3",
        "naive Bayes, fold 1 of 3",
        "logistic regression, fold 1 of 3",
        "support vector machine, fold 1 of 3",
        "always the class frequencies, fold 2 of 3",
    ]
    assert told[15] == ("naive Bayes, learning from fewer rows", 0, 6)
    assert told[-1] == ("naive Bayes, once more from all rows but the hold-out", 15, 15)


@pytest.mark.parametrize(
    ("after", "note"),
    [
        (0, "no fold is finished"),
        (
            2,
            r"log score so far: always .* −0\.\d+ over 1 of 3 folds; a single rule −0\.\d+ over 1 of 3 folds",
        ),
    ],
)
def test_ctrl_c_takes_along_what_was_finished(two_classes, after, note):
    def stop(what, done, whole):
        if done == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        run_study(two_classes(), "state", folds=3, plan=Plan(watch=stop))
    (found,) = stopped.value.__notes__
    assert re.fullmatch(note, found)


@pytest.mark.parametrize(
    ("options", "named"),
    [({"folds": 1}, "folds"), ({"holdout": 0}, "holdout"), ({"holdout": 1.5}, "holdout"), ({"seed": -1}, "seed")],
)
def test_bad_settings_are_refused(options, named, two_classes):
    with pytest.raises(BadParameter, match=named):
        run_study(two_classes(), "state", **options)


def test_more_folds_than_rows_become_leave_one_out(two_classes):
    assert run_study(two_classes(n=15), "state", folds=100).method["folds"] == 12


def test_a_loss_must_be_one():
    with pytest.raises(InvalidInput, match="must be a Loss"):
        run_study({"x": [1.0]}, "x", loss=[[0, 1], [1, 0]])


def test_a_guess_that_fails_does_not_take_the_winner_with_it(monkeypatch, two_classes):
    pair = (Candidate("broken", Broken, baseline=True), CANDIDATES["classification"][2])
    monkeypatch.setitem(CANDIDATES, "classification", pair)
    found = run_study(two_classes(), "state", folds=5)
    assert found.best == "naive Bayes"
    assert found.judgement.gain is None
    assert "no candidate could be compared" in found.verdict
    assert "oh dear" in found.report()


def test_a_plan_is_a_plan(two_classes, tmp_path):
    with pytest.raises(InvalidInput, match="plan must be a Plan"):
        run_study(two_classes(), "state", plan={"jobs": 2})
    with pytest.raises(UnknownName, match="there is no candidate '5'"):
        run_study(two_classes(), "state", plan=Plan(candidates=(5,)))
    with pytest.raises(InvalidInput, match="journal must be a file"):
        run_study(two_classes(), "state", plan=Plan(journal=str(tmp_path)))
