"""Where learning starts, and how far it may go: ranges for each hyperparameter that come from the data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from credo import kernels
from credo.beliefs import LogNormal
from credo.checks import Floats
from credo.kernels import Constant, Kernel, Matern52, Noise
from credo.kernels.hyperparameters import Hyperparameter

__all__ = ["Scales", "default_kernel", "default_noise", "drawn", "leaves", "limits", "scales_of"]

WIDER = math.log(1e3)  # how far beyond what is typical a hyperparameter may be learnt, either way
ROUNDING = 1e-9
SPREAD_OF_LENGTHS = 1.5  # of the default priors, as standard deviations of logarithms
SPREAD_OF_VARIANCE = 2.0
SPREAD_OF_NOISE = 3.0
Columns = tuple[int, ...] | None  # which columns a kernel looks at; None for all


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """How the data are spread: of each column the range, the standard deviation and the typical step; of y one number.

    What does not vary counts as spread by 1.
    """

    reach: Floats
    spread: Floats
    step: Floats
    target: float


def scales_of(X: Floats, y: Floats) -> Scales:
    """The spread of rows and targets.

    >>> scales_of(np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 3.0, 2.0])).reach
    array([3.])
    """
    reach, spread = np.ptp(X, axis=0), X.std(axis=0)
    step = []
    for column in X.T:
        gaps = np.diff(np.unique(column))
        step.append(float(np.median(gaps)) if len(gaps) else 1.0)
    target = float(y.std())
    return Scales(_or_one(reach), _or_one(spread), np.array(step), target if target > 0 else 1.0)


def _or_one(values: Floats) -> Floats:
    return np.where(values > 0, values, 1.0)


def default_kernel(scales: Scales) -> Kernel:
    """variance · Matern52 with a length for each column, each with a weak prior about what the data suggest.

    A prior is log-normal with its mode at the standard deviation of the column times √d, for d columns, or at the
    variance of y. It keeps a column that does not matter from running off to a length without end.
    """
    lengths = scales.spread * math.sqrt(len(scales.spread))
    kernel = Constant(scales.target**2) * Matern52(lengths)
    priors = {f"Matern52.length[{j}]": _about(length, SPREAD_OF_LENGTHS) for j, length in enumerate(lengths)}
    return kernel.with_priors(priors | {"Constant.variance": _about(scales.target**2, SPREAD_OF_VARIANCE)})


def default_noise(scales: Scales) -> Kernel:
    """Noise of a tenth of the standard deviation of y, to be learnt, with a weak prior about that."""
    sd = 0.1 * scales.target
    return Noise(sd).with_priors({"sd": _about(sd, SPREAD_OF_NOISE)})


def _about(mode: float, spread: float) -> LogNormal:
    # With a density per unit of the value, not of its logarithm, the mode is exp(mu − sigma²).
    return LogNormal(math.log(mode) + spread**2, spread)


def limits(kernel: Kernel, scales: Scales) -> Floats:
    """Bounds of ``theta``: those of the kernel, and far beyond what is typical for the data; the start is within.

    They are the same wherever within them the kernel is, so that to learn again does not go further.
    """
    bounds, theta = kernel.bounds, kernel.theta
    for i, (low, high) in enumerate(typical(kernel, scales)):
        least, most = low - WIDER, high + WIDER
        elsewhere = max(low, bounds[i, 0]) >= min(high, bounds[i, 1])
        if elsewhere or not least - ROUNDING <= theta[i] <= most + ROUNDING:
            least, most = min(least, theta[i] - WIDER), max(most, theta[i] + WIDER)
        bounds[i] = max(bounds[i, 0], least), min(bounds[i, 1], most)
    return bounds


def drawn(kernel: Kernel, scales: Scales, count: int, rng: np.random.Generator) -> list[Floats]:
    """Starts for ``theta``: from a prior, where there is one, or from what is typical for the data.

    Of each range every start takes another part (a Latin hypercube), so that few starts go far.
    """
    free = [entry for entry in kernel.hyperparameters.values() if entry.free]
    starts = np.empty((count, len(free)))
    for i, (entry, (low, high), (least, most)) in enumerate(
        zip(free, typical(kernel, scales), kernel.bounds, strict=True)
    ):
        parts = (rng.permutation(count) + rng.uniform(size=count)) / max(count, 1)
        if entry.prior is not None:
            values = np.asarray(entry.prior.quantile(parts), dtype=np.float64)
            starts[:, i] = [entry.on_scale(value) if value > 0 or not entry.log else low for value in values.tolist()]
        else:
            bottom, top = max(low, least), min(high, most)
            if bottom >= top:  # the bounds are elsewhere
                bottom, top = max(least, entry.theta - WIDER), min(most, entry.theta + WIDER)
            starts[:, i] = bottom + parts * (top - bottom)
        starts[:, i] = np.clip(starts[:, i], least, most)
    return list(starts)


def typical(kernel: Kernel, scales: Scales) -> list[tuple[float, float]]:
    """For each free hyperparameter the range that is typical for the data, on the scale it is learnt on."""
    where = [columns for leaf, columns in leaves(kernel, None) for _ in leaf.parameters]
    found, terms = [], sum(entry.kernel == "Constant" for entry in kernel.hyperparameters.values())
    for entry, columns in zip(kernel.hyperparameters.values(), where, strict=True):
        if entry.free:
            low, high = _typical(entry, columns, scales, terms)
            pair = (entry.on_scale(low), entry.on_scale(high))
            found.append(pair if all(map(math.isfinite, pair)) else (entry.theta - 1, entry.theta + 1))
    return found


def leaves(kernel: Kernel, columns: Columns) -> Iterator[tuple[Kernel, Columns]]:
    """The single kernels of an expression, from the left, and the columns each looks at."""
    if isinstance(kernel, (kernels.Sum, kernels.Product)):
        for part in kernel.parts:
            yield from leaves(part, columns)
    elif isinstance(kernel, kernels.On):
        inside = kernel.columns if columns is None else tuple(columns[j] for j in kernel.columns)
        yield from leaves(kernel.kernel, inside)
    elif isinstance(kernel, (kernels.Power, kernels.Restricted, kernels.Warped)):
        yield from leaves(kernel.kernel, columns)
    else:
        yield kernel, columns


def _typical(entry: Hyperparameter, columns: Columns, scales: Scales, terms: int) -> tuple[float, float]:
    """A typical range in the units of the hyperparameter; where ``terms`` share the variance, some have little."""
    held = np.arange(len(scales.reach)) if columns is None else np.array(columns)
    field, _, index = entry.field.partition("[")
    place = int(index.rstrip("]").split(",")[-1]) if index else None
    if place is not None and field in ("length", "period") and place < len(held):
        held = held[[place]]
    reach, step = float(scales.reach[held].max()), float(scales.step[held].min())
    match entry.kernel, field:
        case "Periodic", "length":
            return 0.3, 3.0
        case _, "length":
            # Series change from one row to the next, or hardly at all; in more columns all rows are far apart.
            low = step if len(scales.reach) == 1 else max(0.05 * reach, step)
            return min(low, reach), 2 * math.sqrt(len(scales.reach)) * reach
        case _, "period":
            return min(3 * step, reach / 4), reach / 2
        case "Constant", "variance":
            return 0.1 ** min(terms, 4) * scales.target**2, 10 * scales.target**2
        case "Linear", "variance":
            return 0.1 * (scales.target / reach) ** 2, 10 * (scales.target / reach) ** 2
        case "Noise", "sd":
            return 0.01 * scales.target, scales.target
        case _, "alpha":
            return 0.3, 10.0
        case _, "gamma":
            return 0.5, 2.0
        case _, "weights":
            return 0.05 * scales.target**2, scales.target**2
        case _, "frequencies":
            return 0.5 / reach, 0.25 / step
        case _, "widths":
            return 0.1 / reach, 1 / reach
    return (entry.value / 10, entry.value * 10) if entry.log else (entry.value - 1, entry.value + 1)
