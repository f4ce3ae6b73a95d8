"""The evidence of a Bayesian linear model, and the precisions that make it largest.

In the axes of the problem everything depends on the ratio τ = α / β of the two precisions:

    S(τ) = rest + Σ uⱼ² τ / (τ + sⱼ²)                    the least value of |y − Xw|² + τ |w|²
    ln p(y | X, α, β) = ½ Σ ln(τ / (τ + sⱼ²)) + n/2 ln β − β/2 S(τ) − n/2 ln 2π

Given τ the best noise precision is β = n / S(τ), so learning both precisions is a search along one line, as is learning
one of them while the other is given. The line is scanned, because there may be more than one hill, and the best hill is
climbed by finding where the derivative is zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from credo.checks import Floats
from credo.errors import Outcome
from credo.linear.axes import Axes

__all__ = ["Evidence", "Precisions", "learn_precisions"]

SCAN_STEP = 0.5  # of ln τ; each term of the evidence changes over a width of about two
FLAT = 1e-9  # nats; closer than this two ratios are equally good, and the one that trusts the columns less is taken
FAR = 1e8  # beyond the last singular value by this factor, the evidence has come to its limit


@dataclass(frozen=True, slots=True, eq=False)
class Precisions:
    """The precisions, what they explain, and how they were found; α may be one for each weight."""

    alpha: float | Floats
    beta: float
    log_evidence: float
    effective: float
    outcome: Outcome
    trace: tuple[float, ...]


class Evidence:
    """The log evidence as a function of ln τ, when any of the two precisions may be given.

    ``rows`` is how many observations the noise is learnt from: one fewer than there are when an intercept with a flat
    prior was taken out, which also leaves the constant −½ ln(number of rows).
    """

    def __init__(self, axes: Axes, *, intercept: bool, alpha: float | None, beta: float | None) -> None:
        self.strength = axes.singular**2
        self.square = axes.target**2
        self.rest = axes.rest
        self.rows = axes.total - intercept
        self.constant = -self.rows / 2 * math.log(2 * math.pi) - (0.5 * math.log(axes.total) if intercept else 0.0)
        self.alpha, self.beta = alpha, beta

    def precisions(self, ratio: float) -> tuple[float, float]:
        """α and β at a ratio τ: as given, or the best."""
        at = np.array([ratio])
        beta = float(self._beta(at, self._misfit(at))[0])
        return (ratio * beta if self.alpha is None else self.alpha), beta

    def value(self, log_ratio: Floats) -> Floats:
        """ln p(y | X) at each ln τ."""
        ratio = np.exp(log_ratio)
        misfit = self._misfit(ratio)
        beta = self._beta(ratio, misfit)
        occam = -0.5 * np.log1p(self.strength / ratio[:, None]).sum(axis=1)
        return np.asarray(occam + self.rows / 2 * np.log(beta) - beta * misfit / 2 + self.constant)

    def slope(self, log_ratio: float) -> float:
        """The derivative of the log evidence along ln τ."""
        ratio = np.exp([log_ratio])
        share = self.strength / (ratio + self.strength)  # how far the data, not the prior, determine each weight
        misfit = self._misfit(ratio)
        beta = float(self._beta(ratio, misfit)[0])
        slope = 0.5 * share.sum() - 0.5 * beta * (self.square * share * (1 - share)).sum()
        if self.alpha is not None:  # then β = α / τ moves too; where β is free its own derivative is zero
            slope += 0.5 * (beta * misfit[0] - self.rows)
        return float(slope)

    def bounds(self) -> tuple[float, float]:
        """Between which ln τ the best ratio lies, or else the evidence has come to its limit."""
        most = float(self.strength.max(initial=0.0)) or 1.0
        weights = self.square / self.strength  # the squares of the unshrunk weights
        largest = float(weights.max(initial=0.0))
        if self.alpha is not None:  # the noise variance lies between the least that can be told and yᵀy
            low, high = self.alpha * self.rest / self.rows / FAR, self.alpha * (self.rest + self.square.sum()) * FAR
        elif self.beta is not None:  # no prior variance larger than the largest square of a weight is ever better
            low, high = (0.1 / (self.beta * largest) if largest else most), most * FAR
        else:
            least = float(self.strength.min(initial=most))
            low = min(least, self.rest / float(weights.sum()) if largest else least) / self.rows / FAR
            high = most * FAR
        return math.log(low), max(math.log(low), math.log(high))

    def _misfit(self, ratio: Floats) -> Floats:
        shrunk = ratio[:, None] / (ratio[:, None] + self.strength)
        return np.asarray(self.rest + shrunk @ self.square)

    def _beta(self, ratio: Floats, misfit: Floats) -> Floats:
        if self.beta is not None:
            return np.full_like(ratio, self.beta)
        return self.rows / misfit if self.alpha is None else self.alpha / ratio


def learn_precisions(axes: Axes, *, intercept: bool, alpha: float | None, beta: float | None) -> Precisions:
    """The precisions of largest evidence, among those that are not given."""
    evidence = Evidence(axes, intercept=intercept, alpha=alpha, beta=beta)
    best, trace, outcome = (
        _climb(evidence) if alpha is None or beta is None else (math.log(alpha / beta), [], Outcome.CONVERGED)
    )
    value = float(evidence.value(np.array([best]))[0])
    ratio = math.exp(best)
    share = evidence.strength / (ratio + evidence.strength)
    alpha, beta = evidence.precisions(ratio)
    return Precisions(alpha, beta, value, float(share.sum()), outcome, (*trace, value))


def _climb(evidence: Evidence) -> tuple[float, list[float], Outcome]:
    low, high = evidence.bounds()
    scan = np.linspace(low, high, 2 + int((high - low) / SCAN_STEP))
    values = evidence.value(scan)
    top = int(np.flatnonzero(values >= values.max() - FLAT)[-1])
    trace = [float(values[top])]
    left, right = scan[max(top - 1, 0)], scan[min(top + 1, len(scan) - 1)]
    if not evidence.slope(left) > 0 > evidence.slope(right):
        return float(scan[top]), trace, Outcome.CONVERGED  # a limit: the evidence no longer changes with the ratio

    def slope(log_ratio: float) -> float:
        trace.append(float(evidence.value(np.array([log_ratio]))[0]))
        return evidence.slope(log_ratio)

    best, result = optimize.brentq(slope, left, right, xtol=1e-13, rtol=1e-14, full_output=True, disp=False)
    return float(best), trace, Outcome.CONVERGED if result.converged else Outcome.OUT_OF_STEPS
