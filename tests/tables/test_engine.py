"""What DuckDB raises, as Credo says it."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from credo.errors import FormatError
from credo.tables.engine import Engine

WAYS = [Engine.run, Engine.row, Engine.arrays]


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path / "data.csv", memory_limit=2**28, on_disk=False)


@pytest.mark.parametrize("ask", WAYS)
def test_what_is_refused_names_the_file(engine: Engine, ask) -> None:
    with pytest.raises(FormatError, match=r"data\.csv: .*no_such_table"):
        ask(engine, "SELECT * FROM no_such_table")


@pytest.mark.parametrize(
    ("said", "expected"), [("Query interrupted", KeyboardInterrupt), ("something else", RuntimeError)]
)
@pytest.mark.parametrize("ask", WAYS)
def test_ctrl_c_is_no_crash(engine: Engine, ask, said: str, expected: type[BaseException]) -> None:
    connection = mock.Mock()
    connection.cursor().execute.side_effect = RuntimeError(said)  # what DuckDB makes of Ctrl-C while it works
    with mock.patch.object(engine, "_connection", connection), pytest.raises(expected):
        ask(engine, "SELECT 1")
