"""The likelihood of classes whose log odds are linear: the softmax, and for two classes the sigmoid.

With K classes there are m = K − 1 free numbers η a row, and the log odds of the classes are ℓ = Bη: P(k) ∝ exp(ℓ_k).
The columns of B sum to zero, so the log odds of all classes do. For two classes B = (−½, ½)ᵀ and η is the log odds of
the second against the first; for more its columns are orthonormal, so that a weight for each class, of which only
differences matter, has the prior of the free ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
        return self.believe(eta)[0]

    def probabilities(self, eta: Floats) -> Floats:
        """P(class) for each row."""
        return self.believe(eta)[1]

    def believe(self, eta: Floats) -> tuple[float, Floats]:
        """The loss and the probabilities, which have their exponentials in common."""
        if len(self.basis) == 2:
            wrong, up = np.where(self.codes == 1, -eta[0], eta[0]), eta[0] > 0
            far = np.exp(-np.abs(eta[0]))
            more = 1 / (1 + far)
            less = far * more
            loss = float(self.weight @ (np.log(1 + far) + np.maximum(wrong, 0.0)))
            return loss, np.stack([np.where(up, less, more), np.where(up, more, less)])
        logits = self.basis @ eta
        logits -= logits.max(axis=0)
        own = logits[self.codes, np.arange(logits.shape[1])]
        odds = np.exp(logits, out=logits)
        total = odds.sum(axis=0)
        odds /= total
        return float(self.weight @ (np.log(total) - own)), odds

    def residuals(self, probs: Floats) -> Floats:
        """The derivative of the loss by η: w Bᵀ(P − 1 of the row's class)."""
        if len(self.basis) == 2:
            return np.asarray(self.weight * np.where(self.codes == 1, -probs[0], probs[1]))[None]
        off = probs * self.weight
        off[self.codes, np.arange(off.shape[1])] -= self.weight
        return np.asarray(self.basis.T @ off)

    @property
    def pairs(self) -> int:
        """How many pairs of classes there are."""
        return len(self.basis) * (len(self.basis) - 1) // 2

    def doubts(self, probs: Floats, rows: slice) -> Floats:
        """c = w P(k) P(j) for each pair of classes k < j and some of the rows: (pairs, rows).

        The second derivative of the loss by η is Σ c bbᵀ over the pairs, b being row j of B less row k. No difference
        of nearly equal numbers is taken, however sure the rows are.
        """
        held, weight = probs[:, rows], self.weight[rows]
        doubts = np.empty((self.pairs, held.shape[1]))
        for k, with_k in self._by_first():
            np.multiply(weight * held[k], held[k + 1 :], out=doubts[with_k])
        return doubts

    def combined(self, grams: Floats) -> Floats:
        """Σ bbᵀ ⊗ G over the pairs of classes, each with its matrix G (width, width): (m, m, width, width)."""
        k = len(self.basis)
        if k == 2:
            return grams[None]
        whole = np.zeros((k, k, *grams.shape[1:]))
        first, second = np.triu_indices(k, 1)
        whole[first, second] = whole[second, first] = -grams
        whole[np.arange(k), np.arange(k)] = -whole.sum(axis=1)
        return _on_both_sides(self.basis.T, whole)

    def differences(self, blocks: Floats) -> Floats:
        """Σ b b′ C for each pair of classes: the covariance (width, width) of the weights of one less the other's.

        ``blocks`` is the covariance C of the free weights, (m, m, width, width).
        """
        if len(self.basis) == 2:
            return np.asarray(blocks[0])
        whole = _on_both_sides(self.basis, blocks)
        first, second = np.triu_indices(len(self.basis), 1)
        return np.asarray(whole[first, first] + whole[second, second] - whole[first, second] - whole[second, first])

    def curvature_gradient(self, probs: Floats, rows: slice, v: Floats) -> Floats:
        """The derivative by η, (m, rows), of ½ Σ c v over pairs of classes and rows; v is (pairs, rows)."""
        parts = 0.5 * self.doubts(probs, rows) * v
        pulled = -2 * parts.sum(axis=0) * probs[:, rows]
        for k, with_k in self._by_first():
            pulled[k] += parts[with_k].sum(axis=0)
            pulled[k + 1 :] += parts[with_k]
        return np.asarray(self.basis.T @ pulled)

    def _by_first(self) -> Iterator[tuple[int, slice]]:
        """Each class but the last, and where its pairs with those after it stand among all pairs."""
        end = 0
        for k in range(len(self.basis) - 1):
            start, end = end, end + len(self.basis) - 1 - k
            yield k, slice(start, end)


def _on_both_sides(A: Floats, blocks: Floats) -> Floats:
    """Σ A_ka A_lb C_ab for blocks C_ab of equal shape."""
    size, shape = len(blocks), blocks.shape[2:]
    half = (A @ blocks.reshape(size, -1)).reshape(len(A), size, -1)
    return np.asarray((A @ half).reshape(len(A), len(A), *shape))
