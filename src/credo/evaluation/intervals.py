"""How far a measured number can be trusted: a value with two ends, a level, and the method that made them.

For a share of rows there are four methods, which agree when there are many rows:

========================  ==============================================================================================
:func:`wilson`            the default: covers the truth about as often as it says, also for few rows and near 0 and 1
:func:`clopper_pearson`   never covers it less often than it says, and so is wider
:func:`credible`          holds the truth with that probability, given a prior: the posterior is a Beta
:func:`proportion`        the normal interval of textbooks, ``p ± z √(p(1−p)/n)``; for many rows and middling shares
========================  ==============================================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri, stdtrit

from credo import checks
from credo.beliefs import Beta
from credo.errors import InvalidInput

__all__ = ["Interval", "clopper_pearson", "credible", "mean", "posterior", "proportion", "undefined", "wilson"]

PRIORS = {"jeffreys": 0.5, "uniform": 1.0}


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with the two ends between which the truth lies at the given level.

    Where the number does not exist, ``value`` is NaN, and where the ends do not, they are infinite or NaN; ``why`` then
    says why. It also says why another method had to stand in for the usual one.

    >>> print(Interval(0.9, 0.85, 0.94, level=0.95, method="Wilson"))
    0.900 (0.850 to 0.940)
    """

    value: float
    low: float
    high: float
    level: float
    method: str
    why: str = ""

    @property
    def defined(self) -> bool:
        """Whether there is a value; if not, ``why`` says what is missing."""
        return not math.isnan(self.value)

    @property
    def bounded(self) -> bool:
        """Whether there are two ends at all; a single row has a value and no interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        if not self.defined:
            return f"undefined: {self.why}" if self.why else "undefined"
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})" if self.bounded else f"{self.value:.3f}"


def undefined(why: str, *, level: float = 0.95) -> Interval:
    """A measure that does not exist for these rows, with the reason.

    >>> print(undefined("no row is 'ill'"))
    undefined: no row is 'ill'
    """
    return Interval(math.nan, math.nan, math.nan, checks.level("level", level), "none", why)


def wilson(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval for a proportion: right for few rows and near 0 and 1, where the normal one is not.

    The ends are the proportions p for which ``|hits/n − p| = z √(p(1−p)/n)``.

    >>> print(wilson(0, 10))
    0.000 (0.000 to 0.278)
    """
    share, n, z = _counted(hits, n, level)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # With no hits (or no misses) an end is 0 (or 1) exactly; rounding must not put the value outside its interval.
    low = 0.0 if hits == 0 else centre - half
    high = 1.0 if hits == n else centre + half
    return Interval(share, low, high, level, "Wilson")


def proportion(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """The textbook interval for a proportion, ``p ± z √(p(1−p)/n)``, cut at 0 and 1; for many rows and middling p.

    >>> round(proportion(18, 100).half_width, 3)
    0.075
    """
    share, n, z = _counted(hits, n, level)
    half = z * math.sqrt(share * (1 - share) / n)
    return Interval(share, max(share - half, 0.0), min(share + half, 1.0), level, "normal")


def clopper_pearson(hits: int, n: int, *, level: float = 0.95) -> Interval:
    """The exact interval for a proportion: whatever the truth, it is missed at most as often as ``level`` allows.

    Its ends are the proportions that would give as many hits, or as few, with probability (1 − level)/2.

    >>> print(clopper_pearson(0, 10))
    0.000 (0.000 to 0.308)
    """
    share, n, _ = _counted(hits, n, level)
    tail = (1 - level) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return Interval(share, low, high, level, "Clopper–Pearson")


def posterior(hits: int, n: int, *, prior: str | Beta = "jeffreys") -> Beta:
    """The belief about a proportion: Beta(a + hits, b + n − hits) for the prior Beta(a, b).

    ``prior`` is ``"jeffreys"``, Beta(½, ½); ``"uniform"``, Beta(1, 1); or a Beta of your own.

    >>> posterior(18, 100)
    Beta(a=18.5, b=82.5)
    """
    _, n, _ = _counted(hits, n, 0.5)
    if isinstance(prior, Beta):
        if prior.batch_shape:
            raise InvalidInput(f"prior must be one Beta; got {checks.shown(prior)}")
        return Beta(prior.a + hits, prior.b + n - hits)
    a = PRIORS[checks.choice("prior", prior, tuple(PRIORS))]
    return Beta(a + hits, a + n - hits)


def credible(hits: int, n: int, *, prior: str | Beta = "jeffreys", level: float = 0.95) -> Interval:
    """The central interval of the :func:`posterior` of a proportion, around the posterior mean.

    >>> print(credible(0, 10))
    0.045 (0.000 to 0.217)
    """
    belief = posterior(hits, n, prior=prior)
    low, high = belief.interval(level)
    name = prior.capitalize() if isinstance(prior, str) else f"{prior}"
    return Interval(float(belief.mean), float(low), float(high), level, f"Beta posterior, prior {name}")


def mean(values: ArrayLike, *, level: float = 0.95, within: tuple[float, float] = (-math.inf, math.inf)) -> Interval:
    """The mean of one value a row, ``m ± t s/√n`` with Student's t on n − 1 degrees of freedom.

    ``within`` are the least and the greatest value there can be; the interval is cut there.

    >>> print(mean([1.0, 2.0, 3.0]))
    2.000 (-0.484 to 4.484)
    >>> print(mean([1.0, 2.0, 3.0], within=(0.0, 9.0)))
    2.000 (0.000 to 4.484)
    """
    rows = np.asarray(values, dtype=np.float64)
    level = checks.level("level", level)
    n = checks.count("the number of values", rows.size, least=1)
    centre = float(rows.mean())
    if n == 1 or not math.isfinite(centre):
        why = "one row does not show how much rows differ" if n == 1 else "some row is worth an infinite amount"
        return Interval(centre, -math.inf, math.inf, level, "none", why)
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * float(rows.std(ddof=1)) / math.sqrt(n)
    low, high = max(centre - half, within[0]), min(centre + half, within[1])
    return Interval(centre, low, high, level, "t on the mean over rows")


def _counted(hits: int, n: int, level: float) -> tuple[float, int, float]:
    n = checks.count("n", n, least=1)
    hits = checks.count("hits", hits, least=0, most=n)
    return hits / n, n, float(ndtri(0.5 + checks.level("level", level) / 2))
