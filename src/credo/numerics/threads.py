"""Whose threads are busy: those of matrix products, or our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

__all__ = ["one_blas_thread"]


# Whoever is the first within `one_blas_thread` holds it. The limit is one of the whole process, and some BLAS take a
# number only from the thread that set it before, so the first gives it back, and for the others there is nothing to do.
_first = Lock()


@contextmanager
def one_blas_thread(*, when: bool = True) -> Iterator[None]:
    """While this lasts, matrix products run on the thread that asks for them: our own threads are the parallel ones.

    BLAS's would wait for each other and for ours, at several times the cost of the products themselves. It may be
    entered again, and by several threads at once: what the first has set is given back when the first leaves.

    >>> with one_blas_thread():
    ...     pass
    """
    from threadpoolctl import threadpool_limits

    if not when or not _first.acquire(blocking=False):
        yield
        return
    try:
        with threadpool_limits(limits=1, user_api="blas"):
            yield
    finally:
        _first.release()
