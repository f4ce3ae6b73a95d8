from __future__ import annotations

import math
import time

import numpy as np
import pytest

from credo.errors import BadParameter, CredoWarning, NumericalFailure, Outcome
from credo.evaluation.searching import Bayes, Grid, Halving, Random, Real, Tried, Whole, maximise
from credo.evaluation.searching.driver import attempt, seek
from credo.evaluation.searching.space import Space

BRANIN = {"a": Real(-5, 10), "b": Real(0, 15)}
MIXED = {"rate": Real(1e-5, 1, log=True), "n": Whole(1, 500, log=True), "kind": ["x", "y", "z"]}
LEAST = 0.397887  # Branin's, known in closed form
LINE = {"x": Real(0, 1)}


def branin(at):
    a, b = at["a"], at["b"]
    bowl = (b - 5.1 / (4 * math.pi**2) * a**2 + 5 / math.pi * a - 6) ** 2
    return -(bowl + 10 * (1 - 1 / (8 * math.pi)) * math.cos(a) + 10)


def mixed(at):
    costs = {"x": 0.0, "y": 1.0, "z": 2.0}
    return -((math.log10(at["rate"]) + 2) ** 2) - (math.log10(at["n"]) - 1.5) ** 2 - costs[at["kind"]]


def regrets(function, space, method, best, seeds):
    return np.array([best - maximise(function, space, method=method, rng=seed).best.score for seed in seeds])


@pytest.mark.parametrize(
    ("function", "space", "best", "tries"), [(branin, BRANIN, -LEAST, 28), (mixed, MIXED, 0.0, 18)]
)
def test_a_process_finds_what_chance_does_not_in_as_many_tries(function, space, best, tries):
    ours = regrets(function, space, Bayes(tries=tries), best, range(2))
    chance = regrets(function, space, Random(tries=tries), best, range(40))
    assert (ours > -1e-5).all()
    assert ours.max() < 0.1
    assert ours.max() < np.quantile(chance, 0.05)


def test_whole_numbers_and_options_are_not_tried_twice():
    found = maximise(lambda at: -abs(at["n"] - 7), {"n": Whole(1, 9)}, method=Bayes(tries=30))
    assert sorted(held.settings["n"] for held in found.tried) == list(range(1, 10))
    assert found.best.settings == {"n": 7}
    assert found.outcome is Outcome.CONVERGED
    assert found.ended == "all 9 settings that there are were tried"
    drawn = maximise(lambda at: at["n"], {"n": Whole(1, 6000), "m": [1, 2]}, method=Random(tries=500))
    assert len({tuple(held.settings.values()) for held in drawn.tried}) == 500


def test_a_grid_is_tried_whole():
    found = maximise(lambda at: at["x"] * at["y"], {"x": [1, 2, 3], "y": [-1, 1]}, method="grid")
    assert len(found.tried) == 6
    assert found.best.settings == {"x": 3, "y": 1}
    assert found.trace.tolist() == np.maximum.accumulate([held.score for held in found.tried]).tolist()


@pytest.mark.parametrize("method", [Grid(tries=30), Random(tries=30), Bayes(tries=14, batch=3)])
def test_seed_and_nothing_else_decides_whatever_the_number_of_jobs(method):
    def settings(rng, n_jobs):
        return [held.settings for held in maximise(mixed, MIXED, method=method, rng=rng, n_jobs=n_jobs).tried]

    once = settings(0, None)
    assert once == settings(0, 3)
    assert once != settings(1, None) or isinstance(method, Grid)


@pytest.mark.parametrize("method", [Random(tries=15), Bayes(tries=15)])
def test_settings_that_fail_are_kept_with_their_reason_and_the_search_goes_on(method):
    def score(at):
        if at["x"] > 0.6:
            raise ValueError("too large")
        return math.nan if at["x"] < 0.1 else at["x"]

    found = maximise(score, LINE, method=method, rng=3)
    assert len(found.tried) == 15
    assert {held.error for held in found.failures} <= {"ValueError: too large", "the score is nan"}
    assert len(found.failures) > 0
    assert found.best.score <= 0.6
    assert "failed, the first because: " in str(found)
    assert math.isnan(found.failures[0].score)


def test_where_all_settings_fail_there_is_nothing_to_choose():
    with pytest.raises(NumericalFailure, match="all 6 settings that were tried failed, the first because: ZeroDiv"):
        maximise(lambda at: 1 / 0, LINE, method=Bayes(tries=6))


def test_scores_that_are_all_alike_stop_nothing():
    assert len(maximise(lambda at: 1.0, LINE, method=Bayes(tries=8)).tried) == 8


def test_a_score_far_below_all_others_does_not_drown_them():
    def score(at):
        return -1e12 if at["x"] > 0.8 else -((at["x"] - 0.31) ** 2)

    found = maximise(score, LINE, method=Bayes(tries=18), rng=1)
    assert found.best.settings["x"] == pytest.approx(0.31, abs=0.01)


def test_ctrl_c_keeps_the_best_so_far():
    done: list[float] = []

    def score(at):
        if len(done) == 7:
            raise KeyboardInterrupt
        done.append(at["x"])
        return at["x"]

    with pytest.warns(CredoWarning, match="ended early: stopped by hand; the best so far was kept"):
        found = maximise(score, LINE, method=Random(tries=50))
    assert found.outcome is Outcome.INTERRUPTED
    assert [held.score for held in found.tried] == done
    assert found.best.score == max(done)


def test_whoever_waits_at_a_terminal_is_told(monkeypatch, capsys):
    monkeypatch.setattr("credo.numerics.waiting.PATIENCE", 0.0)
    monkeypatch.setattr("credo.numerics.waiting.TICK", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    maximise(lambda at: at["x"], LINE, method=Grid(tries=3))
    assert "3 of 3 settings tried; best score so far: 1" in capsys.readouterr().err


def test_ctrl_c_before_anything_was_judged_is_ctrl_c():
    def score(at):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        maximise(score, LINE, method="random")


def test_when_the_time_is_up_the_best_so_far_is_kept():
    def slow(at):
        time.sleep(0.02)
        return at["x"]

    with pytest.warns(CredoWarning, match="the time of 0.05 seconds was up; the best so far was kept"):
        found = maximise(slow, LINE, method=Random(tries=1000, seconds=0.05))
    assert found.outcome is Outcome.OUT_OF_STEPS
    assert 1 <= len(found.tried) < 1000
    # A search that was through when the time was up did not end early.
    assert len(maximise(slow, LINE, method=Random(tries=1, seconds=0.001)).tried) == 1


def test_halving_gives_more_to_the_best_third_and_judges_the_last_by_all():
    asked = []

    def judge(settings, share):
        asked.extend((one["x"], share) for one in settings)
        return [Tried(one, one["x"] + (0 if share == 1 else 0.01), 0.0, share) for one in settings]

    found = seek(judge, Space.of(LINE), Halving(tries=27), rng=0)
    rounds = {share: [x for x, at in asked if at == share] for share in (1 / 9, 1 / 3, 1.0)}
    assert [len(xs) for xs in rounds.values()] == [27, 9, 3]
    assert set(rounds[1 / 3]) == set(sorted(rounds[1 / 9])[-9:])
    assert set(rounds[1.0]) == set(sorted(rounds[1 / 9])[-3:])
    assert found.best.settings["x"] == max(rounds[1 / 9])
    assert found.best.share == 1
    assert found.trace[-1] == found.best.score
    assert "share" in str(found)


def test_a_failure_does_not_go_on_to_the_next_round():
    def judge(settings, share):
        return [attempt(lambda at: at["x"] if at["x"] < 0.5 else math.nan, one) for one in settings]

    found = seek(judge, Space.of(LINE), Halving(tries=9), rng=0)
    assert found.best.settings["x"] == max(held.settings["x"] for held in found.tried if held.settings["x"] < 0.5)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("bayesian", "method must be one of .*Did you mean 'bayes'"),
        (Grid(tries=0), "tries must be at least 1"),
        (Random(seconds=-1.0), "seconds must be positive"),
        (Bayes(batch=0), "batch must be at least 1"),
        (Halving(least=0.0), "least must be a share"),
        ("halving", "no rows to take a share of"),
    ],
)
def test_impossible_methods_are_refused(method, words):
    with pytest.raises(BadParameter, match=words):
        maximise(lambda at: at["x"], LINE, method=method)
