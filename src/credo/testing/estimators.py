"""What every estimator promises: scikit-learn's contract to the letter, and a belief for every row.

The checks run on one small problem whose answer is learnable: four columns of very different use, sixty rows, and for
a classifier three classes with text labels.
"""

from __future__ import annotations

import math
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import beliefs
from credo.checks import Floats
from credo.errors import CredoError, CredoWarning, NotFitted
from credo.storage import load, save
from credo.storage.classes import CLASSES

__all__ = ["check_estimator"]

COLUMNS = ("income", "age", "height", "noise")


def check_estimator(estimator: Any) -> None:
    """Check that a classifier or regressor keeps scikit-learn's contract and Credo's.

    scikit-learn's own checks run with nothing excused. Then: ``predictive(X)`` is a batch of beliefs, one a row, that
    agrees with ``predict`` (and ``predict_proba``), whatever the order or number of the rows; ``log_evidence_``, where
    there is one, is finite; the answers survive cloning, fitting again, named columns and a round trip through a file;
    nothing given is changed; and what cannot be answered is refused by name.

    Raises ``AssertionError`` with what was promised and what was found.

    >>> from credo.testing import check_estimator
    >>> check_estimator(object())
    Traceback (most recent call last):
    AssertionError: an estimator is a classifier or a regressor; got <object object at ...
    """
    from sklearn.base import is_classifier, is_regressor

    typed = callable(getattr(estimator, "fit", None)) and (is_classifier(estimator) or is_regressor(estimator))
    assert typed, f"an estimator is a classifier or a regressor; got {estimator!r}"
    _keeps_scikit_learns_contract(estimator)
    for check in CHECKS:
        check(estimator, _problem(classes=is_classifier(estimator)))


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Rows, answers, and whether the answers are classes."""

    X: Floats
    y: NDArray[Any]
    classes: bool

    def fitted(self, estimator: Any) -> Any:
        """A clone of ``estimator``, fitted to copies of the rows."""
        from sklearn.base import clone

        return clone(estimator).fit(self.X.copy(), self.y.copy())


def _problem(*, classes: bool) -> Problem:
    rng = np.random.default_rng(20)
    X = rng.normal(size=(60, len(COLUMNS)))
    signal = 1.5 * X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + 0.3 * rng.normal(size=60)
    y = np.array(["high", "low", "middle"])[np.digitize(signal, [-0.7, 0.7])] if classes else 3 + signal
    return Problem(X, y, classes)


def _keeps_scikit_learns_contract(estimator: Any) -> None:
    from sklearn.utils import estimator_checks

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)  # these say something about the odd data the checks are made of
        results = estimator_checks.check_estimator(estimator, legacy=True, on_skip=None, on_fail=None)
    failed = [f"{r['check_name']}: {r['exception']!r}" for r in results if r["status"] != "passed" and not _skip(r)]
    assert not failed, f"scikit-learn's contract is broken in {len(failed)} places:\n" + "\n".join(failed)
    unseen = sorted({r["check_name"] for r in results if _skip(r) and "pandas" in str(r["exception"])})
    if unseen:
        warnings.warn(f"not checked, because pandas is not installed: {', '.join(unseen)}", CredoWarning, stacklevel=3)


def _skip(result: dict[str, Any]) -> bool:
    return bool(result["status"] == "skipped")


def _answers_with_beliefs(estimator: Any, problem: Problem) -> None:
    model = problem.fitted(estimator)
    belief = model.predictive(problem.X)
    assert isinstance(belief, beliefs.Belief), f"predictive(X) must return a Belief; got {type(belief).__name__}"
    assert belief.batch_shape == (60,), f"one belief a row: 60 rows gave beliefs of batch shape {belief.batch_shape}"
    assert np.isfinite(_numbers(belief)).all(), "predictive(X) must hold finite numbers"
    guess = model.predict(problem.X)
    if not problem.classes:
        _same("the mean of predictive(X)", belief.mean, "predict(X)", guess)
        return
    assert isinstance(belief, beliefs.Categorical), f"a classifier's belief is Categorical; got {type(belief).__name__}"
    assert list(belief.states) == list(model.classes_), (
        f"the states of predictive(X) must be classes_; got {belief.states} and {model.classes_}"
    )
    _same("the probabilities of predictive(X)", belief.probs, "predict_proba(X)", model.predict_proba(problem.X))
    assert (model.classes_[np.argmax(belief.probs, axis=1)] == guess).all(), (
        "predict(X) must be the most probable state of predictive(X)"
    )


def _answers_row_by_row(estimator: Any, problem: Problem) -> None:
    model = problem.fitted(estimator)
    whole = _numbers(model.predictive(problem.X))
    _same("predictive(X) of the rows reversed", _numbers(model.predictive(problem.X[::-1]))[::-1], "in order", whole)
    for i in (0, 17):
        _same(
            f"predictive of row {i} alone", _numbers(model.predictive(problem.X[i : i + 1])), "with others", whole[[i]]
        )


def _has_finite_evidence(estimator: Any, problem: Problem) -> None:
    evidence = getattr(problem.fitted(estimator), "log_evidence_", 0.0)
    assert isinstance(evidence, float), f"log_evidence_ must be a float; got {type(evidence).__name__}"
    assert math.isfinite(evidence), f"log_evidence_ must be finite; got {evidence}"


def _refuses_before_fit(estimator: Any, problem: Problem) -> None:
    from sklearn.base import clone

    fresh = clone(estimator)
    for method in ("predict", "predictive", *(["predict_proba"] if problem.classes else [])):
        _refused(f"{method}(X) before fit", NotFitted, partial(getattr(fresh, method), problem.X))


def _refuses_infinity(estimator: Any, problem: Problem) -> None:
    from sklearn.base import clone

    model = problem.fitted(estimator)
    X = problem.X.copy()
    X[5, 3] = np.inf
    for what, call in (
        ("fit to an infinity in column 3", lambda: clone(estimator).fit(X, problem.y)),
        ("predict with an infinity in column 3", lambda: model.predict(X)),
        ("predictive with an infinity in column 3", lambda: model.predictive(X)),
    ):
        _refused(what, ValueError, call, naming="3")


def _survives_cloning(estimator: Any, problem: Problem) -> None:
    from sklearn.base import clone

    settings = estimator.get_params()
    twin = clone(estimator)
    assert repr(twin.get_params()) == repr(settings), "a clone must have the settings of the original"
    twin.set_params(**settings)
    model = problem.fitted(estimator)
    assert repr(model.get_params()) == repr(settings), "fit must leave the settings alone"


def _changes_nothing(estimator: Any, problem: Problem) -> None:
    from sklearn.base import clone

    X, y = problem.X.copy(), problem.y.copy()
    model = clone(estimator).fit(X, y)
    model.predict(X)
    model.predictive(X)
    assert np.array_equal(X, problem.X), "fit, predict and predictive must not change X"
    assert np.array_equal(y, problem.y), "fit must not change y"


def _fits_twice_the_same(estimator: Any, problem: Problem) -> None:
    model = problem.fitted(estimator)
    once = _numbers(model.predictive(problem.X))
    model.fit(problem.X[:40] * 2 + 1, problem.y[:40])
    twice = _numbers(model.fit(problem.X, problem.y).predictive(problem.X))
    assert np.array_equal(once, twice), "fitting again to the same rows must give the same answers, bit for bit"


def _comes_back_from_a_file(estimator: Any, problem: Problem) -> None:
    model = problem.fitted(estimator)
    if not type(model).__module__.startswith("credo."):  # files hold Credo's own classes only
        return
    assert type(model).__name__ in CLASSES, f"{type(model).__name__} must be listed in credo.storage.classes"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.credo"
        save(model, path)
        again = load(path)
    once, twice = _numbers(model.predictive(problem.X)), _numbers(again.predictive(problem.X))
    assert np.array_equal(once, twice), "a model loaded from a file must answer as the one saved, bit for bit"
    assert vars(again).keys() == vars(model).keys(), (
        "a model loaded from a file must have every attribute of the one saved"
    )


def _knows_named_columns(estimator: Any, problem: Problem) -> None:
    from sklearn.base import clone

    try:
        import pandas as pd
    except ImportError:
        warnings.warn("not checked, because pandas is not installed: data frames", CredoWarning, stacklevel=3)
        return
    frame = pd.DataFrame(problem.X, columns=list(COLUMNS))
    model = clone(estimator).fit(frame, problem.y)
    assert list(model.feature_names_in_) == list(COLUMNS), "feature_names_in_ must hold the names of the columns"
    plain = problem.fitted(estimator)
    _same(
        "predictive of a data frame", _numbers(model.predictive(frame)), "array", _numbers(plain.predictive(problem.X))
    )
    for method in (model.predict, model.predictive):
        _refused("a missing column", ValueError, partial(method, frame.drop(columns="age")), naming="age")
    frame.loc[5, "income"] = np.inf
    _refused("an infinite income", ValueError, lambda: clone(estimator).fit(frame, problem.y), naming="income")


CHECKS: tuple[Callable[[Any, Problem], None], ...] = (
    _changes_nothing,
    _answers_with_beliefs,
    _answers_row_by_row,
    _has_finite_evidence,
    _refuses_before_fit,
    _refuses_infinity,
    _survives_cloning,
    _fits_twice_the_same,
    _comes_back_from_a_file,
    _knows_named_columns,
)


def _numbers(belief: beliefs.Belief) -> Floats:
    """A batch of beliefs as rows of numbers that tell two beliefs apart."""
    if isinstance(belief, beliefs.Categorical):
        return np.asarray(belief.probs)
    return np.column_stack([belief.mean, belief.sd])


def _same(first: str, a: Any, second: str, b: Any) -> None:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape, f"{first} must have the shape of {second}; got {a.shape} and {b.shape}"
    gap = float(np.abs(a - b).max(initial=0))
    assert np.allclose(a, b, rtol=1e-9, atol=1e-12), f"{first} must agree with {second}; they differ by up to {gap:g}"


def _refused(what: str, kind: type[Exception], call: Callable[[], object], *, naming: str = "") -> None:
    """``call`` is refused, and an error of ours names what is wrong; scikit-learn's own validation need not."""
    try:
        call()
    except kind as error:
        refusal = error
    except Exception as error:
        raise AssertionError(f"{what} must be refused with {kind.__name__}; got {error!r}") from error
    else:
        raise AssertionError(f"{what} must be refused with {kind.__name__}; it was accepted")
    assert naming in str(refusal) or not isinstance(refusal, CredoError), (
        f"{what} must be refused by name, with {naming!r} in the message; got {str(refusal)!r}"
    )
