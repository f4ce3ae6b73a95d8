"""Kernels of a part of the columns, or of what a function makes of them."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName
from credo.kernels import SE, Constant, On, Warped, kernel
from credo.testing import check_kernel


def test_on_looks_at_its_columns_only(X) -> None:
    np.testing.assert_array_equal(SE(1.0).on(1)(X), SE(1.0)(X[:, [1]]))
    np.testing.assert_allclose(SE([1.0, 2.0]).on([1, 0])(X), SE([2.0, 1.0])(X), rtol=1e-14)
    np.testing.assert_array_equal(SE(1.0).on(np.array([1]))(X), SE(1.0).on(1)(X))
    check_kernel(SE([1.0, 2.0]).on([1, 0]) + SE(3.0).on(0) * 2.0, X)


def test_a_number_on_some_columns_is_still_a_number(X) -> None:
    assert (Constant(2.0).on(1) * SE(1.0)).pullback(X, np.ones((13, 13)))[0] == pytest.approx(2 * SE(1.0)(X).sum())


def bent(X: np.ndarray) -> np.ndarray:
    return np.exp(X)


def test_warped_compares_what_the_function_makes(X) -> None:
    np.testing.assert_array_equal(SE([1.0, 2.0]).warped(bent)(X, X[:3]), SE([1.0, 2.0])(bent(X), bent(X[:3])))
    check_kernel(SE([1.0, 2.0]).warped(bent) + SE(3.0), X, functions={"bent": bent})
    assert kernel("SE(1).warped(bent)", functions={"bent": bent}) == SE(1.0).warped(bent)


def test_a_warped_circle_is_periodic() -> None:
    from credo.kernels import Periodic

    def circle(X: np.ndarray) -> np.ndarray:
        return np.hstack([np.cos(2 * np.pi * X), np.sin(2 * np.pi * X)])

    x = np.linspace(0, 3, 10)[:, None]
    np.testing.assert_allclose(SE(0.7).warped(circle)(x), Periodic(0.7, 1.0)(x), rtol=1e-12)


def test_what_is_refused() -> None:
    for columns in (-1, 1.0, "a", True, None):
        with pytest.raises(BadParameter, match="columns must be"):
            SE(1.0).on(columns)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="at least one column"):
        SE(1.0).on([])
    with pytest.raises(InvalidInput, match="0 stands twice"):
        SE(1.0).on([0, 0])
    with pytest.raises(BadShape, match=r"X must have a column 2 for SE\(length=1\.0\)\.on\(2\); got 2"):
        SE(1.0).on(2)(np.ones((3, 2)))
    with pytest.raises(BadShape, match=r"X\[:, \[0\]\] must have 2 columns, one for each length"):
        SE([1.0, 2.0]).on(0)(np.ones((3, 2)))
    with pytest.raises(BadParameter, match="function must be a function"):
        SE(1.0).warped("log")  # type: ignore[arg-type]
    with pytest.raises(BadShape, match="same number of rows"):
        SE(1.0).warped(lambda X: X[:1])(np.ones((3, 2)))
    for wrapper in (On, Warped):
        with pytest.raises(BadParameter, match="kernel must be a kernel; got 'SE'"):
            wrapper("SE", 0)
    with pytest.raises(UnknownName):
        SE(1.0).on(0).fixed("period")
