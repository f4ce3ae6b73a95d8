"""The kernels that a search goes through: sums of products of base kernels, each of one column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from credo.checks import Floats
from credo.errors import CredoError
from credo.gp.process import Process, summands
from credo.gp.spectrum import waves
from credo.gp.starts import Scales
from credo.kernels import (
    SE,
    Constant,
    Exponential,
    Kernel,
    Linear,
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

__all__ = ["BASES", "Grammar", "structure"]

LOCAL = (SE, RationalQuadratic, Matern32, Matern52, Exponential)
BASES: Mapping[str, type[Kernel]] = MappingProxyType(
    {held.__name__: held for held in (SE, Periodic, Linear, RationalQuadratic, Matern32, Matern52, Exponential)}
)
HUMPS = 4  # of a spectrum, the trend among them
ALIKE = 0.05  # of a period: others as near lead to the same
SHORT = 0.1  # of the range: a length that follows quick changes
MIDDLE = 0.4
LEAN = 0.05  # of the variance of y: a wave beside a trend
LEAST_NOISE = 1e-2  # of the standard deviation of y, to start from


def structure(kernel: Kernel) -> str:
    """Which kernels an expression is made of, without their numbers, in an order of their own.

    >>> structure(2.0 * SE(1.0).on(1) * Linear().on(0) + 3.0 * Periodic(1.0, 1.0).on(0) + Noise(0.1))
    'Linear[0] * SE[1] + Periodic[0] + Noise'
    """
    terms = sorted(" * ".join(sorted(_name(factor) for factor in _factors(part))) for part in _smooth(kernel))
    return " + ".join([*terms, *("Noise" for part in summands(kernel) if isinstance(part, Noise))])


def _name(factor: Kernel) -> str:
    if isinstance(factor, On):
        return f"{_name(factor.kernel)}[{factor.columns[0]}]"
    return type(_bare(factor)).__name__


def _bare(factor: Kernel) -> Kernel:
    while isinstance(factor, On | Restricted):
        factor = factor.kernel
    return factor


def _column(factor: Kernel) -> int:
    return factor.columns[0] if isinstance(factor, On) else 0


def _smooth(kernel: Kernel) -> list[Kernel]:
    return [part for part in summands(kernel) if not isinstance(part, Noise)]


def _factors(part: Kernel) -> list[Kernel]:
    """What a part multiplies, but for its variance."""
    held = part.parts if isinstance(part, Product) else (part,)
    return [factor for factor in held if not _is(factor, Constant)]


def _level(part: Kernel) -> Kernel:
    """The variance of a part."""
    held = part.parts[0] if isinstance(part, Product) else part
    return held if _is(held, Constant) else Constant(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """From a kernel to those that are one base kernel away: added, multiplied by, or put in the place of another.

    Every kernel is Σ variance · base · … + noise, with every base one of ``bases`` and of one column. What is learnt
    of a kernel is where the next ones start; what is new starts from the data, a period from the highest humps of the
    spectra of the targets and of what the kernel leaves of them. ``known`` is the noise that is known of each row.
    """

    bases: tuple[str, ...]
    X: Floats
    residual: Floats
    known: Floats
    scales: Scales

    def next(self, kernel: Kernel) -> dict[str, list[Kernel]]:
        """The kernels one step away by their structure, each with where to start learning it from."""
        found: dict[str, list[Kernel]] = {}
        held = next((part for part in _told(kernel) if _is(part, Noise)), Noise(self.scales.target))
        parts, left = _smooth(kernel), self._left(kernel)
        size = max(float(left.std()) if self.known.any() else _noise(kernel), LEAST_NOISE * self.scales.target)
        if isinstance(held, Noise):  # of which nothing was said
            held = Noise(max(held.sd, size))
        for sums in self._steps(parts, left, size):
            made = Sum([*sums, held])
            found.setdefault(structure(made), []).append(made)
        return found

    def _steps(self, parts: list[Kernel], left: Floats, size: float) -> Iterator[list[Kernel]]:
        news = {(name, j): self._new(name, j, left) for name in self.bases for j in range(self.X.shape[1])}
        shapes = {structure(part) for part in parts}
        for (name, _), kernels in news.items():
            if name == "Linear" and structure(kernels[0]) in shapes:
                continue  # two lines are one
            for new in kernels:
                yield [*parts, Product([Constant(size**2), new])]
                if not _is(new, Periodic) and any(_is(factor, Periodic) for part in parts for factor in _factors(part)):
                    # A wave by itself follows the trend too; beside one it has to be a small one.
                    yield [*(self._lean(part) for part in parts), Product([Constant(self.scales.target**2), new])]
                if _is(new, Periodic) and any(_is(factor, *LOCAL) for part in parts for factor in _factors(part)):
                    yield [*(self._slow(part) for part in parts), Product([Constant(size**2), new])]
        for i, part in enumerate(parts):
            others, factors = [*parts[:i], *parts[i + 1 :]], _factors(part)
            for kernels in news.values():
                for new in kernels:
                    if _together([*factors, new]):
                        whole = Product([_level(part), *factors, new])
                        yield [*others, whole if _is(new, Linear) else self._slow(whole)]
                    for k, old in enumerate(factors):
                        others_of = [*factors[:k], *factors[k + 1 :]]
                        if _name(old) != _name(new) and _together([*others_of, new]):
                            yield [*others, Product([_level(part), *others_of, new])]
                            if _is(old, *LOCAL) and _is(new, *LOCAL) and _column(old) == _column(new):
                                alike = _moved(new, old.parameters["length"])
                                yield [*others, Product([_level(part), *others_of, alike])]

    def _new(self, name: str, column: int, left: Floats) -> list[Kernel]:
        """A base kernel of a column, with what it may start from."""
        reach, step = float(self.scales.reach[column]), float(self.scales.step[column])
        made: list[Kernel]
        if name == "Periodic":
            # Half a wave to a row cannot be told from a slower one, and what comes back but once from a trend.
            bounds = {"period": (min(2 * step, reach / 4), reach)}
            made = [Periodic(1.0, period).bounded(bounds) for period in self._periods(column, left)]
        elif name == "Linear":
            made = [Linear(1.0).fixed()]
        elif name == "RationalQuadratic":
            made = [RationalQuadratic(MIDDLE * reach, 1.0)]
        else:
            lengths = (max(SHORT * reach, step), MIDDLE * reach)
            made = [BASES[name](length) for length in lengths]  # type: ignore[call-arg]
        return [self._placed(kernel, column) for kernel in made]

    def _periods(self, column: int, left: Floats) -> list[float]:
        """Periods of what is left and of the targets, none twice and none longer than half of the range.

        The highest hump may be one of a season's overtones, so twice its period is there too.
        """
        x, reach = self.X[:, column], float(self.scales.reach[column])
        shortest = min(2 * float(self.scales.step[column]), reach / 4)
        kept: list[float] = []
        for values, most in ((left, 1), (self.residual, 2)):
            humps = waves(x, values, HUMPS) if len(np.unique(x)) > HUMPS else []
            found = [1 / wave.frequency for wave in humps if reach * wave.frequency > 2][:most]
            for period in [*found, *(2 * period for period in found[:1])]:
                if period < reach / 2 and all(abs(period / other - 1) > ALIKE for other in kept):
                    kept.append(max(period, shortest))
        return kept or [reach / 4]

    def _placed(self, kernel: Kernel, column: int) -> Kernel:
        return kernel.on(column) if self.X.shape[1] > 1 else kernel

    def _slow(self, part: Kernel) -> Kernel:
        """A part that leaves what is quick to a wave beside it."""
        return Product([_level(part), *(self._slower(factor) for factor in _factors(part))])

    def _lean(self, part: Kernel) -> Kernel:
        """A part that, if it is a wave, leaves the trend to another."""
        factors = _factors(part)
        if not any(_is(factor, Periodic) for factor in factors):
            return part
        shapes = [_moved(factor, 1.0) if _is(factor, Periodic) else factor for factor in factors]
        return Product([_moved(_level(part), LEAN * self.scales.target**2), *shapes])

    def _slower(self, factor: Kernel) -> Kernel:
        return _moved(factor, MIDDLE * float(self.scales.reach[_column(factor)])) if _is(factor, *LOCAL) else factor

    def _left(self, kernel: Kernel) -> Floats:
        """What the parts of a kernel leave of the targets."""
        parts = _smooth(kernel)
        if not parts:
            return self.residual
        whole = Sum(parts) if len(parts) > 1 else parts[0]
        noise = np.hypot(self.known, _noise(kernel))
        try:
            process = Process(whole).given(self.X, self.residual, noise=noise)
        except CredoError:  # without noise it may be no covariance; then nothing is left
            return self.residual
        return self.residual - process.predictive(self.X).mean


def _moved(kernel: Kernel, value: float) -> Kernel:
    """A kernel that starts from another length, or variance, as near to it as may be; as it is where that is fixed."""
    name = "variance" if _is(kernel, Constant) else "length"
    if name not in kernel.free:
        return kernel
    entry = kernel.hyperparameters[name]
    return kernel.with_parameters({name: min(max(value, entry.low), entry.high)})


def _told(kernel: Kernel) -> tuple[Kernel, ...]:
    """The parts of a sum, with what was said about each."""
    return kernel.parts if isinstance(kernel, Sum) else (kernel,)


def _noise(kernel: Kernel) -> float:
    return float(np.sqrt(sum(part.sd**2 for part in summands(kernel) if isinstance(part, Noise))))


def _is(factor: Kernel, *kinds: type[Kernel]) -> bool:
    return isinstance(_bare(factor), kinds)


def _together(factors: Sequence[Kernel]) -> bool:
    """Whether a product says more than one of fewer factors: of each column one kernel of a kind, and two lines."""
    for column in {_column(factor) for factor in factors}:
        here = [factor for factor in factors if _column(factor) == column]
        counts = [sum(_is(factor, *kinds) for factor in here) for kinds in (LOCAL, (Periodic,), (Linear,))]
        if counts[0] > 1 or counts[1] > 1 or counts[2] > 2:
            return False
    return True
