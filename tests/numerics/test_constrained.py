"""Constrained problems: the notes' example, quadratic problems solved by hand, and looking around a point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, BadShape, InvalidInput, Outcome
from credo.numerics import Conditions, Verdict, kkt_conditions, kkt_report, minimise_constrained
from credo.numerics.differences import Differentiable

modest = settings(max_examples=40, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)


def notes(p: np.ndarray) -> float:
    return -(2 * p[0] + p[1] ** 2 + p[0] * p[1])


def line(p: np.ndarray) -> float:
    return p[0] + 2 * p[1] - 1


def test_the_notes_example() -> None:
    """Least −(2x + y² + xy) with x + 2y = 1: (4, −3/2), a minimum along the line though f has none in the plane."""
    report = kkt_report(notes, [4, -1.5], equalities=[line])
    assert report.conditions.worst < 1e-9
    assert report.equality_multipliers[0] == pytest.approx(-0.5, abs=1e-9)  # 2 + y + λ = 0
    assert report.verdict is Verdict.MINIMUM
    assert report.value == -4.25
    t = np.linspace(-3, 3, 61)  # along the line (1 − 2y, y)
    values = np.array([notes(np.array([1 - 2 * y, y])) for y in -1.5 + t])
    np.testing.assert_allclose(values, -4.25 + t**2, atol=1e-12)
    found = minimise_constrained(notes, [0.0, 0.0], equalities=[line])
    assert found.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(found.report.position, [4, -1.5], atol=1e-7)
    assert kkt_report(notes, [4, -2]).verdict is Verdict.SADDLE  # the only stationary point without the constraint


@modest
@given(seeds)
def test_quadratics_along_planes_have_the_solution_of_the_linear_equations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    m = int(rng.integers(1, n))
    root, J, b, c = rng.normal(size=(n, n)), rng.normal(size=(m, n)), rng.normal(size=m), rng.normal(size=n)
    Q = root @ root.T + 0.5 * np.eye(n)
    whole = np.block([[Q, -J.T], [J, np.zeros((m, m))]])
    x, lam = np.split(np.linalg.solve(whole, np.append(-c, b)), [n])
    g = [lambda p, i=i: (J[i] @ p - b[i], J[i]) for i in range(m)]
    report = kkt_report(lambda p: (p @ Q @ p / 2 + c @ p, Q @ p + c), x, equalities=g)
    assert report.verdict is Verdict.MINIMUM
    assert report.regular
    np.testing.assert_allclose(report.equality_multipliers, lam, rtol=1e-5, atol=1e-6)
    assert len(report.curvature) == n - m
    upside_down = kkt_report(lambda p: (-p @ Q @ p / 2 - c @ p, -Q @ p - c), x, equalities=g)
    assert upside_down.verdict is Verdict.MAXIMUM
    found = minimise_constrained(lambda p: (p @ Q @ p / 2 + c @ p, Q @ p + c), np.zeros(n), equalities=g)
    assert found.outcome is Outcome.CONVERGED
    np.testing.assert_allclose(found.report.position, x, atol=1e-5)


@modest
@given(seeds)
def test_what_a_point_is_agrees_with_looking_around(seed: int) -> None:
    """A corner of the positive quadrant, an edge of it, or its inside, for random quadratics through the origin."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(2, 2))
    Q, c = root + root.T, rng.choice([-1.0, 0.0, 1.0], size=2) * rng.uniform(0.5, 2, size=2)
    report = kkt_report(lambda p: p @ Q @ p / 2 + c @ p, [0, 0], inequalities=[lambda p: p[0], lambda p: p[1]])
    around = rng.uniform(0, 1e-4, size=(4000, 2)) * rng.choice([0.0, 1.0], size=(4000, 2), p=[0.2, 0.8])
    around = around[around.any(axis=1)]
    values = np.einsum("ij,jk,ik->i", around, Q, around) / 2 + around @ c
    if report.verdict is Verdict.MINIMUM:
        assert values.min() > 0
    elif report.verdict is Verdict.MAXIMUM:
        assert values.max() < 0
    elif report.verdict is Verdict.SADDLE:
        assert values.min() < 0 < values.max()
    else:
        assert report.verdict is Verdict.UNDECIDED
        assert not c.all()  # only where some multiplier is zero


def test_a_corner_and_a_curved_edge() -> None:
    corner = minimise_constrained(
        lambda p: (p[0] - 2) ** 2 + (p[1] - 3) ** 2, [0, 0], inequalities=[lambda p: 1 - p[0], lambda p: 1 - p[1]]
    )
    np.testing.assert_allclose(corner.report.inequality_multipliers, [2, 4], atol=1e-6)
    assert corner.report.active == (True, True)
    assert len(corner.report.curvature) == 0
    circle = minimise_constrained(lambda p: p[0] + p[1], [0.1, 0.0], inequalities=[lambda p: 1 - p @ p])
    np.testing.assert_allclose(circle.report.position, [-(0.5**0.5)] * 2, atol=1e-6)
    assert circle.report.verdict is Verdict.MINIMUM  # by the curvature of the constraint alone: f has none
    assert circle.report.curvature[0] == pytest.approx(2**0.5, abs=1e-5)


def test_a_maximum_margin_by_its_primal_problem() -> None:
    X, y = np.array([[2.0, 2.0], [3.0, 0.0], [-1.0, 0.0], [0.0, -2.0]]), np.array([1, 1, -1, -1])
    rows = [lambda p, i=i: y[i] * (X[i] @ p[:2] + p[2]) - 1 for i in range(4)]
    found = minimise_constrained(lambda p: p[:2] @ p[:2] / 2, [1.0, 1.0, 0.0], inequalities=rows)
    assert found.outcome is Outcome.CONVERGED
    alpha = found.report.inequality_multipliers
    np.testing.assert_allclose((alpha * y) @ X, found.report.position[:2], atol=1e-6)  # w = Σ αyx
    assert alpha @ y == pytest.approx(0, abs=1e-6)


def test_what_is_no_solution_is_said() -> None:
    assert kkt_report(notes, [0, 0], equalities=[line]).verdict is Verdict.INFEASIBLE
    assert kkt_report(notes, [1, 0], equalities=[line]).verdict is Verdict.NOT_STATIONARY
    cusp = kkt_report(lambda p: p[0], [0, 0], inequalities=[lambda p: p[1], lambda p: p[0] ** 3 - p[1]])
    assert (cusp.verdict, cusp.regular) == (Verdict.NOT_STATIONARY, False)  # a minimum that has no multipliers
    assert "depend on each other" in repr(cusp)
    assert kkt_report(lambda p: p[0] ** 4, [0.0]).verdict is Verdict.UNDECIDED


def test_constraints_that_say_the_same_have_multipliers_of_the_right_sign() -> None:
    twice = kkt_report(lambda p: p[0] ** 2, [1.0], inequalities=[lambda p: p[0] - 1, lambda p: 2 * p[0] - 2])
    assert twice.inequality_multipliers @ [1, 2] == pytest.approx(2)
    assert (twice.inequality_multipliers >= 0).all()
    assert (twice.verdict, twice.regular) == (Verdict.MINIMUM, False)


def test_a_search_that_cannot_end_well_says_so() -> None:
    down = minimise_constrained(lambda p: -(p[0] ** 2), [1.0], inequalities=[lambda p: p[0]], steps=5)
    assert not down.outcome.good
    none = minimise_constrained(lambda p: p[0] ** 2, [0.0], inequalities=[lambda p: p[0] - 1, lambda p: -p[0]])
    assert (none.outcome, none.report.verdict) == (Outcome.STALLED, Verdict.INFEASIBLE)


@modest
@given(seeds)
def test_differences_find_slopes_and_curvatures(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    A = A + A.T
    told = Differentiable("f", lambda p: (np.sin(p @ A @ p / 4), np.cos(p @ A @ p / 4) * (A @ p) / 2))
    guessed = Differentiable("f", lambda p: np.sin(p @ A @ p / 4))
    np.testing.assert_allclose(guessed.gradient(x), told.gradient(x), atol=1e-7)
    v = A @ x / 2
    expected = np.cos(x @ A @ x / 4) * A / 2 - np.sin(x @ A @ x / 4) * np.outer(v, v)
    np.testing.assert_allclose(told.hessian(x), expected, atol=1e-6)
    np.testing.assert_allclose(guessed.hessian(x), expected, atol=1e-4)


def test_conditions_are_measured_one_by_one() -> None:
    found = kkt_conditions([0.1, -0.2], equalities=[0.3], inequalities=[-0.4, 2.0], multipliers=[0.0, -0.5])
    assert found == Conditions(0.2, 0.3, 0.4, 0.5, 1.0)
    assert (found.feasible, found.worst) == (0.4, 1.0)
    assert kkt_conditions([]).worst == 0


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (BadShape, lambda: kkt_conditions([0.0], inequalities=[1.0])),
        (InvalidInput, lambda: kkt_conditions([np.nan])),
        (BadShape, lambda: kkt_report(notes, 3.0)),
        (InvalidInput, lambda: kkt_report(notes, [0, 0], equalities=line)),
        (InvalidInput, lambda: kkt_report(lambda p: np.nan, [0, 0])),
        (BadShape, lambda: kkt_report(lambda p: (0.0, [1.0]), [0, 0])),
        (BadShape, lambda: kkt_report(lambda p: p, [0, 0])),
        (BadParameter, lambda: kkt_report(notes, [0, 0], tolerance=0.0)),
        (BadParameter, lambda: minimise_constrained(notes, [0, 0], steps=0)),
    ],
)
def test_refused(error: type[Exception], call) -> None:
    with pytest.raises(error):
        call()
