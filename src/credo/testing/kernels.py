"""What every kernel promises, as code."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from credo import checks
from credo.beliefs import LogNormal, Normal
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.kernels import Kernel
from credo.kernels import kernel as read
from credo.testing.gradients import check_gradient

__all__ = ["check_kernel"]

EXACT = 1e-12  # relative to the largest entry
SEMIDEFINITE = 1e-10  # how far below zero rounding may bring an eigenvalue, in parts of the largest
INSIDE = 1e-3  # how far from their bounds hyperparameters are for differences to be taken
NO_FUNCTIONS: Mapping[str, Callable[..., Any]] = {}


def check_kernel(
    kernel: Kernel,
    X: ArrayLike,
    *,
    rng: int = 0,
    tolerance: float = 1e-6,
    functions: Mapping[str, Callable[..., Any]] = NO_FUNCTIONS,
) -> None:
    """Hold a kernel to the contract that ``Kernel`` states, on the rows of X, of which there are four or more.

    The Gram matrix is symmetric, positive semidefinite and float64, its diagonal is ``diagonal``, and it is made of its
    rows alone: in any order, and beside each other in two tables. The gradient is that of differences. Hyperparameters
    come back from ``theta`` and from ``parameters``, and can be fixed, bounded and believed. The text is read back to
    an equal kernel, with ``functions`` those that it names. It is a frozen value and leaves X alone. Rows that are not
    finite, tables that do not fit and negative lengths are refused. ``rng`` seeds the weights of the gradient.

    >>> from credo.kernels import SE, Noise
    >>> check_kernel(2.0 * SE([1.0, 3.0]) + Noise(0.1), [[0.0, 1.0], [0.5, 2.0], [1.0, -1.0], [1.0, 1.0]])
    """
    rows = checks.floats("X", X, ndim=2)
    if len(rows) < 4:
        raise InvalidInput(f"X must have at least 4 rows; got {len(rows)}")
    given = rows.copy()
    kernel(rows)
    _promise(np.array_equal(rows, given), kernel, "X is left alone")
    _check_form(kernel, functions)
    _check_matrix(kernel, rows)
    _check_cross(kernel, rows)
    _check_hyperparameters(kernel, rows, functions)
    _check_slopes(kernel, rows, np.random.default_rng(rng), tolerance)
    _check_refusals(kernel, rows)


def _check_form(kernel: Kernel, functions: Mapping[str, Callable[..., Any]]) -> None:
    text = str(kernel)
    _promise("\n" not in text and repr(kernel) == text, kernel, "its text is one line, and its repr")
    again = read(text, functions=functions)
    _promise(again == kernel and hash(again) == hash(kernel), kernel, f"its text is read back; it came back as {again}")
    _promise(copy.deepcopy(kernel) == kernel, kernel, "a copy is an equal kernel")
    for field in dataclasses.fields(cast(Any, kernel)):
        try:
            setattr(kernel, field.name, getattr(kernel, field.name))
        except AttributeError:
            continue
        raise _broken(kernel, f"a frozen value: {field.name} could be set")


def _check_matrix(kernel: Kernel, X: Floats) -> None:
    K, n = kernel(X), len(X)
    _promise(K.shape == (n, n) and K.dtype == np.float64, kernel, f"k(X) has shape {(n, n)}; got {K.shape}, {K.dtype}")
    _promise(K.flags.c_contiguous and K.flags.writeable and K.flags.owndata, kernel, "k(X) is the caller's own array")
    scale = np.abs(K).max(initial=1e-300)
    _promise(np.abs(K - K.T).max() <= EXACT * scale, kernel, "k(X) is symmetric")
    lowest = float(np.linalg.eigvalsh(K / scale)[0])
    _promise(lowest >= -SEMIDEFINITE * n, kernel, f"k(X) is positive semidefinite; an eigenvalue is {lowest * scale:g}")
    _same(kernel, kernel.diagonal(X), np.diagonal(K), scale, "diagonal(X) is the diagonal of k(X)")
    order = np.arange(n)[::-1]
    _same(kernel, kernel(X[order]), K[np.ix_(order, order)], scale, "rows in another order have the same entries")
    _same(kernel, kernel(np.asfortranarray(X)), K, scale, "the layout of X in memory makes no difference")
    for few in (0, 1):
        _promise(kernel(X[:few]).shape == (few, few), kernel, f"k of {few} rows is a matrix")
        slopes = kernel.pullback(X[:few], np.zeros((few, few)))
        _promise(
            np.array_equal(slopes, np.zeros(len(kernel.free))), kernel, f"{few} rows without weights have no slopes"
        )


def _check_cross(kernel: Kernel, X: Floats) -> None:
    K, half = kernel(X), len(X) // 2
    scale = np.abs(K).max(initial=1e-300)
    beside = kernel(X[:half], X[half:])
    _promise(beside.shape == (half, len(X) - half), kernel, f"k(X, Z) has a row for each of X; got {beside.shape}")
    _same(kernel, beside, K[:half, half:], scale, "k(X, Z) is the part of k of both tables that is between them")
    _same(kernel, kernel(X[half:], X[:half]), beside.T, scale, "k(Z, X) is k(X, Z) turned")


def _check_hyperparameters(kernel: Kernel, X: Floats, functions: Mapping[str, Callable[..., Any]]) -> None:
    values, free = dict(kernel.parameters), kernel.free
    _promise(
        len(kernel.theta) == len(free) == len(kernel.bounds),
        kernel,
        "theta and bounds have an entry for each free name",
    )
    _promise(set(free) <= set(values), kernel, "free names are among the parameters")
    _promise(kernel.with_parameters(values) == kernel, kernel, "with_parameters(parameters) is the same kernel")
    again = kernel.with_theta(kernel.theta)
    came = np.array(list(again.parameters.values()))
    _promise(np.allclose(came, list(values.values()), rtol=1e-14), kernel, "with_theta(theta) has the same parameters")
    _promise(again.free == free, kernel, "with_theta leaves the same free")
    held = kernel.fixed()
    _promise(held.free == () and held.theta.shape == (0,), kernel, "fixed() leaves nothing free")
    _promise(held.pullback(X, np.ones((len(X),) * 2)).shape == (0,), kernel, "what is fixed has no gradient")
    _promise(np.array_equal(held(X), kernel(X)), kernel, "what is fixed is the same kernel")
    logs = [name for name in free if kernel.hyperparameters[name].log]
    told = kernel.bounded({name: (0.5 * values[name], kernel.hyperparameters[name].high) for name in logs})
    told = told.with_priors({name: LogNormal(0, 1) if name in logs else Normal(0, 1) for name in free})
    _promise(read(str(told), functions=functions) == told, kernel, f"what is told of it is read back: {told}")
    free_ones = [entry for entry in told.hyperparameters.values() if entry.free]
    laws = sum(float(entry.prior.log_prob(entry.value)) for entry in free_ones if entry.prior)
    _promise(abs(told.log_prior() - laws) <= 1e-9 * max(1.0, abs(laws)), kernel, "log_prior is the sum of its priors'")


def _check_slopes(kernel: Kernel, X: Floats, rng: np.random.Generator, tolerance: float) -> None:
    low, high = kernel.bounds[:, 0], kernel.bounds[:, 1]
    inside = np.clip(kernel.theta, low + INSIDE, np.maximum(high - INSIDE, low + INSIDE))
    W = rng.normal(size=(len(X), len(X)))  # not symmetric: nobody promised that
    given = W.copy()
    kernel.pullback(X, W)
    _promise(np.array_equal(W, given), kernel, "W is left alone")

    def objective(theta: Floats) -> tuple[float, Floats]:
        there = kernel.with_theta(theta)
        return float(np.vdot(there(X), W)), there.pullback(X, W)

    if len(inside):
        check_gradient(objective, inside, tolerance=tolerance)


def _check_refusals(kernel: Kernel, X: Floats) -> None:
    for bad in (np.nan, np.inf, -np.inf):
        broken = X.copy()
        broken[-1, 0] = bad
        _refused(kernel, f"X with {bad}", partial(kernel, broken))
        _refused(kernel, f"Z with {bad}", partial(kernel, X, broken))
        _refused(kernel, f"diagonal of X with {bad}", partial(kernel.diagonal, broken))
    wider = np.hstack([X, X[:, :1]])
    _refused(kernel, "X and Z with different columns", lambda: kernel(X, wider))
    _refused(kernel, "X with a single axis", lambda: kernel(X[:, 0]))
    _refused(kernel, "X without columns", lambda: kernel(X[:, :0]))
    _refused(kernel, "W of another shape", lambda: kernel.pullback(X, np.ones((len(X), 1))))
    _refused(kernel, "a theta that is too long", lambda: kernel.with_theta(np.append(kernel.theta, 0.0)))
    _refused(kernel, "a name that is not there", lambda: kernel.with_parameters({"no such name": 1.0}))
    for name, entry in kernel.hyperparameters.items():
        if entry.log:
            _refused(kernel, f"{name} = -1", partial(kernel.with_parameters, {name: -1.0}))
        _refused(kernel, f"{name} = nan", partial(kernel.with_parameters, {name: np.nan}))


def _same(kernel: Kernel, found: Floats, expected: Floats, scale: float, promise: str) -> None:
    good = found.shape == expected.shape and np.abs(found - expected).max(initial=0.0) <= EXACT * scale
    _promise(good, kernel, promise)


def _refused(kernel: Kernel, what: str, ask: Callable[[], Any]) -> None:
    try:
        ask()
    except InvalidInput:
        return
    raise _broken(kernel, f"{what} is refused")


def _promise(kept: bool | np.bool, kernel: Kernel, promise: str) -> None:  # noqa: FBT001
    if not kept:
        raise _broken(kernel, promise)


def _broken(kernel: Kernel, promise: str) -> AssertionError:
    return AssertionError(f"{kernel!r} breaks a promise: {promise}")
