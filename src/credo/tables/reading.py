"""From a file to the parts of a table: which reader, in memory or on disk, and what is said about it."""

# ruff: noqa: S608 (what goes into SQL is made here, but for texts, which are parameters or quoted by `literal`)

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from credo import checks
from credo.errors import FormatError, InvalidInput, TooLarge
from credo.tables import build as building
from credo.tables import jsonlines
from credo.tables.build import Look, Parts
from credo.tables.cells import cells
from credo.tables.dialect import AUTOMATIC, Dialect
from credo.tables.disk import Disk
from credo.tables.engine import Engine, literal, memory_bytes
from credo.tables.evidence import Types, guess, settle, tokens
from credo.tables.files import LONGEST_LINE, Found, Scan, find, scan
from credo.tables.memory import Backing, Memory
from credo.tables.relation import KEPT, Cell, Relation, keep
from credo.tables.rows import rows, write_plain
from credo.tables.schema import MISSING, Column, Kind, Schema, missing_tokens

__all__ = ["read"]

#: Tables that would take more than this stay on disk unless told otherwise.
MEMORY_LIMIT = 2 * 2**30
#: Text files up to this many bytes are read by Python; with more than ``WIDE`` columns, up to ``SMALL_WIDE``. DuckDB
#: plans some 10 ms for each column. Beyond ``TOO_WIDE`` it plans for minutes, and Python reads whatever fits.
SMALL, WIDE, SMALL_WIDE, TOO_WIDE = 2**20, 100, 2**25, 2500
#: Bytes of memory for each byte of a file that Python reads.
ROW_COST = 10
#: The column that DuckDB adds to those of a Parquet file.
ROW_NUMBER = "file_row_number"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of a file: kinds that are given, how missing is written, or a schema to be kept to."""

    types: Types | None
    missing: tuple[str, ...]
    schema: Schema | None
    unseen: str
    in_memory: bool | None
    memory_limit: int

    def told(self, names: Sequence[str]) -> tuple[Mapping[str, Column | Kind], tuple[str, ...], tuple[str, ...]]:
        """Given the names in the file: what is said about columns, which are wanted, and what is to be noted."""
        if self.schema is None:
            return settle(self.types, names), tuple(names), ()
        notes = building.require(names, self.schema)
        return {column.name: column for column in self.schema}, self.schema.names, notes

    def stays(self, size: int) -> bool:
        """Whether a table of about ``size`` bytes is to be held in memory."""
        return size <= self.memory_limit if self.in_memory is None else self.in_memory


def read(
    path: str | os.PathLike[str],
    *,
    types: Types | None = None,
    missing: Sequence[str] = MISSING,
    dialect: Dialect = AUTOMATIC,
    in_memory: bool | None = None,
    memory_limit: int | str | None = None,
    schema: Schema | None = None,
    unseen: str = "refuse",
) -> Parts:
    """The parts of the table in a file: see ``Table.read``; with ``schema``, exactly its columns."""
    limit = MEMORY_LIMIT if memory_limit is None else memory_bytes(memory_limit)
    absent = missing_tokens(missing) if schema is None else schema.missing
    wish = Wish(types, absent, schema, unseen, in_memory, limit)
    found = find(path)
    if found.form == "list":
        raise FormatError("this is one JSON list: write one JSON object a line (JSON lines) instead", file=found.name)
    if found.form in ("arrow", "stream"):
        return _arrow(found, wish)
    if found.form == "parquet":
        return _parquet(found, wish)
    scanned = scan(found)
    return _json(found, scanned, wish) if found.form == "json" else _text(found, scanned, dialect, wish)


def _engine(found: Found, wish: Wish, size: int) -> tuple[Engine, bool]:
    stays = wish.stays(size)
    return Engine(found.path, memory_limit=wish.memory_limit, on_disk=not stays), stays


# -- text


def _text(found: Found, scanned: Scan, dialect: Dialect, wish: Wish) -> Parts:
    settled, first, notes = dialect.settled(scanned.sample, found.name)
    names = _names(first, found) if settled.header else [f"column_{i + 1}" for i in range(len(first))]
    remarks = scanned.notes + notes
    if _for_python(scanned, len(names), wish):
        return _by_rows(found, scanned, settled, names, wish, remarks)
    engine, stays = _engine(found, wish, 2 * scanned.size)
    columns = Columns.of(dict.fromkeys(names, "TEXT"), wish, settled.decimal, careful=scanned.doubtful)
    if (
        not scanned.plain
        or settled.delimiter == " "
        or not _fast(engine, engine.source, settled, columns, found, scanned)
    ):
        plain = engine.directory / "plain.csv"
        write_plain(rows(found, scanned.encoding, settled, len(names)), plain)
        target = Dialect(delimiter=",", header=False)
        if not _fast(engine, engine.path(plain), target, columns, replace(found, zipped=False), scanned):
            raise FormatError("this file cannot be read as delimited text", file=found.name)
        plain.unlink()
    return _typed(Relation(engine, KEPT, columns.cells), columns, wish, stays, remarks)


def _fast(engine: Engine, source: str, dialect: Dialect, columns: Columns, found: Found, scanned: Scan) -> bool:
    """Let DuckDB read a file; False if it refuses (it cannot always say where)."""
    idents = [f"c{i}" for i in range(columns.width)]
    line = min(max(2 * 2**20, scanned.longest + 1024), LONGEST_LINE)
    options = {
        "auto_detect": "false",
        "columns": "{" + ", ".join(f"'{ident}': 'VARCHAR'" for ident in idents) + "}",
        "header": str(dialect.header).lower(),
        "delim": literal(dialect.delimiter),
        "quote": literal(dialect.quote),
        "escape": literal(dialect.quote),
        "skip": str(dialect.skip),
        "strict_mode": "true",
        "compression": literal("gzip" if found.zipped else "none"),
        "hive_partitioning": "false",
        "max_line_size": str(line),
        "buffer_size": str(max(line + 1, min(2**25, engine.memory_limit // 8))),
    }
    listed = ", ".join(f"{name} = {value}" for name, value in options.items())
    feeds = [f"replace({ident}, chr(13) || chr(10), chr(10)) AS {ident}" for ident in idents]
    wanted = ", ".join(feeds) if scanned.returns else "*"
    try:
        keep(engine, f"(SELECT {wanted} FROM read_csv({source}, {listed}))", columns.cells.values())
    except FormatError:
        return False
    return True


def _names(first: Sequence[str], found: Found) -> list[str]:
    names = [name or f"column_{i + 1}" for i, name in enumerate(first)]
    return _differing(names, found, "Rename one, or say header=False", line=1)


def _differing(names: list[str], found: Found, remedy: str, *, line: int | None = None) -> list[str]:
    try:
        checks.unique("column names", names)
    except InvalidInput as cause:
        raise FormatError(f"{cause}. {remedy}", file=found.name, line=line) from None
    return names


def _for_python(scanned: Scan, width: int, wish: Wish) -> bool:
    """Whether Python reads a text file: a small one, or a wide one, which DuckDB would plan for long."""
    if width > TOO_WIDE:
        return True
    return wish.in_memory is not False and scanned.size <= (SMALL_WIDE if width > WIDE else SMALL)


def _by_rows(
    found: Found, scanned: Scan, dialect: Dialect, names: list[str], wish: Wish, notes: tuple[str, ...]
) -> Parts:
    if ROW_COST * scanned.size > wish.memory_limit:
        raise TooLarge(
            f"{found.name}: {len(names):,} columns are read in memory, which takes about {ROW_COST * scanned.size:,} "
            f"bytes, more than the memory limit of {wish.memory_limit:,}. Raise memory_limit, or split the columns"
        )
    held = list(rows(found, scanned.encoding, dialect, len(names)))
    columns = list(zip(*held, strict=True)) or [()] * len(names)
    return _parsed_texts(found, dict(zip(names, columns, strict=True)), dialect.decimal, wish, notes)


def _parsed_texts(
    found: Found, columns: Mapping[str, Sequence[str | None]], decimal: str, wish: Wish, notes: tuple[str, ...]
) -> Parts:
    """A table in memory of columns of texts that a file holds."""
    said, _, _ = wish.told(list(columns))

    def looker(name: str, values: Sequence[str | None]) -> Look:
        return lambda absent: cells(name, list(values), absent, decimal=decimal, parse=name not in said)

    looks = {name: looker(name, values) for name, values in columns.items()}
    try:
        return _built(looks, wish, notes)
    except InvalidInput as cause:
        raise FormatError(str(cause), file=found.name) from None


def _built(looks: Mapping[str, Look], wish: Wish, notes: tuple[str, ...]) -> Parts:
    if wish.schema is None:
        parts = building.build(looks, wish.types, wish.missing)
    else:
        parts = building.conform(looks, wish.schema, wish.unseen)
    return parts._replace(notes=notes + parts.notes)


# -- other forms


def _json(found: Found, scanned: Scan, wish: Wish) -> Parts:
    if scanned.encoding != "utf-8-sig":
        raise FormatError("JSON lines must be UTF-8; convert the file", file=found.name)
    if _for_python(scanned, 1, wish):
        return _parsed_texts(found, jsonlines.columns(found), ".", wish, scanned.notes)
    engine, stays = _engine(found, wish, 2 * scanned.size)
    options = (
        f"format = 'newline_delimited', maximum_object_size = {max(2**24, scanned.longest + 1024)}, "
        f"compression = {literal('gzip' if found.zipped else 'none')}"
    )
    source = (
        f"read_json({engine.source}, records = 'true', maximum_depth = 1, sample_size = -1, hive_partitioning = false, "
        f"{options})"
    )
    try:
        names = [name for name, *_ in engine.run(f"DESCRIBE SELECT * FROM {source}").fetchall()]
        columns = Columns.of(dict.fromkeys(names, "TEXT"), wish, careful=scanned.doubtful)
        aliases = ", ".join(f"j{i}" for i in range(len(names)))
        values = ", ".join(f"j{i} ->> '$' AS c{i}" for i in range(len(names)))
        keep(engine, f"(SELECT {values} FROM {source} AS held({aliases}))", columns.cells.values())
        keys = f"SELECT DISTINCT unnest(json_keys(json)) FROM read_json_objects({engine.source}, {options})"
        true_names = {name for (name,) in engine.run(keys).fetchall()}
    except FormatError:
        for _ in jsonlines.objects(found):  # raises where the line is wrong
            pass
        raise
    if true_names != set(names):  # DuckDB renames the second of two names that differ only by case
        raise FormatError("some names differ only by upper and lower case: rename them", file=found.name)
    return _typed(Relation(engine, KEPT, columns.cells), columns, wish, stays, scanned.notes)


def _parquet(found: Found, wish: Wish) -> Parts:
    engine, stays = _engine(found, wish, 0)
    schema = engine.run(f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({engine.source})").fetchall()
    names = _differing(_top_level(schema), found, "Rename one and write the file anew")
    if ROW_NUMBER in names:
        raise FormatError(f"a column cannot be called {ROW_NUMBER!r} here. Rename it", file=found.name)
    source = f"read_parquet({engine.source}, {ROW_NUMBER} = true, hive_partitioning = false)"
    kinds = [kind for _, kind, *_ in engine.run(f"DESCRIBE SELECT * FROM {source}").fetchall()[:-1]]
    (size,) = engine.row(f"SELECT sum(total_uncompressed_size) FROM parquet_metadata({engine.source})")
    if stays != wish.stays(3 * int(size or 0)):
        engine.close()
        engine, stays = Engine(found.path, memory_limit=wish.memory_limit, on_disk=True), False
    aliases = ", ".join([*(f"c{i}" for i in range(len(kinds))), "r"])
    columns = Columns.of(dict(zip(names, kinds, strict=True)), wish)
    return _typed(Relation(engine, f"{source} AS held({aliases})", columns.cells), columns, wish, stays, ())


def _top_level(schema: Sequence[tuple[str, int]]) -> list[str]:
    """The names of the columns in a Parquet schema, which lists each column's inner parts after it."""
    names, within = [], 0
    for name, children in schema[1:]:
        if not within:
            names.append(name)
        within = max(within - 1, 0) + children
    return names


def _arrow(found: Found, wish: Wish) -> Parts:
    try:
        import pyarrow as pa
        from pyarrow import feather
    except ImportError:
        raise FormatError(
            "Arrow and Feather files are read by pyarrow, which is not installed: pip install pyarrow, "
            "or write the file as Parquet",
            file=found.name,
        ) from None
    try:
        if found.form == "stream":
            with found.path.open("rb") as file, pa.ipc.open_stream(file) as stream:
                frame = stream.read_all()
        else:
            frame = feather.read_table(str(found.path))
    except (pa.ArrowException, OSError, ValueError) as cause:
        raise FormatError(f"not a readable Arrow or Feather file ({cause})", file=found.name) from None
    _differing(frame.column_names, found, "Rename one and write the file anew")
    try:
        return _built(building.looks(frame), wish, ())
    except InvalidInput as cause:
        raise FormatError(str(cause), file=found.name) from None


# -- from DuckDB's columns to typed ones


@dataclass(frozen=True, slots=True)
class Columns:
    """The wanted ones of the ``width`` columns in a file: their cells, what is said about them, and what is noted."""

    width: int
    cells: Mapping[str, Cell]
    said: Mapping[str, Column | Kind]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, kinds: Mapping[str, str], wish: Wish, decimal: str = ".", *, careful: bool = True) -> Columns:
        """The columns that DuckDB holds as ``kinds``."""
        said, names, notes = wish.told(list(kinds))
        place = {name: i for i, name in enumerate(kinds)}
        cells = {
            name: replace(
                Cell.of(name, place[name], kinds[name], tokens(wish.missing, said.get(name))),
                decimal=decimal,
                careful=careful,
            )
            for name in names
        }
        return cls(len(kinds), cells, said, notes)


def _typed(
    relation: Relation,
    columns: Columns,
    wish: Wish,
    stays: bool,  # noqa: FBT001
    notes: tuple[str, ...],
) -> Parts:
    said, names = columns.said, list(columns.cells)
    seen = relation.evidence([name for name in names if name not in said])
    settled = []
    for name in names:
        wanted = said.get(name)
        if isinstance(wanted, Column):
            settled.append(wanted)
        elif wanted is None:
            settled.append(guess(name, seen[name]))
        else:
            states = relation.states(name) if wanted is Kind.CATEGORY else ()
            settled.append(Column(name, wanted, states, f"said to be {wanted}"))
    schema = Schema(tuple(settled), wish.missing) if wish.schema is None else wish.schema
    selects, lost = relation.selects(schema.columns, said, unseen=wish.unseen)
    backing = _backing(relation.engine, selects, schema.names, in_memory=stays)
    return Parts(schema, backing, notes + columns.notes + lost)


def _backing(engine: Engine, selects: Sequence[str], names: Sequence[str], *, in_memory: bool) -> Backing:
    if in_memory:
        arrays = [array for select in selects for array in engine.arrays(select)]
        engine.close()
        return Memory(len(arrays[0]) if arrays else 0, dict(zip(names, arrays, strict=True)))
    for i, select in enumerate(selects):
        engine.run(f"CREATE TABLE {'data' if len(selects) == 1 else f'part{i}'} AS {select}")
    engine.run("DROP TABLE IF EXISTS raw")
    if len(selects) > 1:  # rows keep their order, so the parts stand side by side
        parts = [f"part{i}" for i in range(len(selects))]
        engine.run(f"CREATE TABLE data AS SELECT * FROM {' POSITIONAL JOIN '.join(parts)}")
        for part in parts:
            engine.run(f"DROP TABLE {part}")
    (count,) = engine.row("SELECT count(*) FROM data")
    return Disk(engine, count, {name: f"v{i}" for i, name in enumerate(names)})
