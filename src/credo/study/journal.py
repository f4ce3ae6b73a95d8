"""What is finished, kept line by line, so that a crash or Ctrl-C loses no more than what is in hand.

A journal is a text file. Its first line says of which data and settings it is; each other line is one fold of one
candidate: what was answered, to the last bit. A line that was being written when the power went is left out.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.errors import InvalidInput
from credo.study.answers import Answers, ClassAnswers, ClassTask, NumberAnswers
from credo.study.question import Question
from credo.study.sitting import Sitting

__all__ = ["Journal", "fingerprint"]

FORMAT = 1


MARK = b'{"credo_study"'  # how each begins


class Journal:
    """Finished sittings by their names; ``about`` are the data and the settings, which a resumed study must share.

    Without a ``path`` it is held in memory alone.
    """

    def __init__(self, path: Path | None, about: Mapping[str, Any], task: Any, *, resume: bool) -> None:
        self._path, self._task = path, task
        self.held: dict[str, Sitting] = {}
        if path is None:
            return
        if path.is_dir():
            raise InvalidInput(f"journal must be a file; {str(path)!r} is a folder")
        first = _line({"credo_study": FORMAT, "about": dict(about)})
        if path.exists() and path.stat().st_size:
            with path.open("rb") as file:
                begun = file.read(len(MARK))
            if not MARK.startswith(begun):  # a first write that broke off leaves a part of it
                raise InvalidInput(f"{str(path)!r} is there already, and is no journal of a study. Choose another name")
            if not resume and path.read_bytes().count(b"\n") < 2:  # it ended before its first fold
                path.unlink()
                self._append(first)
                return
            if not resume:
                raise InvalidInput(
                    f"{str(path)!r} is the journal of a study that was interrupted. Go on with it by --resume, or "
                    "delete it"
                )
            self._read(path, json.loads(first))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append(first)

    def keep(self, name: str, sitting: Sitting) -> None:
        """Write down what is finished, and have it on the disk before anything else is begun."""
        self.held[name] = sitting
        if self._path is not None:
            self._append(_line({"name": name, **_plain(sitting)}))

    def _append(self, line: bytes) -> None:
        assert self._path is not None  # noqa: S101 (asked by the callers)
        with self._path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def _read(self, path: Path, wanted: dict[str, Any]) -> None:
        whole = path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        try:
            first, *lines = [json.loads(line) for line in kept.splitlines()] or [wanted]
            _same(path, first, wanted)
            for line in lines:
                name = line.pop("name")
                self.held[name] = _sitting(line, self._task)
        except (ValueError, KeyError, TypeError, AttributeError) as cause:
            if isinstance(cause, InvalidInput):
                raise
            raise InvalidInput(f"{str(path)!r} is no journal of a study ({cause}). Delete it, and begin anew") from None
        if len(kept) < len(whole):
            with path.open("r+b") as file:
                file.truncate(len(kept))
        if not kept:
            self._append(_line(wanted))


def fingerprint(question: Question) -> str:
    """A digest of every cell the candidates see, the target, and what orders or groups the rows.

    >>> from credo.study.question import ask
    >>> data = {"x": [float(i) for i in range(20)], "y": ["a", "b"] * 10}
    >>> held = ask(data, "y", loss=None, holdout=0.2, types=None)
    >>> fingerprint(held)[:8] == fingerprint(ask(data, "y", loss=None, holdout=0.2, types=None))[:8]
    True
    """
    found = hashlib.sha256()
    table = question.table
    for column in table.schema:
        found.update(f"{column.name}\0{column.kind}\0{column.states}\0".encode())
        values = table.codes(column.name) if column.kind.has_states else table[column.name]
        found.update(np.ascontiguousarray(values).tobytes())
    others: tuple[NDArray[Any] | None, ...] = (question.y, question.groups, question.times)
    for other in others:
        if other is not None:
            held = other.astype(str) if other.dtype == object else other
            found.update(f"\0{held.dtype}\0".encode() + np.ascontiguousarray(held).tobytes())
    return found.hexdigest()


def _same(path: Path, first: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Whether a journal is of this very study; if not, in what it differs."""
    if first == wanted:
        return
    was, now = first["about"], wanted["about"]
    apart = [name for name in {**now, **was} if was.get(name) != now.get(name)]
    words = "; ".join(
        "the data are others" if name == "data" else f"{name} was {was.get(name)} and is {now.get(name)}"
        for name in apart
    )
    raise InvalidInput(
        f"{str(path)!r} is the journal of another study: {words or 'its format is another'}. Repeat what was asked "
        "then, or delete the journal and begin anew"
    )


def _line(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _plain(sitting: Sitting) -> dict[str, Any]:
    """A sitting as JSON, its arrays by their bytes."""
    held: dict[str, Any] = {
        "seconds": sitting.seconds,
        "remarks": list(sitting.remarks),
        "log_evidence": sitting.log_evidence,
        "error": sitting.error,
        "status": sitting.status,
    }
    if sitting.answers is not None:
        fields = [(field.name, getattr(sitting.answers, field.name)) for field in dataclasses.fields(sitting.answers)]
        held["answers"] = {name: _packed(value) for name, value in fields if isinstance(value, np.ndarray)}
    return held


def _sitting(line: dict[str, Any], task: Any) -> Sitting:
    packed = line.pop("answers", None)
    answers: Answers | None = None
    if packed is not None:
        arrays = {name: _unpacked(value) for name, value in packed.items()}
        answers = ClassAnswers(**arrays, task=task) if isinstance(task, ClassTask) else NumberAnswers(**arrays)
    line["remarks"] = tuple(line["remarks"])
    return Sitting(answers=answers, **line)


def _packed(values: NDArray[Any]) -> dict[str, Any]:
    return {
        "type": values.dtype.str,
        "shape": list(values.shape),
        "bytes": base64.b64encode(np.ascontiguousarray(values).tobytes()).decode(),
    }


def _unpacked(packed: dict[str, Any]) -> NDArray[Any]:
    kind = np.dtype(str(packed["type"]))
    if kind.kind not in "fiub":
        raise ValueError(f"arrays of {kind} are not kept")
    return np.frombuffer(base64.b64decode(packed["bytes"], validate=True), dtype=kind).reshape(packed["shape"])
