"""JSON lines read by Python, strictly: for small files, and to say where a larger one is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from credo.errors import FormatError
from credo.tables.files import Found, guarded, text_stream

__all__ = ["columns", "objects"]


def objects(found: Found) -> Iterator[dict[str, str | None]]:
    """The object on each line that is not empty, its values as texts."""
    with guarded(found), text_stream(found, "utf-8-sig") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield _object(line, found, number)


def _object(line: str, found: Found, number: int) -> dict[str, str | None]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(pairs)
        if len(held) < len(pairs):
            twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
            raise FormatError(f"the name {twice!r} stands twice in one object", file=found.name, line=number)
        return held

    try:
        value = json.loads(line, object_pairs_hook=unique, parse_constant=str)
    except json.JSONDecodeError as cause:
        raise FormatError(
            f"not JSON: {cause.msg}. Each line must be one object", file=found.name, line=number, column=cause.colno
        ) from None
    except RecursionError:
        raise FormatError("too deeply nested", file=found.name, line=number) from None
    if not isinstance(value, dict):
        raise FormatError('each line must be one JSON object such as {"age": 31}', file=found.name, line=number)
    return {name: _text(held) for name, held in value.items()}


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def columns(found: Found) -> dict[str, list[str | None]]:
    """The columns of the whole file; what an object does not name is missing."""
    held = list(objects(found))
    names = dict.fromkeys(name for each in held for name in each)
    if not names:
        raise FormatError("there is no column in this file: each line must be one JSON object", file=found.name)
    return {name: [each.get(name) for each in held] for name in names}
