"""Whether what is said to happen in 80 % of the cases happens in 80 % of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.evaluation.intervals import Interval, wilson

__all__ = ["Reliability", "reliability"]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Rows grouped by the probability they were given: what was said, and what happened (with Wilson's interval).

    ``error`` is the expected calibration error, the mean over rows of the distance between the two.

    >>> print(reliability([0.8] * 5, [1, 1, 1, 1, 0]).happened[0])
    0.800 (0.376 to 0.964)
    """

    said: tuple[float, ...]
    happened: tuple[Interval, ...]
    counts: tuple[int, ...]
    error: float


def reliability(probability: ArrayLike, happened: ArrayLike, *, bins: int = 10) -> Reliability:
    """Groups of equal width in probability; empty ones are left out.

    >>> r = reliability([0.1, 0.12, 0.9, 0.95], [0, 0, 1, 1], bins=2)
    >>> r.counts, round(r.error, 4)
    ((2, 2), 0.0925)
    """
    said = checks.probabilities("probability", checks.floats("probability", probability, ndim=1), axis=None)
    came = np.asarray(happened, dtype=bool)
    checks.rows_match("probability", len(said), "happened", len(came))
    bins = checks.count("bins", bins, least=1)
    group = np.minimum((said * bins).astype(np.intp), bins - 1)
    used = np.unique(group)
    means = tuple(float(said[group == g].mean()) for g in used)
    counts = tuple(int((group == g).sum()) for g in used)
    shares = tuple(wilson(int(came[group == g].sum()), n) for g, n in zip(used, counts, strict=True))
    gaps = [n * abs(m - share.value) for m, n, share in zip(means, counts, shares, strict=True)]
    return Reliability(means, shares, counts, sum(gaps) / max(len(said), 1))
