"""The sections about the data, and how the study was done."""

from __future__ import annotations

from collections import Counter
from html import escape

from credo.study.page import Section, folded, note, paragraph, section, table
from credo.study.record import Study
from credo.study.words import duration, listed, many

__all__ = ["data", "method"]

MANY_COLUMNS = 12  # above which the table of columns is folded
PRINTED_COLUMNS = 60  # above which it is left out on paper
MOST_COLUMNS = 1000  # what a page can show; study.json has them all


def data(study: Study) -> Section:
    """What was read, what was seen in it, and what became of every column."""
    held = study.data
    rows = [
        [column.name, column.kind, f"{column.missing:,}" if column.missing else "", column.role, column.reason]
        for column in held.columns[:MOST_COLUMNS]
    ]
    columns = table(["column", "read as", "missing", "part", "why"], rows, "htntm")
    if len(rows) > MANY_COLUMNS:
        more = len(held.columns) - len(rows)
        shown = f"The first {len(rows):,} columns ({more:,} more in study.json)" if more else f"All {len(rows)} columns"
        columns = folded(f"{shown}, how each is read and why", columns, short=len(rows) <= PRINTED_COLUMNS)
    kinds = Counter(column.kind for column in held.columns if column.role == "used")
    missing = sum(column.missing for column in held.columns)
    told_from = f"{listed([f'{n} {kind}' for kind, n in kinds.items()])} {'column' if held.used == 1 else 'columns'}"
    told = (
        f"{many(held.rows, 'row')} and {many(len(held.columns), 'column')} in {held.source}. {study.target} is told "
        f"from {told_from}; {many(missing, 'cell is', 'cells are')} missing."
    )
    return section("The data", [paragraph(told), paragraph(study.asked), note(held.notes), _concerns(study), columns])


def _concerns(study: Study) -> str:
    """What the first look found."""
    if not study.concerns:
        return ""
    named = any(concern.columns for concern in study.concerns)
    rows = [
        [
            f"{concern.kind}{' (serious)' if concern.serious else ''}",
            *([listed(list(concern.columns)) if concern.columns else ""] if named else []),
            concern.words,
            concern.remedy,
        ]
        for concern in study.concerns
    ]
    columns = ["concern", *(["columns"] if named else []), "what was seen", "what to do"]
    found = table(columns, rows, "h" + "t" * (len(columns) - 1))
    return f"<h3>What was seen in the data</h3>{found}"


def method(study: Study) -> Section:
    """Every step, so that it can be judged and done again."""
    done, facts, judged = study.method, study.data, study.judgement
    steps = [
        f"The table was read and each column's kind inferred from all rows ({many(facts.rows, 'row')}).",
        *_dealing(study),
        *(f"{name[0].upper()}{name[1:]}: {how}." for name, how in done["candidates"].items() if how),
        f"The candidate with the best {study.criterion.name}, averaged over the folds, was chosen; the hold-out had no "
        "part in it.",
        "Differences between candidates are paired by fold, with the variance corrected for training rows that folds "
        "share (Nadeau and Bengio 2003); P(better) reads the same Student t law as a posterior (Corani and "
        "Benavoli 2015).",
        "The winner learnt once more from all development rows and was judged on "
        f"{many(judged.rows, 'hold-out row')}, which were looked at "
        + ("once." if len(judged.looks) < 2 else f"{len(judged.looks)} times ({'; '.join(judged.looks)})."),
        "All intervals are 95 % intervals unless they say otherwise; the method stands beside each number. Logarithms "
        "are natural.",
    ]
    versions = ", ".join(f"{name} {version}" for name, version in done["versions"].items())
    held = "".join(f"<li>{escape(step)}</li>" for step in steps)
    again = f"Seed {done['seed']}. The same data, seed and versions give the same numbers: {versions}."
    if study.timing.wall:
        jobs = f", up to {study.timing.jobs} at a time" if study.timing.jobs > 1 else ""
        again += (
            f" The study took {duration(study.timing.wall)}, of which learning and predicting "
            f"{duration(study.timing.fits)}{jobs}, and loading the code {duration(study.timing.loading)}."
        )
    return section("How this was done", [f'<ol class="method">{held}</ol>', f'<p class="method">{escape(again)}</p>'])


def _dealing(study: Study) -> list[str]:
    """Which rows judged at the end, and how the others were dealt into folds."""
    done, facts = study.method, study.data
    held, others = many(facts.holdout, "row"), many(facts.development, "row")
    share = f"{100 * facts.holdout / (facts.holdout + facts.development):.0f} %"
    learnt = "Everything that is learnt, encodings included, was learnt without the fold that judges."
    if done["time"]:
        return [
            f"The latest {held} by {done['time']} ({share}) were set aside as a hold-out.",
            f"The other {others} were dealt into {done['folds']} folds {done['dealt']}, the same for all candidates. "
            f"{learnt}",
        ]
    together = f" Rows with the same {done['groups']} were never divided." if done["groups"] else ""
    times = f", {done['repeats']} times over" if done["repeats"] > 1 else ""
    return [
        f"{held} ({share}) were set aside as a hold-out, {done['dealt']}.{together}",
        f"The other {others} were dealt into {done['folds']} folds{times}, {done['dealt']}, the same for all "
        f"candidates. {learnt}",
    ]
