"""The process: a law of functions, before and after something was seen of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import MultivariateNormal, Normal
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, InvalidInput, NumericalFailure
from credo.gp.means import Mean, ZeroMean
from credo.gp.seen import Seen
from credo.gp.solvers import Evidence, Factor, Solver, chosen
from credo.kernels import Kernel, Restricted, Sum
from credo.kernels import kernel as kernel_of

__all__ = ["Component", "Process"]

PAIRS = 64  # rows whose covariance with their neighbours is made at a time, of which only the diagonal is needed
BLOCK = 3 * 2**20  # cells of a covariance that are made at a time: less than 32 MB, which the C library keeps
LEAST_VARIANCE = 1e-14  # of a process where its kernel says 1: what is less is rounding
NOTHING = Evidence(0.0, 0.0, 0)


@dataclass(frozen=True, slots=True)
class Component:
    """One of the parts that a process is the sum of, and what is believed of it at each row.

    >>> from credo.kernels import SE, Linear
    >>> process = Process(Linear() + SE(1.0)).given([[0.0], [1.0]], [0.0, 1.0], noise=0.1)
    >>> [str(part.name) for part in process.decompose([[2.0]])]
    ['Linear(variance=1.0)', 'SE(length=1.0)']
    """

    name: str
    belief: Normal


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Process:
    """A Gaussian process: a law of functions f, of which any values f(x₁), …, f(xₙ) are normal together.

    ``kernel`` says how alike f is at two rows, ``mean`` what is expected of it (zero, without it). What is seen of f
    conditions it, and the posterior is a process again: it is sampled, asked and conditioned in the same way. Noise is
    no part of the process but of what is seen of it: a standard deviation, one number or one for each row.

    >>> from credo.kernels import SE
    >>> process = Process(SE(length=1.0))
    >>> seen = process.given([[0.0], [1.0]], [0.0, 1.0], noise=0.1)
    >>> belief = seen.predictive([[0.5], [9.0]])
    >>> belief.mean.round(2), belief.sd.round(2)
    (array([0.55, 0.  ]), array([0.19, 1.  ]))
    >>> seen.given([[9.0]], [5.0]).predictive([[9.0]]).mean.round(6)
    array([5.])
    """

    kernel: Kernel
    mean: Mean
    seen: Seen | None

    def __init__(self, kernel: Kernel | str, *, mean: Mean | None = None, seen: Seen | None = None) -> None:
        held = kernel_of(kernel) if isinstance(kernel, str) else kernel
        if not isinstance(held, Kernel):
            raise BadParameter(f"kernel must be a kernel, or its text; got {checks.shown(kernel)}")
        expected = ZeroMean() if mean is None else mean
        if not isinstance(expected, Mean):
            raise BadParameter(f"mean must be a mean of credo.gp, such as ConstantMean(3); got {checks.shown(mean)}")
        if not isinstance(seen, Seen | None):
            raise BadParameter(f"seen is what given(...) has put there; got {checks.shown(seen)}")
        for name, value in (("kernel", held), ("mean", expected), ("seen", seen)):
            object.__setattr__(self, name, value)

    # ---------------------------------------------------------------- what is seen of it

    def given(self, X: ArrayLike, y: ArrayLike, *, noise: ArrayLike = 0.0, solver: Solver | None = None) -> Process:
        """This process, once ``y`` is what was seen of it at the rows of ``X``, with noise of that standard deviation.

        To see more of it, call this again: the factor of what was seen before is kept and extended. Without noise the
        process goes through what was seen; rows that are alike must then not differ. ``solver`` is chosen if it is not
        given.
        """
        rows, targets = self._rows(X), checks.floats("y", y, ndim=1)
        checks.rows_match("X", len(rows), "y", len(targets))
        if not len(rows):
            raise BadShape("X must have at least one row; got none")
        sd = _noise(noise, len(rows))
        before = self.seen
        factor: Factor | None = None
        if before is not None:
            across, corner = self._whole(rows, before.X), self._whole(rows)
            corner.flat[:: len(rows) + 1] += np.square(sd)
            factor = before.factor.extended(across, corner) if solver is None else None
            rows, targets = np.vstack([before.X, rows]), np.append(before.y, targets)
            sd = np.append(before.noise, sd)
        if factor is None:
            factor = chosen(solver, self._kernel, rows, sd).factor(self._kernel, rows, sd)
        residual = targets - self.mean.at(rows)
        return Process(self.kernel, mean=self.mean, seen=Seen.by(factor, rows, targets, sd, residual))

    @property
    def evidence(self) -> Evidence:
        """The log evidence of what was seen, with fit and complexity apart; of nothing, zero."""
        return NOTHING if self.seen is None else self.seen.factor.evidence(self.seen.residual)

    @property
    def log_evidence(self) -> float:
        """log p(y), the density of all that was seen, under the process as it was before.

        >>> from credo.kernels import SE
        >>> Process(SE(1.0)).given([[0.0]], [0.0], noise=0.0).log_evidence
        -0.918...
        """
        return self.evidence.total if self.seen is not None else 0.0

    @property
    def jitter(self) -> float:
        """What was added to the variance of each row that was seen, so that rounding does no harm; zero, mostly."""
        return 0.0 if self.seen is None else self.seen.factor.jitter

    # ---------------------------------------------------------------- what is believed of it

    @overload
    def predictive(self, X: ArrayLike, *, noise: ArrayLike = 0.0, full: Literal[False] = False) -> Normal: ...
    @overload
    def predictive(self, X: ArrayLike, *, noise: ArrayLike = 0.0, full: Literal[True]) -> MultivariateNormal: ...
    def predictive(self, X: ArrayLike, *, noise: ArrayLike = 0.0, full: bool = False) -> Normal | MultivariateNormal:
        """The belief about f at each row of ``X``; with ``noise``, about what would be seen of it there.

        With ``full=True`` it is one belief about all the rows together, with their covariance; where rounding makes
        that indefinite, the least jitter that repairs it, from 1e-14 to 1e-6 of the kernel's variance, is added.

        >>> from credo.kernels import SE
        >>> Process(SE(1.0)).predictive([[0.0], [1.0]], full=True).cov.round(2)
        array([[1.  , 0.61],
               [0.61, 1.  ]])
        """
        rows = self._rows(X)
        sd = _noise(noise, len(rows))
        if full:
            return self._together(rows, sd)
        return _normal(self.mean.at(rows), *self._moments(self._kernel, rows), extra=np.square(sd))

    def sample(self, X: ArrayLike, n: int, rng: int | np.random.Generator) -> Floats:
        """``n`` functions drawn from the process, each by its values at the rows of ``X``.

        >>> from credo.kernels import SE
        >>> Process(SE(1.0)).sample([[0.0], [0.001], [5.0]], 2, rng=1).round(2)
        array([[ 0.35,  0.35,  0.33],
               [-1.3 , -1.3 ,  0.45]])
        """
        draws: Floats = self._together(self._rows(X), np.zeros(1)).sample(n, rng)
        return draws

    def leave_one_out(self) -> Normal:
        """The belief about each target that was seen, given all the others: nothing is fitted again.

        With α = A⁻¹r it is N(yᵢ − αᵢ/(A⁻¹)ᵢᵢ, 1/(A⁻¹)ᵢᵢ).

        >>> from credo.kernels import SE
        >>> process = Process(SE(1.0)).given([[0.0], [1.0]], [0.0, 1.0], noise=0.1)
        >>> process.leave_one_out().mean.round(3)
        array([0.601, 0.   ])
        """
        if self.seen is None:
            raise InvalidInput("nothing was seen of this process, so there is nothing to leave out. Call given first")
        precision = self.seen.factor.inverse_diagonal()
        return Normal(self.seen.y - self.seen.weights / precision, 1 / np.sqrt(precision))

    def slope(self, X: ArrayLike, *, step: float, column: int = 0) -> Normal:
        """The belief about how steep f is at each row, from ``step`` before it to ``step`` after it along a column.

        It is the law of (f(x + step) − f(x − step))/(2 step), and nothing in it is approximate. Where f has a
        derivative this is the derivative, once the step is short beside the length of the kernel: a hundredth of that
        errs by about 1e-4; a step far shorter is lost in rounding.

        >>> from credo.kernels import SE
        >>> rising = Process(SE(5.0)).given([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], noise=0.1)
        >>> belief = rising.slope([[1.0], [20.0]], step=0.05)
        >>> belief.mean.round(1) + 0, belief.sd.round(1)
        (array([0.9, 0. ]), array([0.1, 0.2]))
        """
        rows = self._rows(X)
        held = checks.count("column", column, most=max(rows.shape[1] - 1, 0))
        half = float(checks.positive("step", step, ndim=0))
        shift = half * (np.arange(rows.shape[1]) == held)
        ahead, behind = rows + shift, rows - shift
        kernel = self._kernel
        prior = kernel.diagonal(ahead) + kernel.diagonal(behind)
        mean = self.mean.at(ahead) - self.mean.at(behind)
        variance = np.empty(len(rows))
        for start in range(0, len(rows), PAIRS):
            block = slice(start, start + PAIRS)
            variance[block] = prior[block] - 2 * np.diagonal(kernel(ahead[block], behind[block]))
            if self.seen is not None:
                across = kernel(ahead[block], self.seen.X) - kernel(behind[block], self.seen.X)
                mean[block] += _weighed(across, self.seen.weights)
                variance[block] -= self.seen.factor.explained(across)
        return _normal(mean / (2 * half), np.zeros(len(rows)), variance / (2 * half) ** 2, prior / (2 * half) ** 2)

    def decompose(self, X: ArrayLike) -> tuple[Component, ...]:
        """The belief about each part, at each row, where the process is the sum of parts: its kernel is a sum.

        The means of the parts and the known part of the mean add up to the mean of the process; their variances do not
        add up, for what one part explains another need not. A mean of uncertain weights is a part of its own.
        """
        rows = self._rows(X)
        parts = [*summands(self.kernel)] + ([] if self.mean.doubt is None else [self.mean.doubt])
        names = [str(part) for part in parts]
        beliefs = [_normal(np.zeros(len(rows)), *self._moments(part, rows)) for part in parts]
        return tuple(
            Component(name if names.count(name) == 1 else f"{name} [{names[:i].count(name) + 1}]", belief)
            for i, (name, belief) in enumerate(zip(names, beliefs, strict=True))
        )

    # ---------------------------------------------------------------- what people see

    def __repr__(self) -> str:
        mean = "" if isinstance(self.mean, ZeroMean) else f", mean={self.mean!r}"
        seen = "" if self.seen is None else f" given {len(self.seen.y)} rows"
        return f"Process({self.kernel!r}{mean}){seen}"

    # ---------------------------------------------------------------- how it is done

    @property
    def _kernel(self) -> Kernel:
        """The covariance of f, with what the weights of the mean add to it."""
        return self.kernel if self.mean.doubt is None else self.kernel + self.mean.doubt

    def _whole(self, X: Floats, Z: Floats | None = None) -> Floats:
        return self._kernel(X, Z)

    def _rows(self, X: ArrayLike) -> Floats:
        rows = np.ascontiguousarray(checks.floats("X", X))
        if rows.ndim != 2:
            hint = ". For one column, give X[:, None]" if rows.ndim == 1 else ""
            raise BadShape(f"X must be a table of rows and columns; got shape {rows.shape}{hint}")
        if self.seen is not None and rows.shape[1] != self.seen.X.shape[1]:
            raise BadShape(f"X must have {self.seen.X.shape[1]} columns, as what was seen; got {rows.shape[1]}")
        return rows

    def _moments(self, part: Kernel, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """By how much a part of f departs from the mean, its variance, and what that was before."""
        prior = part.diagonal(rows)
        shift, variance = np.zeros(len(rows)), prior.copy()
        if self.seen is not None:
            step = max(1, BLOCK // len(self.seen.y))
            for start in range(0, len(rows), step):
                block = slice(start, start + step)
                across = part(rows[block], self.seen.X)
                shift[block] = _weighed(across, self.seen.weights)
                variance[block] -= self.seen.factor.explained(across)
        return shift, variance, prior

    def _together(self, rows: Floats, sd: Floats) -> MultivariateNormal:
        if not len(rows):
            raise BadShape("X must have at least one row; got none")
        mean, cov = self.mean.at(rows), self._whole(rows)
        scale = float(np.diagonal(cov).mean())
        if self.seen is not None:
            across = self._whole(rows, self.seen.X)
            mean = mean + across @ self.seen.weights
            cov -= self.seen.factor.explained_together(across)
        cov.flat[:: len(rows) + 1] += np.square(sd)
        for jitter in (0.0, *np.logspace(-14, -6, 9)):
            try:
                return MultivariateNormal(mean, cov + max(jitter * scale, 0.0) * np.eye(len(rows)))
            except BadParameter:
                continue
        raise NumericalFailure(
            f"the covariance of {len(rows)} rows is not positive definite, even with 1e-06 of the kernel's variance "
            "added to its diagonal. Is the kernel no covariance, or zero everywhere? Give noise, or ask row by row"
        )


def summands(kernel: Kernel) -> tuple[Kernel, ...]:
    """The parts of a sum, or the one kernel; what was said about learning them is left out.

    >>> from credo.kernels import SE, Noise
    >>> summands((SE(1.0) + Noise(0.1)).fixed("sd"))
    (SE(length=1.0), Noise(sd=0.1))
    """
    if isinstance(kernel, Restricted):
        return summands(kernel.kernel)
    return tuple(part for held in kernel.parts for part in summands(held)) if isinstance(kernel, Sum) else (kernel,)


def _weighed(across: Floats, weights: Floats) -> Floats:
    """The product of the two, but not by a matrix product.

    NumPy and SciPy bring a BLAS each, and threads of the one that has just worked keep the cores busy, waiting for
    more, while the other's do the work: the triangular solve that follows would take twice the time.
    """
    return np.asarray(np.einsum("ij,j->i", across, weights))


def _normal(mean: Floats, shift: Floats, variance: Floats, prior: Floats, *, extra: Floats | float = 0.0) -> Normal:
    """Normal laws; where everything is known, rounding leaves a variance of about 1e-16 of what it was before."""
    least = np.maximum(LEAST_VARIANCE * np.abs(prior), np.finfo(np.float64).tiny)
    return Normal(mean + shift, np.sqrt(np.maximum(variance, least) + extra))


def _noise(noise: ArrayLike, rows: int) -> Floats:
    sd = checks.positive("noise", noise, zero=True)
    if sd.ndim > 1:
        raise BadShape(f"noise must be a number, or one for each row; got shape {sd.shape}")
    if sd.ndim:
        checks.rows_match("X", rows, "noise", len(sd))
    return np.asarray(np.broadcast_to(sd, rows))
