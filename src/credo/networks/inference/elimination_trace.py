"""What an elimination did, step by step, as tables that can be followed with a pencil."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from credo.beliefs.layout import aligned
from credo.checks import Floats
from credo.networks.factors.contraction import Table, marginal

__all__ = ["Step", "Trace"]

SHOWN_ROWS = 32


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """Some tables were multiplied and, unless ``name`` is None, the variable ``name`` was summed or maximised out.

    ``labels`` say of each table which of the original factors are in it.
    """

    name: str | None
    labels: tuple[tuple[str, ...], ...]
    tables: tuple[Table, ...]
    product: Table
    result: Table

    @property
    def label(self) -> tuple[str, ...]:
        """The original factors that are in the result."""
        return tuple(itertools.chain(*self.labels))

    def __str__(self) -> str:
        semiring = self.product.semiring
        if self.name is None:
            return self._multiplied(self.product)
        others = [name for name in self.product.variables if name != self.name]
        whole = marginal(self.product, [self.name, *others], semiring=semiring)
        terms = whole.values.reshape(-1, len(self.result.values)).T
        verb = "maximise over" if semiring.chooses else "sum out"
        return f"{self._multiplied(whole)}\n{verb} {self.name}\n{self._totals(terms)}"

    def _multiplied(self, whole: Table) -> str:
        """The product, each number with the numbers it is the product of."""
        times = " + " if whole.semiring.log else " × "
        lines = []
        for cell in _cells(whole):
            terms = times.join(_number(table.values[_place(table, cell)]) for table in self.tables)
            lines.append([terms, "=", _number(whole.values[_place(whole, cell)])])
        return _laid_out(whole, times.join(map(_titled, self.labels, self.tables)), lines)

    def _totals(self, terms: Floats) -> str:
        """The result, each number with the numbers it is the sum, or the largest, of."""
        semiring = self.result.semiring
        lines = []
        for row, total in zip(terms[:SHOWN_ROWS].tolist(), self.result.values.tolist(), strict=False):
            if semiring.chooses:
                shown = f"max({', '.join(map(_number, row))})"
            elif semiring.log:
                shown = f"log({' + '.join(f'e^{_number(term)}' for term in row)})"
            else:
                shown = " + ".join(map(_number, row))
            lines.append([shown, "=", _number(total)])
        return _laid_out(self.result, _titled(self.label, self.result), lines)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace:
    """The steps of an elimination; printed, it shows every table."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n\n".join(f"Step {number}: {step}" for number, step in enumerate(self.steps, start=1))


def _titled(label: Sequence[str], table: Table) -> str:
    return f"F[{', '.join(label)}]({', '.join(table.variables)})"


def _cells(table: Table) -> list[dict[str, int]]:
    """The codes of the first combinations of states."""
    every = itertools.product(*(range(len(states)) for states in table.variables.values()))
    return [dict(zip(table.variables, codes, strict=True)) for codes in itertools.islice(every, SHOWN_ROWS)]


def _place(table: Table, codes: dict[str, int]) -> int:
    place = 0
    for name, states in table.variables.items():
        place = place * len(states) + codes[name]
    return place


def _number(value: float) -> str:
    return f"{value:.6g}"


def _laid_out(table: Table, title: str, numbers: list[list[str]]) -> str:
    """A title, then a line for each combination of states; the states in front."""
    labels = [[str(table.variables[name][code]) for name, code in cell.items()] for cell in _cells(table)]
    lines = [[*table.variables, "", "", ""], *([*label, *line] for label, line in zip(labels, numbers, strict=True))]
    right = [False] * (len(lines[0]) - 1) + [True]
    more = len(table.values) - len(numbers)
    return f"{title}\n{aligned(lines, right=right)}" + (f"\n… and {more:,} more rows" if more > 0 else "")
