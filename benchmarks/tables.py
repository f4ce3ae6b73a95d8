"""Reading a CSV file, and counting in it, beside pandas."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case

__all__ = ["CASES"]

ROWS = 1_000_000


def written() -> Path:
    import pandas as pd

    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {f"x{i}": rng.normal(size=ROWS).round(6) for i in range(6)}
    columns |= {f"n{i}": rng.poisson(4, ROWS) for i in range(2)}
    columns |= {f"g{i}": rng.choice(["red", "green", "blue", "NA"], ROWS) for i in range(2)}
    path = Path(tempfile.mkdtemp()) / "million.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def read(path: Path) -> object:
    from credo.tables import Table

    return Table.read(path)


def read_pandas(path: Path) -> object:
    import pandas as pd

    return pd.read_csv(path)


def both() -> tuple[Any, Any]:
    path = written()
    return read(path), read_pandas(path)


def counted(data: tuple[Any, Any]) -> object:
    return data[0].counts(["g0", "g1"])


def counted_pandas(data: tuple[Any, Any]) -> object:
    import pandas as pd

    return pd.crosstab(data[1]["g0"], data[1]["g1"])


CASES = [
    Case("read a CSV of a million rows and ten columns, with kinds and reasons", "pandas", written, read, read_pandas),
    Case("count two columns of a million rows", "pandas", both, counted, counted_pandas),
]
