"""Matrix products keep to one thread while they are asked to, and not after."""

import numpy as np
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
