"""The two steps of LAPACK that learning waits for, without Python's lock: other threads go on while they run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from credo.checks import Floats
from credo.errors import BadShape

__all__ = ["overwrite_triangle"]

# LAPACK's whole numbers are of 32 or of 64 bits; with the low bits first, 64 can be read as either.
POINTER = ctypes.POINTER(ctypes.c_int64)
Routine = Callable[..., None]


def overwrite_triangle(routine: str, A: Floats) -> int:
    """Run ``dpotrf`` or ``dpotri`` on the lower triangle of a column-major matrix, in place; what LAPACK says of it.

    It is what ``scipy.linalg.lapack`` does, which keeps Python's lock meanwhile.

    >>> import numpy as np
    >>> A = np.array([[4.0, 0.0], [2.0, 5.0]], order="F")
    >>> overwrite_triangle("dpotrf", A), A.tolist()
    (0, [[2.0, 0.0], [1.0, 2.0]])
    """
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not A.flags.f_contiguous or A.dtype != "float64":
        raise BadShape("A must be a square column-major array of float64 to be overwritten")
    if not A.flags.writeable:
        raise BadShape("A must be an array that may be written to")
    n, leading, info = ctypes.c_int64(len(A)), ctypes.c_int64(max(len(A), 1)), ctypes.c_int64(0)
    _routine(routine)(b"L", ctypes.byref(n), A.ctypes.data, ctypes.byref(leading), ctypes.byref(info))
    return info.value


@cache
def _routine(name: str) -> Routine:
    """The routine that SciPy offers to compiled code, by its address."""
    from scipy import LowLevelCallable
    from scipy.linalg import cython_lapack

    capsule: Any = LowLevelCallable.from_cython(cython_lapack, name).function
    named = ctypes.pythonapi.PyCapsule_GetName
    named.argtypes, named.restype = [ctypes.py_object], ctypes.c_char_p
    address = ctypes.pythonapi.PyCapsule_GetPointer
    address.argtypes, address.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    shape = ctypes.CFUNCTYPE(None, ctypes.c_char_p, POINTER, ctypes.c_void_p, POINTER, POINTER)
    return shape(address(capsule, named(capsule)))
