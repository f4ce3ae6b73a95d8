"""What holds for every test, those in documents among them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"  # pictures are drawn on no screen

# How long an example takes depends on who else uses the machine, and says nothing about what is right.
settings.register_profile("credo", deadline=None)
settings.load_profile("credo")


@pytest.fixture(autouse=True)
def _figures_are_closed() -> Iterator[None]:
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
