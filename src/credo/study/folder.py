"""The folder a study is handed over in: the page, its content for programs, and the model."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from credo import checks
from credo.errors import InvalidInput
from credo.storage import save
from credo.storage.files import whole_file
from credo.study.record import Study

__all__ = ["JOURNAL", "reserve", "write"]

PAGE, CONTENT, MODEL = "report.html", "study.json", "winner.credo"
JOURNAL = "journal.jsonl"  # of a study that is not finished


def reserve(path: str | Path) -> Path:
    """The folder at ``path``, if it can be written to: it is new, empty, or holds a former study and nothing else."""
    folder = checks.path("out", path)
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"out must be a folder; {str(path)!r} is a file. Name another with --out")
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        rule = "may not be written to" if there.is_dir() else "is a file"
        raise InvalidInput(
            f"out: no folder {str(path)!r} can be filled, as {str(there)!r} {rule}. Name another with --out"
        )
    held = {entry.name for entry in folder.iterdir()} if folder.exists() else set[str]()
    spare = held - {PAGE, CONTENT, MODEL, JOURNAL}
    if spare or (held - {JOURNAL} and not {PAGE, CONTENT} <= held):
        raise InvalidInput(
            f"out: the folder {str(path)!r} holds other things than a former study ({min(spare or held)!r}), and "
            "nothing is overwritten. Empty it, or name another with --out"
        )
    return folder


def write(study: Study, path: str | Path, *, about: Mapping[str, str] | None = None) -> Path:
    """Write the report, its content as JSON and the winning model into the folder; returns the page.

    ``about`` is noted in the file of the model, beside the target and the verdict.
    """
    folder = reserve(path)
    folder.mkdir(parents=True, exist_ok=True)
    noted = {"made_by": "credo study", "target": study.target, "model": study.best, "verdict": study.verdict}
    texts = {
        CONTENT: json.dumps(study.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n",
        PAGE: study.report(),
    }
    save(study.winner, folder / MODEL, about=noted | dict(about or {}))
    for name, text in texts.items():
        with whole_file(folder / name) as part:
            part.write_text(text, encoding="utf-8")
    (folder / JOURNAL).unlink(missing_ok=True)
    return folder / PAGE
