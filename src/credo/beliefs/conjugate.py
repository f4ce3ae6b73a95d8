"""Models of counts whose posterior has the form of the prior: coins, dice and events in time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs.answers import Answers
from credo.beliefs.bernoulli import Bernoulli
from credo.beliefs.beta import Beta
from credo.beliefs.categorical import Categorical
from credo.beliefs.dirichlet import Dirichlet
from credo.beliefs.gamma import Gamma
from credo.beliefs.negative_binomial import NegativeBinomial
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import BadShape

__all__ = ["BetaBinomial", "DirichletCategorical", "GammaPoisson"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BetaBinomial(Answers):
    """Successes and failures, with an unknown probability p of success: p ~ Beta(a, b).

    The posterior is Beta(a + successes, b + failures), and what was observed, in its order, had the probability
    B(a + successes, b + failures) / B(a, b).

    >>> BetaBinomial(a=0.5, b=0.5).given(successes=0, failures=2)
    BetaBinomial(a=0.5, b=0.5, successes=0.0, failures=2.0)
       ml  map    mean
    p   0    0  0.1667
    """

    a: float = 1.0
    b: float = 1.0
    successes: float = 0.0
    failures: float = 0.0

    def __post_init__(self) -> None:
        for name, seen in {"a": False, "b": False, "successes": True, "failures": True}.items():
            value = checks.positive(name, getattr(self, name), zero=seen, ndim=0)
            object.__setattr__(self, name, float(value))

    def given(self, *, successes: float = 0, failures: float = 0) -> BetaBinomial:
        """The same model after so many more successes and failures."""
        more = BetaBinomial(self.a, self.b, successes, failures)
        return replace(self, successes=self.successes + more.successes, failures=self.failures + more.failures)

    @property
    def posterior(self) -> Beta:
        """Beta(a + successes, b + failures)."""
        return Beta(self.a + self.successes, self.b + self.failures)

    @property
    def log_evidence(self) -> float:
        """log B(a + successes, b + failures) − log B(a, b)."""
        return float(
            scipy.special.betaln(self.a + self.successes, self.b + self.failures) - scipy.special.betaln(self.a, self.b)
        )

    @property
    def ml(self) -> float | None:
        """The fraction of successes."""
        total = self.successes + self.failures
        return self.successes / total if total else None

    def predictive(self) -> Bernoulli:
        """Whether the next one is a success: Bernoulli of the posterior mean."""
        return Bernoulli(self.posterior.mean)

    @property
    def _unknowns(self) -> tuple[str, ...]:
        return ("p",)


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class DirichletCategorical(Answers):
    """One of several states each time, with unknown probabilities: p ~ Dirichlet(alpha).

    The posterior is Dirichlet(alpha + counts). ``alpha`` is one number for all states, or one for each.

    >>> DirichletCategorical(["rain", "snow", "sun"], alpha=2).given({"rain": 3, "sun": 1})
    DirichletCategorical(states=('rain', 'snow', 'sun'), alpha=[2. 2. 2.], counts=[3. 0. 1.])
            ml     map  mean
    rain  0.75  0.5714   0.5
    snow     0  0.1429   0.2
    sun   0.25  0.2857   0.3
    """

    states: States
    alpha: Floats
    counts: Floats

    def __init__(self, states: Iterable[Hashable], *, alpha: ArrayLike = 1.0, counts: ArrayLike = 0.0) -> None:
        held = as_states("states", states)
        object.__setattr__(self, "states", held)
        for name, value, zero in (("alpha", alpha, False), ("counts", counts, True)):
            array = checks.positive(name, value, zero=zero)
            if array.shape not in ((), (len(held),)):
                raise BadShape(
                    f"{name} must be one number, or one for each of the {len(held)} states; got {array.shape}"
                )
            array = np.broadcast_to(array, len(held)).copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def given(self, counts: Mapping[Any, float] | ArrayLike) -> DirichletCategorical:
        """The same model after so many more of each state; states a mapping leaves out were not seen."""
        if isinstance(counts, Mapping):
            for state in counts:
                checks.known("state", state, self.states)
            counts = [counts.get(state, 0.0) for state in self.states]
        more = DirichletCategorical(self.states, counts=checks.floats("counts", counts, ndim=1))
        return DirichletCategorical(self.states, alpha=self.alpha, counts=self.counts + more.counts)

    @property
    def posterior(self) -> Dirichlet:
        """Dirichlet(alpha + counts)."""
        return Dirichlet(self.alpha + self.counts, self.states)

    @property
    def log_evidence(self) -> float:
        """log B(alpha + counts) − log B(alpha), with B(α) = ∏ Γ(αᵢ) / Γ(Σ α)."""
        before, after = self.alpha, self.alpha + self.counts
        each = (scipy.special.gammaln(after) - scipy.special.gammaln(before)).sum()
        return float(each - scipy.special.gammaln(after.sum()) + scipy.special.gammaln(before.sum()))

    @property
    def ml(self) -> Floats | None:
        """The relative frequencies."""
        total = self.counts.sum()
        return self.counts / total if total else None

    def predictive(self) -> Categorical:
        """What comes next: each state with its mean probability."""
        return Categorical(self.posterior.mean, self.states)

    @property
    def _unknowns(self) -> tuple[str, ...]:
        return tuple(map(str, self.states))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GammaPoisson(Answers):
    """Counts of events in equal stretches of time, at an unknown rate λ: λ ~ Gamma(shape, rate).

    The posterior is Gamma(shape + total, rate + n) after n counts with that total. ``log_ways`` is the sum of log x!
    over the counts, which only the evidence needs.

    >>> GammaPoisson(shape=2, rate=1).given([3, 5])
    GammaPoisson(shape=2.0, rate=1.0, total=8.0, n=2, log_ways=6.579251212010101)
       ml  map   mean
    λ   4    3  3.333
    """

    shape: float
    rate: float
    total: float = 0.0
    n: int = 0
    log_ways: float = 0.0

    def __post_init__(self) -> None:
        for name, seen in {"shape": False, "rate": False, "total": True, "log_ways": True}.items():
            object.__setattr__(self, name, float(checks.positive(name, getattr(self, name), zero=seen, ndim=0)))
        object.__setattr__(self, "n", checks.count("n", self.n))

    def given(self, counts: ArrayLike) -> GammaPoisson:
        """The same model after one more count, or several."""
        seen = checks.whole("counts", counts)
        return replace(
            self,
            total=self.total + float(seen.sum()),
            n=self.n + seen.size,
            log_ways=self.log_ways + float(scipy.special.gammaln(seen + 1).sum()),
        )

    @property
    def posterior(self) -> Gamma:
        """Gamma(shape + total, rate + n)."""
        return Gamma(self.shape + self.total, self.rate + self.n)

    @property
    def log_evidence(self) -> float:
        """log( rate^shape Γ(shape + total) / (Γ(shape) (rate + n)^(shape + total) ∏ x!) )."""
        before = self.shape * np.log(self.rate) - scipy.special.gammaln(self.shape)
        after = self.shape + self.total
        return float(before + scipy.special.gammaln(after) - after * np.log(self.rate + self.n) - self.log_ways)

    @property
    def ml(self) -> float | None:
        """The average count."""
        return self.total / self.n if self.n else None

    def predictive(self) -> NegativeBinomial:
        """The next count."""
        return NegativeBinomial(self.posterior.shape, self.posterior.rate)

    @property
    def _unknowns(self) -> tuple[str, ...]:
        return ("λ",)
