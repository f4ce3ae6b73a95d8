"""Archives that are right in everything but what is forged."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path


def members_of(path: Path) -> dict[str, bytes]:
    """What the archive holds, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forge(path: Path, members: dict[str, bytes], **manifest: object) -> None:
    """Write the members, with a manifest that fits them but for what is given."""
    members = {name: content for name, content in members.items() if name != "manifest.json"}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    head = {"format": "credo-model", "version": 1, "sha256": digests} | manifest
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {"manifest.json": json.dumps(head).encode(), **members}.items():
            archive.writestr(name, content)
