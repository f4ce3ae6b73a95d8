"""The pictures of a report, each with its content said in words."""

from __future__ import annotations

import numpy as np

from credo.evaluation import Reliability
from credo.study.record import Actions, Criterion, Fit, Run
from credo.study.svg import Axis, across, bar, box, dot, picture, stroke, text, up
from credo.study.words import between, figure, many

__all__ = ["acting", "calibration", "comparison", "fitted"]

WIDTH = 560.0


def comparison(runs: tuple[Run, ...], criterion: Criterion) -> str:
    """The score of every fold, the mean and its interval, one candidate below the other."""
    held = [(run, run.mean) for run in runs if run.mean is not None]
    ends = [x for run, mean in held for x in (*run.folds, mean.low, mean.high)]
    way = "right" if criterion.higher_is_better else "left"
    scale = Axis.around(f"{criterion.name} in cross-validation ({way} is better)", ends, 14, WIDTH - 14)
    step, top = 62.0, 8.0
    bottom = top + step * len(held)
    parts = [across(scale, bottom, top)]
    for place, (run, mean) in enumerate(held):
        y = top + step * place
        kind = "baseline" if run.baseline else "candidate"
        parts.append(text(scale.start, y + 15, run.name, "name"))
        parts.append(text(scale.stop, y + 15, between(mean), "tick", "end"))
        parts += [
            dot(scale.at(x), y + 31, 4, f"{kind} faint", f"fold {fold}: {figure(x, 4)}")
            for fold, x in enumerate(run.folds, start=1)
        ]
        parts.append(bar(scale.at(mean.low), y + 46, scale.at(mean.high), y + 46, f"{kind} interval"))
        parts.append(dot(scale.at(mean.value), y + 46, 5, kind, between(mean)))
    words = "; ".join(f"{run.name}: {between(mean)}" for run, mean in held)
    title = f"{criterion.name[0].upper()}{criterion.name[1:]} of every candidate, fold by fold"
    return picture(
        title, f"A dot for each fold, and the mean with its 95 % interval. {words}.", (WIDTH, bottom + 46), parts
    )


def calibration(result: Reliability, state: str) -> str:
    """What was said against what happened; the bars below count the rows."""
    top, bottom, left, right = 34.0, 334.0, 52.0, 352.0
    x = Axis(f"probability given to {_short(state)}", 0, 1, left, right)
    y = Axis("share in which it came true", 0, 1, bottom, top)
    counts, depth = result.counts, 44.0
    floor = bottom + depth + 20
    parts = [up(y, left, right), across(x, floor, top), stroke(left, bottom, right, top, "ideal")]
    for said, came, n in zip(result.said, result.happened, counts, strict=True):
        hint = f"{many(n, 'row')}: said {said:.2f}, came true {between(came)}"
        height = depth * n / max(counts)
        parts.append(box(x.at(said) - 9, floor - height, 18, height, "count", hint))
        parts.append(text(x.at(said), floor - height - 3, f"{n:,}", "tick", "middle"))
        parts.append(bar(x.at(said), y.at(came.low), x.at(said), y.at(came.high), "candidate interval"))
        parts.append(dot(x.at(said), y.at(came.value), 5, "candidate", hint))
    note = right + 22
    key = (
        "dot: a group of rows",
        "bar: 95 % interval",
        "dashed line: as it should be",
        "boxes below: how many",
        "rows are in the group",
    )
    parts += [text(note, top + 22 + 20 * i, words, "tick") for i, words in enumerate(key)]
    parts += [
        text(note, bottom - 40, "mean distance", "tick"),
        text(note, bottom - 20, f"from the line {figure(result.error, 2)}", "tick"),
    ]
    words = "; ".join(
        f"said {said:.2f}, came true {came.value:.2f} in {many(n, 'row')}"
        for said, came, n in zip(result.said, result.happened, counts, strict=True)
    )
    return picture(f"Calibration on the hold-out rows for {state}", f"{words}.", (WIDTH, floor + 46), parts)


def fitted(fit: Fit, target: str) -> str:
    """Measured against predicted, with the 90 % interval of every row shown."""
    top, bottom, left, right = 34.0, 434.0, 62.0, WIDTH - 14
    ends = np.concatenate([fit.truth, fit.low, fit.high])
    x = Axis.around(f"predicted {_short(target)}", fit.predicted, left, right)
    y = Axis.around(f"measured {_short(target)}", ends, bottom, top)
    inside = (fit.low <= fit.truth) & (fit.truth <= fit.high)
    low, high = max(x.low, y.low), min(x.high, y.high)
    parts = [up(y, left, right), across(x, bottom, top)]
    for place, low_end, high_end in zip(fit.predicted, fit.low, fit.high, strict=True):
        parts.append(stroke(x.at(place), y.at(low_end), x.at(place), y.at(high_end), "spread"))
    parts.append(stroke(x.at(low), y.at(low), x.at(high), y.at(high), "ideal"))
    for i in range(len(fit.truth)):
        hint = f"measured {figure(fit.truth[i])}, predicted {figure(fit.predicted[i])}"
        hint += f" ({figure(fit.low[i])} to {figure(fit.high[i])})"
        parts.append(dot(x.at(fit.predicted[i]), y.at(fit.truth[i]), 3, "candidate" if inside[i] else "missed", hint))
    description = (
        f"{inside.sum()} of the {many(len(inside), 'row')} drawn lie within their 90 % interval. On the dashed line, "
        "prediction and measurement agree."
    )
    return picture(f"Measured and predicted {target} on the hold-out rows", description, (WIDTH, bottom + 46), parts)


def acting(actions: Actions) -> str:
    """Two states: the expected loss of every action along the probability, and where the rows lie."""
    top, bottom, left, right = 34.0, 250.0, 52.0, WIDTH - 14
    x = Axis(f"probability of {_short(actions.state)}", 0, 1, left, right)
    column = actions.states.index(actions.state)
    clear = actions.losses[:, 1 - column]  # the losses when it is the other state
    present = actions.losses[:, column]
    # Room for what matters: the best action's loss, not the steepest line's far end.
    grid = np.linspace(0, 1, 201)[:, None]
    risks = clear + grid * (present - clear)
    best = risks.min(axis=1)
    ceiling = max(2.2 * best.max(), best.max() + 1e-9)
    y = Axis("expected loss", min(best.min(), 0.0), ceiling, bottom, top)
    parts = [up(y, left, right), across(x, bottom + 34, top)]
    for row, (p, q) in enumerate(zip(clear, present, strict=True)):
        if min(p, q) > ceiling:
            continue  # never near the best
        cut = (ceiling - p) / (q - p) if p != q else 0.0
        start, end = cut if p > ceiling else 0.0, cut if q > ceiling else 1.0
        heights = [y.at(p + place * (q - p)) for place in (start, end)]
        parts.append(stroke(x.at(start), heights[0], x.at(end), heights[1], f"action a{row % 4}"))
    for found in actions.ranges:
        row = actions.names.index(str(found.action))
        parts.append(box(x.at(found.low), bottom + 2, x.at(found.high) - x.at(found.low), 9, f"fill a{row % 4}"))
    parts += [stroke(x.at(p), bottom + 15, x.at(p), bottom + 29, "mark") for p in actions.probabilities]
    words = "; ".join(
        f"{found.action} is cheapest between {found.low:.2f} and {found.high:.2f}" for found in actions.ranges
    )
    return picture(
        "Expected loss of each action", f"{words}. Marks below are the hold-out rows.", (WIDTH, bottom + 80), parts
    )


def _short(name: str, most: int = 34) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"
