"""The evidence against brute-force integrals of the posterior; its slope against differences."""

import numpy as np
import pytest
from scipy import integrate, special
from tests.linear.test_newton import problem

from credo.errors import Outcome
from credo.linear import LogisticRegression, laplace
from credo.linear.laplace import Laplace, learn_alpha, mode_at, skew

RNG = np.random.default_rng(5)


def rows(n, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X.sum(axis=1) + rng.logistic(size=n) > 0).astype(int)


def exact_evidence(x, y, alpha, *, intercept):
    """ln ∫ p(y | w, b) N(w; 0, 1/α) dw db on a fine grid."""
    sign = 2 * y - 1
    w = np.linspace(-7, 7, 281)
    b = np.linspace(-7, 7, 281) if intercept else np.zeros(1)
    log = -alpha / 2 * w[:, None] ** 2 + 0.5 * np.log(alpha / 2 / np.pi) + 0 * b
    for xi, si in zip(x[:, 0], sign, strict=True):
        log = log + special.log_expit(si * (w[:, None] * xi + b))
    density = np.exp(log)
    inner = integrate.simpson(density, w, axis=0)
    return np.log(integrate.simpson(inner, b) if intercept else inner[0])


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.5, 3.0])
def test_the_evidence_comes_close_to_the_integral(alpha, intercept):
    gaps = []
    for n in (20, 80, 320):
        x, y = rows(n)
        model = LogisticRegression(alpha=alpha, fit_intercept=intercept).fit(x, y)
        gaps.append(abs(model.log_evidence_ - exact_evidence(x, y, alpha, intercept=intercept)))
    assert gaps[0] < 0.1
    assert gaps[2] < 0.005  # it errs by something like 1/n
    assert gaps[2] < gaps[0]


def test_many_classes_have_the_evidence_of_the_integral():
    # Intercepts alone: the integral over the log odds against a class is that of a Dirichlet law, ∏ Γ(n_k) / Γ(n).
    counts = np.array([60, 90, 130])
    y = np.repeat(np.arange(3), counts)
    x = np.zeros((len(y), 1))
    exact = special.gammaln(counts).sum() - special.gammaln(counts.sum())
    assert LogisticRegression(alpha=1.0).fit(x, y).log_evidence_ == pytest.approx(exact, abs=0.01)
    two = y[y < 2]
    exact = special.gammaln(counts[:2]).sum() - special.gammaln(counts[:2].sum())
    assert LogisticRegression(alpha=1.0).fit(x[y < 2], two).log_evidence_ == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_slope_is_the_derivative_of_the_evidence(classes, intercept):
    p = problem(40, 3, classes, intercept=intercept)
    for t in (-2.0, 0.0, 3.0):
        search = Laplace(p, steps=100)
        up, down = (search.log_evidence(search.mode(np.exp(t + h)), np.exp(t + h)) for h in (2e-3, -2e-3))
        mode = search.mode(np.exp(t))
        assert search.slope(mode, np.exp(t)) == pytest.approx((up - down) / 4e-3, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_skew_is_the_derivative_of_half_the_log_determinant(classes):
    p = problem(40, 2, classes)
    mode = mode_at(p, 0.7, steps=100).mode
    found = skew(p, mode, mode.blocks())

    def half_log_det(V):
        H = p.curvature(V, p.classes.probabilities(p.design.times(V)))
        columns = p.design.width - 1
        for a in range(len(V)):
            at = a * p.design.width + np.arange(columns)
            H[at, at] += 0.7 - p.precision[0]
        return 0.5 * np.linalg.slogdet(H)[1]

    for place in np.ndindex(found.shape):
        step = np.zeros_like(found)
        step[place] = 1e-5
        change = (half_log_det(mode.weights + step) - half_log_det(mode.weights - step)) / 2e-5
        assert found[place] == pytest.approx(change, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_other_alpha_has_more_evidence(classes, seed):
    p = problem(60, 3, classes, seed=seed)
    best = learn_alpha(p, steps=100)
    assert best.outcome is Outcome.CONVERGED
    for t in np.linspace(-6, 8, 60):
        assert mode_at(p, float(np.exp(t)), steps=100).log_evidence <= best.log_evidence + 1e-8


def test_useless_columns_are_shrunk_away():
    X = RNG.normal(size=(60, 2))
    y = np.arange(60) % 2
    X -= np.array([X[y == k].mean(axis=0) for k in (0, 1)])[y]  # not even by chance
    model = LogisticRegression().fit(X, y)
    assert np.abs(model.coef_).max() < 1e-3
    assert model.effective_parameters_ < 1e-3


def test_ctrl_c_keeps_the_best_alpha_so_far(monkeypatch):
    p = problem(60, 3)
    climb, calls = laplace.climb, []

    def interrupted(*given, **options):
        calls.append(1)
        found = climb(*given, **options)
        return laplace.replace(found, outcome=Outcome.INTERRUPTED) if len(calls) == 12 else found

    monkeypatch.setattr(laplace, "climb", interrupted)
    stopped = learn_alpha(p, steps=100)
    assert stopped.outcome is Outcome.INTERRUPTED
    assert stopped.log_evidence == max(stopped.trace)
    assert len(stopped.trace) <= 11
