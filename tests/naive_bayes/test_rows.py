import numpy as np
import pandas as pd
import pytest

from credo.errors import InvalidInput
from credo.naive_bayes import NaiveBayes, rows
from credo.tables import Table


def test_numbers_in_an_array_are_not_copied():
    X = np.arange(6.0).reshape(3, 2)
    cells, schema = rows.learn(NaiveBayes(), X, None)
    assert schema is None
    assert np.shares_memory(cells.numbers, X)
    assert cells.codes == ()


def test_columns_are_sorted_out_by_kind():
    cells, schema = rows.learn(NaiveBayes(), {"sky": ["red", "grey"], "n": [1.5, None]}, None)
    assert rows.names_of(schema, 2) == ("n", "sky")
    assert cells.codes[0].tolist() == [1, 0]
    assert cells.sizes == (2,)
    np.testing.assert_array_equal(cells.numbers, [[1.5], [np.nan]])


def test_categories_are_categories_whatever_they_look_like():
    X = [[3.0, 0.5], [7.0, 1.5], [3.0, np.nan]]
    for given, categories in ((X, [0]), (pd.DataFrame(X, columns=["code", "x"]), ["code"])):
        cells, _ = rows.learn(NaiveBayes(), given, categories)
        assert cells.codes[0].tolist() == [0, 1, 0]
        assert cells.numbers.shape == (3, 1)


def test_infinity_is_found_whatever_else_is_missing():
    X = np.full((4, 3), np.nan)
    rows.learn(NaiveBayes(), X, None)
    for bad in (np.inf, -np.inf):
        X[2, 1] = bad
        with pytest.raises(InvalidInput, match=r"column 1 holds -?inf in row 2"):
            rows.learn(NaiveBayes(), X, None)
    huge = np.full((4, 3), 1e308)  # finite, though the sum is not
    assert rows.learn(NaiveBayes(), huge, None)[0].numbers.max() == 1e308


def test_one_row_in_every_shape():
    assert rows.one({"a": 1, "b": "x"}) == {"a": [1], "b": ["x"]}
    assert rows.one([1, "x"]) == [[1, "x"]]
    assert rows.one([[1, "x"]]) == [[1, "x"]]
    assert rows.one(pd.Series({"a": 1, "b": "x"})) == {"a": [1], "b": ["x"]}
    table = Table({"a": [1.5]})
    assert rows.one(table) is table
