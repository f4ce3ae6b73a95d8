"""The zip archive around a model: read so strictly that every byte of it is accounted for.

A zip file says everything twice, before each member and in the directory at its end, and readers differ in whom they
believe. Here both must say the same, members must follow each other without gap or overlap from the first byte to the
directory, and nothing may come after its end.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from credo.errors import FormatError

__all__ = ["first_member", "read_archive"]

# The records of a zip file: signature, versions, flags, method, time, date, checksum, sizes and the like.
MEMBER, ENTRY, END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
LONG_END, LOCATOR = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
MEMBER_MARK, ENTRY_MARK, END_MARK, LONG_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06"
FULL, FULL_COUNT = 0xFFFF_FFFF, 0xFFFF  # the number stands in a wider field elsewhere
LONG_NUMBERS = 1  # the kind of the extra field that holds wide numbers
NAME = re.compile(rb"manifest\.json|model\.json|arrays/(0|[1-9]\d{0,4})\.npy")
DAMAGED = "not a Credo model, or one that was cut short or damaged"


class Place(NamedTuple):
    """A member: its name, its checksum, and where its record and its content lie."""

    name: bytes
    checksum: int
    record: int
    start: int
    stop: int


def read_archive(data: bytes, *, most: int) -> dict[str, memoryview]:
    """The members of the archive, none of them copied; refused if there are more than ``most``."""
    places: list[Place] = []
    at = 0
    while data[at : at + 4] == MEMBER_MARK:
        place = _member(data, at)
        if len(places) == most:
            raise FormatError("too many members")
        places.append(place)
        at = place.stop
    if len({place.name for place in places}) != len(places):
        raise FormatError("two members of one name")
    _check_end(data, _after_directory(data, at, places), len(places), at)
    members = {place.name.decode(): memoryview(data)[place.start : place.stop] for place in places}
    if any(zlib.crc32(data[p.start : p.stop]) != p.checksum for p in places):
        raise FormatError(DAMAGED)
    return members


def first_member(data: bytes) -> tuple[str, int, int]:
    """The name of the first member, and where it starts and stops, from as much of the archive as holds its record."""
    place = _member(data, 0)
    return place.name.decode(), place.start, place.stop


def _member(data: bytes, at: int) -> Place:
    mark, _, flags, method, _, _, checksum, packed, size, name, extra = _record(MEMBER, data, at)
    if mark != MEMBER_MARK:
        raise FormatError(DAMAGED)
    _check_plain(flags, method)
    begin = at + MEMBER.size
    start = begin + name + extra
    size, packed = _long(data[begin + name : start], size, packed)
    if packed != size:
        raise FormatError(DAMAGED)
    return Place(_name(data[begin : begin + name]), checksum, at, start, start + size)


def _after_directory(data: bytes, at: int, places: Sequence[Place]) -> int:
    """Where the directory ends that begins at ``at``; refused if it does not say what the members say."""
    for place in places:
        held = _record(ENTRY, data, at)
        mark, flags, method, checksum, packed, size, name, extra, comment, record = (
            held[i] for i in (0, 3, 4, 7, 8, 9, 10, 11, 12, 16)
        )
        _check_plain(flags, method)
        begin = at + ENTRY.size
        at = begin + name + extra
        size, packed, record = _long(data[begin + name : at], size, packed, record)
        said = (_name(data[begin : begin + name]), checksum, record, size, packed)
        length = place.stop - place.start
        if mark != ENTRY_MARK or comment or said != (place.name, place.checksum, place.record, length, length):
            raise FormatError(DAMAGED)
    return at


def _check_end(data: bytes, at: int, count: int, directory: int) -> None:
    """The records after the directory, of wide numbers and of usual ones, and nothing more."""
    size, after = at - directory, at
    if data[at : at + 4] == LONG_MARK:
        long = _record(LONG_END, data, at)
        after = at + LONG_END.size + LOCATOR.size
        locator = _record(LOCATOR, data, at + LONG_END.size)
        if long[6:] != (count, count, size, directory) or locator != (b"PK\x06\x07", 0, at, 1):
            raise FormatError(DAMAGED)
    mark, disk, other, here, whole, length, start, comment = _record(END, data, after)
    numbers = ((here, count, FULL_COUNT), (whole, count, FULL_COUNT), (length, size, FULL), (start, directory, FULL))
    right = all(said == true or (said == full and after > at) for said, true, full in numbers)
    if mark != END_MARK or disk or other or comment or not right or after + END.size != len(data):
        raise FormatError(DAMAGED)


def _record(form: struct.Struct, data: bytes, at: int) -> tuple[Any, ...]:
    if at + form.size > len(data):
        raise FormatError(DAMAGED)
    return form.unpack_from(data, at)


def _check_plain(flags: int, method: int) -> None:
    if flags or method:
        raise FormatError("compressed or encrypted members, which no model has")


def _name(name: bytes) -> bytes:
    if not NAME.fullmatch(name):
        raise FormatError("the archive has members that no model has")
    return name


def _long(extra: bytes, *numbers: int) -> list[int]:
    """The numbers, those that are full taken in turn from the extra field."""
    if extra and (len(extra) % 8 != 4 or struct.unpack_from("<2H", extra) != (LONG_NUMBERS, len(extra) - 4)):
        raise FormatError(DAMAGED)
    wide = iter(struct.unpack_from(f"<{len(extra) // 8}Q", extra, 4) if extra else ())
    return [next(wide, FULL) if number == FULL else number for number in numbers]
