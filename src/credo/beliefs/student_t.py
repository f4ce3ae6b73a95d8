"""Student's t law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.checks import Floats

__all__ = ["StudentT"]

FAR = 1e9  # from this many √df on, the leading term of the tail is the whole tail


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class StudentT(Belief):
    """Student's t law, p(x) ∝ (1 + z²/df)^(−(df + 1)/2) with z = (x − loc)/scale.

    What a normal law becomes when its variance is not known but believed. The mean does not exist (NaN) for ``df`` up
    to one; the variance is infinite for ``df`` up to two, and does not exist where the mean does not.

    >>> belief = StudentT(df=4, loc=10, scale=2)
    >>> float(belief.var)
    8.0
    """

    df: Floats
    loc: Floats
    scale: Floats

    def __init__(self, df: ArrayLike, loc: ArrayLike, scale: ArrayLike) -> None:
        self._hold(
            df=checks.positive("df", df),
            loc=checks.floats("loc", loc),
            scale=checks.positive("scale", scale),
        )

    @property
    def mean(self) -> Floats:
        """The location; NaN for ``df`` up to one."""
        return np.where(self.df > 1, self.loc, np.nan)[()]

    @property
    def var(self) -> Floats:
        """scale² df / (df − 2); infinite for ``df`` up to two, NaN up to one."""
        finite = self.df > 2
        spread = np.square(self.scale) * np.where(finite, self.df / np.where(finite, self.df - 2, 1.0), np.inf)
        return np.where(self.df > 1, spread, np.nan)[()]

    @property
    def mode(self) -> Floats:
        """The location."""
        return self.loc

    def entropy(self) -> Floats:
        """½(df + 1) (ψ(½(df + 1)) − ψ(½ df)) + log(√df B(½ df, ½)) + log scale."""
        half = self.df / 2
        large = half > 1e3  # where the two ψ are nearly equal: the series of ψ(h + ½) − ψ(h)
        direct = scipy.special.digamma(half + 0.5) - scipy.special.digamma(half)
        inverse = 1 / np.where(large, half, 1.0)
        series = inverse / 2 + inverse**2 / 8 - inverse**4 / 64
        return (half + 0.5) * np.where(large, series, direct) - self._log_height() + np.log(self.scale)

    def _log_height(self) -> Floats:
        """The log density at the mode, for scale one."""
        return -scipy.special.betaln(0.5, self.df / 2) - np.log(self.df) / 2

    def _log_prob(self, x: Floats) -> Floats:
        z = (x - self.loc) / self.scale
        return self._log_height() - np.log(self.scale) - (self.df + 1) / 2 * log_one_plus_square(z / np.sqrt(self.df))

    def _cdf(self, x: Floats) -> Floats:
        z = (x - self.loc) / self.scale
        far = np.exp(self._log_tail() - self.df * (np.log(np.abs(z)) - np.log(self.df) / 2))
        tail = np.abs(z) > FAR * np.sqrt(self.df)
        return np.where(tail, np.where(z < 0, far, 1 - far), scipy.special.stdtr(self.df, np.where(tail, 0.0, z)))

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        q = np.minimum(below, above)
        far = np.exp((self._log_tail() - np.log(q)) / self.df)
        size = np.where(far > FAR, np.sqrt(self.df) * far, -scipy.special.stdtrit(self.df, q))
        return self.loc + self.scale * np.where(below < 0.5, -size, size)

    def _log_tail(self) -> Floats:
        """log c, where far out P(T > t) = c (√df / t)^df to all digits; SciPy is wrong out there."""
        return -np.log(self.df) - scipy.special.betaln(0.5, self.df / 2)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.loc + self.scale * rng.standard_t(self.df, (n, *self.batch_shape))


def log_one_plus_square(z: Floats) -> Floats:
    """log(1 + z²), also where z² is too large for a float."""
    far = np.abs(z) > 1e8
    return np.where(far, 2 * np.log(np.abs(z)), np.log1p(np.square(np.where(far, 0.0, z))))
