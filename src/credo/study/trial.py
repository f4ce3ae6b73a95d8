"""Candidates on the same folds of the same rows."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.errors import CredoError, NumericalFailure, TooLarge
from credo.evaluation import Split, compare, fold_mean
from credo.study.answers import Answers, ClassAnswers, join
from credo.study.candidates import Candidate, believe
from credo.study.question import Question
from credo.study.record import Criterion, Run
from credo.study.words import many

__all__ = ["Trial", "learn_again", "try_out"]


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The conditions that are the same for all: the question, the rows to learn from, their folds, what counts."""

    question: Question
    rows: NDArray[np.intp]
    folds: tuple[Split, ...]
    criterion: Criterion
    seed: int
    watch: Callable[[str, int, int], None]

    @property
    def share(self) -> float:
        """Rows judged for each row learnt from, within a fold."""
        return float(np.mean([len(fold.test) / len(fold.train) for fold in self.folds]))


def try_out(candidates: Sequence[Candidate], trial: Trial) -> Iterator[Run]:
    """Every candidate in turn. One that fails is reported with its reason, and the others go on."""
    guess: Run | None = None
    for place, candidate in enumerate(candidates):
        try:
            run = _cross_validated(candidate, trial, guess, (place, len(candidates)))
        except Exception as error:  # noqa: BLE001 (one family that breaks must not take the others with it)
            why = str(error) if isinstance(error, CredoError) else f"{type(error).__name__}: {error}"
            left_out = isinstance(error, TooLarge)
            run = Run(candidate.name, candidate.baseline, error=why, status="left out" if left_out else "failed")
        if run.baseline and run.error is None:
            guess = run
        yield run


def learn_again(run: Run, candidates: Sequence[Candidate], trial: Trial) -> Any:
    """The candidate of ``run``, learnt from every development row."""
    candidate = next(candidate for candidate in candidates if candidate.name == run.name)
    return _learn(candidate, trial, trial.rows)[0]


def _learn(candidate: Candidate, trial: Trial, rows: NDArray[np.intp]) -> tuple[Any, list[str]]:
    """The candidate fitted to some rows, and what it warned of."""
    model = candidate.make()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(trial.question.table.take(rows), trial.question.y[rows])
    return model, [str(warning.message) for warning in caught]


def _check_size(candidate: Candidate, trial: Trial) -> None:
    """Leaves a candidate out that would take too long."""
    if candidate.most is None:
        return
    table = trial.question.table
    rows = len(trial.rows)
    columns = sum(len(table.states(name)) if table.kind(name).has_states else 1 for name in table.columns)
    if rows > candidate.most[0] or columns > candidate.most[1]:
        raise TooLarge(
            f"it would take too long, and is left out where more than {candidate.most[0]:,} rows or "
            f"{candidate.most[1]:,} columns are learnt from; here it is {rows:,} and {columns:,}"
        )


def _cross_validated(candidate: Candidate, trial: Trial, baseline: Run | None, turn: tuple[int, int]) -> Run:
    """Learn without a fold and judge on it, for every fold; then everything that is said of the candidate."""
    _check_size(candidate, trial)
    question, k = trial.question, len(trial.folds)
    remarks: list[str] = []
    parts: list[Answers] = []
    evidence: list[float | None] = []
    seconds = 0.0
    for number, fold in enumerate(trial.folds):
        trial.watch(f"{candidate.name}, fold {number + 1} of {k}", turn[0] * k + number, turn[1] * k)
        start = time.perf_counter()
        model, said = _learn(candidate, trial, trial.rows[fold.train])
        remarks += said
        test = trial.rows[fold.test]
        parts.append(question.task.read(believe(model, question.table.take(test)), question.y[test]))
        evidence.append(_evidence(model, len(fold.train)))
        seconds += time.perf_counter() - start
    impossible = sum(int((~np.isfinite(part.criterion)).sum()) for part in parts)
    if impossible:
        raise NumericalFailure(f"it gave probability zero to what was observed in {many(impossible, 'row')}")
    known = [found for found in evidence if found is not None]
    folds = tuple(float(part.criterion.mean()) for part in parts)
    right = tuple(float(part.right.mean()) for part in parts if isinstance(part, ClassAnswers))
    return Run(
        name=candidate.name,
        baseline=candidate.baseline,
        remarks=tuple(dict.fromkeys(remarks)),
        folds=folds,
        mean=fold_mean(folds, share=trial.share),
        scores=join(parts).scores(np.random.default_rng([trial.seed, 2])),
        gain=compare(folds, baseline.folds, share=trial.share) if baseline else None,
        right=right,
        right_gain=compare(right, baseline.right, share=trial.share) if baseline and right else None,
        log_evidence=float(np.mean(known)) if len(known) == k else None,
        seconds=seconds,
    )


def _evidence(model: Any, rows: int) -> float | None:
    """The log evidence in nats a row, where the model has one."""
    from sklearn.pipeline import Pipeline

    found = vars(model[-1] if isinstance(model, Pipeline) else model).get("log_evidence_")
    return None if found is None or not math.isfinite(found) else float(found) / rows
