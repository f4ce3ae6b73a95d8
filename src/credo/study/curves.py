"""The small square pictures of a report, two beside each other on a screen and one below the other on a telephone."""

from __future__ import annotations

from itertools import pairwise

from credo.evaluation import Coverage, Pit, PrecisionRecallCurve, Reliability, RiskCoverage, RocCurve
from credo.study.record import Decided, LearningCurve
from credo.study.svg import SMALL, Axis, across, area, bar, box, diamond, dot, line, picture, stroke, text, up
from credo.study.words import between, figure, many, short

__all__ = ["calibration", "covered", "learning", "precision_recall", "refusing", "roc", "spread"]

TOP, BOTTOM, LEFT, RIGHT = 34.0, 304.0, 46.0, 326.0
SIZE = (SMALL, BOTTOM + 46)


def roc(curve: RocCurve, state: str, answered: tuple[float, float] | None) -> str:
    """The ROC curve, and where on it the most probable class is answered (``answered``: the two rates)."""
    x = Axis(f"share of the others taken for {short(state, 18)}", 0, 1, LEFT, RIGHT)
    y = Axis(f"share of {short(state, 24)} recognised", 0, 1, BOTTOM, TOP)
    points = [(x.at(p), y.at(q)) for p, q in zip(curve.false_positive_rate, curve.true_positive_rate, strict=True)]
    parts = [up(y, LEFT, RIGHT), across(x, BOTTOM, TOP)]
    parts.append(area([*points, (x.at(1), y.at(0)), (x.at(0), y.at(0))], "count"))
    parts += [stroke(x.at(0), y.at(0), x.at(1), y.at(1), "ideal"), line(points, "candidate")]
    parts.append(text(RIGHT - 8, BOTTOM - 12, f"area {between(curve.area)}", "tick", "end"))
    words = f"Area under the curve {between(curve.area)}"
    if answered:
        hint = f"recognises {answered[1]:.2f} and takes {answered[0]:.2f} of the others for it"
        parts.append(diamond(x.at(answered[0]), y.at(answered[1]), 6, "missed", hint))
        words += f"; answering the most probable class {hint}"
    return picture(f"ROC curve of {state} on the hold-out rows", f"{words}.", SIZE, parts)


def precision_recall(curve: PrecisionRecallCurve, state: str, answered: tuple[float, float] | None) -> str:
    """Precision against recall; ``answered`` is where the most probable class is answered, as (recall, precision)."""
    x = Axis(f"share of {short(state, 24)} recognised", 0, 1, LEFT, RIGHT)
    y = Axis(f"share right where {short(state, 18)} is answered", 0, 1, BOTTOM, TOP)
    # From one point to the next precision does not follow a straight line: it is known at the points alone.
    corners = [(recall, after) for recall, after in zip(curve.recall, curve.precision, strict=True)]
    stairs = [(0.0, corners[0][1])]
    for (_, held), (recall, after) in pairwise([(0.0, corners[0][1]), *corners]):
        stairs += [(recall, held), (recall, after)]
    parts = [up(y, LEFT, RIGHT), across(x, BOTTOM, TOP)]
    parts.append(stroke(LEFT, y.at(curve.prevalence), RIGHT, y.at(curve.prevalence), "ideal"))
    parts.append(line([(x.at(p), y.at(q)) for p, q in stairs], "candidate"))
    low = y.at(curve.prevalence) > (TOP + BOTTOM) / 2
    at = BOTTOM - 12 if not low or y.at(curve.prevalence) < BOTTOM - 40 else y.at(curve.prevalence) - 10
    parts.append(text(LEFT + 8, at, f"area {between(curve.area)}", "tick"))
    words = f"Average precision {between(curve.area)}; a guess has {curve.prevalence:.2f}, the dashed line"
    if answered:
        hint = f"recognises {answered[0]:.2f} and is right in {answered[1]:.2f} of its answers"
        parts.append(diamond(x.at(answered[0]), y.at(answered[1]), 6, "missed", hint))
        words += f"; answering the most probable class {hint}"
    return picture(f"Precision and recall of {state} on the hold-out rows", f"{words}.", SIZE, parts)


def refusing(curve: RiskCoverage, steps: tuple[Decided, ...]) -> str:
    """The share of errors among the rows that are decided, and its interval at a few shares."""
    ends = [*curve.risk, *(step.wrong.high for step in steps)]
    x = Axis("share of the rows that are decided", 0, 1, LEFT, RIGHT)
    y = Axis("share of them that is decided wrongly", 0, min(1.0, max(max(ends) * 1.08, 0.01)), BOTTOM, TOP)
    parts = [up(y, LEFT, RIGHT), across(x, BOTTOM, TOP)]
    parts.append(stroke(LEFT, y.at(curve.random), RIGHT, y.at(curve.random), "ideal"))
    parts.append(line([(x.at(p), y.at(q)) for p, q in zip(curve.coverage, curve.risk, strict=True)], "candidate"))
    for step in steps:
        hint = f"{100 * step.share:.0f} % decided: wrong in {between(step.wrong)}"
        parts.append(
            bar(x.at(step.share), y.at(step.wrong.low), x.at(step.share), y.at(step.wrong.high), "candidate interval")
        )
        parts.append(dot(x.at(step.share), y.at(step.wrong.value), 4, "candidate", hint))
    words = "; ".join(f"{100 * step.share:.0f} % decided, wrong in {between(step.wrong)}" for step in steps)
    return picture("Errors among the rows decided most surely", f"{words}.", SIZE, parts)


def calibration(result: Reliability, state: str) -> str:
    """What was said against what happened; the bars below count the rows."""
    bottom, depth = BOTTOM - 14, 40.0
    x = Axis(f"probability given to {short(state, 28)}", 0, 1, LEFT, RIGHT)
    y = Axis("share in which it came true", 0, 1, bottom, TOP)
    floor = bottom + depth + 20
    parts = [up(y, LEFT, RIGHT), across(x, floor, TOP), stroke(LEFT, bottom, RIGHT, TOP, "ideal")]
    for said, came, n in zip(result.said, result.happened, result.counts, strict=True):
        hint = f"{many(n, 'row')}: said {said:.2f}, came true {between(came)}"
        height = depth * n / max(result.counts)
        parts.append(box(x.at(said) - 9, floor - height, 18, height, "count", hint))
        parts.append(bar(x.at(said), y.at(came.low), x.at(said), y.at(came.high), "candidate interval"))
        parts.append(dot(x.at(said), y.at(came.value), 5, "candidate", hint))
    words = "; ".join(
        f"said {said:.2f}, came true {came.value:.2f} in {many(n, 'row')}"
        for said, came, n in zip(result.said, result.happened, result.counts, strict=True)
    )
    return picture(f"Calibration on the hold-out rows for {state}", f"{words}.", (SMALL, floor + 46), parts)


def spread(found: Pit) -> str:
    """Where the measured values fell in their beliefs, in groups, and how many there should be in each."""
    most = max(int(found.counts.max()), found.high)
    x = Axis("probability below the measured value", 0, 1, LEFT, RIGHT)
    y = Axis("hold-out rows", 0, most * 1.06, BOTTOM, TOP)
    parts = [up(y, LEFT, RIGHT), across(x, BOTTOM, TOP)]
    parts.append(box(LEFT, y.at(found.high), RIGHT - LEFT, y.at(found.low) - y.at(found.high), "expected"))
    for (low, high), n in zip(pairwise(found.edges), found.counts.tolist(), strict=True):
        outside = not found.low <= n <= found.high
        hint = f"{low:.1f} to {high:.1f}: {many(n, 'row')}"
        kind = "missed" if outside else "candidate"
        parts.append(box(x.at(low) + 2, y.at(n), x.at(high) - x.at(low) - 4, BOTTOM - y.at(n), f"{kind} bars", hint))
        if outside:
            parts.append(text((x.at(low) + x.at(high)) / 2, y.at(n) - 4, f"{n}", "tick", "middle"))
    words = ", ".join(f"{n}" for n in found.counts.tolist())
    return picture(
        "Where the measured values fell in their beliefs",
        f"Rows in each tenth, from the lowest: {words}. Chance alone gives {found.low} to {found.high}.",
        SIZE,
        parts,
    )


def covered(found: Coverage) -> str:
    """The share of rows inside their interval, for intervals of every level."""
    x = Axis("level of the interval", 0, 1, LEFT, RIGHT)
    y = Axis("share of the rows inside", 0, 1, BOTTOM, TOP)
    parts = [up(y, LEFT, RIGHT), across(x, BOTTOM, TOP), stroke(LEFT, BOTTOM, RIGHT, TOP, "ideal")]
    for level, share in zip(found.levels.tolist(), found.covered, strict=True):
        parts.append(stroke(x.at(level), y.at(share.low), x.at(level), y.at(share.high), "candidate interval"))
        parts.append(dot(x.at(level), y.at(share.value), 3.5, "candidate", f"level {level:.2f}: {between(share)}"))
    words = "; ".join(
        f"{100 * level:.0f} %: {share.value:.2f}"
        for level, share in zip(found.levels.tolist(), found.covered, strict=True)
    )
    return picture("Share of hold-out rows inside their intervals", f"By level, {words}.", SIZE, parts)


def learning(curve: LearningCurve, what: str, guess: float | None) -> str:
    """The score by the number of rows learnt from; the dashed line is the guess."""
    rows = [float(point.rows) for point in curve.points]
    ends = [x for point in curve.points for x in (point.score.low, point.score.value, point.score.high)]
    right = RIGHT - 14  # a number of rows may be long, and stands around the end of the axis
    x = Axis("rows learnt from", 0, max(rows) * 1.06, LEFT + 10, right)
    y = Axis.around(what, ends if guess is None else [*ends, guess], BOTTOM, TOP)
    parts = [up(y, LEFT + 10, right), across(x, BOTTOM, TOP)]
    if guess is not None:
        parts.append(stroke(LEFT + 10, y.at(guess), right, y.at(guess), "ideal"))
    places = [(x.at(n), y.at(point.score.value)) for n, point in zip(rows, curve.points, strict=True)]
    parts.append(line(places, "candidate faint"))
    for (across_, height), point in zip(places, curve.points, strict=True):
        hint = f"{many(point.rows, 'row')}: {between(point.score)}"
        if point.score.bounded:
            parts.append(bar(across_, y.at(point.score.low), across_, y.at(point.score.high), "candidate interval"))
        parts.append(dot(across_, height, 5, "candidate", hint))
    words = "; ".join(f"{many(point.rows, 'row')}, {between(point.score)}" for point in curve.points)
    also = "" if guess is None else f" The guess has {figure(guess)}, the dashed line."
    return picture(f"What {curve.name} gains by more rows", f"{words}.{also}", SIZE, parts)
