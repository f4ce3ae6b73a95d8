"""Files that cannot be read, or only with care: each is refused with its place, or read as a person would expect."""

import contextlib
import gzip
import os

import numpy as np
import pytest

from credo.errors import BadParameter, CredoError, FormatError, InvalidInput, TooLarge, UnknownName
from credo.tables import Dialect, Table

GZIPPED = gzip.compress(b"a,b\n" + b"1,2\n" * 5000)

REFUSED = {
    "ragged": (b"a,b,c\n1,2,3\n4,5\n6,7,8\n", 3, "2 fields where the first line has 3"),
    "too long a row": (b"a,b\n1,2\n3,4,5\n6,7\n", 3, "3 fields where the first line has 2"),
    "after a line break in quotes": (b'a,b\n1,"x\ny"\n4\n5,6\n', 4, "1 field"),
    "same name twice": (b"a,b,a\n1,2,3\n", 1, "'a' stands twice"),
    "empty": (b"", None, "empty"),
    "blank lines": (b"\n\n \n", None, "empty lines"),
    "infinite": (b"a\n1\ninf\n2\n", None, "column 'a', row 2: inf"),
    "minus infinity": (b"a,b\n1,x\n-Infinity,y\n", None, "column 'a', row 2"),
    "NUL": (b"a,b\n1,x\0y\n", 2, "NUL"),
    "odd bytes in UTF-16": ("a,b\n1,x\n".encode("utf-16")[:-1], None, "decoded"),
    "unclosed quote": (b'a,b\n1,2\n1,"x\n2,y\n', 3, "quote is opened"),
    "text after a quote": (b'a,b\n1,"x"z\n', 2, "closing quote"),
    "remark on top": (b"some remark\n1,2,3\n4,5,6\n", 1, "skip=1"),
    "sparse": (b"1 1:2.5 3:1\n-1 2:3\n", 1, "load_svmlight_file"),
    "blanks between numbers": (b" 1.5  2.5\n\n 3.5 -4e2\n1 2 7\n", 4, "3 fields where the first line has 2"),
    "zip": (b"PK\x03\x04rest", None, "zip"),
}


@pytest.mark.parametrize("small", [True, False], ids=["python", "duckdb"])
@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_its_place(tmp_path, what, small):
    content, line, message = REFUSED[what]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        Table.read(path, in_memory=None if small else False)
    assert caught.value.line == line
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [GZIPPED[:60], GZIPPED[:30] + b"xxxx" + GZIPPED[34:], gzip.compress(b"")],
    ids=["cut short", "overwritten", "of nothing"],  # the bytes hold the time, and every process must collect alike
)
def test_damaged_gzip(tmp_path, content):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"damaged|empty"):
        Table.read(path)


def test_binary_data_named_csv(tmp_path):
    path = tmp_path / "b.csv"
    for seed in range(20):
        path.write_bytes(np.random.default_rng(seed).bytes(3000))
        with pytest.raises(FormatError):
            Table.read(path)


def test_what_is_not_a_file(tmp_path):
    (tmp_path / "ages.csv").write_text("a\n1.5\n")
    with pytest.raises(FormatError, match=r"Did you mean 'ages\.csv'"):
        Table.read(tmp_path / "agse.csv")
    with pytest.raises(FormatError, match="directory"):
        Table.read(tmp_path)
    with pytest.raises(FormatError, match="no such file"):
        Table.read(tmp_path / "nowhere" / "a.csv")
    with pytest.raises(FormatError, match="regular file"):
        Table.read(os.devnull)
    for wrong in ("", "a\0b", 5, None):
        with pytest.raises(InvalidInput):
            Table.read(wrong)


def test_unreadable_permissions(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(FormatError, match="permissions"):
        Table.read(path)


def test_endless_line_is_refused_before_it_fills_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("credo.tables.files.LONGEST_LINE", 100_000)
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "x" * 200_000)
    with pytest.raises(FormatError, match="a line of more than"):
        Table.read(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.parquet", b"PAR1xxxxxxxxxxxx"), ("b.parquet", b"a,b\n1,2\n"), ("c.feather", b"ARROW1\0\0xx")],
)
def test_damaged_columnar_files(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError):
        Table.read(path)


@pytest.mark.parametrize("in_memory", [None, False])
def test_columnar_files_with_a_name_twice(tmp_path, in_memory):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    twice = pa.Table.from_arrays([pa.array([1.5]), pa.array(["x"])], names=["a", "a"])
    pq.write_table(twice, tmp_path / "a.parquet")
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as file, pa.ipc.new_file(file, twice.schema) as arrow:
        arrow.write_table(twice)
    for name in ("a.parquet", "a.arrow"):
        with pytest.raises(FormatError, match=f"{name}: column names must all differ; 'a' stands twice"):
            Table.read(tmp_path / name, in_memory=in_memory)
    pq.write_table(pa.table({"x": [1.5], "file_row_number": [7]}), tmp_path / "b.parquet")
    with pytest.raises(FormatError, match="cannot be called 'file_row_number'"):
        Table.read(tmp_path / "b.parquet", in_memory=in_memory)


def test_what_is_wrong_in_an_arrow_file_names_it(tmp_path):
    pa = pytest.importorskip("pyarrow")
    frame = pa.table({"x": [1.5, float("inf")]})
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as file, pa.ipc.new_file(file, frame.schema) as arrow:
        arrow.write_table(frame)
    with pytest.raises(FormatError, match=r"a\.arrow: column 'x', row 2: inf"):
        Table.read(tmp_path / "a.arrow")


def test_truncated_and_scrambled_parquet(tmp_path):
    whole = tmp_path / "whole.parquet"
    Table({"x": np.arange(2000) * 1.5, "g": ["a", "b"] * 1000}).to_frame("polars").write_parquet(whole)
    content = whole.read_bytes()
    path = tmp_path / "t.parquet"
    for end in range(0, len(content), 97):
        path.write_bytes(content[:end])
        with pytest.raises(FormatError):
            Table.read(path)
    rng = np.random.default_rng(0)
    for _ in range(20):
        scrambled = bytearray(content)
        start = int(rng.integers(len(content) - 50))
        scrambled[start : start + 50] = rng.bytes(50)
        path.write_bytes(bytes(scrambled))
        with contextlib.suppress(CredoError):
            Table.read(path)


JSON = {
    "not JSON": (b'{"a":1}\n{"a":\n', 2),
    "a list": (b"[1]\n", 1),
    "twice": (b'{"a":1,"a":2}\n', 1),
}


@pytest.mark.parametrize("small", [True, False], ids=["python", "duckdb"])
@pytest.mark.parametrize("what", JSON)
def test_bad_json_lines(tmp_path, what, small):
    content, line = JSON[what]
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        Table.read(path, in_memory=None if small else False)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "name", ["a*.csv", "it's.csv", 'd"q.csv', "[x].csv", "{a,b}.csv", "a;b.csv", "a?b", "k=1", "ü n.csv"]
)
def test_any_name_is_one_file(tmp_path, name):
    (tmp_path / "ab.csv").write_text("other\nwrong\n")
    (tmp_path / name).write_text("g,h\nright,1.5\nleft,2.5\n")
    for in_memory in (None, False):
        table = Table.read(tmp_path / name, in_memory=in_memory)
        assert table.columns == ("g", "h")
        assert table["g"].tolist() == ["right", "left"]


def test_limits_and_options(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,S\n2,XL\n")
    for limit in ("x", 0, "1 parsec", -5, True):
        with pytest.raises(BadParameter):
            Table.read(path, memory_limit=limit)
    with pytest.raises(BadParameter):
        Table.read(path, header="maybe")
    with pytest.raises(BadParameter):
        Dialect(delimiter="ab")
    with pytest.raises(UnknownName, match="'c'"):
        Table.read(path, types={"c": "category"})
    with pytest.raises(BadParameter, match="cat"):
        Table.read(path, types={"b": "cat"})
    with pytest.raises(InvalidInput, match="which order"):
        Table.read(path, types={"b": "ordered"})
    for in_memory in (None, False):
        with pytest.raises(FormatError, match="row 2: 'XL' is not one of its states"):
            Table.read(path, types={"b": ["S", "M"]}, in_memory=in_memory)
        with pytest.raises(FormatError, match="column 'b', row 1: 'S' is not a number"):
            Table.read(path, types={"b": "continuous"}, in_memory=in_memory)


def test_very_wide_files(tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(20_000)]
    path.write_text(",".join(names) + "\n" + "\n".join(",".join(["1.5", "x"] * 10_000) for _ in range(3)))
    table = Table.read(path)
    assert table.shape == (3, 20_000)
    assert table.kind("c19999") == "category"
    path.write_text(path.read_text() + "\n" + "\n".join(",".join(["1.5", "x"] * 10_000) for _ in range(60)))
    with pytest.raises(TooLarge, match="Raise memory_limit"):
        Table.read(path, memory_limit="16MiB")


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1.5,x\n2.5,y\n")
    table = Table.read(path, in_memory=False)
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    assert table["a"].tolist() == [1.5, 2.5]
    del table
    path.write_text("a,b\n1.5,x\n2.5\n")
    with pytest.raises(FormatError):
        Table.read(path, in_memory=False)
    assert not list((tmp_path / "temporary").iterdir())
