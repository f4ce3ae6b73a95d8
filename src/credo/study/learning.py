"""What more rows would be worth: the winner learns from an eighth, a quarter and half of what it has."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from credo.evaluation import Split, Verdict, correlated_t, fold_mean
from credo.study.candidates import Candidate
from credo.study.journal import Journal
from credo.study.record import Criterion, CurvePoint, LearningCurve, Run
from credo.study.trial import Trial
from credo.study.words import figure, plus_minus
from credo.study.work import Task, carry_out, worth_it

__all__ = ["learning_curve"]

PARTS = (8, 4, 2)  # the eighth of the rows, the quarter, half
FEWEST = 10  # rows below which nothing can be said
FOLDS = 5  # these suffice for a curve, and keep it cheap
KEPT = 2  # rows of each class that every part has
LAST_STEP = ("all rows", "half of them")


def learning_curve(run: Run, candidate: Candidate, trial: Trial, journal: Journal) -> tuple[LearningCurve, float]:
    """The curve of the candidate of ``run``, and the seconds it took: nested parts of the training rows of each fold.

    The parts are drawn at random with every class in them; whole groups where there are groups, and the latest rows
    where there is a time.
    """
    folds = trial.folds[:FOLDS]
    parts = [part for part in PARTS if min(len(fold.train) for fold in folds) // part >= FEWEST]
    tasks = [task for part in parts for task in _tasks(candidate, trial, folds, part)]
    seconds = 0.0
    waiting = (task for task in tasks if task.name not in journal.held)
    expected = run.seconds / len(trial.folds) * len(folds) * sum(1 / part for part in parts)
    plan = worth_it(trial.plan, expected)
    with closing(carry_out(_told(waiting, trial, len(tasks)), trial.question, plan, journal)) as finished:
        for _, sitting in finished:
            seconds += sitting.seconds / plan.jobs
    scores = {1: np.array(run.folds[: len(folds)])}
    for part in parts:
        held = [journal.held[task.name].answers for task in _tasks(candidate, trial, folds, part)]
        found = [float(one.criterion.mean()) if one is not None else math.nan for one in held]
        if np.isfinite(found).all():
            scores[part] = np.array(found)
    sizes = {part: round(float(np.mean([len(fold.train) for fold in folds])) / part) for part in scores}
    points = tuple(
        CurvePoint(sizes[part], fold_mean(scores[part], share=trial.share)) for part in sorted(scores, reverse=True)
    )
    gain = None
    if 2 in scores:
        better = trial.criterion.higher_is_better
        gain = correlated_t(scores[1], scores[2], share=trial.share, names=LAST_STEP, higher_is_better=better)
    return LearningCurve(run.name, points, gain, _worth(gain, points, trial.criterion)), seconds


def _told(tasks: Iterator[Task], trial: Trial, whole: int) -> Iterator[Task]:
    """The tasks, and word of each to whoever watches."""
    for done, task in enumerate(tasks):
        trial.plan.watch(f"{task.candidate.name}, learning from fewer rows", done, whole)
        yield task


def _tasks(candidate: Candidate, trial: Trial, folds: tuple[Split, ...], part: int) -> Iterator[Task]:
    for number, fold in enumerate(folds, start=1):
        split = trial.split(fold)
        order = _order(split.train, trial, number)
        kept = np.sort(order[: max(len(order) // part, 1)])
        yield Task(f"{candidate.name}/{number}/{part}", candidate, Split(kept, split.test))


def _order(rows: NDArray[np.intp], trial: Trial, number: int) -> NDArray[np.intp]:
    """The training rows in an order of which any beginning is a smaller table of the same kind."""
    question = trial.question
    rng = np.random.default_rng([trial.seed, 4, number])
    if question.times is not None:
        latest: NDArray[np.intp] = rows[np.argsort(question.times[rows], kind="stable")[::-1]]
        return latest
    if question.groups is not None:
        groups, which = np.unique(question.groups[rows], return_inverse=True)
        return rows[np.argsort(rng.permutation(len(groups))[which], kind="stable")]
    order = rng.permutation(rows)
    if question.kind == "regression":
        return order
    seen = _nth(question.y[order])
    return order[np.argsort(seen >= KEPT, kind="stable")]


def _nth(labels: NDArray[np.generic]) -> NDArray[np.intp]:
    """How often the label of each row stood before it.

    >>> _nth(np.array(["a", "b", "a", "a"])).tolist()
    [0, 0, 1, 2]
    """
    codes = np.unique(labels, return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], codes[order])
    found = np.empty(len(codes), dtype=np.intp)
    found[order] = np.arange(len(codes)) - starts
    return found


def _worth(gain: Verdict | None, points: tuple[CurvePoint, ...], criterion: Criterion) -> str:
    """What more rows would be worth, in a sentence."""
    if gain is None:
        return "There are too few rows to say what more of them would be worth."
    fewer, all_rows = points[-2].rows, points[-1].rows
    sign = 1 if criterion.higher_is_better else -1
    step, ends = gain.difference, f"from {fewer:,} to {all_rows:,}"
    far = (step.low > 0 or step.high < 0) and abs(step.value) > criterion.trifle
    if sign * step.value > 0 and far:
        change = f"changed its {criterion.name} by {plus_minus(step)} a row"
        return (
            f"More rows would help: learning from twice as many, {ends}, {change}, and another doubling may bring "
            f"up to {figure(abs(step.value))} again; such steps mostly grow smaller."
        )
    if far:
        return (
            f"More rows did not help: with twice as many, {ends}, its {criterion.name} became worse. Look at the rows."
        )
    if max(abs(step.low), abs(step.high)) <= 10 * criterion.trifle:
        return f"More rows of this kind are worth little: learning from twice as many, {ends}, changed next to nothing."
    return (
        f"What more rows are worth is open: learning from twice as many, {ends}, changed its {criterion.name} by "
        f"{plus_minus(step)} a row, no more than chance explains."
    )
