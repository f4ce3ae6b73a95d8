"""Matrix products keep to one thread while they are asked to, and not after."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from credo.numerics import one_blas_thread


def blas_threads() -> set[int]:
    np.eye(2) @ np.eye(2)
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_only_while_it_lasts_and_only_when_it_is_meant() -> None:
    before = blas_threads()
    with one_blas_thread():
        assert blas_threads() == {1}
    assert blas_threads() == before
    with one_blas_thread(when=False):
        assert blas_threads() == before


def test_the_first_gives_back_what_others_find_limited() -> None:
    before = blas_threads()
    entered, left = Barrier(2, timeout=10), Barrier(2, timeout=10)

    def other() -> set[int]:
        with one_blas_thread():
            seen = blas_threads()
            entered.wait()
            left.wait()  # the first is gone
        return seen

    with ThreadPoolExecutor(1) as crew:
        with one_blas_thread():
            other_seen = crew.submit(other)
            entered.wait()
        left.wait()
        assert other_seen.result() == {1}
    assert blas_threads() == before
    with one_blas_thread():  # and all begins anew
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_within_itself() -> None:
    before = blas_threads()
    with one_blas_thread():
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == before


def test_an_import_that_fails_leaves_nothing_locked(monkeypatch):
    from credo.numerics import threads

    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with pytest.raises(ImportError), one_blas_thread():
        pass
    assert not threads._first.locked()
