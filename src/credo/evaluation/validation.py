"""A model learnt without each fold and judged on it: by refitting, or without a row at a time by a formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput
from credo.evaluation.believing import Worth, believe, worth_of
from credo.evaluation.comparing import fold_mean
from credo.evaluation.dealing import Rows
from credo.evaluation.intervals import Interval, mean
from credo.evaluation.splits import Split
from credo.evaluation.taking import shape_of, take

__all__ = ["Validation", "checked", "cross_validate", "judged"]


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """What a model scored: on each fold, over all, and on every row that judged.

    ``folds`` are means over the rows of each fold. ``mean`` is the mean over folds; its interval allows for training
    rows that folds share, and so for which rows taught as well as for which rows judged. ``rows`` are the rows that
    judged, fold by fold, and ``worths`` what the belief about each was worth.

    >>> from credo.evaluation import folds
    >>> from credo.linear import Ridge
    >>> x = np.arange(8.0)[:, None]
    >>> found = cross_validate(Ridge(), x, x[:, 0] + np.tile([0.0, 0.5], 4), folds(8, 2, rng=0))
    >>> print(found)
    log -0.926 (-2.861 to 1.010) over 2 folds; more is better
    """

    score: Worth
    folds: tuple[Interval, ...]
    mean: Interval
    rows: Rows
    worths: Floats

    def __str__(self) -> str:
        better = "more is better" if self.score.higher_is_better else "less is better"
        folds = f"{len(self.folds)} folds" if len(self.folds) > 1 else "1 fold"
        return f"{self.score.name} {self.mean} over {folds}; {better}"


def cross_validate(
    model: Any,
    X: Any,
    y: Any,
    splits: Iterable[tuple[Rows, Rows]],
    *,
    score: str | Worth = "log",
    n_jobs: int | None = None,
) -> Validation:
    """The model learnt from the training rows of every split, and judged on its test rows.

    ``splits`` come from ``folds``, ``repeated``, ``time_ordered`` or any other scheme. ``score`` is ``"log"`` (the log
    probability, or density, of what came true), ``"accuracy"``, ``"brier"``, ``"crps"``, ``"squared error"``,
    ``"absolute error"`` or a ``Worth`` of your own. A model that chooses its settings by itself, such as
    ``searching.Tuned``, is thereby judged by nested cross-validation. Folds go through joblib; the answer does not
    depend on ``n_jobs``.

    >>> from credo.evaluation import folds
    >>> from credo.linear import Ridge
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> y = x[:, 0] + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> print(cross_validate(Ridge(), x, y, folds(60, 5, rng=0), score="squared error"))
    squared error 0.010 (0.005 to 0.014) over 5 folds; less is better
    """
    from joblib import Parallel, delayed

    worth, targets = worth_of(score), np.asarray(y)
    n = shape_of(X)[0]
    checks.rows_match("X", n, "y", len(targets))
    dealt = checked(splits, n)
    parts: list[Floats] = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(judged)(model, X, targets, split.train, split.test, worth) for split in dealt
    )
    each = tuple(mean(part) for part in parts)
    share = float(np.mean([len(split.test) / len(split.train) for split in dealt]))
    rows = np.concatenate([split.test for split in dealt])
    return Validation(worth, each, _over(each, share), rows, np.concatenate(parts))


def judged(model: Any, X: Any, y: NDArray[Any], train: Rows, test: Rows, worth: Worth) -> Floats:
    """What the belief about each row of ``test`` is worth, of a copy of ``model`` that has learnt from ``train``.

    >>> from credo.linear import Ridge
    >>> x, y = np.arange(5.0)[:, None], np.arange(5.0)
    >>> judged(Ridge(), x, y, np.array([0, 1, 3]), np.array([2, 4]), worth_of("squared error")).round(2)
    array([0.01, 0.22])
    """
    from sklearn.base import clone

    learnt = clone(model).fit(take(X, train), y[train])
    return np.asarray(worth.rows(believe(learnt, take(X, test)), y[test]), dtype=np.float64)


def checked(splits: Iterable[tuple[Rows, Rows]], n: int) -> list[Split]:
    """The splits, if each has rows on both sides, all of them among ``n``, and none that teaches and judges.

    >>> checked([([0, 1], [1, 2])], 3)
    Traceback (most recent call last):
    ...
    credo.errors.InvalidInput: splits must not judge on a row that taught; split 0 does, by row 1
    """
    dealt = []
    for number, split in enumerate(splits):
        try:
            train, test = split
        except (TypeError, ValueError):
            raise InvalidInput(
                f"splits must be pairs of row numbers, (train, test); split {number} is {checks.shown(split)}"
            ) from None
        teach, judge = np.asarray(train), np.asarray(test)
        for side, rows in (("train", teach), ("test", judge)):
            if rows.ndim != 1 or rows.dtype.kind not in "iu" or not len(rows) or rows.min() < 0 or rows.max() >= n:
                raise InvalidInput(
                    f"splits must hold row numbers from 0 to {n - 1} on both sides; the {side} rows of split {number} "
                    f"are {checks.shown(rows.tolist())}"
                )
        both = np.intersect1d(teach, judge)
        if len(both):
            raise InvalidInput(f"splits must not judge on a row that taught; split {number} does, by row {both[0]}")
        dealt.append(Split(teach.astype(np.intp), judge.astype(np.intp)))
    if not dealt:
        raise BadParameter("splits must be one split at least; got none")
    return dealt


def _over(each: Sequence[Interval], share: float) -> Interval:
    """The mean over folds; that over rows where there is one fold."""
    values = np.array([fold.value for fold in each])
    if len(each) == 1:
        return each[0]
    if not np.isfinite(values).all():  # probability zero for what happened
        return mean(values)
    return fold_mean(values, share=share)
