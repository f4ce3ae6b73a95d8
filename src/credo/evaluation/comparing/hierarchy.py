"""Two algorithms on the folds of many data sets, in one model of all of them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, logsumexp, ndtr, ndtri, stdtr

from credo import checks
from credo.beliefs.layout import html_table
from credo.checks import Floats
from credo.errors import BadShape, CredoWarning, InvalidInput
from credo.evaluation.comparing.signed_ranks import share_won
from credo.evaluation.comparing.verdict import NAMES, Verdict, pair_of_names, tolerance
from credo.evaluation.intervals import Interval

__all__ = ["Hierarchy", "hierarchical"]

CHAINS, WARM_UP = 32, 300
DRAWS = 32_000
MIXED = 1.05  # chains whose R̂ is above this have not all been everywhere
WIDEST = 1000.0  # the spread between data sets may be so many times what is seen of it
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)  # between which the law of the degrees of freedom is uncertain
METHOD = "Bayesian hierarchical correlated t-test"
ASSUMES = (
    "the mean differences of data sets come from one Student t law, and within a data set folds are normal and "
    "correlated by n_test/(n_test + n_train)"
)


@dataclass(frozen=True, slots=True, repr=False)
class Hierarchy:
    """What folds of many data sets say of two algorithms.

    ``verdict`` is about data sets in general: which outcome is the most probable on a further one. ``next_data_set``
    are the probabilities of the three outcomes there, ``each`` the differences on the data sets at hand, drawn towards
    what they have in common. ``r_hat`` near 1 says that independent chains agree.

    >>> scores = np.random.default_rng(0).normal(0.8, 0.02, (4, 10))
    >>> found = hierarchical(scores, scores + np.tile([0.01, -0.01], 5), share=1 / 9, rope=0.05)
    >>> found.verdict.winner(), found.next_data_set[1] > 0.9, len(found.each)
    ('equivalent', True, 4)

    """

    verdict: Verdict
    next_data_set: tuple[float, float, float]
    each: tuple[Interval, ...]
    r_hat: float
    draws: int

    @property
    def outlook(self) -> str:
        """What to expect of a further data set, in words."""
        one, same, other = (f"{p:.2f}" for p in self.next_data_set)
        middle = f", they are as good as equal with {same}" if self.verdict.rope else ""
        first, second = self.verdict.first, self.verdict.second
        return f"On a further data set {first} is better with probability {one}{middle}, {second} with {other}."

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        held = checks.plain_json(self)
        assert isinstance(held, dict)  # noqa: S101 (a record becomes a dictionary)
        return held | {"verdict": self.verdict.to_dict()}

    def __str__(self) -> str:
        return f"{self.verdict}.\n{self.outlook}"

    def __repr__(self) -> str:
        return f"<Hierarchy of {len(self.each)} data sets: {self.verdict}>"

    def _repr_html_(self) -> str:
        lines = [
            ["data set", f"{self.verdict.first} − {self.verdict.second}"],
            *([str(i + 1), str(gap)] for i, gap in enumerate(self.each)),
        ]
        return html_table(lines, above=str(self).splitlines())


def hierarchical(
    first: Sequence[ArrayLike],
    second: Sequence[ArrayLike],
    *,
    share: float,
    rope: float = 0.0,
    names: Sequence[str] = NAMES,
    higher_is_better: bool = True,
    rng: Any = 0,
    level: float = 0.95,
) -> Hierarchy:
    """The model of Corani, Benavoli and others (2017): scores of folds, a row for each data set.

    The mean difference of data set i is ``μᵢ ~ t(ν, μ₀, σ₀)``; its n folds are normal around μᵢ with deviation σᵢ and
    correlation ρ = share/(1 + share). The priors are uniform for μ₀ (as far as any fold went), for σ₀ (up to a thousand
    times the spread seen) and for σᵢ; ν − 1 is gamma, its shape and rate uniform on (1, 2) and (0.01, 0.1). Chains that
    start apart are sampled by Gibbs' rule, with μᵢ integrated out where μ₀ and σ₀ are drawn. A data set whose folds do
    not vary is taken to vary as little as the least varying other.

    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(0.8, 0.02, (8, 10))
    >>> found = hierarchical(scores + 0.03, scores + rng.normal(0, 0.01, (8, 10)), share=1 / 9, rope=0.01)
    >>> found.verdict.winner(), found.r_hat < 1.05, print(found.each[0])
    0.03... (0.02... to 0.03...)
    ('first', True, None)
    """
    held, pair = tolerance(rope), pair_of_names(names)
    checks.level("level", level)
    data = _Data.of(_differences(first, second), share)
    mu0, sigma0, nu, mu = _sample(data, checks.generator(rng))
    limit = held / data.unit
    above, below = stdtr(nu, (mu0 - limit) / sigma0), stdtr(nu, (-limit - mu0) / sigma0)
    one, other = (above, below) if higher_is_better else (below, above)
    shares = np.stack([one, np.maximum(1 - above - below, 0.0), other], axis=-1)
    by_chain = np.array([share_won(chain, equivalence=held > 0) for chain in shares.transpose(1, 0, 2)])
    one_better, same, other_better = by_chain.mean(axis=0).tolist()
    r_hat = max(_r_hat(values) for values in (mu0, np.log(sigma0), np.log(nu), one - other))
    if r_hat > MIXED:
        warnings.warn(
            f"the chains of the hierarchical model do not agree well (R̂ = {r_hat:.3f}); its probabilities are rough",
            CredoWarning,
            stacklevel=2,
        )

    verdict = Verdict(
        *pair,
        one_better,
        same,
        other_better,
        data.interval(mu0, level),
        held,
        METHOD,
        ASSUMES,
        error=max(float(by_chain.std(axis=0, ddof=1).max()) / math.sqrt(CHAINS), 1 / mu0.size),
    )
    means = shares.mean(axis=(0, 1)).tolist()
    each = tuple(data.interval(mu[..., i], level) for i in range(mu.shape[-1]))
    return Hierarchy(verdict, (means[0], means[1], means[2]), each, r_hat, mu0.size)


# ---------------------------------------------------------------- what the folds say


@dataclass(frozen=True, slots=True)
class _Data:
    """The differences in units of their mean deviation: for each data set what the likelihood needs."""

    unit: float
    folds: Floats
    means: Floats
    squares: Floats  # Σ (d − mean)² / (1 − ρ)
    shrink: Floats  # variance of the mean over σᵢ²: (1 + (n − 1) ρ)/n
    reach: float  # bound of |μ₀|
    widest: float  # bound of σ₀

    @classmethod
    def of(cls, differences: list[Floats], share: float) -> _Data:
        if not 0 <= share < math.inf:
            raise InvalidInput(f"share must be n_test/n_train, zero or more; got {checks.shown(share)}")
        deviations = np.array([part.std(ddof=1) for part in differences])
        size = max(float(np.abs(part).max()) for part in differences)
        varied = deviations > 1e-12 * size
        if not varied.any():
            raise InvalidInput(
                "first and second must differ by more in some folds than in others; within each data set the "
                "difference is the same in every fold. Compare one score a data set with signed_rank"
            )
        deviations[~varied] = deviations[varied].min()
        unit = float(deviations.mean())
        n = np.array([len(part) for part in differences], dtype=np.float64)
        means = np.array([part.mean() for part in differences]) / unit
        rho = share / (1 + share)
        among = float(means.std()) or 1.0
        return cls(
            unit=unit,
            folds=n,
            means=means,
            squares=(n - 1) * np.square(deviations / unit) / (1 - rho),
            shrink=(1 + (n - 1) * rho) / n,
            reach=size / unit,
            widest=WIDEST * among,
        )

    def interval(self, values: Floats, level: float) -> Interval:
        """The median of draws and between which ends they lie, in the units of the scores."""
        middle, low, high = (np.quantile(values, [0.5, 0.5 - level / 2, 0.5 + level / 2]) * self.unit).tolist()
        return Interval(middle, low, high, level, METHOD)


def _differences(first: Sequence[ArrayLike], second: Sequence[ArrayLike]) -> list[Floats]:
    checks.rows_match("first", len(first), "second", len(second))
    if len(first) < 2:
        raise BadShape(f"first must hold the folds of two or more data sets, a row each; got {len(first)}")
    found = []
    for i, (scores, others) in enumerate(zip(first, second, strict=True)):
        one, other = (
            checks.floats(f"{name}[{i}]", part, ndim=1) for name, part in (("first", scores), ("second", others))
        )
        checks.rows_match(f"first[{i}]", len(one), f"second[{i}]", len(other))
        checks.count(f"the number of folds in first[{i}]", len(one), least=3)
        found.append(one - other)
    return found


# ---------------------------------------------------------------- sampling


def _sample(data: _Data, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
    """μ₀, σ₀, ν as (step, chain) and μ as (step, chain, data set), after the warm-up."""
    q = len(data.means)
    mu = data.means + rng.normal(size=(CHAINS, q))
    mixing = np.ones((CHAINS, q))
    nu = 1 + rng.gamma(1.5, 20.0, CHAINS)
    # Chains start at spreads from far too small to far too large.
    sigma0 = np.exp(np.linspace(-5, 3, CHAINS)) * min(data.widest / WIDEST, data.widest / 20)
    mu0 = np.zeros(CHAINS)
    steps = DRAWS // CHAINS
    kept = [np.empty((steps, CHAINS)) for _ in range(3)]
    kept_mu = np.empty((steps, CHAINS, q))
    for step in range(-WARM_UP, steps):
        rate = (data.squares + np.square(data.means - mu) / data.shrink) / 2
        noise = data.shrink * rate / rng.standard_gamma((data.folds - 1) / 2, (CHAINS, q))
        mu0 = _centre(data, noise + np.square(sigma0)[:, None] / mixing, rng)
        for _ in range(3):
            sigma0 = _spread(data, sigma0, mu0, noise, mixing, rng)
        precision = mixing / np.square(sigma0)[:, None]
        total = 1 / noise + precision
        mu = (data.means / noise + precision * mu0[:, None]) / total + rng.normal(size=(CHAINS, q)) / np.sqrt(total)
        for _ in range(3):
            sigma0, nu = _shape(data, sigma0, nu, mu - mu0[:, None], rng)
        far = np.square((mu - mu0[:, None]) / sigma0[:, None])
        mixing = rng.standard_gamma((nu[:, None] + 1) / 2, (CHAINS, q)) * 2 / (nu[:, None] + far)
        if step >= 0:
            for place, value in zip(kept, (mu0, sigma0, nu), strict=True):
                place[step] = value
            kept_mu[step] = mu
    return kept[0], kept[1], kept[2], kept_mu


def _centre(data: _Data, variance: Floats, rng: np.random.Generator) -> Floats:
    """μ₀ of each chain, normal and cut at ± reach."""
    total = (1 / variance).sum(axis=1)
    middle, sd = (data.means / variance).sum(axis=1) / total, 1 / np.sqrt(total)
    low, high = ndtr((-data.reach - middle) / sd), ndtr((data.reach - middle) / sd)
    drawn = middle + sd * ndtri(low + (high - low) * rng.random(len(sd)))
    return np.asarray(np.clip(drawn, -data.reach, data.reach), dtype=np.float64)


def _spread(
    data: _Data, sigma0: Floats, mu0: Floats, noise: Floats, mixing: Floats, rng: np.random.Generator
) -> Floats:
    """σ₀ by a Metropolis step on its logarithm, the means of the data sets integrated out."""

    def score(logs: Floats) -> Floats:
        variance = noise + np.exp(2 * logs) / mixing
        fit = np.log(variance) + np.square(data.means - mu0[:, None]) / variance
        scored: Floats = logs[:, 0] - fit.sum(axis=1) / 2 + _bounded(data, logs[:, 0])
        return scored

    return np.exp(_metropolis(np.log(sigma0)[:, None], score, rng))[:, 0]


def _shape(data: _Data, sigma0: Floats, nu: Floats, away: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """σ₀ and ν together, by a Metropolis step on log σ₀ and log(ν − 1), from how far the means are from μ₀."""

    def score(logs: Floats) -> Floats:
        log_sigma, log_excess = logs.T
        v = np.exp(log_excess)[:, None] + 1
        far = np.square(away * np.exp(-log_sigma)[:, None]) / v
        density = gammaln((v + 1) / 2) - gammaln(v / 2) - np.log(v) / 2 - (v + 1) / 2 * np.log1p(far)
        prior = np.interp(log_excess, *_freedom_prior()) + log_sigma + _bounded(data, log_sigma)
        scored: Floats = density.sum(axis=1) - away.shape[1] * log_sigma + prior
        return scored

    drawn = np.exp(_metropolis(np.log(np.stack([sigma0, nu - 1], axis=1)), score, rng))
    return drawn[:, 0], drawn[:, 1] + 1


def _bounded(data: _Data, log_sigma: Floats) -> Floats:
    return np.where(log_sigma < math.log(data.widest), 0.0, -np.inf)


def _metropolis(value: Floats, score: Callable[[Floats], Floats], rng: np.random.Generator) -> Floats:
    """One step for each chain (a row), in any direction and of any size from small to large."""
    scale = np.exp(rng.uniform(-4, 1.2, value.shape))
    proposed = value + scale * rng.normal(size=value.shape)
    better = np.log(rng.random(len(value))) < score(proposed) - score(value)
    return np.where(better[:, None], proposed, value)


@lru_cache(maxsize=1)
def _freedom_prior() -> tuple[Floats, Floats]:
    """log p(log(ν − 1)) on a grid of log(ν − 1): a gamma law, averaged over the shapes and rates it may have."""
    places = np.linspace(-30, 12, 2000)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    shapes, rates = (low + (high - low) * (nodes + 1) / 2 for low, high in (SHAPES, RATES))
    shape, rate = shapes[:, None, None], rates[None, :, None]
    logs = shape * (np.log(rate) + places) - rate * np.exp(places) - gammaln(shape)
    both = np.log(weights[:, None] * weights[None, :])[:, :, None]
    return places, np.asarray(logsumexp(logs + both, axis=(0, 1)), dtype=np.float64)


def _r_hat(values: Floats) -> float:
    """Gelman and Rubin's R̂ of (step, chain), each chain cut in two."""
    half = len(values) // 2
    parts = np.concatenate([values[:half], values[half : 2 * half]], axis=1)
    within = parts.var(axis=0, ddof=1).mean()
    return math.sqrt((half - 1) / half + float(parts.mean(axis=0).var(ddof=1) / within)) if within > 0 else 1.0
