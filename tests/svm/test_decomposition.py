"""Problems in parts against the same problems whole: the cache, shrinking, single precision, and large kernels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import Outcome
from credo.kernels import SE, Linear
from credo.svm import decomposition
from credo.svm.cache import RowCache
from credo.svm.decomposition import solve_in_parts
from credo.svm.dual import Dual, Inseparable, Settings, solve_whole
from credo.svm.likeness import OfKernel, OfMatrix, OfProducts, likeness, times
from credo.svm.watch import Watch


def problem(n=700, d=3, seed=0, limit=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    target = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, Dual(target, np.full(n, limit))


def value(dual, K, beta):
    return dual.target @ beta - 0.5 * beta @ K @ beta


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(decomposition, "TOGETHER", 32)


@pytest.mark.parametrize("limit", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-7])
@pytest.mark.parametrize("cache", [1e4, 1e8])
def test_in_parts_ends_where_the_whole_does(limit, tolerance, cache):
    X, dual = problem(limit=limit)
    K = SE(1.0)(X)
    whole = solve_whole(dual, K, Settings(1e-9), Watch())
    parts = solve_in_parts(dual, likeness(SE(1.0), X), np.arange(700), Settings(tolerance, cache=cache), Watch())
    assert parts.outcome is Outcome.CONVERGED
    most, least = dual.ends(parts.beta, parts.slack)
    assert most - least <= tolerance
    np.testing.assert_allclose(parts.slack, dual.target - K @ parts.beta, atol=1e-10 * max(limit, 1))
    assert value(dual, K, parts.beta) == pytest.approx(value(dual, K, whole.beta), rel=1e-2 * tolerance, abs=1e-9)
    assert abs(parts.beta.sum()) < 1e-9 * max(limit, 1)
    assert parts.bias(dual) == pytest.approx(whole.bias(dual), abs=2 * tolerance + 1e-6)


def test_large_kernels_of_low_rank_are_solved_through_single_precision():
    # Far from the origin, a linear kernel in single precision has lost what tells the rows apart.
    X, dual = problem(300, 2)
    X, dual = (
        30 * X + 100,
        Dual(np.where(X[:, 0] > 0.3 * X[:, 1], 1.0, -1.0) * np.where(X[:, 0] > 2, -1, 1), dual.limit),
    )
    K = Linear()(X)
    found = solve_in_parts(dual, OfKernel(Linear(), X), np.arange(300), Settings(1e-4), Watch())
    most, least = dual.ends(found.beta, dual.target - K @ found.beta)
    assert found.outcome is Outcome.CONVERGED
    assert most - least <= 1.1e-4


def test_rows_without_a_say_are_followed_and_a_start_is_gone_on_from():
    X, dual = problem()
    alike, rows, K = likeness(SE(1.0), X), np.arange(700), SE(1.0)(X)
    full = solve_in_parts(dual, alike, rows, Settings(), Watch())
    others = dual.without(rows[::5])
    cold = solve_in_parts(others, alike, rows, Settings(), Watch())
    warm = solve_in_parts(others, alike, rows, Settings(), Watch(), others.nearest_start(full.beta))
    assert warm.steps < cold.steps
    assert not warm.beta[::5].any()
    np.testing.assert_allclose(warm.slack, others.target - K @ warm.beta, atol=1e-10)
    assert value(others, K, warm.beta) == pytest.approx(value(others, K, cold.beta), rel=1e-5)


def test_idle_rows_are_left_out_and_looked_at_again(monkeypatch):
    X, dual = problem(900, limit=0.3)
    seen = []
    narrow = RowCache.narrow

    def counted(self, keep):
        seen.append(len(keep))
        return narrow(self, keep)

    monkeypatch.setattr(RowCache, "narrow", counted)
    monkeypatch.setattr(decomposition, "ROUNDS_TO_SHRINK", 2)
    found = solve_in_parts(dual, likeness(SE(1.0), X), np.arange(900), Settings(1e-5), Watch())
    assert min(seen) < 450
    most, least = dual.ends(found.beta, dual.target - SE(1.0)(X) @ found.beta)
    assert most - least <= 1e-5


def test_it_stops_by_hand_out_of_steps_and_without_a_margin():
    X, dual = problem()
    alike, rows = likeness(SE(1.0), X), np.arange(700)
    watch = Watch()
    watch.stopped = True
    assert solve_in_parts(dual, alike, rows, Settings(), watch).outcome is Outcome.INTERRUPTED
    short = solve_in_parts(dual, alike, rows, Settings(steps=50), Watch())
    assert short.outcome is Outcome.OUT_OF_STEPS
    assert value(dual, SE(1.0)(X), short.beta) > 0
    hard = Dual(dual.target, np.full(700, np.inf))
    with pytest.raises(Inseparable):
        solve_in_parts(hard, OfKernel(Linear(), X), rows, Settings(), Watch())
    narrow = solve_in_parts(hard, likeness(SE(0.1), X), rows, Settings(), Watch())
    assert narrow.outcome is Outcome.CONVERGED


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_the_cache_holds_what_it_says(data):
    n = data.draw(st.integers(4, 20))
    K = np.random.default_rng(n).normal(size=(n, n)).astype(np.float32).astype(float)
    cache = RowCache(OfMatrix(K), np.arange(n), size=4 * n * data.draw(st.integers(3, 8)), least=3)
    columns = np.arange(n)
    for _ in range(data.draw(st.integers(1, 12))):
        if len(columns) > 4 and data.draw(st.booleans()):
            keep = np.sort(data.draw(st.lists(st.integers(0, len(columns) - 1), min_size=3, unique=True)))
            columns = columns[keep]
            cache.narrow(keep)
        wanted = np.array(data.draw(st.lists(st.integers(0, len(columns) - 1), min_size=1, max_size=3, unique=True)))
        before = cache.made
        slots = cache.fetch(wanted)
        np.testing.assert_array_equal(cache.held[slots], K[np.ix_(columns[wanted], columns)])
        assert cache.made - before <= len(wanted)
        assert cache.fetch(wanted).tolist() == slots.tolist()
        assert cache.held.size * 4 <= max(cache.memory.nbytes, 1)


@pytest.mark.parametrize("length", [1.7, [0.5, 2.0, 9.0]])
def test_products_tell_what_the_kernel_tells(length):
    X = np.random.default_rng(3).normal(5.0, 1.0, (200, 3))
    one, other = np.arange(0, 200, 3), np.arange(150)
    alike, expected = likeness(SE(length), X), SE(length)(X[one], X[other])
    assert isinstance(alike, OfProducts)
    np.testing.assert_allclose(alike(one, other), expected, rtol=1e-12)
    np.testing.assert_allclose(alike(other, one), expected.T, rtol=1e-12)
    short = alike.single()
    block = short.block(short.take(one), short.take(other))
    assert block.dtype == np.float32
    np.testing.assert_allclose(block, expected, atol=2e-5)
    vector = np.random.default_rng(0).normal(size=150)
    np.testing.assert_allclose(times(alike, one, other, vector), expected @ vector, rtol=1e-10)


def test_rows_too_far_apart_for_products_are_left_to_the_kernel():
    X = np.random.default_rng(3).normal(size=(50, 2))
    assert isinstance(likeness(SE(1e-4), X), OfKernel)
    assert likeness(SE(0.05), X).single().rows.dtype == np.float64
