"""The border of the kernels of a distance."""

from __future__ import annotations

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape
from credo.native.border import typed
from credo.native.chosen import loops

__all__ = ["radial", "radial_pull"]

SHAPES = ("se", "exponential", "matern32", "matern52", "gamma_exponential", "rational_quadratic")


def radial(shape: str, U: Floats, V: Floats | None, power: float = 1.0) -> Floats:
    """A kernel of the distance r between every row of ``U`` and every row of ``V``, or of ``U`` itself.

    ``shape`` is ``"se"``, exp(−r²/2); ``"exponential"``, exp(−r); ``"matern32"``; ``"matern52"``;
    ``"gamma_exponential"``, exp(−r^power); or ``"rational_quadratic"``, (1 + r²/(2 power))^−power. Numbers must be
    small enough for r² to be finite.

    >>> radial("se", np.array([[0.0], [1.0]]), None)
    array([[1.        , 0.60653066],
           [0.60653066, 1.        ]])
    """
    code = SHAPES.index(checks.choice("shape", shape, SHAPES))
    U = typed("U", U, np.float64, 2)
    if V is not None:
        V = typed("V", V, np.float64, 2)
        if V.shape[1] != U.shape[1]:
            raise BadShape(f"U and V must have the same columns; got {U.shape[1]} and {V.shape[1]}")
    out = np.empty((len(U), len(U if V is None else V)))
    loops.radial(code, U, V, float(power), out)
    return out


def radial_pull(
    shape: str, U: Floats, W: Floats, power: float = 1.0, *, along: Floats | None = None
) -> tuple[float, Floats, float]:
    """ΣW∘K for the kernel K of the rows of ``U``, its slope for each column of ``U``, and that along log ``power``.

    The slope of a column is that which the sum has while the column moves along that of ``along``; without it, along
    the logarithm of a length by which the column was divided.

    >>> value, by_column, by_power = radial_pull("se", np.array([[0.0], [1.0]]), np.ones((2, 2)))
    >>> round(value, 6), by_column.round(6), by_power
    (3.213061, array([1.213061]), 0.0)
    """
    code = SHAPES.index(checks.choice("shape", shape, SHAPES))
    U, W = typed("U", U, np.float64, 2), typed("W", W, np.float64, 2)
    if W.shape != (len(U), len(U)):
        raise BadShape(f"W must have shape {(len(U), len(U))}, a row and a column for each row of U; got {W.shape}")
    if along is not None:
        along = typed("along", along, np.float64, 2)
        if along.shape != U.shape:
            raise BadShape(f"along must have the shape of U, {U.shape}; got {along.shape}")
    return loops.radial_pull(code, U, along, W, float(power))
