"""How tables are multiplied and summed: the two operations that make elimination answer one question or another.

Elimination only ever multiplies tables and sums variables out. With ``max`` in the place of the sum the same steps find
the most probable states, and with logarithms in the place of the numbers nothing underflows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from credo.checks import Floats
from credo.numerics import log_sum_exp

__all__ = ["LOG_MAX", "LOG_SUM", "MAX", "SUM", "Semiring"]


@dataclass(frozen=True, slots=True)
class Semiring:
    """Two operations on numbers, or on their logarithms.

    >>> SUM.total(np.array([[0.5, 0.25], [1.0, 0.0]])), MAX.total(np.array([[0.5, 0.25], [1.0, 0.0]]))
    (array([0.75, 1.  ]), array([0.5, 1. ]))
    """

    name: str
    times: np.ufunc
    total: Callable[[Floats], Floats]  # of each row
    one: float
    log: bool  # whether the numbers are logarithms
    chooses: bool  # whether the total is one of the numbers, so that there is a state to trace back to

    def encode(self, numbers: Floats) -> Floats:
        """Plain numbers as those of the semiring: their logarithms, if it has such."""
        if not self.log:
            return numbers
        with np.errstate(divide="ignore"):
            return np.log(numbers)

    def decode(self, numbers: Floats) -> Floats:
        """The plain numbers again."""
        return np.exp(numbers) if self.log else numbers

    def scaled(self, numbers: Floats) -> tuple[Floats, float]:
        """Plain numbers of which the largest is one, and the logarithm of what they were divided by.

        Where all are zero they stay so, and that logarithm is minus infinity.

        >>> LOG_SUM.scaled(np.array([-1000.0, -np.inf]))
        (array([1., 0.]), -1000.0)
        """
        top = float(numbers.max())
        log_top = top if self.log else float(np.log(top)) if top > 0 else -np.inf
        if log_top == -np.inf:
            return np.zeros_like(numbers), log_top
        return (np.exp(numbers - top), log_top) if self.log else (numbers / top, log_top)


def _add(numbers: Floats) -> Floats:
    totals: Floats = numbers.sum(axis=1)
    return totals


def _add_logs(numbers: Floats) -> Floats:
    return log_sum_exp(numbers, axis=1)


def _largest(numbers: Floats) -> Floats:
    totals: Floats = numbers.max(axis=1)
    return totals


SUM = Semiring("sum-product", np.multiply, _add, 1.0, log=False, chooses=False)
MAX = Semiring("max-product", np.multiply, _largest, 1.0, log=False, chooses=True)
LOG_SUM = Semiring("log-sum", np.add, _add_logs, 0.0, log=True, chooses=False)
LOG_MAX = Semiring("log-max", np.add, _largest, 0.0, log=True, chooses=True)
