"""One contract for minimising a smooth function, over SciPy's L-BFGS-B."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, Outcome

__all__ = ["Objective", "Optimum", "minimise"]

Objective = Callable[[Floats], tuple[float, Floats]]

STEEP = 0.1  # of the average slope since the start


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """The best point that was found, how the search ended, and the best value after each step, the start's first.

    >>> optimum = minimise(lambda x: (float(x @ x), 2 * x), [3.0])
    >>> optimum.outcome.name, len(optimum.trace) == optimum.steps + 1
    ('CONVERGED', True)
    """

    position: Floats
    value: float
    gradient: Floats
    outcome: Outcome
    trace: Floats
    steps: int


def minimise(
    objective: Objective,
    start: ArrayLike,
    *,
    bounds: Sequence[tuple[float | None, float | None]] | None = None,
    steps: int = 200,
    tolerance: float = 1e-8,
    record: Callable[[Floats, float], None] | None = None,
) -> Optimum:
    """Search from ``start`` for a minimum of ``objective``, which returns a value and its gradient.

    It has converged when no entry of the gradient, but for those held by a bound, exceeds ``tolerance · max(1, |f|)``;
    or when rounding leaves no step that improves f and no entry exceeds ``√tolerance · max(1, |f|)``; but never while f
    falls about as steeply as on average since the start, as it does where there is no minimum. Where the objective is
    not finite the search backs off. ``bounds`` gives a pair (low, high) for each coordinate, with None
    where there is no limit. ``record`` is called with the best point and its value after each step. Ctrl-C ends the
    search and keeps the best point so far.

    >>> minimise(lambda x: ((x[0] - 2.0) ** 2, 2 * (x - 2.0)), [0.0], bounds=[(None, 1.5)]).position
    array([1.5])
    """
    position = checks.floats("start", start, ndim=1)
    low, high = _limits(bounds, position)
    steps = checks.count("steps", steps, least=1)
    tolerance = checks.level("tolerance", tolerance)
    search = _Search(objective, _evaluate(objective, position), low, high, tolerance, record)
    outcome = search.run(steps)
    best, trace = search.best, np.array(search.trace)
    return Optimum(best.position, best.value, best.gradient, outcome, trace, len(trace) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    position: Floats
    value: float
    gradient: Floats

    @property
    def finite(self) -> bool:
        return math.isfinite(self.value) and bool(np.isfinite(self.gradient).all())


class _Search:
    """One run of L-BFGS-B: what it has seen, and how it sees the objective."""

    def __init__(
        self,
        objective: Objective,
        start: _Point,
        low: Floats,
        high: Floats,
        tolerance: float,
        record: Callable[[Floats, float], None] | None,
    ) -> None:
        self.objective, self.low, self.high, self.tolerance, self.record = objective, low, high, tolerance, record
        self.start = self.best = self.last = start
        self.trace = [start.value]

    def run(self, steps: int) -> Outcome:
        if not self.best.finite:
            return Outcome.NOT_FINITE
        if self.at_rest(self.tolerance):
            return Outcome.CONVERGED
        from scipy.optimize import Bounds, minimize

        # Near a minimum the value changes with the square of the gradient; below 1e-15 it is rounding that changes it.
        ftol = max(self.tolerance**2, 1e-15)
        try:
            result = minimize(
                self.seen,
                self.best.position,
                jac=True,
                method="L-BFGS-B",
                bounds=Bounds(self.low, self.high),
                callback=self.step,
                options={"maxiter": steps, "maxfun": 50 * steps, "gtol": 0.0, "ftol": ftol},
            )
        except KeyboardInterrupt:
            return Outcome.INTERRUPTED
        if self.at_rest(self.tolerance):
            return Outcome.CONVERGED
        if result.status == 1:
            return Outcome.OUT_OF_STEPS
        if self.at_rest(math.sqrt(self.tolerance)):
            return Outcome.CONVERGED
        return Outcome.STALLED if self.last.finite else Outcome.NOT_FINITE

    def at_rest(self, tolerance: float) -> bool:
        """Whether no entry of the gradient that a bound does not hold is large beside the value, nor beside the way."""
        best, start = self.best, self.start
        free = best.position - np.clip(best.position - best.gradient, self.low, self.high)
        slack = tolerance * max(1.0, abs(best.value))
        if np.abs(free).max(initial=0.0) > slack:
            return False
        # On the way down to −∞ every slope is small beside |f|; what gives it away is that the descent has not slowed.
        ahead = abs(float(free @ (best.position - start.position)))
        return ahead <= STEEP * (start.value - best.value) + slack

    def seen(self, x: Floats) -> tuple[float, Floats]:
        """The objective as the line search sees it, which must be finite everywhere."""
        best = self.best
        if np.array_equal(x, best.position):
            return best.value, best.gradient
        self.last = _evaluate(self.objective, x)
        if self.last.finite:
            if self.last.value < best.value:
                self.best = self.last
            return self.last.value, self.last.gradient
        # From the best point on, pretend it goes on as the parabola that has its minimum a tenth of the way to x: with
        # t from 0 to 1 along the way and slope −s, that is f − s t + 5 s t². The search then tries nearer by.
        return best.value + 4 * abs(float(best.gradient @ (x - best.position))), -9 * best.gradient

    def step(self, xk: Floats) -> None:  # noqa: ARG002  # SciPy goes by this name; the best point is known already
        self.trace.append(self.best.value)
        if self.record is not None:
            self.record(self.best.position.copy(), self.best.value)
        if self.at_rest(self.tolerance):
            raise StopIteration


def _evaluate(objective: Objective, x: Floats) -> _Point:
    position = np.array(x)  # its own, whatever the objective or the search does with x
    found = objective(position.copy())
    try:
        value, gradient = found
        point = float(value)
        slopes = np.array(gradient, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"objective must return a number and its gradient; it returned {checks.shown(found)}"
        ) from None
    if slopes.shape != position.shape:
        raise BadShape(
            f"the gradient must have the position's shape {position.shape}; the objective's has {slopes.shape}"
        )
    return _Point(position, point, slopes)


def _limits(bounds: Sequence[tuple[float | None, float | None]] | None, start: Floats) -> tuple[Floats, Floats]:
    if bounds is None:
        return np.full_like(start, -np.inf), np.full_like(start, np.inf)
    try:
        pairs = [(-math.inf if a is None else float(a), math.inf if b is None else float(b)) for a, b in bounds]
    except (TypeError, ValueError):
        raise BadParameter(f"bounds must be pairs (low, high) of numbers or None; got {checks.shown(bounds)}") from None
    checks.rows_match("bounds", len(pairs), "start", len(start))
    for i, (low, high) in enumerate(pairs):
        if not low <= start[i] <= high:
            raise BadParameter(
                f"start must lie within bounds; start[{i}] = {start[i]:g} is not between {low} and {high}"
            )
    low_high = np.array(pairs).reshape(-1, 2)
    return low_high[:, 0], low_high[:, 1]
