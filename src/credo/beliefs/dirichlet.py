"""The Dirichlet law."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.beta import Beta, beta_quantile
from credo.beliefs.gamma_functions import dirichlet_entropy, dirichlet_kl, dirichlet_log_density, dirichlet_mode
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import BadShape

__all__ = ["Dirichlet"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Dirichlet(Belief):
    """The Dirichlet law of k probabilities that sum to one, p(x) = Γ(Σ α) ∏ xᵢ^(αᵢ − 1) / Γ(αᵢ).

    ``alpha`` has shape (k,), or (n, k) for a batch; ``states`` may name what the probabilities belong to. Adding counts
    to ``alpha`` is Bayes' rule. Quantiles and intervals are those of each coordinate, which is a beta law.

    >>> belief = Dirichlet([1 + 3, 1 + 0, 1 + 1], states=["rain", "snow", "sun"])
    >>> belief.mean
    array([0.57142857, 0.14285714, 0.28571429])
    >>> belief.marginal("rain")
    Beta(a=4, b=3)
    """

    alpha: Floats
    states: States | None

    _law_ndim: ClassVar[int] = 1

    def __init__(self, alpha: ArrayLike, states: Iterable[Hashable] | None = None) -> None:
        alpha = checks.positive("alpha", alpha)
        if alpha.ndim not in {1, 2} or alpha.shape[-1] < 2:
            raise BadShape(f"alpha must hold at least two numbers a law, as (k,) or (rows, k); got shape {alpha.shape}")
        names = None if states is None else as_states("states", states)
        if names is not None and len(names) != alpha.shape[-1]:
            raise BadShape(f"states must name each of the {alpha.shape[-1]} columns of alpha; got {len(names)} names")
        self._keep(alpha=alpha.copy(), states=names)

    @property
    def event_shape(self) -> tuple[int, ...]:
        """(k,)."""
        return (self.alpha.shape[-1],)

    @property
    def _total(self) -> Floats:
        total: Floats = self.alpha.sum(axis=-1, keepdims=True)
        return total

    @property
    def mean(self) -> Floats:
        """α / Σ α."""
        return self.alpha / self._total

    @property
    def var(self) -> Floats:
        """mean (1 − mean) / (Σ α + 1)."""
        return self.mean * ((self._total - self.alpha) / self._total) / (self._total + 1)

    @property
    def mode(self) -> Floats:
        """(α − 1)⁺ / Σ (α − 1)⁺; where no α is above one, the corner of the largest, or the centre if all are one."""
        return dirichlet_mode(self.alpha)

    def entropy(self) -> Floats:
        """log B(α) + (Σ α − k) ψ(Σ α) − Σ (αᵢ − 1) ψ(αᵢ)."""
        return dirichlet_entropy(self.alpha)

    def marginal(self, state: Hashable) -> Beta:
        """The beta law of the probability of one state, by its name, or by its number if the states have no names."""
        names = self.states if self.states is not None else tuple(range(self.alpha.shape[-1]))
        at = names.index(checks.known("state", state, names))
        return Beta(self.alpha[..., at], np.delete(self.alpha, at, axis=-1).sum(axis=-1))

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= 0).all(axis=-1) & (np.abs(x.sum(axis=-1) - 1) <= checks.SUM_TOLERANCE)
        x = np.where(inside[..., None], x, 1 / x.shape[-1])
        return np.where(inside, dirichlet_log_density(self.alpha, x), -np.inf)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return beta_quantile(self.alpha, self._total - self.alpha, below, above)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        # A gamma draw of a tiny shape is too small for a float, so its logarithm is drawn: G(α) = G(α + 1) U^(1/α).
        size = (n, *self.alpha.shape)
        logs = np.log(rng.standard_gamma(self.alpha + 1, size)) - rng.standard_exponential(size) / self.alpha
        draws = np.exp(logs - logs.max(axis=-1, keepdims=True))
        shares: Floats = draws / draws.sum(axis=-1, keepdims=True)
        return shares

    def _kl(self, other: Self) -> Floats:
        return dirichlet_kl(self.alpha, other.alpha)
