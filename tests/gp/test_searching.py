"""The search for a kernel: planted structures are found, however many threads look, and what stops it is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, CredoWarning, InvalidInput, NumericalFailure, Outcome
from credo.gp import Process, Search, search, searching
from credo.gp.budget import Budget, Watched
from credo.gp.grammar import BASES, Grammar, structure
from credo.gp.solvers import Exact
from credo.gp.starts import scales_of
from credo.kernels import SE, Constant, Linear, Noise, Periodic, Sum
from credo.storage import load, save
from credo.tables import Table

X = np.sort(np.random.default_rng(0).uniform(0, 10, 60))[:, None]
NEWS = ("SE", "Periodic", "Linear")


def drawn(kernel, seed: int = 1, noise: float = 0.1):
    """A function of this kernel, seen with noise."""
    rng = np.random.default_rng(seed)
    return np.linalg.cholesky(kernel(X) + 1e-8 * np.eye(60)) @ rng.normal(size=60) + noise * rng.normal(size=60)


@pytest.mark.parametrize("score", ["laplace", "bic"])
def test_a_trend_and_a_season(score):
    truth = 2.0 * SE(3.0) + 1.0 * Periodic(1.0, 1.3)
    y = drawn(truth)
    found = search(X, y, bases=NEWS, steps=2, score=score)
    assert found.best.structure == "Periodic + SE + Noise"
    said = "smooth changes over about 3.2 weeks, plus a season of about 1.3 weeks, plus noise"
    assert found.describe("weeks") == said
    planted = Process(truth).given(X, y - y.mean(), noise=0.1)
    assert found.best.log_evidence > planted.log_evidence - 1e-6


def test_a_season_whose_shape_changes():
    found = search(X, drawn(2.0 * SE(4.0) * Periodic(0.8, 1.0)), bases=NEWS, steps=2)
    assert found.best.structure == "Periodic * SE + Noise"
    assert found.describe("years").startswith("a yearly season that changes shape over about")


def test_a_line_and_nothing_else():
    found = search(X, 3 * X[:, 0] - 2 + np.random.default_rng(0).normal(0, 0.5, 60), steps=2)
    assert found.best.structure == "Linear + Noise"
    assert found.outcome is Outcome.CONVERGED
    assert found.description == "a rising straight line, plus noise"
    assert found.model.noise_ * found.model.scaling_.target_scale == pytest.approx(0.5, rel=0.2)


def test_noise_and_nothing_else():
    found = search(X, np.random.default_rng(5).normal(size=60), bases=NEWS)
    assert (found.best.structure, found.description) == ("Noise", "noise")


def test_each_column_is_asked_what_it_does():
    rng = np.random.default_rng(0)
    rows = rng.uniform(0, 10, (30, 3))
    y = 4 * np.sin(rows[:, 1] / 2) - rows[:, 2] + 0.1 * rng.normal(size=30)
    table = Table({"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "y": y})
    found = search(table, "y", bases=["SE", "Linear"], steps=3)
    assert found.best.structure == "Linear[2] + SE[1] + Noise"
    assert "a falling straight line of c" in found.description
    assert " of b" in found.description
    assert found.model.score(table.drop("y"), y) > 0.99


def test_the_answer_does_not_depend_on_the_number_of_jobs():
    y = drawn(2.0 * SE(3.0) + 1.0 * Periodic(1.0, 1.3))
    one, two = (search(X[:30], y[:30], bases=["SE", "Linear"], steps=2, n_jobs=jobs) for jobs in (1, 2))
    assert str(one) == str(two)
    # (threads have their memory elsewhere, and sums are rounded by where it lies)
    pairs = [(a.log_evidence, b.log_evidence) for a, b in zip(one.ladder, two.ladder, strict=True)]
    np.testing.assert_allclose(*zip(*pairs, strict=True), rtol=1e-9)
    np.testing.assert_allclose(one.kernel.theta, two.kernel.theta, rtol=1e-5)


def test_units_change_nothing_but_units():
    y = 3 * X[:, 0] - 2 + np.random.default_rng(0).normal(0, 0.5, 60)
    small = search(X, y, bases=["Linear"], steps=1)
    large = search(1000 * X + 1e5, 1e6 * y, bases=["Linear"], steps=1)
    assert large.best.structure == small.best.structure
    assert large.best.score == pytest.approx(small.best.score - 60 * np.log(1e6), rel=1e-6)


def test_the_ladder_and_what_is_printed():
    found = search(X, 3 * X[:, 0] - 2 + np.random.default_rng(0).normal(0, 0.5, 60), bases=NEWS, steps=1)
    assert found.outcome is Outcome.OUT_OF_STEPS
    assert [held.step for held in found.ladder] == [0, 1, 1, 1]
    assert found.climbed == (found.ladder[0], found.ladder[1])
    assert found.best is found.ladder[1]
    lines = str(found).splitlines()
    assert lines[0].split() == ["step", "kernel", "log", "evidence", "learnt", "score"]
    assert lines[2].split()[:4] == ["1", "Linear", "+", "Noise"]
    assert [line.endswith("*") for line in lines[1:5]] == [True, True, False, False]
    assert lines[-1] == found.description
    assert found.best.log_evidence == pytest.approx(found.model.log_evidence_)
    assert found.process is found.model.process_
    assert found.kernel is found.model.kernel_


def test_what_was_found_can_be_kept(tmp_path):
    y = X[:, 0] + np.random.default_rng(0).normal(0, 0.5, 60)
    found = search(X, y, bases=["Linear"], steps=1)
    save(found, tmp_path / "found.credo")
    again = load(tmp_path / "found.credo")
    assert isinstance(again, Search)
    assert str(again) == str(found)
    np.testing.assert_array_equal(again.model.predict(X), found.model.predict(X))


def test_a_hyperparameter_at_its_bound_is_told():
    with pytest.warns(CredoWarning, match="the data look free of noise"):
        found = search(X, X[:, 0], bases=["Linear"], steps=1)
    assert any("Noise.sd" in remark for remark in found.best.remarks)


def test_the_model_can_go_on_learning():
    y = X[:, 0] + np.random.default_rng(0).normal(0, 0.5, 60)
    found = search(X, y, bases=["Linear"], steps=1)
    before = found.model.log_evidence_
    assert found.model.kernel.free == found.kernel.free == found.best.kernel.free
    assert found.model.fit(X, y).log_evidence_ == pytest.approx(before, abs=1e-4)


# -------------------------------------------------------------------- how it ends early


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_the_best_so_far(monkeypatch, jobs):
    learn, calls = searching.learn, []

    def stopped(*args, **options):
        calls.append(None)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return learn(*args, **options)

    monkeypatch.setattr(searching, "learn", stopped)
    with pytest.warns(CredoWarning, match="ended early: stopped by hand; the best kernel so far was kept"):
        found = search(X, X[:, 0] + np.sin(5 * X[:, 0]), bases=["Linear", "SE"], n_jobs=jobs)
    assert found.outcome is Outcome.INTERRUPTED
    assert found.best.step == 1
    assert "stopped by hand" in str(found)


def test_before_anything_was_learnt_ctrl_c_is_ctrl_c(monkeypatch):
    def stopped(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(searching, "learn", stopped)
    with pytest.raises(KeyboardInterrupt):
        search(X, X[:, 0])


def test_the_end_of_the_time_keeps_the_best_so_far():
    with pytest.warns(CredoWarning, match="the time of 1e-09 seconds was up; the best so far was kept"):
        found = search(X, X[:, 0], seconds=1e-9)
    assert found.best.structure == "Noise"
    assert found.outcome is Outcome.OUT_OF_STEPS


def test_a_start_that_cannot_be_learnt_is_passed_over(monkeypatch):
    learn = searching.learn

    def moody(kernel, *args, **options):
        if "SE" in structure(kernel):
            raise NumericalFailure("no covariance")
        return learn(kernel, *args, **options)

    monkeypatch.setattr(searching, "learn", moody)
    found = search(X, X[:, 0] + np.sin(9 * X[:, 0]), bases=["SE", "Linear"], steps=1)
    assert [held.structure for held in found.ladder] == ["Noise", "Linear + Noise"]


def test_a_watched_solver_stops_when_the_budget_does():
    budget = Budget()
    solver = Watched(Exact(), budget)
    given = (SE(1.0), X[:5], np.full(5, 0.1), X[:5, 0])
    assert solver.slopes(*given)[0].total == Exact().slopes(*given)[0].total
    assert solver.refusal(*given[:3]) is None
    assert solver.factor(*given[:3]).log_det == Exact().factor(*given[:3]).log_det
    budget.stop()
    with pytest.raises(KeyboardInterrupt):
        solver.slopes(*given)


def test_progress_is_for_terminals(monkeypatch, capsys):
    budget = Budget()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    budget.tell("too early")
    budget.begun = budget.shown = budget.begun - 10
    budget.tell("step 1")
    budget.close()
    shown = capsys.readouterr().err
    assert "step 1" in shown
    assert "too early" not in shown


# -------------------------------------------------------------------- the grammar


def size(name: str) -> int:
    """How many base kernels there are beside the noise."""
    return len(name.replace("*", "+").split("+")) - 1


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(sorted(BASES)), min_size=1, max_size=3, unique=True), st.integers(0, 99))
def test_a_step_is_one_base_kernel(bases, seed):
    rng = np.random.default_rng(seed)
    rows, y = rng.normal(size=(12, 2)), rng.normal(size=12)
    grammar = Grammar(tuple(bases), rows, y, scales_of(rows, y))
    kernel = grammar.first()
    for _ in range(3):
        options, before = grammar.next(kernel), size(structure(kernel))
        for name, starts in options.items():
            assert size(name) in (before, before + 1)  # put in the place of another, or one more
            assert all(structure(start) == name for start in starts)
            assert all(np.isfinite(start(rows)).all() for start in starts)
        kernel = options[sorted(options)[seed % len(options)]][0]


def test_what_was_learnt_is_where_the_next_start():
    grammar = Grammar(("SE", "Linear"), X, X[:, 0], scales_of(X, X[:, 0]))
    learnt = Sum([0.7 * SE(0.123), Noise(0.5)])
    options = grammar.next(learnt)
    assert set(options) == {
        "SE + SE + Noise", "Linear + SE + Noise", "Linear * SE + Noise", "Linear + Noise",
    }  # fmt: skip
    assert options["Linear * SE + Noise"][0].parameters["SE.length"] == 0.123
    assert options["Linear + SE + Noise"][0].parameters["Constant1.variance"] == 0.7
    assert not any(isinstance(part, Constant) for part in options["Linear + Noise"][0].parts)


def test_a_line_is_not_added_twice_nor_a_kind_multiplied_by_itself():
    grammar = Grammar(("Linear", "Periodic"), X, X[:, 0], scales_of(X, X[:, 0]))
    options = grammar.next(Sum([1.0 * Linear().fixed(), Noise(1.0)]))
    assert set(options) == {
        "Linear * Linear + Noise", "Linear + Periodic + Noise", "Linear * Periodic + Noise", "Periodic + Noise",
    }  # fmt: skip
    season = grammar.next(Sum([1.0 * Periodic(1.0, 1.0), Noise(1.0)]))
    assert "Periodic * Periodic + Noise" not in season


@pytest.mark.parametrize(
    ("given", "options", "error", "words"),
    [
        ((X, X[:, 0]), {"bases": "SE"}, BadParameter, "list of base kernels"),
        ((X, X[:, 0]), {"bases": []}, BadParameter, "list of base kernels"),
        ((X, X[:, 0]), {"bases": ["SEE"]}, BadParameter, "Did you mean 'SE'"),
        ((X, X[:, 0]), {"bases": ["SE", "SE"]}, InvalidInput, "SE"),
        ((X, X[:, 0]), {"score": "aic"}, BadParameter, "score"),
        ((X, X[:, 0]), {"steps": 0}, BadParameter, "steps"),
        ((X, X[:, 0]), {"seconds": 0}, BadParameter, "seconds"),
        ((X, np.ones(60)), {}, InvalidInput, "not all alike"),
        ((X[:3], X[:3, 0]), {}, InvalidInput, "at least 4 rows"),
        ((X, X[:5, 0]), {}, InvalidInput, "60, 5"),
    ],
)
def test_what_cannot_be_searched_is_refused(given, options, error, words):
    with pytest.raises(error, match=words):
        search(*given, **options)
