"""The archive around a model: what zip files can do beyond holding members one after the other is refused."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.storage.forging import forge, members_of

from credo import storage
from credo.errors import FormatError
from credo.linear import BayesianRegression
from credo.storage.archive import first_member, read_archive

NAMES = ("manifest.json", "model.json", "arrays/0.npy", "arrays/1.npy")
MEMBERS = {name: name.encode() * 3 for name in NAMES}


def packed(members=MEMBERS, **options):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", **options) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


GOOD = packed()
DIRECTORY = GOOD.index(b"PK\x01\x02")
END = GOOD.index(b"PK\x05\x06")


def changed(at, form, value, data=GOOD):
    """The archive with one number of a record replaced."""
    held = bytearray(data)
    assert struct.unpack_from(form, held, at)[0] != value
    struct.pack_into(form, held, at, value)
    return bytes(held)


def test_members_are_read_in_place():
    assert {name: bytes(content) for name, content in read_archive(GOOD, most=4).items()} == MEMBERS
    assert first_member(GOOD[:60])[0] == "manifest.json"
    start, stop = first_member(GOOD[:60])[1:]
    assert GOOD[start:stop] == MEMBERS["manifest.json"]


def test_members_larger_than_four_gigabytes_have_wide_numbers(monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    wide = packed()
    assert wide != GOOD
    assert b"PK\x06\x06" in wide
    assert {name: bytes(content) for name, content in read_archive(wide, most=4).items()} == MEMBERS
    end = wide.index(b"PK\x06\x06")
    for at, form, value in (
        (end + 24, "<Q", 3),
        (end + 40, "<Q", 1),
        (end + 56 + 8, "<Q", end + 1),
        (wide.index(b"PK\x01\x02") + 46 + len(NAMES[0]) + 4, "<Q", 2**60),
        (30 + len(NAMES[0]) + 4, "<Q", 2**60),
        (30 + len(NAMES[0]), "<H", 7),
    ):
        with pytest.raises(FormatError):
            read_archive(changed(at, form, value, wide), most=4)


TRICKS = {
    "nothing": b"",
    "no zip": b"PK\x03\x04",
    "cut in a record": GOOD[: END + 10],
    "cut in a member": GOOD[:40],
    "cut before the directory": GOOD[:DIRECTORY],
    "something before": b"#!/bin/sh\n" + GOOD,
    "something after": GOOD + b"\0",
    "two archives": GOOD + GOOD,
    "a remark": GOOD[:-2] + b"\x05\0hello",
    "compressed": packed(compression=zipfile.ZIP_DEFLATED),
    "compressed otherwise": packed(compression=zipfile.ZIP_LZMA),
    "said to be compressed": changed(8, "<H", 8),
    "encrypted": changed(6, "<H", 1),
    "sizes that come later": changed(6, "<H", 8),
    "encrypted by the directory": changed(DIRECTORY + 8, "<H", 1),
    "a huge member": changed(18, "<L", 2**31),
    "a member that is said to grow": changed(22, "<L", 2**31),
    "a huge name": changed(26, "<H", 2**16 - 1),
    "a huge extra field": changed(28, "<H", 2**16 - 1),
    "another checksum": changed(14, "<L", 1),
    "the directory's other checksum": changed(DIRECTORY + 16, "<L", 1),
    "the directory's other size": changed(DIRECTORY + 24, "<L", 1),
    "the directory's other packed size": changed(DIRECTORY + 20, "<L", 1),
    "the directory's other place": changed(DIRECTORY + 42, "<L", 1),
    "the directory's remark": changed(DIRECTORY + 32, "<H", 1),
    "more members than there are": changed(END + 10, "<H", 9),
    "fewer members than there are": changed(END + 8, "<H", 3),
    "numbers that are wide and nowhere": changed(END + 10, "<H", 2**16 - 1),
    "a larger directory": changed(END + 12, "<L", 1),
    "a directory elsewhere": changed(END + 16, "<L", 0),
    "another disk": changed(END + 4, "<H", 1),
    "another name in the directory": GOOD[:DIRECTORY] + GOOD[DIRECTORY:].replace(b"0.npy", b"3.npy"),
    "a directory alone": GOOD[DIRECTORY:],
    "a gap": GOOD[:DIRECTORY] + b"gap" + GOOD[DIRECTORY:],
    "a letter beyond ASCII": packed({"manifest.json": b"", "model.jsoñ": b""}),
    "a digit beyond ASCII": packed({"manifest.json": b"", "arrays/٣.npy": b""}),
    "a path upwards": packed({"manifest.json": b"", "../model.json": b""}),
    "an absolute path": packed({"/manifest.json": b""}),
    "a folder": packed({"manifest.json": b"", "arrays/": b""}),
    "a number written otherwise": packed({"manifest.json": b"", "arrays/00.npy": b""}),
    "a line break": packed({"manifest.json\n": b""}),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_tricks_are_refused(trick):
    assert TRICKS[trick] != GOOD
    with pytest.raises(FormatError):
        read_archive(TRICKS[trick], most=100)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_twice_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.json", "{}")
        archive.writestr("model.json", "[]")
    with pytest.raises(FormatError, match="two members of one name"):
        read_archive(file.getvalue(), most=4)


def test_more_members_than_any_model_has_are_refused():
    with pytest.raises(FormatError, match="too many"):
        read_archive(GOOD, most=3)


def test_members_that_overlap_are_refused():
    second = GOOD.index(b"PK\x03\x04", 4)
    at = GOOD.index(b"PK\x01\x02", DIRECTORY + 4)
    assert struct.unpack_from("<L", GOOD, at + 42) == (second,)
    with pytest.raises(FormatError):
        read_archive(changed(at + 42, "<L", 0), most=4)
    inner = packed({"model.json": b"inner"})
    outer = packed({"manifest.json": inner})
    assert list(read_archive(outer, most=4)) == ["manifest.json"]  # an archive in a member is its content, no more


def test_zip_files_in_a_model_agree_with_other_readers(tmp_path):
    path = tmp_path / "model.credo"
    storage.save(BayesianRegression().fit([[0.0], [1.0], [3.0]], [0.0, 1.0, 2.0]), path)
    held = read_archive(path.read_bytes(), most=1000)
    assert {name: bytes(content) for name, content in held.items()} == members_of(path)
    forge(path, members_of(path))
    storage.load(path)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=4))
@example([(DIRECTORY - 1, 0)])
def test_damaged_bytes_never_change_what_is_read(changes):
    data = bytearray(GOOD)
    for at, value in changes:
        data[at] = value
    try:
        found = read_archive(bytes(data), most=100)
    except FormatError:
        return
    assert {name: bytes(content) for name, content in found.items()} == MEMBERS


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=200) | st.lists(st.sampled_from([GOOD[:43], GOOD[43:90], GOOD[DIRECTORY:END], GOOD[END:]])))
def test_noise_is_refused(noise):
    with pytest.raises(FormatError):
        read_archive(noise if isinstance(noise, bytes) else b"".join(noise), most=100)


def test_an_archive_of_nothing_is_no_model(tmp_path):
    (tmp_path / "empty.credo").write_bytes(packed({}))
    with pytest.raises(FormatError, match="not a Credo model"):
        storage.load(tmp_path / "empty.credo")
