import numpy as np
import pytest

from credo.errors import InvalidInput
from credo.naive_bayes.cells import Cells, Examples, split
from credo.naive_bayes.statistics import Statistics
from credo.tables import Table

TABLE = Table(
    {
        "n": [1.0, 2.5, None, 4.0, 9.0],
        "sky": ["red", None, "grey", "red", "blue"],
        "ok": [True, False, None, True, True],
        "y": ["b", "a", "b", None, "a"],
    }
)
X = TABLE.drop("y")


def same(first, second):
    np.testing.assert_allclose(first.classes, second.classes)
    for one, other in zip(first.counts, second.counts, strict=True):
        np.testing.assert_allclose(one, other)
    for one, other in zip(first.moments, second.moments, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-15)


def test_a_table_counts_what_its_rows_would():
    classes, found = Statistics.of_table(TABLE, X.schema, "y")
    assert classes.tolist() == ["a", "b"]
    rows = TABLE.take([0, 1, 2, 4])
    y = np.array([1, 0, 1, 0], dtype=np.int32)
    same(found, Statistics.of_examples(Examples(Cells.of_table(rows.drop("y")), y, 2, None)))
    assert split(X.schema) == (("n",), ("sky", "ok"))
    assert found.classes.tolist() == [2, 2]
    assert found.counts[0].tolist() == [[1, 0], [0, 1], [0, 1]]
    assert found.moments[0].tolist() == [[2], [1]]


def test_weights_of_one_change_nothing():
    cells, y = Cells.of_table(X), np.array([1, 0, 1, 1, 0], dtype=np.int32)
    same(*(Statistics.of_examples(Examples(cells, y, 2, weights)) for weights in (None, np.ones(5))))


def test_columns_of_one_kind_only():
    for columns in (["n"], ["sky", "ok"], []):
        _, found = Statistics.of_table(TABLE, X.schema.select(columns), "y")
        assert found.moments[1].shape == (2, int("n" in columns))
        assert len(found.counts) == len(columns) - ("n" in columns)


def test_a_target_without_classes_is_refused():
    with pytest.raises(InvalidInput):
        Statistics.of_table(TABLE, X.schema, "n")
    with pytest.raises(InvalidInput, match="no class"):
        Statistics.of_table(TABLE.take([3]), X.schema, "y")
