"""Does one column alone give the answer away? Asked of rows that were left out, column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats
from credo.study.question import Question
from credo.tables import Table

__all__ = ["Leak", "leaks"]

MOST_ROWS = 4_000  # enough to see an error of 1 %
WRONG = 0.01  # of the rows left out, or one of them
MORE = 20  # times as many errors has the guess
NEAR = 0.05  # of the standard deviation of a number
HIT = 0.95  # of the rows left out are told so nearly


class Leak(NamedTuple):
    """A column, and in what share of the rows it alone tells the target: the class, or the number very nearly."""

    column: str
    share: float


def leaks(question: Question) -> tuple[Leak, ...]:
    """The columns that alone determine the target nearly perfectly, on rows that were left out.

    What a column says of a row is what its nearest value said (of two as near, the smaller), or where the target is a
    number, the line between the two nearest; and for a category the most frequent class, or the mean, of its rows. A
    missing cell is a value of its own.

    >>> from credo.study.question import ask
    >>> sizes = {"size": [float(i) for i in range(400)], "noise": [float(i * i % 17) for i in range(400)]}
    >>> held = ask({**sizes, "kind": ["a"] * 200 + ["b"] * 200}, "kind", loss=None, holdout=0.2, types=None)
    >>> [leak.column for leak in leaks(held)]
    ['size']
    """
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(question.y))[:MOST_ROWS]
    half = len(rows) // 2
    table = question.table.take(rows)
    y = question.y[rows]
    numeric = question.kind == "regression"
    codes = y.astype(np.float64) if numeric else np.unique(y, return_inverse=True)[1].astype(np.float64)
    learnt, asked = codes[:half], codes[half:]
    near = NEAR * float(codes.std()) if numeric else 0.0
    # (a few far-off numbers make everything near to everything: only what beats a guess by much gives away the answer)
    plain = float(np.median(learnt)) if numeric else float(_most(learnt.astype(np.intp)))
    guess = float((np.abs(asked - plain) > near).mean())
    found = []
    for name in table.columns:
        said = _said(table, name, learnt, numeric=numeric)
        wrong = float((np.abs(said - asked) > near).mean())
        if wrong <= (1 - HIT if numeric else max(WRONG, 1 / len(asked))) and wrong * MORE < guess:
            found.append(Leak(name, 1 - wrong))
    return tuple(found)


def _said(table: Table, name: str, learnt: Floats, *, numeric: bool) -> Floats:
    """What the column says of the rows after the first ``len(learnt)``."""
    half = len(learnt)
    if table.kind(name).has_states:
        return _by_state(table.codes(name).astype(np.intp) + 1, learnt, numeric=numeric)
    values = table[name]
    gone = np.isnan(values)
    said = _by_state(gone.astype(np.intp), learnt, numeric=numeric)
    there, wanted = ~gone[:half], ~gone[half:]
    if there.any():
        beside = _between if numeric else _nearest
        said[wanted] = beside(values[:half][there], learnt[there], values[half:][wanted])
    return said


def _between(values: Floats, answers: Floats, wanted: Floats) -> Floats:
    """The answers joined by lines; rows of the same value by their mean."""
    held, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    said: Floats = np.interp(wanted, held, np.bincount(which, weights=answers) / counts)
    return said


def _nearest(values: Floats, answers: Floats, wanted: Floats) -> Floats:
    """The answer beside the nearest value."""
    order = np.argsort(values, kind="stable")
    held = values[order]
    above = np.clip(np.searchsorted(held, wanted), 0, len(held) - 1)
    below = np.clip(above - 1, 0, None)
    place = np.where(wanted - held[below] <= held[above] - wanted, below, above)
    said: Floats = answers[order][place]
    return said


def _by_state(codes: NDArray[np.intp], learnt: Floats, *, numeric: bool) -> Floats:
    """The most frequent class of each state, or its mean; those of all rows where it was not met."""
    half = len(learnt)
    states = int(codes.max()) + 1
    counts = np.bincount(codes[:half], minlength=states)
    if numeric:
        sums = np.bincount(codes[:half], weights=learnt, minlength=states)
        answers = np.where(counts > 0, sums / np.maximum(counts, 1), learnt.mean())
    else:
        classes = learnt.astype(np.intp)
        k = int(classes.max()) + 1
        together = np.bincount(codes[:half] * k + classes, minlength=states * k).reshape(states, k)
        answers = np.where(counts > 0, together.argmax(axis=1), _most(classes)).astype(np.float64)
    said: Floats = answers[codes[half:]]
    return said


def _most(classes: NDArray[np.intp]) -> int:
    return int(np.bincount(classes).argmax())
