"""From beliefs to actions: the action of least expected loss, what it risks, and what knowing more would be worth.

A ``Loss`` says what each action costs in each state: λ(action, state). Under a belief about the state every action has
a conditional risk R(a) = Σ λ(a, s) P(s), and ``decide`` takes the action of least risk. To refuse, to ask somebody or
to test first is an action like any other (``loss.with_reject``).

>>> from credo.beliefs import Categorical
>>> from credo.decisions import Loss, decide
>>> loss = Loss.asymmetric(positive="cancer", negative="healthy", false_negative=5, false_positive=1)
>>> decide(Categorical({"cancer": 0.21, "healthy": 0.79}), loss)
Decision(action='cancer', risk=0.79)

The cancer is improbable, yet missing it is so much worse that one acts as if it were there: the loss moves the
threshold.

>>> round(loss.threshold(), 4)
0.1667
>>> [region.action for region in loss.with_reject(0.5).regions()]
['healthy', 'refuse', 'cancer']

- ``Loss``: made from names and numbers, a mapping, a function, utilities or a CSV file (``Loss.read``). Its states are
  matched to those of the belief by name, in any order, and a text from a file to a number.
- ``decide`` gives a ``Decision``; ``conditional_risk`` and ``bayes_risk`` give the numbers alone. A batch of beliefs,
  one a row, is decided at once. Of equally good actions, the first is taken.
- For beliefs about numbers: ``SquaredLoss`` (the mean is best), ``AbsoluteLoss`` (the median), ``PinballLoss`` (a
  quantile), ``InsensitiveLoss``, or any function of action and outcome with the actions to choose from.
- ``loss.regions()`` and ``loss.threshold()``: for two states, which action is best for which probability.
- ``value_of_perfect_information``, ``value_of_sample_information`` and ``Experiment``: whether to look before acting.
"""

from __future__ import annotations

from credo.decisions.information import Experiment, value_of_perfect_information, value_of_sample_information
from credo.decisions.loss import Loss
from credo.decisions.numbers import AbsoluteLoss, InsensitiveLoss, NumberLoss, PinballLoss, SquaredLoss
from credo.decisions.regions import Region
from credo.decisions.rule import Decision, bayes_risk, conditional_risk, decide

__all__ = [
    "AbsoluteLoss",
    "Decision",
    "Experiment",
    "InsensitiveLoss",
    "Loss",
    "NumberLoss",
    "PinballLoss",
    "Region",
    "SquaredLoss",
    "bayes_risk",
    "conditional_risk",
    "decide",
    "value_of_perfect_information",
    "value_of_sample_information",
]
