"""Processes: conditioning against the conditional of one big normal law, published numbers, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.gp import published

from credo.beliefs import MultivariateNormal, Normal
from credo.errors import BadParameter, BadShape, InvalidInput, NumericalFailure
from credo.gp import BasisMean, ConstantMean, Exact, LinearMean, Process, Seen
from credo.kernels import SE, BasisKernel, Linear, Matern32, Matern52, Noise, Periodic

KERNEL = 2.0 * Matern52([1.0, 2.0]) + Linear(0.3).on(1)


def problem(n: int = 12, seed: int = 0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)), rng.normal(size=n), rng.uniform(0.1, 0.5, size=n)


def together(kernel, mean, X, Z, noise):
    """The normal law of what is seen at X and of f at Z."""
    both = np.vstack([X, Z])
    cov = kernel(both) + np.diag(np.append(np.broadcast_to(noise, len(X)) ** 2, np.zeros(len(Z))))
    return MultivariateNormal(mean(both), cov)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 12), st.integers(1, 5), st.integers(0, 1000))
def test_conditioning_is_that_of_one_normal_law(n, m, seed):
    X, y, noise = problem(n, seed)
    Z = np.random.default_rng(seed + 1).normal(size=(m, 2))
    mean = LinearMean([1.0, -2.0], intercept=0.5)
    law = together(KERNEL, mean.at, X, Z, noise)
    conditional = law.given(np.arange(n), y)
    process = Process(KERNEL, mean=mean).given(X, y, noise=noise)
    full = process.predictive(Z, full=True)
    np.testing.assert_allclose(full.mean, conditional.mean, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(full.cov, conditional.cov, rtol=1e-7, atol=1e-9)
    apart = process.predictive(Z)
    np.testing.assert_allclose(apart.mean, conditional.mean, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(apart.var, conditional.var, rtol=1e-7, atol=1e-9)
    seen = law.marginal(np.arange(n)).log_prob(y)
    assert process.log_evidence == pytest.approx(float(seen), rel=1e-9, abs=1e-9)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 10), st.integers(1, 10), st.integers(0, 1000))
def test_seeing_more_later_is_seeing_it_at_once(first, then, seed):
    X, y, noise = problem(first + then, seed)
    prior = Process(KERNEL, mean=ConstantMean(1.0, sd=2.0))
    once = prior.given(X, y, noise=noise)
    twice = prior.given(X[:first], y[:first], noise=noise[:first]).given(X[first:], y[first:], noise=noise[first:])
    np.testing.assert_allclose(twice.seen.weights, once.seen.weights, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(twice.seen.factor.cholesky.lower, once.seen.factor.cholesky.lower, rtol=1e-8, atol=1e-10)
    assert twice.log_evidence == pytest.approx(once.log_evidence, rel=1e-9)
    before = prior.given(X[:first], y[:first], noise=noise[:first])
    step = before.predictive(X[first:], noise=noise[first:], full=True).log_prob(y[first:])
    assert once.log_evidence == pytest.approx(before.log_evidence + float(step), rel=1e-7, abs=1e-7)


def test_published_numbers():
    process = Process(Matern32(0.25), mean=LinearMean([0.5], intercept=1.0))
    seen = process.given(published.X, published.Y, noise=0.1)
    assert seen.log_evidence == pytest.approx(published.EVIDENCE, abs=1e-9)
    belief = seen.predictive(published.ASKED, noise=0.1)
    np.testing.assert_allclose(belief.mean, published.MEANS, atol=1e-9)
    np.testing.assert_allclose(belief.var, published.VARIANCES, atol=1e-9)
    left_out = seen.leave_one_out().log_prob(published.Y)
    assert left_out.sum() == pytest.approx(published.LOG_PSEUDO_LIKELIHOOD, abs=1e-8)
    best = Process(published.BEST_SD**2 * SE(published.BEST_LENGTH))
    best = best.given(published.X, published.Y, noise=published.BEST_NOISE)
    assert best.log_evidence == pytest.approx(published.BEST_EVIDENCE, abs=1e-9)


def test_a_prior_is_a_process_too():
    prior = Process(KERNEL, mean=ConstantMean(3.0))
    X, _, noise = problem(4)
    belief = prior.predictive(X, noise=noise)
    np.testing.assert_array_equal(belief.mean, 3.0)
    np.testing.assert_allclose(belief.var, KERNEL.diagonal(X) + noise**2)
    np.testing.assert_allclose(prior.predictive(X, full=True).cov, KERNEL(X))
    assert prior.log_evidence == 0.0
    assert prior.jitter == 0.0
    assert prior.evidence.total == 0.0


def test_terms_of_the_evidence():
    X, y, noise = problem()
    process = Process(KERNEL).given(X, y, noise=noise)
    A = KERNEL(X) + np.diag(noise**2)
    terms = process.evidence
    assert terms.fit == pytest.approx(-0.5 * y @ np.linalg.solve(A, y))
    assert terms.complexity == pytest.approx(-0.5 * np.linalg.slogdet(A)[1])
    assert terms.total == pytest.approx(stats.multivariate_normal(np.zeros(12), A).logpdf(y))


def test_leaving_out_is_fitting_to_the_others():
    X, y, noise = problem()
    prior = Process(KERNEL, mean=ConstantMean(0.3, sd=1.0))
    belief = prior.given(X, y, noise=noise).leave_one_out()
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        alone = prior.given(X[rest], y[rest], noise=noise[rest]).predictive(X[[i]], noise=noise[[i]])
        assert belief.mean[i] == pytest.approx(alone.mean[0], rel=1e-8)
        assert belief.sd[i] == pytest.approx(alone.sd[0], rel=1e-8)


def basis(X):
    return np.hstack([np.ones((len(X), 1)), X, X**2])


def test_weight_space_is_function_space():
    X, y, _ = problem(20)
    Z = np.random.default_rng(9).normal(size=(5, 2))
    phi, psi = basis(X), basis(Z)
    prior = np.diag([4.0, 1.0, 1.0, 0.5, 0.5])
    A = np.linalg.inv(prior) + phi.T @ phi / 0.3**2
    mean, cov = psi @ np.linalg.solve(A, phi.T @ y) / 0.3**2, psi @ np.linalg.solve(A, psi.T)
    by_kernel = Process(BasisKernel(basis, np.diag(prior))).given(X, y, noise=0.3)
    by_mean = Process(0.0 * SE(1.0), mean=BasisMean(basis, np.zeros(5), covariance=prior)).given(X, y, noise=0.3)
    for process in (by_kernel, by_mean):
        np.testing.assert_allclose(process.predictive(Z).mean, mean, atol=1e-8)
        np.testing.assert_allclose(process.predictive(Z).var, np.diag(cov), atol=1e-8)
    np.testing.assert_allclose(by_mean.predictive(Z[:3], full=True).cov, cov[:3, :3], atol=1e-8)


@pytest.mark.parametrize(
    ("uncertain", "features", "weights"),
    [
        (ConstantMean(2.0, sd=1.5), lambda X: np.ones((len(X), 1)), [2.0]),
        (LinearMean([1.0, 2.0], intercept=3.0, sd=1.5), lambda X: np.hstack([X, np.ones((len(X), 1))]), [1, 2, 3]),
    ],
)
def test_uncertain_means_are_bases(uncertain, features, weights):
    X, y, noise = problem()
    same = BasisMean(features, weights, covariance=1.5**2)
    Z = X[:5] + 0.5
    first, second = (Process(KERNEL, mean=mean).given(X, y, noise=noise) for mean in (uncertain, same))
    np.testing.assert_allclose(first.predictive(Z).mean, second.predictive(Z).mean, rtol=1e-9)
    np.testing.assert_allclose(first.predictive(Z).sd, second.predictive(Z).sd, rtol=1e-9)
    assert first.log_evidence == pytest.approx(second.log_evidence, rel=1e-10)


def test_draws_have_the_moments_they_should():
    X, y, noise = problem(6)
    Z = np.random.default_rng(5).normal(size=(4, 2))
    process = Process(KERNEL).given(X, y, noise=noise)
    draws = process.sample(Z, 20_000, 7)
    belief = process.predictive(Z, full=True)
    assert draws.shape == (20_000, 4)
    np.testing.assert_allclose(draws.mean(axis=0), belief.mean, atol=5 * belief.sd.max() / np.sqrt(20_000))
    np.testing.assert_allclose(np.cov(draws.T), belief.cov, atol=0.08)
    np.testing.assert_array_equal(process.sample(Z, 3, 7), process.sample(Z, 3, np.random.default_rng(7)))


def test_functions_go_through_what_is_seen_without_noise():
    x = np.linspace(0, 3, 5)[:, None]
    process = Process(SE(1.0)).given(x, np.sin(x[:, 0]))
    np.testing.assert_allclose(process.predictive(x).mean, np.sin(x[:, 0]), atol=1e-10)
    assert (process.predictive(x).sd < 1e-6).all()
    dense = np.linspace(0, 3, 60)[:, None]
    draws = process.sample(dense, 3, 0)
    np.testing.assert_allclose(draws[:, 0], 0.0, atol=1e-4)
    assert np.abs(draws - np.sin(dense[:, 0])).max() < 0.2


def test_draws_of_a_kernel_of_low_rank():
    x = np.linspace(-1, 1, 40)[:, None]
    draws = Process(Linear()).sample(x, 3, 0)
    np.testing.assert_allclose(draws, draws[:, -1:] * x[:, 0], atol=1e-5)


def test_decomposition():
    x = np.linspace(0, 4, 25)[:, None]
    y = 0.5 * x[:, 0] + np.sin(2 * np.pi * x[:, 0])
    kernel = (Linear(1.0) + Periodic(1.0, 1.0) + SE(1.0)).fixed("variance")
    process = Process(kernel, mean=ConstantMean(0.2, sd=1.0)).given(x, y, noise=0.1)
    Z = np.linspace(0, 6, 7)[:, None]
    parts = process.decompose(Z)
    assert [part.name.split("(")[0] for part in parts] == ["Linear", "Periodic", "SE", "Constant"]
    total = process.mean.at(Z) + sum(part.belief.mean for part in parts)
    np.testing.assert_allclose(total, process.predictive(Z).mean, rtol=1e-9)
    # brute force: the law of one part and of all that was seen
    A, across = process._kernel(x) + 0.01 * np.eye(25), Linear(1.0)(Z, x)
    np.testing.assert_allclose(parts[0].belief.mean, across @ np.linalg.solve(A, y - 0.2), rtol=1e-7)
    cov = Linear(1.0)(Z) - across @ np.linalg.solve(A, across.T)
    np.testing.assert_allclose(parts[0].belief.var[1:], np.diag(cov)[1:], rtol=1e-6)
    prior = Process(SE(1.0) + SE(1.0)).decompose(Z)
    assert [part.name for part in prior] == ["SE(length=1.0) [1]", "SE(length=1.0) [2]"]
    np.testing.assert_array_equal(prior[0].belief.sd, 1.0)


def test_slopes_are_those_of_the_difference_of_two_rows():
    X, y, noise = problem(8)
    Z = np.random.default_rng(3).normal(size=(70, 2))  # more than are made at a time
    process = Process(KERNEL, mean=LinearMean([1.0, -2.0])).given(X, y, noise=noise)
    belief = process.slope(Z, step=0.2, column=1)
    for i in (0, 65):
        both = process.predictive(np.vstack([Z[i] + [0, 0.2], Z[i] - [0, 0.2]]), full=True)
        assert belief.mean[i] == pytest.approx((both.mean[0] - both.mean[1]) / 0.4, rel=1e-9)
        change = both.cov[0, 0] + both.cov[1, 1] - 2 * both.cov[0, 1]
        assert belief.var[i] == pytest.approx(change / 0.16, rel=1e-8)


def test_short_steps_give_derivatives():
    x = np.array([[0.0], [0.7], [2.0]])
    y, length, at = np.array([1.0, -1.0, 0.5]), 1.5, 1.1
    process = Process(SE(length)).given(x, y, noise=0.1)
    belief = process.slope([[at]], step=0.01 * length)
    across = (x[:, 0] - at) / length**2 * np.exp(-((x[:, 0] - at) ** 2) / (2 * length**2))
    A = SE(length)(x) + 0.01 * np.eye(3)
    assert belief.mean[0] == pytest.approx(across @ np.linalg.solve(A, y), rel=1e-3)
    assert belief.var[0] == pytest.approx(1 / length**2 - across @ np.linalg.solve(A, across), rel=1e-3)
    line = Process(0.0 * SE(1.0), mean=LinearMean([3.0])).slope([[1.0]], step=0.1)
    assert line.mean[0] == pytest.approx(3.0)


def test_rows_that_are_repeated():
    X = np.array([[0.0], [0.0], [1.0]])
    alike = Process(SE(1.0)).given(X, [1.0, 1.0, 2.0])
    assert 0 < alike.jitter <= 1e-6
    np.testing.assert_allclose(alike.predictive([[0.0]]).mean, 1.0, atol=1e-5)
    noisy = Process(SE(1.0)).given(X, [0.0, 2.0, 2.0], noise=0.1)
    assert noisy.jitter == 0.0
    np.testing.assert_allclose(noisy.predictive([[0.0]]).mean, 1.0, atol=0.05)
    more = alike.given([[1.0]], [2.0])  # beyond what extending the factor can repair
    np.testing.assert_allclose(more.predictive([[1.0]]).mean, 2.0, atol=1e-4)


def test_noise_of_the_kernel_is_not_noise_of_what_is_seen():
    x = np.array([[0.0], [1.0]])
    inside, outside = (
        Process(SE(1.0) + Noise(0.5)).given(x, [1.0, 2.0]),
        Process(SE(1.0)).given(x, [1.0, 2.0], noise=0.5),
    )
    assert inside.log_evidence == pytest.approx(outside.log_evidence)
    np.testing.assert_allclose(inside.predictive(x).sd, outside.predictive(x, noise=0.5).sd)


def test_text_is_a_kernel():
    assert Process("2 * SE(1.5)").kernel == 2.0 * SE(1.5)
    assert repr(Process("SE(1.0)").given([[0.0]], [0.0])) == "Process(SE(length=1.0)) given 1 rows"
    assert repr(Process("SE(1.0)", mean=ConstantMean(1.0))).endswith(", mean=ConstantMean(value=1.0, sd=0.0))")


SEEN = Process(SE(1.0)).given([[0.0], [1.0]], [0.0, 1.0], noise=0.1)


@pytest.mark.parametrize(
    ("call", "kind", "complaint"),
    [
        (lambda: Process(1.0), BadParameter, "kernel must be a kernel, or its text; got 1.0"),
        (lambda: Process(SE(1.0), mean=3.0), BadParameter, "mean must be a mean"),
        (lambda: Process(SE(1.0), seen="x"), BadParameter, "seen is what given"),
        (lambda: SEEN.given([[0.0]], [1.0, 2.0]), BadShape, "X and y must have the same number of rows; got 1 and 2"),
        (lambda: SEEN.given([0.0], [1.0]), BadShape, r"For one column, give X\[:, None\]"),
        (lambda: SEEN.given(np.zeros((0, 1)), []), BadShape, "at least one row"),
        (lambda: SEEN.given([[0.0]], [1.0], noise=-1.0), BadParameter, "noise must be zero or positive"),
        (lambda: SEEN.given([[0.0]], [1.0], noise=[1.0, 2.0]), BadShape, "X and noise must have the same number"),
        (lambda: SEEN.given([[0.0]], [np.nan]), InvalidInput, "y must be finite"),
        (lambda: SEEN.given([[0.0]], [1.0], solver="exact"), BadParameter, "solver must be a solver"),
        (lambda: SEEN.predictive([[0.0, 1.0]]), BadShape, "X must have 1 columns, as what was seen; got 2"),
        (lambda: SEEN.predictive([[0.0]], noise=np.ones((1, 1))), BadShape, "noise must be a number"),
        (lambda: SEEN.sample(np.zeros((0, 1)), 1, 0), BadShape, "at least one row"),
        (lambda: SEEN.slope([[0.0]], step=0.1, column=1), BadParameter, "column must be between 0 and 0; got 1"),
        (lambda: SEEN.slope([[0.0]], step=0.0), BadParameter, "step must be positive"),
        (lambda: Process(SE(1.0)).leave_one_out(), InvalidInput, "nothing was seen"),
        (lambda: Process(SE(1.0), mean=LinearMean([1.0])).predictive([[0.0, 1.0]]), BadShape, "one for each slope"),
        (lambda: Process(0.0 * SE(1.0)).given([[0.0]], [1.0]), NumericalFailure, "is the noise too small"),
        (lambda: Process(0.0 * SE(1.0)).sample([[0.0]], 1, 0), NumericalFailure, "zero everywhere"),
        (lambda: BasisMean(basis, [1.0]).at(np.zeros((3, 2))), BadShape, r"\(3, 1\); got \(3, 5\)"),
        (lambda: BasisMean("x", [1.0]), BadParameter, "function must be a function"),
        (lambda: LinearMean([[1.0]]), BadShape, "slopes must be a list"),
        (lambda: ConstantMean(0.0, sd=-1.0), BadParameter, "sd must be zero or positive"),
        (lambda: Seen(np.zeros((2, 1)), *[np.zeros(1)] * 4, SEEN.seen.factor), BadShape, "X and y"),
    ],
)
def test_what_is_refused(call, kind, complaint):
    with pytest.raises(kind, match=complaint):
        call()


def test_a_named_solver_is_used():
    X, y, noise = problem()
    by_name = Process(KERNEL).given(X, y, noise=noise, solver=Exact())
    assert by_name.log_evidence == Process(KERNEL).given(X, y, noise=noise).log_evidence
    assert isinstance(by_name.predictive(X), Normal)
