"""``credo study``."""

from __future__ import annotations

__all__ = ["study"]


def study() -> None:
    """Not there yet."""
    raise NotImplementedError
