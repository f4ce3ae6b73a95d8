"""What the hyperparameters of a kernel are measured in, and a kernel in other units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import Belief, LogNormal
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.gp.starts import leaves
from credo.kernels import (
    SE,
    Constant,
    Exponential,
    GammaExponential,
    Kernel,
    Linear,
    Matern12,
    Matern32,
    Matern52,
    Noise,
    On,
    Periodic,
    Product,
    RationalQuadratic,
    Restricted,
    Sum,
)
from credo.kernels.hyperparameters import Hyperparameter

__all__ = ["rescaled", "units"]

MOVABLE = (
    SE,
    Matern52,
    Matern32,
    Matern12,
    Exponential,
    GammaExponential,
    RationalQuadratic,
    Periodic,
    Linear,
)


def units(kernel: Kernel, columns: Sequence[str], target: str) -> dict[str, str]:
    """The unit of each hyperparameter: that of a column, of the target, of its square; nothing for a plain number.

    >>> from credo.kernels import SE, Periodic
    >>> units(4.0 * SE(67.0) + Periodic(length=1.3, period=1.0), ["year"], "ppm")
    {'Constant.variance': 'ppm²', 'SE.length': 'year', 'Periodic.length': '', 'Periodic.period': 'year'}
    """
    where = [seen for leaf, seen in leaves(kernel, None) for _ in leaf.parameters]
    found = {}
    for (name, entry), seen in zip(kernel.hyperparameters.items(), where, strict=True):
        held = list(columns) if seen is None else [columns[j] for j in seen]
        field, _, index = entry.field.partition("[")
        place = int(index.rstrip("]").split(",")[-1]) if index else 0
        column = held[place] if index and place < len(held) else held[0] if len(held) == 1 else "distance"
        found[name] = _unit(entry.kernel, field, column, target)
    return found


def _unit(kernel: str, field: str, column: str, target: str) -> str:
    match kernel, field:
        case ("Periodic", "length") | ("NeuralNetwork", _):
            return ""
        case _, "length" | "period":
            return column
        case ("Constant", "variance") | (_, "weights"):
            return f"{target}²"
        case "Noise", "sd":
            return target
        case "Linear", "variance":
            return f"{target}²/{column}²"
        case _, "frequencies" | "widths":
            return f"1/{column}"
    return ""


def rescaled(kernel: Kernel, columns: ArrayLike, target: float) -> Kernel:
    """The same law of functions where every column is multiplied by its entry of ``columns``, and the target too.

    It is what a kernel learnt from standardised data is in the units of the data, ``columns`` their standard
    deviations; and, by their reciprocals, the other way round. It is for sums of products of kernels of one column
    each: what was said about hyperparameters is kept beside each, and a product without a variance gets one that is
    fixed. A line goes through zero in either units, so columns must be counted from the same place.

    >>> from credo.kernels import SE, Noise
    >>> rescaled(0.5 * SE(2.0).fixed() + Noise(0.1), [10.0], 4.0)
    8.0 * SE(length=20.0).fixed('length') + Noise(sd=0.4)
    """
    scale = np.atleast_1d(np.asarray(columns, dtype=np.float64))
    entries = iter(kernel.hyperparameters.values())
    parts = [_product(part, entries, scale, target) for part in _parts(kernel, Sum)]
    return Sum(parts) if len(parts) > 1 else parts[0]


def _product(part: Kernel, entries: Iterator[Hyperparameter], scale: Floats, target: float) -> Kernel:
    """A product in other units, its variance first."""
    made = [_factor(factor, entries, scale, target) for factor in _parts(part, Product)]
    kinds = [next(iter(leaves(factor, None)))[0] for factor in made]
    if len(made) == 1 and isinstance(kinds[0], (Constant, Noise)):
        return made[0]
    levels = [factor for factor, kind in zip(made, kinds, strict=True) if isinstance(kind, Constant)]
    if len(levels) > 1 or any(isinstance(kind, Noise) for kind in kinds):
        raise InvalidInput(f"{part} has no other units: a product may have one variance, and no noise. Multiply it out")
    return Product([*(levels or [Constant(target**2).fixed()]), *(factor for factor in made if factor not in levels)])


def _factor(factor: Kernel, entries: Iterator[Hyperparameter], scale: Floats, target: float) -> Kernel:
    """A single kernel in other units, with what was said about it."""
    if isinstance(factor, Restricted):
        return _factor(factor.kernel, entries, scale, target)
    if isinstance(factor, On):
        place = factor.columns[0] if len(factor.columns) == 1 else len(scale)
        if place < len(scale):
            return _factor(factor.kernel, entries, scale[[place]], target).on(place)
    elif isinstance(factor, (Constant, Noise)) or (isinstance(factor, MOVABLE) and len(scale) == 1):
        held = dict(zip(factor.parameters, entries, strict=False))
        return _leaf(factor, held, {name: _times(entry, float(scale[0]), target) for name, entry in held.items()})
    raise InvalidInput(
        f"{factor} has no other units here: {', '.join(kind.__name__ for kind in MOVABLE)} have, each of one column of "
        f"{len(scale)}, as a factor of a sum. Choose the column by .on(...), or give another kernel"
    )


def _parts(kernel: Kernel, kind: type[Sum | Product]) -> list[Kernel]:
    if isinstance(kernel, Restricted):
        return _parts(kernel.kernel, kind)
    return [held for part in kernel.parts for held in _parts(part, kind)] if isinstance(kernel, kind) else [kernel]


def _times(entry: Hyperparameter, column: float, target: float) -> float:
    """What a hyperparameter is multiplied by."""
    match entry.kernel, entry.field.partition("[")[0]:
        case "Periodic", "length":
            return 1.0
        case _, "length" | "period":
            return column
        case "Linear", _:
            return column**-2
        case "Constant", _:
            return target**2
        case "Noise", _:
            return target
    return 1.0  # alpha, gamma


def _leaf(leaf: Kernel, held: Mapping[str, Hyperparameter], times: Mapping[str, float]) -> Kernel:
    own = leaf.hyperparameters
    made = leaf.with_parameters({name: entry.value * times[name] for name, entry in held.items()})
    for name, entry in held.items():
        if (entry.low, entry.high) != (own[name].low, own[name].high):
            made = made.bounded({name: (entry.low * times[name], entry.high * times[name])})
        if entry.prior is not None:
            made = made.with_priors({name: _prior(name, entry.prior, times[name])})
        if entry.fixed:
            made = made.fixed(name)
    return made


def _prior(name: str, prior: Belief, times: float) -> Belief:
    if times == 1:
        return prior
    if isinstance(prior, LogNormal):
        return LogNormal(prior.mu + math.log(times), prior.sigma)
    raise InvalidInput(f"the prior of {name} has no other units; got {checks.shown(prior)}. Give a LogNormal")
