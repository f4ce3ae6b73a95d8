"""What every belief is, and the machinery all of them share."""

from __future__ import annotations

import dataclasses
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Self, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs import expectation
from credo.beliefs.layout import html_table
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput

__all__ = ["Belief"]


class Belief(ABC):
    """A probability law, or a batch of laws of one kind, one a row. A frozen value.

    **Shapes.** Every array has the axes (points or draws…, batch, event). The batch is ``()`` for one law and ``(n,)``
    for n of them; the event is ``()`` for a number or a state and ``(d,)`` for a vector. ``mean``, ``var``, ``sd`` and
    ``mode`` have shape batch + event; ``sample(n, rng)`` has n in front of that, ``quantile(q)`` has the axes of q in
    front. ``log_prob(x)`` lines the last axes of x up with batch + event, as NumPy broadcasts: one number for all the
    rows, a number for each row, or any number of these stacked in front. ``entropy()`` and ``kl(other)`` have the batch
    shape. For vectors ``quantile`` and ``interval`` speak of each coordinate on its own.

    **Rows.** ``len(b)``, iteration, ``b[3]``, ``b[2:5]``, ``b[mask]`` and ``b[[4, 1]]`` work for a batch; one law has
    no length. Two beliefs are equal only if they are the same object.

    **What is refused.** A bad parameter when the belief is made; NaN among the points; an ``rng`` that is neither a
    seed nor a generator. Outside the support the log probability is ``-inf``. A moment that does not exist is NaN, one
    that is infinite is ``inf``.

    **To write a law**, subclass this once (``@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)``),
    declare the parameters as fields, and write an ``__init__`` that takes them under the same names, as ``ArrayLike``
    so that type checkers accept plain numbers and lists, and that ends with ``self._hold(...)``. Every field that is an
    array has the batch as its first axis. Then give ``mean``, ``var``, ``mode``, ``entropy``, ``_log_prob`` and
    ``_draw``, and where they exist ``_cdf``, ``_quantile`` and ``_kl``. A field that shares its name with a property
    here (``mean`` of a Normal) must be declared as ``mean: Floats = field()``. End its tests with
    ``credo.testing.check_belief``.
    """

    __slots__ = ()

    discrete: ClassVar[bool] = False
    """Whether ``log_prob`` is the log of a probability (True) or of a density (False)."""

    _law_ndim: ClassVar[int] = 0
    # How many trailing axes of the first field belong to one law: 1 for a vector of parameters.

    # ---------------------------------------------------------------- what a law must say

    @property
    @abstractmethod
    def mean(self) -> Floats:
        """The expected value."""

    @property
    @abstractmethod
    def var(self) -> Floats:
        """The variance (of each coordinate, for vectors)."""

    @property
    @abstractmethod
    def mode(self) -> Any:
        """The most probable value."""

    @abstractmethod
    def entropy(self) -> Floats:
        """The entropy −E[log p(x)] in nats; of a density it may be negative."""

    @abstractmethod
    def _log_prob(self, x: Any) -> Floats:
        """``log_prob`` of points that have been checked."""

    @abstractmethod
    def _draw(self, n: int, rng: np.random.Generator) -> NDArray[Any]:
        """``n`` draws of every row."""

    # ---------------------------------------------------------------- what a law may say

    def _cdf(self, x: Floats) -> Floats:  # noqa: ARG002
        """P(X ≤ x)."""
        raise InvalidInput(f"{type(self).__name__} has no cdf; draw a sample and count, or take a marginal")

    def _quantile(self, below: Floats, above: Floats) -> Floats:  # noqa: ARG002
        """The point with probability ``below`` under it and ``above`` = 1 − below over it.

        Both are given because 1 − q forgets how far out in the upper tail q is.
        """
        raise InvalidInput(f"{type(self).__name__} has no quantiles; draw a sample and take its quantiles")

    def _kl(self, other: Self) -> Floats | None:  # noqa: ARG002
        """The closed form of ``kl`` to a law of the same kind, or None if there is none."""
        return None

    def _points(self, x: Any) -> Any:
        """What was given to ``log_prob``, checked: numbers, unless a law speaks of named states."""
        return self._numbers(x)

    def _components(self) -> list[tuple[Any, Belief]]:
        """The law as a weighted sum of laws with one hump each: (weights, law) pairs."""
        return [(1.0, self)]

    def _atoms(self, step: Floats) -> tuple[Floats, Floats]:
        """For a discrete law, points that carry all its mass and how many values each stands for."""
        return expectation.whole_numbers(self, step)

    def _take(self, rows: Any) -> Self:
        """The law of one row (an int) or the batch of several (an array of ints); every array field is indexed."""
        fields = {f.name: getattr(self, f.name) for f in self._fields()}
        return self._copy({k: _rows(v, rows) for k, v in fields.items() if isinstance(v, np.ndarray)})

    # ---------------------------------------------------------------- shapes and rows

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """``()`` for one law, ``(n,)`` for a batch of n."""
        first: Floats = getattr(self, self._fields()[0].name)
        return tuple(first.shape[: first.ndim - self._law_ndim])

    @property
    def event_shape(self) -> tuple[int, ...]:
        """``()`` for numbers and states, ``(d,)`` for vectors."""
        return ()

    def __len__(self) -> int:
        if not self.batch_shape:
            raise TypeError(f"{type(self).__name__} here is one law, not a batch: it has no length and no rows")
        return self.batch_shape[0]

    def __bool__(self) -> bool:
        return True  # one law has no len(), and a belief is never "nothing"

    def __iter__(self) -> Iterator[Self]:
        return (self._take(row) for row in range(len(self)))

    def __getitem__(self, rows: SupportsIndex | slice | ArrayLike) -> Self:
        n = len(self)
        try:
            row = operator.index(rows)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if not -n <= row < n:
                raise IndexError(f"there is no row {row} in a batch of {n} laws")
            return self._take(row)
        try:
            chosen = np.arange(n)[rows]  # type: ignore[index]
        except (IndexError, TypeError, ValueError) as cause:
            raise InvalidInput(
                f"rows of a batch of {n} laws cannot be chosen by {checks.shown(rows)}: {cause}"
            ) from None
        if chosen.ndim != 1:
            raise BadShape(f"rows must be one number, a slice or a list; got {chosen.ndim} axes")
        return self._take(chosen)

    # ---------------------------------------------------------------- what every belief answers

    @property
    def sd(self) -> Floats:
        """The standard deviation, the square root of ``var``."""
        return np.sqrt(self.var)

    def log_prob(self, x: Any) -> Floats:
        """The log of the density at x, or of the probability of x for a discrete law."""
        points = self._points(x)
        with np.errstate(all="ignore"):  # infinities here are answers, not accidents
            return cast(Floats, _plain(self._log_prob(points)))

    def cdf(self, x: ArrayLike) -> Floats:
        """The probability of a value of at most x, P(X ≤ x)."""
        points = self._numbers(x)
        with np.errstate(all="ignore"):
            return cast(Floats, _plain(self._cdf(points)))

    def sample(self, n: int, rng: int | np.random.Generator) -> NDArray[Any]:
        """``n`` independent draws of every row, from a seed or a generator."""
        return self._draw(checks.count("n", n), checks.generator(rng))

    def quantile(self, q: ArrayLike) -> Floats:
        """The smallest x with P(X ≤ x) ≥ q; the ends of the support at 0 and 1."""
        below = checks.probabilities("q", q, axis=None)
        return self._quantile_between(below, 1 - below)

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """The central interval that holds the value with probability ``level``: its low and its high end."""
        tail = np.asarray((1 - checks.level("level", level)) / 2)
        return self._quantile_between(tail, 1 - tail), self._quantile_between(1 - tail, tail)

    def kl(self, other: Belief) -> Floats:
        """The Kullback–Leibler divergence to ``other``, E[log p(x) − log q(x)] under this law, in nats.

        Closed form where there is one, otherwise a sum or a quadrature good to about ten digits. It is infinite when
        ``other`` excludes what this law allows.
        """
        if not isinstance(other, Belief):
            raise InvalidInput(f"other must be a belief; got {checks.shown(other)}")
        mine, theirs = self.batch_shape, other.batch_shape
        if mine and theirs:
            checks.rows_match("the belief", mine[0], "other", theirs[0])
        if self.event_shape != other.event_shape:
            raise BadShape(f"both beliefs must speak of the same space; got {self.event_shape} and {other.event_shape}")
        with np.errstate(all="ignore"):
            closed = self._kl(other) if type(other) is type(self) else None
        value = expectation.divergence(self, other) if closed is None else closed
        return np.maximum(value, 0.0)  # rounding alone can make it negative

    # ---------------------------------------------------------------- for the laws

    def _hold(self, **parameters: Floats) -> None:
        """Keep parameters that are one number a law: read-only copies, broadcast to ``()`` or ``(n,)``."""
        try:
            shape = np.broadcast_shapes(*(value.shape for value in parameters.values()))
        except ValueError:
            shapes = ", ".join(f"{name} {value.shape}" for name, value in parameters.items())
            raise BadShape(
                f"parameters of {type(self).__name__} must be single or of one length; got {shapes}"
            ) from None
        if len(shape) > 1:
            raise BadShape(f"{type(self).__name__} takes single numbers or flat lists; got shape {shape}")
        self._keep(**{name: np.broadcast_to(value.copy(), shape) for name, value in parameters.items()})

    def _fields(self) -> tuple[dataclasses.Field[Any], ...]:
        return dataclasses.fields(self)  # type: ignore[arg-type]  # every law is a dataclass

    def _keep(self, **fields: Any) -> None:
        """Set fields of this frozen value while it is being made; arrays become read-only."""
        for name, value in fields.items():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            object.__setattr__(self, name, _plain(value))

    def _copy(self, changed: dict[str, Any]) -> Self:
        """This belief with some fields changed, without checking again what was checked before."""
        new = object.__new__(type(self))
        kept = {f.name: getattr(self, f.name) for f in self._fields()}
        new._keep(**(kept | changed))
        return new

    def _numbers(self, x: ArrayLike) -> Floats:
        """``x`` as floats that line up with the rows; infinite points are fine, NaN is not."""
        points = checks.floats("x", x, infinite=True)
        shape = self.batch_shape + self.event_shape
        try:
            lined_up = np.broadcast_shapes(points.shape, shape)[-len(shape) :] == shape if shape else True
        except ValueError:
            lined_up = False
        if not lined_up or points.shape[points.ndim - len(self.event_shape) :] != self.event_shape:
            raise BadShape(
                f"the last axes of x must line up with shape {shape}; got {points.shape}. "
                "Several points for every row go in front: x[:, None]"
            )
        return points

    def _quantile_between(self, below: Floats, above: Floats) -> Floats:
        ones = (1,) * len(self.batch_shape + self.event_shape)
        with np.errstate(all="ignore"):
            found = self._quantile(below.reshape(below.shape + ones), above.reshape(above.shape + ones))
        return cast(Floats, _plain(found))

    # ---------------------------------------------------------------- what people see

    def __repr__(self) -> str:
        fields = [(f.name, getattr(self, f.name)) for f in self._fields() if f.repr]
        inside = ", ".join(f"{name}={text(value)}" for name, value in fields if value is not None)
        return f"{type(self).__name__}({inside})" + (f" × {len(self)} rows" if self.batch_shape else "")

    def _repr_html_(self, rows: int = 10) -> str:
        laws = list(self[:rows]) if self.batch_shape else [self]
        names = [f.name for f in self._fields() if f.repr]
        cells = [[text(getattr(law, name)) for name in names] for law in laws]
        more = f", the first {rows} of {len(self)} rows" if self.batch_shape and len(self) > rows else ""
        return html_table([names, *cells], title=f"{type(self).__name__}{more}")


def _plain(value: Any) -> Any:
    """A single number as a NumPy scalar rather than an array without axes: it cannot change and prints plainly."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _rows(array: NDArray[Any], rows: Any) -> NDArray[Any]:
    """Some rows of a parameter; one that all rows share stays shared."""
    if isinstance(rows, np.ndarray) and array.strides[0] == 0 and len(array):
        return np.broadcast_to(array[0], rows.shape + array.shape[1:])
    chosen: NDArray[Any] = array[rows]
    return chosen


def text(value: Any, most: int = 4) -> str:
    """A parameter as a person reads it: ``[0 1 2 …]``."""
    if isinstance(value, (float, int, np.number)):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        first = value if len(value) <= most else value[: most - 1]
        return "[" + " ".join(text(item) for item in first) + ("]" if len(value) <= most else " …]")
    return checks.shown(value)
