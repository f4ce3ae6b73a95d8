"""The golden rule: rows that judge are seen by no fit, and every look at them is counted."""

from __future__ import annotations

import warnings
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.errors import BadParameter, CredoWarning, InvalidInput
from credo.evaluation.dealing import Rows
from credo.evaluation.taking import shape_of, take

__all__ = ["GoldenRule", "Sealed"]

TIMES = ("first", "second", "third")


class GoldenRule:
    """The numbers of the rows set aside, given out for one look, and data in which no fit can see them.

    ``sealed`` wraps data so that whatever would read a row set aside is refused: a scaler, a choice of columns, a
    search for settings, a model. ``look`` gives the row numbers out, to be judged on; a second look is a choice made by
    what the first one showed, so it is counted, warned of, and told by ``str``.

    >>> X, y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1])
    >>> rule = GoldenRule([4, 5])
    >>> sealed = rule.sealed(X)
    >>> sealed[[0, 3]]
    array([[0., 1.],
           [6., 7.]])
    >>> from sklearn.preprocessing import StandardScaler
    >>> StandardScaler().fit(sealed)
    Traceback (most recent call last):
    ...
    credo.errors.InvalidInput: nothing may be learnt from rows that are set aside to judge; here they are 2: 4, 5. ...
    >>> X[rule.look("the chosen model is judged")]
    array([[ 8.,  9.],
           [10., 11.]])
    >>> print(rule)
    2 rows set aside, looked at once: the chosen model is judged
    """

    __slots__ = ("_looks", "_rows")

    def __init__(self, rows: ArrayLike) -> None:
        held = np.asarray(rows)
        if held.ndim != 1 or held.dtype.kind not in "iu" or not len(held) or held.min() < 0:
            raise BadParameter(f"rows must be the numbers of the rows set aside, 0 or more; got {checks.shown(rows)}")
        self._rows = np.unique(held).astype(np.intp)
        self._looks: tuple[str, ...] = ()

    @property
    def looks(self) -> tuple[str, ...]:
        """What each look was for, in their order."""
        return self._looks

    def look(self, reason: str = "to judge") -> Rows:
        """The numbers of the rows set aside; from the second time on with a warning."""
        self._looks = (*self._looks, reason)
        if len(self._looks) > 1:
            n = len(self._looks)
            ordinal = TIMES[n - 1] if n <= len(TIMES) else f"{n}th"
            warnings.warn(
                f"the rows set aside are looked at for the {ordinal} time ({reason}; before: "
                f"{'; '.join(self._looks[:-1])}). They judge honestly once; to judge again, set fresh rows aside",
                CredoWarning,
                stacklevel=2,
            )
        return self._rows.copy()

    def sealed(self, data: Any) -> Sealed:
        """``data`` (an array, a list, a data frame, a ``Table``) with the rows set aside out of reach."""
        n = shape_of(data)[0]
        if self._rows[-1] >= n:
            raise BadParameter(f"data must hold the rows set aside, up to row {self._rows[-1]}; it has {n} rows")
        return Sealed(data, self._rows)

    def __str__(self) -> str:
        times = {0: "not looked at yet", 1: "looked at once"}.get(
            len(self._looks), f"looked at {len(self._looks)} times"
        )
        why = f": {'; '.join(self._looks)}" if self._looks else ""
        return f"{len(self._rows)} rows set aside, {times}{why}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Sealed:
    """Data whose rows set aside cannot be read; see ``GoldenRule``. The other rows are had by their numbers.

    It can be passed where rows are taken by number before anything is learnt, as scikit-learn's ``cross_val_score``
    does with the splits it is given: they work as long as no row set aside is among them.

    >>> rows = GoldenRule([0]).sealed(["a", "b", "c"])
    >>> rows[[1, 2]], len(rows)
    (array(['b', 'c'], dtype='<U1'), 3)
    """

    __slots__ = ("_aside", "_data")

    def __init__(self, data: Any, aside: Rows) -> None:
        self._data, self._aside = data, aside

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows, and columns if there are any; the rows set aside count."""
        return shape_of(self._data)

    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, tuple) and len(rows) == 2 and rows[1] is Ellipsis:  # as scikit-learn asks
            rows = rows[0]
        one = isinstance(rows, (int, np.integer))
        try:
            wanted = np.arange(len(self))[np.asarray([rows]) if one else rows]
        except (IndexError, TypeError):
            if one:
                raise IndexError(f"there is no row {rows} among {len(self)}") from None
            raise InvalidInput(f"rows must be row numbers or True and False; got {checks.shown(rows)}") from None
        if np.isin(self._aside, wanted).any():
            self._refuse(self._aside[np.isin(self._aside, wanted)])
        taken = take(self._data, wanted)
        return taken[0] if one and isinstance(taken, np.ndarray) else taken

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Never:  # noqa: FBT001
        self._refuse(self._aside)

    def __repr__(self) -> str:
        return f"<{len(self)} rows, {len(self._aside)} of which are set aside>"

    @staticmethod
    def _refuse(rows: Rows) -> Never:
        named = ", ".join([*(str(row) for row in rows[:5]), *(["…"] if len(rows) > 5 else [])])
        raise InvalidInput(
            f"nothing may be learnt from rows that are set aside to judge; here they are {len(rows)}: {named}. "
            "Take the training rows alone, sealed[train]"
        )
