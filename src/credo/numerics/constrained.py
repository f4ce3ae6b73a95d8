"""Minimising under constraints, and a report on any point: is it a solution, and what holds it there?"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput, Outcome
from credo.numerics.differences import Differentiable, Smooth
from credo.numerics.kkt import Conditions, kkt_conditions

__all__ = ["ConstrainedOptimum", "KKTReport", "Verdict", "kkt_report", "minimise_constrained"]

FLAT = 1e-5  # curvatures by differences are known to about six digits; less than this, beside the largest, is none


class Verdict(enum.Enum):
    """What a point is, among the points near it that satisfy the constraints.

    >>> Verdict.SADDLE.value
    'neither a minimum nor a maximum: f falls in one direction and rises in another'
    """

    MINIMUM = "a strict local minimum"
    MAXIMUM = "a strict local maximum"
    SADDLE = "neither a minimum nor a maximum: f falls in one direction and rises in another"
    UNDECIDED = "stationary; first and second derivatives do not decide what it is"
    NOT_STATIONARY = "no solution: the gradient of f is no mixture of the gradients of the active constraints"
    INFEASIBLE = "no solution: a constraint is violated"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KKTReport:
    """A point of the problem "least f(x) such that every g(x) = 0 and every h(x) ≥ 0", and what is known of it.

    ``equality_multipliers`` λ and ``inequality_multipliers`` α are those of L = f − Σ λg − Σ αh; α is zero where the
    inequality is not ``active`` (at zero). ``conditions`` says how far the KKT conditions are violated. ``curvature``
    holds the eigenvalues of the Hessian of L along the directions in which the constraints that carry a multiplier let
    the point move. ``regular`` says that the gradients of the active constraints are independent; where they are not,
    multipliers are not unique, and a minimum may have none.

    >>> report = kkt_report(lambda x: x[0] ** 2, [1.0], inequalities=[lambda x: x[0] - 1])
    >>> report
    f = 1 at (1)
    h[0] = 0, active, with multiplier 2
    a strict local minimum
    """

    position: Floats
    value: float
    equalities: Floats
    inequalities: Floats
    equality_multipliers: Floats
    inequality_multipliers: Floats
    active: tuple[bool, ...]
    regular: bool
    conditions: Conditions
    curvature: Floats
    verdict: Verdict

    def __repr__(self) -> str:
        point = ", ".join(f"{x:.6g}" for x in _rounded(self.position))
        lines = [f"f = {round(self.value, 9) + 0.0:.6g} at ({point})"]
        g, h = _rounded(self.equalities), _rounded(self.inequalities)
        for i, (value, multiplier) in enumerate(zip(g, _rounded(self.equality_multipliers), strict=True)):
            lines.append(f"g[{i}] = {value:.3g}, with multiplier {multiplier:.6g}")
        for i, (value, multiplier) in enumerate(zip(h, _rounded(self.inequality_multipliers), strict=True)):
            held = f"active, with multiplier {multiplier:.6g}" if self.active[i] else "not active"
            lines.append(f"h[{i}] = {value:.3g}, {held}")
        doubt = "" if self.regular else " (the gradients of the active constraints depend on each other)"
        return "\n".join([*lines, self.verdict.value + doubt])


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedOptimum:
    """The point a search ended at, as a report, and how the search ended.

    >>> optimum = minimise_constrained(lambda x: float(x @ x), [3.0, 3.0], equalities=[lambda x: x[0] + x[1] - 2])
    >>> optimum.report.position.round(6), optimum.outcome.name
    (array([1., 1.]), 'CONVERGED')
    """

    report: KKTReport
    outcome: Outcome
    steps: int


def kkt_report(
    objective: Smooth,
    x: ArrayLike,
    *,
    equalities: Sequence[Smooth] = (),
    inequalities: Sequence[Smooth] = (),
    tolerance: float = 1e-6,
) -> KKTReport:
    """Examine the point ``x`` of the problem: least f(x) such that every g(x) = 0 and every h(x) ≥ 0.

    Each function takes the point and returns its value, or its value and its gradient; gradients that are not given
    are found by differences, and so are second derivatives. An inequality is active if it is at most ``tolerance`` from
    zero; a condition holds if it is violated by at most ``tolerance`` (times the largest |∂f/∂x|, if that is above 1),
    so functions should be scaled to be of order one.

    The least −(2x + y² + xy) with x + 2y = 1. Without the constraint it falls for ever; along it, it is a parabola:

    >>> def f(p): return -(2 * p[0] + p[1] ** 2 + p[0] * p[1])
    >>> kkt_report(f, [4, -1.5], equalities=[lambda p: p[0] + 2 * p[1] - 1])
    f = -4.25 at (4, -1.5)
    g[0] = 0, with multiplier -0.5
    a strict local minimum
    """
    point = checks.floats("x", x, ndim=1)
    tolerance = checks.level("tolerance", tolerance)
    f, g, h = _problem(objective, equalities, inequalities)
    at_g, at_h = _values(g, point), _values(h, point)
    active = at_h <= tolerance
    slope = f.gradient(point)
    slopes_g, slopes_h = _gradients(g, point), _gradients(h, point)
    scale = max(1.0, float(np.abs(slope).max(initial=0.0)))
    lam, alpha = _multipliers(slope, slopes_g, slopes_h * active[:, None], tolerance * scale)
    conditions = kkt_conditions(
        slope - lam @ slopes_g - alpha @ slopes_h, equalities=at_g, inequalities=at_h, multipliers=alpha
    )
    held = np.vstack([slopes_g, slopes_h[active]])
    hessian = f.hessian(point)
    for multiplier, constraint in zip([*lam, *alpha], [*g, *h], strict=True):
        if multiplier:
            hessian = hessian - multiplier * constraint.hessian(point)
    carried = np.abs(alpha) > tolerance * scale
    strong = _curvature(hessian, np.vstack([slopes_g, slopes_h[carried]]))
    weak = _curvature(hessian, held)
    if conditions.feasible > tolerance:
        verdict = Verdict.INFEASIBLE
    elif conditions.stationarity > tolerance * scale:
        verdict = Verdict.NOT_STATIONARY
    else:
        flat = FLAT * max(1.0, float(np.abs(hessian).max()))
        verdict = _verdict(alpha[carried], strong, weak, flat)
    regular = bool(np.linalg.matrix_rank(held, tol=tolerance) == len(held)) if len(held) else True
    return KKTReport(
        point, f.value(point), at_g, at_h, lam, alpha, tuple(active.tolist()), regular, conditions, strong, verdict
    )


def minimise_constrained(
    objective: Smooth,
    start: ArrayLike,
    *,
    equalities: Sequence[Smooth] = (),
    inequalities: Sequence[Smooth] = (),
    steps: int = 200,
    tolerance: float = 1e-6,
) -> ConstrainedOptimum:
    """Search from ``start`` for the least f(x) such that every g(x) = 0 and every h(x) ≥ 0.

    Sequential quadratic programming (SciPy's SLSQP), for problems of a few dozen variables; the report judges the point
    it ends at as ``kkt_report`` does, and the search has converged only if all conditions hold there.

    >>> def f(p): return -(2 * p[0] + p[1] ** 2 + p[0] * p[1])
    >>> minimise_constrained(f, [0, 0], equalities=[lambda p: p[0] + 2 * p[1] - 1]).report.position.round(6)
    array([ 4. , -1.5])
    """
    from scipy.optimize import minimize

    first = checks.floats("start", start, ndim=1)
    steps = checks.count("steps", steps, least=1)
    tolerance = checks.level("tolerance", tolerance)
    f, g, h = _problem(objective, equalities, inequalities)
    constraints: list[Any] = [
        {"type": kind, "fun": function.value, "jac": function.gradient}
        for kind, functions in (("eq", g), ("ineq", h))
        for function in functions
    ]
    found = minimize(
        f.value,
        first,
        jac=f.gradient,
        method="SLSQP",
        constraints=constraints,
        options={"maxiter": steps, "ftol": 1e-15},
    )
    report = kkt_report(objective, found.x, equalities=equalities, inequalities=inequalities, tolerance=tolerance)
    if report.verdict in (Verdict.MINIMUM, Verdict.UNDECIDED) and report.conditions.sign <= tolerance:
        outcome = Outcome.CONVERGED
    else:
        outcome = Outcome.OUT_OF_STEPS if found.nit >= steps else Outcome.STALLED
    return ConstrainedOptimum(report, outcome, int(found.nit))


def _problem(
    objective: Smooth, equalities: Sequence[Smooth], inequalities: Sequence[Smooth]
) -> tuple[Differentiable, list[Differentiable], list[Differentiable]]:
    for name, functions in (("equalities", equalities), ("inequalities", inequalities)):
        if not isinstance(functions, (list, tuple)) or not all(map(callable, functions)):
            raise InvalidInput(f"{name} must be a list of functions of x; got {checks.shown(functions)}")
    return (
        Differentiable("f", objective),
        [Differentiable(f"g[{i}]", function) for i, function in enumerate(equalities)],
        [Differentiable(f"h[{i}]", function) for i, function in enumerate(inequalities)],
    )


def _values(functions: list[Differentiable], x: Floats) -> Floats:
    return np.array([function.value(x) for function in functions])


def _gradients(functions: list[Differentiable], x: Floats) -> Floats:
    return np.array([function.gradient(x) for function in functions]).reshape(len(functions), len(x))


def _multipliers(slope: Floats, g: Floats, h: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """λ and α with ∇f = Σ λ∇g + Σ α∇h and α ≥ 0 if there are any, else those of least squares, whatever their signs."""
    from scipy.optimize import nnls

    mixed, _ = nnls(np.vstack([g, -g, h]).T, slope) if len(g) + len(h) else (np.zeros(0), 0.0)
    lam, alpha = mixed[: len(g)] - mixed[len(g) : 2 * len(g)], mixed[2 * len(g) :]
    if np.abs(slope - lam @ g - alpha @ h).max(initial=0.0) > tolerance:
        free: Floats = np.asarray(np.linalg.lstsq(np.vstack([g, h]).T, slope, rcond=None)[0])
        lam, alpha = free[: len(g)], free[len(g) :]
    return lam, alpha


def _curvature(hessian: Floats, held: Floats) -> Floats:
    """The eigenvalues of the Hessian along the directions that no row of ``held`` sees."""
    from scipy.linalg import null_space

    free = null_space(held) if len(held) else np.eye(len(hessian))
    return np.asarray(np.linalg.eigvalsh(free.T @ hessian @ free)) if free.size else np.zeros(0)


def _verdict(carried: Floats, strong: Floats, weak: Floats, flat: float) -> Verdict:
    """``carried``: the multipliers that are not zero; ``strong`` and ``weak``: curvature where only those constraints
    hold the point, and where all active ones do.
    """
    pushed_in, pushed_out = bool((carried > 0).any()), bool((carried < 0).any())
    if not pushed_out and (strong > flat).all():
        return Verdict.MINIMUM
    if not pushed_in and (strong < -flat).all():
        return Verdict.MAXIMUM
    no_minimum = pushed_out or bool((weak < -flat).any())
    no_maximum = pushed_in or bool((weak > flat).any())
    return Verdict.SADDLE if no_minimum and no_maximum else Verdict.UNDECIDED


def _rounded(values: Floats) -> Floats:
    """Without what differences leave in the last digits, and without minus zero."""
    return np.asarray(values.round(9) + 0.0)
