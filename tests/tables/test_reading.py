"""What is written to a file comes back from it, whichever reader reads it."""

import csv
import gzip
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from credo.errors import FormatError
from credo.tables import Column, Dialect, Schema, Table

MODEST = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

LETTERS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\n\"',;|\t"), max_size=8
)


def alike(one: Table, other: Table) -> None:
    """The same schema, to the last reason, and the same values."""
    assert one.schema == other.schema
    for name in one.columns:
        np.testing.assert_array_equal(one[name], other[name])


@MODEST
@given(st.lists(st.tuples(LETTERS, LETTERS), min_size=1, max_size=12))
@pytest.mark.parametrize("in_memory", [None, False])
def test_any_texts_come_back(tmp_path, in_memory, rows):
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("first", "second"), *rows])
    types = {"first": "text", "second": "text"}
    table = Table.read(path, types=types, missing=(), header=True, dialect=Dialect(delimiter=","), in_memory=in_memory)
    wanted = [[cell.strip(" \t\r\n") or None for cell in row] for row in rows]
    assert [list(row) for row in zip(table["first"], table["second"], strict=True)] == wanted


CELLS = st.one_of(
    st.sampled_from(
        ["", "NA", "?", " nan ", "1", "0", "2.50", "-3", "1e5", "1_000", "true", "False", "red", "a b", "inf"]
    ),
    st.sampled_from(
        [
            "2020-01-31",
            "2020-02-30",
            "2020-01-31T10:00:05.25",
            "1e999",
            "0x1F",
            "+7",
            "+-1",
            "1\x0b",
            ".5",
            "5.",
            "1,5",
            "01",
        ]
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(0, 5).map(str),
)


@MODEST
@example([["01"], ["0.0"], ["1e0"]])
@example([["-0.0"], ["-0"]])
@given(st.integers(1, 4).flatmap(lambda k: st.lists(st.lists(CELLS, min_size=k, max_size=k), min_size=1, max_size=8)))
def test_both_readers_of_text_agree(tmp_path, rows):
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[f"c{i}" for i in range(len(rows[0]))], *rows])
    dialect = Dialect(delimiter=",", header=True)

    def outcome(in_memory):
        try:
            return Table.read(path, dialect=dialect, in_memory=in_memory)
        except FormatError as error:
            return error

    small, large = outcome(None), outcome(False)
    assert type(small) is type(large)
    if isinstance(small, Table):
        alike(small, large)


@pytest.mark.parametrize("kind", ["continuous", "count", "category", "boolean", "text", "time"])
@pytest.mark.parametrize("text", ["1", "0", "1.5", "-1", "1.0", "-0.0", "yes", "2020-01-31", "x", "", "007", "1e999"])
def test_both_readers_agree_on_what_is_said(tmp_path, kind, text):
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\n{text},1\n{text},2\n")
    found = []
    for in_memory in (None, False):
        try:
            table = Table.read(path, types={"a": kind}, header=True, in_memory=in_memory)
            found.append((table.schema, table["a"].tolist() if kind != "time" else str(table["a"])))
        except FormatError as error:
            found.append(str(error))
    assert repr(found[0]) == repr(found[1])


def test_written_by_pandas_and_others(tmp_path):
    pandas, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {"x": rng.normal(size=500) * 1e8, "n": rng.poisson(3, 500), "g": rng.choice(["a", "b b", "c,c"], 500)}
    )
    frame.loc[3, "x"] = np.nan
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.tsv", index=False, sep="\t")
    frame.to_csv(tmp_path / "b.csv.gz", index=False, sep=";")
    frame.to_csv(tmp_path / "c.csv", index=False, sep=";", decimal=",")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True, double_precision=15)
    frame.to_parquet(tmp_path / "a.parquet", index=False)
    frame.to_feather(tmp_path / "a.feather")
    whole = pa.Table.from_pandas(frame)
    with pa.OSFile(str(tmp_path / "a.arrows"), "wb") as file, pa.ipc.new_stream(file, whole.schema) as stream:
        stream.write_table(whole)
    for name in ("a.csv", "a.tsv", "b.csv.gz", "c.csv", "a.jsonl", "a.parquet", "a.feather", "a.arrows"):
        for in_memory in (None, False):
            table = Table.read(tmp_path / name, in_memory=in_memory)
            np.testing.assert_allclose(table["x"], frame["x"], rtol=1e-14)
            np.testing.assert_array_equal(table["n"], frame["n"])
            assert table["g"].tolist() == frame["g"].tolist()
            assert [column.kind.value for column in table.schema] == ["continuous", "count", "category"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("in_memory", [None, False])
def test_encodings_and_line_endings(tmp_path, encoding, ending, in_memory):
    path = tmp_path / "a.csv"
    path.write_bytes(f'city,x{ending}Köln,1.5{ending}"a{ending}b",2.5{ending}'.encode(encoding))
    table = Table.read(path, in_memory=in_memory)
    assert table["city"].tolist() == ["Köln", "a\nb"]
    assert table["x"].tolist() == [1.5, 2.5]
    assert bool(table.notes) == (encoding == "latin-1")


HEADERS = {
    "39, State-gov, 77516\n50, Private, ?\n": False,
    "class,x\na,1\nb,2\n": True,
    "cap,odor\nx,p\nx,a\n": True,
    "p,x\ne,x\np,s\n": False,
    "1999,2000\n5,6\n": False,
    '"",a\n1,2\n2,3\n': True,
    "ham\tOk lar\nspam\tFree entry\nham\tU dun\n": False,
}


@pytest.mark.parametrize("text", HEADERS)
def test_whether_there_is_a_header(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(text)
    table = Table.read(path)
    lines = text.count("\n")
    assert len(table) == lines - HEADERS[text]
    assert bool(table.notes) == (not HEADERS[text])
    assert len(Table.read(path, header=True)) == lines - 1
    assert Table.read(path, header=False).columns[0] == "column_1"


@pytest.mark.parametrize("in_memory", [None, False])
@pytest.mark.parametrize("header", ["", "x y  z\n", "\tx y z\n"])
def test_numbers_set_apart_by_blanks(tmp_path, header, in_memory):
    path = tmp_path / "data.txt"
    path.write_text(f"{header}  1.5\t2   3  \n \n-4e2 5.25  6  \n7.5 8 \t 9 \t \n")
    table = Table.read(path, in_memory=in_memory)
    assert table.columns == (("x", "y", "z") if header else ("column_1", "column_2", "column_3"))
    assert [table[name].tolist() for name in table.columns] == [[1.5, -400, 7.5], [2, 5.25, 8], [3, 6, 9]]
    path.write_text('g h\na  "b c"\nd NA\n')
    table = Table.read(path, dialect=Dialect(delimiter=" "), in_memory=in_memory)
    assert table.to_dict() == {"g": ["a", "d"], "h": ["b c", None]}


def test_blanks_missing_and_reasons(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("age, job , zip\n 39 , ?, 01234\n50 ,clerk ,98765\n38, NA,01234\n,clerk,\n")
    table = Table.read(path, types={"zip": "category"})
    assert table.columns == ("age", "job", "zip")
    assert table["job"].tolist() == [None, "clerk", None, "clerk"]
    assert table.states("zip") == ("01234", "98765")
    assert "2 missing (written '?', 'NA')" in table.schema["job"].reason
    assert "1 missing (written empty)" in table.schema["age"].reason
    assert Table.read(path, missing=())["job"].tolist() == ["?", "clerk", "NA", "clerk"]
    assert Table.read(path, types={"job": ["NA", "?", "clerk"]}).codes("job").tolist() == [1, 2, 0, 2]


@pytest.mark.parametrize("in_memory", [None, False])
def test_decimal_commas_are_seen_and_noted(tmp_path, in_memory):
    path = tmp_path / "a.csv"
    path.write_text("x;y\nNA;a\n1,5;a\n2;b\n2,25;b\n")
    table = Table.read(path, in_memory=in_memory)
    np.testing.assert_array_equal(table["x"], [np.nan, 1.5, 2.0, 2.25])
    assert table.notes == ("numbers have a decimal comma; say dialect=Dialect(decimal='.') if those are texts",)
    assert Table.read(path, dialect=Dialect(decimal="."), in_memory=in_memory).states("x") == ("1,5", "2", "2,25")
    asked = Table.read(path, dialect=Dialect(decimal=","), in_memory=in_memory)
    assert (asked["x"][1], asked.notes) == (1.5, ())
    assert Table.read(path, dialect=Dialect(skip=1), header=False).shape == (4, 2)


@pytest.mark.parametrize(
    ("content", "states"),
    [
        ("x;y\n1,250;a\n2,500;b\n", ("1,250", "2,500")),  # thousands, or decimals?
        ("x;y\n1,5;a\n2,5 kg;b\n", ("1,5", "2,5 kg")),
        ('x,y\n"1,5 and more",a\nnone,b\n', ("1,5 and more", "none")),
    ],
)
def test_commas_that_may_not_be_decimal_stay(tmp_path, content, states):
    path = tmp_path / "a.csv"
    path.write_text(content)
    table = Table.read(path)
    assert (table.states("x"), table.notes) == (states, ())


def test_decimal_commas_are_no_delimiters(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{i},{i % 10};{i},25;7\n" for i in range(60))  # as many commas as semicolons on each line
    for content, names in (("x;y;z\n" + rows, ("x", "y", "z")), (rows, ("column_1", "column_2", "column_3"))):
        path.write_text(content)
        table = Table.read(path)
        assert table.columns == names
        assert [table[name][-1] for name in names] == [59.9, 59.25, 7.0]


@pytest.mark.parametrize("in_memory", [None, False])
def test_numbers_with_zeros_in_front_are_labels(tmp_path, in_memory):
    path = tmp_path / "a.csv"
    path.write_text("zip,size,rate,n\n01234, 007,00.5,0\n90210,8,1.5,1\n?,12,2.25,2\n00501,1,3.5,3\n")
    table = Table.read(path, in_memory=in_memory)
    assert [table.kind(name) for name in table.columns] == ["category", "category", "continuous", "count"]
    assert table["zip"].tolist() == ["01234", "90210", None, "00501"]
    assert table.states("size") == ("1", "007", "8", "12")
    assert table.schema["zip"].reason == (
        "3 distinct labels in 3 values; 1 missing (written '?'); zeros in front, as in '00501', speak for labels; "
        "say types={'zip': 'continuous'} for numbers"
    )
    assert Table.read(path, types={"zip": "continuous"}, in_memory=in_memory)["zip"][0] == 1234.0


def test_a_column_that_is_nearly_numbers_says_so(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,g\n" + "\n".join(f"{i}.5,a" for i in range(50)) + "\ntwelve,a\n")
    for in_memory in (None, False):
        reason = Table.read(path, in_memory=in_memory).schema["x"].reason
        assert "50 of them are numbers and only 1 is not (first 'twelve')" in reason


def test_json_lines_and_names_that_differ_by_case(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    rows = [{"a": 1.5, "b": "x"}, {"b": None, "a": 2}, {"a": True, "c": {"k": [1]}}]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    for in_memory in (None, False):
        table = Table.read(path, in_memory=in_memory)
        assert table["a"].tolist() == ["1.5", "2", "true"]
        assert table["b"].tolist() == ["x", None, None]
        assert table["c"].tolist()[:2] == [None, None]
    path = tmp_path / "b.jsonl"
    path.write_text('{"a": 1.5, "A": 2.5}\n')
    assert Table.read(path).columns == ("a", "A")
    with pytest.raises(FormatError, match="upper and lower case"):
        Table.read(path, in_memory=False)


def test_parquet_keeps_its_own_types(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(
        pa.table(
            {
                "a": [1, None, 3],
                "A": ["01", "?", "02"],
                "nested": [[1], [2, 3], None],
                "t": pa.array([0, None, 86_400_000_000], pa.timestamp("us", tz="UTC")),
                "d": pa.array([1, 2, None], pa.decimal128(10, 2)),
                "ok": [True, None, False],
                "f": [float("nan"), 1.5, None],
            }
        ),
        path,
    )
    for in_memory in (None, False):
        table = Table.read(path, in_memory=in_memory)
        assert table.columns == ("a", "A", "nested", "t", "d", "ok", "f")
        assert table["A"].tolist() == ["01", None, "02"]
        assert table["t"].astype(str).tolist() == ["1970-01-01T00:00:00.000000", "NaT", "1970-01-02T00:00:00.000000"]
        np.testing.assert_array_equal(table["d"], [1, 2, np.nan])
        np.testing.assert_array_equal(table["ok"], [1, np.nan, 0])
        np.testing.assert_array_equal(table["f"], [np.nan, 1.5, np.nan])
        assert table["nested"].tolist()[2] is None
        assert table.schema["nested"].reason.endswith("values of type BIGINT[] are written out as texts")
        assert Table.read(path, types={"a": "category"}, in_memory=in_memory).states("a") == (1, 3)


def test_a_schema_reads_a_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("extra,zip,size,age\n1,01234,M,3\n2,99999,XL,4\n")
    schema = Schema(
        (Column("age", "continuous"), Column("size", "ordered", ("S", "M")), Column("zip", "category", ("01234",)))
    )
    table = schema.apply(path)
    assert table.schema == schema
    assert table.codes("zip").tolist() == [0, -1]
    assert table.codes("size").tolist() == [1, -1]
    assert "extra" in table.notes[0]
    with pytest.raises(FormatError, match="'XL'"):
        schema.apply(path, unseen="refuse")
    path.write_text("zip,size\n1,2\n")
    with pytest.raises(ValueError, match="no column 'age'"):
        schema.apply(path)


@pytest.mark.parametrize("in_memory", [None, False])
def test_zeros_and_ones_with_decimals_are_boolean_and_apply_to_later_files(tmp_path, in_memory):
    (tmp_path / "a.csv").write_text("a,flag\n1,1.0\n2,0.0\n3,\n")
    (tmp_path / "later.csv").write_text("a,flag\n5,0.0\n6,1\n")
    table = Table.read(tmp_path / "a.csv", in_memory=in_memory)
    np.testing.assert_array_equal(table["flag"], [1.0, 0.0, np.nan])
    assert table.schema.apply(tmp_path / "later.csv")["flag"].tolist() == [0.0, 1.0]
