"""Finitely many hypotheses, and the three answers about them side by side."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from credo.beliefs.categorical import Categorical, Likelihood
from credo.beliefs.layout import aligned, html_table
from credo.checks import Floats, shown
from credo.errors import BadShape, InvalidInput

__all__ = ["Hypotheses"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hypotheses:
    """A prior over hypotheses, and the log likelihood under each of all that was observed so far.

    It is Bayes' rule of a ``Categorical`` with the prior and the likelihood remembered, so that the hypothesis of
    greatest likelihood (``ml``), the most probable one (``map``) and the whole ``posterior`` can be compared. For
    hypotheses that are numbers there is also the posterior ``mean``.

    >>> Hypotheses(Categorical({"cancer": 0.008, "healthy": 0.992})).given({"cancer": 0.98, "healthy": 0.03})
             prior  likelihood    joint  posterior
    cancer   0.008        0.98  0.00784     0.2085  ml
    healthy  0.992        0.03  0.02976     0.7915  map
    """

    prior: Categorical
    log_likelihood: Floats = field(default_factory=lambda: np.zeros(()))  # nothing was observed yet
    posterior: Categorical = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.prior, Categorical) or self.prior.batch_shape:
            raise InvalidInput(f"prior must be a single Categorical belief; got {shown(self.prior)}")
        logs = self.log_likelihood if np.ndim(self.log_likelihood) else np.zeros(len(self.prior.states))
        logs = self.prior.log_likelihood(logs, log=True).copy()
        if logs.ndim != 1:
            raise BadShape(f"the likelihood must be one number for each hypothesis; got shape {logs.shape}")
        logs.flags.writeable = False
        object.__setattr__(self, "log_likelihood", logs)
        object.__setattr__(self, "posterior", self.prior.given(logs, log=True) if logs.any() else self.prior)

    def given(self, likelihood: Likelihood, *, log: bool = False) -> Hypotheses:
        """The same hypotheses after one more observation, with its likelihood as in ``Categorical.given``."""
        more = self.prior.log_likelihood(likelihood, log=log)
        return replace(self, log_likelihood=self.log_likelihood + more)

    @property
    def log_evidence(self) -> float:
        """log P(all that was observed) = log Σ P(observed | h) P(h)."""
        return float(self.posterior.log_evidence)

    @property
    def ml(self) -> Any:
        """The hypothesis of greatest likelihood (the first of equals); None before anything was observed."""
        return None if not self.log_likelihood.any() else self.prior.states[int(np.argmax(self.log_likelihood))]

    @property
    def map(self) -> Any:
        """The most probable hypothesis (the first of equals)."""
        return self.posterior.mode

    @property
    def mean(self) -> Floats:
        """The average of the hypotheses by their probability, if they are numbers."""
        return self.posterior.mean

    def table(self) -> str:
        """A line for each hypothesis: prior × likelihood = joint, normalised to the posterior; and which wins."""
        return aligned(self._lines(), right=[False, True, True, True, True, False])

    def _lines(self) -> list[list[str]]:
        lines = [["", "prior", "likelihood", "joint", "posterior", ""]]
        columns = (self.prior.probs, np.exp(self.log_likelihood), self.posterior.unnormalised, self.posterior.probs)
        for state, *numbers in zip(self.prior.states, *columns, strict=True):
            wins = [name for name, winner in (("ml", self.ml), ("map", self.map)) if winner == state]
            lines.append([str(state), *(f"{number:.4g}" for number in numbers), " ".join(wins)])
        return lines

    def __repr__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        return html_table(self._lines())
