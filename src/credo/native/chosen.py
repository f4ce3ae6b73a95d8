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

__all__ = ["NetworkEngine", "available", "description", "loops", "set_threads", "threads"]

Codes = NDArray[np.int32]
Likelihood = Sequence[Floats | None]


class NetworkEngine(Protocol):
    """Answers questions of one kind about a network: the same variables observed and the same sets wanted each time.

    ``codes`` are the states of the observed variables, ``likelihood`` holds for each soft variable a number for each
    state, at most one, or None where nothing is said. What does not fit is refused with a plain ``ValueError``, a wrong
    type of array with a ``TypeError``. ``sure`` is False where numbers below the smallest float64 may have mattered.

    >>> from credo.native import network_engine, network_model
    >>> rain, wet = np.array([0.25, 0.75]), np.array([0.5, 0.5, 1.0, 0.0])
    >>> model = network_model([2, 2], [[0], [0, 1]], [rain, wet], [True, True])
    >>> engine = network_engine(model, [0, 1], observed=[1], wanted=[[0]])
    >>> answers, log_evidence, sure = engine.answer(np.array([1], dtype=np.int32), [])
    >>> engine.answer_axes(), answers.tolist(), round(float(np.exp(log_evidence)), 12), sure
    ([[0]], [1.0, 0.0], 0.125, True)
    """

    def answer(self, codes: Codes, likelihood: Likelihood) -> tuple[Floats, float, bool]:
        """The wanted beliefs, the log probability of the evidence (-inf and NaN if it is impossible), and ``sure``.

        The answers to the wanted sets stand one after another, each summing to one, with axes as ``answer_axes`` says;
        a few cells that mean nothing may follow.
        """

    def answer_rows(self, codes: Codes, likelihood: Likelihood) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """The same for every row of codes and of likelihoods, on all threads."""

    def explain(self, codes: Codes, likelihood: Likelihood) -> tuple[Codes, float, bool]:
        """A most probable state of each maximised variable (0 for all others), its log probability, and ``sure``."""

    def draw(self, codes: Codes, likelihood: Likelihood, uniform: Floats) -> tuple[Codes, float, bool]:
        """A row of states (0 for those observed) from the joint given the evidence, for each row of ``uniform``.

        That has a number from 0 to 1, less than 1, for each clique. The log evidence and ``sure`` follow.
        """

    def answer_axes(self) -> list[list[int]]:
        """By wanted set: its variables in the order of its answer's axes, the last changing fastest."""

    def cancel(self) -> None:
        """Stop the query that is under way in another thread; it raises a ``RuntimeError``."""

    @property
    def progress(self) -> float:
        """Cells of cliques made so far by the query under way, or by the last one."""

    @property
    def entries(self) -> float:
        """Cells of all cliques together: what one pass has to make."""

    @property
    def widest(self) -> float:
        """Cells of the largest clique."""

    @property
    def message_cells(self) -> float:
        """Cells of all messages together: what is stored."""

    @property
    def cliques(self) -> list[list[int]]:
        """The variables of each clique."""

    @property
    def parents(self) -> list[int]:
        """The clique to which each sends its message; -1 for a root."""

    @property
    def order(self) -> list[int]:
        """The variables, the first eliminated first."""

    @property
    def orders_tried(self) -> int:
        """How many orders of elimination were compared."""


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
    def sigmoid_pass(
        self, X: Floats, w: Floats, b: float, codes: NDArray[np.int32], weight: Floats
    ) -> tuple[float, Floats, Floats]: ...
    def radial(self, shape: int, U: Floats, V: Floats | None, power: float, out: Floats) -> None: ...
    def radial_pull(
        self, shape: int, U: Floats, along: Floats | None, W: Floats, power: float
    ) -> tuple[float, Floats, float]: ...
    def smo(
        self,
        K: NDArray[Any],
        beta: Floats,
        slack: Floats,
        low: Floats,
        high: Floats,
        tolerance: float,
        steps: int,
    ) -> tuple[Floats, Floats, int, float]: ...
    def network_model(
        self, sizes: Sequence[int], scopes: Sequence[Sequence[int]], values: Sequence[Floats], laws: Sequence[bool]
    ) -> Any: ...
    def network_engine(
        self,
        model: Any,
        factors: Sequence[int],
        observed: Sequence[int],
        soft: Sequence[int],
        wanted: Sequence[Sequence[int]],
        maximise: Sequence[bool],
        root_first: bool,  # noqa: FBT001  # (loops take no keywords)
        effort: float,
    ) -> NetworkEngine: ...


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
