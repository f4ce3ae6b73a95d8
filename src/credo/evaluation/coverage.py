"""Whether believed intervals hold what they promise, and whether beliefs are spread as what came true is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import kolmogorov

from credo import checks
from credo.beliefs import Belief, Binomial
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation.intervals import Interval, wilson

__all__ = ["Coverage", "Pit", "coverage_by_level", "pit"]

LEVELS = tuple(float(level) for level in (*np.arange(1, 20) / 20, 0.99))


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """How often the central interval of each level held the truth (Wilson's interval), and how wide it was on average.

    >>> from credo.beliefs import Normal
    >>> found = coverage_by_level(Normal([0, 0, 0, 0], 1), [0.1, -0.5, 1.2, 2.5], levels=[0.5, 0.9])
    >>> found
    level  covered                  mean width
      50%  0.500 (0.150 to 0.850)        1.349
      90%  0.750 (0.301 to 0.954)         3.29
    >>> round(found.error, 3)
    0.075
    """

    levels: Floats
    covered: tuple[Interval, ...]
    widths: Floats

    @property
    def error(self) -> float:
        """The mean distance between the levels and the shares covered."""
        return float(
            np.mean([abs(share.value - level) for share, level in zip(self.covered, self.levels, strict=True)])
        )

    def to_dict(self) -> dict[str, Any]:
        """The record as plain lists."""
        held: dict[str, Any] = checks.plain_json(self)
        return held

    def __repr__(self) -> str:
        from credo.beliefs.layout import aligned

        rows = zip(self.levels, self.covered, self.widths, strict=True)
        lines = [
            [f"{level:.3g}%", str(share), f"{width:.4g}"]
            for level, share, width in ((100 * level, share, width) for level, share, width in rows)
        ]
        return aligned([["level", "covered", "mean width"], *lines], right=[True, False, True])


def coverage_by_level(belief: Belief, truth: ArrayLike, *, levels: ArrayLike = LEVELS, level: float = 0.95) -> Coverage:
    """The share of rows whose central interval holds the truth, at each of ``levels``; ``level`` is Wilson's own.

    The belief is a batch with a law for each row, over numbers.

    >>> from credo.beliefs import Normal
    >>> draws = Normal(0, 1).sample(2000, rng=0)
    >>> coverage_by_level(Normal(np.zeros(2000), 1), draws).error < 0.02
    True
    """
    held = law_per_row(belief, truth)
    asked = checks.floats("levels", levels, ndim=1)
    covered, widths = [], []
    for wanted in asked:
        low, high = belief.interval(float(wanted))
        inside = (low <= held) & (held <= high)
        covered.append(wilson(int(inside.sum()), len(held), level=level))
        widths.append(float(np.mean(high - low)))
    return Coverage(asked, tuple(covered), np.array(widths))


@dataclass(frozen=True, slots=True, eq=False)
class Pit:
    """Where the truth fell in each row's belief, as the probability below it, and a histogram of these ``values``.

    Beliefs that are right spread them evenly: each count then lies between ``low`` and ``high`` at the given level.
    Too many at both ends mean beliefs too sure of themselves, a hump in the middle too unsure, a slope a bias.
    ``distance`` is the greatest gap between their distribution and the even one, ``p_value`` how often chance alone
    makes it as large (Kolmogorov).

    >>> from credo.beliefs import Normal
    >>> found = pit(Normal(np.zeros(500), 1), Normal(0, 2).sample(500, rng=0), bins=5)
    >>> found.counts.tolist(), (found.low, found.high)
    ([178, 63, 43, 55, 161], (83, 118))
    >>> found.p_value < 0.001
    True
    """

    values: Floats
    edges: Floats
    counts: Any
    low: int
    high: int
    distance: float
    p_value: float
    level: float

    def to_dict(self) -> dict[str, Any]:
        """The record as plain lists."""
        held: dict[str, Any] = checks.plain_json(self)
        return held

    def __repr__(self) -> str:
        p = f"p {self.p_value:.2g}"
        return f"Pit({len(self.values):,} rows, {len(self.counts)} bins, distance {self.distance:.3f}, {p})"


def pit(belief: Belief, truth: ArrayLike, *, bins: int = 10, rng: Any = None, level: float = 0.95) -> Pit:
    """The probability integral transform F(y) of every row.

    Where single values have probability (counts, draws of a sampler), it is drawn evenly from between P(Y < y) and
    P(Y ≤ y), for which an ``rng`` must be given.

    >>> from credo.beliefs import Poisson
    >>> pit(Poisson([3.0, 3.0, 5.0]), [2, 4, 4], rng=0).values.round(2)
    array([0.34, 0.69, 0.27])
    """
    held = law_per_row(belief, truth)
    bins, level = checks.count("bins", bins, least=1), checks.level("level", level)
    values = belief.cdf(held)
    if belief.discrete:
        if rng is None:
            raise BadParameter(
                "rng must be given where single values have probability: the transform is then drawn at random"
            )
        before = belief.cdf(np.nextafter(held, -math.inf))
        values = before + checks.generator(rng).random(len(held)) * (values - before)
    n = len(values)
    counts = np.bincount(np.minimum((values * bins).astype(np.intp), bins - 1), minlength=bins)
    low, high = (int(end) for end in Binomial(n, 1 / bins).interval(level))
    ordered, steps = np.sort(values), np.arange(n + 1) / n
    distance = float(max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max()))
    # Stephens' factor makes the limit law right for few rows, too.
    p_value = float(kolmogorov((math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * distance))
    return Pit(values, np.linspace(0, 1, bins + 1), counts, low, high, distance, p_value, level)


def law_per_row(belief: Belief, truth: ArrayLike) -> Floats:
    """The truth as numbers, if the belief is a batch with a law over numbers for each of them.

    >>> from credo.beliefs import Normal
    >>> law_per_row(Normal([0, 1], 1), [0.5, 1])
    array([0.5, 1. ])
    """
    if not isinstance(belief, Belief):
        raise InvalidInput(f"belief must be a belief, such as Normal; got {checks.shown(belief)}")
    held = checks.floats("truth", truth, ndim=1)
    if belief.event_shape or not belief.batch_shape:
        raise BadShape(f"belief must be a batch with a law of one number for each row; got {checks.shown(belief)}")
    checks.rows_match("belief", len(belief), "truth", len(held))
    checks.count("the number of rows", len(held), least=1)
    return held
