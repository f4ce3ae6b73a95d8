"""The Bayes decision rule: the action of least expected loss under a belief."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from credo.beliefs import Belief, Categorical
from credo.beliefs.layout import html_table
from credo.beliefs.states import as_array
from credo.checks import Floats, shown, unique
from credo.decisions.expected import expected_loss
from credo.decisions.labels import Labels, table_lines
from credo.decisions.loss import Loss
from credo.decisions.numbers import NumberLoss
from credo.errors import InvalidInput

__all__ = ["Decision", "bayes_risk", "conditional_risk", "decide"]

ROUNDING = 16 * np.finfo(np.float64).eps


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decision:
    """What to do and what it is expected to cost; for a batch of beliefs, each field has a row for each of them.

    ``action`` is the best action, ``risk`` its expected loss, ``risks`` the expected losses of all ``actions``. Where
    any number could be chosen, ``actions`` is empty and ``risks`` has no columns.
    """

    action: Any
    risk: Any
    risks: Floats
    actions: Labels

    def table(self) -> dict[Hashable, Any]:
        """The expected loss of each action, the best first; for a batch in the order of ``actions``, as arrays.

        >>> decide(Categorical({"well": 0.8, "ill": 0.2}), Loss.zero_one(["well", "ill"]).with_reject(0.5)).table()
        {'well': 0.2, 'refuse': 0.5, 'ill': 0.8}
        """
        if self.risks.ndim > 1:
            return dict(zip(self.actions, self.risks.T, strict=True))
        order = self.risks.argsort(kind="stable").tolist()
        return {self.actions[i]: float(self.risks[i]) for i in order}

    def __repr__(self) -> str:
        if self.risks.ndim > 1:
            return f"Decision({len(self.risks):,} rows, mean risk {float(np.mean(self.risk)):.4g})"
        choice = f"{self.action:.4g}" if isinstance(self.action, float) else repr(self.action)
        return f"Decision(action={choice}, risk={self.risk:.4g})"

    def _repr_html_(self) -> str:
        if self.risks.ndim > 1 or not self.actions:
            return f"<p>{escape(repr(self))}</p>"
        table = self.table()
        return html_table(table_lines("action", table, ["expected loss"], np.array(list(table.values()))[:, None]))


def decide(
    belief: Belief, loss: Loss | NumberLoss | Callable[[Any, Any], Any], *, actions: Iterable[Hashable] | None = None
) -> Decision:
    """The action of least expected loss under ``belief``; where several are equally good, the one listed first.

    ``loss`` is a ``Loss`` over the states of a ``Categorical`` belief, matched by name; or a loss on numbers such as
    ``SquaredLoss()``; or any function ``loss(action, outcome)``, with the ``actions`` there are to choose from. The
    function is called with an array of outcomes, or with one state at a time where the belief is over states.

    >>> decide(Categorical({"well": 0.8, "ill": 0.2}), Loss([[0, 9], [1, 1]], actions=["wait", "treat"],
    ...                                                     states=["well", "ill"]))
    Decision(action='treat', risk=1)
    >>> from credo.beliefs import Normal
    >>> def cost(order, demand):
    ...     return np.maximum(3 * (demand - order), order - demand)
    >>> decide(Normal(10, 2), cost, actions=[8, 10, 12])
    Decision(action=12, risk=2.667)
    """
    if not isinstance(belief, Belief):
        raise InvalidInput(f"belief must be a belief, such as Categorical; got {shown(belief)}")
    if belief.event_shape:
        raise InvalidInput(
            f"belief must be about states or one number; got {shown(belief)}. Decide on a marginal of it"
        )
    if isinstance(loss, (Loss, NumberLoss)):
        if actions is not None:
            raise InvalidInput("actions are for a loss that is a function; this loss has its own. Leave them out")
        return (
            _best(belief, loss)
            if isinstance(loss, NumberLoss)
            else _choose(conditional_risk(belief, loss), loss.actions)
        )
    if not callable(loss) or actions is None:
        raise InvalidInput(f"loss must be a Loss, or a function given together with its actions; got {shown(loss)}")
    choices = unique("actions", actions)
    if not choices:
        raise InvalidInput("actions must hold at least one action; got none")
    if isinstance(belief, Categorical):
        table = Loss.from_function(loss, actions=choices, states=belief.states)
        return _choose(conditional_risk(belief, table), choices)
    risks = [
        expected_loss(loss, belief, choice, *([choice] if isinstance(choice, (int, float, np.number)) else []))
        for choice in choices
    ]
    return _choose(np.stack(risks, axis=-1), choices)


def conditional_risk(belief: Belief, loss: Loss) -> Floats:
    """R(a) = Σ λ(a, s) P(s): the expected loss of each action, in the order of ``loss.actions``; a row for each belief.

    >>> conditional_risk(Categorical({"well": 0.8, "ill": 0.2}), Loss.zero_one(["ill", "well"]))
    array([0.8, 0.2])
    """
    # In this order the product of a small matrix and a large one is many times faster than in the other.
    matrix, probs = matched(belief, loss)
    risks: Floats = (matrix @ probs.T).T
    return risks


def matched(belief: Belief, loss: Loss) -> tuple[Floats, Floats]:
    """The losses with the states in the order of the belief, and the probabilities of those states.

    >>> matched(Categorical({"ill": 0.2, "well": 0.8}), Loss([[0, 9]], actions=["wait"], states=["well", "ill"]))
    (array([[9., 0.]]), array([0.2, 0.8]))
    """
    if not isinstance(loss, Loss):
        raise InvalidInput(f"loss must be a Loss, a table of actions and states; got {shown(loss)}")
    if not isinstance(belief, Categorical):
        raise InvalidInput(
            f"a Loss over states needs a Categorical belief; got {shown(belief)}. For numbers, use a loss such as "
            "SquaredLoss(), or a function and its actions"
        )
    return loss.over(belief.states).matrix, belief.probs


def bayes_risk(belief: Belief, loss: Loss) -> float:
    """The expected loss of always taking the best action: the least risk, averaged over the rows of a batch.

    >>> bayes_risk(Categorical([[0.9, 0.1], [0.4, 0.6]], states=["well", "ill"]), Loss.zero_one(["well", "ill"]))
    0.25
    """
    least = conditional_risk(belief, loss).min(axis=-1)
    if not least.size:
        raise InvalidInput("belief has no rows, so that there is no risk to average")
    return float(least.mean())


def _choose(risks: Floats, actions: Labels) -> Decision:
    # Two sums that are equal on paper may differ in their last digits; that must not decide between them.
    least, largest = risks.min(axis=-1, keepdims=True), np.abs(risks).max(axis=-1, keepdims=True)
    best = (risks <= least + ROUNDING * largest).argmax(axis=-1)
    if risks.ndim == 1:
        return Decision(actions[int(best)], float(risks[best]), risks, actions)
    return Decision(as_array(actions)[best], np.take_along_axis(risks, best[:, None], axis=1)[:, 0], risks, actions)


def _best(belief: Belief, loss: NumberLoss) -> Decision:
    action = loss.best(belief)
    risk = loss.risk(belief, action)
    none = np.empty((*action.shape, 0))
    return Decision(action, risk, none, ()) if action.ndim else Decision(float(action), float(risk), none, ())
