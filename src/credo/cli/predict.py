"""``credo predict``."""

from __future__ import annotations

__all__ = ["predict"]


def predict() -> None:
    """Not there yet."""
    raise NotImplementedError
