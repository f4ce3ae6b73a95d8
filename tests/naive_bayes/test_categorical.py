import numpy as np
import pytest

from credo.naive_bayes.categorical import CategoryColumns

COUNTS = [np.array([[3, 0], [1, 0], [0, 0]]), np.array([[5, 2], [0, 6]])]


def test_the_m_estimate_by_hand():
    law = CategoryColumns.fit(COUNTS, classes=2, m=2.0)
    third = 2 / 3
    expected = [[(3 + third) / 6, 1 / 3], [(1 + third) / 6, 1 / 3], [third / 6, 1 / 3], [1, 1]]
    np.testing.assert_allclose(np.exp(law.log_probs[0]), expected)


@pytest.mark.parametrize("m", [0.0, 1e-9, 1.0, 1e9])
def test_each_class_has_a_distribution_over_the_states(m):
    law = CategoryColumns.fit(COUNTS, classes=2, m=m)
    for table in law.log_probs:
        np.testing.assert_allclose(np.exp(table[:-1]).sum(axis=0), 1)


def test_without_imagined_rows_they_are_relative_frequencies():
    law = CategoryColumns.fit(COUNTS, classes=2, m=0.0)
    np.testing.assert_allclose(np.exp(law.log_probs[1][:2]), [[1, 0.25], [0, 0.75]])


def test_missing_cells_add_nothing_and_columns_add_up():
    law = CategoryColumns.fit(COUNTS, classes=2, m=1.0)
    cells = [np.array([0, -1, 2, -1], dtype=np.int32), np.array([1, 0, -1, -1], dtype=np.int32)]
    total = law.log_likelihood(cells)
    np.testing.assert_allclose(total, law.by_column(cells).sum(axis=0))
    np.testing.assert_allclose(total[1], law.log_probs[1][0])
    np.testing.assert_array_equal(total[3], [0, 0])


def test_a_column_without_states_says_nothing():
    law = CategoryColumns.fit([np.zeros((0, 2))], classes=2, m=1.0)
    np.testing.assert_array_equal(law.log_likelihood([np.full(3, -1, dtype=np.int32)]), np.zeros((3, 2)))
