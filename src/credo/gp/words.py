"""A kernel in plain words: a clause for each part of the sum that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike

from credo import checks, kernels
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.gp.calendar import amount, listed, season
from credo.gp.process import Process, summands
from credo.kernels import Kernel
from credo.kernels import kernel as kernel_of

if TYPE_CHECKING:
    from credo.gp.regression import GaussianProcessRegressor

__all__ = ["describe"]

LONG = 0.5  # of the range: what changes over a length beyond it looks like a trend
ENDLESS = 5.0  # ranges: over a length beyond it nothing is seen to change
ONE_LENGTH = 30.0  # the alpha of a rational quadratic from which on it is a squared exponential to the eye
STEADY = 0.9  # of all ups and downs: what goes up by so much more than down is called rising

SMOOTHNESS = {  # from the roughest on
    "Exponential": "rough",
    "GammaExponential": "rough",
    "Matern12": "rough",
    "Matern32": "fairly rough",
    "Matern52": "fairly smooth",
    "RationalQuadratic": "smooth",
    "SE": "smooth",
}
STRAIGHT = ("a straight", "a rising straight", "a falling straight", "a plane")
SINGLE = {
    "Wiener": "a random walk",
    "NeuralNetwork": "smooth steps",
    "Index": "a level for each category",
    "BasisKernel": "a weighted sum of features",
}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A single kernel of a product, and the columns it looks at."""

    kernel: Kernel
    columns: tuple[int, ...]

    @property
    def kind(self) -> str:
        return type(self.kernel).__name__


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """What words need of the data: of each column the range, its scale in the kernel, its unit and its name."""

    reach: Floats
    scale: Floats
    units: tuple[str, ...]
    names: tuple[str, ...]

    def of(self, columns: Sequence[int], word: str = "of") -> str:
        """``" of a and b"``, or nothing where there is only one column."""
        return f" {word} {listed([self.names[j] for j in columns])}" if len(self.names) > 1 else ""

    def own(self, value: object, columns: Sequence[int]) -> list[float]:
        """A length or period, or one for each of some columns, in the units of the columns."""
        held = np.broadcast_to(np.asarray(value, dtype=np.float64), len(columns))
        return [float(length) for length in held * self.scale[list(columns)]]

    def amounts(self, values: Sequence[float], columns: Sequence[int]) -> str:
        """``"about 3 years"``; where there are several columns, ``"about 3 years of age"``."""
        pairs = zip(values, columns, strict=True)
        return "about " + listed([amount(value, self.units[j]) + self.of([j]) for value, j in pairs])


def describe(
    model: Kernel | Process | GaussianProcessRegressor | str,
    X: ArrayLike | None = None,
    *,
    units: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
) -> str:
    """A kernel in a sentence, with a clause for each part that its sum has when all is multiplied out.

    ``model`` is a kernel, and ``X`` its data, or a process or a regressor that has seen data; of these it is also said
    whether a trend rises or falls. What changes over more than half of the range of X is called a trend. ``units`` are
    those of the columns, one text or one for each; of units of time, periods get their everyday names. ``names`` are
    those of the columns, where there are several.

    >>> from credo.kernels import SE, Noise, Periodic
    >>> kernel = 66**2 * SE(67) + 2.4**2 * SE(90) * Periodic(1.3, 1) + 0.66**2 * SE(1.2) + Noise(0.19)
    >>> print(describe(kernel, [[1958.0], [2003.0]], units="years"))
    a smooth trend, plus a yearly season that changes shape over about 90 years, plus smooth changes over about
    1.2 years, plus noise
    """
    kernel, process, scale = _opened(model)
    seen = None if process is None else process.seen
    if X is None and seen is None:
        raise InvalidInput("X is missing, and of a kernel alone no length is long or short. Give X, the rows it is for")
    rows = checks.floats("X", X) if X is not None else seen.X * (1.0 if scale is None else scale)  # type: ignore[union-attr]
    if rows.ndim != 2 or not len(rows):
        raise BadShape(f"X must be a table of rows and columns, with at least one row; got shape {rows.shape}")
    kernel.diagonal(rows)  # refuses rows that it cannot compare
    scale = np.ones(rows.shape[1]) if scale is None else scale
    frame = _Frame(np.ptp(rows, axis=0), scale, _texts("units", units, len(scale)), _named(names, len(scale)))
    parts = summands(kernel)
    ways = [""] * len(parts) if process is None or seen is None else _ways(process, seen.X)
    said: list[str] = []
    for part, way in zip(parts, ways, strict=False):
        terms = list(_terms(part, tuple(range(len(scale)))))
        said += [_clause(term, frame, way if len(terms) == 1 else "") for term in terms]
    if seen is not None and seen.noise.any():
        said.append("noise")
    once = sorted(dict.fromkeys(filter(None, said)), key=_rank)
    return ", plus ".join(once) or "nothing"


def _rank(clause: str) -> int:
    """People begin with the trend and end with the noise."""
    return 2 if clause.startswith("noise") else 0 if " trend" in clause or clause.startswith(STRAIGHT) else 1


def _opened(
    model: Kernel | Process | GaussianProcessRegressor | str,
) -> tuple[Kernel, Process | None, Floats | None]:
    """The kernel, its process if it is of one, and the scale of each column where data were standardised."""
    if isinstance(model, Kernel | str):
        return kernel_of(model) if isinstance(model, str) else model, None, None
    if isinstance(model, Process):
        process = cast(Process, model)  # (scikit-learn's classes have no types, so it might be a regressor as well)
        return process.kernel, process, None
    from credo.gp.regression import GaussianProcessRegressor

    if not isinstance(model, GaussianProcessRegressor):
        raise BadParameter(f"model must be a kernel, its text, a process or a regressor; got {checks.shown(model)}")
    model._require_fit()
    return model.process_.kernel, model.process_, model.scaling_.scale


def _texts(name: str, value: str | Sequence[str] | None, columns: int) -> tuple[str, ...]:
    held = [""] * columns if value is None else [value] * columns if isinstance(value, str) else list(value)
    if len(held) != columns or not all(isinstance(text, str) for text in held):
        raise BadParameter(f"{name} must be a text for each of {columns} columns; got {checks.shown(value)}")
    return tuple(held)


def _named(names: Sequence[str] | None, columns: int) -> tuple[str, ...]:
    return tuple(f"column {j}" for j in range(columns)) if names is None else _texts("names", names, columns)


def _ways(process: Process, rows: Floats) -> list[str]:
    """Which way each part of a process goes, from the least row to the greatest: ``"rising"``, ``"falling"``, or none.

    Only what looks at one column goes any way.
    """
    found = []
    everywhere = tuple(range(rows.shape[1]))
    for part, component in zip(summands(process.kernel), process.decompose(rows), strict=False):
        leaves = [leaf for term in _terms(part, everywhere) for leaf in term if leaf.kind != "Constant"]
        columns = {j for leaf in leaves for j in leaf.columns}
        steps = np.zeros(1)
        if len(columns) == 1:
            steps = np.diff(component.belief.mean[np.argsort(rows[:, columns.pop()], kind="stable")])
        net, whole = float(steps.sum()), float(np.abs(steps).sum())
        found.append("" if abs(net) <= STEADY * whole else "rising " if net > 0 else "falling ")
    return found


def _terms(kernel: Kernel, columns: tuple[int, ...]) -> Iterator[list[_Leaf]]:
    """The products that a kernel is the sum of when all is multiplied out."""
    if isinstance(kernel, kernels.Sum):
        for part in kernel.parts:
            yield from _terms(part, columns)
    elif isinstance(kernel, kernels.Product | kernels.Power):
        parts = kernel.parts if isinstance(kernel, kernels.Product) else [kernel.kernel] * kernel.exponent
        for chosen in product(*(list(_terms(part, columns)) for part in parts)):
            yield [leaf for term in chosen for leaf in term]
    elif isinstance(kernel, kernels.On):
        yield from _terms(kernel.kernel, tuple(columns[j] for j in kernel.columns))
    elif isinstance(kernel, kernels.Restricted):
        yield from _terms(kernel.kernel, columns)
    else:
        yield [_Leaf(kernel, columns)]


def _clause(term: list[_Leaf], frame: _Frame, way: str) -> str:
    """A product in words: its most telling factor, and what the others do to it; nothing, if it is zero."""
    levels = [leaf.kernel.variance for leaf in term if isinstance(leaf.kernel, kernels.Constant)]
    term = [leaf for leaf in term if not isinstance(leaf.kernel, kernels.Constant)]
    if 0 in levels:
        return ""
    if not term:
        return "a constant level"
    if any(leaf.kind == "Noise" for leaf in term):
        others = [leaf for leaf in term if leaf.kind != "Noise"]
        return "noise" + (", of a size that changes" if others else "")
    waves = [leaf for leaf in term if leaf.kind in ("Periodic", "Cosine", "SpectralMixture")]
    local = [leaf for leaf in term if leaf.kind in SMOOTHNESS]
    lines = [leaf for leaf in term if leaf.kind in ("Linear", "Polynomial")]
    others = [leaf for leaf in term if leaf not in waves + local + lines]
    if others:
        first = SINGLE.get(others[0].kind, f"what {others[0].kernel} says") + frame.of(others[0].columns)
        rest = [_Leaf(leaf.kernel, leaf.columns) for leaf in [*others[1:], *waves, *local, *lines]]
        return first + (" that changes" + frame.of(rest[0].columns, "with") if rest else "")
    if waves:
        inside = "".join(f", times {_wave(leaf, frame)}" for leaf in waves[1:])
        return _wave(waves[0], frame) + _reshaped(local, waves[0].columns, frame) + inside + _sized(lines, frame)
    if local:
        return _changes(local, frame, way) + _sized(lines, frame)
    return _line(lines, frame, way)


def _wave(leaf: _Leaf, frame: _Frame) -> str:
    kernel = leaf.kernel
    if isinstance(kernel, kernels.SpectralMixture):
        if len(leaf.columns) > 1:
            return "waves" + frame.of(leaf.columns)
        frequencies = [float(np.asarray(f)) for f in kernel.frequencies]
        [(scale, unit)] = [(float(frame.scale[j]), frame.units[j]) for j in leaf.columns]
        said = [amount(scale / f, unit) if f else "any length" for f in frequencies]
        return f"waves of about {listed(said)}" + frame.of(leaf.columns)
    what = "season" if isinstance(kernel, kernels.Periodic) else "wave"
    periods = frame.own(kernel.period, leaf.columns)  # type: ignore[attr-defined]
    if len(leaf.columns) == 1:
        return season(periods[0], frame.units[leaf.columns[0]], what) + frame.of(leaf.columns)
    return f"a {what} of {frame.amounts(periods, leaf.columns)}"


def _lengths(local: list[_Leaf], frame: _Frame) -> dict[int, float]:
    """Over what length the product of kernels changes, column by column: the shortest."""
    found: dict[int, float] = {}
    for leaf in local:
        for j, length in zip(leaf.columns, frame.own(leaf.kernel.length, leaf.columns), strict=True):  # type: ignore[attr-defined]
            found[j] = min(length, found.get(j, np.inf))
    return found


def _reshaped(local: list[_Leaf], own: tuple[int, ...], frame: _Frame) -> str:
    """What kernels of distance do to a wave."""
    lengths = {j: length for j, length in _lengths(local, frame).items() if length < ENDLESS * frame.reach[j]}
    if not lengths:
        return ""
    verb = "changes shape" if set(lengths) <= set(own) else "changes"
    return f" that {verb} over {_several(local)}{frame.amounts(list(lengths.values()), list(lengths))}"


def _changes(local: list[_Leaf], frame: _Frame, way: str) -> str:
    """What kernels of distance say by themselves."""
    lengths = _lengths(local, frame)
    word = next(said for kind, said in SMOOTHNESS.items() if any(leaf.kind == kind for leaf in local))
    if all(length > LONG * frame.reach[j] for j, length in lengths.items()):
        return f"a {word} {way}trend{frame.of(list(lengths))}"
    return f"{word} changes over {_several(local)}{frame.amounts(list(lengths.values()), list(lengths))}"


def _several(local: list[_Leaf]) -> str:
    """What is to be said before the length of a kernel that has many."""
    held = [leaf.kernel for leaf in local if isinstance(leaf.kernel, kernels.RationalQuadratic)]
    return "many lengths, " if any(kernel.alpha < ONE_LENGTH for kernel in held) else ""


def _degree(lines: list[_Leaf]) -> int:
    return sum(leaf.kernel.degree if isinstance(leaf.kernel, kernels.Polynomial) else 1 for leaf in lines)


def _sized(lines: list[_Leaf], frame: _Frame) -> str:
    """What straight lines do to what they multiply."""
    if not lines:
        return ""
    columns = list(dict.fromkeys(j for leaf in lines for j in leaf.columns))
    degree = _degree(lines)
    shape = "in a straight line" if degree == 1 else f"as a polynomial of degree {degree}"
    return f", whose size changes {shape}{frame.of(columns, 'with')}"


def _line(lines: list[_Leaf], frame: _Frame, way: str) -> str:
    """What straight lines say by themselves."""
    columns = list(dict.fromkeys(j for leaf in lines for j in leaf.columns))
    degree = _degree(lines)
    if degree == 1:
        return f"a {way}straight line{frame.of(columns)}" if len(columns) == 1 else f"a plane{frame.of(columns)}"
    if len({leaf.columns for leaf in lines}) > 1 and degree == len(lines):
        return f"a product of straight lines{frame.of(columns)}"
    return f"a {way}{'parabola' if degree == 2 else f'polynomial of degree {degree}'}{frame.of(columns)}"
