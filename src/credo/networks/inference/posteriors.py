"""The beliefs about many variables at once, made when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.categorical import Categorical
from credo.beliefs.layout import aligned
from credo.beliefs.states import States
from credo.checks import Floats

__all__ = ["Posteriors"]

SHOWN = 40


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posteriors(Mapping[str, Categorical]):
    """A mapping from each variable to the belief about it; for many rows of findings, to a batch with a law for each.

    ``probs(name)`` gives the numbers alone, and ``log_evidence`` is log P(findings), one number or one for each row.
    """

    variables: Mapping[str, States]
    log_evidence: Any
    _cells: Floats
    _logs: Floats
    _spans: Mapping[str, slice]

    @classmethod
    def of(
        cls, variables: Mapping[str, States], log_evidence: Any, cells: Floats, spans: Mapping[str, slice]
    ) -> Posteriors:
        """Answers that stand one after another in ``cells``, or in each row of it."""
        with np.errstate(divide="ignore"):
            logs = np.log(cells)
        cells.flags.writeable = logs.flags.writeable = False
        return cls(variables, log_evidence, cells, logs, spans)

    def probs(self, name: str) -> Floats:
        """The probabilities of the states of a variable: one row, or a row for each row of findings."""
        return self._cells[..., self._spans[checks.known("variable", name, self._spans)]]

    def __getitem__(self, name: str) -> Categorical:
        span = self._spans[checks.known("variable", name, self._spans)]
        return Categorical.unchecked(
            self._cells[..., span], self._logs[..., span], self.variables[name], self.log_evidence
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

    def __contains__(self, name: object) -> bool:
        return name in self._spans

    def as_dict(self) -> dict[str, dict[Any, Any]]:
        """From each variable and state to its probability (to a list of them, for many rows)."""
        return {name: dict(zip(self.variables[name], self.probs(name).T.tolist(), strict=True)) for name in self._spans}

    def table(self, names: Sequence[str] | None = None) -> str:
        """A line for each variable: its states, the most probable first, with their probabilities."""
        lines = []
        for name in list(self) if names is None else names:
            probs = self.probs(name)
            if probs.ndim > 1:
                lines.append([name, f"{len(probs):,} rows over {checks.shown(self.variables[name], 50)}"])
                continue
            order = np.argsort(-probs, kind="stable")[:4]
            texts = [f"{self.variables[name][i]} {probs[i]:.4g}" for i in order.tolist()]
            lines.append([name, "  ".join([*texts, "…"] if len(probs) > len(order) else texts)])
        return aligned(lines, right=[False, False]) if lines else "no variables"

    def __repr__(self) -> str:
        shown = list(self)[:SHOWN]
        more = len(self) - len(shown)
        return self.table(shown) + (f"\n… and {more:,} more" if more else "")
