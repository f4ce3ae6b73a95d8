"""Whether what is said to happen in 80 % of the cases happens in 80 % of them.

For many classes, ask it of the most probable class (``reliability(p.max(axis=1), answer == truth)``) or of each class
in turn (``reliability(p[:, k], truth == k)``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from credo import checks
from credo.checks import Floats
from credo.evaluation.groups import Groups, grouped, probabilities_and_outcomes
from credo.evaluation.intervals import Interval, mean, undefined, wilson

__all__ = ["BrierParts", "Reliability", "brier_parts", "calibration_error", "reliability"]

DRAWS = 2000
MOST_SWEPT = 1000  # groups; where even these rise, more would not change the error


@dataclass(frozen=True, slots=True)
class Reliability:
    """Rows grouped by the probability they were given: what was said, and what happened (with Wilson's interval).

    ``error`` is the expected calibration error, the mean over rows of the distance between the two, and ``corrected``
    the same less what chance alone adds to it. ``by`` says how the groups were made.

    >>> print(reliability([0.8] * 5, [1, 1, 1, 1, 0]).happened[0])
    0.800 (0.376 to 0.964)
    """

    said: tuple[float, ...]
    happened: tuple[Interval, ...]
    counts: tuple[int, ...]
    error: float
    corrected: float
    by: str


def reliability(
    probability: ArrayLike, happened: ArrayLike, *, bins: int = 10, by: str = "width", level: float = 0.95
) -> Reliability:
    """Groups of equal ``"width"`` in probability, of equal ``"count"``, or ``"isotonic"``; empty ones are left out.

    Isotonic groups need no ``bins``: neighbours are pooled until the share that came true rises from group to group.

    >>> r = reliability([0.1, 0.12, 0.9, 0.95], [0, 0, 1, 1], bins=2)
    >>> r.counts, round(r.error, 4)
    ((2, 2), 0.0925)
    """
    said, came = probabilities_and_outcomes(probability, happened)
    held = grouped(said, came, by=by, bins=bins)
    shares = tuple(
        wilson(hits, n, level=level) for hits, n in zip(held.hits.tolist(), held.counts.tolist(), strict=True)
    )
    error, corrected = (_error(held, norm=1, correct=correct) for correct in (False, True))
    return Reliability(tuple(held.said.tolist()), shares, tuple(held.counts.tolist()), error, corrected, by)


def calibration_error(
    probability: ArrayLike,
    happened: ArrayLike,
    *,
    bins: int = 15,
    by: str = "count",
    norm: int = 1,
    correct: str = "debiased",
    level: float = 0.95,
) -> Interval:
    """The distance between what was said and what came true: its mean (``norm=1``, ECE) or root mean square (2).

    Chance alone drives the two apart, the more so the fewer rows a group has, so that right probabilities would seem
    wrong. ``correct`` says what is done about it: ``"debiased"`` takes off what chance is expected to add (for the
    square, Kumar, Liang and Ma 2019; for the mean, under the normal law); ``"sweep"`` uses as many groups of equal
    count as there can be before the share that came true stops rising (Roelofs et al. 2022), so ``bins`` and ``by`` do
    not count; ``"none"`` takes the groups at their word. The interval is the basic bootstrap of the groups, which is
    free of that bias.

    >>> said = np.linspace(0.02, 0.98, 500)
    >>> came = np.random.default_rng(0).random(500) < said
    >>> print(calibration_error(said, came, correct="none"))
    0.042 (0.000 to 0.038)
    >>> print(calibration_error(said, came))
    0.015 (0.000 to 0.038)
    """
    said, came = probabilities_and_outcomes(probability, happened)
    level = checks.level("level", level)
    norm = checks.count("norm", norm, least=1, most=2)
    checks.choice("correct", correct, ("debiased", "sweep", "none"))
    if not len(said):
        return undefined("there are no rows", level=level)
    held = _swept(said, came) if correct == "sweep" else grouped(said, came, by=by, bins=bins)
    value, plain = _error(held, norm=norm, correct=correct == "debiased"), _error(held, norm=norm, correct=False)
    rng = np.random.default_rng(0)
    gaps = held.gaps + rng.standard_normal((DRAWS, len(held.counts))) * np.sqrt(held.noise)
    drawn = (np.abs(gaps) ** norm @ held.weights) ** (1 / norm)
    low, high = 2 * plain - np.quantile(drawn, [0.5 + level / 2, 0.5 - level / 2])
    name = f"basic bootstrap of {len(held.counts)} groups"
    why = "the value still holds what chance adds, the interval does not" if correct == "none" else ""
    return Interval(value, max(float(low), 0.0), max(float(high), 0.0), level, name, why)


@dataclass(frozen=True, slots=True)
class BrierParts:
    """The Brier score in parts: ``score`` = ``reliability`` − ``resolution`` + ``uncertainty`` + ``within``.

    Reliability is what wrong probabilities cost (0 is best), resolution what telling rows apart gains, uncertainty what
    saying the same of every row would cost, and within what the groups hide; it is zero for isotonic groups.

    >>> brier_parts([0.1, 0.4, 0.6, 0.9], [0, 0, 1, 1])
    Brier score 0.085 = reliability 0.085 - resolution 0.250 + uncertainty 0.250, isotonic groups (2)
    """

    score: Interval
    reliability: float
    resolution: float
    uncertainty: float
    within: float
    by: str
    groups: int

    @property
    def skill(self) -> float:
        """1 − score/uncertainty: what is gained over saying the same of every row; NaN if nothing ever varies."""
        return 1 - self.score.value / self.uncertainty if self.uncertainty > 0 else math.nan

    def to_dict(self) -> dict[str, Any]:
        """The parts as JSON holds them."""
        held: dict[str, Any] = checks.plain_json(self)
        return held

    def __repr__(self) -> str:
        within = "" if self.by == "isotonic" else f" + within {self.within:.3f}"
        parts = f"reliability {self.reliability:.3f} - resolution {self.resolution:.3f}"
        groups = f"isotonic groups ({self.groups})" if self.by == "isotonic" else f"{self.groups} groups by {self.by}"
        return f"Brier score {self.score.value:.3f} = {parts} + uncertainty {self.uncertainty:.3f}{within}, {groups}"


def brier_parts(
    probability: ArrayLike, happened: ArrayLike, *, bins: int = 10, by: str = "isotonic", level: float = 0.95
) -> BrierParts:
    """What the Brier score of an event is made of (Murphy 1973).

    With ``by="isotonic"`` reliability is what recalibrating the probabilities would gain and resolution what the
    recalibrated ones gain over the base rate (Dimitriadis, Gneiting and Jordan 2021), which needs no bins. With
    ``"width"`` or ``"count"`` both depend on ``bins``.

    >>> brier_parts([0.1, 0.4, 0.6, 0.9], [0, 0, 1, 1], by="width", bins=2)
    Brier score 0.085 = reliability 0.062 - resolution 0.250 + uncertainty 0.250 + within 0.023, 2 groups by width
    """
    said, came = probabilities_and_outcomes(probability, happened)
    checks.count("the number of rows", len(said), least=1)
    rows = (said - came) ** 2
    held = grouped(said, came, by=by, bins=bins)
    base = float(came.mean())
    uncertainty = base * (1 - base)
    resolution = float(held.weights @ (held.came - base) ** 2)
    if by == "isotonic":
        wrong, within = float(rows.mean()) + resolution - uncertainty, 0.0
    else:
        wrong = float(held.weights @ held.gaps**2)
        within = float(rows.mean()) - wrong + resolution - uncertainty
    score = mean(rows, level=level, within=(0.0, 1.0))
    return BrierParts(score, wrong, resolution, uncertainty, within, by, len(held.counts))


def _error(held: Groups, *, norm: int, correct: bool) -> float:
    """The weighted norm of the gaps; corrected by what noise in the shares is expected to add to each."""
    gaps, sd = np.abs(held.gaps), np.sqrt(held.noise)
    if norm == 2:
        return math.sqrt(max(float(held.weights @ (gaps**2 - (held.noise if correct else 0.0))), 0.0))
    if not correct:
        return float(held.weights @ gaps)
    # E|g + sd·Z| under the normal law, of which |g| is taken off.
    noisy = sd > 0
    z = np.divide(gaps, sd, out=np.zeros_like(gaps), where=noisy)
    expected = sd * math.sqrt(2 / math.pi) * np.exp(-z * z / 2) + gaps * (1 - 2 * ndtr(-z))
    return max(float(held.weights @ (gaps - np.where(noisy, expected - gaps, 0.0))), 0.0)


def _swept(said: Floats, came: Any) -> Groups:
    """As many groups of equal count as there can be before the share that came true falls somewhere."""
    order = np.argsort(said, kind="stable")
    hits = np.concatenate([[0], np.cumsum(came[order])])
    total = np.concatenate([[0.0], np.cumsum(said[order])])
    n = len(said)
    kept = np.array([0, n])
    for bins in range(2, min(n, MOST_SWEPT) + 1):
        ends = np.linspace(0, n, bins + 1).astype(np.intp)
        if (np.diff(np.diff(hits[ends]) / np.diff(ends)) < 0).any():
            break
        kept = ends
    counts = np.diff(kept)
    return Groups(counts, np.diff(hits[kept]), np.diff(total[kept]) / counts)
