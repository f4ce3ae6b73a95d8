"""How sure to be of a decision: learnt from rows that the machines which decided had not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.numerics import log_normalise, minimise

__all__ = ["Calibration", "agreeing", "learn_calibration"]

HAIR = 1e-6  # by which the class that is decided for leads where the probabilities alone would say otherwise


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """P(class) = softmax(slope · score + shift): Platt's sigmoid, for any number of classes.

    >>> Calibration(1.0, np.zeros(2)).probabilities(np.array([[-1.0, 1.0]])).round(2)
    array([[0.12, 0.88]])
    """

    slope: float
    shift: Floats

    def probabilities(self, scores: Floats) -> Floats:
        """Of each class, a column for each score."""
        return np.exp(log_normalise(self.slope * scores + self.shift)[0])


def learn_calibration(scores: Floats, codes: NDArray[np.integer], weights: Floats) -> Calibration:
    """The slope and shifts under which the classes of rows that were left out are most probable.

    As if of each class one more row had been seen in every other class's place (Platt's targets), so that classes that
    are told apart without an error do not make for certainty.

    >>> learn_calibration(np.array([[-1.0, 1.0], [1.0, -1.0]]), np.array([1, 0]), np.ones(2)).slope > 0
    True
    """
    k = scores.shape[1]
    counts = np.bincount(codes, weights, minlength=k)
    wanted = np.repeat(1 / (counts + k)[codes, None], k, axis=1)
    wanted[np.arange(len(codes)), codes] *= counts[codes] + 1
    size = np.abs(scores).mean() or 1.0
    scaled, total = scores / size, weights.sum()

    def loss(position: Floats) -> tuple[float, Floats]:
        log_p = log_normalise(position[0] * scaled + position[1:])[0]
        off = (np.exp(log_p) - wanted) * weights[:, None] / total
        value = -float(weights @ (wanted * log_p).sum(axis=1)) / total
        return value, np.append((off * scaled).sum(), off.sum(axis=0))

    found = minimise(loss, np.append(1.0, np.zeros(k)), bounds=[(0.0, None), *[(None, None)] * k], tolerance=1e-9)
    return Calibration(float(found.position[0] / size), found.position[1:] - found.position[1:].mean())


def agreeing(p: Floats, decided: NDArray[np.integer]) -> Floats:
    """The probabilities nearest to ``p`` in which no class is more probable than the one decided for, and it leads.

    Where others are more probable, they and the decided class share what they have alike.

    >>> agreeing(np.array([[0.5, 0.3, 0.2], [0.1, 0.9, 0.0]]), np.array([1, 1])).round(3)
    array([[0.4, 0.4, 0.2],
           [0.1, 0.9, 0. ]])
    """
    own = p[np.arange(len(p)), decided]
    others = p.copy()
    others[np.arange(len(p)), decided] = -1.0
    wrong = np.flatnonzero(others.max(axis=1) >= own)
    p = p.copy()
    for row in wrong:
        order = np.argsort(-others[row])
        level, count = own[row], 1
        for j in order[:-1]:
            if p[row, j] < level:
                break
            level, count = (level * count + p[row, j]) / (count + 1), count + 1
        p[row, order[: count - 1]] = level
        p[row, decided[row]] = level * (1 + HAIR)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
