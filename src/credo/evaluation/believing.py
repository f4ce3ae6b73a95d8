"""What a fitted model believes of rows, and what such a belief was worth once the truth is known, row by row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.beliefs import Belief, Categorical, Point
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.evaluation.forecasts import crps, log_density

__all__ = ["WORTHS", "Worth", "believe", "worth_of"]


def believe(model: Any, X: Any) -> Belief:
    """What a fitted model says of every row; a scikit-learn pipeline is asked through its last step.

    A model of another house is taken by its word: its ``predict_proba`` is a belief about the class, and a number it
    predicts is certain.

    >>> from credo.linear import Ridge
    >>> believe(Ridge().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0]), [[1.0]])
    StudentT(df=[2], loc=[1.33333], scale=[1.05409]) × 1 rows
    """
    from sklearn.base import is_classifier
    from sklearn.pipeline import Pipeline

    if isinstance(model, Pipeline):
        return believe(model[-1], model[:-1].transform(X))
    says = getattr(model, "predictive", None)
    if says is not None:
        belief: Belief = says(X)
        return belief
    if getattr(model, "predict_proba", None) is not None:
        return Categorical(model.predict_proba(X), model.classes_.tolist())
    if is_classifier(model):
        said = model.predict(X)
        return Categorical((said[:, None] == model.classes_).astype(np.float64), model.classes_.tolist())
    return Point(model.predict(X))


@dataclass(frozen=True, slots=True)
class Worth:
    """What a belief about each row was worth, by name: ``rows(belief, y)`` has a number for each.

    >>> WORTHS["squared error"].rows(Point([1.0, 2.0]), np.array([1.0, 4.0]))
    array([0., 4.])
    """

    name: str
    rows: Callable[[Belief, NDArray[Any]], Floats]
    higher_is_better: bool


def worth_of(score: str | Worth) -> Worth:
    """The worth of that name, or the one that is given.

    >>> worth_of("log").higher_is_better
    True
    """
    return score if isinstance(score, Worth) else WORTHS[checks.choice("score", score, tuple(WORTHS))]


def _log(belief: Belief, y: NDArray[Any]) -> Floats:
    if isinstance(belief, Categorical):
        places = _places(belief, y)
        known: Floats = np.where(places >= 0, belief.log_probs[np.arange(len(y)), places], -np.inf)
        return known
    if isinstance(belief, Point):
        raise InvalidInput(
            "score='log' judges beliefs, and the model predicts a number without one. Take score='squared error' or "
            "'absolute error', or a model that has predictive"
        )
    return log_density(belief, y)


def _accuracy(belief: Belief, y: NDArray[Any]) -> Floats:
    said = _classes(belief, "accuracy")
    right: Floats = (said.probs.argmax(axis=1) == _places(said, y)).astype(np.float64)
    return right


def _brier(belief: Belief, y: NDArray[Any]) -> Floats:
    said = _classes(belief, "brier")
    came = _places(said, y)[:, None] == np.arange(said.probs.shape[1])
    # A class of which no row taught has no column; it came all the same.
    missed: Floats = 1.0 - came.sum(axis=1)
    squares: Floats = (((said.probs - came) ** 2).sum(axis=1) + missed) / 2
    return squares


def _crps(belief: Belief, y: NDArray[Any]) -> Floats:
    # (the same draws each time where there is no closed form, so that the same belief is worth the same)
    return crps(_number(belief, "crps"), y, rng=0)


def _squared_error(belief: Belief, y: NDArray[Any]) -> Floats:
    return np.asarray(np.square(_number(belief, "squared error").mean - y))


def _absolute_error(belief: Belief, y: NDArray[Any]) -> Floats:
    return np.asarray(np.abs(_number(belief, "absolute error").quantile(0.5) - y))


def _places(belief: Categorical, y: NDArray[Any]) -> NDArray[np.intp]:
    """The column of the class that came true; −1 where the model has never heard of it."""
    place = {state: i for i, state in enumerate(belief.states)}
    return np.array([place.get(state, -1) for state in np.asarray(y).tolist()], dtype=np.intp)


def _classes(belief: Belief, score: str) -> Categorical:
    if not isinstance(belief, Categorical):
        raise InvalidInput(f"score={score!r} judges beliefs about classes; this model predicts numbers. Take 'log'")
    return belief


def _number(belief: Belief, score: str) -> Belief:
    if isinstance(belief, Categorical):
        raise InvalidInput(f"score={score!r} judges beliefs about numbers; this model predicts classes. Take 'log'")
    return belief


WORTHS = {
    held.name: held
    for held in (
        Worth("log", _log, higher_is_better=True),
        Worth("accuracy", _accuracy, higher_is_better=True),
        Worth("brier", _brier, higher_is_better=False),
        Worth("crps", _crps, higher_is_better=False),
        Worth("squared error", _squared_error, higher_is_better=False),
        Worth("absolute error", _absolute_error, higher_is_better=False),
    )
}
