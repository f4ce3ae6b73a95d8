"""LAPACK without Python's lock: the same numbers as SciPy's own, and other threads go on."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from scipy.linalg.lapack import dpotrf, dpotri

from credo.errors import BadShape
from credo.numerics import overwrite_triangle


def covariance(n: int):
    X = np.random.default_rng(0).normal(size=(n, n))
    return np.asfortranarray(X @ X.T + np.eye(n))


@pytest.mark.parametrize("n", [1, 7, 200])
def test_the_same_as_scipy_to_the_last_bit(n):
    A = covariance(n)
    factor, _ = dpotrf(A, lower=1, clean=0)
    inverse, _ = dpotri(factor, lower=1)
    assert overwrite_triangle("dpotrf", A) == 0
    np.testing.assert_array_equal(A, factor)
    assert overwrite_triangle("dpotri", A) == 0
    np.testing.assert_array_equal(A, inverse)


def test_where_it_fails_is_said():
    A = np.array([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]], order="F")
    assert overwrite_triangle("dpotrf", A) == dpotrf(A, lower=1)[1] == 2


def test_other_threads_go_on():
    A, ended, steps = covariance(1500), threading.Event(), 0

    def work() -> None:
        overwrite_triangle("dpotrf", A)
        ended.set()

    busy = threading.Thread(target=work)
    busy.start()
    while not ended.wait(1e-4):
        steps += 1
    busy.join()
    assert steps > 3  # with the lock kept, there would be one or two


@pytest.mark.parametrize(
    "A",
    [np.eye(3), np.zeros((2, 3), order="F"), np.eye(3, dtype=np.float32, order="F"), np.zeros(4)],
    ids=["by rows", "not square", "float32", "a vector"],
)
def test_other_arrays_are_refused(A):
    A = A.copy() if A.shape != (3, 3) or A.dtype != np.float64 else np.ascontiguousarray([[1.0, 2], [3, 4]])
    with pytest.raises(BadShape, match="column-major"):
        overwrite_triangle("dpotrf", A)


def test_what_may_not_be_written_to_is_refused():
    A = covariance(2)
    A.flags.writeable = False
    with pytest.raises(BadShape, match="written to"):
        overwrite_triangle("dpotrf", A)
