"""What a study found: plain frozen records, and the dictionary that ``study.json`` holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from credo.checks import Floats, plain_json
from credo.decisions import Region
from credo.evaluation import (
    BrierParts,
    Confusion,
    Coverage,
    Interval,
    Pit,
    PrecisionRecallCurve,
    Reliability,
    RiskCoverage,
    RocCurve,
    Verdict,
)

__all__ = [
    "Actions",
    "ClassFacts",
    "ColumnFacts",
    "Concern",
    "Criterion",
    "CurvePoint",
    "DataFacts",
    "Decided",
    "Fit",
    "Judgement",
    "LearningCurve",
    "Measured",
    "Run",
    "Score",
    "Study",
    "Timing",
]

FEW_ROWS = 40
Task = Literal["classification", "regression"]
Status = Literal["finished", "failed", "left out", "out of time"]


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column of the table: how it is read and why, and what became of it."""

    name: str
    kind: str
    reason: str
    missing: int
    role: str  # "target", "used", or why it was set aside


@dataclass(frozen=True, slots=True)
class Concern:
    """Something about the data that a careful reader must know before any result: what, where, and what to do.

    ``kind`` is a word for programs: "few rows", "duplicates", "leak", "identifier", "groups", "order",
    "time", "imbalance", "rare classes", "outliers", "missing". A ``serious`` one makes the results
    doubtful until it is settled.
    """

    kind: str
    columns: tuple[str, ...]
    words: str
    remedy: str
    serious: bool


@dataclass(frozen=True, slots=True)
class DataFacts:
    """The table as it came, and what was noticed about it."""

    source: str
    rows: int
    development: int
    holdout: int
    duplicates: int
    columns: tuple[ColumnFacts, ...]
    notes: tuple[str, ...]  # what was done to the table while it was read
    concerns: tuple[Concern, ...] = ()  # what limits the conclusions

    @property
    def few(self) -> bool:
        """Whether the rows are too few to conclude anything, whatever the numbers look like."""
        return self.development < FEW_ROWS

    @property
    def used(self) -> int:
        """How many columns the candidates saw."""
        return sum(column.role == "used" for column in self.columns)


@dataclass(frozen=True, slots=True)
class Score:
    """A measured number with its interval, the method that made the interval, and which way is better."""

    name: str
    interval: Interval
    better: Literal["higher", "lower", "near"]


@dataclass(frozen=True, slots=True)
class Criterion:
    """The score that chooses: its name, and whether more of it is better.

    A gain over the guess of at most a ``trifle`` is none. Two candidates that differ by at most ``rope`` are equivalent
    in practice: the *region of practical equivalence*, and ``rope_is`` says what that amounts to.
    """

    name: str
    higher_is_better: bool
    reason: str
    trifle: float = 0.0
    rope: float = 0.0
    rope_is: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One candidate in cross-validation. ``error`` says why it gave no answer; the rest is then empty."""

    name: str
    baseline: bool
    remarks: tuple[str, ...] = ()  # what the candidate warned of
    error: str | None = None
    folds: tuple[float, ...] = ()
    mean: Interval | None = None
    scores: tuple[Score, ...] = ()
    gain: Verdict | None = None  # over the baseline; None for the baseline itself
    right: tuple[float, ...] = ()  # classes only: the share of right answers in each fold
    right_gain: Verdict | None = None  # and the same over the baseline
    status: Status = "finished"
    log_evidence: float | None = None  # nats a row: the mean over folds, each learnt from its rows; None where unknown
    seconds: float = 0.0  # of all its fits and predictions in cross-validation

    @property
    def value(self) -> float:
        """The mean of the criterion over the folds; NaN for a candidate that failed."""
        return self.mean.value if self.mean else math.nan

    def beats(self, criterion: Criterion) -> bool:
        """Whether it is better than the baseline by more than chance explains, and by more than a trifle."""
        if self.gain is None or abs(self.gain.difference.value) <= criterion.trifle:
            return False
        return self.gain.difference.low > 0 if criterion.higher_is_better else self.gain.difference.high < 0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """How many rows were learnt from, in the mean over folds, and the criterion on the rows left out."""

    rows: int
    score: Interval


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """The winner learning from more and more of the same rows; ``gain`` is the last step, paired by fold.

    ``words`` say in a sentence what more rows would be worth.
    """

    name: str
    points: tuple[CurvePoint, ...]
    gain: Verdict | None
    words: str


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the time went: seconds from the table to the verdict, and the part of them spent in fits.

    Of fits and predictions that went on at the same time, ``jobs`` at most, each counts as its part of that time.
    ``loading`` is what it took until the code of the candidates was there, which the second study of a process does
    not pay again; it is part of ``wall``.
    """

    wall: float = 0.0
    fits: float = 0.0
    jobs: int = 1
    loading: float = 0.0

    @property
    def overhead(self) -> float:
        """What the study takes beyond the fits and loading, as a share of the fits."""
        return max((self.wall - self.loading) / self.fits - 1, 0.0) if self.fits > 0 else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Regression on the hold-out: what was measured, what was predicted, and the ends of the 90 % interval.

    Of many rows a few hundred, evenly spaced, are kept.
    """

    truth: Floats
    predicted: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Actions:
    """Acting on the hold-out by least expected loss."""

    state: str  # the state whose probability the ranges are about, with two states
    states: tuple[str, ...]
    names: tuple[str, ...]
    losses: Floats  # actions × states
    counts: tuple[int, ...]
    loss: Interval
    constant: str  # the one action that was cheapest on the development rows
    constant_loss: Interval
    saving: Interval  # constant − chosen, paired by row
    ranges: tuple[Region, ...]
    refusals: tuple[str, ...]  # actions that cost the same whatever the state
    unrefused: Interval | None  # how often the most probable class was right where nothing was refused
    probabilities: Floats  # of ``state``, in a few hundred rows at most; empty for more than two states


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """One class among the hold-out rows: how many there are, how many were answered, and how often rightly."""

    name: str
    rows: int
    answered: int
    recall: Interval  # of the rows of this class, those recognised; NaN, with the reason, without such rows
    precision: Interval  # of the answers with this class, those that were right
    f1: Interval


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of the confusion table and all its names; where it does not exist, the interval says why."""

    name: str
    also: tuple[str, ...]
    interval: Interval


@dataclass(frozen=True, slots=True)
class Decided:
    """What is decided wrongly if the least sure rows are left undecided: ``share`` of the rows are decided.

    ``confidence`` is the probability of the most probable class in the last row decided.
    """

    share: float
    rows: int
    confidence: float
    wrong: Interval


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The one look at the hold-out rows. Curves of many points are kept at a few hundred of them."""

    rows: int
    scores: tuple[Score, ...]
    baseline: tuple[Score, ...]
    gain: Interval | None  # of the criterion over the baseline, paired by row; None when the baseline won
    confusion: Confusion | None = None
    calibration: Reliability | None = None
    calibration_of: str = ""
    brier: BrierParts | None = None  # of the same event, in parts
    fit: Fit | None = None
    actions: Actions | None = None
    classes: tuple[ClassFacts, ...] = ()
    measures: tuple[Measured, ...] = ()  # of the confusion table: of two classes, for ``calibration_of``
    roc: RocCurve | None = None  # two classes only: of ``calibration_of``
    precision_recall: PrecisionRecallCurve | None = None
    refusal: RiskCoverage | None = None  # classes: errors by the share of rows decided
    decided: tuple[Decided, ...] = ()
    pit: Pit | None = None  # numbers only
    coverage: Coverage | None = None
    looks: tuple[str, ...] = ()  # what the hold-out was looked at for; more than one look is a choice made by it


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Study:
    """A finished study: what was compared, what won, how good it is, and how surely.

    ``winner`` is the fitted model, ready to predict; ``verdict`` says in a sentence what came out; ``report()`` is a
    web page and ``to_dict()`` the same content for programs.

    >>> from credo.study import run_study
    >>> sizes = [float(i) for i in range(60)]
    >>> found = run_study({"size": sizes, "kind": ["small" if s < 30 else "large" for s in sizes]}, "kind", folds=5)
    >>> found
    Study of 'kind' (classification; 48 rows to learn from, 12 to judge)
      logistic regression beats “always the class frequencies”: log score higher by ... a row; P(better) > 0.99
    >>> found.to_dict()["best"], found.report()[:15]
    ('logistic regression', '<!DOCTYPE html>')
    """

    task: Task
    target: str
    verdict: str
    data: DataFacts
    criterion: Criterion
    runs: tuple[Run, ...]
    best: str
    judgement: Judgement
    method: Mapping[str, Any]
    winner: Any = field(metadata={"left_out": True})
    pairwise: tuple[Verdict, ...] = ()  # every two candidates that finished, in the order of ``runs``
    learning_curve: LearningCurve | None = None
    timing: Timing = Timing()

    @property
    def concerns(self) -> tuple[Concern, ...]:
        """What the first look at the data found; the serious ones come first."""
        return self.data.concerns

    def to_dict(self) -> dict[str, Any]:
        """Everything but the model itself, as JSON holds it; what is not a finite number becomes ``None``."""
        from credo.study.answer import answer, headline

        held = plain_json(self)
        assert isinstance(held, dict)  # noqa: S101 (a record becomes a dictionary)
        return {"headline": headline(self), "answer": list(answer(self)), **held}

    def report(self) -> str:
        """The report as one web page: no scripts, nothing fetched from anywhere."""
        from credo.study.report import report

        return report(self)

    @property
    def asked(self) -> str:
        """How the target was read, and so what kind of question it asks."""
        target = next(column for column in self.data.columns if column.role == "target")
        return f"{target.name} is read as {target.kind} ({target.reason}), so this is a {self.task}."

    @property
    def chosen(self) -> Run:
        """The run of the candidate that won."""
        return next(run for run in self.runs if run.name == self.best)

    def __repr__(self) -> str:
        rows = f"{self.data.development:,} rows to learn from, {self.data.holdout:,} to judge"
        return f"Study of {self.target!r} ({self.task}; {rows})\n  {self.verdict}"
