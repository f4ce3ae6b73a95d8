"""Kernels of what comes back: periodic ones, and mixtures of waves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from types import MappingProxyType
from typing import ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from credo import native
from credo.checks import Floats
from credo.errors import BadShape, NumericalFailure
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import POSITIVE, Domain
from credo.kernels.leaves import Numbers, amounts
from credo.kernels.radial import radial, radial_pull

__all__ = ["Cosine", "Periodic", "SpectralMixture"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Periodic(Kernel):
    """What repeats itself, k = exp(−2 Σⱼ sin²(π(xⱼ − zⱼ)/periodⱼ)/lengthⱼ²).

    ``length`` says how much happens within a period, in parts of it: the shorter, the more. Both are one number, or one
    for each column.

    >>> Periodic(length=1.0, period=2.0)([[0.0]], [[1.0], [2.0]])
    array([[0.13533528, 1.        ]])
    """

    length: Numbers
    period: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"length": POSITIVE, "period": POSITIVE})
    _by_column: ClassVar[tuple[str, ...]] = ("length", "period")

    def __init__(self, length: ArrayLike = 1.0, period: ArrayLike = 1.0) -> None:
        self._hold(length=amounts("length", length), period=amounts("period", period))

    def _angles(self, X: Floats) -> Floats:
        return angles(X / np.asarray(self.period))

    def _circles(self, X: Floats) -> Floats:
        # Distances between points on a circle of radius 1 are 2 |sin(½ the angle between them)|.
        turned = self._angles(X)
        return np.hstack([np.cos(turned), np.sin(turned)])

    def _both_lengths(self) -> Numbers:
        return self.length * 2 if isinstance(self.length, tuple) else self.length

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return radial("se", self._circles(X), None if Z is None else self._circles(Z), self._both_lengths())

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        value, by_length, _ = radial_pull("se", self._circles(X), W, self._both_lengths())
        if isinstance(self.length, tuple):
            by_length = by_length.reshape(2, -1).sum(axis=0)
        by_period = self._pull_period(X, W)
        return value, np.concatenate([by_length, by_period if isinstance(self.period, tuple) else [by_period.sum()]])

    def _pull_period(self, X: Floats, W: Floats) -> Floats:
        """The slopes along the logarithm of each column's period: as it grows, points move back on their circles."""
        turned = self._angles(X - X.mean(axis=0))  # turned together, points stay as far apart as they are
        cosine, sine, lengths = np.cos(turned), np.sin(turned), np.asarray(self._both_lengths())
        circles, along = np.hstack([cosine, sine]), np.hstack([sine * turned, -cosine * turned])
        _, by_column, _ = native.radial_pull("se", circles / lengths, W, along=along / lengths)
        return cast(Floats, by_column.reshape(2, -1).sum(axis=0))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Cosine(Kernel):
    """One wave of unknown phase, k = cos(2π Σⱼ (xⱼ − zⱼ)/periodⱼ), with one period or one for each column.

    >>> Cosine(period=2.0)([[0.0]], [[1.0], [2.0]])
    array([[-1.,  1.]])
    """

    period: Numbers

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"period": POSITIVE})
    _by_column: ClassVar[tuple[str, ...]] = ("period",)

    def __init__(self, period: ArrayLike = 1.0) -> None:
        self._hold(period=amounts("period", period))

    def _turns(self, X: Floats) -> Floats:
        return angles(X / np.asarray(self.period))

    @property
    def _highest(self) -> float:
        return 1.0

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return cosines(self._turns(X).sum(axis=1), None if Z is None else self._turns(Z).sum(axis=1))

    def _diagonal(self, X: Floats) -> Floats:
        return np.ones(len(X))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        turns = self._turns(X)
        turns -= turns.mean(axis=0)
        angle = turns.sum(axis=1)
        by_period = sine_form(W, angle, turns)
        return cosine_form(W, angle), by_period if isinstance(self.period, tuple) else by_period.sum(keepdims=True)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SpectralMixture(Kernel):
    """A mixture of waves, k = Σ_q weight_q exp(−2π² Σⱼ (width_qj τⱼ)²) cos(2π Σⱼ frequency_qj τⱼ) with τ = x − z.

    Its spectrum is a mixture of normal laws with means ``frequencies`` and standard deviations ``widths``, in waves per
    unit of x. For one column these are lists as long as ``weights``; for several, tables with a row for each weight.
    A frequency of zero is a part without waves, and stays one.

    >>> SpectralMixture(weights=[1.0], frequencies=[0.5], widths=[0.001])([[0.0]], [[1.0]]).round(4)
    array([[-1.]])
    """

    weights: tuple[float, ...]
    frequencies: tuple[Numbers, ...]
    widths: tuple[Numbers, ...]

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType(
        {"weights": POSITIVE, "frequencies": POSITIVE, "widths": POSITIVE}
    )

    def __init__(self, weights: ArrayLike, frequencies: ArrayLike, widths: ArrayLike) -> None:
        held = amounts("weights", weights)
        means = amounts("frequencies", frequencies, most=2, zero=True)
        spreads = amounts("widths", widths, most=2)
        if not isinstance(held, tuple):
            raise BadShape(f"weights must be a list; got {held}")
        for name, value in (("frequencies", means), ("widths", spreads)):
            if np.shape(value)[:1] != (len(held),) or np.shape(value) != np.shape(means):
                raise BadShape(f"{name} must have a row for each of {len(held)} weights; got shape {np.shape(value)}")
        self._hold(weights=held, frequencies=means, widths=spreads)

    def _parts(self) -> list[tuple[float, Floats, Floats]]:
        """Weight, frequencies and lengths of each part."""
        tables = (np.reshape(np.asarray(table), (len(self.weights), -1)) for table in (self.frequencies, self.widths))
        means, widths = tables
        return list(zip(self.weights, means, 1 / (2 * pi * widths), strict=True))

    def _check(self, name: str, X: Floats) -> None:
        wanted = self._parts()[0][1].size
        if X.shape[1] != wanted:
            raise BadShape(f"{name} must have {wanted} columns for {self}; got {X.shape[1]}. Choose them by .on(...)")

    @property
    def _highest(self) -> float:
        return sum(self.weights)

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        whole = np.zeros((len(X), len(X if Z is None else Z)))
        for weight, means, lengths in self._parts():
            part = _wave(X, Z, means)
            part *= radial("se", X, Z, tuple(lengths))
            part *= weight
            whole += part
        return whole

    def _diagonal(self, X: Floats) -> Floats:
        return np.full(len(X), sum(self.weights))

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        values, by_frequency, by_width = [], [], []
        centred = X - X.mean(axis=0)
        for weight, means, lengths in self._parts():
            waves = _wave(X, None, means)
            waves *= W
            value, by_length, _ = radial_pull("se", X, waves, tuple(lengths))
            values.append(weight * value)
            by_width.append(-weight * by_length)  # a width is one over a length
            bumps = radial("se", X, None, tuple(lengths))
            bumps *= W
            turns = angles(centred * means)
            by_frequency.append(-weight * sine_form(bumps, turns.sum(axis=1), turns))
        return sum(values), np.concatenate([values, *by_frequency, *by_width])


def _wave(X: Floats, Z: Floats | None, frequencies: Floats) -> Floats:
    return cosines(angles(X @ frequencies), None if Z is None else angles(Z @ frequencies))


def angles(turns: Floats) -> Floats:
    """Numbers of whole turns as angles, if they are numbers at all."""
    found: Floats = 2 * pi * turns
    if not np.isfinite(found).all():
        raise NumericalFailure("the rows hold numbers too large for waves so short. Rescale the columns")
    return found


def cosines(angles: Floats, others: Floats | None) -> Floats:
    """The cosines of the differences of angles, cos a cos b + sin a sin b."""
    left = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    right = left if others is None else np.stack([np.cos(others), np.sin(others)], axis=1)
    return cast(Floats, left @ right.T)


def cosine_form(W: Floats, angles: Floats) -> float:
    """Σ W_ab cos(θ_a − θ_b)."""
    cosine, sine = np.cos(angles), np.sin(angles)
    return float(cosine @ (W @ cosine) + sine @ (W @ sine))


def sine_form(W: Floats, angles: Floats, Y: Floats) -> Floats:
    """Σ W_ab sin(θ_a − θ_b) (y_a − y_b) for every column y, from products with W alone."""
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    (cosine, sine), (after_cosine, after_sine) = waves.T, (W @ waves).T
    before_cosine, before_sine = waves.T @ W
    by_row = sine * after_cosine - cosine * after_sine + sine * before_cosine - cosine * before_sine
    return cast(Floats, by_row @ Y)
