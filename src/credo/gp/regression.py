"""Gaussian process regression that needs nothing to be chosen: kernel, noise and scales come from the data."""

from __future__ import annotations

import warnings
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin

from credo import checks
from credo.beliefs import MultivariateNormal, Normal
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, CredoWarning, InvalidInput, NotFitted
from credo.estimators import remember_columns, validated
from credo.gp.learning import Problem, learn
from credo.gp.means import ConstantMean, Mean
from credo.gp.process import Component, Process, summands
from credo.gp.scaling import Scaling
from credo.gp.solvers import Solver, chosen
from credo.gp.starts import Scales, default_kernel, default_noise, scales_of
from credo.kernels import Constant, Kernel, Noise, Sum
from credo.kernels import kernel as kernel_of
from credo.linear import reading
from credo.tables import Table

__all__ = ["GaussianProcessRegressor"]


class GaussianProcessRegressor(RegressorMixin, BaseEstimator):
    """Regression by a Gaussian process whose hyperparameters are learnt by the evidence and its gradient.

    **Kernel.** Any kernel of ``credo.kernels``, or its text; its values are where learning starts, and what is fixed,
    bounded or has a prior is treated so. Without one it is ``variance * Matern52`` with a length for each column,
    started from the data and held by weak priors; ``kernel_`` shows them.

    **Noise.** Known: ``noise`` is the standard deviation of y about the function, a number or one for each row. Or
    learnt, if it is None: then the kernel's own ``Noise`` is, and a kernel without one gets one, without a prior.

    **Mean.** ``mean`` is one of ``credo.gp``; without one it is the average of y.

    **Scaling.** Nothing is rescaled unless ``standardise`` asks for it. Then columns and y are brought to mean 0 and
    standard deviation 1; kernel, mean and noise are in those units, before and after learning, ``scaling_`` has the
    numbers, and all answers are in the units of y.

    **Starts.** Learning begins from the kernel as it is given, and again from others that are drawn, ``starts`` in all;
    the same ``random_state`` draws the same. They share the cores, as many as ``credo.native.set_threads`` allows, and
    the answer does not depend on how many there are. Of 512 rows or more, a quarter that are drawn (256 to 1,000) say
    where each start leads, and only the leaders are followed with all rows. It is said if the starts disagree or a
    hyperparameter sits at a bound; Ctrl-C keeps the best so far. ``solver`` is chosen if it is not given.

    **Many rows.** A step of learning takes n³ multiplications for n rows, and a search takes a hundred steps. With
    ``learn_from`` the hyperparameters are learnt from that many rows, drawn by ``random_state``, and the process is
    conditioned on all of them: a few thousand say as much about a few hyperparameters as all do.

    After ``fit``: ``kernel_`` and ``noise_`` (what was learnt or given), ``process_`` (the ``Process`` given the data),
    ``log_evidence_`` (of all of y in its own units), ``ends_`` (the log evidence, with the log prior added, that each
    start led to; where drawn rows compared the starts, it is that of those rows), ``outcome_``, ``trace_`` (of the last
    search) and ``scaling_``.

    >>> import numpy as np
    >>> x = np.linspace(0, 10, 40)[:, None]
    >>> y = np.sin(x[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 40)
    >>> model = GaussianProcessRegressor().fit(x, y)
    >>> round(float(model.noise_), 2)
    0.07
    >>> low, high = model.predictive([[5.0], [20.0]]).interval(0.95)
    >>> (high - low).round(1)
    array([0.3, 3.9])
    """

    def __init__(
        self,
        kernel: Kernel | str | None = None,
        *,
        mean: Mean | None = None,
        noise: ArrayLike | None = None,
        standardise: bool = False,
        starts: int = 5,
        random_state: int = 0,
        learn_from: int | None = None,
        solver: Solver | None = None,
    ) -> None:
        self.kernel = kernel
        self.mean = mean
        self.noise = noise
        self.standardise = standardise
        self.starts = starts
        self.random_state = random_state
        self.learn_from = learn_from
        self.solver = solver

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the hyperparameters and condition the process on the rows of ``X`` and their targets ``y``.

        If ``X`` is a ``Table``, ``y`` may be the name of one of its columns.
        """
        starts = checks.count("starts", self.starts, least=1)
        seed = checks.count("random_state", self.random_state)
        most = None if self.learn_from is None else checks.count("learn_from", self.learn_from, least=1)
        rows, targets = self._read(X, y)
        scaling = Scaling.none(rows.shape[1])
        if checks.choice("standardise", self.standardise, (True, False)):
            scaling = Scaling.of(rows, targets)
            rows, targets = scaling.rows(rows), scaling.targets(targets)
        mean = ConstantMean(float(targets.mean())) if self.mean is None else self.mean
        if not isinstance(mean, Mean):
            raise BadParameter(f"mean must be a mean of credo.gp, such as ConstantMean(3); got {checks.shown(mean)}")
        residual = targets - mean.at(rows)
        scales = scales_of(rows, residual)
        kernel, known = self._kernel(scales, len(rows))
        whole = kernel if mean.doubt is None else kernel + mean.doubt
        problem = Problem(rows, residual, known, chosen(self.solver, whole, rows, known))
        if most is not None and most < len(rows):
            problem = problem.thinned(most, np.random.default_rng(seed))
        learnt = learn(whole, problem, scales, starts=starts, seed=seed)
        self.kernel_ = kernel.with_parameters(dict(zip(kernel.free, _values(learnt.best.kernel, kernel), strict=True)))
        self.ends_, self.outcome_, self.trace_ = learnt.ends, learnt.best.outcome, learnt.best.trace
        self.scaling_ = scaling
        self._condition(rows, targets, mean, known)
        self._tell(learnt.remarks)
        return self

    @overload
    def predict(self, X: Any, *, return_std: Literal[False] = False) -> Floats: ...
    @overload
    def predict(self, X: Any, *, return_std: Literal[True]) -> tuple[Floats, Floats]: ...
    def predict(self, X: Any, *, return_std: bool = False) -> Floats | tuple[Floats, Floats]:
        """The mean of the next target for each row; with ``return_std=True`` also its standard deviation."""
        if return_std:
            belief = self.predictive(X)
            return belief.mean, belief.sd
        return self.predictive(X, noise=False).mean

    @overload
    def predictive(self, X: Any, *, noise: bool | ArrayLike = True, full: Literal[False] = False) -> Normal: ...
    @overload
    def predictive(self, X: Any, *, noise: bool | ArrayLike = True, full: Literal[True]) -> MultivariateNormal: ...
    def predictive(self, X: Any, *, noise: bool | ArrayLike = True, full: bool = False) -> Normal | MultivariateNormal:
        """The belief about the next target for each row or, with ``noise=False``, about the function itself there.

        ``noise`` may also be the standard deviation of what will be seen, which it must be where that of each row was
        given to ``fit``. With ``full=True`` it is one belief about all the rows together.
        """
        rows = self._rows(X)
        sd = self._noise_of(noise)
        if full:
            return self.scaling_.back(self.process_.predictive(rows, noise=sd, full=True))
        return self.scaling_.back(self.process_.predictive(rows, noise=sd))

    def sample(self, X: Any, n: int, rng: int | np.random.Generator) -> Floats:
        """``n`` functions drawn from the posterior, each by its values at the rows of ``X``, without noise."""
        draws = self.process_.sample(self._rows(X), n, rng)
        return draws * self.scaling_.target_scale + self.scaling_.target_centre

    def slope(self, X: Any, *, step: float, column: int = 0) -> Normal:
        """The belief about how steep the function is at each row along a column, as ``Process.slope`` has it."""
        rows = self._rows(X)
        held = checks.count("column", column, most=rows.shape[1] - 1)
        scale = float(self.scaling_.scale[held])
        half = float(checks.positive("step", step, ndim=0))
        belief = self.process_.slope(rows, step=half / scale, column=held)
        rate = self.scaling_.target_scale / scale
        return Normal(belief.mean * rate, belief.sd * rate)

    def leave_one_out(self) -> Normal:
        """The belief about each target of ``fit`` given all the others, with the hyperparameters of all."""
        self._require_fit()
        return self.scaling_.back(self.process_.leave_one_out())

    def decompose(self, X: Any) -> tuple[Component, ...]:
        """The belief about each part of a kernel that is a sum, at each row, as departures from the mean."""
        rows = self._rows(X)
        scale = self.scaling_.target_scale
        return tuple(
            Component(part.name, Normal(part.belief.mean * scale, part.belief.sd * scale))
            for part in self.process_.decompose(rows)
        )

    # ---------------------------------------------------------------- how it is done

    def _kernel(self, scales: Scales, rows: int) -> tuple[Kernel, Floats]:
        """The kernel to learn, with ``Noise`` in it where noise is learnt, and the noise that is known of each row."""
        kernel = kernel_of(self.kernel) if isinstance(self.kernel, str) else self.kernel
        noise: Kernel = Noise(0.1 * scales.target)
        if kernel is None:
            kernel, noise = default_kernel(scales), default_noise(scales)
        if not isinstance(kernel, Kernel):
            raise BadParameter(f"kernel must be a kernel, its text, or None; got {checks.shown(kernel)}")
        if self.noise is not None:
            known = checks.positive("noise", self.noise, zero=True)
            if known.ndim > 1 or (known.ndim and len(known) != rows):
                raise BadShape(f"noise must be a number, or one for each of {rows} rows; got shape {known.shape}")
            return kernel, np.asarray(np.broadcast_to(known, rows))
        if not any(isinstance(part, Noise) for part in summands(kernel)):
            kernel += noise
        return kernel, np.zeros(rows)

    def _condition(self, rows: Floats, targets: Floats, mean: Mean, known: Floats) -> None:
        """The process given the data, its noise apart from its kernel."""
        parts = summands(self.kernel_)
        smooth = [part for part in parts if not isinstance(part, Noise)]
        variance = sum(part.sd**2 for part in parts if isinstance(part, Noise))
        sd = np.sqrt(np.square(known) + variance)
        one = self.noise is None or np.ndim(self.noise) == 0
        self.noise_ = float(sd[0]) if one else sd
        kernel = Sum(smooth) if len(smooth) > 1 else (smooth or [Constant(0.0)])[0]
        self.process_ = Process(kernel, mean=mean).given(rows, targets, noise=sd, solver=self.solver)
        self.log_evidence_ = self.scaling_.log_evidence(self.process_.log_evidence, len(rows))

    def _tell(self, remarks: tuple[str, ...]) -> None:
        if self.process_.jitter:
            remarks += (
                f"{self.process_.jitter:.2g} was added to the variance of each row, because rounding left no covariance"
                " otherwise. Are rows duplicates, or is the noise too small?",
            )
        for remark in remarks:
            warnings.warn(remark, CredoWarning, stacklevel=3)

    def _read(self, X: Any, y: Any) -> tuple[Floats, Floats]:
        if isinstance(y, str):
            if not isinstance(X, Table):
                raise InvalidInput(f"y is the text {y!r}: the name of a column, which goes with a Table as X")
            checks.known("column", y, X.columns)
            X, y = X.drop(y), np.asarray(X[y])
        if isinstance(X, Table):
            targets = validated(self, y=y)
            remember_columns(self, X.columns)
            rows = reading.read(self, X)
        else:
            rows, targets = validated(self, X, y, dtype=np.float64, remedy=reading.REMEDY)
            rows = reading.read(self, X)
        targets = checks.floats("y", targets, ndim=1)
        checks.rows_match("X", len(rows), "y", len(targets))
        # (one order in memory, so that the same rows give the same answer to the last bit)
        return np.ascontiguousarray(rows), targets

    def _noise_of(self, noise: bool | ArrayLike) -> ArrayLike:  # noqa: FBT001
        if noise is False:
            return 0.0
        if noise is not True:
            return checks.positive("noise", noise, zero=True) / self.scaling_.target_scale
        if np.ndim(self.noise_):
            raise InvalidInput(
                "the noise of each row was given to fit, and that of new rows is not known. Give noise=..., a standard "
                "deviation for each row of X, or noise=False for the function itself"
            )
        return self.noise_

    def _require_fit(self) -> None:
        if "process_" not in vars(self):
            raise NotFitted(f"this {type(self).__name__} has not been fitted yet. Call fit with X and y first")

    def _rows(self, X: Any) -> Floats:
        self._require_fit()
        return self.scaling_.rows(reading.read(self, X))


def _values(learnt: Kernel, kernel: Kernel) -> list[float]:
    """The learnt values of a kernel's hyperparameters, which come first where the doubt of the mean was added."""
    return [entry.value for entry in learnt.hyperparameters.values() if entry.free][: len(kernel.free)]
