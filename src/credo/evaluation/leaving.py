"""Leaving out one row at a time: by a formula where a model has one, by fitting again where it has none."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs import Belief, Categorical, Normal, StudentT
from credo.errors import InvalidInput, NumericalFailure
from credo.evaluation.believing import Worth, believe, worth_of
from credo.evaluation.intervals import Interval, mean
from credo.evaluation.taking import shape_of, take

__all__ = ["LeftOut", "leave_one_out"]

SURE = 1e-10  # a row whose pull on its own prediction is nearer to one than this is fitted by nothing else


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """The belief about each row, learnt from all the others; ``y`` is what came true, ``how`` says how it was done.

    >>> from credo.linear import Ridge
    >>> found = leave_one_out(Ridge(), [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 1.5, 3.0])
    >>> print(found.judge("absolute error"), "|", found.how)
    0.520 (-0.237 to 1.276) | closed form
    """

    belief: Belief
    y: NDArray[Any]
    how: str

    def judge(self, score: str | Worth = "log") -> Interval:
        """The mean over rows of what the beliefs were worth, as ``cross_validate`` has it."""
        return mean(worth_of(score).rows(self.belief, self.y))


def leave_one_out(model: Any, X: Any, y: Any, *, relearn: bool = False, n_jobs: int | None = None) -> LeftOut:
    """What the model would have believed of each row, had it learnt from all the others.

    Linear regression, ``Ridge`` among it, and Gaussian processes need one fit: with the residual e of a row and its
    pull h on its own prediction (the diagonal of the hat matrix), the residual without it is e/(1 − h). What
    ``BayesianRegression`` and ``GaussianProcessRegressor`` learn by the evidence is then that of all rows, and ``how``
    says so; ``relearn=True`` fits them again without each row, as all other models are, and those with a basis that is
    learnt from the rows.

    >>> from credo.linear import LinearRegression
    >>> x, y = np.array([[0.0], [1.0], [2.0], [4.0]]), np.array([0.1, 0.9, 2.2, 3.9])
    >>> leave_one_out(LinearRegression(), x, y).belief[3]
    StudentT(df=1, loc=4.21667, scale=0.493007)
    >>> LinearRegression().fit(x[:3], y[:3]).predictive(x[3:])[0]
    StudentT(df=1, loc=4.21667, scale=0.493007)
    """
    from sklearn.base import clone

    targets = np.asarray(y)
    n = checks.count("the number of rows", shape_of(X)[0], least=2)
    checks.rows_match("X", n, "y", len(targets))
    closed = None if relearn or not _has_formula(model) else clone(model).fit(X, targets)
    if closed is not None:
        belief, learnt = _by_formula(closed, X, targets)
        return LeftOut(belief, targets, f"closed form{', with what all rows say of ' + learnt if learnt else ''}")
    from joblib import Parallel, delayed

    said = Parallel(n_jobs=n_jobs, prefer="threads")(delayed(_without)(model, X, targets, row) for row in range(n))
    return LeftOut(_joined(said), targets, f"{n} fits")


def _has_formula(model: Any) -> bool:
    from credo.gp import GaussianProcessRegressor
    from credo.linear import BayesianRegression, LinearRegression, PolynomialBasis, Ridge

    if isinstance(model, GaussianProcessRegressor):
        return True
    if isinstance(model, LinearRegression) and model.method == "gradient":
        return False  # steps downhill end a little off the formula
    linear = isinstance(model, (BayesianRegression, LinearRegression, Ridge))
    return linear and (model.basis is None or isinstance(model.basis, PolynomialBasis))


def _by_formula(model: Any, X: Any, y: NDArray[Any]) -> tuple[Belief, str]:
    """The belief about each row without it, and what was learnt from all rows all the same."""
    from credo.gp import GaussianProcessRegressor
    from credo.linear import BayesianRegression

    if isinstance(model, GaussianProcessRegressor):
        parts = {"hyperparameters": model.kernel_.free, "mean": model.mean is None, "scales": model.standardise}
        return model.leave_one_out(), " and ".join(name for name, learnt in parts.items() if learnt)
    line = model.predictive(X, noise=False)
    residual = np.asarray(y, dtype=np.float64) - line.mean
    if isinstance(model, BayesianRegression):
        free = 1 - np.minimum(line.var * model.beta_, 1)
        learnt = [name for name in ("alpha", "beta") if getattr(model, name) is None]
        _refuse_pulls(free)
        return Normal(y - residual / free, 1 / np.sqrt(model.beta_ * free)), " and ".join(learnt)
    if model.df_ <= 1:
        raise InvalidInput(
            f"without a row, {model.df_ - 1:g} degrees of freedom are left for the noise. Give more rows"
        )
    free = 1 - np.minimum((line.scale / model.noise_sd_) ** 2, 1)
    _refuse_pulls(free)
    whole = model.df_ * model.noise_sd_**2
    # Where the other rows lie on a line nothing is left of the noise, or less than nothing by rounding.
    variance = np.maximum(whole - residual**2 / free, np.finfo(float).eps * whole) / (model.df_ - 1)
    return StudentT(model.df_ - 1, y - residual / free, np.sqrt(variance / free)), ""


def _refuse_pulls(free: NDArray[np.float64]) -> None:
    if (free < SURE).any():
        raise NumericalFailure(
            f"row {int(free.argmin())} alone determines a weight, so nothing is known of it without that row. Take "
            "Ridge or BayesianRegression, whose prior decides"
        )


def _without(model: Any, X: Any, y: NDArray[Any], row: int) -> Belief:
    from sklearn.base import clone

    others = np.delete(np.arange(len(y)), row)
    return believe(clone(model).fit(take(X, others), y[others]), take(X, np.array([row])))


def _joined(said: Sequence[Any]) -> Belief:
    """Beliefs about one row each as a batch of them."""
    first = said[0]
    if isinstance(first, Categorical):
        states = sorted({state for belief in said for state in belief.states})
        probs = [[dict(zip(b.states, b.probs[0].tolist(), strict=True)).get(s, 0.0) for s in states] for b in said]
        return Categorical(probs, states)
    if len({type(belief) for belief in said}) > 1:
        raise InvalidInput(
            f"the model must give beliefs of one kind; got {checks.shown([type(b).__name__ for b in said])}"
        )
    fields = {field.name: [getattr(belief, field.name) for belief in said] for field in dataclasses.fields(first)}
    joined: Belief = first._copy({name: _field(values) for name, values in fields.items()})
    return joined


def _field(values: Sequence[Any]) -> Any:
    if isinstance(values[0], np.ndarray):
        return np.concatenate(values)
    if isinstance(values[0], tuple) and all(isinstance(part, Belief) for part in values[0]):
        return tuple(_joined(parts) for parts in zip(*values, strict=True))
    return values[0]
