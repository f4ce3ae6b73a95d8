"""What acting on a belief cost, once the state is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs import Belief
from credo.checks import Floats
from credo.decisions import Loss, conditional_risk, decide
from credo.errors import BadShape
from credo.evaluation.intervals import Interval, mean

__all__ = ["Acted", "decision_loss"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Acted:
    """The action of least expected loss in every row: what was done, what it cost, and what it was expected to cost.

    ``paid`` is the mean loss with its interval; ``expected`` what the beliefs promised. A belief that is too sure of
    itself promises less than is paid. ``surprise`` is the difference, row by row.

    >>> from credo.beliefs import Categorical
    >>> belief = Categorical([[0.9, 0.1], [0.3, 0.7], [0.8, 0.2]], ["well", "ill"])
    >>> loss = Loss([[0, 9], [1, 0]], actions=["wait", "treat"], states=["well", "ill"])
    >>> found = decision_loss(belief, ["well", "ill", "ill"], loss)
    >>> found
    Acted(3 rows: wait 1, treat 2; paid 0.000 (0.000 to 0.000), expected 0.667)
    """

    actions: tuple[Any, ...]
    taken: NDArray[np.intp]
    losses: Floats
    risks: Floats
    paid: Interval
    surprise: Interval

    @property
    def expected(self) -> float:
        """The mean of the losses expected."""
        return float(self.risks.mean())

    @property
    def counts(self) -> dict[Any, int]:
        """How often each action was taken."""
        return dict(zip(self.actions, np.bincount(self.taken, minlength=len(self.actions)).tolist(), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON holds it."""
        held: dict[str, Any] = checks.plain_json(self)
        return held

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {n:,}" for name, n in self.counts.items())
        return f"Acted({len(self.losses):,} rows: {counts}; paid {self.paid}, expected {self.expected:.3f})"


def decision_loss(belief: Belief, truth: ArrayLike, loss: Loss, *, level: float = 0.95) -> Acted:
    """Score beliefs over states by a decision table: act on each by least expected loss, and pay what the truth costs.

    >>> from credo.beliefs import Categorical
    >>> belief = Categorical([[0.9, 0.1], [0.3, 0.7]], ["well", "ill"])
    >>> decision_loss(belief, ["ill", "ill"], Loss.zero_one(["well", "ill"])).losses
    array([1., 0.])
    """
    risks = conditional_risk(belief, loss)
    if risks.ndim != 2:
        raise BadShape("belief must be a batch with a law for each row; got a single one")
    states = np.asarray(truth, dtype=object).tolist()
    checks.rows_match("belief", len(belief), "truth", len(states))
    place = {state: i for i, state in enumerate(belief.states)}  # type: ignore[attr-defined]  # conditional_risk saw to it
    for state in set(states):
        checks.known("state", state, place)
    came = np.fromiter(map(place.__getitem__, states), np.intp, len(states))
    decision = decide(belief, loss)
    names = {action: i for i, action in enumerate(loss.actions)}
    taken = np.fromiter(map(names.__getitem__, decision.action.tolist()), np.intp, len(states))
    table = loss.over(tuple(place)).matrix
    losses = table[taken, came]
    expected = np.asarray(decision.risk, dtype=np.float64)
    within = (float(table.min()), float(table.max()))
    paid, surprise = mean(losses, level=level, within=within), mean(losses - expected, level=level)
    return Acted(loss.actions, taken, losses, expected, paid, surprise)
