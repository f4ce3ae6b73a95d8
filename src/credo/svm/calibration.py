"""How sure to be of a decision: learnt from rows that the machines which decided had not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.numerics import log_normalise

__all__ = ["Calibration", "agreeing", "learn_calibration"]

STEPS = 100
FLAT = 1e-13
LEAST_BEND = 1e-12
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
    problem = _Problem(scores / size, wanted, weights / weights.sum())
    position = problem.least(np.append(1.0, np.zeros(k)))
    if position[0] < 0:  # decisions that point the wrong way say nothing; what is left is how frequent a class is
        position = np.append(0.0, np.log(problem.weights @ wanted))
    return Calibration(float(position[0] / size), position[1:] - position[1:].mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """The mean of −Σ wanted · log p, which is convex in the slope and the shifts."""

    scores: Floats
    wanted: Floats
    weights: Floats

    def value(self, position: Floats) -> float:
        log_p = log_normalise(position[0] * self.scores + position[1:])[0]
        return -float(self.weights @ (self.wanted * log_p).sum(axis=1))

    def step(self, position: Floats) -> tuple[Floats, Floats]:
        """The gradient, and Newton's step along it."""
        p = np.exp(log_normalise(position[0] * self.scores + position[1:])[0])
        off, k = (p - self.wanted) * self.weights[:, None], p.shape[1]
        gradient = np.append((off * self.scores).sum(), off.sum(axis=0))
        mean = (p * self.scores).sum(axis=1, keepdims=True)
        weighed = p * self.weights[:, None]
        bend = np.empty((k + 1, k + 1))
        bend[0, 0] = (weighed * (self.scores - mean) ** 2).sum()
        bend[0, 1:] = bend[1:, 0] = (weighed * (self.scores - mean)).sum(axis=0)
        bend[1:, 1:] = np.diag(weighed.sum(axis=0)) - weighed.T @ p + 1 / k  # (alike shifts change nothing: hold them)
        return gradient, np.linalg.solve(bend + LEAST_BEND * np.eye(k + 1), gradient)

    def least(self, position: Floats) -> Floats:
        """Newton's steps from ``position``, halved until they help, to where no step does."""
        for _ in range(STEPS):
            gradient, step = self.step(position)
            if np.abs(gradient).max() <= FLAT:
                break
            value = self.value(position)
            while self.value(position - step) >= value and np.abs(step).max() > FLAT:
                step = step / 2
            position = position - step
        return position


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
