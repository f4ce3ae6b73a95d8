"""The sections about what the probabilities are worth: calibration, telling classes apart, leaving rows undecided."""

from __future__ import annotations

from scipy.special import bdtrc

from credo.evaluation import BrierParts, Coverage, Pit
from credo.study import curves, pictures
from credo.study.page import Section, beside, figure_box, paragraph, section, table
from credo.study.record import Decided, Judgement, Study
from credo.study.words import between, figure, many

__all__ = ["believing", "measured", "refusing", "telling_apart"]

CHANCE = 0.01  # below this, chance alone does not explain that measured values fall unevenly


def believing(judged: Judgement) -> Section | None:
    """Classes: whether what is said to happen in 80 % of the cases does."""
    found = judged.calibration
    if found is None:
        return None
    off = sum(not came.low <= said <= came.high for said, came in zip(found.said, found.happened, strict=True))
    groups = many(len(found.said), "group")
    # Of many groups a few are outside their interval by chance alone.
    if bdtrc(off - 1, len(found.said), 0.05) < 0.05:
        words = (
            f"In {off} of {groups} the share that came true lies outside its interval, more than chance explains: "
            "use the order of these probabilities, but do not take them at their word."
        )
    elif off:
        words = (
            f"In {off} of {groups} the share that came true lies outside its interval, which chance alone often does "
            "with as many groups: nothing speaks against these probabilities."
        )
    else:
        words = f"In all {groups} the share that came true agrees with the probability given, as far as the rows tell."
    words += (
        f" The mean distance between the two is {figure(found.error, 2)}; less what chance alone adds to it, "
        f"{figure(found.corrected, 2)}."
    )
    rows = [
        [f"{said:.2f}", between(came), f"{n:,}"]
        for said, came, n in zip(found.said, found.happened, found.counts, strict=True)
    ]
    return section(
        "Can its probabilities be believed?",
        [
            paragraph(words),
            paragraph(_in_parts(judged.brier)) if judged.brier else "",
            beside(
                figure_box(
                    curves.calibration(found, judged.calibration_of),
                    f"Hold-out rows grouped by the probability they were given for {judged.calibration_of}. Dots on "
                    "the dashed line mean that what is said to happen in 80 % of the cases does happen in 80 %; bars "
                    "are Wilson's 95 % intervals, and the boxes below show where the rows are.",
                ),
                table(["said", "came true", "rows"], rows, "nwn"),
            ),
        ],
    )


def _in_parts(parts: BrierParts) -> str:
    """What the Brier score is made of."""
    return (
        f"Its Brier score is {between(parts.score)}: {figure(parts.uncertainty)} for saying the same of every row, "
        f"less {figure(parts.resolution)} gained by telling rows apart, plus {figure(parts.reliability)} lost by "
        f"probabilities that are wrong ({parts.by} groups)."
    )


def measured(study: Study) -> Section | None:
    """Numbers: predictions beside measurements, and whether the beliefs about them are as wide as they should be."""
    judged = study.judgement
    if judged.fit is None:
        return None
    parts = [
        figure_box(
            pictures.fitted(judged.fit, study.target),
            "Each dot is a hold-out row, each pale line its 90 % interval. Rows outside their interval are diamonds in "
            "the warm colour; one in ten should be.",
        )
    ]
    if judged.pit and judged.coverage:
        parts = [
            paragraph(_spread(judged.pit, judged.coverage)),
            *parts,
            beside(
                figure_box(
                    curves.covered(judged.coverage),
                    "The share of rows inside their interval, for intervals of every level. Dots on the dashed line "
                    "are as it should be, below it intervals are too narrow, above it too wide.",
                ),
                figure_box(
                    curves.spread(judged.pit),
                    "How probable a smaller value was said to be, in groups. Good beliefs fill all groups alike: "
                    "between the dashed lines, 95 times in 100. Full ends mean too sure, a hump too unsure, a slope "
                    "predictions that lie too high or too low.",
                ),
            ),
        ]
    return section("Predicted and measured", parts)


def _spread(found: Pit, coverage: Coverage) -> str:
    """What the two pictures come to."""
    off = sum(not s.low <= level <= s.high for level, s in zip(coverage.levels, coverage.covered, strict=True))
    narrow = sum(s.high < level for level, s in zip(coverage.levels, coverage.covered, strict=True))
    p = "< 0.001" if found.p_value < 0.001 else f"= {found.p_value:.2g}"
    distance = f"Kolmogorov's distance {figure(found.distance, 2)}, p {p}"
    if found.p_value >= CHANCE and not off:
        return (
            "Its intervals hold what they promise at every level, and measured values fall in its beliefs as evenly "
            f"as chance allows ({distance})."
        )
    if found.p_value >= CHANCE:
        side = "hold less than they promise" if narrow > off / 2 else "hold more than they promise"
        return (
            f"At {off} of {len(coverage.covered)} levels its intervals {side}, though measured values fall in its "
            f"beliefs about as evenly as chance allows ({distance})."
        )
    return (
        f"Its beliefs are not spread as the measured values are ({distance}): use the predictions, but take the width "
        "of the intervals with care."
    )


def telling_apart(judged: Judgement) -> Section | None:
    """Two classes: the ROC and the precision–recall curve."""
    roc, precise, table_ = judged.roc, judged.precision_recall, judged.confusion
    if roc is None or precise is None or table_ is None or not len(roc.thresholds) or not len(precise.thresholds):
        return None
    state = judged.calibration_of
    (_, wrongly), (missed, rightly) = table_.counts.tolist()
    truly, others, answered = missed + rightly, int(table_.counts[0].sum()), wrongly + rightly
    rates = (wrongly / others, rightly / truly) if truly and others else None
    precision = (rightly / truly, rightly / answered) if truly and answered else None
    words = (
        f"Wherever the line is drawn, a random row of {state} is given a higher probability of it than a random other "
        f"one in {between(roc.area)} of the cases (AUC, {roc.area.method}). The mean precision over all shares "
        f"recognised is {between(precise.area)}; a guess has {figure(precise.prevalence, 2)}."
    )
    return section(
        "Telling the two classes apart",
        [
            paragraph(words),
            beside(
                figure_box(
                    curves.roc(roc, state, rates),
                    "ROC: what share of the rows is recognised, and what share of the others is taken for it. The "
                    "dashed line is guessing; the diamond is the most probable class.",
                ),
                figure_box(
                    curves.precision_recall(precise, state, precision),
                    "Precision and recall: of the rows taken for it, the share that is. The dashed line is guessing; "
                    "the diamond is the most probable class.",
                ),
            ),
        ],
    )


def refusing(judged: Judgement) -> Section | None:
    """Classes: what is gained by leaving the least sure rows to somebody else."""
    title, curve = "What it had better not decide", judged.refusal
    if curve is None:
        return None
    if len(judged.decided) < 2:
        return section(title, [paragraph("It is equally sure of every row, so there is nothing to refuse by.")])
    every, most = judged.decided[0], min(judged.decided[1:], key=lambda step: abs(step.share - 0.9))
    rows = [
        [f"{100 * step.share:.0f} %", f"{step.rows:,}", f"{step.confidence:.3f}", between(step.wrong)]
        for step in judged.decided
    ]
    return section(
        title,
        [
            paragraph(_left_over(every, most, curve.area.value < curve.random)),
            beside(
                figure_box(
                    curves.refusing(curve, judged.decided),
                    "Errors among the rows that are decided, when those it is least sure of are not. Bars are Wilson's "
                    "95 % intervals; the dashed line is what leaving rows out at random would give.",
                ),
                table(["decided", "rows", "from P", "wrong"], rows, "nnnw"),
            ),
        ],
    )


def _left_over(every: Decided, most: Decided, helps: bool) -> str:  # noqa: FBT001
    left = every.rows - most.rows
    said = (
        f"If the {many(left, 'row')} it is least sure of ({100 * (1 - most.share):.0f} %: the most probable class has "
        f"less than {most.confidence:.2f}) {'is' if left == 1 else 'are'} left to somebody else, it is wrong in "
        f"{between(most.wrong)} of the others; deciding all, in {between(every.wrong)}."
    )
    return said if helps else f"{said} Its sureness does not tell right answers from wrong ones here."
