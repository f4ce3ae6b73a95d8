"""Tables in memory: from mappings, frames and arrays; parts; display; what is refused."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadShape, CredoError, InvalidInput, UnknownName
from credo.tables import Kind, Table, as_table

MIXED = {
    "x": [1.5, None, 3.5],
    "n": [1, None, 3],
    "g": ["a", "?", " b "],
    "ok": [True, None, False],
    "t": [dt.date(2020, 1, 1), None, dt.datetime(2020, 1, 2, 12)],
}


def test_kinds_and_values():
    table = Table(MIXED)
    assert [column.kind for column in table.schema] == [
        Kind.CONTINUOUS,
        Kind.COUNT,
        Kind.CATEGORY,
        Kind.BOOLEAN,
        Kind.TIME,
    ]
    np.testing.assert_array_equal(table["x"], [1.5, np.nan, 3.5])
    np.testing.assert_array_equal(table["ok"], [1, np.nan, 0])
    assert table["g"].tolist() == ["a", None, "b"]
    assert table.codes("g").tolist() == [0, -1, 1]
    assert table.codes("ok").tolist() == [1, -1, 0]
    assert table.states("ok") == (False, True)
    assert table["t"].dtype == "datetime64[us]"
    for name in table.columns:
        assert table.missing(name).tolist() == [False, True, False]
    assert Table(table.to_dict(), types={c.name: c for c in table.schema}).to_dict() == table.to_dict()


def frames():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    plain = {"x": [1.5, None, 3.5], "n": [1, None, 3], "g": ["a", None, "b"], "ok": [True, None, False]}
    yield pandas.DataFrame({**plain, "n": pandas.array([1, None, 3], dtype="Int64")})
    yield polars.DataFrame(plain)
    yield polars.LazyFrame(plain)
    yield pyarrow.table(plain)


def test_any_data_frame_is_the_same_table():
    wanted = {"x": [1.5, None, 3.5], "n": [1.0, None, 3.0], "g": ["a", None, "b"], "ok": [True, None, False]}
    for frame in frames():
        table = as_table(frame)
        assert table.to_dict() == wanted
        assert [c.kind.value for c in table.schema] == ["continuous", "count", "category", "boolean"]
    for backend in ("pandas", "polars", "pyarrow"):
        assert as_table(table.to_frame(backend)).to_dict() == wanted


def test_declared_categories_keep_their_states():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    levels = ["low", "mid", "high"]
    ordered = Table(pandas.DataFrame({"a": pandas.Categorical(["high", None], categories=levels, ordered=True)}))
    assert ordered.kind("a") == "ordered"
    assert ordered.states("a") == tuple(levels)
    assert ordered.codes("a").tolist() == [2, -1]
    numbers = Table(pandas.DataFrame({"a": pandas.Categorical([2, 1, 2], categories=[3, 2, 1])}))
    assert numbers.states("a") == (3, 2, 1)
    assert numbers["a"].tolist() == [2, 1, 2]
    enum = Table(polars.DataFrame({"a": polars.Series(["low"], dtype=polars.Enum(levels))}))
    assert enum.states("a") == tuple(levels)


def test_categories_are_read_by_their_codes():
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    texts = ["b ", None, "a", "b ", ""]
    chunks = pyarrow.chunked_array([pyarrow.array(texts[:2]), pyarrow.array(texts[2:])]).dictionary_encode()
    table = Table(pyarrow.table({"g": chunks}))
    assert table["g"].tolist() == ["b ", None, "a", "b ", None]
    column = pandas.Series(pandas.Categorical(texts, categories=["unused", "b ", "a", ""]))
    assert Table(pandas.DataFrame({"g": column})).codes("g").tolist() == [1, -1, 2, 1, -1]
    as_text = Table(pandas.DataFrame({"g": column}), types={"g": "text"})
    assert as_text["g"].tolist() == ["b", None, "a", "b", None]


def test_times_of_frames_become_utc():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"t": pandas.to_datetime(["2020-01-01T02:00:00+02:00", None])})
    assert Table(frame)["t"].astype(str).tolist() == ["2020-01-01T00:00:00.000000", "NaT"]


@pytest.mark.parametrize(
    "data",
    [
        {"a": [1, 2], "b": [1]},
        {"a": 5},
        {"a": "xyz"},
        {1: [2]},
        {"a": [1 + 2j]},
        {"a": [[1], [2]]},
        {"a": [1.0, np.inf]},
        {"a": [b"x"]},
        {"a": [10**400]},
        {"a": [dt.timedelta(1)]},
        {"a": np.ma.masked_array([1, 2], [0, 1])},
        {"a": {"b": 1}},
        [[1, 2], [3]],
        [1, 2],
        np.zeros((2, 2, 2)),
        5,
        None,
    ],
    ids=str,
)
def test_what_is_no_table(data):
    with pytest.raises(CredoError):
        Table(data)


def test_frames_that_cannot_be_tables():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InvalidInput, match="unique"):
        Table(pandas.DataFrame([[1, 2]], columns=["a", "a"]))
    assert Table(pandas.DataFrame([[1.5, 2.5]])).columns == ("0", "1")


GUESSES = [
    ([0, 1, 2, 3], "count"),
    ([0, 1, 1, 0], "boolean"),
    ([2001, 2002, 2003], "continuous"),
    ([-1, 0, 1], "continuous"),
    (list(range(40)), "continuous"),
    ([1.0, 2.0, 3.0], "continuous"),
    ([None, None], "continuous"),
    (["1", "2", "3"], "category"),
    ([f"w{i % 30}" for i in range(90)], "category"),
    ([f"w{i}" for i in range(90)], "text"),
    ([1, "a", None], "category"),
    ([True, None], "boolean"),
    ([], "continuous"),
]


@pytest.mark.parametrize(("values", "kind"), GUESSES, ids=str)
def test_guesses_have_reasons(values, kind):
    column = Table({"a": values}).schema["a"]
    assert column.kind == kind
    assert column.reason


def test_parts():
    table = Table(MIXED)
    assert table.select(["g", "x"]).columns == ("g", "x")
    assert table.drop("x").columns == ("n", "g", "ok", "t")
    assert table.take([2, 0])["n"].tolist() == [3, 1]
    assert table.take(np.array([True, False, True]))["g"].tolist() == ["a", "b"]
    assert table.take([]).shape == (0, 5)
    assert table.head(2).shape == (2, 5)
    assert [len(part) for part in table.batches(rows=2)] == [2, 1]
    for wrong in ([3], [-1], [[0]], [0.5], "a", [True]):
        with pytest.raises(InvalidInput):
            table.take(wrong)
    with pytest.raises(UnknownName, match="'ok'"):
        table["okk"]
    with pytest.raises(InvalidInput, match="no states"):
        table.states("x")
    with pytest.raises(InvalidInput, match="twice"):
        table.select(["x", "x"])


def test_a_table_never_changes():
    x = np.array([1.5, 2.5])
    table = Table({"x": x, "g": ["a", "b"]})
    x[0] = 9
    assert table["x"].tolist() == [1.5, 2.5]
    with pytest.raises(ValueError, match="read-only"):
        table["x"][0] = 9
    with pytest.raises(ValueError, match="read-only"):
        table.codes("g")[0] = 1
    with pytest.raises(AttributeError):
        table.schema = None


def test_display_obeys_nothing_it_shows():
    table = Table({"<b>": ["<script>alert(1)</script>", "a\nb\x1b[31m"], **{f"c{i}": [1.5, 2.5] for i in range(20)}})
    html = table._repr_html_()
    assert "<script>" not in html
    assert "&lt;b&gt;" in html
    text = repr(table)
    assert "\x1b" not in text
    assert "9 more columns" in text
    assert "Table of 0 rows and 0 columns" in repr(Table({}))


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_infinity=False), st.text(max_size=3)
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(VALUES, max_size=6))
def test_any_values_make_a_column_or_are_refused(values):
    table = Table({"a": values})
    assert len(table) == len(values)
    assert len(table.to_dict()["a"]) == len(values)
    assert table.schema.apply({"a": values}, unseen="refuse").schema == table.schema


def test_arrays_and_rows():
    assert Table.from_array(np.arange(6.0).reshape(3, 2)).columns == ("x0", "x1")
    rows = as_table([[1, "a"], [2, "b"]])
    assert [c.kind.value for c in rows.schema] == ["count", "category"]
    with pytest.raises(BadShape, match="3 names for 2 columns"):
        Table.from_array(np.eye(2), ["a", "b", "c"])
    with pytest.raises(InvalidInput, match="twice"):
        Table.from_array(np.eye(2), ["a", "a"])
