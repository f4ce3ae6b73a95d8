"""The search for a kernel: planted structures are found, however many threads look, and what stops it is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.beliefs import LogNormal
from credo.errors import (
    BadParameter,
    BadShape,
    CredoWarning,
    FormatError,
    InvalidInput,
    NumericalFailure,
    Outcome,
)
from credo.gp import GaussianProcessRegressor, Process, Search, search, searching
from credo.gp.grammar import BASES, Grammar, structure
from credo.gp.solvers import Exact
from credo.gp.starts import scales_of
from credo.gp.watching import Watched
from credo.kernels import SE, Constant, Linear, Noise, Periodic, Sum
from credo.numerics import Budget
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


# -------------------------------------------------------------------- what is known


def test_known_noise_is_not_learnt():
    rng = np.random.default_rng(0)
    sd = np.where(np.arange(60) % 2 == 0, 0.05, 2.0)
    y = 300 + 10 * (3 * np.sin(X[:, 0]) + sd * rng.normal(size=60))
    found = search(X, y, noise=10 * sd, bases=["SE", "Linear"], steps=2)
    assert found.best.structure == "SE + Noise"
    assert "Noise.sd" not in found.kernel.free
    np.testing.assert_allclose(found.model.noise_ * found.model.scaling_.target_scale, 10 * sd)
    assert found.description == "smooth changes over about 2.5, plus noise"
    direct = Process(found.own_kernel).given(X, y - y.mean(), noise=10 * sd)
    assert direct.log_evidence == pytest.approx(found.best.log_evidence, abs=1e-6)
    blind = search(X, y, bases=["SE", "Linear"], steps=2)
    assert found.best.log_evidence > blind.best.log_evidence + 10
    assert found.model.predictive(X, noise=False).sd[0] < blind.model.predictive(X, noise=False).sd[0]


def test_one_number_is_the_noise_of_all_rows():
    y = 3 * X[:, 0] + np.random.default_rng(0).normal(0, 0.5, 60)
    one, each = (search(X, y, noise=noise, bases=["Linear"], steps=1) for noise in (0.5, np.full(60, 0.5)))
    assert one.best.log_evidence == pytest.approx(each.best.log_evidence, abs=1e-9)
    assert one.model.noise_ * one.model.scaling_.target_scale == pytest.approx(0.5)


def test_a_search_begins_with_what_is_known():
    y = 100 + 5 * drawn(2.0 * SE(4.0) * Periodic(0.8, 1.0))
    known = (25.0 * SE(4.0) * Periodic(0.8, 1.0)).fixed("period").with_priors({"SE.length": LogNormal(np.log(4), 0.01)})
    found = search(X, y, kernel=known, bases=["Linear"], steps=1)
    assert found.ladder[0].structure == "Periodic * SE + Noise"
    held = {name: entry for name, entry in found.own_kernel.hyperparameters.items() if name.startswith("Periodic")}
    assert held["Periodic.period"].fixed
    assert held["Periodic.period"].value == pytest.approx(1.0)
    assert found.own_kernel.parameters["SE.length"] == pytest.approx(4.0, rel=0.05)  # by its prior
    text = search(X, y, kernel=str(known), bases=["Linear"], steps=1)
    assert text.best.log_evidence == pytest.approx(found.best.log_evidence)


def test_noise_that_is_fixed_in_the_kernel_stays():
    y = 3 * X[:, 0] + np.random.default_rng(0).normal(0, 0.5, 60)
    found = search(X, y, kernel=1.0 * SE(3.0) + Noise(0.7).fixed(), bases=["SE", "Linear"], steps=2)
    assert found.own_kernel.parameters["Noise.sd"] == pytest.approx(0.7)
    assert found.own_kernel.hyperparameters["Noise.sd"].fixed
    assert found.best.step > 0


def test_the_kernel_can_be_passed_on_in_the_units_of_the_data():
    y = 1000 + 50 * drawn(2.0 * SE(3.0) + 1.0 * Periodic(1.0, 1.3))
    x = 1900 + 20 * X
    found = search(x, y, bases=NEWS, steps=2)
    again = GaussianProcessRegressor(found.own_kernel.fixed()).fit(x, y)
    assert again.log_evidence_ == pytest.approx(found.best.log_evidence, abs=1e-6)
    assert found.own_kernel.parameters["Periodic.period"] == pytest.approx(26, rel=0.01)
    np.testing.assert_allclose(again.predict(x[:5] + 3), found.model.predict(x[:5] + 3), rtol=1e-8)


def test_a_line_is_passed_on_where_columns_are_counted_from_their_mean():
    rng = np.random.default_rng(0)
    rows = rng.uniform(0, 10, (30, 2)) * [1, 100] + [0, 5000]
    y = 4 * np.sin(rows[:, 0]) - rows[:, 1] / 100 + 0.1 * rng.normal(size=30)
    found = search(rows, y, bases=["SE", "Linear"], steps=2)
    assert found.best.structure == "Linear[1] + SE[0] + Noise"
    again = GaussianProcessRegressor(found.own_kernel.fixed()).fit(rows - found.model.scaling_.centre, y)
    assert again.log_evidence_ == pytest.approx(found.best.log_evidence, abs=1e-6)


def test_many_rows_are_glanced_at_by_some_of_them():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 10, 400))[:, None]
    y = 3 * np.sin(x[:, 0]) + x[:, 0] + rng.normal(0, 0.3, 400)
    found = search(x, y, bases=["SE", "Linear", "Matern32", "Matern52"], steps=2)
    assert max(sum(held.step == step for held in found.ladder) for step in (1, 2)) <= searching.FINALISTS
    assert found.model.noise_ * found.model.scaling_.target_scale == pytest.approx(0.3, rel=0.15)


# -------------------------------------------------------------------- how it ends early


def stopping(monkeypatch, place, name: str, after: int) -> None:
    """Ctrl-C at some call of what the search is made of."""
    work, calls = getattr(place, name), []

    def stopped(*args, **options):
        calls.append(None)
        if len(calls) > after:
            raise KeyboardInterrupt
        return work(*args, **options)

    monkeypatch.setattr(place, name, stopped)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("place", "name", "after", "steps"),
    [(searching, "uphill", 3, 0), (searching, "uphill", 5, 1), (Grammar, "next", 1, 1), (searching, "at_bounds", 0, 1)],
    ids=["while glancing", "while learning", "in between", "at the very end"],
)
def test_ctrl_c_keeps_the_best_so_far(monkeypatch, jobs, place, name, after, steps):
    stopping(monkeypatch, place, name, after)
    with pytest.warns(CredoWarning, match="ended early: stopped by hand; the best kernel so far was kept"):
        found = search(X, X[:, 0] + np.sin(5 * X[:, 0]), bases=["Linear", "SE"], steps=2, n_jobs=jobs)
    assert found.outcome is Outcome.INTERRUPTED
    # (of two kernels that are learnt at a time, neither need be ready)
    assert found.best.step == steps or (jobs == 2 and name == "uphill" and found.best.step == 0)
    assert "stopped by hand" in str(found)


def test_before_anything_was_learnt_ctrl_c_is_ctrl_c(monkeypatch):
    stopping(monkeypatch, searching, "uphill", 0)
    with pytest.raises(KeyboardInterrupt):
        search(X, X[:, 0])


def test_the_end_of_the_time_keeps_the_best_so_far():
    with pytest.warns(CredoWarning, match="the time of 1e-09 seconds was up; the best so far was kept"):
        found = search(X, X[:, 0], seconds=1e-9)
    assert found.best.structure == "Noise"
    assert found.outcome is Outcome.OUT_OF_STEPS


def test_a_start_that_cannot_be_learnt_is_passed_over(monkeypatch):
    uphill = searching.uphill

    def moody(kernel, *args, **options):
        if "SE" in structure(kernel):
            raise NumericalFailure("no covariance")
        return uphill(kernel, *args, **options)

    monkeypatch.setattr(searching, "uphill", moody)
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


# -------------------------------------------------------------------- the grammar


def size(name: str) -> int:
    """How many base kernels there are beside the noise."""
    return len(name.replace("*", "+").split("+")) - 1


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(sorted(BASES)), min_size=1, max_size=3, unique=True), st.integers(0, 99))
def test_a_step_is_one_base_kernel(bases, seed):
    rng = np.random.default_rng(seed)
    rows, y = rng.normal(size=(12, 2)), rng.normal(size=12)
    grammar = Grammar(tuple(bases), rows, y, np.zeros(12), scales_of(rows, y))
    kernel = Noise(1.0)
    for _ in range(3):
        options, before = grammar.next(kernel), size(structure(kernel))
        for name, starts in options.items():
            assert size(name) in (before, before + 1)  # put in the place of another, or one more
            assert all(structure(start) == name for start in starts)
            assert all(np.isfinite(start(rows)).all() for start in starts)
        kernel = options[sorted(options)[seed % len(options)]][0]


def test_what_was_learnt_is_where_the_next_start():
    grammar = Grammar(("SE", "Linear"), X, X[:, 0], np.zeros(60), scales_of(X, X[:, 0]))
    learnt = Sum([0.7 * SE(0.123), Noise(0.5)])
    options = grammar.next(learnt)
    assert set(options) == {
        "SE + SE + Noise", "Linear + SE + Noise", "Linear * SE + Noise", "Linear + Noise",
    }  # fmt: skip
    assert options["Linear * SE + Noise"][0].parameters["SE.length"] == 0.123
    assert options["Linear + SE + Noise"][0].parameters["Constant1.variance"] == 0.7
    assert not any(isinstance(part, Constant) for part in options["Linear + Noise"][0].parts)


def test_a_line_is_not_added_twice_nor_a_kind_multiplied_by_itself():
    grammar = Grammar(("Linear", "Periodic"), X, X[:, 0], np.zeros(60), scales_of(X, X[:, 0]))
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
        ((X, X[:, 0]), {"noise": 0.0}, InvalidInput, "noise"),
        ((X, X[:, 0]), {"noise": [1.0, 2.0]}, BadShape, "one for each of 60 rows"),
        ((X, X[:, 0]), {"kernel": 3}, BadParameter, "kernel must be a kernel"),
        ((X, X[:, 0]), {"kernel": "SEE(1)"}, FormatError, "SEE"),
        ((X, X[:, 0]), {"kernel": "SE(1) * (SE(2) + Linear(1))"}, InvalidInput, "factor of a sum"),
        ((np.hstack([X, X]), X[:, 0]), {"kernel": "SE(1)"}, InvalidInput, "by .on"),
    ],
)
def test_what_cannot_be_searched_is_refused(given, options, error, words):
    with pytest.raises(error, match=words):
        search(*given, **options)
