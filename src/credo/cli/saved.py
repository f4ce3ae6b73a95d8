"""What the commands that use a saved model share: arguments, the table it reads, what it says of the rows, writing.

A table that does not fit into memory is asked about piece by piece.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from credo.beliefs import Belief
    from credo.tables import Schema, Table

__all__ = ["Lines", "Model", "Out", "Rows", "beliefs", "check_out", "digest", "schema_of", "table_for", "write_rows"]

Model = Annotated[Path, typer.Argument(help="A model, such as the winner.credo of a study.", show_default=False)]
Rows = Annotated[Path, typer.Argument(help="A table with the columns the model learnt from.", show_default=False)]
Out = Annotated[Path | None, typer.Option(help="Write to this file instead of standard output.", show_default=False)]
Lines = Annotated[bool, typer.Option("--json", help="One JSON object for each row instead of CSV.")]


def check_out(out: Path | None, *read: Path | None) -> None:
    """Refuse to write to a file that is read, or into a folder that is not there."""
    from credo.errors import InvalidInput

    if out is None:
        return
    if out.is_dir():
        raise InvalidInput(f"out must be a file; {str(out)!r} is a folder. Name a file in it with --out")
    if not out.absolute().parent.is_dir():
        raise InvalidInput(f"out: there is no folder {str(out.parent)!r}. Make it, or name another file with --out")
    for given in read:
        if given is not None and out.exists() and given.exists() and out.samefile(given):
            raise InvalidInput(f"out must not be a file that is read; {str(out)!r} is. Name another with --out")


def digest(path: Path) -> str:
    """What tells the content of a file from any other: kept with a model, to know the table it was made from."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def schema_of(model: Any) -> Schema | None:
    """The columns, kinds and states that a model learnt from, where it knows them."""
    from sklearn.pipeline import Pipeline

    first = model[0] if isinstance(model, Pipeline) else model
    schema: Schema | None = vars(first).get("schema_")
    return schema


def table_for(
    model: Any, data: Path, *, missing: Sequence[str] | None = None, dialect: Sequence[str] | None = None
) -> Table:
    """The data with the columns, kinds and states of the model, where it knows them."""
    from credo.cli.kinds import dialect_of, missing_texts, read_table
    from credo.errors import InvalidInput
    from credo.tables import Schema, Table
    from credo.tables.reading import read

    schema = schema_of(model)
    if schema is None:
        table = read_table(data, missing=missing, dialect=dialect)
    else:
        wider = Schema(schema.columns, missing_texts(missing, schema.missing))
        unseen = vars(model).get("unseen", "missing")
        table = Table.of(read(data, schema=wider, unseen=unseen, dialect=dialect_of(dialect)))
    if not len(table):
        raise InvalidInput(f"{data} holds no rows")
    return table


def beliefs(model: Any, table: Table, keep: NDArray[np.bool_] | None = None) -> Iterator[Belief]:
    """What the model says of the rows, or of those to ``keep``: one batch of beliefs for each piece of the table."""
    import numpy as np

    from credo.evaluation import believe
    from credo.numerics import Line

    # A model that learnt from a plain array knows its columns by their places only.
    nameless = schema_of(model) is None and "feature_names_in_" not in vars(model)
    line, done = Line(), 0
    for batch in table.batches():
        kept = batch if keep is None else batch.take(keep[done : done + len(batch)])
        X: Any = np.column_stack([kept[name] for name in kept.columns]) if nameless else kept
        if len(kept):
            yield believe(model, X)
        done += len(batch)
        line.tell(f"{done:,} of {len(table):,} rows")
    line.close()


def write_rows(rows: Iterable[Mapping[str, Any]], out: Path | None, *, json: bool) -> None:
    """Write rows as CSV, or each as a JSON object: to standard output, or to a file that appears when it is whole."""
    from credo.storage.files import whole_file

    if out is None:
        _write(rows, sys.stdout, json=json)
        return
    with whole_file(out) as part, part.open("w", encoding="utf-8", newline="") as file:
        _write(rows, file, json=json)


def _write(rows: Iterable[Mapping[str, Any]], file: TextIO, *, json: bool) -> None:
    import csv
    from json import dumps

    from credo.checks import plain_json

    lines = csv.writer(file, lineterminator="\n")
    for i, row in enumerate(rows):
        if json:
            file.write(dumps(plain_json(row), ensure_ascii=False, allow_nan=False) + "\n")
            continue
        if i == 0:
            lines.writerow(row)
        lines.writerow(row.values())
    file.flush()
