"""The algebra: what holds of every expression of kernels."""

from __future__ import annotations

import tracemalloc
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.expressions import kernels

from credo import native
from credo.errors import BadParameter, NumericalFailure
from credo.kernels import (
    SE,
    Constant,
    Cosine,
    Kernel,
    Linear,
    Matern52,
    NeuralNetwork,
    Noise,
    Periodic,
    Polynomial,
    Power,
    Product,
    Sum,
    kernel,
)
from credo.testing import check_kernel

modest = settings(max_examples=40, deadline=None, derandomize=True)
ROWS = np.random.default_rng(3).normal(size=(7, 2))
OTHERS = np.random.default_rng(4).normal(size=(3, 2))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(kernels)
def test_every_expression_keeps_the_contract(drawn: Kernel) -> None:
    # A product of several polynomials has entries of a thousand and more, and so have its differences rounding.
    check_kernel(drawn, 0.5 * ROWS, tolerance=1e-5)


@modest
@given(kernels, kernels, st.floats(0.1, 5.0), st.integers(1, 4))
def test_entries_are_added_and_multiplied(a: Kernel, b: Kernel, c: float, n: int) -> None:
    A, B = a(ROWS, OTHERS), b(ROWS, OTHERS)
    for made, expected in (
        (a + b, A + B),
        (a * b, A * B),
        (c * a, c * A),
        (a * c, c * A),
        (a + c, A + c),
        (c + a, c + A),
        (a**n, A**n),
    ):
        scale = np.abs(expected).max(initial=1e-12)
        np.testing.assert_allclose(made(ROWS, OTHERS), expected, rtol=1e-9, atol=1e-12 * scale)


@modest
@given(kernels, kernels, kernels)
def test_brackets_of_one_operation_make_no_difference(a: Kernel, b: Kernel, c: Kernel) -> None:
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert hash((a + b) + c) == hash(a + (b + c))


@modest
@given(kernels, st.floats(0.1, 5.0), st.floats(0.1, 5.0))
def test_a_number_beside_a_number_is_one_number(a: Kernel, c: float, d: float) -> None:
    assert len((c * (d * a)).parameters) == len((c * a).parameters)
    assert 2.0 * (3.0 * SE(1.0)) == 6.0 * SE(1.0)
    assert 2.0 * Constant(3.0) == Constant(6.0)


def test_gradients_of_a_product_of_many(rng) -> None:
    factors = [SE([1.0, 2.0]), Linear(0.5) + 1.0, Cosine(3.0), 2.0 * Periodic(1.0, 4.0), Polynomial(2, 0.7)]
    whole = Product(factors)
    np.testing.assert_allclose(whole(ROWS), prod(factor(ROWS) for factor in factors), rtol=1e-12)
    check_kernel(whole, ROWS)


def test_a_number_multiplies_without_a_matrix_of_its_own() -> None:
    # The slope along its logarithm is the sum itself.
    W = np.random.default_rng(0).normal(size=(7, 7))
    scaled = 3.0 * SE(1.0)
    assert scaled.pullback(ROWS, W)[0] == pytest.approx(np.vdot(W, scaled(ROWS)))


def test_products_of_nothing_but_numbers() -> None:
    both = Constant(2.0) * Constant(3.0)
    assert isinstance(both, Product)
    assert (both(ROWS) == 6.0).all()
    check_kernel(both, ROWS)
    check_kernel(Constant(2.0) + Constant(3.0), ROWS)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (2.0**2 * SE(1.5) + Noise(0.1), "4.0 * SE(length=1.5) + Noise(sd=0.1)"),
        (2.0 * (SE(1.0) + 3.0), "2.0 * (SE(length=1.0) + 3.0)"),
        (3.0 + SE(1.0), "3.0 + SE(length=1.0)"),
        (SE(1.0) * Constant(2.0), "SE(length=1.0) * Constant(variance=2.0)"),
        ((2.0 * SE(1.0)) ** 2, "(2.0 * SE(length=1.0))**2"),
        ((SE(1.0) ** 2) ** 3, "(SE(length=1.0)**2)**3"),
        ((SE(1.0) + Noise(1.0)).on(1), "(SE(length=1.0) + Noise(sd=1.0)).on(1)"),
        (SE(1.0).on([1, 0]) ** 2, "SE(length=1.0).on([1, 0])**2"),
        (Constant(2.0) * Constant(3.0) * SE(1.0), "Constant(variance=2.0) * Constant(variance=3.0) * SE(length=1.0)"),
    ],
)
def test_brackets_stand_where_they_are_needed(made: Kernel, text: str) -> None:
    assert str(made) == text
    assert kernel(text) == made


@pytest.mark.parametrize("number", [np.float64(2.0), np.float32(2.0), np.int64(2), 2])
def test_numbers_of_numpy_are_numbers(number) -> None:
    assert number * SE(1.0) == SE(1.0) * number == 2.0 * SE(1.0)
    assert number + SE(1.0) == 2.0 + SE(1.0)
    assert SE(1.0) + number == SE(1.0) + 2.0


@pytest.mark.parametrize(
    ("made", "matrices"),
    [
        (SE([1.0] * 40), 0.5),
        (Matern52([1.0] * 40) + 2.0 * SE([1.0] * 40) + Noise(0.1), 0.5),
        (SE([1.0] * 40) * Linear([1.0] * 40), 3.5),
        (Periodic([1.0] * 40, [2.0] * 40), 1.0),
        (NeuralNetwork([1.0] * 41), 4.5),
        (Polynomial(3, 1.0) * SE(1.0), 5.5),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.skipif(not native.available, reason="the NumPy twins take more")
def test_gradients_take_the_memory_of_a_few_matrices(made: Kernel, matrices: float) -> None:
    n = 600
    X, W = np.random.default_rng(0).normal(size=(n, 40)), np.ones((n, n))
    made.pullback(X, W)
    tracemalloc.start()
    made.pullback(X, W)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= matrices * 8 * n**2


def test_long_sums_are_one_sum() -> None:
    whole = kernel(" + ".join(["SE(1)"] * 300))
    assert isinstance(whole, Sum)
    assert len(whole.parts) == 300
    assert kernel(str(whole)) == whole


def test_what_is_refused() -> None:
    for wrong in ("SE", None, [1.0], True):
        with pytest.raises(TypeError, match="unsupported operand"):
            SE(1.0) + wrong  # type: ignore[operator]
        with pytest.raises(TypeError):
            wrong * SE(1.0)  # type: ignore[operator]
    with pytest.raises(BadParameter, match="variance must be zero or positive; got -2"):
        -2.0 * SE(1.0)
    with pytest.raises(BadParameter, match="a number beside a kernel must be finite"):
        SE(1.0) * np.inf
    with pytest.raises(BadParameter, match=r"the power of a kernel must be a whole number; got 0\.5"):
        SE(1.0) ** 0.5  # type: ignore[operator]
    with pytest.raises(BadParameter, match="the power of a kernel must be between 1 and 100; got 0"):
        SE(1.0) ** 0
    with pytest.raises(BadParameter, match="parts must be two kernels or more; got 1"):
        Sum([SE(1.0)])
    with pytest.raises(BadParameter, match="a kernel was expected; got 'SE'"):
        Product([SE(1.0), "SE"])  # type: ignore[list-item]
    with pytest.raises(BadParameter, match="a kernel was expected"):
        Power("SE", 2)  # type: ignore[arg-type]
    for large in (
        Linear() ** 3,
        SE(1.0) * Linear() * Linear() * Linear(),
        0.0 * Linear() ** 3,
        Linear() + Linear() ** 3,
    ):
        with pytest.raises(NumericalFailure, match="Rescale the columns"):
            large([[1e110]])
    for large in (1e200 * SE(1.0) * Constant(1e200), (1e200 * SE(1.0)) ** 2, Noise(1e200)):
        with pytest.raises(NumericalFailure, match="not finite"):
            large([[1.0], [1.0]])
