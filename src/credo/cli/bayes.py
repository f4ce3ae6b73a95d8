"""``credo bayes``."""

from __future__ import annotations

__all__ = ["bayes"]


def bayes() -> None:
    """Not there yet."""
    raise NotImplementedError
