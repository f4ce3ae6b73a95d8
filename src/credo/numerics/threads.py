"""Whose threads are busy: those of matrix products, or our own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["one_blas_thread"]


@contextmanager
def one_blas_thread(*, when: bool = True) -> Iterator[None]:
    """While this lasts, matrix products run on the thread that asks for them: our own threads are the parallel ones.

    BLAS's would wait for each other and for ours, at several times the cost of the products themselves.

    >>> with one_blas_thread():
    ...     pass
    """
    if not when:
        yield
        return
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield
