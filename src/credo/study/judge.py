"""The one look at the hold-out rows: how good the chosen model is, and what acting on it would cost."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.decisions import Loss
from credo.evaluation import (
    Confusion,
    GoldenRule,
    believe,
    brier_parts,
    confusion,
    coverage_by_level,
    mean,
    pit,
    precision_recall_curve,
    reliability,
    risk_coverage,
    roc_curve,
    wilson,
)
from credo.evaluation.measures import MEASURES
from credo.study.answers import Answers, ClassAnswers, NumberAnswers
from credo.study.record import Actions, ClassFacts, Decided, Fit, Judgement, Measured
from credo.study.trial import Trial

__all__ = ["judge"]

DRAWN = 300
SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)  # of the rows, if the least sure ones are left undecided
OF_TWO = (
    "prevalence",
    "recall",
    "specificity",
    "precision",
    "npv",
    "f1",
    "balanced accuracy",
    "informedness",
    "mcc",
    "kappa",
    "lr+",
    "lr-",
)

Curve = TypeVar("Curve")


def judge(trial: Trial, guard: GoldenRule, *, winner: Any, baseline: Any) -> Judgement:
    """Every score of the ``winner`` on rows nothing had seen, beside the ``baseline``'s (None: that is the winner)."""
    question = trial.question
    rows = guard.look(f"{type(winner).__name__} is judged")
    table, y = question.table.take(rows), question.y[rows]
    belief = believe(winner, table)
    won = question.task.read(belief, y)
    guess = question.task.read(believe(baseline, table), y) if baseline is not None else None
    sign = 1 if trial.criterion.higher_is_better else -1
    held = {
        "rows": len(rows),
        "looks": guard.looks,
        "scores": _scores(won, trial),
        "baseline": _scores(guess, trial) if guess else (),
        "gain": mean(sign * (won.criterion - guess.criterion)) if guess else None,
    }
    if isinstance(won, NumberAnswers):
        return Judgement(
            **held,
            fit=Fit(*(part[_few(part)] for part in (won.truth, won.mean, won.low, won.high))),
            pit=_thinned(pit(belief, won.truth, rng=np.random.default_rng([trial.seed, 4]))),
            coverage=coverage_by_level(belief, won.truth),
        )
    assert isinstance(won, ClassAnswers)  # noqa: S101 (there are two tasks)
    return Judgement(**held, **_of_classes(won, question.y[trial.rows]))


def _of_classes(won: ClassAnswers, learnt_from: NDArray[Any]) -> dict[str, Any]:
    """What is said of classes alone."""
    names = np.array(won.task.names, dtype=object)
    two = len(names) == 2
    said = won.probabilities[:, 1] if two else won.probabilities.max(axis=1)
    table = confusion(names[won.truth], names[won.answers], won.task.names)
    came = won.truth == 1 if two else won.right
    held = {
        "confusion": table,
        "classes": _classes(table),
        "measures": _measures(table),
        "calibration": reliability(said, came),
        "brier": brier_parts(said, came),
        "calibration_of": names[1] if two else "the most probable class",
        "actions": _actions(won, won.task.loss, learnt_from) if won.task.loss else None,
        "refusal": _thinned(risk_coverage(won.probabilities.max(axis=1), ~won.right)),
        "decided": _decided(won),
    }
    if two:
        held["roc"] = _thinned(roc_curve(said, won.truth == 1))
        held["precision_recall"] = _thinned(precision_recall_curve(said, won.truth == 1))
    return held


def _classes(table: Confusion) -> tuple[ClassFacts, ...]:
    truth, answered = table.counts.sum(axis=1).tolist(), table.counts.sum(axis=0).tolist()
    return tuple(
        ClassFacts(state, truth[i], answered[i], *map(table.of(state).measure, ("recall", "precision", "f1")))
        for i, state in enumerate(table.states)
    )


def _measures(table: Confusion) -> tuple[Measured, ...]:
    """What sums the table up: of the second of two classes, or of all."""
    if len(table.states) == 2:
        one = table.of(table.states[1])
        return tuple(Measured(name, MEASURES[name].also, one.measure(name)) for name in OF_TWO)
    return (
        Measured("balanced accuracy", ("macro recall",), table.balanced_accuracy),
        Measured("macro F1", (), table.average("f1")),
        Measured("mcc", MEASURES["mcc"].also, table.mcc),
        Measured("kappa", MEASURES["kappa"].also, table.kappa()),
    )


def _decided(won: ClassAnswers) -> tuple[Decided, ...]:
    """What is wrong among the rows decided most surely. Rows that are equally sure are decided together."""
    sure = won.probabilities.max(axis=1)
    steps: dict[int, Decided] = {}
    for share in SHARES:
        least = np.partition(sure, -max(round(share * len(sure)), 1))[-max(round(share * len(sure)), 1)]
        kept = sure >= least
        n = int(kept.sum())
        steps[n] = Decided(n / len(sure), n, float(least), wilson(int((~won.right[kept]).sum()), n))
    return tuple(steps.values())


def _few(rows: Floats) -> NDArray[np.intp]:
    """Evenly spaced rows, no more than a picture can show."""
    return np.unique(np.linspace(0, len(rows) - 1, min(len(rows), DRAWN)).astype(np.intp))


def _thinned(curve: Curve) -> Curve:
    """A curve at a few of its points, the first and the last among them."""
    fields = {field.name: getattr(curve, field.name) for field in dataclasses.fields(curve)}  # type: ignore[arg-type]
    long = {
        name: held[_few(held)] for name, held in fields.items() if isinstance(held, np.ndarray) and len(held) > DRAWN
    }
    return dataclasses.replace(curve, **long)  # type: ignore[type-var]


def _scores(answers: Answers, trial: Trial) -> Any:
    return answers.scores(np.random.default_rng([trial.seed, 3]))


def _actions(answers: ClassAnswers, loss: Loss, learnt_from: NDArray[Any]) -> Actions:
    """What would be done, what it would cost, and what the best single action would have cost instead."""
    constant = int((loss.matrix @ answers.task.shares(learnt_from)).argmin())
    always = loss.matrix[constant, answers.truth]
    taken = answers.actions
    refusals = [row for row, costs in enumerate(loss.matrix) if np.ptp(costs) == 0]
    refused = np.isin(taken, refusals)
    right = answers.right[~refused]
    two = len(answers.task.states) == 2
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
