"""What a fitted machine says of itself, so that a person can see that it is solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from credo.errors import Outcome
from credo.svm.dual import Dual, Solution

__all__ = ["Machine", "Report"]

SHOWN = 12


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine, which tells the class ``positive`` from ``negative``, and how well it is solved.

    ``primal`` is ½‖w‖² + ΣCᵢξᵢ, ``dual`` is Σα − ½‖w‖²; no other machine has a primal below this dual, so their ``gap``
    bounds what is left to gain. ``violation`` is by how much the worst pair of rows breaks the conditions of Karush,
    Kuhn and Tucker. ``support`` rows have an α above zero, ``bounded`` ones the largest they may have. Without a limit
    (a hard margin) the primal is that of w scaled until every row is outside the margin.
    """

    negative: Any
    positive: Any
    rows: int
    support: int
    bounded: int
    primal: float
    dual: float
    violation: float
    steps: int
    outcome: Outcome

    @property
    def gap(self) -> float:
        """How far the primal is above the dual; zero at the optimum."""
        return self.primal - self.dual

    @classmethod
    def of(cls, classes: tuple[Any, Any], dual: Dual, solution: Solution) -> Machine:
        """The account of a solution.

        >>> dual = Dual(np.array([-1.0, 1.0]), np.ones(2))
        >>> Machine.of(("no", "yes"), dual, Solution(dual.target, np.zeros(2), 1, Outcome.CONVERGED)).gap
        0.0
        """
        beta, slack, target, limit = solution.beta, solution.slack, dual.target, dual.limit
        length = float(beta @ (target - slack))  # ‖w‖²
        short = target * (slack - solution.bias(dual))  # by how much each row falls short of the margin
        soft = np.isfinite(limit)
        loss = float(limit[soft] @ np.maximum(short[soft], 0.0))
        nearest = 1 - float(np.max(short[~soft], initial=0.0))
        most, least = dual.ends(beta, slack)
        return cls(
            negative=classes[0],
            positive=classes[1],
            rows=int(np.count_nonzero(limit)),
            support=int(np.count_nonzero(beta)),
            bounded=int(np.count_nonzero((np.abs(beta) == limit) & (limit > 0))),
            primal=0.5 * length / nearest**2 + loss if nearest > 0 else float("inf"),
            dual=float(target @ beta) - 0.5 * length,
            violation=max(most - least, 0.0) if np.isfinite([most, least]).all() else 0.0,
            steps=solution.steps,
            outcome=solution.outcome,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """All machines of a classifier, one for each pair of classes; ``print`` shows them as a table.

    >>> machine = Machine("no", "yes", 2, 2, 0, 1.0, 1.0, 0.0, 1, Outcome.CONVERGED)
    >>> print(Report((machine,)))
    1 machine, solved; the worst violation is 0
    classes         rows  vectors  at limit        primal          dual       gap  violation     steps
    yes | no           2        2         0             1             1         0          0         1
    """

    machines: tuple[Machine, ...]

    @property
    def good(self) -> bool:
        """Whether every machine is solved."""
        return all(machine.outcome.good for machine in self.machines)

    @property
    def violation(self) -> float:
        """The worst violation of all machines."""
        return max(machine.violation for machine in self.machines)

    @property
    def gap(self) -> float:
        """The gaps of all machines together."""
        return sum(machine.gap for machine in self.machines)

    @property
    def dual(self) -> float:
        """The duals of all machines together."""
        return sum(machine.dual for machine in self.machines)

    def __str__(self) -> str:
        """The worst machines first, at most a dozen."""
        count, left = len(self.machines), sum(not machine.outcome.good for machine in self.machines)
        state = f"{left} not solved" if left else "solved"
        lines = [f"{count} machine{'s' * (count > 1)}, {state}; the worst violation is {self.violation:.2g}"]
        lines.append(
            f"{'classes':<14}{'rows':>6}{'vectors':>9}{'at limit':>10}{'primal':>14}{'dual':>14}{'gap':>10}"
            f"{'violation':>11}{'steps':>10}"
        )
        worst = sorted(self.machines, key=lambda machine: (machine.outcome.good, -machine.violation))
        for m in worst[:SHOWN]:
            name = f"{m.positive} | {m.negative}"
            lines.append(
                f"{name:<14}{m.rows:>6}{m.support:>9}{m.bounded:>10}{m.primal:>14.8g}{m.dual:>14.8g}{m.gap:>10.2g}"
                f"{m.violation:>11.2g}{m.steps:>10}"
            )
        return "\n".join([*lines, *([f"… and {count - SHOWN} more"] if count > SHOWN else [])])
