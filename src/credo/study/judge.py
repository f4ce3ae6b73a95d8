"""The one look at the hold-out rows: how good the chosen model is, and what acting on it would cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.decisions import Loss
from credo.evaluation import GoldenRule, confusion, mean, reliability, wilson
from credo.study.answers import Answers, ClassAnswers, NumberAnswers
from credo.study.candidates import believe
from credo.study.record import Actions, Fit, Judgement
from credo.study.trial import Trial

__all__ = ["judge"]

DRAWN = 300


def judge(trial: Trial, guard: GoldenRule, *, winner: Any, baseline: Any) -> Judgement:
    """Every score of the ``winner`` on rows nothing had seen, beside the ``baseline``'s (None: that is the winner)."""
    question = trial.question
    rows = guard.look(f"{type(winner).__name__} is judged")
    table, y = question.table.take(rows), question.y[rows]
    won = question.task.read(believe(winner, table), y)
    guess = question.task.read(believe(baseline, table), y) if baseline is not None else None
    sign = 1 if trial.criterion.higher_is_better else -1
    held = {
        "rows": len(rows),
        "scores": _scores(won, trial),
        "baseline": _scores(guess, trial) if guess else (),
        "gain": mean(sign * (won.criterion - guess.criterion)) if guess else None,
    }
    if isinstance(won, NumberAnswers):
        return Judgement(**held, fit=Fit(*(part[_few(part)] for part in (won.truth, won.mean, won.low, won.high))))
    assert isinstance(won, ClassAnswers)  # noqa: S101 (there are two tasks)
    names = np.array(won.task.names, dtype=object)
    two = len(names) == 2
    said = won.probabilities[:, 1] if two else won.probabilities.max(axis=1)
    return Judgement(
        **held,
        confusion=confusion(names[won.truth], names[won.answers], won.task.names),
        calibration=reliability(said, won.truth == 1 if two else won.right),
        calibration_of=names[1] if two else "the most probable class",
        actions=_actions(won, won.task.loss, question.y[trial.rows]) if won.task.loss else None,
    )


def _few(rows: Floats) -> NDArray[np.intp]:
    """Evenly spaced rows, no more than a picture can show."""
    return np.unique(np.linspace(0, len(rows) - 1, min(len(rows), DRAWN)).astype(np.intp))


def _scores(answers: Answers, trial: Trial) -> Any:
    return answers.scores(np.random.default_rng([trial.seed, 3]))


def _actions(answers: ClassAnswers, loss: Loss, learnt_from: NDArray[Any]) -> Actions:
    """What would be done, what it would cost, and what the best single action would have cost instead."""
    states = answers.task.states
    frequencies = np.array([(learnt_from == state).mean() for state in states])
    constant = int((loss.matrix @ frequencies).argmin())
    always = loss.matrix[constant, answers.truth]
    taken = answers.actions
    refusals = [row for row, costs in enumerate(loss.matrix) if np.ptp(costs) == 0]
    refused = np.isin(taken, refusals)
    right = answers.right[~refused]
    two = len(states) == 2
    said = answers.probabilities[:, -1]
    return Actions(
        state=answers.task.names[1] if two else "",
        states=answers.task.names,
        names=tuple(map(str, loss.actions)),
        losses=loss.matrix,
        counts=tuple(np.bincount(taken, minlength=len(loss.actions)).tolist()),
        loss=answers.task.mean_loss(answers.losses),
        constant=str(loss.actions[constant]),
        constant_loss=answers.task.mean_loss(always),
        saving=mean(always - answers.losses),
        ranges=loss.regions() if two else (),
        refusals=tuple(str(loss.actions[row]) for row in refusals),
        unrefused=wilson(int(right.sum()), len(right)) if refused.any() and len(right) else None,
        probabilities=said[_few(said)] if two else np.empty(0),
    )
