"""Credo: Bayesian learning, inference and decision.

A model is a joint distribution. Data and observations condition it. Every answer is a belief, every action follows
from a belief and a loss, and every claim that one thing is better comes with evidence.

>>> import credo
>>> credo.Categorical({"disease": 0.001, "healthy": 0.999}).given({"disease": 1.0, "healthy": 0.01})["disease"]
0.0909...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credo.beliefs import Categorical as Categorical

__version__ = "0.1.0"

# Where each name of the front door lives. They are loaded when first used, so that ``import credo`` costs nothing.
_HOME = {
    "Categorical": "credo.beliefs",
}

__all__ = ["Categorical", "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'credo' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
