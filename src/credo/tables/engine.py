"""DuckDB, shut in: no network, no extensions, no files but the one that is read, and a limit on its memory."""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import BadParameter, FormatError, TooLarge

__all__ = ["Engine", "literal", "memory_bytes"]

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
LEAST_MEMORY = 16 * 2**20
SMALL_MEMORY = 256 * 2**20


def memory_bytes(limit: int | str) -> int:
    """A memory limit in bytes.

    >>> memory_bytes("1.5 GB")
    1500000000
    """
    parts = re.fullmatch(r"\s*([0-9]+\.?[0-9]*)\s*([A-Za-z]*)\s*", limit) if isinstance(limit, str) else None
    if isinstance(limit, str) and (parts is None or parts[2].upper() not in UNITS):
        raise BadParameter(f"memory_limit must be a number of bytes or a text such as '2GB'; got {checks.shown(limit)}")
    size = checks.count("memory_limit", limit) if parts is None else int(float(parts[1]) * UNITS[parts[2].upper()])
    if size < LEAST_MEMORY:
        raise BadParameter(f"memory_limit must be at least {LEAST_MEMORY >> 20} MiB; got {checks.shown(limit)}")
    return size


def literal(text: str) -> str:
    """A text inside SQL."""
    return "'" + text.replace("'", "''") + "'"


class Engine:
    """One database of its own, in memory or on disk, that may read ``reading`` and its own directory; gone when it is.

    ``directory`` is temporary: what does not fit in memory is spilt there, and it is removed with the engine.
    """

    def __init__(self, reading: Path, *, memory_limit: int, on_disk: bool) -> None:
        import duckdb

        self.reading = reading
        self.memory_limit = memory_limit
        self.directory = Path(tempfile.mkdtemp(prefix="credo-"))
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{memory_limit}B",
            "temp_directory": str(self.directory / "spilt"),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "python_enable_replacements": "false",
            "disabled_optimizers": "in_clause",  # it takes seconds over the lists of missing tokens of many columns
        }
        if memory_limit < SMALL_MEMORY:
            settings["threads"] = "1"  # each thread needs buffers of its own
        self._errors = duckdb.Error
        self._exhausted = duckdb.OutOfMemoryException
        self._connection = duckdb.connect(
            str(self.directory / "data.duckdb") if on_disk else ":memory:", config=settings
        )
        self.close = weakref.finalize(self, _close, self._connection, self.directory)
        self.run(f"SET allowed_paths = [{literal(str(reading.absolute()))}]")
        self.run(f"SET allowed_directories = [{literal(str(self.directory))}]")
        self.run("SET enable_external_access = false")
        self.run("SET lock_configuration = true")

    @property
    def source(self) -> str:
        """The file that may be read, as a literal in which nothing is a pattern."""
        return self.path(self.reading)

    def path(self, place: Path) -> str:
        """A path as a literal in which nothing is a pattern."""
        return literal(re.sub(r"([*?\[{])", r"[\1]", str(place.resolve())))

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Run one statement; what DuckDB refuses becomes an error of Credo's."""
        with self._ours():
            return self._connection.cursor().execute(sql, list(parameters))

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The one row that a query gives."""
        rows: tuple[Any, ...] = self.run(sql, parameters).fetchone()
        return rows

    def arrays(self, sql: str) -> list[NDArray[Any]]:
        """The columns that a query gives; NULL is NaN, NaT or None."""
        with self._ours():
            columns = self.run(sql).fetchnumpy()
        return [_filled(column) for column in columns.values()]

    @contextmanager
    def _ours(self) -> Iterator[None]:
        """What DuckDB raises becomes an error of Credo's, and Ctrl-C is Ctrl-C again."""
        try:
            yield
        except self._exhausted as cause:
            raise self._too_large(cause) from None
        except self._errors as cause:
            raise FormatError(_first_line(cause), file=self.reading) from None
        except RuntimeError as cause:
            if str(cause) == "Query interrupted":  # what DuckDB makes of a KeyboardInterrupt
                raise KeyboardInterrupt from None
            raise

    def _too_large(self, cause: Exception) -> TooLarge:
        return TooLarge(
            f"{self.reading}: reading it takes more than the memory limit of {self.memory_limit:,} bytes "
            f"({_first_line(cause)}). Raise memory_limit, or read fewer columns"
        )


def _close(connection: Any, directory: Path) -> None:
    connection.close()
    shutil.rmtree(directory, ignore_errors=True)


def _first_line(cause: Exception) -> str:
    return str(cause).split("\n", 1)[0].strip()


def _filled(column: Any) -> NDArray[Any]:
    if not isinstance(column, np.ma.MaskedArray):
        held: NDArray[Any] = np.asarray(column)
        return held
    missing = np.ma.getmaskarray(column)
    values = np.array(column.data)
    values[missing] = {"O": None, "M": np.datetime64("NaT"), "f": np.nan}[values.dtype.kind]
    return values
