"""The conditions of Karush, Kuhn and Tucker: how far a point and its multipliers are from solving a problem.

For the least f(x) such that every g(x) = 0 and every h(x) ≥ 0, with the Lagrangian L = f − Σ λg − Σ αh, a solution has

    ∇L = 0,    g = 0,    h ≥ 0,    α ≥ 0,    αh = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks

__all__ = ["Conditions", "kkt_conditions"]


@dataclass(frozen=True, slots=True)
class Conditions:
    """By how much each of the five conditions is violated; all are zero at a solution.

    ``stationarity`` is the largest |∂L/∂x|, ``equality`` the largest |g|, ``inequality`` how far the least h falls
    short of zero, ``sign`` how far the least α does, and ``slackness`` the largest |αh|.

    >>> Conditions(1e-9, 0.0, 0.0, 0.0, 1e-3).worst
    0.001
    """

    stationarity: float
    equality: float
    inequality: float
    sign: float
    slackness: float

    @property
    def feasible(self) -> float:
        """The largest violation of a constraint."""
        return max(self.equality, self.inequality)

    @property
    def worst(self) -> float:
        """The largest violation of any condition."""
        return max(self.stationarity, self.feasible, self.sign, self.slackness)


def kkt_conditions(
    slope: ArrayLike, *, equalities: ArrayLike = (), inequalities: ArrayLike = (), multipliers: ArrayLike = ()
) -> Conditions:
    """Measure the violations at a point, from arrays that a machine has at hand however large the problem is.

    ``slope`` is the gradient of the Lagrangian ∇L = ∇f − Σ λ∇g − Σ α∇h, ``equalities`` and ``inequalities`` are the
    values g(x) and h(x), and ``multipliers`` the α, one for each h.

    The least x² with x ≥ 1 is at x = 1, where α = 2:

    >>> kkt_conditions([2 * 1.0 - 2.0], inequalities=[1.0 - 1.0], multipliers=[2.0]).worst
    0.0
    >>> kkt_conditions([2 * 1.5 - 2.0], inequalities=[1.5 - 1.0], multipliers=[2.0])
    Conditions(stationarity=1.0, equality=0.0, inequality=0.0, sign=0.0, slackness=1.0)
    """
    slopes = checks.floats("slope", slope, ndim=1)
    g, h = checks.floats("equalities", equalities, ndim=1), checks.floats("inequalities", inequalities, ndim=1)
    alpha = checks.floats("multipliers", multipliers, ndim=1)
    checks.rows_match("inequalities", len(h), "multipliers", len(alpha))
    return Conditions(
        stationarity=float(np.abs(slopes).max(initial=0.0)),
        equality=float(np.abs(g).max(initial=0.0)),
        inequality=float((-h).max(initial=0.0)),
        sign=float((-alpha).max(initial=0.0)),
        slackness=float(np.abs(alpha * h).max(initial=0.0)),
    )
