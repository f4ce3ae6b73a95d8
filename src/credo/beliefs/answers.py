"""Maximum likelihood, the most probable value and full Bayes, for the same model, side by side."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from credo.beliefs.base import Belief
from credo.beliefs.layout import aligned, html_table

__all__ = ["Answers"]


class Answers(ABC):
    """A model with something unknown in it, and what was observed so far: a frozen value.

    ``given(...)`` returns the same kind of model with more observed, so that yesterday's posterior is today's prior.
    ``ml`` is the value under which the observations are most probable, ``map`` the most probable value given them, and
    ``mean`` the average of all values by their probability; ``posterior`` is the whole belief these summarise.
    ``log_evidence`` is the log of the probability of everything observed, in the order in which it came.

    >>> from credo.beliefs import BetaBinomial
    >>> coin = BetaBinomial(a=1, b=1).given(successes=3, failures=1)
    >>> isinstance(coin, Answers), coin.ml, round(float(coin.mean), 3)
    (True, 0.75, 0.667)
    """

    __slots__ = ()

    @property
    @abstractmethod
    def posterior(self) -> Belief:
        """The belief about the unknown."""

    @property
    @abstractmethod
    def log_evidence(self) -> float:
        """log P(all that was observed), the unknown averaged out."""

    @property
    @abstractmethod
    def ml(self) -> Any:
        """The value of greatest likelihood; None before anything was observed."""

    @property
    def map(self) -> Any:
        """The most probable value: the mode of the posterior."""
        return self.posterior.mode

    @property
    def mean(self) -> Any:
        """The mean of the posterior."""
        return self.posterior.mean

    @property
    @abstractmethod
    def _unknowns(self) -> tuple[str, ...]:
        """What the unknown numbers are called."""

    def table(self) -> str:
        """The three answers side by side, a line for each unknown number."""
        return aligned(self._lines(), right=[False, True, True, True])

    def _lines(self) -> list[list[str]]:
        columns = {"ml": self.ml, "map": self.map, "mean": self.mean}
        cells = [[_text(value, i) for value in columns.values()] for i in range(len(self._unknowns))]
        return [["", *columns], *([name, *row] for name, row in zip(self._unknowns, cells, strict=True))]

    def __repr__(self) -> str:
        return f"{self._call()}\n{self.table()}"

    def _call(self) -> str:
        fields = [(f.name, getattr(self, f.name)) for f in dataclasses.fields(self)]  # type: ignore[arg-type]
        inside = ", ".join(f"{name}={value}" for name, value in fields)
        return f"{type(self).__name__}({inside})"

    def _repr_html_(self) -> str:
        return html_table(self._lines(), title=self._call())


def _text(value: Any, i: int) -> str:
    """The i-th of the numbers; a dash where there is none."""
    number = None if value is None else np.atleast_1d(value)[i]
    return "–" if number is None or np.isnan(number) else f"{number:.4g}"
