"""The archive around a model: written whole, read only when every byte is accounted for."""

from __future__ import annotations

import hashlib
import json
import math
import os
import secrets
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from credo import checks
from credo.checks import shown
from credo.errors import FormatError, InvalidInput
from credo.storage.archive import first_member, read_archive
from credo.storage.arrays import array_from_bytes, array_to_bytes
from credo.storage.values import Reader, Writer

__all__ = ["Saved", "load", "load_with_about", "save", "whole_file"]

FORMAT, VERSION = "credo-model", 1
MANIFEST, MODEL = "manifest.json", "model.json"
MOST_MEMBERS = 10_000
MOST_JSON = 32 * 2**20
MOST_VALUES = 2_000_000
MOST_BYTES = 8 * 2**30
LONGEST_RECORD = 2**17  # before the content of a member: names and extra fields have at most 2¹⁶ bytes each
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes, whenever it is saved


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A model and what was noted about it: the name of the target, how it was chosen, and the like.

    >>> Saved(model=None, about={"target": "height"}).about["target"]
    'height'
    """

    model: Any
    about: Mapping[str, Any]


def save(model: Any, path: str | Path, *, about: Mapping[str, Any] | None = None) -> None:
    """Write ``model``, and what there is to know ``about`` it, to one file.

    The file appears whole or not at all. A file that is already there is replaced only if it is a model too.

    >>> save(object(), "model.credo")
    Traceback (most recent call last):
    credo.errors.InvalidInput: a builtins.object cannot be stored; ...
    """
    path, writer = checks.path("path", path), Writer()
    content = {"model": writer.write(model), "about": writer.write(dict(about or {}))}
    text = json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
    values = sum(text.count(mark) for mark in b",[{")
    if len(text) > MOST_JSON or values > MOST_VALUES:
        raise InvalidInput(
            f"the model holds {len(text):,} bytes and about {values:,} values of names and settings; at most "
            f"{MOST_JSON:,} and {MOST_VALUES:,} are stored"
        )
    members = {MODEL: text} | {_array_name(i): array_to_bytes(array) for i, array in enumerate(writer.arrays)}
    if len(members) >= MOST_MEMBERS:
        raise InvalidInput(f"the model holds {len(members):,} arrays; at most {MOST_MEMBERS:,} are stored")
    if path.exists() and not _is_model(path):
        raise InvalidInput(f"{path} is there already and is no Credo model, so it is not replaced. Choose another name")
    with whole_file(path) as part:
        _write_archive(part, members)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Somewhere to write what is to appear at ``path`` once it is complete, and not at all if it never is."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield part
        part.replace(path)
    except OSError as cause:
        raise InvalidInput(f"cannot write {path}: {cause.strerror or cause}") from None
    finally:
        part.unlink(missing_ok=True)


def load(path: str | Path) -> Any:
    """The model in a file that ``save`` wrote.

    >>> load("nowhere.credo")
    Traceback (most recent call last):
    credo.errors.FormatError: nowhere.credo: there is no such file. ...
    """
    return load_with_about(path).model


def load_with_about(path: str | Path) -> Saved:
    """The model in a file that ``save`` wrote, and what was noted about it.

    >>> import tempfile, pathlib
    >>> from credo.linear import BayesianRegression
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "line.credo"
    ...     save(BayesianRegression(beta=4.0), path, about={"target": "height"})
    ...     saved = load_with_about(path)
    >>> saved.model, dict(saved.about)
    (BayesianRegression(beta=4.0), {'target': 'height'})
    """
    path = checks.path("path", path)
    try:
        if path.exists() and not path.is_file():
            raise FormatError(f"this is {'a directory' if path.is_dir() else 'no regular file'}")
        if path.stat().st_size > MOST_BYTES:
            raise FormatError(f"larger than the {MOST_BYTES:,} bytes that are read")
        return _read(path.read_bytes())
    except FileNotFoundError:
        raise FormatError(f"there is no such file.{checks.nearest_file(path)}", file=path) from None
    except OSError as cause:
        raise FormatError(cause.strerror or str(cause), file=path) from None
    except FormatError as cause:
        raise FormatError(f"{cause}. Only an undamaged file that Credo saved can be opened", file=path) from None
    except Exception as cause:  # whatever a forged file made a constructor do, it is the file that is wrong
        raise FormatError(f"not a model that can be opened ({type(cause).__name__}: {cause})", file=path) from cause


def _read(data: bytes) -> Saved:
    members = read_archive(data, most=MOST_MEMBERS)
    manifest = _json(members.pop(MANIFEST, b"{}"))
    if manifest.get("format") != FORMAT:
        raise FormatError("not a Credo model")
    if manifest.get("version") != VERSION:
        raise FormatError(
            f"the format has version {shown(manifest.get('version'))}, and this Credo reads version {VERSION}. "
            "Open it with the Credo that saved it, or fit the model again"
        )
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    if digests != manifest.get("sha256"):
        raise FormatError("the content is not what the manifest says")
    content = _json(members.pop(MODEL, b"{}"))
    if set(content) != {"model", "about"} or set(members) != {_array_name(i) for i in range(len(members))}:
        raise FormatError("the archive has members that no model has")
    reader = Reader([array_from_bytes(members[_array_name(i)]) for i in range(len(members))])
    model, about = reader.read(content["model"]), reader.read(content["about"])
    reader.finish()
    if not isinstance(about, dict):
        raise FormatError("what is noted about the model has no names")
    return Saved(model, MappingProxyType(about))


def _array_name(place: int) -> str:
    return f"arrays/{place}.npy"


def _write_archive(path: Path, members: Mapping[str, bytes]) -> None:
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    manifest = json.dumps({"format": FORMAT, "version": VERSION, "sha256": digests}).encode()
    with path.open("xb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, content in {MANIFEST: manifest, **members}.items():
                archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
        file.flush()
        os.fsync(file.fileno())  # the new name must not point to an empty file if the power fails


def _is_model(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            name, start, stop = first_member(file.read(LONGEST_RECORD))
            if name != MANIFEST or stop - start > MOST_JSON:
                return False
            file.seek(start)
            return _json(file.read(stop - start)).get("format") == FORMAT
    except (OSError, ValueError):  # (a FormatError is one, and so is what is no JSON)
        return False


def _json(text: bytes | memoryview) -> dict[str, Any]:
    text = bytes(text)
    if len(text) > MOST_JSON or sum(text.count(mark) for mark in b",[{") > MOST_VALUES:
        raise FormatError(f"more than {MOST_JSON:,} bytes or {MOST_VALUES:,} values of JSON")
    content = json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unlike)
    if not isinstance(content, dict):
        raise FormatError("no JSON object where there must be one")
    return content


def _no_constant(name: str) -> None:
    raise FormatError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise FormatError(f"{shown(text)} is no number that can be held")
    return number


def _unlike(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("a JSON object has two values of one name")
    return found
