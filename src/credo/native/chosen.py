"""Which loops run here, native ones or their NumPy twins, and on how many threads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter
from credo.native import reference

__all__ = ["available", "description", "loops", "set_threads", "threads"]


class Loops(Protocol):
    """What the native module and its twin both are."""

    def contingency(
        self, columns: Sequence[NDArray[np.int32]], sizes: Sequence[int], weights: Floats | None
    ) -> NDArray[Any]: ...
    def log_sum_exp(self, a: Floats) -> Floats: ...
    def grouped_moments(
        self, X: Floats, groups: NDArray[np.int32], k: int
    ) -> tuple[NDArray[np.int64], Floats, Floats]: ...
    def gaussian_log_joint(self, X: Floats, mean: Floats, variance: Floats, log_prior: Floats) -> Floats: ...


loops: Loops = reference
_why_not: str | None = None  # why the twins are used, if they are

if os.environ.get("CREDO_NATIVE") == "0":
    _why_not = "CREDO_NATIVE is 0"
else:
    try:
        import credo.native._core as _core  # (from … import would not say whether it is missing or broken)

        loops = _core
    except ModuleNotFoundError:
        _why_not = "the native loops were not built; install again where there is a C++20 compiler"
    except ImportError as cause:
        _why_not = f"the native loops cannot be loaded ({cause})"

available: bool = _why_not is None
_threads = 1


def set_threads(n: int) -> None:
    """Let the native loops use up to ``n`` threads; the answers are the same to the last bit with any number.

    >>> before = threads()
    >>> set_threads(1)
    >>> threads()
    1
    >>> set_threads(before)
    """
    global _threads  # noqa: PLW0603  # the one place where the number is held
    _threads = checks.count("n", n, least=1, most=1024)
    if available:
        _core.set_threads(_threads)


def threads() -> int:
    """How many threads the native loops may use: CREDO_THREADS if that is set, else every CPU this process may use.

    >>> threads() >= 1
    True
    """
    return _threads


def description() -> str:
    """How loops run here, in words, as ``credo --version`` shows it.

    >>> description()
    '...'
    """
    if _why_not is not None:
        return f"NumPy twins, because {_why_not}"
    return f"native loops, {_threads} thread{'s' if _threads > 1 else ''}"


def _default_threads() -> int:
    wanted = os.environ.get("CREDO_THREADS")
    if wanted is None:
        # The CPUs this process may use, which in a container are fewer than there are; not every system can tell.
        return len(os.sched_getaffinity(0)) if "sched_getaffinity" in dir(os) else os.cpu_count() or 1
    try:
        return checks.count("CREDO_THREADS", int(wanted), least=1, most=1024)
    except ValueError:
        raise BadParameter(f"CREDO_THREADS must be a whole number from 1 to 1024; got {wanted!r}") from None


set_threads(_default_threads())
