"""What a machine makes of what it is given: its kernel, and how much each row may weigh."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoWarning, InvalidInput
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


def limits(C: float, class_weight: Any, classes: NDArray[Any], codes: NDArray[np.integer], weight: Floats) -> Floats:
    """The largest α of each row: C times the weight of the row and of its class.

    >>> limits(2.0, {"b": 3.0}, np.array(["a", "b"]), np.array([0, 1]), np.ones(2))
    array([2., 6.])
    """
    bound = float(checks.floats("C", C, ndim=0, infinite=True))
    if not bound > 0:
        raise BadParameter(f"C must be above zero, or infinite for a hard margin; got {C}")
    counts = np.bincount(codes, weight, minlength=len(classes))
    if not counts.all():
        empty = classes.tolist()[counts.argmin()]
        raise InvalidInput(f"every row of class {checks.shown(empty)} has weight zero. Leave the class out")
    by_class = np.ones(len(classes))
    if isinstance(class_weight, str):
        checks.choice("class_weight, unless it is a mapping,", class_weight, ("balanced",))
        by_class = counts.sum() / (len(classes) * counts)
    elif isinstance(class_weight, Mapping):
        states = classes.tolist()
        for state, value in class_weight.items():
            place = states.index(checks.known("class", state, states))
            by_class[place] = float(checks.positive(f"class_weight[{state!r}]", value, ndim=0))
    elif class_weight is not None:
        raise BadParameter(
            "class_weight must be 'balanced', a mapping from class to weight, or None; got "
            f"{checks.shown(class_weight)}"
        )
    share = weight * by_class[codes]
    return np.where(share > 0, bound * np.where(share > 0, share, 1.0), 0.0)


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
