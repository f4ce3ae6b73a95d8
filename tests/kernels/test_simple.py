"""Kernels that look at little."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.kernels import SE, Constant, Index, Noise, Wiener
from credo.testing import check_kernel


def test_constant(X) -> None:
    assert (Constant(2.5)(X, X[:4]) == np.full((13, 4), 2.5)).all()
    np.testing.assert_allclose(Constant(2.5)(X), theirs.ConstantKernel(2.5)(X))
    check_kernel(Constant(2.5), X)
    check_kernel(Constant(0.0), X)


def test_noise_is_on_the_diagonal_and_nowhere_else(X) -> None:
    assert (Noise(0.5)(X) == 0.25 * np.eye(13)).all()
    assert (Noise(0.5)(X, X) == 0).all()  # rows 3 and 7 are the same, and still two rows
    np.testing.assert_allclose(Noise(0.5)(X), theirs.WhiteKernel(0.25)(X))
    check_kernel(Noise(0.5), X)
    check_kernel(Noise(0.5) * SE(1.0) + SE(2.0), X)


def test_wiener(rng) -> None:
    x = rng.uniform(0, 5, size=(9, 1))
    expected = [[min(a, b) for b in x[:, 0]] for a in x[:, 0]]
    np.testing.assert_array_equal(Wiener()(x), expected)
    check_kernel(Wiener(), x)
    check_kernel(3.0 * Wiener(), x)


def test_wiener_is_the_covariance_of_sums_of_independent_steps(rng) -> None:
    steps = rng.normal(size=(200_000, 4))
    paths = np.cumsum(steps, axis=1)
    times = np.arange(1.0, 5.0)[:, None]
    np.testing.assert_allclose(np.cov(paths.T), Wiener()(times), atol=0.05)


@pytest.mark.parametrize("shared", [None, [[1.0], [-0.5], [0.0]], [[1.0, 0.2], [-0.5, 0.1], [0.0, 2.0]]])
def test_index(shared) -> None:
    codes = np.array([[0], [2], [1], [1], [2], [0]], dtype=float)
    table = np.diag([1.0, 0.5, 2.0])
    if shared is not None:
        table = table + np.array(shared) @ np.array(shared).T
    kernel = Index([1.0, 0.5, 2.0], shared)
    expected = [[table[int(a), int(b)] for b in codes[:, 0]] for a in codes[:, 0]]
    np.testing.assert_allclose(kernel(codes), expected)
    check_kernel(kernel, codes)


def test_categories_beside_numbers(X) -> None:
    mixed = np.hstack([X, np.arange(13)[:, None] % 3])
    check_kernel(SE([1.0, 2.0]).on([0, 1]) * Index([1.0, 1.0, 1.0], [[1.0], [2.0], [0.5]]).on(2), mixed)


def test_what_is_refused() -> None:
    with pytest.raises(BadParameter, match="sd must be zero or positive; got -1"):
        Noise(-1)
    with pytest.raises(BadShape, match="variance must be a single number"):
        Constant([1.0, 2.0])  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="X must be zero or positive for Wiener"):
        Wiener()([[-1.0]])
    with pytest.raises(BadShape, match=r"X must have one column for Wiener\(\); got 2"):
        Wiener()([[1.0, 2.0]])
    for codes in ([[3.0]], [[0.5]], [[-1.0]]):
        with pytest.raises(InvalidInput, match="X must hold codes from 0 to 2"):
            Index([1.0, 1.0, 1.0])(codes)
    with pytest.raises(BadShape, match="own must be a list"):
        Index(1.0)
    with pytest.raises(BadShape, match="shared must be a table with a row for each of 2 categories"):
        Index([1.0, 1.0], [1.0, 2.0])
