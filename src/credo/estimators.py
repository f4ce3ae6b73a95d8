"""What every estimator does with what it is given, so that each refuses the same things in the same words.

scikit-learn's own validation keeps its contract (names and numbers of columns, lengths, kinds of input); what it
refuses comes back as a ``CredoError``. Infinities, and NaN where a model has no use for missing cells, are looked for
once and named by column and row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from credo.checks import Floats
from credo.errors import InvalidInput

__all__ = ["classes_of", "dealt", "numbers", "refuse_infinite", "remember_columns", "validated"]

Rows = TypeVar("Rows")


def validated(
    model: BaseEstimator,
    X: Any = "no_validation",
    y: Any = "no_validation",
    *,
    reset: bool = True,
    dtype: Any = None,
    look_inside: bool = True,
    remedy: str = "",
    sparse: bool = False,
) -> Any:
    """X, or y, or both, as scikit-learn's ``validate_data`` makes arrays of them; ``model`` remembers the columns.

    Infinities and NaN are let through, for ``refuse_infinite`` to name. With ``look_inside=False`` only the names and
    the number of the columns of a data frame are compared with those of ``fit``. ``remedy`` is what to do about columns
    that hold no numbers. With ``sparse`` a sparse X is allowed, and becomes a matrix of sparse rows (CSR).

    >>> from sklearn.base import BaseEstimator
    >>> validated(BaseEstimator(), [[1, 2]], dtype=np.float64)
    array([[1., 2.]])
    """
    cells = (
        {}
        if isinstance(X, str)
        else {"dtype": dtype, "ensure_all_finite": False, "accept_sparse": "csr" if sparse else False}
    )
    both = {} if isinstance(X, str) or isinstance(y, str) else {"y_numeric": True}
    inside = {} if look_inside else {"skip_check_array": True}
    try:
        return validate_data(model, X, y=y, reset=reset, **(cells | both if look_inside else inside))
    except ValueError as cause:
        advice = f". {remedy}" if remedy and "could not convert" in str(cause) else ""
        raise InvalidInput(f"{cause}{advice}") from None


def numbers(model: BaseEstimator, X: Any, *, reset: bool, missing: bool, remedy: str = "") -> Floats:
    """X as a matrix of numbers with the columns of ``fit``; no infinities, and NaN only where ``missing`` is allowed.

    >>> from sklearn.base import BaseEstimator
    >>> numbers(BaseEstimator(), [[1, np.inf]], reset=True, missing=False)
    Traceback (most recent call last):
    credo.errors.InvalidInput: X must be finite; column 1 holds inf in row 0...
    """
    rows: Floats = validated(model, X, reset=reset, dtype=np.float64, remedy=remedy)
    return refuse_infinite(model, rows, missing=missing)


def refuse_infinite(model: BaseEstimator, rows: Rows, *, missing: bool) -> Rows:
    """``rows``, dense or sparse, if every number in them is finite (or NaN, where ``missing`` is allowed).

    Otherwise the column is named.

    >>> from sklearn.base import BaseEstimator
    >>> refuse_infinite(BaseEstimator(), np.array([[1.0, np.nan]]), missing=True)
    array([[ 1., nan]])
    """
    held: Any = rows
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(held.sum()):  # the cheap question first; a sum of finite numbers may overflow
            return rows
    places = held.tocoo() if sp.issparse(rows) else None
    cells = held if places is None else places.data
    bad = np.argwhere(np.isinf(cells) if missing else ~np.isfinite(cells))
    if not len(bad):
        return rows
    row, column = (int(i) for i in (bad[0] if places is None else (at[bad[0, 0]] for at in places.coords)))
    names = vars(model).get("feature_names_in_", range(held.shape[1]))
    rule, bad_cells, remedy = (
        ("not be infinite", "infinite", "give NaN for what is missing")
        if missing
        else ("be finite", "NaN or infinite", "encode X by tables.Encoder, which fills in what is missing")
    )
    raise InvalidInput(
        f"X must {rule}; column {names[column]!r} holds {held[row, column]} in row {row} "
        f"({len(bad)} cells are {bad_cells}). Leave the rows out, or {remedy}"
    )


def classes_of(model: BaseEstimator, y: Any) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The classes in order, and which of them each row has; checked as scikit-learn does.

    >>> from sklearn.base import BaseEstimator
    >>> classes_of(BaseEstimator(), ["yes", "no", "yes"])
    (array(['no', 'yes'], dtype='<U3'), array([1, 0, 1], dtype=int32))
    """
    held = validated(model, y=y)
    try:
        check_classification_targets(held)
        states, codes = np.unique(held, return_inverse=True)
    except (TypeError, ValueError) as cause:  # classes of different types have no order
        raise InvalidInput(f"y must hold the class of each row, all of one type and none missing ({cause})") from None
    return states, codes.astype(np.int32)


def dealt(rows: NDArray[np.generic], codes: NDArray[np.integer], folds: int) -> NDArray[np.intp]:
    """The fold of each row: the distinct rows of each class are dealt out like cards, so that each fold has its share.

    Equal rows share a fold, so that a weight of 2 is the same as a row that stands there twice. They are dealt in the
    order of their bytes, which is as good as shuffled and the same every time.

    >>> dealt(np.array([[1.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 0, 0]), 2).tolist()
    [0, 0, 0, 1]
    """
    held = np.column_stack([codes, rows]) + 0.0  # minus zero becomes zero
    held[np.isnan(held)] = np.nan  # and there is one NaN
    whole = np.ascontiguousarray(held).view(f"V{held.itemsize * held.shape[1]}").ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    card = np.empty(len(first), dtype=np.intp)
    card[np.argsort(codes[first], kind="stable")] = np.arange(len(first)) % min(folds, len(first))
    fold: NDArray[np.intp] = card[which.ravel()]
    return fold


def remember_columns(model: BaseEstimator, names: Sequence[str]) -> None:
    """Note the columns of a table or a mapping, as scikit-learn does for data frames.

    >>> from sklearn.base import BaseEstimator
    >>> model = BaseEstimator()
    >>> remember_columns(model, ["age", "height"])
    >>> model.n_features_in_
    2
    """
    model.n_features_in_, model.feature_names_in_ = len(names), np.array(names, dtype=object)
