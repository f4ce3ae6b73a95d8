"""Every native loop against its NumPy twin, and the same bits with any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from credo import native
from credo.native import chosen, reference

pytestmark = pytest.mark.skipif(not native.available, reason=f"nothing to compare: {native.description()}")

modest = settings(max_examples=50, deadline=None, derandomize=True)
numbers = st.floats(-1e6, 1e6) | st.just(np.nan)


@pytest.fixture(autouse=True)
def thread_limit() -> Iterator[None]:
    before = native.threads()
    yield
    native.set_threads(before)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[np.ndarray], list[int], np.ndarray | None]:
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    rows = draw(st.integers(0, 40))
    columns = [draw(hnp.arrays(np.int32, rows, elements=st.integers(-1, size - 1))) for size in sizes]
    weights = draw(st.none() | hnp.arrays(np.float64, rows, elements=st.floats(0, 10)))
    return columns, sizes, weights


@modest
@given(
    rows=st.integers(0, 200),
    width=st.integers(0, 40),
    size=st.sampled_from([0.1, 1.0, 100.0, 1e4]),
    seed=st.integers(0, 999),
)
def test_sigmoid_pass(rows: int, width: int, size: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, w, b = rng.normal(size=(rows, width)), size * rng.normal(size=width), float(rng.normal())
    codes, weight = rng.integers(0, 2, rows, dtype=np.int32), rng.random(rows)
    loss, gradient, probs = native.sigmoid_pass(X, w, b, codes, weight)
    expected = reference.sigmoid_pass(X, w, b, codes, weight)
    assert loss == pytest.approx(expected[0], rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(probs, expected[2], rtol=1e-9, atol=1e-300)
    assert (probs.sum(axis=0) == pytest.approx(1.0)) if rows else probs.shape == (2, 0)


@modest
@given(tables())
def test_contingency(case: tuple) -> None:
    columns, sizes, weights = case
    table = native.contingency(columns, sizes, weights)
    np.testing.assert_allclose(table.ravel(), reference.contingency(columns, sizes, weights), rtol=1e-12)
    assert table.shape == tuple(sizes)
    assert table.dtype == (np.int64 if weights is None else np.float64)


@modest
@given(
    hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=3, max_dims=3, min_side=0, max_side=7),
        elements=st.floats(-1e3, 1e3) | st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e308]),
    )
)
def test_log_sum_exp(a: np.ndarray) -> None:
    np.testing.assert_allclose(native.log_sum_exp(a, 1), reference.log_sum_exp(a), rtol=4e-15, atol=4e-15)


@st.composite
def groups_of_rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    rows, columns, k = draw(st.integers(0, 30)), draw(st.integers(0, 5)), draw(st.integers(1, 4))
    X = draw(hnp.arrays(np.float64, (rows, columns), elements=numbers))
    return X, draw(hnp.arrays(np.int32, rows, elements=st.integers(-1, k - 1))), k


@modest
@given(groups_of_rows())
def test_grouped_moments(case: tuple) -> None:
    X, groups, k = case
    scale = np.nanmax(np.abs(X), initial=1.0) if not np.isnan(X).all() else 1.0
    ours, twin = native.grouped_moments(X, groups, k), reference.grouped_moments(X, groups, k)
    np.testing.assert_array_equal(ours[0], twin[0])
    np.testing.assert_allclose(ours[1], twin[1], atol=1e-14 * scale)
    np.testing.assert_allclose(ours[2], twin[2], rtol=1e-10, atol=1e-14 * scale**2)


@modest
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(0, 70), st.integers(0, 5)), elements=numbers | st.just(np.inf)),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
)
def test_gaussian_log_joint(X: np.ndarray, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mean, variance = rng.normal(size=(k, X.shape[1])), rng.gamma(1.0, size=(k, X.shape[1])) + 1e-3
    log_prior = np.log(rng.dirichlet(np.ones(k)))
    log_prior[0] = rng.choice([log_prior[0], -np.inf])
    ours = native.gaussian_log_joint(X, mean, variance, log_prior)
    np.testing.assert_allclose(ours, reference.gaussian_log_joint(X, mean, variance, log_prior), rtol=1e-13)


@pytest.mark.parametrize("width", [1, 3, 20])
def test_many_rows_and_any_number_of_threads(width: int) -> None:
    # Large enough to be cut into many parts, of uneven size; more threads than there are CPUs.
    rng = np.random.default_rng(width)
    rows = 300_007
    X = rng.normal(1e3, 1.0, (rows, width))
    X[rng.random(X.shape) < 0.01] = np.nan
    codes = [rng.integers(-1, size, rows, dtype=np.int32) for size in (3, 4, 7)]
    weights = rng.random(rows)
    a = rng.normal(0, 100, (rows, width))
    mean, variance, log_prior = rng.normal(size=(2, width)), rng.gamma(2.0, size=(2, width)), np.log([0.3, 0.7])
    cases: list[tuple[Callable, Callable]] = [
        (lambda n: n.contingency(codes, [3, 4, 7], None), lambda x: x.ravel()),
        (lambda n: n.contingency(codes, [3, 4, 7], weights), lambda x: x.ravel()),
        (lambda n: n.grouped_moments(X, codes[0], 3), np.stack),
        (lambda n: n.gaussian_log_joint(X, mean, variance, log_prior), np.asarray),
    ]
    for call, flat in cases:
        answers = []
        for threads in (1, 2, 3, 16):
            native.set_threads(threads)
            answers.append(flat(call(native)))
        for other in answers[1:]:
            np.testing.assert_array_equal(answers[0], other)
        np.testing.assert_allclose(answers[0], flat(call(reference)), rtol=1e-9)
    for axis, folded in ((1, a[:, :, None]), (0, a[None])):
        sums = []
        for threads in (1, 3):
            native.set_threads(threads)
            sums.append(native.log_sum_exp(a, axis))
        np.testing.assert_array_equal(sums[0], sums[1])
        np.testing.assert_allclose(sums[0], reference.log_sum_exp(folded).ravel(), rtol=1e-14)


def test_a_large_table_is_counted_once_not_in_parts() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 1000, 300_000, dtype=np.int32) for _ in range(2)]
    expected = reference.contingency(columns, [1000, 1000], None)
    np.testing.assert_array_equal(native.contingency(columns, [1000, 1000]).ravel(), expected)


@pytest.mark.parametrize("bad", [-2, 3, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("row", [0, 200_000, 399_999])
def test_a_code_out_of_range_is_refused_alike_wherever_it_is(
    bad: int, row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = np.zeros(400_000, dtype=np.int32)
    codes[row] = bad
    X = np.zeros((len(codes), 1))
    messages = set()
    for loops in (chosen.loops, reference):
        monkeypatch.setattr("credo.native.border.loops", loops)
        with pytest.raises(native.border.InvalidInput) as refusal:
            native.contingency([codes], [3])
        messages.add(str(refusal.value))
    assert messages == {f"columns[0][{row}] is {bad}; codes must lie from 0 to 2, or be -1 for missing"}
    with pytest.raises(native.border.InvalidInput, match=rf"groups\[{row}\] is {bad}"):
        native.grouped_moments(X, codes, 3)
