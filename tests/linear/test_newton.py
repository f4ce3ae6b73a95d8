"""The climb to the mode: derivatives against differences, the mode against SciPy, secants against exact curvature."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse

from credo.errors import Outcome
from credo.linear import newton
from credo.linear.classes import Classes, contrasts
from credo.linear.design import Design
from credo.linear.newton import Problem, climb
from credo.testing import check_gradient


def problem(n=30, d=3, classes=2, *, alpha=0.5, intercept=True, seed=0, make=np.asarray):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7)
    codes = rng.permutation(np.arange(n) % classes)
    design, weight = Design(make(X), intercept), rng.uniform(0.2, 2, n)
    precision = np.append(np.full(d, alpha), np.zeros(int(intercept)))
    return Problem(design, Classes(codes, weight, contrasts(classes)), design.gram(weight), precision)


def zeros(p):
    return np.zeros((p.classes.basis.shape[1], p.design.width))


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("intercept", [True, False])
def test_gradient_and_curvature_are_derivatives(classes, intercept):
    p = problem(classes=classes, intercept=intercept)
    V = np.random.default_rng(1).normal(size=zeros(p).shape)

    def at(v):
        weights = v.reshape(V.shape)
        seen = p.look(weights)
        return seen.value, seen.gradient.ravel()

    check_gradient(at, V.ravel())
    H = p.curvature(V, p.classes.probabilities(p.design.times(V)))
    step = 1e-6
    for j, e in enumerate(np.eye(V.size) * step):
        change = (at(V.ravel() + e)[1] - at(V.ravel() - e)[1]) / (2 * step)
        np.testing.assert_allclose(H[j], change, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_look_is_the_likelihood_the_prior_and_their_slope(classes, make, intercept):
    p = problem(classes=classes, make=make, intercept=intercept)
    V = np.random.default_rng(1).normal(size=zeros(p).shape)
    eta = p.design.times(V)
    probs = p.classes.probabilities(eta)
    seen = p.look(V)
    np.testing.assert_allclose(seen.probs, probs, rtol=1e-13)
    assert seen.value == pytest.approx(p.classes.loss(eta) + (p.precision * V**2).sum() / 2, rel=1e-13)
    slope = p.design.pull(p.classes.residuals(probs)) + p.precision * V
    np.testing.assert_allclose(seen.gradient, slope, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_many_rows_are_begun_with_a_few_of_them(monkeypatch, classes):
    p = problem(4000, 4, classes)
    told = np.where(p.design.values[:, 0] > 0.5, 0, p.classes.codes)
    p = replace(p, classes=replace(p.classes, codes=told))
    thin = p.thinned()
    assert thin.design.rows == 400
    assert thin.classes.weight.sum() == pytest.approx(10 * p.classes.weight[::10].sum())
    exact = climb(p, zeros(p), steps=100)
    monkeypatch.setattr(newton, "TALL", 1)
    found = climb(p, zeros(p), steps=100)
    assert found.trace[0] > exact.trace[0]  # it began nearer
    np.testing.assert_allclose(found.weights, exact.weights, rtol=1e-7, atol=1e-9)
    covariance = exact.blocks()  # (the curvature may lag by one part in a million of the whole)
    np.testing.assert_allclose(found.blocks(), covariance, rtol=0, atol=2e-6 * covariance.max())


def test_a_few_rows_that_mislead_are_no_start(monkeypatch):
    p = problem(4000, 4, alpha=1e-6)
    codes = (p.design.values[:, 0] > 0).astype(int)  # so they say, one in ten; the others say nothing of the kind
    codes[np.arange(4000) % 10 > 0] = 1 - codes[np.arange(4000) % 10 > 0]
    p = replace(p, classes=replace(p.classes, codes=codes))
    exact = climb(p, zeros(p), steps=100)
    monkeypatch.setattr(newton, "TALL", 1)
    found = climb(p, zeros(p), steps=100)
    assert found.trace[0] == exact.trace[0]
    np.testing.assert_allclose(found.weights, exact.weights, rtol=1e-7, atol=1e-9)


def test_a_few_rows_are_no_start_where_a_class_is_missing_among_them_or_they_are_sparse():
    p = problem(4000, 4)
    codes = np.ones(4000, dtype=int)
    codes[1::10] = 0
    assert replace(p, classes=replace(p.classes, codes=codes)).thinned() is None
    assert problem(100, 4).thinned() is None
    assert problem(4000, 4, make=sparse.csr_array).thinned() is None


@pytest.mark.parametrize("classes", [2, 4])
def test_the_curvature_at_zero_needs_no_rows(classes):
    p = problem(classes=classes)
    V = zeros(p)
    probs = p.classes.probabilities(p.design.times(V))
    almost = V + 1e-300
    np.testing.assert_allclose(p.curvature(V, probs), p.curvature(almost, probs), rtol=1e-12)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    n=st.integers(6, 40),
    d=st.integers(1, 5),
    classes=st.integers(2, 4),
    alpha=st.sampled_from([0.01, 1.0, 100.0]),
    seed=st.integers(0, 999),
)
def test_no_other_optimiser_gets_further(n, d, classes, alpha, seed):
    p = problem(n, d, classes, alpha=alpha, seed=seed)
    found = climb(p, zeros(p), steps=100)
    assert found.outcome is Outcome.CONVERGED
    assert np.abs(found.gradient).max() < 1e-6

    def value(v):
        weights = v.reshape(found.weights.shape)
        seen = p.look(weights)
        return seen.value, seen.gradient.ravel()

    theirs = optimize.minimize(value, zeros(p).ravel(), jac=True, method="BFGS", options={"gtol": 1e-7})
    assert found.value <= theirs.fun + 1e-9
    np.testing.assert_allclose(found.weights.ravel(), theirs.x, rtol=1e-3, atol=1e-4)
    assert list(found.trace) == sorted(found.trace) or np.diff(found.trace).min() > -1e-9  # uphill all the way


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_secants_end_where_exact_curvature_does(monkeypatch, classes, make):
    p = problem(400, 4, classes, alpha=0.1, make=make)
    exact = climb(p, zeros(p), steps=100)
    monkeypatch.setattr(newton, "TALL", 0)
    renewed = []
    renew = newton._Climb.renew
    monkeypatch.setattr(newton._Climb, "renew", lambda self: (renewed.append(1), renew(self)))
    by_secants = climb(p, zeros(p), steps=100)
    assert by_secants.outcome is Outcome.CONVERGED
    assert len(renewed) < len(by_secants.trace) - 1
    np.testing.assert_allclose(by_secants.weights, exact.weights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(by_secants.blocks(), exact.blocks(), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_a_mode_under_another_prior_is_a_start_whose_curvature_is_known(monkeypatch, classes):
    p = problem(40, 3, classes)
    other = replace(p, precision=30 * p.precision)
    before, exact = climb(p, zeros(p), steps=100), climb(other, zeros(p), steps=100)
    known = before.curvature(other.precision)
    np.testing.assert_allclose(known, other.curvature(before.weights, before.probs), rtol=1e-7, atol=1e-7)
    found = climb(other, before, steps=100)
    assert found.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(found.weights, exact.weights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.blocks(), exact.blocks(), rtol=1e-6, atol=1e-9)
    assert found.value == pytest.approx(exact.value, rel=1e-13)

    def refuse(*_):
        raise AssertionError("the curvature is known")

    monkeypatch.setattr(Problem, "curvature", refuse)
    again = climb(p, before, steps=100)
    np.testing.assert_array_equal(again.weights, before.weights)
    assert again.log_det == pytest.approx(before.log_det, rel=1e-12)


def test_many_pairs_of_classes_have_their_curvature_made_less_often(monkeypatch):
    p = problem(2000, 4, 5, alpha=0.1)
    made, curvature = [], Problem.curvature
    monkeypatch.setattr(
        Problem, "curvature", lambda self, *at: (made.append(self.design.rows), curvature(self, *at))[1]
    )
    exact = climb(p, zeros(p), steps=100)
    often = made.count(2000)
    monkeypatch.setattr(newton, "TALL", 2000 * 5 * 10 - 1)
    assert p.dear
    assert not p.tall
    made.clear()
    found = climb(p, zeros(p), steps=100)
    assert 0 < made.count(2000) < often
    assert made[0] == 200  # it began with a few of the rows
    assert found.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(found.weights, exact.weights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.blocks(), exact.blocks(), rtol=1e-6, atol=1e-10)


def test_full_steps_that_overshoot_are_cut_short():
    # From far out on the flat side a full step of Newton's would land further out on the other.
    x = np.array([[1.0], [1.0], [-1.0], [1.0]])
    design, weight = Design(x, intercept=False), np.ones(4)
    p = Problem(design, Classes(np.array([1, 1, 0, 0]), weight, contrasts(2)), design.gram(weight), np.array([1e-6]))
    found = climb(p, np.array([[12.0]]), steps=100)
    assert found.outcome is Outcome.CONVERGED
    assert found.weights[0, 0] == pytest.approx(np.log(3), rel=1e-5)
    assert np.diff(found.trace).min() > -1e-9


def test_few_steps_and_ctrl_c_keep_the_best_so_far(monkeypatch):
    p = problem()
    short = climb(p, zeros(p), steps=1)
    assert short.outcome is Outcome.OUT_OF_STEPS
    assert short.value < climb(p, zeros(p), steps=100).trace[0] * -1
    step, calls = newton._Climb.step, []

    def interrupted(self, *given):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return step(self, *given)

    monkeypatch.setattr(newton._Climb, "step", interrupted)
    stopped = climb(p, zeros(p), steps=100)
    assert stopped.outcome is Outcome.INTERRUPTED
    np.testing.assert_array_equal(stopped.weights, short.weights)
