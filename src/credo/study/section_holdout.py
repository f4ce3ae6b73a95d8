"""The sections about the one look at the hold-out: scores, what was taken for what, and what acting on it costs."""

from __future__ import annotations

from html import escape

import numpy as np

from credo.evaluation import Confusion
from credo.study import pictures
from credo.study.answer import named
from credo.study.page import Section, figure_box, folded, heading, paragraph, section, table
from credo.study.record import Actions, Judgement, Score, Study
from credo.study.section_comparison import reading
from credo.study.words import between, figure, listed, many

__all__ = ["acting", "holdout"]

TABLED = 8  # classes whose confusion is a table; for more it is a picture
MANY_CLASSES = 40  # what a table can show; study.json has them all
MISTAKES = 8
PAIRS = (
    "AUC over pairs: of a random row of one class and a random row of another, the first has the higher probability of "
    "its class in this share of the cases, in the mean over all pairs of classes (Hand and Till 2001)."
)


def holdout(study: Study) -> Section:
    """Every score on rows that nothing had seen."""
    judged = study.judgement
    words = (
        f"{study.best[0].upper() + study.best[1:]} was chosen without them, learnt once more from all "
        f"{many(study.data.development, 'development row')}, and met these {many(judged.rows, 'row')} once. "
    )
    if judged.gain:
        clear = judged.gain.low > 0 or judged.gain.high < 0
        way = "better" if judged.gain.value > 0 else "worse"
        verdict = f"{way} than the guess" if clear else "not clearly different from the guess"
        words += (
            f"Here too it is {verdict}: by {between(judged.gain)} a row in {study.criterion.name}, "
            "row by row (t on the mean over rows)."
            if clear and way == "better"
            else f"Here it is {verdict}: a gain of {between(judged.gain)} a row in {study.criterion.name}."
        )
    parts = [paragraph(words), _score_table(judged.scores, judged.baseline)]
    if "AUC over pairs" in named(judged.scores):
        parts.append(paragraph(PAIRS))
    if judged.confusion:
        parts += _taken(judged.confusion, judged)
    return section("The verdict of unseen rows", parts)


def _score_table(scores: tuple[Score, ...], baseline: tuple[Score, ...]) -> str:
    other = named(baseline)
    rows = [
        [score.name, between(score.interval), *([between(other[score.name].interval)] if other else []), reading(score)]
        for score in scores
    ]
    columns = ["score", "the winner", *(["the guess"] if other else []), "95 % interval by"]
    return table(columns, rows, "hw" + ("w" if other else "") + "m")


def _taken(found: Confusion, judged: Judgement) -> list[str]:
    """Which class was taken for which, and how far each answer can be trusted."""
    parts = ["<h3>What was taken for what</h3>"]
    n = len(found.states)
    if n <= TABLED:
        parts.append(_confusion(found))
    else:
        parts.append(
            figure_box(
                pictures.confused(found),
                "A row for each true class, a column for each answer; the fuller the colour, the larger the share of "
                "the row. Right answers lie on the diagonal.",
            )
        )
        parts.append(_mistakes(found))
        if n <= MANY_CLASSES:
            parts.append(folded("The counts as a table", _confusion(found), short=False))
        else:
            parts.append(paragraph(f"The counts of all {n} classes are in study.json."))
    rows = [
        [
            fact.name,
            f"{fact.rows:,}",
            between(fact.recall),
            f"{fact.answered:,}",
            between(fact.precision),
            between(fact.f1),
        ]
        for fact in judged.classes[: 5 * MANY_CLASSES]
    ]
    columns = ["class", "rows", "recall", "answered", "precision", "F1"]
    meaning = (
        "Recall is the share of the rows of a class that were recognised, precision the share of its answers that were "
        "right, F1 their harmonic mean; – where there is nothing to share out"
    )
    measures = table(columns, rows, "hnwnww", meaning)
    parts.append(measures if n <= TABLED else folded("Every class: how often recognised, how often right", measures))
    parts.append(_measures(judged))
    return parts


def _measures(judged: Judgement) -> str:
    """What sums the table up, by the names of both traditions; a measure that does not exist says why."""
    rows = [
        [
            found.name,
            between(found.interval),
            ", ".join(found.also),
            found.interval.method if found.interval.defined else found.interval.why,
        ]
        for found in judged.measures
    ]
    held = table(["measure", "value", "also called", "95 % interval by"], rows, "hwmm")
    of = f" of {judged.calibration_of}" if len(judged.classes) == 2 else ""
    return folded(f"Measures{of}, by the names of both traditions", held)


def _confusion(found: Confusion) -> str:
    rows = []
    for i, state in enumerate(found.states):
        cells = "".join(
            f'<td class="n{" hit" if i == j else ""}">{count:,}</td>'
            for j, count in enumerate(found.counts[i].tolist())
        )
        rows.append(f'<tr><th scope="row">truly {escape(state)}</th>{cells}</tr>')
    head = "".join(heading(f"answered {state}", "n") for state in found.states)
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _mistakes(found: Confusion) -> str:
    """The most frequent mistakes."""
    wrong = found.counts * (1 - np.eye(len(found.states), dtype=np.int64))
    order = np.argsort(-wrong, axis=None, kind="stable")[:MISTAKES]
    cells = [divmod(int(place), len(found.states)) for place in order]
    rows = [
        [found.states[i], found.states[j], f"{wrong[i, j]:,} of {int(found.counts[i].sum()):,}"]
        for i, j in cells
        if wrong[i, j]
    ]
    if not rows:
        return paragraph("No row was taken for another class.")
    return table(["truly", "answered", "rows of this class"], rows, "hwn", "The most frequent mistakes")


def acting(done: Actions, rows: int) -> Section:
    """What is done by the given losses, and what that costs."""
    saved = done.saving
    if saved.low > 0:
        verdict = f"Choosing row by row saves {between(saved)} a row against always “{done.constant}”."
    elif saved.high < 0:
        verdict = (
            f"Choosing row by row costs more than always “{done.constant}”, by {between(saved)} a row: do that instead."
        )
    else:
        verdict = (
            f"Choosing row by row cannot be told apart from always “{done.constant}” (saving {between(saved)} a row)."
        )
    ranges = {str(region.action): f"{region.low:.3f} to {region.high:.3f}" for region in done.ranges}
    lines = []
    for row, (name, count) in enumerate(zip(done.names, done.counts, strict=True)):
        costs = [figure(float(cost)) for cost in done.losses[row]]
        lines.append([name, *costs, f"{count:,}", *([ranges.get(name, "never")] if ranges else [])])
    columns = ["action", *(f"loss if {state}" for state in done.states), f"taken (of {rows:,})"]
    kinds = "h" + "n" * (len(done.states) + 1)
    if ranges:
        columns, kinds = [*columns, f"best for P({done.state})"], kinds + "n"
    rule = (
        f"The rule: of all actions, the one of least expected loss. It costs {between(done.loss)} a row; always "
        f"“{done.constant}”, the best single action, {between(done.constant_loss)}."
    )
    parts = [paragraph(rule), paragraph(verdict), table(columns, lines, kinds), paragraph(_refused(done, rows))]
    if ranges:
        parts.append(
            figure_box(
                pictures.acting(done),
                f"The expected loss of each action by the probability of {done.state}; the lowest line is taken. The "
                "band says which that is, and the marks below it are the hold-out rows.",
            )
        )
    return section("Acting on it", parts)


def _refused(done: Actions, rows: int) -> str:
    if not done.refusals:
        return "No action of the table is a refusal: each costs more in one state than in another."
    count = sum(n for name, n in zip(done.names, done.counts, strict=True) if name in done.refusals)
    names = listed([f"“{name}”" for name in done.refusals])
    said = f"{names} costs the same whatever is true, and so refuses to decide: {many(count, 'row')} of {rows:,}."
    if done.unrefused:
        said += f" Where it did not refuse, the most probable class was right in {between(done.unrefused)} of the rows."
    return said
