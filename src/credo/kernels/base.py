"""What every kernel is, and the machinery all of them share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import Belief
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, NumericalFailure
from credo.kernels import leaves
from credo.kernels.hyperparameters import Domain, Hyperparameter, chosen, named

__all__ = ["Kernel"]

BOUND_SLACK = 1e-9  # what an optimiser may overstep a bound by, on the scale of theta; the value is then the bound


class Kernel(ABC):
    """A covariance function: how alike two rows are. A frozen value in an algebra.

    **Matrices.** ``k(X)`` is the Gram matrix of the rows of X, ``k(X, Z)`` the matrix of the rows of X beside those of
    Z, ``k.diagonal(X)`` the diagonal of ``k(X)`` without the rest. X and Z are tables of finite numbers; a matrix is a
    new array of the caller's own, C-contiguous.

    **Algebra.** Kernels add and multiply, a number beside one stands for ``Constant``, ``k**2`` is ``k * k``;
    ``k.on(columns)`` looks at some columns only, ``k.warped(f)`` at f(X).

    **Hyperparameters.** ``parameters`` are their values by name, ``hyperparameters`` all that is known of each. A name
    may be given in full (``"SE.length[0]"``), for all of its kind (``"SE.length"``, ``"SE"``), or without the kernel
    where that is clear (``"length"``). ``fixed``, ``freed``, ``bounded`` and ``with_priors`` say what is learnt and
    how. ``theta`` is what an optimiser moves: the free hyperparameters in the order of ``free``, each on the scale it
    is learnt on, the logarithm for what is positive; ``with_theta`` goes back. A zero has no logarithm and is not free.

    **Gradients.** ``pullback(X, W)`` is Σᵢⱼ Wᵢⱼ ∂K(X)ᵢⱼ/∂θ for each entry of ``theta``.

    **Text.** ``str(k)`` is read back by ``credo.kernel`` to an equal kernel.

    **To write a kernel**, subclass this once (``@dataclass(frozen=True, slots=True, init=False, repr=False)``), declare
    its settings as fields (numbers, and tuples of them), write an ``__init__`` that takes them under the same names
    and ends with ``self._hold``, and give ``_domains`` (which fields are hyperparameters), ``_matrix``, ``_diagonal``
    and ``_pull``. Its text is read with ``kernel(text, functions={its name: it})``. End its tests with
    ``credo.testing.check_kernel``.
    """

    __slots__ = ()

    __array_ufunc__ = None  # NumPy's own numbers leave it to a kernel what it is to be multiplied by one

    # ---------------------------------------------------------------- what a kernel must say

    @abstractmethod
    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        """The matrix of checked rows: a new array that the caller may write to."""

    @abstractmethod
    def _diagonal(self, X: Floats) -> Floats:
        """The diagonal of ``_matrix(X, None)``."""

    @abstractmethod
    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        """ΣW∘K, and ΣW∘∂K/∂θ for every hyperparameter, free or not, on the scale it is learnt on."""

    # ---------------------------------------------------------------- what a kernel may say

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({})
    # Which fields are hyperparameters, and where they live.

    _by_column: ClassVar[tuple[str, ...]] = ()
    # Fields that may hold one number for each column.

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        """Every hyperparameter, in order; kernels of an expression are numbered from ``leaf`` on."""
        return leaves.entries(self, self._domains, leaf)

    def _with_values(self, values: Iterator[float]) -> Kernel:
        """The same kernel with the next of ``values`` for its hyperparameters."""
        return leaves.with_values(self, self._domains, values)

    def _check(self, name: str, X: Floats) -> None:
        """Refuse rows that the kernel cannot compare."""
        leaves.check_columns(self, self._by_column, name, X)

    def _text(self, binding: int) -> str:  # noqa: ARG002
        """As text, in brackets if it binds less tightly than ``binding``: 1 for +, 2 for *, 3 for ** and methods."""
        return leaves.text(self)

    @property
    def _scale(self) -> float | None:
        """The value of a kernel that is the same number everywhere."""
        return None

    @property
    def _highest(self) -> float:
        """A number that no entry exceeds in size, whatever the rows; infinite if there is none."""
        return math.inf

    def _add_to(self, whole: Floats, X: Floats, Z: Floats | None) -> None:
        """Add the matrix to another."""
        whole += self._matrix(X, Z)

    def _hold(self, **fields: object) -> None:
        """Set the fields of this frozen value while it is being made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    # ---------------------------------------------------------------- matrices

    def __call__(self, X: ArrayLike, Z: ArrayLike | None = None) -> Floats:
        """The matrix of every row of X beside every row of Z; without Z, the Gram matrix of X."""
        rows = self._rows("X", X)
        others = None if Z is None else self._rows("Z", Z)
        if others is not None and others.shape[1] != rows.shape[1]:
            raise BadShape(f"X and Z must have the same columns; got {rows.shape[1]} and {others.shape[1]}")
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._finite(np.ascontiguousarray(self._matrix(rows, others)))

    def diagonal(self, X: ArrayLike) -> Floats:
        """The diagonal of ``k(X)``: how alike each row is to itself.

        >>> from credo.kernels import Linear
        >>> Linear().diagonal([[1.0], [3.0]])
        array([1., 9.])
        """
        rows = self._rows("X", X)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._finite(self._diagonal(rows))

    def pullback(self, X: ArrayLike, W: ArrayLike) -> Floats:
        """Σᵢⱼ Wᵢⱼ ∂K(X)ᵢⱼ/∂θ for each free hyperparameter, in the order of ``free`` and on the scale of ``theta``.

        With L a function of the Gram matrix and W its derivative ∂L/∂K, this is the gradient of L. It takes the memory
        of a Gram matrix or a few, however many hyperparameters there are.

        >>> from credo.kernels import SE
        >>> SE(2.0).pullback([[0.0], [2.0]], [[0.0, 1.0], [0.0, 0.0]])  # exp(−½) · 2²/2²
        array([0.60653066])
        """
        rows, weights = self._rows("X", X), np.ascontiguousarray(np.asarray(W, dtype=np.float64))
        if weights.shape != (len(rows), len(rows)):
            raise BadShape(f"W must have a row and a column for each row of X, {(len(rows),) * 2}; got {weights.shape}")
        if not len(rows):
            return np.zeros(len(self.free))
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            gradient = self._pull(rows, weights)[1]
        gradient = gradient[[entry.free for entry in self._entries()]]
        if not np.isfinite(gradient).all():
            checks.floats("W", weights)
            raise NumericalFailure(f"the gradient of {self} is not finite for these rows. Rescale the columns of X")
        return gradient

    def _rows(self, name: str, value: ArrayLike) -> Floats:
        rows = checks.floats(name, value)
        if rows.ndim != 2:
            hint = f". For one column, give {name}[:, None]" if rows.ndim == 1 else ""
            raise BadShape(f"{name} must be a table of rows and columns; got shape {rows.shape}{hint}")
        if rows.shape[1] == 0:
            raise BadShape(f"{name} must have at least one column; got shape {rows.shape}")
        rows = np.ascontiguousarray(rows)
        self._check(name, rows)
        return rows

    def _finite(self, matrix: Floats) -> Floats:
        # (a sum can only hide what is finite, so the second, longer look is rare)
        if not math.isfinite(self._highest) and not math.isfinite(matrix.sum()) and not np.isfinite(matrix).all():
            raise NumericalFailure(f"{self} is not finite for rows so large. Rescale the columns of X")
        return matrix

    # ---------------------------------------------------------------- algebra

    def __add__(self, other: Kernel | float) -> Kernel:
        from credo.kernels.algebra import total

        return total(self, other)

    def __radd__(self, other: float) -> Kernel:
        from credo.kernels.algebra import total

        return total(other, self)

    def __mul__(self, other: Kernel | float) -> Kernel:
        from credo.kernels.algebra import product

        return product(self, other)

    def __rmul__(self, other: float) -> Kernel:
        from credo.kernels.algebra import product

        return product(other, self)

    def __pow__(self, exponent: int) -> Kernel:
        from credo.kernels.algebra import Power

        return Power(self, exponent)

    def on(self, columns: int | Sequence[int]) -> Kernel:
        """This kernel of some columns only, counted from 0.

        >>> from credo.kernels import SE
        >>> float(SE(1.0).on(1)([[0.0, 5.0]], [[9.0, 5.0]])[0, 0])
        1.0
        """
        from credo.kernels.inputs import On

        return On(self, columns)

    def warped(self, function: Callable[[Floats], ArrayLike]) -> Kernel:
        """This kernel of ``function(X)``, a table with as many rows. A kernel that is warped cannot be saved.

        >>> import numpy as np
        >>> from credo.kernels import SE
        >>> float(SE(1.0).warped(np.log)([[1.0]], [[np.e]])[0, 0])
        0.606...
        """
        from credo.kernels.inputs import Warped

        return Warped(self, function)

    # ---------------------------------------------------------------- hyperparameters

    @property
    def hyperparameters(self) -> Mapping[str, Hyperparameter]:
        """Every hyperparameter by its name, with its bounds, its prior and whether it is free."""
        return MappingProxyType(named(self._entries()))

    @property
    def parameters(self) -> Mapping[str, float]:
        """The value of every hyperparameter by its name.

        >>> from credo.kernels import SE, Noise
        >>> dict((2.0 * SE([1.0, 3.0]) + Noise(0.1)).parameters)
        {'Constant.variance': 2.0, 'SE.length[0]': 1.0, 'SE.length[1]': 3.0, 'Noise.sd': 0.1}
        """
        return MappingProxyType({name: entry.value for name, entry in self.hyperparameters.items()})

    @property
    def free(self) -> tuple[str, ...]:
        """The names of the free hyperparameters, in the order of ``theta``.

        >>> from credo.kernels import SE, Noise
        >>> (SE(1.0) + Noise(0.1)).fixed("sd").free
        ('SE.length',)
        """
        return tuple(name for name, entry in self.hyperparameters.items() if entry.free)

    @property
    def theta(self) -> Floats:
        """The free hyperparameters on the scale they are learnt on, mostly their logarithms.

        >>> from credo.kernels import SE
        >>> SE([1.0, 2.0]).theta
        array([0.        , 0.69314718])
        """
        return np.array([entry.theta for entry in self._entries() if entry.free])

    @property
    def bounds(self) -> Floats:
        """The bounds of ``theta``: a row (low, high) for each free hyperparameter, infinite where there are none.

        >>> from credo.kernels import SE
        >>> SE(1.0).bounded({"length": (1, 2)}).bounds
        array([[0.        , 0.69314718]])
        """
        free = [entry for entry in self._entries() if entry.free]
        pairs = [(entry.on_scale(entry.low), entry.on_scale(entry.high)) for entry in free]
        return np.array(pairs, dtype=np.float64).reshape(-1, 2)

    def with_theta(self, theta: ArrayLike) -> Kernel:
        """This kernel with the free hyperparameters that ``theta`` stands for.

        >>> from credo.kernels import SE
        >>> SE([1.0, 2.0]).with_theta([0.0, 0.0])
        SE(length=(1.0, 1.0))
        """
        vector = checks.floats("theta", theta, ndim=1)
        entries = self._entries()
        free = [entry for entry in entries if entry.free]
        if len(vector) != len(free):
            raise BadShape(f"theta must have an entry for each of {', '.join(self.free) or 'none'}; got {len(vector)}")
        moved = iter(vector.tolist())
        return self._with_values(_moved(entry, next(moved)) if entry.free else entry.value for entry in entries)

    def with_parameters(self, values: Mapping[str, float]) -> Kernel:
        """This kernel with other values of some hyperparameters, free or fixed.

        >>> from credo.kernels import SE
        >>> (3.0 * SE(1.0)).with_parameters({"length": 2.0})
        3.0 * SE(length=2.0)
        """
        held = dict(self.parameters)
        for wanted, value in values.items():
            number = checks.floats(wanted, value, ndim=0)
            held |= dict.fromkeys(chosen(wanted, held), float(number))
        return self._with_values(iter(held.values()))

    def fixed(self, *names: str) -> Kernel:
        """This kernel with some hyperparameters held where they are, or all of them if none is named.

        >>> from credo.kernels import SE
        >>> SE([1.0, 2.0]).fixed("length[1]").free
        ('length[0]',)
        """
        from credo.kernels.restricted import restrict

        return restrict(self, fixed=dict.fromkeys(names or list(self.parameters), True))

    def freed(self, *names: str) -> Kernel:
        """This kernel with some hyperparameters that were fixed free again, or all of them if none is named.

        >>> from credo.kernels import SE
        >>> SE([1.0, 2.0]).fixed().freed("length[0]").free
        ('length[0]',)
        """
        from credo.kernels.restricted import restrict

        return restrict(self, fixed=dict.fromkeys(names or list(self.parameters), False))

    def bounded(self, bounds: Mapping[str, tuple[float, float]]) -> Kernel:
        """This kernel with bounds (low, high) within which hyperparameters are to be learnt, in their own units.

        >>> from credo.kernels import SE
        >>> SE(1.5).bounded({"length": (0.1, 10)})
        SE(length=1.5).bounded({'length': (0.1, 10.0)})
        """
        from credo.kernels.restricted import restrict

        return restrict(self, bounds=bounds)

    def with_priors(self, priors: Mapping[str, Belief]) -> Kernel:
        """This kernel with beliefs about some of its hyperparameters, in their own units.

        >>> from credo.beliefs import LogNormal
        >>> from credo.kernels import SE
        >>> SE(1.5).with_priors({"length": LogNormal(0, 1)})
        SE(length=1.5).with_priors({'length': LogNormal(mu=0.0, sigma=1.0)})
        """
        from credo.kernels.restricted import restrict

        return restrict(self, priors=priors)

    def log_prior(self) -> float:
        """The log density of the free hyperparameters under their priors, in their own units; zero without priors.

        >>> from credo.beliefs import Normal
        >>> from credo.kernels import SE
        >>> SE(1.0).with_priors({"length": Normal(1, 1)}).log_prior()
        -0.918...
        """
        free = (entry for entry in self._entries() if entry.free and entry.prior is not None)
        return float(sum(float(entry.prior.log_prob(entry.value)) for entry in free if entry.prior is not None))

    def log_prior_gradient(self) -> Floats:
        """The slope of ``log_prior`` along each entry of ``theta``, by differences of each law: good to nine digits.

        >>> from credo.beliefs import Normal
        >>> from credo.kernels import SE
        >>> SE(2.0).with_priors({"length": Normal(1, 1)}).log_prior_gradient().round(6)  # −(2 − 1) · 2
        array([-2.])
        """
        return np.array([entry.log_prior_slope() for entry in self._entries() if entry.free], dtype=np.float64)

    # ---------------------------------------------------------------- what people see

    def __repr__(self) -> str:
        return self._text(0)

    def __str__(self) -> str:
        return self._text(0)


def _moved(entry: Hyperparameter, theta: float) -> float:
    """The value of a hyperparameter that an optimiser moved to ``theta``; a step beyond a bound ends at the bound."""
    low, high = entry.on_scale(entry.low), entry.on_scale(entry.high)
    if not low - BOUND_SLACK <= theta <= high + BOUND_SLACK:
        raise BadParameter(
            f"theta of {entry.kernel}.{entry.field} must lie within its bounds, {low:.6g} to {high:.6g}; "
            f"got {theta:.6g}"
        )
    value = min(max(entry.from_scale(theta), entry.low), entry.high)
    if entry.log and not 0 < value < math.inf:
        raise BadParameter(f"theta of {entry.kernel}.{entry.field} must be the logarithm of a number; got {theta:.6g}")
    return value
