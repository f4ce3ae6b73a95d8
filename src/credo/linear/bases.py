"""Basis functions: what turns the columns of X into the columns that are weighed. Each basis is a transformer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, NotFitted, TooLarge
from credo.estimators import numbers

__all__ = ["Basis", "BumpBasis", "FourierBasis", "PolynomialBasis", "SplineBasis", "begin", "expand", "names_of"]

MOST_COLUMNS = 50_000


class Basis(TransformerMixin, BaseEstimator, ABC):
    """A scikit-learn transformer whose columns are functions of the columns of X.

    It goes into the ``basis`` of an estimator, or before any estimator in a pipeline. With ``constant=True`` a column
    of ones comes first; estimators with an intercept need none.

    >>> isinstance(PolynomialBasis(2), Basis)
    True
    """

    constant: bool

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:  # noqa: ARG002
        """Learn where the functions lie from the rows of ``X``; one of weight w counts as w rows that are the same."""
        checks.choice("constant", self.constant, (True, False))
        rows = numbers(self, X, reset=True, missing=False)
        given = np.ones(len(rows)) if sample_weight is None else sample_weight
        weight = checks.weights("sample_weight", given, len(rows))
        self._learn(rows[weight > 0], weight[weight > 0])
        return self

    def transform(self, X: Any) -> Floats:
        """The value of every function at every row."""
        self._require_fit()
        rows = numbers(self, X, reset=False, missing=False)
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused by name
            columns = list(self._columns(rows))
        out = np.column_stack([np.ones(len(rows)), *columns] if self.constant else columns)
        if not np.isfinite(out).all():
            place = int(np.argmin(np.isfinite(out).all(axis=0)))
            raise InvalidInput(
                f"{self.get_feature_names_out()[place]!r} overflows. Bring the columns of X to a size near one first"
            )
        return out

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the functions: ``x0^2``, ``sin 1 age``."""
        self._require_fit()
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise InvalidInput(f"input_features must name the {self.n_features_in_} columns that fit saw")
        names = [f"x{i}" for i in range(self.n_features_in_)] if input_features is None else list(input_features)
        names = list(vars(self).get("feature_names_in_", names))
        return np.array([*(["1"] if self.constant else []), *self._names(names)], dtype=object)

    def _require_fit(self) -> None:
        if "n_features_in_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X first")

    @abstractmethod
    def _learn(self, rows: Floats, weight: Floats) -> None:
        """Check the settings, and keep what the rows say about where the functions lie."""

    @abstractmethod
    def _columns(self, rows: Floats) -> Iterator[Floats]:
        """The functions of the rows, a column or several at a time."""

    @abstractmethod
    def _names(self, names: list[str]) -> list[str]:
        """The name of every function."""


class PolynomialBasis(Basis):
    """Powers and products of the columns, up to a total ``degree``: x, x², …, and x₀ x₁ unless ``interactions=False``.

    Bring columns to a size near one first, or their powers differ by orders of magnitude and one prior cannot suit all.

    >>> PolynomialBasis(2).fit_transform([[2.0, 3.0]])
    array([[2., 3., 4., 6., 9.]])
    >>> PolynomialBasis(3, constant=True).fit([[2.0]]).get_feature_names_out().tolist()
    ['1', 'x0', 'x0^2', 'x0^3']
    """

    def __init__(self, degree: int = 3, *, interactions: bool = True, constant: bool = False) -> None:
        self.degree = degree
        self.interactions = interactions
        self.constant = constant

    def _learn(self, rows: Floats, weight: Floats) -> None:  # noqa: ARG002
        least = 0 if self.constant else 1
        degree, d = checks.count("degree", self.degree, least=least), rows.shape[1]
        checks.choice("interactions", self.interactions, (True, False))
        wide = comb(d + degree, degree) if self.interactions else d * degree
        if wide > MOST_COLUMNS:
            raise TooLarge(
                f"degree={degree} makes {wide:,} columns of {d}; at most {MOST_COLUMNS:,} are made. "
                "Take a lower degree, or interactions=False"
            )

    def _products(self) -> list[tuple[int, ...]]:
        d, degrees = self.n_features_in_, range(1, self.degree + 1)
        if self.interactions:
            return [place for k in degrees for place in combinations_with_replacement(range(d), k)]
        return [(i,) * k for k in degrees for i in range(d)]

    def _columns(self, rows: Floats) -> Iterator[Floats]:
        made: dict[tuple[int, ...], Floats] = {}
        for place in self._products():
            column = rows[:, place[-1]]
            made[place] = made[place[:-1]] * column if len(place) > 1 else column
            yield made[place]

    def _names(self, names: list[str]) -> list[str]:
        def power(i: int, k: int) -> str:
            return names[i] if k == 1 else f"{names[i]}^{k}"

        return [" ".join(power(i, place.count(i)) for i in sorted(set(place))) for place in self._products()]


class BumpBasis(Basis):
    """Gaussian bumps exp(−½ (x − c)²/width²) at ``count`` centres, evenly spaced over the range that ``fit`` saw.

    ``width`` is in the units of the columns, one for all or one for each; by default it is the distance of neighbouring
    centres. Every column has bumps of its own. Far from the data all bumps are zero.

    >>> BumpBasis(3).fit([[0.0], [4.0]]).transform([[2.0]]).round(3)
    array([[0.607, 1.   , 0.607]])
    """

    def __init__(self, count: int = 10, *, width: ArrayLike | None = None, constant: bool = False) -> None:
        self.count = count
        self.width = width
        self.constant = constant

    def _learn(self, rows: Floats, weight: Floats) -> None:  # noqa: ARG002
        count = checks.count("count", self.count, least=1)
        low, high = rows.min(axis=0), rows.max(axis=0)
        self.centres_ = np.linspace(low, high, count) if count > 1 else ((low + high) / 2)[None]
        apart = (high - low) / max(count - 1, 1)
        self.widths_ = np.where(apart > 0, apart, 1.0) if self.width is None else _each("width", self.width, rows)

    def _columns(self, rows: Floats) -> Iterator[Floats]:
        for i, column in enumerate(rows.T):
            yield np.exp(-0.5 * ((column[:, None] - self.centres_[:, i]) / self.widths_[i]) ** 2)

    def _names(self, names: list[str]) -> list[str]:
        return [f"bump {k} {name}" for name in names for k in range(self.count)]


class SplineBasis(Basis):
    """Splines: polynomials of a ``degree``, joined smoothly where ``pieces`` meet, which hold equally many rows each.

    Every column has a basis of pieces + degree − 1 functions (B-splines without their first, which the intercept stands
    for). Outside the range that ``fit`` saw they go on as straight lines.

    >>> SplineBasis(pieces=2, degree=1).fit([[0.0], [1.0], [2.0]]).transform([[0.5], [1.0], [2.0], [3.0]])
    array([[ 0.5,  0. ],
           [ 1. ,  0. ],
           [ 0. ,  1. ],
           [-1. ,  2. ]])
    """

    def __init__(self, pieces: int = 5, *, degree: int = 3, constant: bool = False) -> None:
        self.pieces = pieces
        self.degree = degree
        self.constant = constant

    def _learn(self, rows: Floats, weight: Floats) -> None:
        pieces, degree = checks.count("pieces", self.pieces, least=1), checks.count("degree", self.degree, least=1)
        self.knots_ = []
        for column in rows.T:
            knots = np.unique(_quantiles(column, weight, pieces))
            knots = knots if len(knots) > 1 else knots + np.array([-0.5, 0.5])  # a constant column has no range
            self.knots_.append(np.concatenate([[knots[0]] * degree, knots, [knots[-1]] * degree]))

    def _columns(self, rows: Floats) -> Iterator[Floats]:
        from scipy.interpolate import BSpline

        for column, knots in zip(rows.T, self.knots_, strict=True):
            splines = BSpline(knots, np.eye(len(knots) - self.degree - 1), self.degree)
            inside = np.clip(column, knots[0], knots[-1])
            yield (splines(inside) + splines(inside, nu=1) * (column - inside)[:, None])[:, 1:]

    def _names(self, names: list[str]) -> list[str]:
        counts = [len(knots) - self.degree - 2 for knots in self.knots_]
        return [f"spline {k} {name}" for name, count in zip(names, counts, strict=True) for k in range(1, count + 1)]


class FourierBasis(Basis):
    """Waves sin(2πkx/period) and cos(2πkx/period) for k = 1 … ``count``.

    ``period`` is in the units of the columns, one for all or one for each.

    >>> FourierBasis(1, period=4.0).fit_transform([[0.0], [1.0]]).round(3) + 0
    array([[0., 1.],
           [1., 0.]])
    """

    def __init__(self, count: int = 3, *, period: ArrayLike = 1.0, constant: bool = False) -> None:
        self.count = count
        self.period = period
        self.constant = constant

    def _learn(self, rows: Floats, weight: Floats) -> None:  # noqa: ARG002
        checks.count("count", self.count, least=1)
        self.periods_ = _each("period", self.period, rows)

    def _columns(self, rows: Floats) -> Iterator[Floats]:
        for column, period in zip(rows.T, self.periods_, strict=True):
            for k in range(1, self.count + 1):
                angle = 2 * np.pi * k * np.remainder(column / period, 1.0)
                yield from (np.sin(angle), np.cos(angle))

    def _names(self, names: list[str]) -> list[str]:
        return [f"{wave} {k} {name}" for name in names for k in range(1, self.count + 1) for wave in ("sin", "cos")]


def _quantiles(column: Floats, weight: Floats, pieces: int) -> Floats:
    """The values that part the weighted rows into so many equal pieces, with both ends."""
    order = np.argsort(column)
    below = np.cumsum(weight[order])
    wanted = (
        np.linspace(0, 1, pieces + 1) * below[-1] * (1 - 1e-12)
    )  # rounding shall not push a bound to the next value
    return np.asarray(column[order][np.searchsorted(below, wanted)])


def _each(name: str, value: ArrayLike, rows: Floats) -> Floats:
    """One positive number for each column."""
    given = checks.positive(name, value)
    if given.shape not in ((), (rows.shape[1],)):
        raise BadShape(f"{name} must be one number, or one for each of {rows.shape[1]} columns; got {given.shape}")
    return np.broadcast_to(given, rows.shape[1]).copy()


def begin(basis: Any, rows: Floats, weight: Floats | None = None) -> Any:
    """``basis`` made ready for the weighted rows: a fitted copy of a transformer, a function as it is, or None."""
    if basis is None or (callable(basis) and not isinstance(basis, type)):
        return basis
    if isinstance(basis, type) or not callable(getattr(basis, "transform", None)):
        raise BadParameter(
            f"basis must be a transformer, such as PolynomialBasis(3), or a function of the rows; got {basis!r}"
        )
    fresh = clone(basis)
    return fresh.fit(rows, sample_weight=weight) if isinstance(fresh, Basis) else fresh.fit(rows)


def expand(basis: Any, rows: Floats) -> Floats:
    """The columns that are weighed, from what ``begin`` returned."""
    if basis is None:
        return rows
    made = checks.floats("what basis returns", basis(rows) if callable(basis) else basis.transform(rows), ndim=2)
    checks.rows_match("X", len(rows), "what basis returns", len(made))
    if not made.shape[1]:
        raise BadShape("basis must return at least one column; got none")
    return made


def names_of(basis: Any, columns: Sequence[str] | None, count: int) -> list[str]:
    """What the ``count`` columns that are weighed are called."""
    if isinstance(basis, Basis):
        return [str(name) for name in basis.get_feature_names_out(columns)]
    if basis is None and columns is not None:
        return [str(name) for name in columns]
    return [f"x{i}" if basis is None else f"basis {i}" for i in range(count)]
