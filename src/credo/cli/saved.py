"""What the commands that use a saved model share: the table it reads, and what must not be overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credo.tables import Schema, Table

__all__ = ["check_out", "schema_of", "table_for"]


def check_out(out: Path | None, *read: Path | None) -> None:
    """Refuse to write to a file that is read, or into a folder that is not there."""
    from credo.errors import InvalidInput

    if out is None:
        return
    if not out.absolute().parent.is_dir():
        raise InvalidInput(f"out: there is no folder {str(out.parent)!r}. Make it, or name another file with --out")
    for given in read:
        if given is not None and out.exists() and given.exists() and out.samefile(given):
            raise InvalidInput(f"out must not be a file that is read; {str(out)!r} is. Name another with --out")


def schema_of(model: Any) -> Schema | None:
    """The columns, kinds and states that a model learnt from, where it knows them."""
    from sklearn.pipeline import Pipeline

    first = model[0] if isinstance(model, Pipeline) else model
    schema: Schema | None = vars(first).get("schema_")
    return schema


def table_for(model: Any, data: Path) -> Table:
    """The data with the columns, kinds and states of the model, where it knows them."""
    from credo.errors import InvalidInput
    from credo.tables import Table

    schema = schema_of(model)
    table = Table.read(data) if schema is None else schema.apply(data, unseen=vars(model).get("unseen", "missing"))
    if not len(table):
        raise InvalidInput(f"{data} holds no rows")
    return table
