"""What a machine makes of what it is given: its kernel, and how much each row may weigh."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning
from credo.kernels import SE, Kernel, kernel

__all__ = ["kernel_of", "limits", "named_kernel", "warn_of_scales"]

APART = 100.0  # between the spread of two columns, beyond which the narrow one hardly counts


def named_kernel(given: Kernel | str | None) -> Kernel | str | None:
    """The kernel that was given, read from its text if it is one; "precomputed" and None stay what they are.

    >>> named_kernel("SE(1.5)")
    SE(length=1.5)
    """
    if given is None or isinstance(given, Kernel) or (isinstance(given, str) and given == "precomputed"):
        return given
    if not isinstance(given, str):
        raise BadParameter(
            f"kernel must be a kernel, its text, 'precomputed', or None for SE; got {checks.shown(given)}"
        )
    return kernel(given)


def kernel_of(given: Kernel | None, X: Any, weight: Floats) -> Kernel:
    """The kernel that was given, or SE with length² half the sum of the variances of the columns.

    That is exp(−γr²) with scikit-learn's γ = 1/(d · variance of all cells).

    >>> kernel_of(None, np.array([[0.0], [2.0]]), np.ones(2))
    SE(length=0.7071067811865476)
    """
    if given is not None:
        return given
    total = weight.sum() * X.shape[1]
    mean, square = (float((weight @ cells).sum()) / total for cells in (X, abs(X) ** 2))
    variance = square - mean**2
    return SE(float(np.sqrt(X.shape[1] * variance / 2)) if variance > 1e-12 * square else 1.0)


def limits(C: float, weight: Floats) -> Floats:
    """The largest α of each row: C times how much the row counts.

    >>> limits(np.inf, np.array([0.0, 6.0]))
    array([ 0., inf])
    """
    bound = float(checks.floats("C", C, ndim=0, infinite=True))
    if not bound > 0:
        raise BadParameter(f"C must be above zero, or infinite for a hard margin; got {C}")
    return np.where(weight > 0, bound * np.where(weight > 0, weight, 1.0), 0.0)


def warn_of_scales(X: Any, names: Any, held: Kernel, *, level: int) -> None:
    """Warn where one column varies far more than another, unless the kernel has a length for each column."""
    text = str(held)
    if "[" in "".join(held.parameters) or ".on(" in text or sparse.issparse(X) or X.shape[1] < 2:
        return
    spread = X.std(axis=0)
    if not (spread > 0).any():
        return
    wide, narrow = int(spread.argmax()), int(np.where(spread > 0, spread, np.inf).argmin())
    if spread[wide] > APART * spread[narrow]:
        warnings.warn(
            f"column {names[wide]!r} varies {spread[wide] / spread[narrow]:.3g} times as much as {names[narrow]!r}, "
            "which hardly counts beside it. Standardise the columns (tables.Encoder, or scikit-learn's StandardScaler, "
            "in a pipeline), or give the kernel a length for each column",
            CredoWarning,
            stacklevel=level,
        )
