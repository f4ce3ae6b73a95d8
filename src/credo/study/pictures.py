"""The pictures of a report, each with its content said in words."""

from __future__ import annotations

import numpy as np

from credo.checks import Floats
from credo.evaluation import Confusion
from credo.study.record import Actions, Criterion, Fit, Run
from credo.study.svg import Axis, across, bar, box, diamond, dot, picture, stroke, text, up
from credo.study.words import between, figure, many, short

__all__ = ["acting", "comparison", "confused", "fitted"]

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


def fitted(fit: Fit, target: str) -> str:
    """Measured against predicted, with the 90 % interval of every row shown."""
    top, bottom, left, right = 34.0, 434.0, 62.0, WIDTH - 14
    ends = np.concatenate([fit.truth, fit.low, fit.high])
    x = Axis.around(f"predicted {short(target)}", fit.predicted, left, right)
    y = Axis.around(f"measured {short(target)}", ends, bottom, top)
    inside = (fit.low <= fit.truth) & (fit.truth <= fit.high)
    low, high = max(x.low, y.low), min(x.high, y.high)
    parts = [up(y, left, right), across(x, bottom, top)]
    for place, low_end, high_end in zip(fit.predicted, fit.low, fit.high, strict=True):
        parts.append(stroke(x.at(place), y.at(low_end), x.at(place), y.at(high_end), "spread"))
    parts.append(stroke(x.at(low), y.at(low), x.at(high), y.at(high), "ideal"))
    for i in range(len(fit.truth)):
        hint = f"measured {figure(fit.truth[i])}, predicted {figure(fit.predicted[i])}"
        hint += f" ({figure(fit.low[i])} to {figure(fit.high[i])})"
        place = x.at(fit.predicted[i]), y.at(fit.truth[i])
        parts.append(dot(*place, 3, "candidate", hint) if inside[i] else diamond(*place, 4.5, "missed", hint))
    description = (
        f"{inside.sum()} of the {many(len(inside), 'row')} drawn lie within their 90 % interval. On the dashed line, "
        "prediction and measurement agree."
    )
    return picture(f"Measured and predicted {target} on the hold-out rows", description, (WIDTH, bottom + 46), parts)


def acting(actions: Actions) -> str:
    """Two states: the expected loss of every action along the probability, and where the rows lie.

    A number says which action a line or a band belongs to; its colour and dashes only help to find it.
    """
    top, bottom, left, right = 34.0, 250.0, 52.0, WIDTH - 14
    x = Axis(f"probability of {short(actions.state)}", 0, 1, left, right)
    column = actions.states.index(actions.state)
    clear = actions.losses[:, 1 - column]  # the losses when it is the other state
    present = actions.losses[:, column]
    # Room for what matters: the best action's loss, not the steepest line's far end.
    grid = np.linspace(0, 1, 201)
    risks = clear + grid[:, None] * (present - clear)
    best = risks.min(axis=1)
    ceiling = max(2.2 * best.max(), best.max() + 1e-9)
    y = Axis("expected loss", min(best.min(), 0.0), ceiling, bottom, top)
    parts = [up(y, left, right), across(x, bottom + 38, top)]
    labels = []
    for row, (p, q) in enumerate(zip(clear, present, strict=True)):
        if min(p, q) > ceiling:
            continue  # never near the best
        cut = (ceiling - p) / (q - p) if p != q else 0.0
        start, end = cut if p > ceiling else 0.0, cut if q > ceiling else 1.0
        heights = [y.at(p + place * (q - p)) for place in (start, end)]
        parts.append(stroke(x.at(start), heights[0], x.at(end), heights[1], f"action a{row % 4}"))
        place = _clearest(risks, row, (start, end))
        labels.append(text(x.at(grid[place]), y.at(risks[place, row]) + 4, f"{row + 1}", "name", "middle"))
    for found in actions.ranges:
        row = actions.names.index(str(found.action))
        wide = x.at(found.high) - x.at(found.low)
        parts.append(box(x.at(found.low), bottom + 2, wide, 14, f"fill a{row % 4}"))
        if wide > 16:
            labels.append(text(x.at(found.low) + wide / 2, bottom + 13, f"{row + 1}", "on", "middle"))
    parts += [stroke(x.at(p), bottom + 20, x.at(p), bottom + 34, "mark") for p in actions.probabilities]
    foot = bottom + 96
    for row, name in enumerate(actions.names):
        parts.append(stroke(left, foot + 18 * row - 4, left + 30, foot + 18 * row - 4, f"action a{row % 4}"))
        parts.append(text(left + 38, foot + 18 * row, f"{row + 1}  {short(name, 60)}"))
    words = "; ".join(
        f"{found.action} is cheapest between {found.low:.2f} and {found.high:.2f}" for found in actions.ranges
    )
    size = (WIDTH, foot + 18 * len(actions.names) - 6)
    return picture(
        "Expected loss of each action", f"{words}. Marks below are the hold-out rows.", size, [*parts, *labels]
    )


def _clearest(risks: Floats, row: int, span: tuple[float, float]) -> int:
    """Where along a line its number stands clear of the other lines."""
    grid = np.linspace(0, 1, len(risks))
    inner = (grid >= span[0]) & (grid <= span[1]) & (grid > 0.03) & (grid < 0.97)
    others = np.delete(risks, row, axis=1)
    gap = np.abs(others - risks[:, [row]]).min(axis=1, initial=np.ptp(risks) + 1)
    held = np.where(inner, gap, -1.0)
    # Among places that are as clear, the one in the middle.
    good = np.flatnonzero(held >= held.max() * (1 - 1e-9))
    return int(good[len(good) // 2])


def confused(found: Confusion) -> str:
    """What was taken for what, for many classes: the fuller the colour of a cell, the larger its share of the row."""
    n = len(found.states)
    brief = max(map(len, found.states)) <= 3
    names = [name if brief else f"{i}  {short(name, 20)}" for i, name in enumerate(found.states, start=1)]
    left, top = max(20.0 + 7.2 * max(map(len, names)), 84.0), 44.0
    cell = min((WIDTH - left - 14) / n, 28.0)
    parts = [text(4, 14, "true class ↓", "label"), text(left, 14, "answered →", "label")]
    every = max(round(13 / cell + 0.49), 1)  # so that names do not run into each other
    for i in range(0, n, every):
        middle = cell * (i + 0.5)
        parts.append(text(left - 8, top + middle + 4, names[i], "tick", "end"))
        parts.append(text(left + middle, top - 7, found.states[i] if brief else f"{i + 1}", "tick", "middle"))
    shares = found.counts / np.maximum(found.counts.sum(axis=1, keepdims=True), 1)
    parts.append(box(left, top, n * cell, n * cell, "sheet"))
    for i, j in np.argwhere(found.counts):
        share, place = float(shares[i, j]), (left + cell * j, top + cell * i)
        rows = many(int(found.counts[i, j]), "row")
        hint = f"truly {found.states[i]}, answered {found.states[j]}: {rows}, {100 * share:.0f} %"
        strong = share > 0.5
        kind = "" if strong else f"heat{max(round(10 * share), 1)}"
        parts.append(box(*place, cell, cell, f"{'candidate' if i == j else 'missed'} {kind}", hint))
        if cell >= 15:
            parts.append(
                text(
                    place[0] + cell / 2,
                    place[1] + cell / 2 + 3,
                    f"{found.counts[i, j]}",
                    "cell on" if strong else "cell",
                    "middle",
                )
            )
    right = float(np.trace(found.counts) / max(found.counts.sum(), 1))
    classes = many(n, "class", "classes")
    words = f"{classes}; {100 * right:.0f} % of the rows lie on the diagonal, where the answer is right."
    return picture("What was taken for what", words, (WIDTH, top + n * cell + 8), parts)
