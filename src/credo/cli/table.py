"""``credo table``."""

from __future__ import annotations

__all__ = ["table"]


def table() -> None:
    """Not there yet."""
    raise NotImplementedError
