"""The study itself: split, compare on folds, choose, learn again from everything but the hold-out, look at it once."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from credo import checks
from credo.decisions import Loss
from credo.errors import InvalidInput, NumericalFailure
from credo.evaluation import GoldenRule, Split, compare, set_aside, strata
from credo.evaluation import folds as deal
from credo.study.candidates import CANDIDATES, Candidate
from credo.study.judge import judge
from credo.study.question import Question, ask
from credo.study.record import Criterion, DataFacts, Pair, Run, Study, Timing
from credo.study.trial import Trial, learn_again, try_out
from credo.study.words import between, compared, plus_minus

__all__ = ["run_study"]

#: In nats a row. Two guesses that say nearly the same of every row may differ by this much in every fold alike.
TRIFLE = 1e-3


def run_study(
    data: Any,
    target: str,
    *,
    loss: Loss | str | Path | None = None,
    folds: int = 10,
    holdout: float = 0.2,
    seed: int = 0,
    types: Mapping[str, Any] | None = None,
    watch: Callable[[str, int, int], None] | None = None,
) -> Study:
    """Compare models on a table honestly, choose one, and judge it once on rows that nothing had seen.

    ``data`` is a path, a data frame, a mapping or a ``Table``; ``loss`` a ``Loss`` or its CSV file; ``types`` overrides
    how columns are read (``{"zip": "category"}``). What comes out depends on the data and the ``seed`` alone. ``watch``
    is told ``(what, done, all)`` as the work proceeds.

    >>> from credo.study import run_study
    >>> x = [float(i) for i in range(60)]
    >>> found = run_study({"x": x, "y": [2 * v + (-1) ** i for i, v in enumerate(x)]}, "y", folds=5)
    >>> found.best, found.chosen.gain.distinguishable
    ('Bayesian linear regression', True)
    """
    start = time.perf_counter()
    checks.count("seed", seed)
    checks.count("folds", folds, least=2)
    checks.level("holdout", holdout)
    losses = Loss.read(loss) if isinstance(loss, (str, Path)) else loss
    if losses is not None and not isinstance(losses, Loss):
        raise InvalidInput(f"loss must be a Loss or the path of its CSV file; got {checks.shown(loss)}")
    question = ask(data, target, loss=losses, holdout=holdout, types=types)
    split, dealt = _split(question, folds, holdout, seed)
    guard = GoldenRule(split.test)
    criterion = _criterion(question, losses)
    candidates = CANDIDATES[question.kind]
    trial = Trial(question, split.train, dealt, criterion, seed, watch or _unwatched)
    runs: list[Run] = []
    with _accounted_for(runs, criterion):
        runs.extend(try_out(candidates, trial))  # one after another, so that it holds those that are finished
        best = _best(runs, criterion)
        fits = len(dealt) * len(candidates)
        trial.watch(f"{best.name}, once more from all rows but the hold-out", fits, fits)
        winner = learn_again(best, candidates, trial)
        guesses = [learn_again(run, candidates, trial) for run in runs if run.baseline and run.error is None]
        judgement = judge(trial, guard, winner=winner, baseline=None if best.baseline or not guesses else guesses[0])
    facts = _facts(question, split)
    return Study(
        task=question.kind,
        target=target,
        verdict=_verdict(runs, best, criterion, facts),
        data=facts,
        criterion=criterion,
        runs=tuple(runs),
        best=best.name,
        judgement=judgement,
        method=_method(trial, holdout, candidates),
        winner=winner,
        pairwise=_pairs(runs, trial.share),
        timing=Timing(time.perf_counter() - start, sum(run.seconds for run in runs), 1),
    )


def _pairs(runs: Sequence[Run], share: float) -> tuple[Pair, ...]:
    """Every two candidates that finished, compared on the same folds."""
    standing = [run for run in runs if run.error is None]
    return tuple(
        Pair(one.name, other.name, compare(one.folds, other.folds, share=share))
        for place, one in enumerate(standing)
        for other in standing[place + 1 :]
    )


@contextmanager
def _accounted_for(runs: Sequence[Run], criterion: Criterion) -> Iterator[None]:
    """Ctrl-C takes along, as a note, what was finished before it."""
    try:
        yield
    except KeyboardInterrupt as stop:
        done = [f"{run.name}, {criterion.name} {between(run.mean)}" for run in runs if run.mean]
        stop.add_note(f"finished: {'; '.join(done) or 'nothing yet'}")
        raise


def _unwatched(what: str, done: int, whole: int) -> None:
    """Nobody is looking."""


def _split(question: Question, folds: int, holdout: float, seed: int) -> tuple[Split, tuple[Split, ...]]:
    """The hold-out, and the folds of the other rows (numbered among those); both balanced by the target."""
    y = question.y
    regression = question.kind == "regression"
    split = set_aside(len(y), holdout, rng=np.random.default_rng([seed, 0]), labels=strata(y) if regression else y)
    left = y[split.train]
    k = min(folds, len(left))
    labels = strata(left) if regression else left
    return split, deal(len(left), k, rng=np.random.default_rng([seed, 1]), labels=labels)


def _facts(question: Question, split: Split) -> DataFacts:
    return DataFacts(
        source=question.source,
        rows=question.rows,
        development=len(split.train),
        holdout=len(split.test),
        duplicates=question.duplicates,
        columns=question.columns,
        notes=question.notes,
    )


def _criterion(question: Question, loss: Loss | None) -> Criterion:
    if loss is not None:
        return Criterion("expected loss", higher_is_better=False, reason="because a table of losses was given")
    if question.kind == "regression":
        return Criterion("mean log density", True, "which rewards being right and knowing how surely", TRIFLE)
    return Criterion("log score", True, "which rewards being right and knowing how surely", TRIFLE)


def _best(runs: Sequence[Run], criterion: Criterion) -> Run:
    """The best mean over the folds; the one listed first (the baseline) where two are equal."""
    standing = [run for run in runs if run.error is None]
    if not standing:
        failed = "; ".join(f"{run.name}: {run.error}" for run in runs)
        raise NumericalFailure(f"every candidate failed, so there is nothing to compare ({failed})")
    sign = 1 if criterion.higher_is_better else -1
    return max(standing, key=lambda run: sign * run.value)


def _verdict(runs: Sequence[Run], best: Run, criterion: Criterion, facts: DataFacts) -> str:
    """What came out of the comparison, in a sentence."""
    guess = next(run.name for run in runs if run.baseline)
    few = f"Too few rows to conclude ({facts.development} to learn from): " if facts.few else ""
    rivals = [run for run in runs if run.gain is not None]
    if not rivals:
        return f"{few}no candidate could be compared with “{guess}”"
    run = best if best.gain is not None else _best(rivals, criterion)
    assert run.gain is not None  # noqa: S101 (so chosen)
    first = f"nothing was better than “{guess}”: " if best.baseline else ""
    words = compared(
        run.name,
        f"“{guess}”",
        run.gain,
        criterion.name,
        higher_is_better=criterion.higher_is_better,
        trifle=criterion.trifle,
    )
    yet = ""
    if not run.beats(criterion) and run.right_gain and run.right_gain.difference.low > 0:
        yet = f". Yet it is more often right, by {plus_minus(run.right_gain.difference)} of the rows"
    return f"{few}{first}{words}{yet}"


def _method(trial: Trial, holdout: float, candidates: Sequence[Candidate]) -> dict[str, Any]:
    return {
        "seed": trial.seed,
        "folds": len(trial.folds),
        "holdout": holdout,
        "candidates": {candidate.name: candidate.how for candidate in candidates},
        "versions": _versions(),
    }


def _versions() -> dict[str, str]:
    import sklearn

    import credo

    return {
        "credo": credo.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "python": platform.python_version(),
    }
