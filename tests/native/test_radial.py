"""Kernels of a distance: the native loops against their NumPy twin, and the same bits with any number of threads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from credo import native
from credo.errors import BadParameter, BadShape, InvalidInput
from credo.native import reference
from credo.native.radial import SHAPES

modest = settings(max_examples=60, deadline=None, derandomize=True)
both = pytest.mark.skipif(not native.available, reason=f"nothing to compare: {native.description()}")
numbers = st.floats(-30, 30) | st.sampled_from([0.0, 1e-160, -1e-150, 1e-8, 1e5, -1e140])


@pytest.fixture(autouse=True)
def thread_limit() -> Iterator[None]:
    before = native.threads()
    yield
    native.set_threads(before)


def twin(shape: str, U: np.ndarray, V: np.ndarray | None, power: float) -> np.ndarray:
    out = np.empty((len(U), len(U if V is None else V)))
    reference.radial(SHAPES.index(shape), U, V, power, out)
    return out


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rows, others, width = draw(st.integers(0, 70)), draw(st.integers(0, 70)), draw(st.integers(1, 3))
    return tuple(draw(hnp.arrays(np.float64, (n, width), elements=numbers)) for n in (rows, others))


@both
@modest
@given(tables(), st.sampled_from(SHAPES), st.floats(0.05, 2.0))
def test_radial(case: tuple, shape: str, power: float) -> None:
    U, V = case
    np.testing.assert_allclose(native.radial(shape, U, V, power), twin(shape, U, V, power), rtol=2e-13, atol=1e-300)
    alone = native.radial(shape, U, None, power)
    np.testing.assert_allclose(alone, twin(shape, U, None, power), rtol=2e-13, atol=1e-300)
    np.testing.assert_array_equal(alone, alone.T)
    np.testing.assert_array_equal(np.diagonal(alone), 1.0)


@both
@modest
@given(tables(), st.sampled_from(SHAPES), st.floats(0.05, 2.0), st.booleans(), st.integers(0, 2**32 - 1))
def test_radial_pull(case: tuple, shape: str, power: float, directed: bool, seed: int) -> None:
    U, rng = np.clip(case[0], -1e5, 1e5), np.random.default_rng(seed)
    W, along = rng.normal(size=(len(U), len(U))), rng.normal(size=U.shape) if directed else None
    ours = native.radial_pull(shape, U, W, power, along=along)
    theirs = reference.radial_pull(SHAPES.index(shape), U, along, W, power)
    scale = np.abs(W).sum() * (1 + np.abs(theirs[1]).max(initial=0.0))
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12 * scale)


@both
@pytest.mark.parametrize("shape", SHAPES)
def test_any_number_of_threads_and_tiles(shape: str) -> None:
    rng = np.random.default_rng(0)
    # (as wide that the work is worth several threads, and not so long that it takes much memory)
    U, V = rng.normal(0, 0.1, size=(517, 150)), rng.normal(0, 0.1, size=(330, 150))
    W = rng.normal(size=(517, 517))
    answers = []
    for threads in (1, 2, 7):
        native.set_threads(threads)
        pulled = native.radial_pull(shape, U, W, 0.7)
        answers.append((native.radial(shape, U, None, 0.7), native.radial(shape, U, V, 0.7), *pulled))
    for other in answers[1:]:
        for one, two in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(answers[0][0], twin(shape, U, None, 0.7), rtol=1e-13)
    np.testing.assert_allclose(answers[0][1], twin(shape, U, V, 0.7), rtol=1e-13)
    expected = reference.radial_pull(SHAPES.index(shape), U, None, W, 0.7)
    for one, two in zip(answers[0][2:], expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-10)


@both
@pytest.mark.parametrize("power", [1e-3, 0.3, 1.0, 2.0])
def test_logarithms_and_powers_keep_their_digits(power: float) -> None:
    # Distances over the whole range, each from the first row.
    U = np.concatenate([[0.0], np.logspace(-140, 140, 500), np.linspace(0.5, 2, 400)])[:, None]
    for shape in ("gamma_exponential", "rational_quadratic"):
        ours, expected = native.radial(shape, U[:1], U, power), twin(shape, U[:1], U, power)
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_slope_along_a_direction_is_that_of_differences(shape: str) -> None:
    rng = np.random.default_rng(1)
    U, along, W = rng.normal(size=(9, 2)), rng.normal(size=(9, 2)), rng.normal(size=(9, 9))
    slopes = native.radial_pull(shape, U, W, 1.3, along=along)[1]
    for j in range(2):
        step = np.zeros_like(U)
        step[:, j] = 1e-6 * along[:, j]
        ahead, behind = (np.vdot(W, native.radial(shape, U + sign * step, None, 1.3)) for sign in (1, -1))
        assert slopes[j] == pytest.approx((ahead - behind) / 2e-6, rel=1e-6, abs=1e-7)


def test_refused() -> None:
    U = np.ones((3, 2))
    with pytest.raises(BadParameter, match="shape must be one of 'se'"):
        native.radial("square", U, None)
    with pytest.raises(InvalidInput, match="float64; got int64"):
        native.radial("se", np.ones((3, 2), dtype=np.int64), None)
    with pytest.raises(BadShape, match="same columns; got 2 and 1"):
        native.radial("se", U, U[:, :1])
    with pytest.raises(BadShape, match=r"W must have shape \(3, 3\)"):
        native.radial_pull("se", U, U)
    with pytest.raises(BadShape, match="along must have the shape of U"):
        native.radial_pull("se", U, np.ones((3, 3)), along=U[:, :1].copy())
