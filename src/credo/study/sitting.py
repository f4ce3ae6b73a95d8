"""One fold of one candidate: learn from some rows, answer for others, and say how long it took."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from credo.errors import TooLarge
from credo.evaluation import Split, believe
from credo.evaluation.searching.history import why
from credo.study.answers import Answers
from credo.study.candidates import Candidate
from credo.study.question import Question
from credo.study.record import Status

__all__ = ["Sitting", "learn", "sit"]


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """What a candidate answered for the rows it had not seen, or why it could not."""

    answers: Answers | None = None
    remarks: tuple[str, ...] = ()  # what it warned of
    log_evidence: float | None = None  # nats a row it learnt from; None where it has none
    error: str | None = None
    status: Status = "finished"
    seconds: float = 0.0


def sit(candidate: Candidate, question: Question, split: Split) -> Sitting:
    """Learn from ``split.train`` and answer for ``split.test``, both rows of the question; an error becomes words."""
    from sklearn.pipeline import Pipeline

    candidate.make()  # so that what it imports, once for all, is no time of this fit
    start = time.perf_counter()
    try:
        model, remarks = learn(candidate, question, split.train)
        belief = believe(model, question.table.take(split.test))
        answers = question.task.read(belief, question.y[split.test])
        evidence = _evidence(model[-1] if isinstance(model, Pipeline) else model, len(split.train))
    except Exception as error:  # noqa: BLE001 (one family that breaks must not take the others with it)
        status: Status = "left out" if isinstance(error, TooLarge) else "failed"
        return Sitting(error=why(error), status=status, seconds=time.perf_counter() - start)
    return Sitting(answers, remarks, evidence, seconds=time.perf_counter() - start)


def learn(candidate: Candidate, question: Question, rows: NDArray[Any]) -> tuple[Any, tuple[str, ...]]:
    """The candidate fitted to some rows, and what it warned of."""
    model = candidate.make()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(question.table.take(rows), question.y[rows])
    return model, tuple(dict.fromkeys(str(warning.message) for warning in caught))


def _evidence(model: Any, rows: int) -> float | None:
    """The log evidence in nats a row, where the model has one."""
    found = vars(model).get("log_evidence_")
    return None if found is None or not math.isfinite(found) else float(found) / rows
