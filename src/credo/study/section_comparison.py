"""The sections about cross-validation: who was best and how surely, the evidence, and what more rows would be worth."""

from __future__ import annotations

from html import escape

from credo.study import curves, pictures
from credo.study.answer import Chance, chances, named, rivals
from credo.study.page import Section, beside, figure_box, folded, note, paragraph, section, table
from credo.study.record import Run, Score, Study
from credo.study.words import between, chance, duration, figure, listed

__all__ = ["comparison", "learning", "reading"]

BETTER = {"higher": "higher is better", "lower": "lower is better", "near": "should be near 0.90"}
SIGNED = {"left out": "was left out", "out of time": "was stopped", "failed": "gave no answer"}
SELDOM = 0.01  # chances below it are not told
MOST_PAIRED = 12  # candidates whose pairs a page shows; study.json has them all


def comparison(study: Study) -> Section:
    """Every candidate over the folds."""
    sign = "higher" if study.criterion.higher_is_better else "lower"
    folds = study.method["folds"] * study.method["repeats"]
    intro = (
        f"<p>Every candidate learnt from the same {folds} selections of the development rows and was "
        f"judged on the rows left out each time. What chooses is the <strong>{escape(study.criterion.name)}</strong> "
        f"({sign} is better), {escape(study.criterion.reason)}.</p>"
    )
    rows = [_row(run) for run in study.runs]
    columns = [f"{study.criterion.name} ({sign} is better)", "difference to the guess", "P(better)", "time"]
    failed = [f"{run.name} {SIGNED.get(run.status, 'gave no answer')}: {run.error}" for run in study.runs if run.error]
    warned = [f"{run.name} warns: {remark}" for run in study.runs for remark in run.remarks]
    standing = [run for run in study.runs if run.mean]
    method = standing[0].mean.method if standing and standing[0].mean else ""
    return section(
        "The comparison",
        [
            intro,
            table(["candidate", *columns], rows, "hwwnn"),
            note(failed + warned),
            figure_box(
                pictures.comparison(study.runs, study.criterion),
                f"A dot is a fold; below the dots, the mean and its 95 % interval ({method}). P(better) and the "
                "difference come from the folds paired, which is sharper than comparing two intervals by eye.",
            ),
            *_pairs(study, [run.name for run in standing]),
            _all_scores(study.runs),
            *_evidence(study, standing),
        ],
    )


def _row(run: Run) -> list[str]:
    took = duration(run.seconds) if run.seconds else ""
    if run.mean is None:
        return [run.name, run.status if run.status != "finished" else "failed", "", "", took]
    if run.gain is None:
        return [run.name, between(run.mean), "(the guess)", "", took]
    better = chance(run.gain.first_better).removeprefix("= ")
    return [run.name, between(run.mean), between(run.gain.difference), better, took]


def _pairs(study: Study, names: list[str]) -> list[str]:
    """Whether the first is first: how probably each candidate is better than each other one, or as good."""
    found = chances(study)
    if len(names) < 3 or not found:
        return []
    what = study.criterion
    shown = names[:MOST_PAIRED]
    rows = [
        [f"{i} {name}", *("" if name == other else _cell(found[name, other]) for other in shown)]
        for i, name in enumerate(shown, start=1)
    ]
    numbers = [str(i) for i in range(1, len(shown) + 1)]
    by = f" by more than {figure(what.rope, 2)}" if what.rope else ""
    within = f", and in brackets, from {SELDOM}, that they differ by no more" if what.rope else ""
    caption = f"How probably the candidate of the row has the better {what.name} than that of the column{by}{within}"
    return [
        "<h3>Is the first one better than the others?</h3>",
        paragraph(_first(study, names)),
        table(["better is …", *numbers], rows, "h" + "c" * len(shown), caption),
    ]


def _cell(found: Chance) -> str:
    """The chance of being better, and in brackets of being as good where that may be."""
    better = chance(found.better).removeprefix("= ")
    return f"{better} ({chance(found.same).removeprefix('= ')})" if found.same >= SELDOM else better


def _both(found: Chance) -> str:
    """The chances of being better and of being as good, in words."""
    better = f"P(better) {chance(found.better)}"
    return f"{better}, P(as good) {chance(found.same)}" if found.same >= SELDOM else better


def _first(study: Study, names: list[str]) -> str:
    """The winner beside the others, in words."""
    found, what = chances(study), study.criterion
    as_good, left = rivals(study)
    worse = [name for name in names if name != study.best and name not in as_good + left]
    better = [f"{study.best} is better than {listed(worse)}"] if worse else []
    same = [f"{listed(as_good)} {'is' if len(as_good) == 1 else 'are'} as good in practice"] if as_good else []
    open_ = []
    if left:
        each = [f"{name} ({_both(found[study.best, name])})" for name in left]
        open_ = [f"the folds leave open whether {'it' if worse else study.best} is better than {listed(each)}"]
    said = "; ".join([*better, *same, *open_])
    if as_good or left:
        said += ": where another reason speaks for one of those, nothing here speaks against it"
    if what.rope:
        said += f". Scores that differ by at most {figure(what.rope, 2)} a row count as equally good, {what.rope_is}"
    return f"{said[0].upper()}{said[1:]}."


def _all_scores(runs: tuple[Run, ...]) -> str:
    """Every score of every candidate over the left-out rows; folded away, it is not what decides."""
    standing = [run for run in runs if run.scores]
    if not standing:
        return ""
    rows = [
        [score.name, *(between(run.scores[i].interval) for run in standing), reading(score)]
        for i, score in enumerate(standing[0].scores)
    ]
    kinds = "h" + "w" * len(standing) + "m"
    held = table(["score", *(run.name for run in standing), "95 % interval by"], rows, kinds)
    return folded("All scores in cross-validation", held)


def reading(score: Score) -> str:
    """The method of the interval, and which way is better."""
    return f"{score.interval.method}; {BETTER[score.better]}"


def _evidence(study: Study, standing: list[Run]) -> list[str]:
    """The evidence next to cross-validation, for the candidates that have one."""
    score = "log score" if study.task == "classification" else "mean log density"
    able = {run.name: run.log_evidence for run in standing if run.log_evidence is not None}
    if not able:
        return []
    chosen_by = study.criterion.name == score  # the number is then the one above, with the interval that it has there
    held = {
        run.name: run.mean if chosen_by and run.mean else named(run.scores)[score].interval
        for run in standing
        if run.name in able
    }
    rows = [[name, between(held[name]), figure(found)] for name, found in able.items()]
    words = (
        "The log evidence is what a model gave to the rows it learnt from before it had seen them, and so needs no row "
        "left out; it is paid for while learning, and is lower the fewer rows there are. Both are in nats a row, and "
        "more is better."
    )
    if len(able) > 1:
        by_evidence = max(able, key=lambda name: able[name])
        by_folds = max(held, key=lambda name: held[name].value)
        words += (
            f" Both put {by_folds} first."
            if by_evidence == by_folds
            else f" The evidence puts {by_evidence} first, cross-validation {by_folds}: a sign that one of them takes "
            "for granted what the data do not hold."
        )
    return [
        "<h3>The evidence beside cross-validation</h3>",
        paragraph(words),
        table(["candidate", f"{score} in cross-validation", "log evidence"], rows, "hwn"),
    ]


def learning(study: Study) -> Section | None:
    """What more rows would be worth."""
    curve = study.learning_curve
    if curve is None:
        return None
    guess = next((run.mean.value for run in study.runs if run.baseline and run.mean), None)
    what = study.criterion.name
    way = "higher" if study.criterion.higher_is_better else "lower"
    words = curve.words[0].upper() + curve.words[1:]
    return section(
        "What more rows would be worth",
        [
            paragraph(words if words.endswith(".") else f"{words}."),
            beside(
                figure_box(
                    curves.learning(curve, f"{what} ({way} is better)", None if study.chosen.baseline else guess),
                    f"{curve.name} learning from more and more of the development rows, judged on the rows left out. "
                    "Bars are 95 % intervals; the dashed line is the guess.",
                ),
                table(["rows", what], [[f"{p.rows:,}", between(p.score)] for p in curve.points], "nw"),
            ),
        ],
    )
