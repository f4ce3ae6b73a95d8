"""How far an outcome is expected to lie above a number, and how far below, where there is a formula for it."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, stdtr

from credo.beliefs import Belief, Normal, StudentT
from credo.checks import Floats

__all__ = ["deviations"]


def deviations(belief: Belief, at: Floats) -> tuple[Floats, Floats] | None:
    """E max(X − at, 0) and E max(at − X, 0) under a normal law or Student's t; None where a quadrature must say.

    With z = (at − loc)/scale, density f and upper tail Q of the law, the first is scale (f(z) g − z Q(z)); g is 1 for
    the normal law and (df + z²)/(df − 1) for Student's t.

    >>> above, below = deviations(Normal(10, 2), np.asarray(12.0))
    >>> round(float(above), 4), round(float(below), 4), round(float(below - above), 4)
    (0.1666, 2.1666, 2.0)
    """
    if isinstance(belief, Normal):
        loc, scale = belief.mean, belief.sd
        z = (at - loc) / scale
        growth, above, below = np.ones_like(z), ndtr(-z), ndtr(z)
    elif isinstance(belief, StudentT) and np.all(belief.df > 1):
        loc, scale = belief.loc, belief.scale
        z = (at - loc) / scale
        growth = (belief.df + z**2) / (belief.df - 1)
        above, below = stdtr(belief.df, -z), stdtr(belief.df, z)
    else:
        return None
    edge = scale**2 * np.exp(belief.log_prob(at)) * growth
    # Far out the two terms all but cancel, and rounding must not make the little that is left negative.
    return np.maximum(edge - scale * z * above, 0.0), np.maximum(edge + scale * z * below, 0.0)
