"""Tables over named variables."""

from __future__ import annotations

from credo.networks.factors.factor import Factor

__all__ = ["Factor"]
