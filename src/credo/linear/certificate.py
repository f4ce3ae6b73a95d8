"""Whether a plane separates two sets of rows, with the proof: a plane that does, or a point that both sets surround.

A plane that separates can be scaled so that u·v ≥ 1 for every row, u being the row with a one at its end, times the
sign of its side. The linear program allows what is missing, ξ, and makes the mean of it over each set least:

    least  Σ ξ / n  such that  u·v ≥ 1 − ξ and ξ ≥ 0.

If the answer is zero, v separates. If it is not, the multipliers λ of the rows, none below zero, mix the rows of each
set to the same point: Σ λu = 0. No plane can have that point on both sides, which proves that none separates (the
lemma of Farkas). What is solved is the dual, the largest Σ λ with Σ λu = 0: it has a row for each column of the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.errors import NumericalFailure
from credo.numerics import NearestPoints, nearest_points

__all__ = ["Certificate", "separate"]

ROUNDING = 16 * float(np.finfo(np.float64).eps)  # of what is summed up along a direction: a gap not above it is none
MET = 1e-6  # two mixtures that differ by less, in the range of each column, are the point a linear program finds
SOLVED = 0  # HiGHS by way of SciPy

Rows = NDArray[np.intp]
Sets = tuple[Rows, Rows]
Mixtures = tuple[Rows, Floats, Rows, Floats]  # which rows of the first set, their shares, and of the second


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certificate:
    """A plane x·direction + offset = 0 between two sets of rows, ``direction`` of length one, and what it proves.

    If ``separable``, every row lies at least ``margin`` from the plane, on the side of its set. If not, ``margin`` is
    not above zero, and ``point`` lies in the convex hulls of both sets: it is ``weights[:k] @ X[rows[:k]]``, of rows of
    the first set, and ``weights[k:] @ X[rows[k:]]``, of rows of the second, where k = ``first``; in no column the two
    differ by more than ``miss`` of its range, which is rounding. Where the margin is the largest there is, the rows and
    weights mix the two nearest points of the hulls instead, 2 × ``margin`` apart, and ``point`` is half way between.

    >>> between = separate(np.array([[0.0], [1.0], [3.0]]), np.array([True, False, True]))
    >>> between
    no plane separates: (1) is a mixture of 2 rows of the first set and of 1 row of the second
    >>> between.rows, between.weights.round(6)
    (array([0, 2, 1]), array([0.666667, 0.333333, 1.      ]))
    """

    separable: bool
    direction: Floats
    offset: float
    margin: float
    point: Floats | None = None
    rows: Rows | None = None
    weights: Floats | None = None
    first: int = 0
    miss: float = 0.0

    def __repr__(self) -> str:
        if self.separable:
            return f"a plane separates, with a margin of {self.margin:.6g}"
        if self.point is None or self.weights is None:
            return "no plane separates"
        few = ", ".join(f"{x:.4g}" for x in self.point[:6]) + (", …" if len(self.point) > 6 else "")
        k = len(self.weights) - self.first
        first, second = (f"{n} row{'' if n == 1 else 's'}" for n in (self.first, k))
        return f"no plane separates: ({few}) is a mixture of {first} of the first set and of {second} of the second"


def separate(X: Floats, mine: NDArray[np.bool_], *, widest: bool = False) -> Certificate:
    """Separate the rows that are ``mine``, on the positive side, from the others, by any plane or by the ``widest``.

    >>> found = separate(np.array([[0.0, 5.0], [0.0, -5.0], [4.0, 0.0]]), np.array([False, False, True]), widest=True)
    >>> found.direction.round(9), round(found.offset, 9), round(found.margin, 9)
    (array([1., 0.]), -2.0, 2.0)
    """
    sets = np.flatnonzero(mine), np.flatnonzero(~mine)
    if widest:
        near = nearest_points(X[sets[0]], X[sets[1]])
        plane = _between(X, mine, near.first - near.second)
        if plane.separable:
            return _proved(plane, X, _mixed_as(sets, near))
    plane, multipliers = _program(X, mine)
    if plane.separable:
        return plane
    proved = _proved(plane, X, _mixed_by(X, sets, multipliers))
    if proved.miss <= MET:
        return proved
    # The program stopped short of the proof, or of the plane; the exact method does not.
    near = nearest_points(X[sets[0]], X[sets[1]])
    exact = _between(X, mine, near.first - near.second)
    return _proved(exact if exact.separable else plane, X, _mixed_as(sets, near))


def _program(X: Floats, mine: NDArray[np.bool_]) -> tuple[Certificate, Floats]:
    """The plane of least mean ξ, and the multiplier of each row."""
    from scipy.optimize import linprog

    centre, half = _middle(X)
    sign = np.where(mine, 1.0, -1.0)
    signed = np.vstack([((X - centre) / half).T, np.ones(len(X))]) * sign
    most = np.where(mine, len(X) / (2 * mine.sum()), len(X) / (2 * (~mine).sum()))
    bounds: Any = np.column_stack([np.zeros(len(X)), most])
    found = linprog(
        -np.ones(len(X)),
        A_eq=signed,
        b_eq=np.zeros(len(signed)),
        bounds=bounds,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status != SOLVED:
        raise NumericalFailure(f"the linear program was not solved: {found.message}. Standardise the columns of X")
    normal, offset = -found.eqlin.marginals[:-1] / half, -float(found.eqlin.marginals[-1])
    return _between(X, mine, normal, offset - float(normal @ centre)), np.asarray(found.x)


def _between(X: Floats, mine: NDArray[np.bool_], normal: Floats, offset: float = 0.0) -> Certificate:
    """The plane across ``normal``: half way between the sets, if it separates them, else where ``offset`` says."""
    length = float(np.linalg.norm(normal))
    if not length:  # every direction is as bad; what is left is on which side all rows are
        return Certificate(False, normal, float(np.sign(offset)), -float(offset != 0))
    direction = normal / length
    along = X @ direction
    near, far = float(along[mine].min()), float(along[~mine].max())
    if near - far > ROUNDING * float(np.abs(direction) @ np.abs(X).max(axis=0)):
        return Certificate(True, direction, -(near + far) / 2, (near - far) / 2)
    level = offset / length
    return Certificate(False, direction, level, min(near + level, -far - level))


def _middle(X: Floats) -> tuple[Floats, Floats]:
    """The middle of each column, and how far it reaches from there: 1 where it does not vary."""
    low, high = X.min(axis=0), X.max(axis=0)
    return low / 2 + high / 2, np.where(high > low, high / 2 - low / 2, 1.0)


def _mixed_by(X: Floats, sets: Sets, multipliers: Floats) -> Mixtures:
    """The rows of each set that have a multiplier, or as many of them as it takes, and their shares."""
    least = 1e-9 * float(multipliers.max())
    rows = [places[multipliers[places] > least] for places in sets]
    if not all(len(held) for held in rows):  # nothing is mixed: as good as no proof
        rows = [places[:1] for places in sets]
        return rows[0], np.ones(1), rows[1], np.ones(1)
    centre, half = _middle(X)
    near = nearest_points((X[rows[0]] - centre) / half, (X[rows[1]] - centre) / half)
    if near.meet:  # d + 1 pairs of rows at most, where a linear program takes many
        return _mixed_as((rows[0], rows[1]), near)
    a, b = (multipliers[held] / multipliers[held].sum() for held in rows)
    return rows[0], a, rows[1], b


def _mixed_as(sets: Sets, near: NearestPoints) -> Mixtures:
    return sets[0][near.first_rows], near.first_weights, sets[1][near.second_rows], near.second_weights


def _proved(plane: Certificate, X: Floats, mixed: Mixtures) -> Certificate:
    """The plane, with what two mixtures of rows prove about it."""
    a, weights_a, b, weights_b = mixed
    first, second = weights_a @ X[a], weights_b @ X[b]
    spread = X.max(axis=0) - X.min(axis=0)
    miss = float((np.abs(first - second)[spread > 0] / spread[spread > 0]).max(initial=0.0))
    return Certificate(
        plane.separable,
        plane.direction,
        plane.offset,
        plane.margin,
        (first + second) / 2,
        np.append(a, b),
        np.append(weights_a, weights_b),
        len(a),
        0.0 if plane.separable else miss,
    )
