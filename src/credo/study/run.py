"""The study itself: split, compare on folds, choose, learn again from everything but the hold-out, look at it once."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from credo import checks
from credo.decisions import Loss
from credo.errors import InvalidInput, NumericalFailure
from credo.evaluation import GoldenRule, Split, Verdict, correlated_t
from credo.numerics import one_blas_thread
from credo.study.answers import NumberTask
from credo.study.candidates import Candidate, taking_part
from credo.study.dealing import Deal, deal
from credo.study.journal import Journal, fingerprint
from credo.study.judge import judge
from credo.study.learning import learning_curve
from credo.study.plan import PLAIN, Plan, folds_of
from credo.study.question import Question, ask
from credo.study.record import Criterion, DataFacts, LearningCurve, Run, Study, Timing
from credo.study.sitting import learn
from credo.study.survey import survey
from credo.study.trial import Contest, Trial
from credo.study.words import compared, plus_minus

__all__ = ["run_study"]

#: In nats a row. Two guesses that say nearly the same of every row may differ by this much in every fold alike.
TRIFLE = 1e-3

#: What makes no difference in practice: errors of a number that are 1 % smaller, 1 % of a guess's log score, or of what
#: acting without any model costs.
LITTLE = 0.01


def run_study(
    data: Any,
    target: str,
    *,
    loss: Loss | str | Path | None = None,
    folds: int | str = 10,
    holdout: float = 0.2,
    seed: int = 0,
    types: Mapping[str, Any] | None = None,
    plan: Plan = PLAIN,
) -> Study:
    """Compare models on a table honestly, choose one, and judge it once on rows that nothing had seen.

    ``data`` is a path, a data frame, a mapping or a ``Table``; ``loss`` a ``Loss`` or its CSV file; ``folds`` a number,
    or ``"10x10"`` for ten folds dealt ten times; ``types`` overrides how columns are read (``{"zip": "category"}``);
    ``plan`` says what is seldom said: who takes part, groups, time, a budget, how many cores. What comes out depends on
    the data, the ``seed`` and these, and neither on the cores nor on whether the study was interrupted.

    >>> from credo.study import run_study
    >>> x = [float(i) for i in range(60)]
    >>> found = run_study({"x": x, "y": [2 * v + (-1) ** i for i, v in enumerate(x)]}, "y", folds=5)
    >>> found.best, found.chosen.beats(found.criterion)
    ('Bayesian linear regression', True)
    """
    start = time.perf_counter()
    checks.count("seed", seed)
    times, k = folds_of(folds)
    checks.level("holdout", holdout)
    if not isinstance(plan, Plan):
        raise InvalidInput(f"plan must be a Plan, such as Plan(budget='10m'); got {checks.shown(plan)}")
    losses = Loss.read(loss) if isinstance(loss, (str, Path)) else loss
    if losses is not None and not isinstance(losses, Loss):
        raise InvalidInput(f"loss must be a Loss or the path of its CSV file; got {checks.shown(loss)}")
    question = ask(data, target, loss=losses, holdout=holdout, types=types, plan=plan)
    candidates = taking_part(question.kind, plan.candidates)
    loading = _loaded(candidates)
    dealt = deal(question, times=times, k=k, holdout=holdout, seed=seed)
    criterion = _criterion(question, question.y[dealt.split.train])
    trial = Trial(question, dealt.split.train, dealt.folds, criterion, seed, plan, dealt.once)
    about = _about(question, losses, f"{times}x{k}", holdout, seed, plan)
    journal = Journal(plan.journal, about, question.task, resume=plan.resume)
    contest = Contest(candidates, trial, journal)
    with _accounted_for(contest, plan):
        facts = _facts(question, dealt.split, plan)
        found = _compared(contest, candidates, trial, journal, GoldenRule(dealt.split.test))
        best, runs = found["best"], found["runs"]
        timing = Timing(time.perf_counter() - start, found.pop("fits"), plan.jobs, loading)
        return Study(
            task=question.kind,
            target=target,
            verdict=_verdict(runs, best, criterion, facts),
            data=facts,
            criterion=criterion,
            method=_method(dealt, trial, holdout, times, candidates),
            pairwise=_pairs(runs, trial),
            timing=timing,
            **(found | {"best": best.name}),
        )


def _loaded(candidates: Sequence[Candidate]) -> float:
    """The seconds until the code of every candidate is there."""
    start = time.perf_counter()
    for candidate in candidates:
        candidate.make()
    return time.perf_counter() - start


def _compared(
    contest: Contest, candidates: Sequence[Candidate], trial: Trial, journal: Journal, guard: GoldenRule
) -> dict[str, Any]:
    """The candidates compared, the best one learnt again and judged once, and the seconds that took."""
    runs = contest.hold()
    best = _best(runs, trial.criterion)
    by_name = {candidate.name: candidate for candidate in candidates}
    curve: LearningCurve | None = None
    fits = contest.seconds
    if not best.baseline:
        curve, seconds = learning_curve(best, by_name[best.name], trial, journal)
        fits += seconds
    whole = len(trial.folds) * len(candidates)
    trial.plan.watch(f"{best.name}, once more from all rows but the hold-out", whole, whole)
    start = time.perf_counter()
    guess = next((run for run in runs if run.baseline and run.error is None), None)
    with one_blas_thread():  # as in the folds: on more threads the last digits could be others
        winner, remarks = learn(by_name[best.name], trial.question, trial.rows)
        rival = None if best.baseline or guess is None else learn(by_name[guess.name], trial.question, trial.rows)[0]
        fits += time.perf_counter() - start
        judgement = judge(trial, guard, winner=winner, baseline=rival)
    told = replace(best, remarks=tuple(dict.fromkeys((*best.remarks, *remarks))))
    runs = tuple(told if run is best else run for run in runs)
    return {
        "runs": runs,
        "best": told,
        "learning_curve": curve,
        "winner": winner,
        "judgement": judgement,
        "fits": fits,
    }


def _pairs(runs: Sequence[Run], trial: Trial) -> tuple[Verdict, ...]:
    """Every two candidates that finished, compared on the same folds."""
    what = trial.criterion
    return tuple(
        correlated_t(
            one.folds,
            other.folds,
            share=trial.share,
            rope=what.rope,
            names=(one.name, other.name),
            higher_is_better=what.higher_is_better,
        )
        for one, other in combinations((run for run in runs if run.error is None), 2)
    )


@contextmanager
def _accounted_for(contest: Contest, plan: Plan) -> Iterator[None]:
    """Ctrl-C takes along, as a note, what was finished before it."""
    try:
        yield
    except KeyboardInterrupt as stop:
        stop.add_note(contest.so_far())
        if plan.journal is not None:
            stop.add_note(f"what is finished is kept in {plan.journal}; --resume goes on from there")
        raise


def _about(question: Question, loss: Loss | None, folds: str, holdout: float, seed: int, plan: Plan) -> dict[str, Any]:
    """What a journal belongs to."""
    import credo

    return {
        "data": fingerprint(question),
        "target": next(column.name for column in question.columns if column.role == "target"),
        "loss": None if loss is None else str(checks.plain_json(loss)),
        "folds": folds,
        "holdout": holdout,
        "seed": seed,
        "groups": plan.groups,
        "time": plan.time,
        "credo": credo.__version__,
    }


def _facts(question: Question, split: Split, plan: Plan) -> DataFacts:
    return DataFacts(
        source=question.source,
        rows=question.rows,
        development=len(split.train),
        holdout=len(split.test),
        duplicates=question.duplicates,
        columns=question.columns,
        notes=question.notes,
        concerns=survey(question, plan, development=len(split.train)),
    )


def _criterion(question: Question, learnt_from: NDArray[Any]) -> Criterion:
    """What chooses, and which differences in it matter; ``learnt_from`` is the target of the development rows."""
    knowing = "which rewards being right and knowing how surely"
    task = question.task
    if isinstance(task, NumberTask):
        return Criterion("mean log density", True, knowing, TRIFLE, LITTLE, "what errors smaller by 1 % bring")
    shares = task.shares(learnt_from)
    if task.loss is not None:
        rope = LITTLE * abs(float((task.loss.matrix @ shares).min()))
        what = "1 % of what the best single action costs"
        return Criterion("expected loss", False, "because a table of losses was given", 0.0, rope, what)
    rope = LITTLE * float(-(shares @ np.log(shares)))
    return Criterion("log score", True, knowing, TRIFLE, rope, "1 % of the log score of the class frequencies")


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
    words = compared(replace(run.gain, second=f"“{guess}”"), criterion.name, trifle=criterion.trifle)
    yet = ""
    if not run.beats(criterion) and run.right_gain and run.right_gain.difference.low > 0:
        yet = f". Yet it is more often right, by {plus_minus(run.right_gain.difference)} of the rows"
    return f"{few}{first}{words}{yet}"


def _method(dealt: Deal, trial: Trial, holdout: float, times: int, candidates: Sequence[Candidate]) -> dict[str, Any]:
    return {
        "seed": trial.seed,
        "folds": dealt.once,
        "repeats": times,
        "share": trial.share,
        "holdout": holdout,
        "dealt": dealt.words,
        "groups": trial.plan.groups,
        "time": trial.plan.time,
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
