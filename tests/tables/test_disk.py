"""A table on disk answers as one in memory does, also when it is larger than the memory it may use."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from credo.errors import InvalidInput, TooLarge
from credo.tables import Table


def table_of(seed: int, rows: int) -> Table:
    rng = np.random.default_rng(seed)

    def holed(values, hole):
        return [hole if gone else value for value, gone in zip(values, rng.random(rows) < 0.2, strict=True)]

    return Table(
        {
            "x": holed((rng.normal(size=rows) + 1e9).tolist(), None),
            "y": holed(rng.normal(size=rows).tolist(), None),
            "n": holed(rng.poisson(2, rows).tolist(), None),
            "g": holed(rng.choice(["a", "b", "c"], rows).tolist(), None),
            "ok": holed(rng.choice([True, False], rows).tolist(), None),
            "t": holed(rng.choice(np.array(["2020-01-01", "2021-05-05"], "datetime64[us]"), rows).tolist(), None),
            "w": holed([f"text {i}" for i in range(rows)], None),
        },
        types={"x": "continuous", "n": "count", "g": ["a", "b", "c"], "ok": "boolean", "t": "time", "w": "text"},
    )


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1000), rows=st.integers(1, 60), batch=st.integers(1, 70))
def test_both_backings_agree(tmp_path, seed, rows, batch):
    memory = table_of(seed, rows)
    path = tmp_path / "a.parquet"
    from pyarrow import parquet

    parquet.write_table(memory.to_frame("pyarrow"), path, row_group_size=7)
    disk = memory.schema.apply(Table.read(path, types={c.name: c for c in memory.schema}, in_memory=False))
    assert memory.in_memory
    assert not disk.in_memory
    assert len(disk) == rows
    for name in memory.columns:
        np.testing.assert_array_equal(disk[name], memory[name])
        np.testing.assert_array_equal(disk.missing(name), memory.missing(name))
    for names in (["g"], ["ok", "g"], ["g", "ok"]):
        np.testing.assert_array_equal(disk.counts(names).counts, memory.counts(names).counts)
    for by in (None, "g", "ok"):
        one, other = disk.moments(["x", "y", "n"], by=by), memory.moments(["x", "y", "n"], by=by)
        np.testing.assert_array_equal(one.count, other.count)
        for field in ("mean", "var", "centre", "cov"):
            np.testing.assert_allclose(getattr(one, field), getattr(other, field), rtol=1e-9, atol=1e-9)
    order = np.random.default_rng(seed).integers(rows, size=9)
    for a, b in ((disk.take(order), memory.take(order)), (disk.head(3), memory.head(3))):
        assert repr(a.to_dict()) == repr(b.to_dict())
    parts = list(zip(disk.batches(rows=batch), memory.batches(rows=batch), strict=True))
    assert sum(len(part) for part, _ in parts) == rows
    for one, other in parts:
        assert repr(one.to_dict()) == repr(other.to_dict())


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A Parquet file of 48 MB when decoded, in small row groups, and what is in it."""
    import duckdb

    path = tmp_path_factory.mktemp("large") / "large.parquet"
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute("SELECT setseed(0.5)")
    connection.execute(
        "COPY (SELECT 1e9 + random() AS x, i + random() AS y, random() AS z, i * 1.5 AS u, random() AS v, "
        "['a', 'b', 'c'][1 + i % 3] AS g FROM range(1000000) t(i)) "
        f"TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 20000)"
    )
    return path


def test_larger_than_the_memory_limit(large):
    import duckdb

    table = Table.read(large, memory_limit="24MiB")
    assert not table.in_memory
    assert table.shape == (1_000_000, 6)
    engine = table._backing.engine
    with pytest.raises(TooLarge):  # the limit is a limit
        engine.run("SELECT list(v0 || 'something long that has to be held') FROM data")
    moments = table.moments(["x", "y"], by="g")
    np.testing.assert_array_equal(moments.count, [[333_334] * 2, [333_333] * 2, [333_333] * 2])
    assert table.counts("g").counts.tolist() == [333_334, 333_333, 333_333]
    held = duckdb.connect().execute(f"SELECT x, y FROM '{large}' ORDER BY u").fetchnumpy()
    X = np.column_stack([held["x"], held["y"]])
    whole = table.moments(["x", "y"])
    np.testing.assert_allclose(whole.cov, np.cov((X - X.mean(0)).T, bias=True), rtol=1e-9)
    np.testing.assert_allclose(table.take([999_999, 5])["y"], X[[999_999, 5], 1])
    assert [len(part) for part in table.select(["g"]).batches(rows=400_000)] == [400_000, 400_000, 200_000]
    with pytest.raises(TooLarge, match="batches"):
        table.take(np.arange(1_000_000))


def test_in_memory_when_told_or_small(large):
    assert Table.read(large).in_memory
    assert Table.read(large, in_memory=True, memory_limit="64MiB").in_memory


def test_kinds_cannot_change_on_disk(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n2,y\n3,x\n")
    disk = Table.read(path, in_memory=False)
    other = Table({"a": ["1"], "b": ["x"]}).schema
    with pytest.raises(InvalidInput, match="apply the schema to its file"):
        other.apply(disk)
    assert other.apply(path).codes("a").tolist() == [0, -1, -1]


def test_more_columns_than_are_planned_at_a_time(tmp_path):
    path = tmp_path / "a.csv"
    X = np.random.default_rng(0).normal(size=(30, 70))
    np.savetxt(path, X, delimiter=",", header=",".join(f"c{i}" for i in range(70)), comments="", fmt="%.17g")
    disk = Table.read(path, in_memory=False)
    np.testing.assert_array_equal(np.column_stack([disk[name] for name in disk.columns]), X)
