"""The nearest points of two convex hulls: how far two sets of points are apart, and along which direction.

Where the hulls do not meet, the direction between the nearest points separates the sets with the largest margin there
is; where they meet, the point found lies in both, and no plane separates the sets. Half the distance is the margin of
the maximum margin classifier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape, Outcome

__all__ = ["NearestPoints", "nearest_points"]

RELATIVE_GAP = 1e-10  # of the squared distance: how much nearer the hulls may still be when the search ends
TOUCHING = 1e-12  # of the size of the points: hulls nearer than this meet, as far as arithmetic can tell
STILL_TOUCHING = 1e-8  # the same where rounding has ended the search
NEGLIGIBLE = 1e-14  # a weight not above this is zero
DEPENDENT = 1e-14  # of a row's square: what is left of it beside the others, if that is no more, is rounding
SETTLED, REFINED = (
    1e-12,
    6,
)  # solutions at most, each of what the last left; rows that need more nearly depend on each other


@dataclass(frozen=True, slots=True, eq=False)
class NearestPoints:
    """Two points, one in each hull, as near to each other as they can be, and how they are mixed.

    ``first = first_weights @ A[first_rows]`` and likewise for ``second``; the weights are positive and sum to one.
    ``meet`` says that the hulls have a point in common (``distance`` is then zero but for rounding), and ``gap`` by how
    much the distance could still be too large.

    >>> found = nearest_points([[0.0, 1.0], [4.0, 3.0]], [[0.0, -1.0], [-5.0, -1.0]])
    >>> found.first.round(9), found.second.round(9) + 0, found.first_rows
    (array([0., 1.]), array([ 0., -1.]), array([0]))
    """

    first: Floats
    second: Floats
    first_rows: NDArray[np.intp]
    first_weights: Floats
    second_rows: NDArray[np.intp]
    second_weights: Floats
    distance: float
    gap: float
    meet: bool
    outcome: Outcome
    steps: int


def nearest_points(A: ArrayLike, B: ArrayLike, *, steps: int = 10_000) -> NearestPoints:
    """The points a in the convex hull of the rows of ``A`` and b in that of ``B`` for which |a − b| is least.

    Wolfe's method: a − b is kept as the shortest mixture of a few differences of rows, and at each step the difference
    that lies furthest towards the origin joins them. It ends when none would make the mixture shorter, which takes
    finitely many steps; each costs one look at all rows and a small least squares problem.

    >>> nearest_points([[0.0, 0.0], [2.0, 2.0]], [[0.0, 2.0], [2.0, 0.0]]).meet  # a cross
    True
    >>> round(nearest_points([[3.0, -1.0], [3.0, 1.0]], [[0.0, 0.0]]).distance, 9)
    3.0
    """
    first, second = _points("A", A), _points("B", B)
    if first.shape[1] != second.shape[1]:
        raise BadShape(f"A and B must have the same columns; got {first.shape[1]} and {second.shape[1]}")
    steps = checks.count("steps", steps, least=1)
    centre = (first.mean(axis=0) + second.mean(axis=0)) / 2  # far from the origin, differences would lose digits
    search = _Search(first - centre, second - centre)
    outcome, taken = search.run(steps)
    rows_a, weights_a = _merged(search.pairs[:, 0], search.weights)
    rows_b, weights_b = _merged(search.pairs[:, 1], search.weights)
    a, b = weights_a @ search.first[rows_a] + centre, weights_b @ search.second[rows_b] + centre
    distance = float(np.linalg.norm(search.shortest))
    meet = distance <= (TOUCHING if outcome is not Outcome.STALLED else STILL_TOUCHING) * search.size
    if meet:
        outcome = Outcome.CONVERGED
    gap = distance if meet else max(0.0, distance - search.bound)
    return NearestPoints(a, b, rows_a, weights_a, rows_b, weights_b, distance, gap, meet, outcome, taken)


class _Search:
    """One run: ``pairs`` of rows whose differences are mixed by ``weights`` into the ``shortest`` vector so far."""

    def __init__(self, first: Floats, second: Floats) -> None:
        self.first, self.second = first, second
        self.size = float(max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0)))
        self.shortest = first.mean(axis=0) - second.mean(axis=0)
        self.pairs = self._furthest()[None, :]
        self.weights = np.ones(1)
        self.shortest = first[self.pairs[0, 0]] - second[self.pairs[0, 1]]
        self.mixture = _Mixture(self.shortest)
        self.bound = 0.0  # the hulls are at least so far apart

    def run(self, steps: int) -> tuple[Outcome, int]:
        for step in range(steps):
            square = float(self.shortest @ self.shortest)
            if square <= (TOUCHING * self.size) ** 2:
                return Outcome.CONVERGED, step
            pair = self._furthest()
            difference = self.first[pair[0]] - self.second[pair[1]]
            reach = float(difference @ self.shortest)
            self.bound = max(self.bound, reach / np.sqrt(square))
            if reach >= (1 - RELATIVE_GAP) * square:
                return Outcome.CONVERGED, step
            if (self.pairs == pair).all(axis=1).any():  # it is in the mixture already: what is left is rounding
                return Outcome.STALLED, step
            self.pairs, self.weights = np.vstack([self.pairs, pair]), np.append(self.weights, 0.0)
            self.mixture.join(difference)
            self._shorten()
            if float(self.shortest @ self.shortest) >= square:
                return Outcome.STALLED, step
        return Outcome.OUT_OF_STEPS, steps

    def _furthest(self) -> NDArray[np.intp]:
        """The pair of rows whose difference reaches least far along the shortest vector."""
        nearest, farthest = (self.first @ self.shortest).argmin(), (self.second @ self.shortest).argmax()
        return np.array([nearest, farthest], dtype=np.intp)

    def _shorten(self) -> None:
        """Mix the pairs so that the mixture is shortest, and leave out those that would need a negative weight."""
        while True:
            wanted = self.mixture.shortest()
            if (wanted > NEGLIGIBLE).all():
                self.weights = wanted
                break
            # As far towards the wanted mixture as all weights stay positive; at least one pair is left out there.
            down = wanted <= NEGLIGIBLE
            share = self.weights[down] / np.maximum(self.weights[down] - wanted[down], np.finfo(float).tiny)
            mixed = self.weights + min(float(share.min()), 1.0) * (wanted - self.weights)
            mixed[np.flatnonzero(down)[share.argmin()]] = 0.0
            kept = mixed > NEGLIGIBLE
            self.pairs, self.weights = self.pairs[kept], mixed[kept] / mixed[kept].sum()
            self.mixture.keep(kept)
        self.shortest = self.weights @ self.mixture.rows


class _Mixture:
    """The rows that are mixed, with the factor L Lᵀ = M = their products + ``lift``.

    M u = 1 gives the shortest mixture u / Σu, for any lift above zero: it makes M positive definite where the rows are
    independent but for their place in space. A row that joins costs the square of their number, not the cube.
    """

    def __init__(self, row: Floats) -> None:
        self.lift = float(row @ row) or 1.0
        self.rows = row[None, :]
        self.lifted = np.array([[float(row @ row) + self.lift]])
        self.lower: Floats | None = np.sqrt(self.lifted)

    def join(self, row: Floats) -> None:
        from scipy.linalg import solve_triangular

        across, own = self.rows @ row + self.lift, float(row @ row) + self.lift
        k = len(across)
        self.rows = np.vstack([self.rows, row])
        self.lifted = np.block([[self.lifted, across[:, None]], [across, np.array([own])]])
        if self.lower is not None:
            edge = solve_triangular(self.lower, across, lower=True, check_finite=False)
            left = own - float(edge @ edge)
            lower = np.zeros((k + 1, k + 1))
            lower[:k, :k], lower[k, :k], lower[k, k] = self.lower, edge, np.sqrt(max(left, 0.0))
            self.lower = lower if left > DEPENDENT * own else None

    def keep(self, kept: NDArray[np.bool_]) -> None:
        from scipy.linalg import lapack

        self.rows, self.lifted = self.rows[kept], self.lifted[np.ix_(kept, kept)]
        lower, failed = lapack.dpotrf(self.lifted, lower=1)
        self.lower = None if failed else lower

    def shortest(self) -> Floats:
        """The weights, summing to one and of any sign, that make the mixture shortest."""
        from scipy.linalg import lapack, lstsq

        if len(self.rows) == 1:
            return np.ones(1)
        if self.lower is not None:
            ones, _ = lapack.dpotrs(self.lower, np.ones(len(self.rows)), lower=1)
            weights = ones / ones.sum()
            # M is quick to solve with and loses digits, which come back from what the mixture has along each row:
            # along the shortest one that is the same for all.
            for _ in range(REFINED):
                off, _ = lapack.dpotrs(self.lower, self.rows @ (weights @ self.rows), lower=1)
                change = ones * (off.sum() / ones.sum()) - off
                weights = weights + change
                if np.abs(change).max() <= SETTLED * np.abs(weights).max():
                    return np.asarray(weights / weights.sum())
        apart = (self.rows[1:] - self.rows[0]).T
        solved = np.asarray(lstsq(apart, -self.rows[0], lapack_driver="gelsy", check_finite=False)[0])
        return np.append(1 - solved.sum(), solved)


def _merged(rows: NDArray[np.intp], weights: Floats) -> tuple[NDArray[np.intp], Floats]:
    """A row that stands in several pairs once, with all their weight."""
    held, place = np.unique(rows, return_inverse=True)
    return held, np.bincount(place, weights) / weights.sum()


def _points(name: str, value: ArrayLike) -> Floats:
    points = checks.floats(name, value, ndim=2)
    if not len(points):
        raise BadShape(f"{name} must hold at least one point; got shape {points.shape}")
    return points
