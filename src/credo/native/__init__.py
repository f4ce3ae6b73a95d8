"""Loops NumPy cannot vectorise."""

from __future__ import annotations

__all__ = ["description"]


def description() -> str:
    """How loops run here, for ``credo --version``."""
    return "NumPy twins"
