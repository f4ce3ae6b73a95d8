"""One file format a file."""

from __future__ import annotations

from credo.networks.formats.reading import read_evidence, read_network

__all__ = ["read_evidence", "read_network"]
