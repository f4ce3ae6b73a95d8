"""The likelihood of classes whose log odds are linear: the softmax, and for two classes the sigmoid.

With K classes there are m = K − 1 free numbers η a row, and the log odds of the classes are ℓ = Bη: P(k) ∝ exp(ℓ_k).
The columns of B sum to zero, so the log odds of all classes do. For two classes B = (−½, ½)ᵀ and η is the log odds of
the second against the first; for more its columns are orthonormal, so that a weight for each class, of which only
differences matter, has the prior of the free ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from credo.checks import Floats

__all__ = ["Classes", "contrasts"]


def contrasts(classes: int) -> Floats:
    """The matrix B, with a row for each class.

    >>> contrasts(2)
    array([[-0.5],
           [ 0.5]])
    """
    if classes == 2:
        return np.array([[-0.5], [0.5]])
    return np.asarray(linalg.helmert(classes).T, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Which class each row has (its code), how much each row counts, and B.

    Arrays of log odds and of probabilities have a row for each class.

    >>> classes = Classes(np.array([0, 1, 1]), np.ones(3), contrasts(2))
    >>> round(classes.loss(np.zeros((1, 3))), 6)  # three times ln 2
    2.079442
    """

    codes: NDArray[np.integer]
    weight: Floats
    basis: Floats

    def loss(self, eta: Floats) -> float:
        """−Σ w ln P(class of the row)."""
        if len(self.basis) == 2:
            wrong = np.where(self.codes == 1, -eta[0], eta[0])
            return float(self.weight @ (np.log(1 + np.exp(-np.abs(wrong))) + np.maximum(wrong, 0.0)))
        logits = self.basis @ eta
        top = logits.max(axis=0)
        own = np.take_along_axis(logits, self.codes[None], axis=0)[0]
        return float(self.weight @ (np.log(np.exp(logits - top).sum(axis=0)) + (top - own)))

    def probabilities(self, eta: Floats) -> Floats:
        """P(class) for each row."""
        if len(self.basis) == 2:
            far = np.exp(-np.abs(eta[0]))
            more = 1 / (1 + far)
            less, up = far * more, eta[0] > 0
            return np.stack([np.where(up, less, more), np.where(up, more, less)])
        logits = self.basis @ eta
        odds = np.exp(logits - logits.max(axis=0))
        odds /= odds.sum(axis=0)
        return np.asarray(odds)

    def residuals(self, probs: Floats) -> Floats:
        """The derivative of the loss by η: w Bᵀ(P − 1 of the row's class)."""
        if len(self.basis) == 2:
            return np.asarray(self.weight * np.where(self.codes == 1, -probs[0], probs[1]))[None]
        off = probs * self.weight
        off[self.codes, np.arange(off.shape[1])] -= self.weight
        return np.asarray(self.basis.T @ off)

    def curvatures(self, probs: Floats) -> Iterator[tuple[Floats, Floats]]:
        """The second derivative by η is Σ c bbᵀ over pairs of classes: each b, and its c for every row."""
        for k, j in combinations(range(len(probs)), 2):
            yield self.basis[j] - self.basis[k], self.weight * probs[k] * probs[j]

    def curvature_gradient(self, probs: Floats, spread: Floats) -> Floats:
        """The derivative by η, (m, rows), of ½ Σ c bᵀSb over pairs of classes and rows, S being (m, m) for each row."""
        pulled = np.zeros_like(probs)
        for (k, j), (b, c) in zip(combinations(range(len(probs)), 2), self.curvatures(probs), strict=True):
            part = 0.5 * c * np.einsum("a,iab,b->i", b, spread, b)
            pulled[k] += part
            pulled[j] += part
            pulled -= 2 * part * probs
        return np.asarray(self.basis.T @ pulled)
