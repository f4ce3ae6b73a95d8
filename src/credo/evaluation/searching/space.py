"""What may be chosen: named settings, each a range of numbers or a list of options, seen by a search as a unit cube."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput

__all__ = ["Choice", "Real", "Settings", "Space", "Whole"]

Settings = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Real:
    """A number from ``low`` to ``high``; with ``log=True`` every factor of it is as likely as every other.

    >>> Real(0.01, 100, log=True).at(0.5)
    1.0
    """

    low: float
    high: float
    log: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _check_range(self.low, self.high, log=self.log)

    @property
    def size(self) -> float:
        """How many values there are."""
        return math.inf

    def at(self, place: float) -> float:
        """The value at a place from 0 to 1, to twelve digits, so that a tenth is a tenth."""
        value = float(f"{_between(self.low, self.high, place, log=self.log):.12g}")
        return float(min(max(value, self.low), self.high))

    def places(self, most: int) -> Floats:
        """At most so many places, evenly spaced, ends and all."""
        return np.linspace(0, 1, most) if most > 1 else np.array([0.5])

    def snap(self, places: Floats) -> Floats:
        """The places themselves, since every one has a value of its own."""
        return places

    def columns(self, places: Floats) -> Floats:
        """What tells a kernel how alike two values are."""
        return places[:, None]


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from ``low`` to ``high``, both included; ``log`` as for ``Real``.

    >>> [Whole(1, 4).at(place) for place in (0.0, 0.3, 0.6, 1.0)]
    [1, 2, 3, 4]
    """

    low: int
    high: int
    log: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            checks.count(name, getattr(self, name), least=-(2**53), most=2**53)
        _check_range(self.low, self.high, log=self.log)

    @property
    def size(self) -> float:
        """How many values there are."""
        return self.high - self.low + 1

    def at(self, place: float) -> int:
        """The value at a place from 0 to 1; each has a stretch of its own."""
        return int(self._values(np.array([place]))[0])

    def places(self, most: int) -> Floats:
        """The places of at most so many values, evenly spaced, ends and all."""
        if most >= self.size:
            return self._places(np.arange(self.low, self.high + 1.0))
        some = Real(self.low, self.high, log=self.log)
        spaced = {round(some.at(float(place))) for place in some.places(most)}
        return self._places(np.array(sorted(spaced), dtype=np.float64))

    def snap(self, places: Floats) -> Floats:
        """The middle of the stretch that each place is in."""
        return self._places(self._values(places))

    def columns(self, places: Floats) -> Floats:
        """What tells a kernel how alike two values are."""
        return self.snap(places)[:, None]

    def _values(self, places: Floats) -> Floats:
        ends = self.low - 0.5, self.high + 0.5
        return np.asarray(np.clip(np.round(_between(*ends, places, log=self.log)), self.low, self.high))

    def _places(self, values: Floats) -> Floats:
        low, high = self.low - 0.5, self.high + 0.5
        if self.log:
            return np.asarray(np.log(values / low) / math.log(high / low))
        return np.asarray((values - low) / (high - low))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several options, none of which is between others. In a space a plain list is a ``Choice``.

    >>> Choice(["red", "green"]).at(0.7)
    'green'
    """

    options: Sequence[Any]

    def __post_init__(self) -> None:
        if isinstance(self.options, (str, bytes, Mapping)) or not len(self.options):
            raise BadParameter(f"options must be a list of what may be chosen; got {checks.shown(self.options)}")
        object.__setattr__(self, "options", tuple(self.options))

    @property
    def size(self) -> float:
        """How many options there are."""
        return len(self.options)

    def at(self, place: float) -> Any:
        """The option at a place from 0 to 1."""
        return self.options[min(int(place * len(self.options)), len(self.options) - 1)]

    def places(self, most: int) -> Floats:  # noqa: ARG002
        """The places of all options, however many: none stands for another."""
        n = len(self.options)
        return np.asarray((np.arange(n) + 0.5) / n)

    def snap(self, places: Floats) -> Floats:
        """The middle of the stretch that each place is in."""
        n = len(self.options)
        return np.asarray((np.minimum(np.floor(places * n), n - 1) + 0.5) / n)

    def columns(self, places: Floats) -> Floats:
        """A column for each option, so that any two are at the distance 1."""
        n = len(self.options)
        taken = np.minimum(np.floor(places * n), n - 1)
        return np.asarray((taken[:, None] == np.arange(n)) / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class Space:
    """All settings together, as a unit cube with an axis for each.

    >>> space = Space.of({"depth": Whole(1, 9), "rule": ["gini", "entropy"]})
    >>> space.at(np.array([0.5, 0.9])), space.size
    ({'depth': 5, 'rule': 'entropy'}, 18)
    """

    axes: dict[str, Real | Whole | Choice]

    @classmethod
    def of(cls, space: Mapping[str, Any]) -> Self:
        """The space of a mapping from names to ranges, or to lists of options."""
        if not isinstance(space, Mapping) or not len(space):
            raise InvalidInput(
                f"space must say what each setting may be, such as {{'strength': Real(0.01, 100, log=True)}}; got "
                f"{checks.shown(space)}"
            )
        axes: dict[str, Real | Whole | Choice] = {}
        for name, axis in space.items():
            if not isinstance(axis, (Real, Whole, Choice, list, tuple)):
                raise InvalidInput(
                    f"space[{name!r}] must be a Real, a Whole, a Choice or a list of options; got {checks.shown(axis)}"
                )
            axes[name] = Choice(axis) if isinstance(axis, (list, tuple)) else axis
        return cls(axes)

    @property
    def size(self) -> float:
        """How many different settings there are."""
        return math.prod(axis.size for axis in self.axes.values())

    def at(self, point: Floats) -> Settings:
        """The settings at a point of the cube."""
        return {name: axis.at(float(place)) for (name, axis), place in zip(self.axes.items(), point, strict=True)}

    def snap(self, points: Floats) -> Floats:
        """The points that stand for all points with the same settings."""
        return np.column_stack([axis.snap(points[:, i]) for i, axis in enumerate(self.axes.values())])

    def columns(self, points: Floats) -> Floats:
        """What tells a kernel how alike the settings at two points are."""
        return np.column_stack([axis.columns(points[:, i]) for i, axis in enumerate(self.axes.values())])

    def grid(self, most: int) -> Floats:
        """At most so many points: every option, and as many evenly spaced numbers on each axis as that leaves room for.

        >>> Space.of({"x": Real(0, 1), "y": ["a", "b"]}).grid(7)[:, 0].tolist()
        [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
        """
        along, wider = 1, self._spaced(1)
        if math.prod(len(places) for places in wider) > most:
            raise BadParameter(
                f"the grid has {math.prod(len(places) for places in wider)} settings at least, more than tries={most}. "
                "Allow more tries, or take another method"
            )
        while True:
            axes, along = wider, along + 1
            wider = self._spaced(along)
            if math.prod(len(places) for places in wider) > most or along > max(self._longest(), 1):
                return np.array(list(itertools.product(*axes)))

    def every(self) -> Iterator[tuple[float, ...]]:
        """Every point of a space without real numbers."""
        yield from itertools.product(*self._spaced(int(max(axis.size for axis in self.axes.values()))))

    def _spaced(self, along: int) -> list[Floats]:
        return [axis.places(along) for axis in self.axes.values()]

    def _longest(self) -> float:
        """How many values the longest axis of numbers has."""
        return max((axis.size for axis in self.axes.values() if not isinstance(axis, Choice)), default=0)


def _check_range(low: float, high: float, *, log: bool) -> None:
    ends = checks.floats("low and high", [low, high])
    if not ends[0] < ends[1]:
        raise BadParameter(f"low must be below high; got {low} and {high}")
    if log and ends[0] <= 0:
        raise BadParameter(f"low must be positive with log=True; got {low}")


def _between(low: float, high: float, place: Any, *, log: bool) -> Any:
    """The value at a place from 0 to 1 between two ends."""
    return low * (high / low) ** place if log else low + (high - low) * place
