"""Expectations under laws of one number, to about ten digits: sums over the atoms or quadrature over the quantiles.

A density is integrated over probability instead of over x: E[f(X)] = ∫ f(Q(u)) du, in two halves, each with u = e^−t
counted from its own tail. Singular densities, heavy tails and odd scales all become smooth in t. The panels are cut
where any law that takes part has its quantiles, so that nothing narrow is stepped over, and are halved until the answer
stands still. What will not stand still is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.errors import InvalidInput, NumericalFailure, TooLarge

if TYPE_CHECKING:
    from credo.beliefs.base import Belief

__all__ = ["divergence", "entropy", "expect", "whole_numbers"]

Laws = tuple["Belief", ...]
Rows = NDArray[np.intp]
Function = Callable[[Floats, Laws], Floats]

TOLERANCE = 1e-10
HALVINGS = 7
ORDER = 16
FAR = 650.0  # the last t: e^-650 is about the smallest number that can still be divided by
FAR_ENDS = np.array([[FAR / 2], [FAR]])
EDGES = np.array([np.log(2), 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, FAR])
LANDMARKS = np.array([0, 1e-6, 0.02, 0.25, 0.5, 0.75, 0.98, 1 - 1e-6, 1])
NOTHING = 1e-15  # a probability that changes no digit that is promised
CELLS = 1_000_000  # rows are taken in groups so that no array is larger than about this
LARGEST = 1e290
MOST_ATOMS = 50_000_000


def divergence(p: Belief, q: Belief) -> Floats:
    """E_p[log p(x) − log q(x)]."""
    if p.event_shape:
        raise InvalidInput(
            f"there is no closed form for the divergence of a {type(p).__name__} from a {type(q).__name__}; "
            "estimate it from draws: x = p.sample(10_000, rng); (p.log_prob(x) - q.log_prob(x)).mean(axis=0)"
        )
    p._components(), q._components()  # a law without a density refuses here
    if p.discrete != q.discrete:  # each gives probability one to what the other thinks impossible
        return np.full(_rows_of((p, q)), np.inf)
    inside = (p.quantile(0.0) >= q.quantile(0.0)) & (p.quantile(1.0) <= q.quantile(1.0))
    value = np.where(inside, expect(p, _log_ratio, (p, q)), np.inf)
    if (value < -1e-6).any():  # never true of a divergence
        raise _failure(p)
    return value


def entropy(p: Belief) -> Floats:
    """E_p[−log p(x)]."""
    if p.event_shape:
        raise InvalidInput(
            f"the entropy of this {type(p).__name__} has no closed form; "
            "estimate it from draws: -p.log_prob(p.sample(10_000, rng)).mean(axis=0)"
        )
    return expect(p, _surprise, (p,))


def expect(under: Belief, function: Function, laws: Laws) -> Floats:
    """E[f(X)] for X of the law ``under``, for every row; f is called as ``function(x, laws)``, rows chosen alike."""
    shape = _rows_of((under, *laws))
    n = shape[0] if shape else 1
    group = max(1, CELLS // (2 * ORDER * len(EDGES) * 2))
    pieces = [_group(under, function, laws, np.arange(start, min(n, start + group))) for start in range(0, n, group)]
    total = np.concatenate(pieces) if pieces else np.empty(0)
    return total if shape else total[0]


def whole_numbers(law: Belief, step: Floats, *, tail: Floats | float = 0.0) -> tuple[Floats, Floats]:
    """The whole numbers that carry the mass of a discrete law, ``step`` apart, and how many each stands for.

    A step above one is exact to rounding when it is a small part of the standard deviation of everything summed: the
    trapezoid rule on a smooth hump converges faster than any power. A law with an upper tail heavier than the normal
    one says how much further its ``tail`` reaches.
    """
    low, high = law.quantile(0.0), law.quantile(1.0)
    reach = 14 * law.sd + 60
    first, last = np.maximum(low, np.floor(law.mean - reach)), np.minimum(high, np.ceil(law.mean + reach + tail))
    terms = np.max((last - first) // step, initial=0) + 1
    if not terms <= MOST_ATOMS:  # nor NaN, where the mean or the deviation is beyond all numbers
        raise TooLarge(f"a sum over more than {MOST_ATOMS:,} values; draw a sample and average instead")
    atoms = first + step * np.arange(int(terms)).reshape(-1, *(1,) * np.ndim(first))
    return np.minimum(atoms, last), np.where(atoms <= last, step, 0.0)


def _log_ratio(x: Floats, laws: Laws) -> Floats:
    p, q = laws
    mine, theirs = p.log_prob(x), q.log_prob(x)
    with np.errstate(invalid="ignore"):
        return mine - theirs


def _surprise(x: Floats, laws: Laws) -> Floats:
    return -laws[0].log_prob(x)


def _rows_of(laws: Laws) -> tuple[int, ...]:
    return np.broadcast_shapes(*(law.batch_shape for law in laws))


def _take(law: Belief, rows: Rows) -> Belief:
    return law._take(rows) if law.batch_shape else law


def _group(under: Belief, function: Function, laws: Laws, rows: Rows) -> Floats:
    laws = tuple(_take(law, rows) for law in laws)
    total = np.zeros(len(rows))
    one = _atomic if under.discrete else _smooth
    for weight, part in _take(under, rows)._components():
        weights = np.broadcast_to(weight, len(rows))
        some = np.flatnonzero(weights)
        if len(some):  # a part of no weight does not count, even if its own expectation is infinite
            with np.errstate(all="ignore"):
                value = one(_take(part, some), function, tuple(_take(law, some) for law in laws), len(some))
            total[some] += weights[some] * value
    return total


def _atomic(part: Belief, function: Function, laws: Laws, n: int) -> Floats:
    """A sum over the atoms of a discrete law."""
    everyone = [law for whole in (part, *laws) for _, law in whole._components()]
    narrowest = np.min([np.broadcast_to(law.sd, n) for law in everyone], axis=0)
    step = np.maximum(1.0, narrowest // 16)
    atoms, count = part._atoms(step if part.batch_shape else step.min())
    atoms = atoms.reshape(len(atoms), -1)
    weight = count.reshape(len(count), -1) * np.exp(part.log_prob(atoms))
    value = function(np.broadcast_to(atoms, (len(atoms), n)), laws)
    total: Floats = np.where(weight > 0, weight * value, 0.0).sum(axis=0)
    if np.isnan(total).any():
        raise _failure(part)
    return total


def _smooth(part: Belief, function: Function, laws: Laws, n: int) -> Floats:
    """Quadrature over the quantiles of a law with a density, row by row as finely as the row needs."""
    result, active = np.full(n, np.nan), np.arange(n)
    before: Floats = np.full(n, np.nan)
    for halving in range(HALVINGS):
        here, beside = _take(part, active), tuple(_take(law, active) for law in laws)
        low = _half(here, function, beside, len(active), halving, upper=False)
        high = _half(here, function, beside, len(active), halving, upper=True)
        value, size = low[0] + high[0], low[1] + high[1]
        good = (value == before) | (np.abs(value - before) <= TOLERANCE * np.maximum(size, 1e-3))
        result[active[good]] = value[good]
        active, before = active[~good], value[~good]
        if not len(active):
            return result
    raise _failure(part)


def _half(part: Belief, function: Function, laws: Laws, n: int, halving: int, *, upper: bool) -> tuple[Floats, Floats]:
    """The integral over one half of the probability, and the sum of its absolute values."""
    edges = _edges(part, laws, n, upper=upper)
    fractions, weights = _rule(halving)
    width = np.diff(edges, axis=0)[:, None]
    t = edges[:-1, None] + width * fractions[:, None]
    # Two points beyond the panels tell whether the integrand has died away where numbers end.
    heights, beyond = _integrand(
        part, function, laws, np.concatenate([t.reshape(-1, n), FAR_ENDS.repeat(n, axis=1)]), upper=upper
    )
    terms = np.where(width > 0, heights[:-2].reshape(t.shape) * width * weights[:, None], 0.0)
    total, size = terms.sum(axis=(0, 1)), np.abs(terms).sum(axis=(0, 1))
    halfway, end = heights[-2:]
    overflown = np.where(beyond, np.abs(heights), 0.0).max(axis=0)
    alive = np.maximum(np.abs(end), overflown) * FAR > 1e-10 * size
    endless = (np.abs(end) >= (1 - 1e-9) * np.abs(halfway)) & (overflown == 0)
    return np.where(alive, np.where(endless, np.copysign(np.inf, end), np.nan), total), size


def _integrand(
    part: Belief, function: Function, laws: Laws, t: Floats, *, upper: bool
) -> tuple[Floats, NDArray[np.bool]]:
    """f(Q(e^−t)) e^−t counted from one tail, and where Q is too large for a float to do anything with it."""
    near, far = np.exp(-t), -np.expm1(-t)
    x = part._quantile(far, near) if upper else part._quantile(near, far)
    beyond = np.abs(x) > LARGEST
    x = np.clip(x, -LARGEST, LARGEST)
    # So near the end of the support, or to zero, that floats have no digits left for it.
    ends = (x == part.quantile(0.0)) | (x == part.quantile(1.0)) | (np.abs(x) < 1 / LARGEST)
    value = function(np.where(ends, part.quantile(0.5), x), laws)
    return np.where(ends, np.where(near < NOTHING, 0.0, np.nan), value * near), beyond


def _edges(part: Belief, laws: Laws, n: int, *, upper: bool) -> Floats:
    """The ends of the panels in t, (panels + 1, n): fixed ones and the quantiles of all laws that take part."""
    points = [law.quantile(LANDMARKS).reshape(len(LANDMARKS), -1) for whole in laws for _, law in whole._components()]
    beyond = [part.cdf(x) for x in points]
    marks = [np.broadcast_to(-np.log(1 - u if upper else u), (len(u), n)) for u in beyond]
    fixed = np.repeat(EDGES[:, None], n, axis=1)
    edges: Floats = np.sort(np.concatenate([fixed, *marks]).clip(EDGES[0], FAR), axis=0)
    return edges


@cache
def _rule(halving: int) -> tuple[Floats, Floats]:
    """Gauss–Legendre nodes and weights on [0, 1], the interval cut into 2**halving pieces."""
    nodes, weights = np.polynomial.legendre.leggauss(ORDER)
    pieces = 2**halving
    starts = np.arange(pieces)[:, None] / pieces
    return (starts + (nodes + 1) / 2 / pieces).ravel(), np.tile(weights / 2 / pieces, pieces)


def _failure(law: Belief) -> NumericalFailure:
    return NumericalFailure(
        f"an expectation under {law!r} cannot be computed to ten digits; estimate it from draws: the mean of the "
        "function over law.sample(10_000, rng)"
    )
