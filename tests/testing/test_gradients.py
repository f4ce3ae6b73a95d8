"""The contract of gradients finds what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from credo.testing import check_gradient


def test_a_right_gradient_passes_at_any_scale() -> None:
    for scale in (1e-6, 1.0, 1e6):
        check_gradient(lambda x, s=scale: (s * float(np.exp(x).sum()), s * np.exp(x)), [0.0, 1.0, -3.0])
    check_gradient(lambda x: (1e8 + float(np.sin(x).sum()), np.cos(x)), [1e3, 2.0])


@pytest.mark.parametrize("wrong", [1.001, -1.0, 0.0])
def test_a_wrong_gradient_is_found(wrong: float) -> None:
    with pytest.raises(AssertionError, match="entry 1"):
        check_gradient(lambda x: (float(x @ x), 2 * x * [1.0, wrong]), [1.0, 2.0])


def test_a_gradient_of_another_shape_is_found() -> None:
    with pytest.raises(AssertionError, match="shape"):
        check_gradient(lambda x: (float(x @ x), 2 * x[:1]), [1.0, 2.0])


def test_a_gradient_that_is_not_a_number_is_found() -> None:
    with pytest.raises(AssertionError, match="entry 0"):
        check_gradient(lambda x: (float(x @ x), np.full(1, np.nan)), [1.0])
