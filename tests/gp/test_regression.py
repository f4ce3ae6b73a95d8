"""The regressor: published optima, units, noise of every kind, odd data, what it says, and its contract."""

from __future__ import annotations

import signal
import threading
import time
import warnings

import numpy as np
import pytest
from tests.gp import published

from credo import native
from credo.beliefs import LogNormal, MultivariateNormal
from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NotFitted, NumericalFailure, Outcome
from credo.gp import ConstantMean, Exact, GaussianProcessRegressor, LinearMean, Process, Toeplitz, ZeroMean
from credo.gp.solvers import ToeplitzFactor
from credo.kernels import SE, Linear, Matern32, Noise
from credo.storage import load, save
from credo.tables import Table
from credo.testing import check_estimator

SINE = np.linspace(0, 10, 40)[:, None]


def sine(noise: float = 0.1, seed: int = 0):
    return SINE, np.sin(SINE[:, 0]) + np.random.default_rng(seed).normal(0, noise, 40)


def quiet(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)
        return model.fit(X, y)


def test_the_published_optimum_is_found():
    model = quiet(GaussianProcessRegressor(1.0 * SE(1.0), mean=ZeroMean()), published.X, published.Y)
    assert model.log_evidence_ == pytest.approx(published.BEST_EVIDENCE, abs=1e-6)
    found = model.kernel_.parameters
    assert found["SE.length"] == pytest.approx(published.BEST_LENGTH, rel=1e-3)
    assert np.sqrt(found["Constant.variance"]) == pytest.approx(published.BEST_SD, rel=1e-3)
    assert model.noise_ == pytest.approx(published.BEST_NOISE, rel=1e-3)
    assert model.outcome_ is Outcome.CONVERGED
    assert max(model.ends_) == model.ends_[0] == pytest.approx(model.log_evidence_)


def test_it_answers_as_its_process_does():
    X, y = sine()
    model = GaussianProcessRegressor().fit(X, y)
    process = Process(model.process_.kernel, mean=ConstantMean(y.mean())).given(X, y, noise=model.noise_)
    Z = np.array([[0.3], [20.0]])
    np.testing.assert_allclose(model.predict(Z), process.predictive(Z).mean, rtol=1e-10)
    np.testing.assert_allclose(model.predictive(Z, noise=False).sd, process.predictive(Z).sd, rtol=1e-10)
    np.testing.assert_allclose(model.predictive(Z, noise=0.5).var, process.predictive(Z).var + 0.25, rtol=1e-10)
    mean, sd = model.predict(Z, return_std=True)
    np.testing.assert_allclose(sd**2, process.predictive(Z).var + model.noise_**2, rtol=1e-10)
    full = model.predictive(Z, noise=False, full=True)
    assert isinstance(full, MultivariateNormal)
    np.testing.assert_allclose(full.var, process.predictive(Z).var, rtol=1e-9)
    np.testing.assert_array_equal(mean, model.predict(Z))
    np.testing.assert_allclose(model.leave_one_out().mean, process.leave_one_out().mean, rtol=1e-10)
    np.testing.assert_allclose(model.sample(Z, 4, 3), process.sample(Z, 4, 3), rtol=1e-8)
    assert model.log_evidence_ == pytest.approx(process.log_evidence)
    assert str(model.process_.kernel).startswith(str(model.kernel_).split(" * ")[0].lstrip("("))


def test_a_newcomer_gets_a_good_fit():
    X, y = sine()
    model = GaussianProcessRegressor().fit(X, y)
    assert np.abs(model.predict(X) - np.sin(X[:, 0])).max() < 0.15
    assert 0.05 < model.noise_ < 0.15
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.uniform(0, 1000, 80), rng.uniform(0, 1e-3, 80), rng.normal(size=80)])
    truth = np.sin(X[:, 0] / 200) + 1000 * X[:, 1]
    model = GaussianProcessRegressor().fit(X, 1e6 * (truth + 0.05 * rng.normal(size=80)))
    lengths = [model.kernel_.parameters[f"Matern52.length[{j}]"] / X[:, j].std() for j in range(3)]
    assert lengths[2] > 3 * max(lengths[:2])  # the third column does not matter
    assert model.score(X, 1e6 * truth) > 0.98


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_change_nothing_but_units(scale):
    X, y = sine()
    plain, other = (GaussianProcessRegressor().fit(X * a, y * a) for a in (1.0, scale))
    np.testing.assert_allclose(other.predict(X * scale) / scale, plain.predict(X), rtol=1e-4, atol=1e-5)
    assert other.log_evidence_ == pytest.approx(plain.log_evidence_ - 40 * np.log(scale), rel=1e-5)


def test_standardising_is_done_and_undone():
    X, y = sine()
    X, y = 1000 + 50 * X, 7 + 300 * y
    kernel = 1.0 * SE(1.0)
    model = GaussianProcessRegressor(kernel, standardise=True).fit(X, y)
    by_hand = GaussianProcessRegressor(kernel).fit((X - X.mean()) / X.std(), (y - y.mean()) / y.std())
    np.testing.assert_allclose(model.predict(X), by_hand.predict((X - X.mean()) / X.std()) * y.std() + y.mean())
    np.testing.assert_allclose(model.predictive(X, noise=15.0).sd ** 2 - 225, model.predictive(X, noise=False).var)
    assert model.log_evidence_ == pytest.approx(by_hand.log_evidence_ - 40 * np.log(y.std()))
    assert model.scaling_.target_scale == pytest.approx(y.std())
    steep = model.slope(X[5:7], step=5.0)
    rises = (model.predict(X[5:7] + 5.0) - model.predict(X[5:7] - 5.0)) / 10.0
    np.testing.assert_allclose(steep.mean, rises, rtol=1e-7)
    unit = by_hand.slope((X[5:7] - X.mean()) / X.std(), step=5.0 / X.std())
    np.testing.assert_allclose(steep.sd, unit.sd * y.std() / X.std(), rtol=1e-6)
    belief = model.predictive(X[:3], full=True)
    np.testing.assert_allclose(belief.sd, model.predictive(X[:3]).sd)
    assert model.sample(X, 2, 0).mean() == pytest.approx(y.mean(), abs=200)
    assert model.decompose(X)[0].belief.mean == pytest.approx(model.predict(X) - y.mean(), abs=1e-6)


def test_noise_that_is_known():
    X, y = sine()
    one = GaussianProcessRegressor(1.0 * SE(1.0), noise=0.1).fit(X, y)
    each = GaussianProcessRegressor(1.0 * SE(1.0), noise=np.full(40, 0.1)).fit(X, y)
    assert one.noise_ == 0.1
    np.testing.assert_allclose(one.predict(X), each.predict(X), rtol=1e-8)
    assert "Noise" not in str(one.kernel_)
    with pytest.raises(InvalidInput, match=r"that of new rows is not known\. Give noise="):
        each.predictive(X)
    np.testing.assert_allclose(
        each.predictive(X[:2], noise=[0.1, 0.3]).var - each.predictive(X[:2], noise=False).var, [0.01, 0.09]
    )
    both = GaussianProcessRegressor(1.0 * SE(1.0) + Noise(0.05).fixed(), noise=0.1).fit(X, y)
    assert both.noise_ == pytest.approx(np.hypot(0.05, 0.1))


def test_what_is_fixed_bounded_or_believed_is_kept():
    X, y = sine()
    kernel = (1.0 * SE(1.0) + Noise(0.2)).fixed("sd").bounded({"length": (0.5, 1.2)})
    with pytest.warns(CredoWarning, match="SE.length sits at the greatest value it may have, 1.2"):
        model = GaussianProcessRegressor(kernel).fit(X, y)
    assert model.noise_ == 0.2
    assert model.kernel_.parameters["SE.length"] == pytest.approx(1.2)
    believed = (1.0 * SE(1.0)).with_priors({"length": LogNormal(np.log(0.5), 0.01)})
    assert GaussianProcessRegressor(believed).fit(X, y).kernel_.parameters["SE.length"] == pytest.approx(0.5, rel=0.05)
    nothing = GaussianProcessRegressor((1.0 * SE(2.0) + Noise(0.1)).fixed()).fit(X, y)
    assert nothing.kernel_.parameters["SE.length"] == 2.0
    assert nothing.ends_ == pytest.approx((nothing.log_evidence_,))


def test_parts_are_told_apart():
    X = np.linspace(0, 4, 60)[:, None]
    y = 3 * X[:, 0] + np.sin(2 * np.pi * X[:, 0]) + np.random.default_rng(0).normal(0, 0.05, 60)
    kernel = "1.0 * Linear() + 1.0 * Periodic(1, 1).fixed('period')"
    model = quiet(GaussianProcessRegressor(kernel, mean=LinearMean([0.0])), X, y)
    trend, season = model.decompose(X)
    assert trend.name.startswith("1") or "Linear" in trend.name
    assert np.corrcoef(season.belief.mean, np.sin(2 * np.pi * X[:, 0]))[0, 1] > 0.99
    np.testing.assert_allclose(trend.belief.mean + season.belief.mean, model.predict(X), atol=1e-6)


def test_uncertain_means_are_no_part_of_the_kernel():
    X, y = sine()
    model = GaussianProcessRegressor(1.0 * SE(1.0), mean=ConstantMean(0.0, sd=10.0)).fit(X, y + 5)
    assert "Constant2" not in model.kernel_.parameters
    np.testing.assert_allclose(model.predict(X), np.sin(X[:, 0]) + 5, atol=0.2)
    assert model.process_.mean == ConstantMean(0.0, sd=10.0)


def test_odd_data():
    X, _ = sine()
    constant = quiet(GaussianProcessRegressor(), X, np.full(40, 5.0))
    np.testing.assert_allclose(constant.predict([[3.3], [99.0]]), 5.0)
    exact = quiet(GaussianProcessRegressor(), X, np.sin(X[:, 0]))
    np.testing.assert_allclose(exact.predict([[3.3]]), np.sin(3.3), atol=1e-3)
    alone = GaussianProcessRegressor().fit([[1.0]], [2.0])
    np.testing.assert_allclose(alone.predict([[1.0], [9.0]]), 2.0)
    twice = GaussianProcessRegressor().fit(np.vstack([X, X]), np.append(sine(seed=1)[1], sine(seed=2)[1]))
    assert 0.05 < twice.noise_ < 0.15
    still = GaussianProcessRegressor().fit(np.hstack([X, np.ones_like(X)]), sine()[1])
    assert np.isfinite(still.predict([[1.0, 2.0]])).all()


def test_jitter_and_refusals_are_said():
    X = np.repeat(SINE[:20], 2, axis=0)
    y = np.sin(X[:, 0])
    with pytest.warns(CredoWarning, match="was added to the variance of each row"):
        GaussianProcessRegressor(SE(1.0).fixed(), noise=0.0).fit(X, y)
    with pytest.raises(NumericalFailure, match="duplicates, is the noise too small"):
        GaussianProcessRegressor((0.0 * SE(1.0)).fixed(), noise=0.0).fit(X, y)


def test_starts_that_disagree_are_said():
    rng = np.random.default_rng(4)
    x = rng.uniform(-5, 5, 9)[:, None]  # few rows: a wave, or nothing but noise?
    y = np.sin(1.5 * x[:, 0]) + 0.3 * rng.normal(size=9)
    with pytest.warns(CredoWarning) as said:
        model = GaussianProcessRegressor(1.0 * SE(1.0), starts=6).fit(x, y)
    assert any("the starts disagree" in str(warning.message) for warning in said)
    assert model.ends_[0] - model.ends_[-1] == pytest.approx(0.59, abs=0.01)


def test_stopping_by_hand_keeps_the_best(monkeypatch):
    calls = 0
    slopes = Exact.slopes

    def interrupted(self, *given):
        nonlocal calls
        calls += 1
        if calls == 6:
            raise KeyboardInterrupt
        return slopes(self, *given)

    monkeypatch.setattr(Exact, "slopes", interrupted)
    with pytest.warns(CredoWarning, match="stopped by hand"):
        model = GaussianProcessRegressor().fit(*sine())
    assert model.outcome_ is Outcome.INTERRUPTED
    assert len(model.ends_) == 1
    assert np.isfinite(model.predict(SINE)).all()


def test_of_many_rows_a_few_say_which_starts_to_follow(monkeypatch):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("credo.gp.learning.FEW", 15)
        few = quiet(GaussianProcessRegressor(starts=3), *sine())
    whole = GaussianProcessRegressor(starts=3).fit(*sine())
    assert few.log_evidence_ == pytest.approx(whole.log_evidence_, rel=1e-5)
    assert few.kernel_.theta == pytest.approx(whole.kernel_.theta, abs=1e-2)
    assert len(few.ends_) == 3
    assert max(few.ends_) < 0 < max(whole.ends_)  # those of 15 rows beside those of 40


@pytest.fixture
def _threads():
    before = native.threads()
    yield
    native.set_threads(before)


SPREAD = np.linspace(0, 30, 120)[:, None]
WAVES = np.sin(SPREAD[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 120)


@pytest.mark.usefixtures("_threads")
def test_starts_find_the_same_on_any_number_of_threads():
    found = []
    for threads in (1, 2, 4):
        native.set_threads(threads)
        found.append(quiet(GaussianProcessRegressor("1.0 * SE(1.0)", starts=4), SPREAD, WAVES))
    assert found[0].ends_ == found[1].ends_ == found[2].ends_
    assert found[0].kernel_ == found[1].kernel_ == found[2].kernel_


@pytest.mark.usefixtures("_threads")
def test_ctrl_c_stops_the_starts_of_all_threads(monkeypatch):
    slopes, calls = Exact.slopes, []

    def counted(self, *given):
        calls.append(threading.current_thread())
        if len(calls) == 12:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.01)
        return slopes(self, *given)

    monkeypatch.setattr(Exact, "slopes", counted)
    native.set_threads(2)
    with pytest.warns(CredoWarning, match="stopped by hand"):
        model = GaussianProcessRegressor("1.0 * SE(1.0)", starts=4).fit(SPREAD, WAVES)
    assert len(set(calls)) == 2
    assert threading.main_thread() not in calls
    assert model.outcome_ is Outcome.INTERRUPTED
    assert len(model.ends_) in (2, 3)  # those that had begun
    assert np.isfinite(model.predict(SPREAD)).all()


def test_ctrl_c_among_all_rows_keeps_what_a_few_have_found(monkeypatch):
    monkeypatch.setattr("credo.gp.learning.FEW", 15)
    slopes, found = Exact.slopes, []

    def interrupted(self, kernel, X, noise, residual):
        if len(X) == 40:
            raise KeyboardInterrupt
        found.append(kernel)
        return slopes(self, kernel, X, noise, residual)

    monkeypatch.setattr(Exact, "slopes", interrupted)
    with pytest.warns(CredoWarning, match="stopped by hand"):
        model = GaussianProcessRegressor(starts=3).fit(*sine())
    assert model.outcome_ is Outcome.INTERRUPTED
    assert any(model.kernel_.theta == pytest.approx(kernel.theta) for kernel in found)
    assert len(model.ends_) == 3
    monkeypatch.setattr("credo.gp.learning.FEW", 256)
    with pytest.raises(KeyboardInterrupt):  # before the first number there is nothing to keep
        GaussianProcessRegressor().fit(*sine())


def test_hyperparameters_are_learnt_from_some_rows_and_all_are_seen():
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 10, (200, 1))
    y = np.sin(X[:, 0]) + rng.normal(0, 0.1, 200)
    model = GaussianProcessRegressor(1.0 * SE(1.0), learn_from=60, random_state=3, starts=2).fit(X, y)
    drawn = np.sort(np.random.default_rng(3).choice(200, 60, replace=False))
    mean = ConstantMean(y.mean())
    by_hand = GaussianProcessRegressor(1.0 * SE(1.0), mean=mean, random_state=3, starts=1).fit(X[drawn], y[drawn])
    assert model.kernel_.theta == pytest.approx(by_hand.kernel_.theta, abs=1e-3)
    assert model.ends_[0] == pytest.approx(by_hand.log_evidence_)
    assert len(model.process_.seen.y) == 200
    assert model.log_evidence_ == pytest.approx(Process(model.kernel_, mean=mean).given(X, y).log_evidence)
    other = GaussianProcessRegressor(1.0 * SE(1.0), learn_from=60, random_state=4, starts=1).fit(X, y)
    assert np.abs(other.kernel_.theta - model.kernel_.theta).max() > 1e-3
    every = GaussianProcessRegressor(1.0 * SE(1.0), learn_from=200, starts=1).fit(X, y)
    assert every.kernel_ == GaussianProcessRegressor(1.0 * SE(1.0), starts=1).fit(X, y).kernel_


def test_what_is_left_of_a_grid_is_learnt_from_without_it():
    X = np.arange(600.0)[:, None]
    y = np.sin(X[:, 0] / 20) + np.random.default_rng(0).normal(0, 0.1, 600)
    kernel = (1.0 * SE(20.0)).fixed("variance")
    model = quiet(GaussianProcessRegressor(kernel, solver=Toeplitz(), learn_from=100, starts=1), X, y)
    assert isinstance(model.process_.seen.factor, ToeplitzFactor)
    assert model.kernel_.parameters["Noise.sd"] == pytest.approx(0.1, rel=0.3)


@pytest.mark.parametrize("kernel", [None, "2.0 * SE(1.0) + 1.0 * Periodic(1.0, 3.0).fixed()"])
def test_it_comes_back_from_a_file_bit_for_bit(kernel, tmp_path):
    X, y = sine()
    model = quiet(GaussianProcessRegressor(kernel, mean=LinearMean([0.1]), solver=Exact()), X, y)
    save(model, tmp_path / "model.credo")
    again = load(tmp_path / "model.credo")
    Z = np.linspace(-1, 12, 7)[:, None]
    np.testing.assert_array_equal(again.predictive(Z, full=True).cov, model.predictive(Z, full=True).cov)
    np.testing.assert_array_equal(again.sample(Z, 2, 0), model.sample(Z, 2, 0))
    assert again.kernel_ == model.kernel_
    assert again.process_.log_evidence == model.process_.log_evidence
    save(model.process_, tmp_path / "process.credo")
    np.testing.assert_array_equal(load(tmp_path / "process.credo").predictive(Z).sd, model.process_.predictive(Z).sd)


def test_tables():
    X, y = sine()
    table = Table({"x": X[:, 0].tolist(), "y": y.tolist()})
    model = GaussianProcessRegressor().fit(table, "y")
    plain = GaussianProcessRegressor().fit(X, y)
    np.testing.assert_allclose(model.predict(table.drop("y")), plain.predict(X), rtol=1e-9)
    assert list(model.feature_names_in_) == ["x"]


FITTED = GaussianProcessRegressor((1.0 * SE(1.0) + Noise(0.1)).fixed()).fit(*sine())


@pytest.mark.parametrize(
    ("call", "kind", "complaint"),
    [
        (
            lambda: GaussianProcessRegressor(1.0).fit(*sine()),
            BadParameter,
            "kernel must be a kernel, its text, or None",
        ),
        (lambda: GaussianProcessRegressor(mean=1.0).fit(*sine()), BadParameter, "mean must be a mean"),
        (lambda: GaussianProcessRegressor(noise=-1.0).fit(*sine()), BadParameter, "noise must be zero or positive"),
        (lambda: GaussianProcessRegressor(noise=[1.0]).fit(*sine()), BadShape, "one for each of 40 rows"),
        (lambda: GaussianProcessRegressor(starts=0).fit(*sine()), BadParameter, "starts must be at least 1"),
        (lambda: GaussianProcessRegressor(learn_from=0).fit(*sine()), BadParameter, "learn_from must be at least 1"),
        (lambda: GaussianProcessRegressor(standardise=3).fit(*sine()), BadParameter, "standardise must be one of"),
        (lambda: GaussianProcessRegressor(random_state=-1).fit(*sine()), BadParameter, "random_state"),
        (lambda: GaussianProcessRegressor(Linear(), solver=Toeplitz()).fit(*sine()), InvalidInput, "is not exact here"),
        (lambda: GaussianProcessRegressor().fit(SINE, "y"), InvalidInput, "goes with a Table as X"),
        (lambda: GaussianProcessRegressor().leave_one_out(), NotFitted, "Call fit"),
        (lambda: GaussianProcessRegressor().decompose(SINE), NotFitted, "Call fit"),
        (lambda: FITTED.predictive(SINE, noise=-1.0), BadParameter, "noise must be zero or positive"),
    ],
)
def test_what_is_refused(call, kind, complaint):
    with pytest.raises(kind, match=complaint):
        call()


@pytest.mark.parametrize(
    "model",
    [
        GaussianProcessRegressor(starts=1),
        GaussianProcessRegressor(Matern32(1.0), noise=0.1, standardise=True, starts=1),
    ],
)
def test_it_keeps_the_contract_of_estimators(model):
    check_estimator(model)
