"""The solver for grids in several dimensions: the covariance is a Kronecker product, known by one matrix a column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.errors import NumericalFailure
from credo.gp.solvers.base import Evidence, Factor, Solver, symmetric
from credo.gp.solvers.structure import one_number, unrestricted
from credo.kernels import SE, Constant, Kernel, Noise, On, Product, Sum

__all__ = ["Kronecker", "KroneckerFactor"]

MOST_JITTER = 1e-6
SURE = 64 * np.finfo(np.float64).eps  # eigenvalues below this part of the largest may be rounding


@dataclass(frozen=True, slots=True, eq=False)
class KroneckerFactor(Factor):
    """A = c K₁ ⊗ K₂ ⊗ … + σ² by the eigenvectors of each K and the eigenvalues of A, on a grid.

    ``place`` is where in the grid, its last column changing fastest, each row is.
    """

    vectors: tuple[Floats, ...]
    eigenvalues: Floats
    place: NDArray[np.int64]
    added: float

    @property
    def jitter(self) -> float:
        """What was added to the diagonal."""
        return self.added

    @property
    def rows(self) -> int:
        """n."""
        return len(self.place)

    @property
    def log_det(self) -> float:
        """log |A|."""
        return float(np.log(self.eigenvalues).sum())

    def solve(self, b: Floats) -> Floats:
        """A⁻¹ b."""
        turned = self.to_axes(b.reshape(self.rows, -1)) / self._flat[:, None]
        return self.from_axes(turned).reshape(b.shape)

    def explained(self, across: Floats) -> Floats:
        """The diagonal of C A⁻¹ Cᵀ."""
        return np.asarray((np.square(self.to_axes(across.T)) / self._flat[:, None]).sum(axis=0))

    def explained_together(self, across: Floats) -> Floats:
        """The whole of C A⁻¹ Cᵀ."""
        turned = self.to_axes(across.T)
        return symmetric(turned.T @ (turned / self._flat[:, None]))

    def inverse_diagonal(self) -> Floats:
        """The diagonal of A⁻¹."""
        squares = [np.square(vectors) for vectors in self.vectors]
        return np.asarray(along_axes(squares, (1 / self._flat)[:, None])[self.place, 0])

    def to_axes(self, b: Floats) -> Floats:
        """Columns of numbers for each row, along the eigenvectors."""
        grid = np.empty_like(b)
        grid[self.place] = b
        return along_axes([vectors.T for vectors in self.vectors], grid)

    def from_axes(self, b: Floats) -> Floats:
        """Back from the eigenvectors to the rows."""
        return along_axes(self.vectors, b)[self.place]

    @property
    def _flat(self) -> Floats:
        return np.asarray(self.eigenvalues.ravel())


@dataclass(frozen=True, slots=True, eq=False)
class Separated:
    """A kernel scale · k₁(x₁) k₂(x₂) … + noise, by columns; ``parts`` are its factors as they stand in the kernel."""

    parts: tuple[Kernel, ...]
    noises: tuple[Noise, ...]
    before: int  # how many of the noises stand before the product

    @property
    def scale(self) -> float:
        """The product of what is the same everywhere."""
        return math.prod(part.variance for part in self.parts if isinstance(part, Constant))

    def of_column(self, column: int) -> Kernel:
        """The product of the factors that look at a column."""
        found = [part for part in self.parts if columns_of(part) == (column,)]
        found += [se_of(part, column) for part in self.parts if isinstance(part, SE)]
        return reduce(lambda a, b: a * b, found) if found else Constant(1.0)


@dataclass(frozen=True, slots=True)
class Kronecker(Solver):
    """Exact for a product of kernels of one column each, on rows that form a full grid, with equal noise.

    The kernel may be multiplied by numbers, have ``Noise`` added to it, and hold ``SE`` of all columns, which is a
    product too. It takes one eigenvalue problem for each column of the grid.

    >>> from credo.gp import Process
    >>> from credo.kernels import SE
    >>> grid = np.array([(a, b) for a in range(30) for b in range(40)], dtype=float)
    >>> y = np.sin(grid[:, 0] / 5) * np.cos(grid[:, 1] / 5)
    >>> process = Process(SE([5.0, 5.0])).given(grid, y, noise=0.1, solver=Kronecker())
    >>> process.predictive([[10.5, 20.5]]).mean.round(2)
    array([-0.5])
    """

    def refusal(self, kernel: Kernel, X: Floats, noise: Floats) -> str | None:
        """Why the covariance would not be a Kronecker product."""
        if separated(kernel) is None:
            return f"{kernel} is not a product of kernels of one column each, with noise"
        if not one_number(noise):
            return "the noise differs from row to row"
        if grid_of(X) is None:
            return "the rows do not form a grid, with every combination of the values in its columns once"
        return None

    def factor(self, kernel: Kernel, X: Floats, noise: Floats) -> Factor:
        """The factor of K(X) + noise²."""
        return _factored(kernel, X, noise)[0]

    def slopes(self, kernel: Kernel, X: Floats, noise: Floats, residual: Floats) -> tuple[Evidence, Floats]:
        """The log evidence and its gradient, which is pulled back column by column."""
        factor, made, axes, spectra = _factored(kernel, X, noise)
        turned = factor.to_axes(residual[:, None])[:, 0] / factor._flat  # A⁻¹r along the eigenvectors
        alpha = factor.from_axes(turned[:, None])[:, 0]
        evidence = Evidence(-0.5 * float(residual @ alpha), -0.5 * factor.log_det, factor.rows)
        if not kernel.free:
            return evidence, np.empty(0)
        shape = factor.eigenvalues.shape
        # ½ (ααᵀ − A⁻¹) beside the derivative of one matrix of the product, the others being diagonal here.
        pulled = []
        for d, (spectrum, vectors) in enumerate(zip(spectra, factor.vectors, strict=True)):
            others = _outer([np.ones_like(s) if i == d else s for i, s in enumerate(spectra)]) * made.scale
            first = np.moveaxis((turned.reshape(shape) * others), d, 0).reshape(len(spectrum), -1)
            second = np.moveaxis(turned.reshape(shape), d, 0).reshape(len(spectrum), -1)
            traces = np.moveaxis(others / factor.eigenvalues, d, 0).reshape(len(spectrum), -1).sum(axis=1)
            weights = 0.5 * vectors @ (first @ second.T - np.diag(traces)) @ vectors.T
            pulled.append((_rows_of(axes, d), np.ascontiguousarray(weights)))
        product = _outer(spectra) * made.scale
        whole = 0.5 * float((product.ravel() * turned) @ turned - (product / factor.eigenvalues).sum())
        own = 0.5 * float(alpha @ alpha - (1 / factor.eigenvalues).sum())
        return evidence, _gradient(kernel, made, pulled, whole, own)


def separated(kernel: Kernel) -> Separated | None:
    """The factors of a kernel, if it is a product of kernels of one column each, with or without noise."""
    plain = unrestricted(kernel)
    terms = plain.parts if isinstance(plain, Sum) else (plain,)
    noises = tuple(term for term in terms if isinstance(term, Noise))
    others = [term for term in terms if not isinstance(term, Noise)]
    if len(others) != 1:
        return None
    product = others[0]
    parts = product.parts if isinstance(product, Product) else (product,)
    known = (isinstance(part, (Constant, SE)) or len(columns_of(part)) == 1 for part in parts)
    # (noise that multiplies belongs to rows, not to the values of a column)
    fits = all(known) and not any(entry.kernel == "Noise" for part in parts for entry in part.hyperparameters.values())
    return Separated(tuple(parts), noises, terms.index(product)) if fits else None


def columns_of(part: Kernel) -> tuple[int, ...]:
    """The columns that a kernel looks at, where it says so."""
    return part.columns if isinstance(part, On) else ()


def se_of(part: SE, column: int) -> Kernel:
    """The factor of a squared exponential for one column."""
    length = part.length[column] if isinstance(part.length, tuple) else part.length
    return SE(length).on(column)


def grid_of(X: Floats) -> tuple[list[Floats], NDArray[np.int64]] | None:
    """The values of each column and the place of each row in their grid, if every combination is there once."""
    axes, codes = zip(*(np.unique(column, return_inverse=True) for column in X.T), strict=True)
    shape = [len(axis) for axis in axes]
    if math.prod(shape) != len(X):
        return None
    place = np.asarray(np.ravel_multi_index(codes, shape), dtype=np.int64)
    return (list(axes), place) if len(np.unique(place)) == len(X) else None


def along_axes(matrices: tuple[Floats, ...] | list[Floats], b: Floats) -> Floats:
    """(M₁ ⊗ M₂ ⊗ …) b for the columns of b."""
    held = b.reshape(*(matrix.shape[1] for matrix in matrices), -1)
    for d, matrix in enumerate(matrices):
        held = np.moveaxis(np.tensordot(matrix, held, axes=(1, d)), 0, d)
    return np.ascontiguousarray(held).reshape(b.shape)


def _factored(
    kernel: Kernel, X: Floats, noise: Floats
) -> tuple[KroneckerFactor, Separated, list[Floats], list[Floats]]:
    made, grid = separated(kernel), grid_of(X)
    if made is None or grid is None:
        raise NumericalFailure("the covariance is no Kronecker product. Use solver=None")
    axes, place = grid
    pairs = [np.linalg.eigh(made.of_column(d)(_rows_of(axes, d))) for d in range(len(axes))]
    spectra = [np.asarray(values) for values, _ in pairs]
    eigenvalues = _outer(spectra) * made.scale
    mean = float(eigenvalues.mean())
    eigenvalues += noise[0] ** 2 + sum(part.sd**2 for part in made.noises)
    jitter, least = 0.0, SURE * float(eigenvalues.max())
    if not eigenvalues.min() > least:
        jitter = least - float(eigenvalues.min()) + least
        if not 0 < jitter <= MOST_JITTER * mean:
            raise NumericalFailure(
                f"the {len(X)} × {len(X)} covariance is not positive definite, even with {MOST_JITTER:g} of its mean "
                "diagonal added. Is the noise too small?"
            )
        eigenvalues += jitter
    return KroneckerFactor(tuple(np.asarray(v) for _, v in pairs), eigenvalues, place, jitter), made, axes, spectra


def _rows_of(axes: list[Floats], column: int) -> Floats:
    """The values of one column, as rows whose other columns are zero."""
    rows = np.zeros((len(axes[column]), len(axes)))
    rows[:, column] = axes[column]
    return rows


def _outer(vectors: list[Floats]) -> Floats:
    """The products of entries, one of each vector, on a grid."""
    return np.asarray(reduce(np.multiply.outer, vectors))


def _gradient(kernel: Kernel, made: Separated, pulled: list[tuple[Floats, Floats]], whole: float, own: float) -> Floats:
    """Derivatives of the parts, put where they stand in ``theta``; ``whole`` and ``own`` are those of K and of σ²."""
    by_part = []
    for part in made.parts:
        if isinstance(part, Constant):
            by_part.append([whole])
        elif isinstance(part, SE):
            lengths = [_pull(made, column, se_of(part, column), *pull)[0] for column, pull in enumerate(pulled)]
            by_part.append(lengths if isinstance(part.length, tuple) else [sum(lengths)])
        else:
            (column,) = columns_of(part)
            by_part.append(_pull(made, column, part, *pulled[column]))
    product = [value for values in by_part for value in values]
    noises = [2 * part.sd**2 * own for part in made.noises]
    everything = noises[: made.before] + product + noises[made.before :]
    held = kernel.hyperparameters.values()
    return np.array([value for value, entry in zip(everything, held, strict=True) if entry.free])


def _pull(made: Separated, column: int, part: Kernel, rows: Floats, weights: Floats) -> list[float]:
    """The derivative by each hyperparameter of one factor; zero for what cannot move."""
    rest = made.of_column(column)
    moved = dict(zip(part.free, part.pullback(rows, weights * _without(rest, part, rows)), strict=True))
    return [moved.get(name, 0.0) for name in part.parameters]


def _without(product: Kernel, part: Kernel, rows: Floats) -> Floats | float:
    """The matrix of the other factors of a column."""
    parts = list(product.parts) if isinstance(product, Product) else [product]
    parts.remove(part)
    return reduce(np.multiply, (other(rows) for other in parts), np.ones((len(rows),) * 2)) if parts else 1.0
