"""How much rows count."""

import numpy as np
import pytest

from credo.errors import BadShape, InvalidInput
from credo.linear.examples import count_rows

CODES, CLASSES = np.array([0, 1, 1], dtype=np.int32), np.array(["a", "b"])


def test_weights_of_rows_and_of_classes_multiply():
    np.testing.assert_allclose(count_rows(CODES, CLASSES, [1, 2, 3], {"b": 0.5}), [1, 1, 1.5])
    np.testing.assert_allclose(count_rows(CODES, CLASSES, [1, 2, 3], "balanced"), [3, 1.2, 1.8])


def test_a_class_that_counts_for_nothing_is_refused():
    with pytest.raises(InvalidInput, match="'b' are zero"):
        count_rows(CODES, CLASSES, None, {"b": 0.0})
    with pytest.raises(InvalidInput, match="'a' are zero"):
        count_rows(CODES, CLASSES, [0, 1, 1], "balanced")
    with pytest.raises(BadShape, match="sample_weight"):
        count_rows(CODES, CLASSES, [1.0], None)
