"""The perceptron's algorithm: go through the rows, and add each one that lies on the wrong side.

Every row x of a class to be told from the rest is written as u = ±(x, 1), with the sign of its side, so that a plane w
separates if u·w > 0 for all rows. From w = 0 on, each row with u·w ≤ 0 is a mistake, and u is added to w.

If some w* of length one has u·w* ≥ γ for all rows and no u is longer than R, then T mistakes make w·w* at least Tγ
and |w| at most R√T, so T ≤ R²/γ²: there is an end to mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from credo.checks import Floats

__all__ = ["Run", "run"]

BLOCK = 64  # rows whose products with each other are made at once, so that a mistake costs a look at those that follow


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The last weights, the mean of the weights over all looks at a row, and the mistakes of each pass."""

    last: Floats
    mean: Floats
    mistakes: tuple[int, ...]

    @property
    def clean(self) -> bool:
        """Whether the last pass was without a mistake, so that the last weights separate the rows."""
        return self.mistakes[-1] == 0

    @property
    def weights(self) -> Floats:
        """The weights to use: those that separate, or else the mean, which is less shaken by the last mistakes."""
        return self.last if self.clean else self.mean


def run(U: Floats, *, passes: int, rng: np.random.Generator) -> Run:
    """Go through the rows ``U``, each time in another random order, until a pass is clean or for so many ``passes``.

    >>> found = run(np.array([[1.0, 0.0], [0.0, 1.0]]), passes=9, rng=np.random.default_rng(0))
    >>> found.last, found.mistakes
    (array([1., 1.]), (2, 0))
    """
    weights, total, looks = np.zeros(U.shape[1]), np.zeros(U.shape[1]), 0
    mistakes: list[int] = []
    while len(mistakes) < passes and (not mistakes or mistakes[-1]):
        order, made = rng.permutation(len(U)), 0
        for start in range(0, len(U), BLOCK):
            rows = U[order[start : start + BLOCK]]
            wrong = _wrong(rows, weights)
            if wrong:
                added = rows[wrong]
                # A row that is added at some look counts in the mean from then on; ``total`` holds what it lacks.
                total += (looks + start + np.array(wrong)) @ added
                weights += added.sum(axis=0)
                made += len(wrong)
        looks += len(U)
        mistakes.append(made)
    return Run(weights, weights - total / looks, tuple(mistakes))


def _wrong(rows: Floats, weights: Floats) -> list[int]:
    """Which of the rows, taken one after another, are mistakes, if each mistake is added to the weights at once."""
    sides = rows @ weights
    wrong: list[int] = []
    at = int((sides <= 0).argmax())
    if sides[at] > 0:
        return wrong
    products = rows @ rows.T
    while True:
        wrong.append(at)
        sides[at + 1 :] += products[at, at + 1 :]
        rest = sides[at + 1 :] <= 0
        step = int(rest.argmax()) if rest.size else 0
        if not rest.size or not rest[step]:
            return wrong
        at += 1 + step
