"""Settings of an estimator judged within its training rows: over folds, or by the evidence."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.errors import InvalidInput
from credo.evaluation.believing import Worth
from credo.evaluation.searching.history import Tried, why
from credo.evaluation.searching.space import Settings
from credo.evaluation.splits import Split, set_aside
from credo.evaluation.validation import judged

__all__ = ["EVIDENCE", "Evidence", "Folds", "evidence_of"]

EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """Judges by what beliefs about the test rows of each split are worth, the higher the better (errors are negated).

    A row of a class of which no row of its split taught is left out: it tells no candidates apart. ``worths`` keeps
    what each candidate's beliefs were worth, in the order in which they were judged.
    """

    model: Any
    X: Any
    y: NDArray[Any]
    splits: Sequence[Split]
    worth: Worth
    classes: bool
    n_jobs: int | None
    worths: list[Floats] = field(default_factory=list)

    def __call__(self, settings: Sequence[Settings], share: float) -> list[Tried]:
        """Every candidate on every split, whose training rows are cut down to a ``share``."""
        from joblib import Parallel, delayed

        dealt = [self._cut(split, share) for split in self.splits]
        dealt = [split for split in dealt if len(split.test)]
        if not dealt:
            raise InvalidInput("y must have a class that several rows share; no class of a row left out is ever taught")
        # (a plain function of plain arguments, so that arrays reach other processes in shared memory)
        work = [
            delayed(_on_split)(self.model, one, self.X, self.y, split, self.worth)
            for one in settings
            for split in dealt
        ]
        found = Parallel(n_jobs=self.n_jobs, prefer="threads")(work)
        return [self._tried(one, found[i * len(dealt) : (i + 1) * len(dealt)], share) for i, one in enumerate(settings)]

    def _cut(self, split: Split, share: float) -> Split:
        train, test = split
        if share < 1:
            labels = self.y[train] if self.classes else None
            train = train[set_aside(len(train), share, rng=0, labels=labels).test]
        return Split(train, test[np.isin(self.y[test], self.y[train])] if self.classes else test)

    def _tried(self, settings: Settings, parts: Sequence[tuple[Floats, float, str | None]], share: float) -> Tried:
        sign = 1 if self.worth.higher_is_better else -1
        folds = tuple(sign * float(rows.mean()) for rows, _, _ in parts)
        self.worths.append(np.concatenate([rows for rows, _, _ in parts]))
        error = next((error for _, _, error in parts if error), None)
        score = math.nan if error else float(np.mean(folds))
        return Tried(dict(settings), score, sum(seconds for _, seconds, _ in parts), share, folds, error)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Judges by ``log_evidence_`` of one fit to all rows."""

    model: Any
    X: Any
    y: NDArray[Any]
    n_jobs: int | None

    def __call__(self, settings: Sequence[Settings], share: float) -> list[Tried]:
        """Every candidate, fitted once."""
        from joblib import Parallel, delayed

        work = (delayed(self._one)(one, share) for one in settings)
        found: list[Tried] = Parallel(n_jobs=self.n_jobs, prefer="threads")(work)
        return found

    def _one(self, settings: Settings, share: float) -> Tried:
        start = time.perf_counter()
        try:
            score, error = evidence_of(_with(self.model, settings).fit(self.X, self.y)), None
        except Exception as failure:  # noqa: BLE001 (as above)
            score, error = math.nan, why(failure)
        return Tried(dict(settings), score, time.perf_counter() - start, share, error=error)


def evidence_of(model: Any) -> float:
    """The log evidence of a fitted model; of a pipeline, that of its last step.

    >>> from credo.linear import BayesianRegression
    >>> round(evidence_of(BayesianRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 1.5])), 2)
    -1.86
    """
    from sklearn.pipeline import Pipeline

    last = model[-1] if isinstance(model, Pipeline) else model
    found = vars(last).get("log_evidence_")
    if found is None or not math.isfinite(found):
        raise InvalidInput(f"{type(last).__name__} has no finite log_evidence_. Take by='log', which judges over folds")
    return float(found)


def _on_split(
    model: Any, settings: Settings, X: Any, y: NDArray[Any], split: Split, worth: Worth
) -> tuple[Floats, float, str | None]:
    """What the beliefs about the test rows are worth, the time that took, and why it failed if it did."""
    start = time.perf_counter()
    try:
        rows = judged(_with(model, settings), X, y, split.train, split.test, worth)
        error = None if np.isfinite(rows).all() else f"{worth.name} is not finite for some rows"
    except Exception as failure:  # noqa: BLE001 (settings that break a model must not end the search)
        rows, error = np.full(len(split.test), math.nan), why(failure)
    return rows, time.perf_counter() - start, error


def _with(model: Any, settings: Settings) -> Any:
    from sklearn.base import clone

    return clone(model).set_params(**settings)
