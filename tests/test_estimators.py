"""What estimators are given is refused in one way, by column and row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from credo.errors import InvalidInput
from credo.estimators import classes_of, numbers, refuse_infinite, remember_columns, validated

FRAME = pd.DataFrame({"age": [1.0, 2.0], "height": [3.0, 4.0]})


def test_columns_are_remembered_and_compared() -> None:
    model = BaseEstimator()
    assert numbers(model, FRAME, reset=True, missing=False).tolist() == FRAME.to_numpy().tolist()
    assert list(model.feature_names_in_) == ["age", "height"]
    with pytest.raises(InvalidInput, match="feature names"):
        numbers(model, FRAME[["height", "age"]], reset=False, missing=False)
    with pytest.raises(InvalidInput, match="feature"):
        numbers(model, FRAME[["age"]], reset=False, missing=False)
    with pytest.raises(InvalidInput, match="feature names"):
        validated(model, FRAME.rename(columns={"age": "years"}), reset=False, look_inside=False)


def test_names_of_tables_are_remembered_as_those_of_frames() -> None:
    ours, theirs = BaseEstimator(), BaseEstimator()
    remember_columns(ours, ("age", "height"))
    validated(theirs, FRAME)
    assert ours.n_features_in_ == theirs.n_features_in_
    assert list(ours.feature_names_in_) == list(theirs.feature_names_in_)


@pytest.mark.parametrize("missing", [True, False])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_the_cell_is_named(value: float, missing: bool) -> None:
    model = BaseEstimator()
    remember_columns(model, ("age", "height"))
    rows = np.array([[1.0, 2.0], [3.0, value]])
    if missing and np.isnan(value):
        assert refuse_infinite(model, rows, missing=True) is rows
        return
    with pytest.raises(InvalidInput, match=rf"column 'height' holds {value} in row 1"):
        refuse_infinite(model, rows, missing=missing)


def test_the_cell_of_sparse_rows_is_named() -> None:
    rows = validated(BaseEstimator(), sparse.csc_array([[0.0, 2.0], [3.0, np.inf]]), dtype=np.float64, sparse=True)
    assert rows.format == "csr"
    with pytest.raises(InvalidInput, match=r"column 1 holds inf in row 1"):
        refuse_infinite(BaseEstimator(), rows, missing=False)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        validated(BaseEstimator(), rows, dtype=np.float64)


def test_classes_are_in_order_and_of_one_type() -> None:
    states, codes = classes_of(BaseEstimator(), np.array(["b", "a", "b"], dtype=object))
    assert states.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0, 1]
    for y in (["a", None], [0.5, 1.25]):
        with pytest.raises(InvalidInput, match="the class of each row"):
            classes_of(BaseEstimator(), y)


def test_a_sum_that_overflows_is_no_infinity() -> None:
    rows = np.full((2, 2), 1.7e308)
    assert refuse_infinite(BaseEstimator(), rows, missing=False) is rows


def test_the_remedy_is_for_columns_that_hold_no_numbers() -> None:
    with pytest.raises(InvalidInput, match=r"could not convert.*Encode them"):
        validated(BaseEstimator(), [["a"]], dtype=np.float64, remedy="Encode them")
    with pytest.raises(InvalidInput) as refused:
        validated(BaseEstimator(), [1.0, 2.0], dtype=np.float64, remedy="Encode them")
    assert "Encode them" not in str(refused.value)


def test_rows_and_answers_must_match() -> None:
    with pytest.raises(InvalidInput, match="inconsistent numbers of samples"):
        validated(BaseEstimator(), [[1.0], [2.0]], [1.0], dtype=np.float64)
