"""The NumPy twins of the kernels of a distance."""

from __future__ import annotations

import math

import numpy as np

from credo.checks import Floats

__all__ = ["radial", "radial_pull"]

SMALLEST = 1e-290  # squared distances below it count as zero where a slope has no limit


def radial(shape: int, U: Floats, V: Floats | None, power: float, out: Floats) -> None:
    """The kernel of the distance between rows of ``U`` and of ``V``, written to ``out``."""
    out[...] = _kernel(shape, _squares(U, U if V is None else V), power)


def radial_pull(shape: int, U: Floats, along: Floats | None, W: Floats, power: float) -> tuple[float, Floats, float]:
    """ΣW∘K, and its slopes along a direction for each column, and along the logarithm of the power."""
    squares = _squares(U, U)
    whole = _kernel(shape, squares, power)
    by_power = float(np.vdot(W, _power_slope(shape, squares, power)))
    slopes = W * _slope(shape, squares, power)
    directions = -U if along is None else along
    by_column = np.array(
        [
            -np.vdot(slopes, np.subtract.outer(u, u) * np.subtract.outer(t, t))
            for u, t in zip(U.T, directions.T, strict=True)
        ]
    )
    return float(np.vdot(W, whole)), by_column, by_power


def _squares(U: Floats, V: Floats) -> Floats:
    squares = np.zeros((len(U), len(V)))
    for u, v in zip(U.T, V.T, strict=True):
        squares += np.square(u[:, None] - v)
    return squares


def _kernel(shape: int, squares: Floats, power: float) -> Floats:
    with np.errstate(divide="ignore"):
        match shape:
            case 0:
                return np.exp(-0.5 * squares)
            case 1:
                return np.exp(-np.sqrt(squares))
            case 2:
                r = math.sqrt(3) * np.sqrt(np.minimum(squares, 1e6))
                return (1 + r) * np.exp(-r)
            case 3:
                r = math.sqrt(5) * np.sqrt(np.minimum(squares, 1e6))
                return (1 + r + np.square(r) / 3) * np.exp(-r)
            case 4:
                return np.exp(-(squares ** (power / 2)))
        return np.exp(-power * np.log1p(squares / (2 * power)))


def _slope(shape: int, squares: Floats, power: float) -> Floats:
    """−2 dk/dr², which times the square of a difference is the slope along the logarithm of its length."""
    apart = squares > SMALLEST
    safe = np.where(apart, squares, 1.0)
    match shape:
        case 0:
            return np.exp(-0.5 * squares)
        case 1:
            return np.where(apart, np.exp(-np.sqrt(safe)) / np.sqrt(safe), 0.0)
        case 2:
            return 3 * np.exp(-math.sqrt(3) * np.sqrt(squares))
        case 3:
            r = math.sqrt(5) * np.sqrt(np.minimum(squares, 1e6))
            return 5 / 3 * (1 + r) * np.exp(-r)
        case 4:
            return np.where(apart, power * safe ** (power / 2 - 1) * np.exp(-(safe ** (power / 2))), 0.0)
    return np.exp(-(power + 1) * np.log1p(squares / (2 * power)))


def _power_slope(shape: int, squares: Floats, power: float) -> Floats:
    """dk/d log power."""
    if shape == 4:
        safe = np.where(squares > SMALLEST, squares, 1.0)  # 1 has the logarithm 0
        raised = safe ** (power / 2)
        return -0.5 * power * raised * np.log(safe) * np.exp(-raised)
    if shape == 5:
        part = squares / (2 * power)
        return power * (part / (1 + part) - np.log1p(part)) * np.exp(-power * np.log1p(part))
    return np.zeros_like(squares)
