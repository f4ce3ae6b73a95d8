"""Candidates on the same folds of the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credo.evaluation import Split, correlated_t, fold_mean
from credo.study.answers import ClassAnswers, join
from credo.study.candidates import Candidate
from credo.study.journal import Journal
from credo.study.plan import PLAIN, Plan
from credo.study.question import Question
from credo.study.record import Criterion, Run, Status
from credo.study.sitting import Sitting
from credo.study.words import figure, many
from credo.study.work import Task, carry_out, worth_it

__all__ = ["Contest", "Trial"]


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The conditions that are the same for all: the question, the rows to learn from, their folds, what counts."""

    question: Question
    rows: NDArray[np.intp]
    folds: tuple[Split, ...]
    criterion: Criterion
    seed: int
    plan: Plan = PLAIN
    once: int | None = None  # how many folds judge every row once; None for all of them

    @property
    def share(self) -> float:
        """Rows judged for each row learnt from, within a fold."""
        return float(np.mean([len(fold.test) / len(fold.train) for fold in self.folds]))

    def split(self, fold: Split) -> Split:
        """A fold, which counts among the development rows, as rows of the question."""
        return Split(self.rows[fold.train], self.rows[fold.test])

    @property
    def columns(self) -> int:
        """How many columns there are to learn from; a category counts once for each state."""
        table = self.question.table
        return sum(len(table.states(name)) if table.kind(name).has_states else 1 for name in table.columns)


class Contest:
    """Every candidate on every fold, a round of all candidates at a time, so that they can be compared at any point.

    One that fails, is too large for its rows, or would take more than the budget, is reported with its reason, and the
    others go on. The first round is worked here; what it took says whether other processes are worth it for the rest.
    ``runs`` is what is to be said of each; ``seconds`` is what fits and predictions took here and now.
    """

    def __init__(self, candidates: Sequence[Candidate], trial: Trial, journal: Journal) -> None:
        self._candidates, self._trial, self._journal = tuple(candidates), trial, journal
        self._out: dict[str, tuple[Status, str]] = {}
        self.seconds = 0.0
        for candidate in candidates:
            words = _too_large(candidate, trial)
            if words:
                self._out[candidate.name] = ("left out", words)

    def hold(self) -> tuple[Run, ...]:
        """Carry out what the journal does not have yet."""
        trial = self._trial
        self._work(worth_it(trial.plan, 0.0), trial.folds[:1])
        left = sum(self._cost(candidate.name) for candidate in self._candidates if candidate.name not in self._out)
        self._work(worth_it(trial.plan, left), trial.folds)
        return self.runs()

    def _work(self, plan: Plan, folds: Sequence[Split]) -> None:
        """Carry out these folds as ``plan`` says."""
        trial, whole = self._trial, len(self._candidates) * len(self._trial.folds)
        with closing(carry_out(self._tasks(plan, folds), trial.question, plan, self._journal)) as finished:
            for task, sitting in finished:
                self.seconds += sitting.seconds / plan.jobs
                if plan.parallel:
                    done = min(len(self._journal.held), whole)
                    plan.watch(f"{task.name.replace('/', ', fold ')} of {len(trial.folds)}", done, whole)

    def _tasks(self, plan: Plan, folds: Sequence[Split]) -> Iterator[Task]:
        """What is still to be done, round by round."""
        trial, k = self._trial, len(self._trial.folds)
        whole = k * len(self._candidates)
        for number, fold in enumerate(folds):
            split = trial.split(fold)
            for place, candidate in enumerate(self._candidates):
                name = f"{candidate.name}/{number + 1}"
                if name in self._journal.held or self._stops(candidate):
                    continue
                if not plan.parallel:
                    what = f"{candidate.name}, fold {number + 1} of {k}"
                    plan.watch(what, number * len(self._candidates) + place, whole)
                yield Task(name, candidate, split)

    def _stops(self, candidate: Candidate) -> bool:
        """Whether a candidate is to go on no more."""
        name = candidate.name
        if name not in self._out and any(sitting.error is not None for sitting in self._sittings(name)):
            return True
        if name not in self._out and not candidate.baseline:
            self._check_budget()
        return name in self._out

    def _check_budget(self) -> None:
        """As long as what is expected is more than the budget, the candidate that takes longest is stopped."""
        budget, k = self._trial.plan.seconds, len(self._trial.folds)
        if budget == float("inf"):
            return
        names = [candidate.name for candidate in self._candidates if candidate.name not in self._out]
        cost = {name: self._cost(name) for name in names}
        spent = sum(sitting.seconds for name in self._out for sitting in self._sittings(name))
        guess = next(candidate.name for candidate in self._candidates if candidate.baseline)
        left = {name: seconds for name, seconds in cost.items() if name != guess}
        while left and self._lasts(spent + sum(cost.values())) > budget:
            slowest = max(left, key=lambda name: left[name])
            folds = len(self._sittings(slowest))
            if not folds:
                return
            so_far = sum(sitting.seconds for sitting in self._sittings(slowest))
            spent += so_far
            whole = self._lasts(left.pop(slowest))
            words = (
                f"a fold of it takes {figure(so_far / folds)} seconds, and {k} folds would take {figure(whole)}: "
                f"more than is left to it of the budget of {figure(budget)} seconds"
            )
            self._out[slowest] = ("out of time", words)
            del cost[slowest]

    def _cost(self, name: str) -> float:
        """Seconds that a candidate will have worked, by the folds it has finished; learning once more is a fold too."""
        held = [sitting.seconds for sitting in self._sittings(name)]
        return (len(self._trial.folds) + 1) * sum(held) / len(held) if held else 0.0

    def _lasts(self, seconds: float) -> float:
        """How long so many seconds of work take: less where several folds go on at a time, if that is worth it."""
        return seconds / worth_it(self._trial.plan, seconds).jobs

    def _sittings(self, name: str) -> list[Sitting]:
        """The folds a candidate has finished, in order."""
        numbers = range(1, len(self._trial.folds) + 1)
        held = self._journal.held
        return [held[f"{name}/{i}"] for i in numbers if f"{name}/{i}" in held]

    def runs(self) -> tuple[Run, ...]:
        """What is to be said of each candidate; a fold that is missing leaves its candidate out."""
        found: list[Run] = []
        guess: Run | None = None
        for candidate in self._candidates:
            run = self._run(candidate, guess)
            if run.baseline and run.error is None:
                guess = run
            found.append(run)
        return tuple(found)

    def so_far(self) -> str:
        """How far the candidates have come, for someone who stops them."""
        folds = len(self._trial.folds)
        parts = []
        for candidate in self._candidates:
            held = [sitting.answers for sitting in self._sittings(candidate.name) if sitting.answers is not None]
            if held:
                score = float(np.mean([answers.criterion.mean() for answers in held]))
                parts.append(f"{candidate.name} {figure(score)} over {len(held)} of {many(folds, 'fold')}")
        return f"{self._trial.criterion.name} so far: {'; '.join(parts)}" if parts else "no fold is finished"

    def _run(self, candidate: Candidate, baseline: Run | None) -> Run:
        trial, held = self._trial, self._sittings(candidate.name)
        status: Status
        error: str | None
        status, error = self._out.get(candidate.name, ("finished", None))
        failed = next((place for place, sitting in enumerate(held) if sitting.error is not None), None)
        if error is None and failed is not None:
            held = held[: failed + 1]  # whatever went on at the same time
            status, error = held[-1].status, held[-1].error
        seconds = sum(sitting.seconds for sitting in held)
        remarks = tuple(dict.fromkeys(words for sitting in held for words in sitting.remarks))
        parts = [sitting.answers for sitting in held if sitting.answers is not None]
        impossible = sum(int((~np.isfinite(part.criterion)).sum()) for part in parts)
        if error is None and impossible:
            status, error = "failed", f"it gave probability zero to what was observed in {many(impossible, 'row')}"
        if error is not None:
            return Run(candidate.name, candidate.baseline, error=error, status=status, remarks=remarks, seconds=seconds)
        folds = tuple(float(part.criterion.mean()) for part in parts)
        right = tuple(float(part.right.mean()) for part in parts if isinstance(part, ClassAnswers))
        known = [sitting.log_evidence for sitting in held if sitting.log_evidence is not None]
        return Run(
            name=candidate.name,
            baseline=candidate.baseline,
            remarks=remarks,
            folds=folds,
            mean=fold_mean(folds, share=trial.share),
            scores=join(parts[: trial.once]).scores(np.random.default_rng([trial.seed, 2])),
            gain=correlated_t(
                folds,
                baseline.folds,
                share=trial.share,
                names=(candidate.name, baseline.name),
                higher_is_better=trial.criterion.higher_is_better,
            )
            if baseline
            else None,
            right=right,
            right_gain=correlated_t(right, baseline.right, share=trial.share, names=(candidate.name, baseline.name))
            if baseline and right
            else None,
            log_evidence=float(np.mean(known)) if len(known) == len(parts) else None,
            seconds=seconds,
        )


def _too_large(candidate: Candidate, trial: Trial) -> str | None:
    """Why a candidate is left out that would take too long; None if it would not."""
    rows, columns = len(trial.rows), trial.columns
    if candidate.most is None or (rows <= candidate.most[0] and columns <= candidate.most[1]):
        return None
    return (
        f"it would take too long, and is left out where more than {candidate.most[0]:,} rows or "
        f"{candidate.most[1]:,} columns are learnt from; here it is {rows:,} and {columns:,}"
    )
