"""Classes that a plane tells apart, so that no weights are the most likely: the further out, the better.

The data are separated along V ≠ 0 if the log odds Vx never speak against the class of a row: ℓ_y ≥ ℓ_k for every row
and every class k, and not all are equal. If all are greater, for some V, separation is complete; otherwise there are
rows on the plane, which do have a best fit, and it is quasi-complete. Along V the likelihood rises for ever.

Such a V is the answer of a linear program, max Σ (ℓ_y − ℓ_k) with ℓ_y − ℓ_k ≥ 0 and |v| ≤ 1; it is found with few of
the rows as constraints, to which those that the answer offends are added until there are none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.classes import Classes
from credo.linear.design import Design
from credo.linear.newton import Mode, Problem, climb

__all__ = ["Separation", "most_likely", "separating"]

NEAR = 1e-5  # λ², from which the last few steps are watched
LAST, LAST_SECANTS = 6, 15

TOUCHES = 1e-6  # of the length of a row: a log odds so small is zero for a linear program
ROUNDS = 100
ADDED = 4  # constraints for each unknown, in each round


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """The direction along which the likelihood rises for ever: adding any multiple of it to the weights fits better.

    ``kind`` is "complete" or "quasi-complete", ``coef`` and ``intercept`` are the direction, with the shapes of
    ``coef_`` and ``intercept_``; ``on_plane`` is how many rows it says nothing about.

    >>> Separation("complete", np.array([[1.0]]), np.array([-4.5]), 0).on_plane
    0
    """

    kind: str
    coef: Floats
    intercept: Floats
    on_plane: int


def most_likely(problem: Problem, *, steps: int) -> tuple[Mode, tuple[str, Floats, int] | None]:
    """The weights of greatest likelihood; or where the search for them ended, and what ``separating`` says of the rows.

    Near a mode Newton's steps square what is left of λ². Where there is none λ² only falls to a third each time, and
    that is when the rows are looked at.
    """
    start = np.zeros((problem.classes.basis.shape[1], problem.design.width))
    near = climb(problem, start, steps=steps, close=NEAR)
    if near.outcome is Outcome.INTERRUPTED:
        return near, None
    last = climb(problem, near.weights, steps=LAST_SECANTS if problem.tall else LAST)
    last = replace(last, trace=near.trace + last.trace[1:])
    if last.outcome in (Outcome.CONVERGED, Outcome.INTERRUPTED):
        return last, None
    found = separating(problem.design, problem.classes, last.weights)
    if found is not None:
        return replace(last, outcome=Outcome.UNBOUNDED), found
    if near.outcome is not Outcome.CONVERGED:
        return replace(last, outcome=near.outcome), None
    rest = climb(problem, last.weights, steps=steps)
    return replace(rest, trace=last.trace + rest.trace[1:]), None


def separating(design: Design, classes: Classes, weights: Floats) -> tuple[str, Floats, int] | None:
    """What kind of separation there is, a direction (m, width) and how many rows it leaves open; None if there is none.

    ``weights`` are where a search for the most likely ones ended.
    """
    if (_margins(design, classes, weights) > 0).all():
        return "complete", weights / np.abs(weights).max(), 0
    direction = _program(design, classes, weights)
    if direction is None:
        return None
    margins = _margins(design, classes, direction)
    open_rows = int((margins.max(axis=0) <= TOUCHES * _lengths(design, np.ones(design.width))).sum())
    return "quasi-complete", direction, open_rows


def _margins(design: Design, classes: Classes, weights: Floats) -> Floats:
    """ℓ_y − ℓ_k for each row and each other class k: (K − 1, rows)."""
    logits = classes.basis @ design.times(weights)
    k, n = logits.shape
    margins = logits[classes.codes, np.arange(n)] - logits
    others = np.arange(k)[:, None] != classes.codes
    return np.asarray(margins.T[others.T].reshape(n, k - 1).T)


def _lengths(design: Design, scale: Floats) -> Floats:
    """The length of each row, its columns divided by ``scale``."""
    return np.asarray(np.sqrt(design.spreads(np.diag(scale**-2.0)[None, None])[:, 0, 0]))


def _program(design: Design, classes: Classes, weights: Floats) -> Floats | None:
    """The direction that answers the linear program, if it is not zero."""
    m, width = weights.shape
    k, n = len(classes.basis), design.rows
    gram = design.gram(np.ones(n))
    scale = np.sqrt(np.diag(gram) / n)
    scale[scale == 0] = 1.0
    length = np.maximum(_lengths(design, scale), np.finfo(np.float64).tiny)
    own = np.zeros((k, n))
    own[classes.codes, np.arange(n)] = 1.0
    gain = (design.pull(classes.basis.T @ own) / scale).ravel()
    gain /= np.abs(gain).max() or 1.0
    constraints = np.zeros((0, m * width))
    direction = weights
    for _ in range(ROUNDS):
        margins = _margins(design, classes, direction) / length
        constraints = np.vstack([constraints, _offended(design, classes, margins, scale, length)])
        found = optimize.linprog(-gain, A_ub=-constraints, b_ub=np.zeros(len(constraints)), bounds=(-1, 1))
        if found.x is None:
            return None
        direction = found.x.reshape(m, width) / scale
        margins = _margins(design, classes, direction) / length
        if margins.max() <= 10 * TOUCHES or float(gain @ found.x) <= TOUCHES:
            return None  # even with few of the constraints there is nothing to gain
        if margins.min() >= -TOUCHES:
            return direction
    return None


def _offended(design: Design, classes: Classes, margins: Floats, scale: Floats, length: Floats) -> Floats:
    """The constraints with the least margins, as rows for the unknowns."""
    k = len(classes.basis)
    few = min(ADDED * design.width * (k - 1), margins.size)
    worst = np.argpartition(margins.ravel(), few - 1)[:few]
    which, rows = np.unravel_index(worst, margins.shape)
    own = classes.codes[rows]
    other = which + (which >= own)
    part = Design(design.values[rows], design.intercept)
    x = part.dense() / scale / length[rows, None]
    return np.asarray(np.einsum("im,ij->imj", classes.basis[own] - classes.basis[other], x).reshape(few, -1))
