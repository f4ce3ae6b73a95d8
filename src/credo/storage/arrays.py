"""Arrays as NumPy's own file format 1.0, written and read so that nothing but plain numbers and text gets through."""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.errors import FormatError, InvalidInput

__all__ = ["array_from_bytes", "array_to_bytes", "little", "plain_type"]

MAGIC = b"\x93NUMPY\x01\x00"
HEADER = re.compile(
    rb"\{'descr': '([<|][biufU]\d{1,6})', 'fortran_order': (True|False), 'shape': \(([0-9, ]{0,400})\), \} *\n"
)
TYPES = {"|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"}
TEXT = re.compile(r"<U\d{1,6}")
LAST_LETTER = 0x10FFFF
LONGEST_EMPTY = 2**20  # of an array without values, which takes no bytes however long it says it is


def array_to_bytes(array: NDArray[Any]) -> bytes:
    """The array as the bytes of an ``.npy`` file."""
    plain = little(array)
    if not plain.size and max(plain.shape) > LONGEST_EMPTY:
        raise InvalidInput(f"an array of shape {plain.shape} cannot be stored: it is long, and holds nothing")
    file = io.BytesIO()
    np.lib.format.write_array(file, plain, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def array_from_bytes(data: bytes | memoryview) -> NDArray[Any]:
    """The array in the bytes of an ``.npy`` file, bit for bit; what ``array_to_bytes`` would not write is refused."""
    length = int.from_bytes(data[8:10], "little")
    header = HEADER.fullmatch(data, 10, 10 + length)
    if data[: len(MAGIC)] != MAGIC or header is None:
        raise FormatError("an array does not begin as NumPy's format 1.0 does")
    dtype = plain_type(bytes(header[1]).decode())
    shape = tuple(int(size) for size in bytes(header[3]).decode().split(",") if size.strip())
    if max(shape, default=0) > max(LONGEST_EMPTY, len(data)):
        raise FormatError(f"an array of shape {shape} is longer than there are bytes")
    if len(shape) > 32 or math.prod(shape) * dtype.itemsize != len(data) - 10 - length:
        raise FormatError(f"an array of shape {shape} and type {dtype} does not have the length it says")
    flat = np.frombuffer(data, dtype, offset=10 + length).copy()
    if dtype.kind == "b" and flat.view(np.uint8).max(initial=0) > 1:
        raise FormatError("an array of booleans holds something else")
    if dtype.kind == "U" and flat.size and flat.view("<u4").max() > LAST_LETTER:
        raise FormatError("an array of text holds what is no letter")
    return flat.reshape(shape, order="F" if header[2] == b"True" else "C")


def plain_type(text: str) -> np.dtype[Any]:
    """The type written as ``text``, if it is booleans, integers, floats or text of fixed width."""
    if text not in TYPES and not TEXT.fullmatch(text):
        raise FormatError(f"arrays of type {text!r} are not stored")
    return np.dtype(text)


def little(array: NDArray[Any]) -> NDArray[Any]:
    """The array with its least significant byte first, as every array in a file."""
    plain = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if plain.dtype.kind not in "biufU" or plain.dtype.itemsize > 4 * 999_999 or plain.dtype.str == "<f16":
        raise InvalidInput(f"arrays of type {array.dtype} cannot be stored; convert to numbers or text first")
    return plain
